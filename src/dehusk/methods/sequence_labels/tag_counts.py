"""Tags around and before each text run, for all text runs at once.

Every start and end tag falls into a gap between two text runs (or before the first). Counting tags by gap and kind
answers both questions: what was opened and not yet closed is around a text run; what was opened or closed since the
previous text run separates the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.sequence_labels.text_runs import TextRuns
from dehusk.page.tags import MEMBERS, TAG_CODES, TAGS, TEXT, TagSet

_VOID: Final = frozenset("area br col embed frame hr img input param source track wbr".split())
"""Void elements: they have a start tag but no end tag."""
_NEITHER: Final = frozenset("br area param source track head title base link meta script style template".split())
"""Neither inline nor block for `split.class-*`: elements that never contain text, and `<br>`, which separates text like
a block without being one and has a count of its own."""

TAGS_OF_SET: Final = {
    "p": frozenset({"p"}),
    "a": frozenset({"a"}),
    "u": frozenset({"u"}),
    "li": frozenset({"li"}),
    "br": frozenset({"br"}),
    "hr": frozenset({"hr"}),
    "class-header": MEMBERS[TagSet.HEADING],
    "class-bold": frozenset({"b", "strong"}),
    "class-italic": frozenset("i em cite dfn var".split()),
    "class-list": MEMBERS[TagSet.LIST] | frozenset({"li", "dt", "dd"}),
    "class-form": frozenset("form fieldset legend label button select optgroup option textarea input".split()),
    "class-block": MEMBERS[TagSet.BLOCK] - _NEITHER,
    "class-inline": frozenset(TAGS) - MEMBERS[TagSet.BLOCK] - _NEITHER - {TEXT},
}
"""Elements, and classes of similar elements, whose tags are counted. The paper names the classes but not their
members. Tags outside `TAGS` are inline."""

_SETS: Final = {name: position for position, name in enumerate(TAGS_OF_SET)}


def _kinds_of_tags() -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.bool_]]:
    """The kind of each tag code, the sets each kind is in, and which kinds are void.

    Tags in the same sets form one kind and are counted together.
    """
    profiles = [
        (*(name in tags for tags in TAGS_OF_SET.values()), name in _VOID) for name in (*TAGS, "a tag outside the table")
    ]
    outside = [name == "class-inline" for name in TAGS_OF_SET]
    profiles[-1] = (*outside, False)
    kinds = {profile: kind for kind, profile in enumerate(dict.fromkeys(profiles))}
    members = np.array(list(kinds), dtype=bool)
    codes = np.array([kinds[profile] for profile in profiles], dtype=np.int64)
    return codes, members[:, :-1].astype(np.float64), members[:, -1]


_KIND_OF_CODE, _SETS_OF_KIND, _IS_VOID = _kinds_of_tags()


@dataclass(frozen=True, eq=False)
class TagCounts:
    """Tag counts, one entry per text run."""

    runs: TextRuns

    def around(self, tags: str) -> NDArray[np.float64]:
        """float64: the number of elements of a set of `TAGS_OF_SET` around each text run."""
        return self._around[:, _SETS[tags]]

    def before(self, tags: str) -> NDArray[np.float64]:
        """float64: the number of start and end tags of a set between each text run and the previous one."""
        return self._before[:, _SETS[tags]]

    @cached_property
    def beside_image(self) -> NDArray[np.bool_]:
        """bool: the parent element of the text run also contains an image."""
        page = self.runs.blocks.page
        holds_image = np.zeros(len(page) + 1, dtype=bool)  # one more: text without a parent looks up -1
        holds_image[page.parent[page.tag == TAG_CODES["img"]]] = True
        return holds_image[page.parent[self.runs.row]]

    @cached_property
    def _before(self) -> NDArray[np.float64]:
        opened, closed = self._by_gap
        return (opened + closed) @ _SETS_OF_KIND

    @cached_property
    def _around(self) -> NDArray[np.float64]:
        opened, closed = self._by_gap
        return np.cumsum(opened - closed, axis=0, dtype=np.float64) @ _SETS_OF_KIND

    @cached_property
    def _by_gap(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """int64, runs x kinds: start and end tags in the gap before each text run; void elements count once."""
        page = self.runs.blocks.page
        # Hidden parts are removed before counting: the paper's "precleaning".
        elements = np.flatnonzero(~page.is_text & ~page.hidden)
        kind = _KIND_OF_CODE[np.minimum(page.tag[elements], len(TAGS))]
        is_closed = ~_IS_VOID[kind]
        ends = page.subtree_end[elements[is_closed]]
        return self._count(elements, kind), self._count(ends, kind[is_closed])

    def _count(self, rows: NDArray[np.integer], kind: NDArray[np.int64]) -> NDArray[np.int64]:
        """int64, runs x kinds: how many of the tags at these rows are in the gap before each text run."""
        gap = np.searchsorted(self.runs.row, rows)
        shape = (len(self.runs) + 1, len(_SETS_OF_KIND))  # the last gap follows the last text run
        return np.bincount(gap * shape[1] + kind, minlength=shape[0] * shape[1]).reshape(shape)[:-1]
