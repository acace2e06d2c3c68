"""Text that is data is refused with a way out; text that is text is not."""

from __future__ import annotations

import csv
import io
import json
import random
from typing import Final

import pytest

import dehusk
from dehusk.sources.data_formats import CSV, FEED, JSON, data_format

PAGES: Final = [{"id": number, "html": f"<p>Tea {number}, green & “good”\n"} for number in range(500)]


def table(delimiter: str = ",", rows: int = 40) -> bytes:
    written = io.StringIO()
    writer = csv.writer(written, delimiter=delimiter)
    writer.writerows([["id", "name", "price"], *([number, f'Tea, "{number}"\nx', 3.5] for number in range(rows))])
    return written.getvalue().encode()


DATA: Final = {
    "pages": (json.dumps(PAGES).encode(), JSON),
    "indented": (b"\xef\xbb\xbf\n" + json.dumps(PAGES, indent=2, ensure_ascii=False).encode(), JSON),
    "lines": (b"".join(json.dumps(one).encode() + b"\n" for one in PAGES), JSON),
    "one": (b'{"html": "<html><p>Tea"}', JSON),
    "numbers": (b"[1, 2.5, -3e4, null]", JSON),
    "nothing": (b"{}", JSON),
    "CSV": (table(), CSV),
    "large CSV": (table(rows=5_000), CSV),
    "TSV": (table("\t"), CSV),
    "semicolons": (table(";"), CSV),
    "pairs": (b"name;price\r\n" + b"Tea;3,50\r\n" * 5, CSV),
    "a page a row": (b'url,html\nhttps://a.example/,"<html><p>' + b"Tea, " * 3_000 + b'"\n', CSV),
    "RSS": (b'<?xml version="1.0"?>\n<!-- made --><rss version="2.0"><channel><title>Tea</title>', FEED),
    "Atom": (b'<feed xmlns="http://www.w3.org/2005/Atom"><title>Tea</title></feed>', FEED),
    "a sitemap": (b'<?xml version="1.0"?><urlset><url><loc>https://a.example/</loc></url></urlset>', FEED),
    "a PDF behind a comment": (b"<!-- served -->\n%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj", "a PDF"),
}
TEXTS: Final = {
    "a list of notes": b"[1] A note on tea.\n[2] Another one.",
    "a bracket": b"[Tea] is what it is about, and {this} is in braces.",
    "braces": b"{Tea} and more of it",
    "a time": b"[10:30] Tea is ready.",
    "one word in brackets": b"[1 fish",
    "sentences with commas": b"Tea, of course, is green\n" + b"It is, as ever, a drink\n" * 9,
    "addresses": b"Tea Street 5, London\n" * 9,
    "two short lines": b"a,b\n1,2\n",
    "lines with one comma": b"Tea,not coffee\n" * 3,
    "a table in Markdown": b"| a | b |\n|---|---|\n" + b"| 1 | 2 |\n" * 9,
    "columns of tabs": b"\tTea\n\tWater\n\tCups\n" * 3,
}


@pytest.mark.parametrize("name", DATA)
def test_data_are_no_page(name: str) -> None:
    body, what = DATA[name]
    with pytest.raises(dehusk.NotHtml, match=f"is {what}, not html"):
        dehusk.clean(body)


@pytest.mark.parametrize("name", TEXTS)
def test_text_is_no_data(name: str) -> None:
    assert data_format(TEXTS[name]) == ""
    assert dehusk.clean(TEXTS[name]).problem == "plain-text"


def test_messages_have_a_way_out() -> None:
    for body, way_out in (
        (DATA["lines"][0], "--html-field"),
        (DATA["CSV"][0], "--html-field"),
        (DATA["RSS"][0], "links"),
    ):
        with pytest.raises(dehusk.NotHtml) as refused:
            dehusk.clean(body)
        assert way_out in refused.value.remedy


@pytest.mark.parametrize("start", [b"<?xml version='1.0'?><!DOCTYPE html><html>", b"<!-- a --><html>", b"<rssreader>"])
def test_pages_that_begin_in_similar_ways_are_read(start: bytes) -> None:
    assert dehusk.clean(start + b"<p>" + b"Steep the leaves. " * 9).problem == ""


@pytest.mark.parametrize("part", [b'"', b"[", b"{", b'\\"', b"<!--", b"<?", b",", b'",', b"1", b"a,b\n"])
def test_hostile_beginnings_take_no_longer_than_their_length(part: bytes) -> None:
    """Only the beginning is looked at, and each pattern reads it once: this would not end otherwise."""
    for before in (b"", b"{", b'["', b"<!--", b"<?xml", b"a,b\n"):
        data_format(before + part * 100_000)


def test_any_bytes_have_an_answer() -> None:
    pieces = [b'"', b"{", b"[", b":", b",", b"1", b"\n", b"\\", b"a", b"\t", b" ", b"\xff", b"\x00", b"<"]
    for seed in range(300):
        chosen = random.Random(seed)
        assert data_format(b"".join(chosen.choices(pieces, k=60))) in {"", JSON, CSV, FEED}
