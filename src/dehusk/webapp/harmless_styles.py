"""Style sheets of pages, made harmless: rules for the screen that load nothing, move nothing and cover nothing.

Kept are rules with declarations, also in `@media`, `@supports`, `@layer` and `@container`. Left out are all other
at-rules (`@import`, `@font-face`, ...), declarations that name an address or could load one, animations, what would
keep blocks from being pointed at, and fixed positions, by which banners cover a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

import tinycss2
from tinycss2.ast import AtRule, Declaration, FunctionBlock, QualifiedRule

MOST_CHARACTERS: Final = 500_000
"""Characters of a page's style sheets that are read: parsing them takes two seconds."""
_GROUPS: Final = frozenset({"media", "supports", "layer", "container"})
_DEEPEST_GROUP: Final = 4
_DEEPEST_VALUE: Final = 8
"""Brackets within each other; writing deeper ones out would recurse."""
_DROPPED: Final = frozenset(
    "animation transition behavior -moz-binding pointer-events user-select -webkit-user-select cursor "
    "view-transition-name will-change scroll-behavior".split()
)
_FIXED: Final = frozenset({"fixed", "sticky", "-webkit-sticky"})
_LOADING: Final = frozenset(
    "url src image image-set -webkit-image-set cross-fade -webkit-cross-fade element paint expression attr".split()
)
"""Functions whose value may be an address."""
_MEDIA: Final = re.compile(r"[\w\s:().,/<>=%-]{0,300}")


def harmless_sheet(css: str, media: str = "") -> str:
    """A style sheet with what is harmless in it; `media` is the attribute of its element."""
    if not _MEDIA.fullmatch(media):
        return ""
    cleaned = _sheet(css[:MOST_CHARACTERS])
    return f"@media {media} {{\n{cleaned}}}\n" if media.strip() and cleaned else cleaned


@lru_cache(maxsize=32)  # pages of a site share their sheets
def _sheet(css: str) -> str:
    return "".join(_rules(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True), 0))


@lru_cache(maxsize=4096)
def harmless_declarations(style: str) -> str:
    """The value of a style attribute with what is harmless in it."""
    return _declared(tinycss2.parse_blocks_contents(style[:5_000], skip_comments=True, skip_whitespace=True))


def _rules(nodes: Iterable[Any], depth: int) -> Iterator[str]:
    for node in nodes:
        if not isinstance(node, QualifiedRule | AtRule) or not _is_shallow(node.prelude):
            continue
        prelude = str(tinycss2.serialize(node.prelude)).strip()
        if isinstance(node, QualifiedRule):
            found = tinycss2.parse_blocks_contents(node.content, skip_comments=True, skip_whitespace=True)
            declared = _declared(found)
            yield f"{prelude} {{{declared}}}\n" if declared else ""
        elif node.lower_at_keyword in _GROUPS and node.content is not None and depth < _DEEPEST_GROUP:
            inside = tinycss2.parse_rule_list(node.content, skip_comments=True, skip_whitespace=True)
            content = "".join(_rules(inside, depth + 1))
            yield f"@{node.lower_at_keyword} {prelude} {{\n{content}}}\n" if content else ""


def _declared(nodes: Iterable[Any]) -> str:
    return "; ".join(
        f"{node.name}: {_value(node)}{' !important' if node.important else ''}"
        for node in nodes
        if isinstance(node, Declaration) and _is_harmless(node)
    )


def _is_harmless(declaration: Declaration) -> bool:
    name = declaration.lower_name
    if name in _DROPPED or name.startswith(("animation-", "transition-")):
        return False
    return _is_shallow(declaration.value) and not _loads(declaration.value)


def _value(declaration: Declaration) -> str:
    written = str(tinycss2.serialize(declaration.value)).strip()
    return "static" if declaration.lower_name == "position" and written.lower() in _FIXED else written


def _parts(node: Any) -> list[Any]:
    return list(getattr(node, "arguments", None) or getattr(node, "content", None) or [])


def _loads(nodes: Iterable[Any]) -> bool:
    """Whether a value names an address, at any depth."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node.type in {"url", "error"} or (isinstance(node, FunctionBlock) and node.lower_name in _LOADING):
            return True
        waiting += _parts(node)
    return False


def _is_shallow(nodes: Iterable[Any]) -> bool:
    level = list(nodes)
    for _ in range(_DEEPEST_VALUE):
        level = [part for node in level for part in _parts(node)]
        if not level:
            return True
    return False
