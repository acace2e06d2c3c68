"""JSON lines -> RawPage: one object per line, with the page in one of its fields."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import BinaryIO, Final

from dehusk.errors import SourceUnreadable
from dehusk.sources.decompression import DECOMPRESSION_FAULTS, open_compressed
from dehusk.sources.field_names import find_fields, header_pairs, looks_like_html, no_html, paths_in, value_at
from dehusk.sources.source_options import Found, SourceOptions, as_paragraphs, page_of_text, too_large, unreadable

_ESCAPED: Final = 2
"""Bytes of a line per byte of its page: quotes and newlines are escaped with a backslash."""
_BESIDES: Final = 65_536
"""Bytes of a line besides the page: URLs, dates, identifiers."""
_MOST_VALUES: Final = 1_000_000
"""Values in a line. Two bytes of JSON may take a hundred of memory; records of pages have some dozen values."""
_SIGNS: Final = (b",", b"[", b"{")
"""What precedes every value but the first."""
_STRING: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_HEAD: Final = 5000
"""Characters in which markup is looked for."""
_CHUNK: Final = 1 << 20


def read_jsonl(path: str, options: SourceOptions) -> Iterator[Found]:
    """The pages of the file; a line without one is a fault."""
    with open_compressed(path) as stream:
        number = 0
        longest = _ESCAPED * options.limits.bytes + _BESIDES
        try:
            while line := stream.readline(longest + 1):
                number += 1
                label = f"{path}#line {number}"
                if len(line) > longest:
                    _skip_line(stream)
                    yield too_large(label, options.limits)
                elif not line.isspace():
                    yield _page(line, label, options)
        except DECOMPRESSION_FAULTS as error:
            yield unreadable(f"{path}#line {number + 1}", error, "what follows it is not read")


def _skip_line(stream: BinaryIO) -> None:
    while (line := stream.readline(_CHUNK)) and not line.endswith(b"\n"):
        pass


def _page(line: bytes, label: str, options: SourceOptions) -> Found:
    if _structure(line) > _MOST_VALUES:
        return SourceUnreadable(label, f"more than {_MOST_VALUES:,} values in it", "leave it out")
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        return unreadable(label, f"not JSON ({error})")
    if not isinstance(record, dict):
        return SourceUnreadable(label, "not an object", "write one per line, with the page in a field")
    try:
        fields = find_fields(paths_in(record), options, label)
    except SourceUnreadable as error:
        return error
    html = value_at(record, fields.html)
    if not isinstance(html, str):
        return SourceUnreadable(label, f"no html in its field {fields.html}", "leave it out")
    if fields.is_doubtful and not looks_like_html(html[:_HEAD].encode("utf-8", "replace")):
        return no_html(label)
    url, time, headers = (value_at(record, path) for path in (fields.url, fields.time, fields.headers))
    shown = as_paragraphs(html) if fields.is_plain else html
    page = page_of_text(shown, _text(url), label, _text(time), header_pairs(headers))
    return too_large(label, options.limits) if len(page.body) > options.limits.bytes else page


def _structure(line: bytes) -> int:
    """Roughly the number of values in a line of JSON. Most lines need no exact count, without the strings."""
    count = sum(map(line.count, _SIGNS))
    return sum(map(_STRING.sub(b"", line).count, _SIGNS)) if count > _MOST_VALUES else count


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
