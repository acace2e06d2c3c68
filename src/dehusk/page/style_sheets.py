"""The page's own style sheets -> a key of the declarations that apply to each element.

`<style>` elements are parsed, and the declarations of rules with simple selectors are resolved for every element, as a
browser does: `tag`, `.class`, `#id` and these together (`td.price`); among them, the more specific rule wins, then the
later one, and `!important` over all. Declarations are compared as they are written, in lower case.

What a browser does beyond that is left out: selectors with combinators or pseudo-classes, at-rules (`@media`,
`@import`), sheets for other media than the screen, and inheritance. Broken sheets are parsed as far as possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Final

import numpy as np
import tinycss2
from numpy.typing import NDArray
from tinycss2.ast import Declaration, Node, QualifiedRule

from dehusk.page.page_columns import Page
from dehusk.page.tags import TAG_CODES

MOST_CHARACTERS: Final = 50_000
"""Characters read of the style sheets of a page: parsing them takes a tenth of a second."""
MOST_DECLARATIONS: Final = 64
"""Declarations that count per rule. Real rules have fewer; a long one must not cost time at every element."""
_DEEPEST: Final = 8
"""Brackets within each other in a value; deeper ones are nonsense, and writing them out would recurse."""
_SCREEN: Final = frozenset({"", "all", "screen"})

_MARKS: Final = {(".", "ident"): ".", ("hash",): "#"}
"""What a class name and an id look like among tokens, and what they begin with."""

Selector = tuple[str, str]
"""(tag or nothing, `.class` or `#id` or nothing)."""


@dataclass(frozen=True, slots=True)
class _Declared:
    """A value for a property, and what decides whether it holds; the greatest rank does."""

    rank: tuple[bool, int, int]
    """(important, specificity, position in the sheet)."""
    value: str


_Properties = Mapping[str, _Declared]


def sheet_keys(page: Page) -> NDArray[np.uint64]:
    """uint64, one entry per row: a key of its declarations in the page's own style sheets; 0 without any."""
    keys = np.zeros(len(page), dtype=np.uint64)
    rules = _rules(_sheet(page))
    if not rules:
        return keys
    ids, classes = dict(page.with_attribute("id")), dict(page.with_attribute("class"))
    key_of_rules: dict[tuple[Selector, ...], int] = {(): 0}
    for row, tag in enumerate(page.tag_names):
        chosen = tuple(name for name in _selectors_of(tag, ids.get(row), classes.get(row, "")) if name in rules)
        if chosen not in key_of_rules:
            key_of_rules[chosen] = _key(rules[name] for name in chosen)
        keys[row] = key_of_rules[chosen]
    return keys


def _sheet(page: Page) -> str:
    sheets = []
    left = MOST_CHARACTERS
    for row, text in page.embedded:
        media = {name.strip().lower() for name in page.attributes(row).get("media", "").split(",")}
        if page.tag[row] == TAG_CODES["style"] and media & _SCREEN:
            sheets.append(text[:left])
            left -= len(sheets[-1])
    return "\n".join(sheets)


def _selectors_of(tag: str, own_id: str | None, classes: str) -> Iterator[Selector]:
    """All simple selectors that match an element, in a fixed order."""
    yield tag, ""
    names = [f".{name}" for name in sorted(set(classes.split()))]
    for name in names if own_id is None else [*names, f"#{own_id}"]:
        yield "", name
        yield tag, name


@lru_cache(maxsize=16)  # pages of a site share their sheets
def _rules(sheet: str) -> Mapping[Selector, _Properties]:
    """What each simple selector declares."""
    rules: dict[Selector, dict[str, _Declared]] = {}
    for position, rule in enumerate(tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)):
        if not isinstance(rule, QualifiedRule):
            continue
        declarations = _declarations(rule)
        for selector in _simple_selectors(rule.prelude):
            properties = rules.setdefault(selector, {})
            for declaration, value in declarations:
                rank = (bool(declaration.important), _specificity(selector), position)
                if len(properties) < MOST_DECLARATIONS or declaration.lower_name in properties:
                    _declare(properties, declaration.lower_name, _Declared(rank, value))
    return {selector: properties for selector, properties in rules.items() if properties}


def _declarations(rule: QualifiedRule) -> list[tuple[Declaration, str]]:
    """The declarations of a rule with their values, written out."""
    found = tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
    declarations = [part for part in found if isinstance(part, Declaration) and _is_shallow(part.value, _DEEPEST)]
    declarations = declarations[:MOST_DECLARATIONS]
    values = (" ".join(str(tinycss2.serialize(part.value)).lower().split()) for part in declarations)
    return list(zip(declarations, values, strict=True))


def _is_shallow(tokens: Sequence[Node], levels: int) -> bool:
    inner = [token.arguments if token.type == "function" else getattr(token, "content", ()) for token in tokens]
    return not any(inner) or (levels > 0 and all(_is_shallow(part or (), levels - 1) for part in inner))


def _simple_selectors(prelude: Sequence[Node]) -> Iterator[Selector]:
    """The selectors of a rule, one after each comma, as far as they are simple."""
    part: list[Node] = []
    for token in [*prelude, None]:
        if token is None or token == ",":
            selector = _simple(part)
            if selector is not None:
                yield selector
            part = []
        elif token.type != "comment":
            part.append(token)


def _simple(tokens: list[Node]) -> Selector | None:
    """The selector that these tokens are; None if it is not simple."""
    while tokens and tokens[-1].type == "whitespace":
        tokens = tokens[:-1]
    while tokens and tokens[0].type == "whitespace":
        tokens = tokens[1:]
    has_tag = bool(tokens) and tokens[0].type == "ident"
    tag, rest = (str(tokens[0].lower_value), tokens[1:]) if has_tag else ("", tokens)
    mark = _MARKS.get(tuple("." if token == "." else str(token.type) for token in rest))
    return (tag, mark + str(rest[-1].value)) if mark else (tag, "") if has_tag and not rest else None


def _specificity(selector: Selector) -> int:
    tag, name = selector
    return {"": 0, ".": 2, "#": 4}[name[:1]] + bool(tag)


def _declare(properties: dict[str, _Declared], name: str, declared: _Declared) -> None:
    if name not in properties or properties[name].rank <= declared.rank:
        properties[name] = declared


def _key(matching: Iterable[_Properties]) -> int:
    """The key of the resolved declarations if all of these match."""
    holds: dict[str, _Declared] = {}
    for properties in matching:
        for name, declared in properties.items():
            _declare(holds, name, declared)
    written = "\0".join(sorted(f"{name}={declared.value}" for name, declared in holds.items()))
    return int.from_bytes(blake2b(written.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
