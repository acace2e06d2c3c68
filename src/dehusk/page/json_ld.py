"""JSON-LD scripts -> nodes, with a lenient parser.

Hand-written templates leave trailing commas, line breaks in strings, comments around everything, several objects in a
row. Scripts that still cannot be parsed after a few repairs are ignored: metadata has other sources.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from dehusk.page.page_columns import Page
from dehusk.page.tags import TAG_CODES

Node = dict[str, Any]
"""A schema.org object: property -> str, Node or a list of these, or anything else that people write."""

_LONGEST_SCRIPT: Final = 1_000_000
"""Characters of one script. The longest on 6,700 labelled pages has 0.2 million."""
_LONGEST_IN_ALL: Final = 4_000_000
MOST_NODES: Final = 5000
"""Nodes of a page. Lists of a shop's articles have hundreds."""

_AROUND = re.compile(r"\A\s*(?:(?://|/\*)?\s*(?:<!--|<!\[CDATA\[)\s*(?:\*/|//)?|/\*.{0,100}?\*/)", re.DOTALL)
_BETWEEN: Final = " \t\r\n\f\v;,\ufeff"
_TRAILING_COMMA = re.compile(r",\s*(?=[}\]])")
_MISSING_COMMA = re.compile(r'(["}\]])(?=[ \t\r]*\n\s*")')
_COMMENT_LINE = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
_REPAIRS: Final[tuple[Callable[[str], str], ...]] = (
    lambda text: _TRAILING_COMMA.sub("", text),
    lambda text: _COMMENT_LINE.sub("", text),
    lambda text: _MISSING_COMMA.sub(r"\1,", text),
    html.unescape,
)
"""Applied one after the other until the whole script can be parsed."""
_DECODER: Final = json.JSONDecoder(strict=False, parse_int=float)
"""Numbers are not used; as int, one of a million digits would make the whole script fail."""
_LEADING_TO_NODES: Final = ("@graph", "mainEntity", "mainEntityOfPage", "isPartOf")


def json_ld_nodes(page: Page) -> list[Node]:
    """The nodes of all JSON-LD scripts, in document order."""
    left = _LONGEST_IN_ALL
    nodes: list[Node] = []
    for row, script in page.embedded:
        if page.tag[row] == TAG_CODES["script"] and len(script) <= min(_LONGEST_SCRIPT, left):
            left -= len(script)
            nodes += _nodes_in(read_script(script), MOST_NODES - len(nodes))
    return nodes


def read_script(script: str) -> list[Any]:
    """The JSON values in a script, repaired if need be."""
    text = _AROUND.sub("", script, count=1)
    values, complete = _values_in(text)
    for repair in _REPAIRS:
        if complete:
            break
        text = repair(text)
        repaired, complete = _values_in(text)
        values = repaired or values
    return values


def _values_in(text: str) -> tuple[list[Any], bool]:
    """The values one after the other, and whether all of the text could be read."""
    values: list[Any] = []
    position = _next_value(text, 0)
    while position < len(text) and text[position] in '{["':
        try:
            value, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            return values, False
        values.append(value)
        position = _next_value(text, position)
    # What is left is the end of a comment.
    return values, bool(values)


def _next_value(text: str, position: int) -> int:
    while position < len(text) and text[position] in _BETWEEN:
        position += 1
    return position


def _nodes_in(values: list[Any], most: int) -> Iterator[Node]:
    """Objects at the top, in lists and graphs, and those that objects call their main entity."""
    waiting = values[::-1]
    while waiting and most > 0:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += value[:MOST_NODES][::-1]
        elif isinstance(value, dict):
            most -= 1
            yield value
            waiting += [value[key] for key in reversed(_LEADING_TO_NODES) if isinstance(value.get(key), dict | list)]
