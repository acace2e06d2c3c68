"""Where links lead: absolute, harmless, and unable to break the syntax around them."""

from __future__ import annotations

import string
import sys
from urllib.parse import unquote

import pytest
from address_twin import safe_address
from hypothesis import given, settings
from hypothesis import strategies as st
from keep_visible import Clean, clean_visible
from thoroughness import examples

import dehusk
from dehusk.page.links import base_url, is_plain_url, safe_url, safe_urls, safe_urls_on

BASE = "https://site.example/news/today.html"

RESOLVED = {
    "next.html": "https://site.example/news/next.html",
    "./a/./b/../c": "https://site.example/news/a/c",
    "../up.html": "https://site.example/up.html",
    "/root": "https://site.example/root",
    "//other.example/x": "https://other.example/x",
    "http://other.example/": "http://other.example/",
    "HTTPS://Other.example/Path": "https://Other.example/Path",
    "?page=2&sort=up": "https://site.example/news/today.html?page=2&sort=up",
    "#part": "https://site.example/news/today.html#part",
    "mailto:jo@site.example?subject=Hi": "mailto:jo@site.example?subject=Hi",
    "tel:+49-30-123": "tel:+49-30-123",
    "ftp://files.example/a.zip": "ftp://files.example/a.zip",
    " \n next.html\t ": "https://site.example/news/next.html",
    "ne\nxt\t.html": "https://site.example/news/next.html",
    "a b(1).html": "https://site.example/news/a%20b(1).html",
    "already%20encoded": "https://site.example/news/already%20encoded",
    "grüße": "https://site.example/news/gr%C3%BC%C3%9Fe",
    "http://[::1]:80/": "http://[::1]:80/",
}

HARMFUL = (
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "\x01javascript:alert(1)",
    "\x1f javascript:alert(1)",
    "java\nscript:alert(1)",
    "java\tscript\r:alert(1)",
    "javascript\t:alert(1)",
    "javascript:%0aalert(1)",
    "javascript://site.example/%0aalert(1)",
    "vbscript:msgbox(1)",
    "data:text/html,<script>alert(1)</script>",
    "data:image/gif;base64,R0lGODlhAQABAAAAACw=",
    "DATA:text/html;base64,PHNjcmlwdD4=",
    "blob:https://site.example/1",
    "file:///etc/passwd",
    "view-source:https://site.example/",
    "about:blank",
    "intent://scan/#Intent;end",
    "ms-word:ofe|u|https://site.example/",
    "feed:javascript:alert(1)",
    "jar:https://site.example/a.jar!/",
    "http://[broken",
)


@pytest.mark.parametrize(("address", "absolute"), RESOLVED.items())
def test_addresses_become_absolute(address: str, absolute: str) -> None:
    assert safe_url(address, BASE) == absolute


@pytest.mark.parametrize("address", HARMFUL)
@pytest.mark.parametrize("base", [BASE, ""])
def test_harmful_addresses_lead_nowhere(address: str, base: str) -> None:
    assert safe_url(address, base) == ""


@pytest.mark.parametrize("address", ["page.html", "/root", "?q=1", "#part", "//other.example/"])
def test_without_a_page_url_relative_addresses_stay(address: str) -> None:
    assert safe_url(address, "") == address


def test_a_colon_behind_the_first_segment_is_no_scheme() -> None:
    assert safe_url("./note:1", "") == "./note:1"


@pytest.mark.parametrize("host", ["<", "a b.example", "a|b", "a^", "a\\b", "x\x7f"])
def test_links_to_what_no_host_is_called_are_left_out(host: str) -> None:
    assert safe_url(f"http://{host}/1", BASE) == safe_url("1", f"http://{host}/") == ""


@pytest.mark.parametrize("base", ["http:", "https:", "ftp:"])
def test_a_link_without_a_host_is_broken(base: str) -> None:
    assert safe_url("/", base) == safe_url("x", f"{base}///") == ""


def test_lone_surrogates_can_be_written() -> None:
    # As browsers do it: U+FFFD. A "?" would begin the query and lead elsewhere.
    assert safe_url("a\udc80b", BASE) == "https://site.example/news/a%EF%BF%BDb"


@pytest.mark.parametrize(
    ("head", "base"),
    [
        ("", BASE),
        ("<base href='/docs/'>", "https://site.example/docs/"),
        ("<base href='https://cdn.example/x/'>", "https://cdn.example/x/"),
        ("<base target=_blank><base href='/a/'><base href='/b/'>", "https://site.example/a/"),
        ("<base href='http://[broken'>", "http://[broken"),
    ],
)
def test_base_url(head: str, base: str) -> None:
    assert base_url(dehusk.read_page(f"<head>{head}</head><body><a href=x>x</a>", BASE)) == base


@pytest.mark.parametrize("address", [BASE, "", "today.html", "https://site.example/a b?"])
@pytest.mark.parametrize("head", ["", "<base href='/docs/'>", "<link rel=canonical href=https://c.example/d/e>"])
def test_addresses_on_a_page(head: str, address: str) -> None:
    page, others = (
        dehusk.read_page(f"<head>{head}</head>", address),
        ["x", "", "http://a.example/?", "\ud800", "data:,x"],
    )
    assert safe_urls_on(page, others) == (safe_url(address, ""), safe_urls(others, base_url(page)))


def test_a_harmful_base_makes_no_harmful_link() -> None:
    page = dehusk.read_page("<base href='javascript:alert(1)//'><a href='x'>x</a>", BASE)
    assert "javascript" not in safe_url("x", base_url(page))


@given(st.text(), st.sampled_from([BASE, ""]))
def test_any_address_is_harmless_ascii_without_syntax(address: str, base: str) -> None:
    url = safe_url(address, base)
    assert url.isascii()
    assert url.isprintable()
    assert not set(url) & set(" <>\"'`{}|\\^")
    scheme = url.partition(":")[0] if ":" in url.partition("/")[0] else ""
    assert scheme in {"", "http", "https", "mailto", "tel", "ftp"}


@given(st.text(string.ascii_letters + string.digits + "äß中 ()'*|<>\"", min_size=1))
def test_encoding_loses_nothing(name: str) -> None:
    assert unquote(safe_url(f"https://site.example/{name}x", "")) == f"https://site.example/{name}x"


@given(st.text())
def test_a_safe_address_stays_as_it_is(address: str) -> None:
    once = safe_url(address, BASE)
    assert safe_url(once, BASE) == once or not once


def test_plain_addresses() -> None:
    for address in ("https://site.example", "http://a-b.example/c_d/?e=f&g=%20#h", "https://a.example#b"):
        assert is_plain_url(address)
    for address in (
        "",
        "/a",
        "ftp://a.example/",
        "https://",
        "https://a.example/b c",
        "https://a.example/\n",
        "http://ä/",
    ):
        assert not is_plain_url(address)


PARTS = (
    *("/", "//", ".", "..", "./", "../", "a", "b.html", ";", "?", "#", ":", "@", "%20", "%", " ", "\t", "\n", "\x00"),
    *("http", "HTTPS", "://", "http://", "https://h.example", "javascript:", "mailto:x@y", "ftp://", "[", "]", "[::1]"),
    *(
        "[v1.a]",
        "é",
        "漢",
        "／",
        "℀",
        "<",
        '"',
        "\\",
        "^",
        "|",
        "\x7f",
        "\u00a0",
        "=",
        "&",
        ":80",
        "+",
        "*",
        "İ",
        "\x1c",
    ),
)
BASES = (
    *(
        BASE,
        "",
        "http://a/b/c/d;p?q#f",
        "https://site.example",
        "//h/x",
        "/p/q",
        "p/q/",
        "http:",
        "https:///x",
        "?q",
        "#f",
    ),
    *("mailto:a@b", "file:///x/y", "javascript:x//", "http://[::1]/a", "http://[broken", "http://ä.example/ö?ß", "a:b"),
)


# Later versions of Python put rare addresses together in another way: without a host, or with empty parts.
@pytest.mark.skipif(sys.version_info >= (3, 12), reason="addresses are resolved as by Python 3.11")
@given(st.lists(st.sampled_from(PARTS), max_size=8).map("".join), st.sampled_from(BASES))
@settings(max_examples=examples(1000))
def test_addresses_are_resolved_as_by_urllib(address: str, base: str) -> None:
    assert safe_url(address, base) == safe_address(address, base)
    assert safe_urls([address, base], base) == [safe_address(address, base), safe_address(base, base)]


_LONG = "/" + "u" * 20_000
_REPEATED = {
    "blocks": f"<a href={_LONG}>{'<div>words</div>' * 500}</a>",
    "lines": f"<p><a href={_LONG}>{'words<br>' * 500}</a>",
    "images": f"<p>x<a href={_LONG}>{'<img src=i.png>' * 500}</a>y",
    "figures": f"<p>x<a href={_LONG}>{'<figure><img src=i.png></figure>' * 500}</a><p>y",
}


@pytest.mark.parametrize("format_name", ["text", "markdown", "html", "xml", "tei"])
@pytest.mark.parametrize("html", _REPEATED.values(), ids=_REPEATED)
def test_a_long_address_is_not_repeated_without_end(clean: Clean, html: str, format_name: str) -> None:
    options = (dehusk.TextOptions if format_name == "text" else dehusk.OutputOptions)(links=True, images=True)
    page = clean(html + "<p><a href=/short>other</a>")
    written = page.render(format_name, options)
    assert len(written) < 15 * len(html) + 100_000
    assert written.count("words") == html.count("words")


def test_a_linked_teaser_has_its_link_in_every_part(clean: Clean) -> None:
    html = "".join(f"<a href=/{n}{'u' * 200}><p>Head {n}</p><p>Text</p><p>Author</p></a>" for n in range(300))
    written = clean(html).render("html")
    assert written.count("<a href") == 900


def test_the_link_around_a_card_is_that_of_its_heading() -> None:
    def markdown(html: str, drop: str = "") -> str:
        return clean_visible(html, drop=drop).render("markdown")

    card = "<a href=/tea><img src=/t.jpg><p>Drinks</p><div><h3>All about <b>tea</b></h3></div><p>Hot water.</p></a>"
    linked, picture = "https://site.example/tea", "![](https://site.example/t.jpg)"
    expected = f"[{picture}]({linked})\n\nDrinks\n\n## [All about **tea**]({linked})\n\nHot water.\n"
    assert markdown(card) == expected
    without_heading = markdown(card, drop="All about tea")
    assert without_heading.endswith(f"[Drinks]({linked})\n\n[Hot water.]({linked})\n")


@given(st.lists(st.sampled_from([*PARTS, "https://h.example/"]), max_size=5).map("".join), st.sampled_from(BASES))
def test_plain_addresses_stay_as_they_are_whatever_the_base(address: str, base: str) -> None:
    assert not is_plain_url(address) or safe_url(address, base) == address


@pytest.mark.parametrize(
    ("inside", "linked"),
    [
        ("<div class=card-title>Tea</div><div>How it grows.</div>", ["Tea"]),
        ("<p class=post__headline>Tea</p><p>How it grows.</p>", ["Tea"]),
        ("<h3>Tea</h3><p>How it grows.</p>", ["Tea"]),
        ("<div class=item-title-listing><h3>Tea</h3><p>How it grows.</p></div>", ["Tea"]),
        ("<div>Tea</div><div>How it grows.</div>", ["Tea", "How it grows."]),
    ],
)
def test_the_link_around_a_card_is_that_of_its_title(clean: Clean, inside: str, linked: list[str]) -> None:
    html = f"<article><p>Above.</p><a href=https://other.example/tea>{inside}</a><p>Below.</p></article>"
    text = clean(html).markdown
    assert [part.split("[")[-1] for part in text.split("](https://other.example/tea)")[:-1]] == linked
