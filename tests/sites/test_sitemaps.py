"""Addresses from sitemaps."""

from __future__ import annotations

import gzip
import tracemalloc
from random import Random

import pytest

import dehusk
from dehusk.sites.sitemaps import MOST_ADDRESSES, MOST_FILES, listed_pages, locations
from dehusk.sources.fetching import Expected
from dehusk.sources.raw_page import RawPage


def sitemap(*urls: str) -> bytes:
    entries = "".join(f"<url><loc>{url}</loc><priority>1</priority></url>" for url in urls)
    return (
        f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'.encode()
    )


def index(*urls: str) -> bytes:
    return sitemap(*urls).replace(b"urlset", b"sitemapindex").replace(b"<url>", b"<sitemap>")


def listed(files: dict[str, bytes], *begin: str) -> tuple[list[str], list[str], list[dehusk.FetchError]]:
    """(pages, sitemaps fetched, failures)."""
    fetched: list[str] = []
    failures: list[dehusk.FetchError] = []

    def fetch(url: str, expected: Expected) -> RawPage:
        fetched.append(url)
        if url not in files:
            raise dehusk.NotServed(url, "status 404")
        return RawPage(files[url][: expected.most_bytes], url)

    pages = list(listed_pages(begin or ["map"], fetch, Random(0), failures.append))
    return pages, fetched, failures


def test_sitemaps_indexes_and_packed_ones() -> None:
    files = {"map": index("one", "two.gz", "map"), "one": sitemap("a", "b"), "two.gz": gzip.compress(sitemap("c"))}
    pages, fetched, failures = listed(files)
    assert sorted(pages) == ["a", "b", "c"]
    assert sorted(fetched) == ["map", "one", "two.gz"]
    assert not failures


def test_what_stands_in_locations() -> None:
    text = (
        "<loc>\n http://a.example/?a=1&amp;b=2 </loc><image:loc>x.png</image:loc><loc><![CDATA[http://b/?c&d]]></loc>"
    )
    assert locations(text) == ["http://a.example/?a=1&b=2", "x.png", "http://b/?c&d"]


def test_entities_are_not_expanded() -> None:
    text = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]><loc>&b;&f;</loc>'
    assert locations(text) == ["&b;&f;"]


def test_endless_indexes_end() -> None:
    class Endless(dict[str, bytes]):
        def __contains__(self, url: object) -> bool:
            return True

        def __getitem__(self, url: str) -> bytes:
            return index(*(f"{url}{number}" for number in range(100)))

    pages, fetched, _ = listed(Endless())
    assert (pages, len(fetched)) == ([], MOST_FILES)


def test_addresses_are_bounded() -> None:
    files = {"map": sitemap(*map(str, range(40_000))), "more": sitemap(*map(str, range(40_000)))}
    assert len(listed(files, "map", "more")[0]) == MOST_ADDRESSES


def test_failures_are_told_but_not_that_there_is_none() -> None:
    _, _, failures = listed({"map": gzip.compress(sitemap("a"))[:-10]}, "map", "none")
    assert [str(failure) for failure in failures] == ["map: compressed data that end too early"]


@pytest.mark.parametrize(
    "body",
    [b"<loc>" * 500_000, b"<loc>" + b" " * 3_000_000, b"<loc><![CDATA[" * 200_000, b"<a:" * 1_000_000, b"\xff\x00"],
)
def test_any_bytes_are_read(body: bytes) -> None:
    """An expression that went back and forth in them would not end. How it grows: benchmarks/growth.py."""
    assert set(listed({"map": body})[0]) <= {""}


def test_a_bomb_is_not_unpacked() -> None:
    bomb = gzip.compress(b"<loc>a</loc>" + bytes(200_000_000), 1)[:900_000]
    tracemalloc.start()
    pages, _, _ = listed({"map": bomb})
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert pages == ["a"]
    assert most < 150_000_000
