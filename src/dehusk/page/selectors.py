"""CSS selectors on the columns of a page: which rows match.

cssselect2 parses the selector (CSS Selectors Level 4); matching is done here, for all rows at once, so that no page and
no selector takes more than linear time. What depends on a browser (`:hover`, `::before`) is refused, and so are
attributes that pages do not keep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from tinycss2.nth import parse_nth

from dehusk.errors import InvalidSetting, MissingExtra
from dehusk.page.page_columns import Page, RowMask, Rows
from dehusk.page.tags import ATTRIBUTE_CODES, TAG_CODES

LONGEST_SELECTOR: Final = 2000
"""Characters of a selector; those of people have some dozen."""

MOST_BRACKETS: Final = 20
"""Brackets of a selector; deeply nested ones would recurse."""

Counts = NDArray[np.int64]


def matching_rows(page: Page, selector: str) -> RowMask:
    """bool: the elements that match a selector, or one of a list of selectors."""
    rows = _Rows(page)
    try:
        return _any(page, (_matches(rows, one.parsed_tree) for one in parse_selectors(selector)))
    except _Refused as error:
        raise InvalidSetting(f"selector {selector!r}", str(error), "write it without") from error


@lru_cache(maxsize=64)
def parse_selectors(selector: str) -> Sequence[Any]:
    """The parsed selectors of a list; raises `InvalidSetting` for what is none."""
    try:
        from cssselect2 import parser
    except ImportError as error:
        raise MissingExtra("cssselect2", "needed for CSS selectors", "pip install 'dehusk[selectors]'") from error
    subject = f"selector {selector[:80]!r}"
    if len(selector) > LONGEST_SELECTOR:
        raise InvalidSetting(subject, f"more than {LONGEST_SELECTOR:,} characters", "write several")
    if selector.count("(") > MOST_BRACKETS:
        raise InvalidSetting(subject, f"more than {MOST_BRACKETS} brackets", "write several")
    try:
        parsed = tuple(parser.parse(selector))
    except ValueError as error:
        raise InvalidSetting(subject, f"not a CSS selector ({error})", "write one such as aside.related") from error
    if any(one.pseudo_element for one in parsed):
        raise InvalidSetting(subject, "pseudo-elements are not elements", "write it without")
    return parsed


class _Refused(ValueError):
    """A part of a selector that pages cannot answer."""


@dataclass(frozen=True, eq=False)
class _Rows:
    """The rows of a page with what selectors ask for."""

    page: Page

    @cached_property
    def elements(self) -> RowMask:
        """bool: rows that are elements."""
        return ~self.page.is_text

    @cached_property
    def siblings(self) -> _Siblings:
        """Elements with the same parent."""
        return _Siblings(np.flatnonzero(self.elements), self.page.parent)

    @cached_property
    def of_type(self) -> _Siblings:
        """Elements with the same parent and tag."""
        kinds = self.page.parent.astype(np.int64) * (int(self.page.tag.max(initial=0)) + 1) + self.page.tag
        return _Siblings(np.flatnonzero(self.elements), kinds)

    def none(self) -> RowMask:
        return np.zeros(len(self.page), dtype=bool)


@dataclass(frozen=True, eq=False)
class _Siblings:
    """Elements in groups, in document order within each."""

    elements: NDArray[np.intp]
    group_of: Rows | Counts
    """By row of the page."""

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """The elements by group, in document order within each."""
        return self.elements[np.argsort(self.group_of[self.elements], kind="stable")]

    @cached_property
    def starts(self) -> Counts:
        """By position in `order`: where its group starts."""
        groups = self.group_of[self.order]
        is_first = np.ones(len(groups), dtype=bool)
        is_first[1:] = groups[1:] != groups[:-1]
        return np.maximum.accumulate(np.where(is_first, np.arange(len(groups)), 0))

    @cached_property
    def ends(self) -> Counts:
        """By position in `order`: one past the end of its group."""
        sizes = np.bincount(self.starts, minlength=len(self.starts)) if len(self.starts) else self.starts
        return self.starts + sizes[self.starts]

    def positions(self, size: int, from_end: bool = False) -> Counts:
        """int64 by row of the page: 1 for the first element of a group, and so on; 0 for what is no element."""
        found = np.zeros(size, dtype=np.int64)
        place = np.arange(len(self.order))
        found[self.order] = self.ends - place if from_end else place - self.starts + 1
        return found

    def after(self, mask: RowMask, directly: bool) -> RowMask:
        """bool: elements that follow one of the mask in its group."""
        return self._beside(mask, directly, lambda before, place: before[place] - before[self.starts], -1)

    def before(self, mask: RowMask, directly: bool) -> RowMask:
        """bool: elements that one of the mask follows in its group."""
        return self._beside(mask, directly, lambda before, place: before[self.ends] - before[place + 1], 1)

    def _beside(self, mask: RowMask, directly: bool, counted: Callable[[Counts, Counts], Counts], step: int) -> RowMask:
        found = np.zeros(len(mask), dtype=bool)
        place = np.arange(len(self.order))
        if directly:
            other = place + step
            inside = (other >= self.starts) & (other < self.ends)
            found[self.order[inside]] = mask[self.order[other[inside]]]
        else:
            before = np.concatenate([[0], np.cumsum(mask[self.order])])
            found[self.order] = counted(before, place) > 0
        return found


def _any(page: Page, masks: Iterable[RowMask]) -> RowMask:
    found = np.zeros(len(page), dtype=bool)
    for mask in masks:
        found |= mask
    return found


def _matches(rows: _Rows, node: Any) -> RowMask:
    """bool: the elements that match a node of the parsed selector."""
    kind = type(node).__name__
    if kind not in _MATCHERS:
        raise _Refused(f"{node!r} is not supported")
    return _MATCHERS[kind](rows, node)


def _combined(rows: _Rows, node: Any) -> RowMask:
    left, right = _matches(rows, node.left), _matches(rows, node.right)
    page = rows.page
    if node.combinator in "+~":
        return right & rows.siblings.after(left, node.combinator == "+")
    above = left if node.combinator == ">" else page.covered(left) > 0
    under: RowMask = np.append(above, False)[page.parent]  # the parent of the root is -1, which is the last entry
    return right & under


def _compound(rows: _Rows, node: Any) -> RowMask:
    found = rows.elements.copy()
    for simple in node.simple_selectors:
        found &= _matches(rows, simple)
    return found


def _tag(rows: _Rows, node: Any) -> RowMask:
    page, name = rows.page, node.lower_local_name
    if name in TAG_CODES:
        return np.asarray(page.tag == TAG_CODES[name])
    codes = [len(TAG_CODES) + index for index, other in enumerate(page.other_tags) if other.lower() == name]
    return np.isin(page.tag, codes)


def _with_value(rows: _Rows, attribute: str, accepts: Callable[[str], bool]) -> RowMask:
    if attribute not in ATTRIBUTE_CODES:
        raise _Refused(f"pages keep no attribute {attribute!r}")
    found = rows.none()
    found[[row for row, value in rows.page.with_attribute(attribute) if accepts(value)]] = True
    return found


def _identifier(rows: _Rows, node: Any) -> RowMask:
    return _with_value(rows, "id", lambda value: value == node.ident)


def _class(rows: _Rows, node: Any) -> RowMask:
    return _with_value(rows, "class", lambda value: node.class_name in value.split())


_OPERATORS: Final[dict[str | None, Callable[[str, str], bool]]] = {
    None: lambda value, wanted: True,
    "=": lambda value, wanted: value == wanted,
    "~=": lambda value, wanted: wanted in value.split(),
    "|=": lambda value, wanted: value == wanted or value.startswith(f"{wanted}-"),
    "^=": lambda value, wanted: bool(wanted) and value.startswith(wanted),
    "$=": lambda value, wanted: bool(wanted) and value.endswith(wanted),
    "*=": lambda value, wanted: bool(wanted) and wanted in value,
}


def _attribute(rows: _Rows, node: Any) -> RowMask:
    compare, wanted = _OPERATORS[node.operator], node.value or ""
    if node.case_sensitive is False:
        return _with_value(rows, node.lower_name, lambda value: compare(value.lower(), wanted.lower()))
    return _with_value(rows, node.lower_name, lambda value: compare(value, wanted))


def _list(rows: _Rows, node: Any) -> RowMask:
    return _any(rows.page, (_matches(rows, one.parsed_tree) for one in node.selector_list))


def _not(rows: _Rows, node: Any) -> RowMask:
    return rows.elements & ~_list(rows, node)


def _has(rows: _Rows, node: Any) -> RowMask:
    return _any(rows.page, (_has_one(rows, relative) for relative in node.selector_list))


def _has_one(rows: _Rows, relative: Any) -> RowMask:
    tree, page = relative.selector.parsed_tree, rows.page
    if type(tree).__name__ != "CompoundSelector":
        raise _Refused("combinators within :has() are not supported")
    inner = _matches(rows, tree)
    if relative.combinator in "+~":
        return rows.siblings.before(inner, relative.combinator == "+")
    if relative.combinator == ">":
        return np.asarray(np.bincount(page.parent[inner & (page.parent >= 0)], minlength=len(page)) > 0)
    before: Counts = np.concatenate([[0], np.cumsum(inner)])
    return np.asarray(rows.elements & (before[page.subtree_end] - before[1:] > 0))


def _nth(rows: _Rows, step: int, first: int, of_type: bool, from_end: bool) -> RowMask:
    siblings = rows.of_type if of_type else rows.siblings
    offset = siblings.positions(len(rows.page), from_end) - first
    chosen = offset == 0 if step == 0 else (offset % step == 0) & (offset // step >= 0)
    return np.asarray(rows.elements & chosen)


def _only(rows: _Rows, of_type: bool) -> RowMask:
    return _nth(rows, 0, 1, of_type, False) & _nth(rows, 0, 1, of_type, True)


_PSEUDO_CLASSES: Final[dict[str, Callable[[_Rows], RowMask]]] = {
    "root": lambda rows: rows.page.parent < 0,
    "empty": lambda rows: rows.elements & (rows.page.subtree_end == np.arange(len(rows.page)) + 1),
    "first-child": lambda rows: _nth(rows, 0, 1, False, False),
    "last-child": lambda rows: _nth(rows, 0, 1, False, True),
    "only-child": lambda rows: _only(rows, False),
    "first-of-type": lambda rows: _nth(rows, 0, 1, True, False),
    "last-of-type": lambda rows: _nth(rows, 0, 1, True, True),
    "only-of-type": lambda rows: _only(rows, True),
}
_NTH: Final = {
    "nth-child": (False, False),
    "nth-last-child": (False, True),
    "nth-of-type": (True, False),
    "nth-last-of-type": (True, True),
}
"""Name -> whether only elements of the same tag count, and whether from the end."""


def _pseudo_class(rows: _Rows, node: Any) -> RowMask:
    if node.name not in _PSEUDO_CLASSES:
        raise _Refused(f":{node.name} is not supported")
    return _PSEUDO_CLASSES[node.name](rows)


def _functional(rows: _Rows, node: Any) -> RowMask:
    parsed = parse_nth(node.arguments) if node.name in _NTH else None
    if parsed is None:
        raise _Refused(f":{node.name}() is not supported, or not with these arguments")
    (step, first), (of_type, from_end) = parsed, _NTH[node.name]
    return _nth(rows, step, first, of_type, from_end)


_MATCHERS: Final[dict[str, Callable[[_Rows, Any], RowMask]]] = {
    "CombinedSelector": _combined,
    "CompoundSelector": _compound,
    "LocalNameSelector": _tag,
    "IDSelector": _identifier,
    "ClassSelector": _class,
    "AttributeSelector": _attribute,
    "MatchesAnySelector": _list,
    "SpecificityAdjustmentSelector": _list,
    "NegationSelector": _not,
    "RelationalSelector": _has,
    "PseudoClassSelector": _pseudo_class,
    "FunctionalPseudoClassSelector": _functional,
}
