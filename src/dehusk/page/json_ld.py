"""JSON-LD scripts -> nodes, with a lenient parser; and text in them that the page does not show.

Hand-written templates leave trailing commas, line breaks in strings, comments around everything, several objects in a
row. Scripts that still cannot be parsed after a few repairs are ignored: metadata has other sources.

Pages rendered by script or behind a paywall often still hold their text for search engines, as the body of an article
or the description of a product in JSON-LD. Text there that the page does not show is added to the page.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from dehusk.native.calculations import Question, ask
from dehusk.page.characters import as_utf8, encodable
from dehusk.page.page_columns import Page, derived

Node = dict[str, Any]
"""A schema.org object: property -> str, Node or a list of these, or anything else that people write."""

_SCRIPTS: Final = 7
"""What the compiled part is asked for: its number in `native/src/derived_exchange.rs`."""
_LONGEST_SCRIPT: Final = 1_000_000
"""Characters of one script. The longest on 6,700 labelled pages has 0.2 million."""
_LONGEST_IN_ALL: Final = 4_000_000
_MOST_NODES: Final = 5000
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
    """The nodes of all JSON-LD scripts of a page, in document order."""
    return nodes_in_scripts(derived(page, _SCRIPTS).texts(0))


def nodes_in_scripts(scripts: Iterable[str]) -> list[Node]:
    """The nodes of these scripts."""
    left = _LONGEST_IN_ALL
    nodes: list[Node] = []
    for script in scripts:
        if len(script) <= min(_LONGEST_SCRIPT, left):
            left -= len(script)
            nodes += _nodes_in(read_script(script), _MOST_NODES - len(nodes))
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
            waiting += value[:_MOST_NODES][::-1]
        elif isinstance(value, dict):
            most -= 1
            yield value
            waiting += [value[key] for key in reversed(_LEADING_TO_NODES) if isinstance(value.get(key), dict | list)]


_MOST_STORED: Final = 400_000
"""Characters: a long book."""
_MOST_SHOWN: Final = 1_000_000
"""Bytes of a page beyond which nothing is searched: each sentence is looked for in all of them."""

_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_LINE_END = re.compile(r"[\n\r\v\f\u2028\u2029]+")


def unshown_paragraphs(page: Page) -> list[str]:
    """The JSON-LD text that the page does not show, if that is most of it; empty for nearly all pages."""
    stored = max(_stored_texts(page), key=len, default="")
    if not stored or len(stored) > _MOST_STORED or page.native.length(0) > _MOST_SHOWN:
        return []
    # Twice: templates escape what was escaped before.
    lines = _LINE_END.sub("\n", _TAG.sub("\n", html.unescape(html.unescape(stored))))
    return ask(Question.UNSHOWN_TEXT, [as_utf8(lines)], page.native, subject=page.label).texts(0)


def _stored_texts(page: Page) -> Iterator[str]:
    """Bodies of articles and descriptions of products."""
    if not page.may_store_text:
        return
    for node in json_ld_nodes(page):
        for text in (node.get("articleBody"), node.get("description") if _is_product(node) else None):
            if isinstance(text, str):
                yield encodable(text).replace("\0", "")


def _is_product(node: Node) -> bool:
    types = node.get("@type")
    return any(str(one).rpartition("/")[2] == "Product" for one in (types if isinstance(types, list) else [types]))
