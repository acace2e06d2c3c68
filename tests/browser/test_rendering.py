"""`--render`: pages that scripts fill, from a server on this machine, under the rules of a crawl."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from command_line import dehusk as dehusk_command
from local_server import Answer, LocalSite, serving
from noting_backend import NotingBackend, invented

import dehusk
from dehusk.sites.politeness import Pace, PoliteFetcher
from dehusk.sites.rendering import BrowserFetcher, RenderLimits
from dehusk.sources.fetching import HttpFetcher

SENTENCE = "The kettle of the old house was on the stove, and the tea in it was as black as the night was long. "
SHELL = "<title>Tea</title><noscript>Enable JavaScript</noscript><div id=root></div><script src={}></script>"
APP = """
const tell = (name, text) => { const p = document.createElement('p'); p.className = name; p.textContent = text;
  document.getElementById('root').append(p); };
const ask = (name, url, options) => fetch(url, options).then(r => r.text())
  .then(t => tell(name, t), () => tell(name, 'refused'));
ask('data', '/data.json'); ask('private', 'http://inner.example/secret'); ask('number', 'http://10.0.0.1/secret');
ask('robots', '/closed/data'); ask('post', '/data.json', {method: 'POST'});
try { new WebSocket('ws://app.example/socket').onerror = () => tell('socket', 'refused'); }
catch { tell('socket', 'refused'); }
document.cookie = 'a=b'; tell('cookie', document.cookie);
"""
ROUTES = {
    "/": Answer(SHELL.format("/app.js").encode()),
    "/tea": Answer(SHELL.format("/tea.js").encode()),
    "/tea.js": Answer(
        b"fetch('/data.json').then(r => r.text()).then(t => document.getElementById('root').innerHTML = `<p>${t}</p>`)",
        content_type="text/javascript",
    ),
    "/app.js": Answer(APP.encode(), content_type="text/javascript"),
    "/data.json": Answer((SENTENCE * 5).encode(), content_type="application/json"),
    "/robots.txt": Answer(b"User-agent: *\nDisallow: /closed/", content_type="text/plain"),
    "/closed/data": Answer(b"closed", content_type="text/plain"),
    "/secret": Answer(b"secret", content_type="text/plain", headers={"Access-Control-Allow-Origin": "*"}),
    "/loop": Answer(b"<p>Loop<script>for(;;);</script>"),
    "/large": Answer(b"<p>Large<script>document.body.append('x'.repeat(3e6))</script>"),
    "/many": Answer(b"<p id=p><script>for (let i = 0; i < 50; i++) fetch('/data.json?' + i)</script>"),
}
NAMES = {"app.example": ["93.184.216.34"], "inner.example": ["10.0.0.1"]}


@pytest.fixture(scope="module")
def site() -> Iterator[LocalSite]:
    with serving(lambda path: ROUTES.get(path.partition("?")[0])) as site:
        yield site


@pytest.fixture(scope="module")
def rendering(needed: None, site: LocalSite) -> Iterator[tuple[BrowserFetcher, NotingBackend]]:
    backend = NotingBackend(int(site.url.rpartition(":")[2]))
    limits = RenderLimits(quiet_seconds=2, requests=10, bytes=2_000_000)
    with HttpFetcher(resolver=invented(NAMES), backend=backend) as plain, BrowserFetcher(plain, limits) as fetcher:
        yield fetcher, backend


def test_an_application_is_shown_under_the_rules_of_a_crawl(
    rendering: tuple[BrowserFetcher, NotingBackend], site: LocalSite
) -> None:
    fetcher, backend = rendering
    raw = PoliteFetcher(fetcher, Pace(0)).fetch("http://app.example/")
    page = dehusk.read_page(raw)
    told = {
        page.attributes(row)["class"]: page.text[page.text_start[row] : page.text_end[row]]
        for row, _ in page.with_attribute("class")
    }
    assert told.pop("data") == SENTENCE * 5
    assert told.pop("cookie") == "a=b"
    assert set(told.values()) == {"refused"}, told
    assert set(told) >= {"private", "number", "robots", "post"}
    assert {host for host, _ in backend.asked} == {"93.184.216.34"}, "nothing else is connected to"
    assert not {"/secret", "/closed/data"} & set(site.asked)
    assert dehusk.clean(raw).problem == ""
    again = dehusk.read_page(fetcher.fetch("http://app.example/"))
    assert "a=b" in again.text
    assert not any("cookie" in headers for headers in site.headers), "none is sent"


def test_a_page_that_never_ends_is_given_up(needed: None, site: LocalSite) -> None:
    backend = NotingBackend(int(site.url.rpartition(":")[2]))
    limits = RenderLimits(seconds=8, quiet_seconds=2)  # short: this test waits for all of it
    with (
        HttpFetcher(resolver=invented(NAMES), backend=backend) as plain,
        BrowserFetcher(plain, limits) as fetcher,
        pytest.raises(dehusk.TooSlow, match="scripts took longer"),
    ):
        fetcher.fetch("http://app.example/loop")


def test_a_page_is_bounded(rendering: tuple[BrowserFetcher, NotingBackend], site: LocalSite) -> None:
    fetcher, _ = rendering
    with pytest.raises(dehusk.ResponseTooLarge):
        fetcher.fetch("http://app.example/large")
    site.asked.clear()
    fetcher.fetch("http://app.example/many")
    assert len([path for path in site.asked if path.startswith("/data.json?")]) <= 10
    with pytest.raises(dehusk.AddressRefused):
        fetcher.fetch("http://inner.example/")


def test_the_command_line(needed: None, site: LocalSite) -> None:
    plain = dehusk_command("clean", f"{site.url}/tea", "--allow-private", "-f", "jsonl")
    assert json.loads(plain.stdout)["problem"] == "js-required"
    shown = dehusk_command("clean", f"{site.url}/tea", "--allow-private", "--render", "-f", "jsonl")
    assert shown.returncode == 0, shown.stderr
    assert SENTENCE.strip() in json.loads(shown.stdout)["text"]
