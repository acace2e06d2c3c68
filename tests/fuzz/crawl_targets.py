"""Targets that take what a crawl reads beside pages: addresses, robots.txt, sitemaps."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from random import Random

from page_targets import magnitude
from source_targets import check_message

import dehusk
from dehusk import RawPage
from dehusk.page.links import safe_url
from dehusk.sites.feeds import feed_entries, is_feed
from dehusk.sites.frontier import is_same, key_of, normalise, shape_of
from dehusk.sites.robots import Rules, read_rules
from dehusk.sites.site_of import host_of, registered_domain
from dehusk.sites.sitemaps import listed_pages
from dehusk.sources.addresses import is_public
from dehusk.sources.fetching import Expected, checked_url

_ADDRESSES = """https://a.example/b/c.html?d=1&e=2#f
http://user:password@[::1]:8080/
http://2130706433/ http://0x7f.1/ http://①②⑦.0.0.1/
https://münchen.example/straße?q=%ff%zz
javascript:alert(1)
//host/path
data:text/html,x
https://a.example/2024/05/06/a-b-c/a-b-c/a-b-c/?PHPSESSID=1&utm_source=x
HTTP://A.EXAMPLE:80/../%2e%2e/a;b
fe80::1%eth0 64:ff9b::7f00:1 ::ffff:10.0.0.1 2002:7f00:1::
mailto:a@b.example"""

_ROBOTS = """User-agent: *
Disallow: /private/
Allow: /private/*.html$
Crawl-delay: 2
Request-rate: 1/5s
Visit-time: 0600-0845
User-agent: dehusk
User-agent: other
Disallow: /*?*
Sitemap: https://a.example/sitemap.xml
Sitemap: //[
Host: a.example"""

_SITEMAP = """<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://a.example/a?b&amp;c</loc><lastmod>2024-05-06</lastmod></url>
<url><loc><![CDATA[https://a.example/d]]></loc></url></urlset>"""

_FEED = """<rss><channel><link>https://a.example/</link><item><link>https://a.example/1?b&amp;c</link></item>
<item><link><![CDATA[https://a.example/2]]></link></item>
<item><link rel="alternate" href="/3"/></item></channel></rss>"""


def address_seeds() -> tuple[bytes, ...]:
    return (_ADDRESSES.encode(), *(line.encode() for line in _ADDRESSES.splitlines()))


def robots_seeds() -> tuple[bytes, ...]:
    return (_ROBOTS.encode(),)


def sitemap_seeds() -> tuple[bytes, ...]:
    index = _SITEMAP.replace("urlset", "sitemapindex").replace("url>", "sitemap>")
    return (_SITEMAP.encode(), index.encode())


def feed_seeds() -> tuple[bytes, ...]:
    return (_FEED.encode(), _FEED.replace("item", "entry").encode(), b'{"items": [{"url": "/1"}, {"url": "//["}]}')


def feed(data: bytes, folder: Path) -> Hashable:
    """Any file gives addresses, each once."""
    text = data.decode("utf-8", "replace")
    listed = feed_entries(text, "https://a.example/feed")
    assert len(set(listed)) == len(listed)
    return is_feed(text), magnitude(len(listed))


def addresses(data: bytes, folder: Path) -> Hashable:
    """Each line is an address that a page may link to."""
    behaviours = set()
    for address in data.decode("utf-8", "surrogateescape").split("\n")[:50]:
        url = safe_url(address, "https://a.example/b/")
        url.encode("ascii")
        assert not url.lower().startswith(("javascript", "data", "vbscript"))
        normal = normalise(address)
        assert normalise(normal) == normal, "not normal the second time"
        key_of(normal), shape_of(normal), is_same(address, normal)
        host = host_of(address)
        registered_domain(host), is_public(host)
        behaviours.add((bool(url), bool(normal), bool(host), is_public(address), _is_refused(address)))
    return frozenset(behaviours)


def _is_refused(address: str) -> bool:
    try:
        checked_url(address)
    except dehusk.DehuskError as error:
        check_message(error)
        return True
    return False


def robots(data: bytes, folder: Path) -> Hashable:
    """Any file gives rules, and rules answer for any address."""
    rules: Rules = read_rules("https://a.example/x", lambda url, expected: RawPage(data, url))
    allowed = tuple(
        rules.allow(url)
        for url in ("https://a.example/", "https://a.example/private/a.html", "https://a.example/é?x=1")
    )
    assert 0 <= rules.delay <= 30
    return allowed, magnitude(int(rules.delay)), magnitude(len(rules.sitemaps))


def sitemap(data: bytes, folder: Path) -> Hashable:
    """Any file gives addresses; an index is followed to an end."""

    def fetch(url: str, expected: Expected) -> RawPage:
        return RawPage(data, url)

    failures: list[dehusk.FetchError] = []
    listed = list(listed_pages(["https://a.example/sitemap.xml"], fetch, Random(0), failures.append))
    assert all(type(address) is str for address in listed)
    return magnitude(len(listed)), len(failures)
