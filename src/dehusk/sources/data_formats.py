"""Recognise text that is data: JSON, CSV, feeds and sitemaps. As html, it gives paragraphs of quotes and commas.

The beginning decides, and strictly: what is not data from the first character to the last that is looked at is text.
"""

from __future__ import annotations

import csv
import re
from typing import Final

JSON: Final = "JSON"
CSV: Final = "CSV"
FEED: Final = "a feed or a sitemap"

_HEAD: Final = 8192
"""Bytes that are looked at."""
_NUMBER: Final = rb"-?\d[\d.eE+-]*"
_STRING: Final = rb'"(?:[^"\\\x00-\x1f]|\\.)*+"'
_CUT: Final = rb'(?:"(?:[^"\\\x00-\x1f]|\\.)*+\\?|[a-z]{1,4})?\Z'
"""What a string or a name may be like where the beginning ends."""
_JSON_TOKENS: Final = rb"(?s)[{\[](?:[\s{}\[\],:]|" + _STRING + rb"|" + _NUMBER + rb"|true\b|false\b|null\b)*+"
_JSON_START: Final = rb'\{\s*(?:"|\}\s*\Z)|\[\s*(?:[{\["\]]|-?\d[\d.]*\s*,)'

_DELIMITERS: Final = "\t;,"
_FEWEST_ROWS: Final = 3
_FEWEST_PAIRS: Final = 5
"""Rows of a table: more if they have but two cells."""
_LONGEST_NAME: Final = 60
"""Characters of the name of a column."""
_CELLS_A_SPACED: Final = 10
"""A comma in a sentence is followed by a space; of cells, one in so many may begin with one."""
_HTML_CELL: Final = re.compile(r'[\t;,]"?\s*<[!a-zA-Z]')

_BEFORE: Final = rb"(?:\s|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]{0,300}>)*+"
"""What may stand before the first element of XML."""
_FEED: Final = rb"(?is)" + _BEFORE + rb"<(?:rss|feed|rdf:rdf|urlset|sitemapindex)[\s>]"


def data_format(body: bytes) -> str:
    """Which of the formats above text is in; empty if in none."""
    head = body[:_HEAD].removeprefix(b"\xef\xbb\xbf").replace(b"\0", b"").lstrip()
    if head.startswith(b"<"):
        return FEED if re.match(_FEED, head) else ""
    is_cut = len(body) > _HEAD
    if re.match(_JSON_START, head) and re.fullmatch(_JSON_TOKENS + _CUT if is_cut else _JSON_TOKENS, head):
        return JSON
    text = head.decode("latin-1")
    return CSV if any(_is_table(text, delimiter, is_cut) for delimiter in _DELIMITERS) else ""


def _is_table(text: str, delimiter: str, is_cut: bool) -> bool:
    """Whether text is a table of cells, all rows as wide as the first, which has their names."""
    first, _, rest = text.partition("\n")
    if delimiter not in first or delimiter not in rest:
        return False
    names = [name.strip(' "\r') for name in first.split(delimiter)]
    if not all(0 < len(name) <= _LONGEST_NAME for name in names):
        return False
    if is_cut and _HTML_CELL.search(rest) and all(re.fullmatch(r"[\w.\- ]+", name) for name in names):
        return True  # a row may be longer than what is looked at
    try:
        rows = [row for row in csv.reader(text.splitlines(keepends=True), delimiter=delimiter) if row]
    except csv.Error:
        return False
    return _are_rows(rows[:-1] if is_cut else rows, delimiter)


def _are_rows(rows: list[list[str]], delimiter: str) -> bool:
    width = len(rows[0]) if rows else 0
    fewest = _FEWEST_PAIRS if width == 2 else _FEWEST_ROWS
    if len(rows) < fewest or any(len(row) != width for row in rows):
        return False
    spaced = sum(cell.startswith(" ") for row in rows for cell in row[1:])
    return delimiter == "\t" or spaced * _CELLS_A_SPACED <= len(rows) * (width - 1)
