"""Fetching from servers that mean harm. Nothing but loopback is ever connected to.

Refused addresses are tested with an invented resolver and a backend that notes what it is asked to connect to, and then
connects to nothing, or to the test's own server.
"""

from __future__ import annotations

import gzip
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import BinaryIO

import pytest
from local_server import Answer, LocalSite, redirect, serving
from noting_backend import NotingBackend, ScriptedBackend, ScriptedStream, invented

import dehusk
from dehusk.errors import InvalidSetting
from dehusk.sources.decompression import Damaged, beginning, decompress
from dehusk.sources.fetching import Expected, FetchLimits, HttpFetcher, checked_url, user_agent

PAGE = b"<title>Tea</title><p>Steep the leaves."
BOMB = gzip.compress(bytes(50_000_000))
SHORT = FetchLimits(bytes=1_000_000, packed_bytes=2_000_000, connect_seconds=2, read_seconds=0.4, total_seconds=0.8)


def drip(stream: BinaryIO) -> None:
    """Often enough for every single read, and without end."""
    while True:
        stream.write(b"<p>")
        stream.flush()
        time.sleep(0.05)


def stall(stream: BinaryIO) -> None:
    stream.write(b"<p>")
    stream.flush()
    time.sleep(1.5)


def flood(stream: BinaryIO) -> None:
    while True:
        stream.write(b"<p>more</p>" * 5000)


def cut_off(stream: BinaryIO) -> None:
    stream.write(gzip.compress(PAGE * 100)[:-20])


ROUTES = {
    "/": Answer(PAGE, headers={"ETag": '"1"', "Set-Cookie": "visit=1"}),
    "/gzip": Answer(gzip.compress(PAGE), headers={"Content-Encoding": "gzip"}),
    "/gzip-twice-in-a-row": Answer(gzip.compress(PAGE) * 2, headers={"Content-Encoding": "gzip"}),
    "/deflate": Answer(zlib.compress(PAGE), headers={"Content-Encoding": "deflate"}),
    "/bare-deflate": Answer(zlib.compress(PAGE, wbits=-15), headers={"Content-Encoding": "deflate"}),
    "/xhtml": Answer(PAGE, content_type="application/xhtml+xml; charset=utf-8"),
    "/once": redirect("/"),
    "/relative": redirect("once?x=ä"),
    "/once?x=%C3%A4": redirect("/"),
    "/loop": redirect("/loop"),
    "/nowhere": Answer(status=302),
    "/to-file": redirect("file:///etc/passwd"),
    "/to-password": redirect("http://me:secret@127.0.0.1/"),
    "/to-nonsense": redirect("http://[::1/"),
    "/pdf": Answer(b"%PDF-1.4", content_type="application/pdf"),
    "/untyped": Answer(PAGE, content_type=""),
    "/gone": Answer(PAGE, 410),
    "/forbidden": Answer(PAGE, 403),
    "/busy": Answer(PAGE, 429),
    "/broken": Answer(PAGE, 503),
    "/bomb": Answer(BOMB, headers={"Content-Encoding": "gzip"}),
    "/deflate-bomb": Answer(zlib.compress(bytes(50_000_000)), headers={"Content-Encoding": "deflate"}),
    "/large": Answer(PAGE * 50_000),
    "/brotli": Answer(b"\x8b\x03\x80", headers={"Content-Encoding": "br"}),
    "/not-gzip": Answer(PAGE, headers={"Content-Encoding": "gzip"}),
    "/cut-off": Answer(headers={"Content-Encoding": "gzip"}, steps=cut_off),
    "/drip": Answer(steps=drip),
    "/stall": Answer(steps=stall),
    "/flood": Answer(steps=flood),
}


@pytest.fixture(scope="module")
def site() -> Iterator[LocalSite]:
    with serving(ROUTES.get) as site:
        yield site


@pytest.fixture
def fetcher() -> Iterator[HttpFetcher]:
    with HttpFetcher(SHORT, allow_private=True, now=lambda: "2026-01-02T03:04:05+00:00") as fetcher:
        yield fetcher


def test_a_page_with_what_is_known_of_it(site: LocalSite, fetcher: HttpFetcher) -> None:
    page = fetcher.fetch(site.url + "/#part")
    assert page.body == PAGE
    assert (page.url, page.name, page.status) == (site.url + "/", site.url + "/#part", 200)
    assert page.fetched_at == "2026-01-02T03:04:05+00:00"
    assert page.header("etag") == '"1"'
    assert page.header("content-type") == "text/html"
    # What speaks of the transfer is not true of the unpacked page, and cookies are not kept.
    assert not page.header("content-length")
    assert not page.header("set-cookie")


def test_we_say_who_we_are_and_send_no_cookies(site: LocalSite, fetcher: HttpFetcher) -> None:
    fetcher.fetch(site.url + "/")
    fetcher.fetch(site.url + "/")
    assert site.headers[-1]["user-agent"] == f"dehusk/{dehusk.__version__}"
    assert site.headers[-1]["accept-encoding"] == "gzip, deflate"
    assert "cookie" not in site.headers[-1]
    assert user_agent("you@a.example").endswith(" (you@a.example)")
    with pytest.raises(InvalidSetting):
        user_agent("you\r\nHost: evil")


@pytest.mark.parametrize("path", ["/gzip", "/deflate", "/bare-deflate", "/xhtml", "/once", "/relative"])
def test_packed_pages_and_redirects(site: LocalSite, fetcher: HttpFetcher, path: str) -> None:
    page = fetcher.fetch(site.url + path)
    assert page.body == PAGE
    assert not page.header("content-encoding")


def test_gzip_in_several_parts(site: LocalSite, fetcher: HttpFetcher) -> None:
    assert fetcher.fetch(site.url + "/gzip-twice-in-a-row").body == PAGE * 2


@pytest.mark.parametrize(
    ("path", "error", "cause"),
    [
        ("/missing", dehusk.NotServed, "status 404"),
        ("/gone", dehusk.NotServed, "status 410"),
        ("/forbidden", dehusk.Blocked, "status 403"),
        ("/busy", dehusk.ServerFailed, "status 429"),
        ("/broken", dehusk.ServerFailed, "status 503"),
        ("/loop", dehusk.NotServed, "more than 10 redirects"),
        ("/nowhere", dehusk.NotServed, "without saying where to go"),
        ("/to-file", dehusk.AddressRefused, "not an address of the web"),
        ("/to-password", dehusk.AddressRefused, "user name or password"),
        ("/to-nonsense", dehusk.FetchError, "no address"),
        ("/pdf", dehusk.NotAPage, "application/pdf"),
        ("/untyped", dehusk.NotAPage, "unknown"),
        ("/bomb", dehusk.ResponseTooLarge, "more bytes than allowed"),
        ("/deflate-bomb", dehusk.ResponseTooLarge, "more bytes than allowed"),
        ("/large", dehusk.ResponseTooLarge, "more bytes than allowed"),
        ("/flood", dehusk.ResponseTooLarge, "more bytes than allowed"),
        ("/brotli", dehusk.FetchError, "compressed with 'br'"),
        ("/not-gzip", dehusk.FetchError, "compressed data that cannot be read"),
        ("/cut-off", dehusk.FetchError, "end too early"),
        ("/stall", dehusk.TooSlow, "no answer in time"),
        ("/drip", dehusk.TooSlow, "no answer in time"),
    ],
)
def test_traps(site: LocalSite, fetcher: HttpFetcher, path: str, error: type[dehusk.FetchError], cause: str) -> None:
    with pytest.raises(error, match=cause):
        fetcher.fetch(site.url + path)
    # And the fetcher is none the worse for it.
    assert fetcher.fetch(site.url + "/").body == PAGE


def test_bytes_are_counted_before_unpacking_too(site: LocalSite) -> None:
    limits = FetchLimits(bytes=100_000_000, packed_bytes=1000)
    with HttpFetcher(limits, allow_private=True) as fetcher, pytest.raises(dehusk.ResponseTooLarge):
        fetcher.fetch(site.url + "/bomb")


def test_a_redirect_loop_is_asked_for_eleven_times(site: LocalSite, fetcher: HttpFetcher) -> None:
    before = site.asked.count("/loop")
    with pytest.raises(dehusk.NotServed):
        fetcher.fetch(site.url + "/loop")
    assert site.asked.count("/loop") - before == 11


def test_of_a_long_answer_the_beginning_may_do(site: LocalSite, fetcher: HttpFetcher) -> None:
    expected = Expected(most_bytes=100, cut=True)
    assert fetcher.fetch(site.url + "/flood", expected).body == (b"<p>more</p>" * 10)[:100]
    assert fetcher.fetch(site.url + "/bomb", expected).body == bytes(100)
    assert fetcher.fetch(site.url + "/pdf", expected).body == b"%PDF-1.4"


def test_what_is_checked_before_is_every_address_on_the_way(site: LocalSite, fetcher: HttpFetcher) -> None:
    checked: list[str] = []
    fetcher.fetch(site.url + "/relative", check=checked.append)
    assert checked == [site.url + path for path in ("/relative", "/once?x=%C3%A4", "/")]


def test_nobody_there(fetcher: HttpFetcher) -> None:
    with serving(ROUTES.get) as gone:
        pass
    with pytest.raises(dehusk.Unreachable):
        fetcher.fetch(gone.url + "/")


# Addresses that are refused


NAMES = {
    "a.example": ["93.184.215.14"],
    "two.example": ["93.184.215.14", "93.184.215.15"],
    "inside.example": ["10.0.0.7"],
    "mixed.example": ["93.184.215.14", "192.168.0.1"],
    "metadata.example": ["169.254.169.254"],
    "mapped.example": ["::ffff:127.0.0.1"],
    "localhost": ["127.0.0.1", "::1"],
    "0x7f000001": ["127.0.0.1"],
}


@pytest.mark.parametrize(
    "url",
    [
        "http://inside.example/",
        "https://mixed.example/",
        "http://metadata.example/latest/meta-data/",
        "http://mapped.example/",
        "http://localhost:8080/",
        "http://0x7f000001/",
        "http://127.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "http://[fd00:ec2::254]/",
    ],
)
def test_private_addresses_are_refused_before_anything_is_connected_to(url: str) -> None:
    backend = NotingBackend()
    with (
        HttpFetcher(resolver=invented(NAMES), backend=backend) as fetcher,
        pytest.raises(dehusk.PrivateAddress, match="not a public address") as raised,
    ):
        fetcher.fetch(url)
    assert backend.asked == []
    assert raised.value.subject == url


def test_the_address_that_was_checked_is_the_one_connected_to(site: LocalSite) -> None:
    port = int(site.url.rpartition(":")[2])
    backend = NotingBackend(port)
    with HttpFetcher(resolver=invented(NAMES), backend=backend) as fetcher:
        assert fetcher.fetch("http://a.example:8000/").body == PAGE
    assert backend.asked == [("93.184.215.14", 8000)]
    assert site.headers[-1]["host"] == "a.example:8000"


@pytest.mark.parametrize("target", ["http://127.0.0.1/", "http://169.254.169.254/x", "http://inside.example/"])
def test_a_redirect_to_a_private_address_is_not_followed(target: str) -> None:
    with serving(lambda path: redirect(target)) as site:
        backend = NotingBackend(int(site.url.rpartition(":")[2]))
        with (
            HttpFetcher(resolver=invented(NAMES), backend=backend) as fetcher,
            pytest.raises(dehusk.PrivateAddress, match="not a public address") as raised,
        ):
            fetcher.fetch("http://a.example/")
    assert raised.value.subject == target
    assert backend.asked == [("93.184.215.14", 80)]


def test_a_name_that_changes_its_address_is_resolved_once_a_connection_and_checked_each_time() -> None:
    """DNS rebinding: public when first asked for, loopback from then on."""
    answers = iter([["93.184.215.14"], ["127.0.0.1"], ["127.0.0.1"]])
    with serving(lambda path: Answer(PAGE, headers={"Connection": "close"})) as site:
        backend = NotingBackend(int(site.url.rpartition(":")[2]))
        with HttpFetcher(resolver=lambda host: next(answers), backend=backend) as fetcher:
            assert fetcher.fetch("http://rebinding.example/").body == PAGE
            with pytest.raises(dehusk.AddressRefused):
                fetcher.fetch("http://rebinding.example/")
    assert backend.asked == [("93.184.215.14", 80)]


def test_certificates_are_checked_against_the_name_not_the_address() -> None:
    answer = iter([b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>x", b""])
    stream = ScriptedStream(lambda: next(answer))
    backend = ScriptedBackend(stream)
    with HttpFetcher(resolver=invented(NAMES), backend=backend) as fetcher:
        assert fetcher.fetch("https://a.example/").body == b"<p>x"
    assert backend.asked == [("93.184.215.14", 443)]
    assert stream.server_hostname == "a.example"
    assert b"\r\nHost: a.example\r\n" in stream.written


def dripping_headers() -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\n"
    while True:
        time.sleep(0.02)
        yield b"X-More: x\r\n"


def endless_header() -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nX-More: "
    while True:
        yield b"x" * 10_000


def endless_hints() -> Iterator[bytes]:
    while True:
        time.sleep(0.02)
        yield b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (dripping_headers(), dehusk.TooSlow),
        (endless_hints(), dehusk.TooSlow),
        (endless_header(), dehusk.Unreachable),
        (iter([b"\x00\xffnonsense\r\n\r\n"]), dehusk.Unreachable),
        (iter([b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n<p>"]), dehusk.Unreachable),
        (iter([]), dehusk.Unreachable),
    ],
)
def test_servers_that_do_not_speak_http_well(answer: Iterator[bytes], error: type[dehusk.FetchError]) -> None:
    backend = ScriptedBackend(ScriptedStream(lambda: next(answer, b"")))
    with HttpFetcher(SHORT, resolver=invented(NAMES), backend=backend) as fetcher, pytest.raises(error):
        fetcher.fetch("http://a.example/")


def test_all_addresses_of_a_host_are_tried() -> None:
    backend = NotingBackend()
    with HttpFetcher(resolver=invented(NAMES), backend=backend) as fetcher:
        with pytest.raises(dehusk.Unreachable):
            fetcher.fetch("http://two.example/")
        with pytest.raises(dehusk.Unreachable, match="no address is known"):
            fetcher.fetch("http://unknown.example/")
    assert backend.asked == [("93.184.215.14", 80), ("93.184.215.15", 80)]


def test_proxies_of_the_environment_are_not_used(site: LocalSite, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "https_proxy"):
        monkeypatch.setenv(name, site.url)
    backend = NotingBackend()
    with HttpFetcher(resolver=invented(NAMES), backend=backend) as fetcher, pytest.raises(dehusk.Unreachable):
        fetcher.fetch("http://a.example/")
    assert backend.asked == [("93.184.215.14", 80)]


@pytest.mark.parametrize(
    "url",
    [
        "ftp://a.example/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "a.example",
        "",
        "http:///path",
        "http://me@a.example/",
        "http://me:secret@a.example/",
        "http://a.example\\@b.example/",
        "http://a.example:0/",
        "http://a.example:70000/",
        "http://[::1/",
        "http://a.example/\x00",
        "http://a.example/" + "x" * 3000,
        "data:text/html,<p>x",
    ],
)
def test_what_is_no_address_of_a_page(url: str) -> None:
    with pytest.raises(dehusk.AddressRefused):
        checked_url(url)


def test_addresses_are_encoded() -> None:
    assert checked_url(" HTTP://exämple.org:80/ä b?q=ü#part") == "http://xn--exmple-cua.org/%C3%A4%20b?q=%C3%BC"


# Unpacking


def test_unpacking_stops_when_there_is_enough() -> None:
    asked = 0

    def chunks() -> Iterator[bytes]:
        nonlocal asked
        for start in range(0, len(BOMB), 1000):
            asked += 1
            yield BOMB[start : start + 1000]

    assert beginning(decompress(chunks(), "gzip"), 10_000) == bytes(10_000)
    assert asked < 5


def test_gzip_of_endless_parts_is_given_up() -> None:
    many = gzip.compress(b"") * 5000
    with pytest.raises(Damaged, match="more than 1,000 parts"):
        list(decompress([many], "gzip"))


@pytest.mark.parametrize("coding", ["gzip", "deflate", "x-gzip"])
@pytest.mark.parametrize(
    "body", [b"", b"\x1f", b"\x1f\x8b", b"x" * 100, gzip.compress(b"x", mtime=0) + b"\x00" * 10, b"\x78"]
)
def test_any_bytes_are_unpacked_or_damaged(coding: str, body: bytes) -> None:
    unpacked = b""
    with suppress(Damaged):
        unpacked = b"".join(decompress([body], coding))
    assert unpacked in {b"", b"x"}


def test_without_httpx_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpcore", None)  # type: ignore[arg-type]
    monkeypatch.delitem(sys.modules, "dehusk.sources.connecting", raising=False)
    with pytest.raises(dehusk.MissingExtra) as raised:
        HttpFetcher()
    assert raised.value.remedy == "pip install 'dehusk[crawl]'"
