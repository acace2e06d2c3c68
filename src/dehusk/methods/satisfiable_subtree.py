"""Satisfiable sub-trees: content is where long texts with few links stand together. Learns nothing.

Qi & Sun, "Eliminating Noisy Information in Webpage through Heuristic Rules".

The idea: a text of at least `alpha` characters nominates its ancestor of generation G. The sub-tree of that ancestor is
*satisfiable* if all its texts together have at least `beta` characters and link texts are at most the share `gamma` of
them. Content is what lies in satisfiable sub-trees; of nested ones only the outermost counts.

Readings:
* Generation G is exact: with G = 2 the text of `<div><p>text` nominates the `<div>`, as in the paper's figure 2. A text
  so high that its ancestor would lie above BODY nominates BODY (the paper's walk starts there).
* The filtering step is done in advance: a Page holds no script, style or comment, and hidden text counts as nothing.
* LENGTH counts characters, of any script alike, without the white space around a text (the paper trims). The published
  values were found on Chinese portals, where a character is worth most of a word, so we tried counting letters of
  other scripts less, down to a third. On our gold sets that gained nothing, so a character is a character.
* The paper discards the headline ("node L1") and points to the title tag, whose text is often the same. We keep the
  heading whose text the title repeats, or the title itself where no heading does.
* A block counts as content by the share of its text that lies in satisfiable sub-trees; more than half keeps it.

Time is linear in the number of nodes and characters: both sums are differences of prefix sums.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.arguments import checked
from dehusk.blocks.block_columns import Blocks, Kind
from dehusk.methods.base import Reasons, Scores, check_range
from dehusk.page.characters import words_of
from dehusk.page.page_columns import Page, RowMask, Rows
from dehusk.page.tags import TAG_CODES, TagSet

_LONGEST_NAME: Final = 40
"""Characters shown of a tag name: a hostile one is not repeated for every block."""
_SAME_TITLE: Final = 0.8
"""Share of a heading's words that the title must repeat; titles often add the name of the site."""


@checked
@dataclass(frozen=True, slots=True)
class SatisfiableSubtree:
    """Sub-trees with enough text and few links, a rule on one page. Settings, with the values the paper found best:

    Arguments:
        generation: G: how many generations above a text its sub-tree is rooted.
        alpha: length a text needs to nominate a sub-tree.
        beta: length all texts of the sub-tree need together.
        gamma: largest share of link text in it.

    >>> dehusk.clean("<p>" + "Steep the leaves. " * 9, dehusk.SatisfiableSubtree(gamma=0.5).fit()).text[:5]
    'Steep'
    """

    name: ClassVar[str] = "satisfiable-subtree"
    learns: ClassVar[bool] = False

    generation: int = 2
    alpha: float = 40
    beta: float = 100
    gamma: float = 0.3

    def __post_init__(self) -> None:
        check_range(self, 1, 100, "generation")
        check_range(self, 0, float("inf"), "alpha", "beta")
        check_range(self, 0, 1, "gamma")

    def fit(self, pages: Iterable[Page] = ()) -> SatisfiableSubtreeModel:
        """There is nothing to learn: pages are ignored."""
        return SatisfiableSubtreeModel(self)


@dataclass(frozen=True, slots=True)
class SatisfiableSubtreeModel:
    """The settings, ready to score."""

    settings: SatisfiableSubtree
    threshold: float = 0.5

    @property
    def method(self) -> str:
        return self.settings.name

    def score_blocks(self, blocks: Blocks) -> Scores:
        """Share of each block's text that lies in satisfiable sub-trees; 1 for the recovered title."""
        measured = _measure(blocks.page, self.settings)
        return _scores(blocks, measured, _recovered_title(blocks, measured))

    def explain_blocks(self, blocks: Blocks) -> Reasons:
        """Names the sub-tree, or the condition that the closest candidate failed."""
        measured = _measure(blocks.page, self.settings)
        title = _recovered_title(blocks, measured)
        inside = blocks.page.climb(blocks.first_row, measured.satisfiable).tolist()
        return tuple(
            ("repeats the page title",) if index == title else (_reason(blocks, index, row, measured, self.settings),)
            for index, row in enumerate(inside)
        )


@dataclass(frozen=True, slots=True)
class _Measured:
    """A page measured by the settings, one entry a row."""

    length: NDArray[np.float64]
    """LENGTH of each visible text in BODY; 0 elsewhere."""
    text: NDArray[np.float64]
    """SL_text of each sub-tree."""
    anchor: NDArray[np.float64]
    """SL_anchor of each sub-tree."""
    root: Rows
    """The ancestor of generation G of each row, not above BODY."""
    satisfiable: RowMask
    content: RowMask
    """Rows inside a satisfiable sub-tree."""


def _measure(page: Page, settings: SatisfiableSubtree) -> _Measured:
    in_body = page.covered(page.tag == TAG_CODES["body"]) > 0
    length = np.where(~page.hidden & in_body, page.text_length, 0).astype(np.float64)
    in_link = page.covered(page.tagged(TagSet.LINK)) > 0
    text = page.subtree_sums(length)
    anchor = page.subtree_sums(np.where(in_link, length, 0))
    root = _ancestors(page, settings.generation)
    satisfiable = np.zeros(len(page), dtype=bool)
    satisfiable[root[length >= max(settings.alpha, 1e-9)]] = True
    satisfiable &= (text >= settings.beta) & (anchor <= settings.gamma * text)
    return _Measured(length, text, anchor, root, satisfiable, page.covered(satisfiable) > 0)


def _ancestors(page: Page, generation: int) -> Rows:
    """int32: the ancestor so many generations up, or BODY (for rows outside of it, the root) if that is higher."""
    top = (page.tag == TAG_CODES["body"]) | (page.parent < 0)
    row = np.arange(len(page), dtype=np.int32)
    for _ in range(generation):
        row = np.where(top[row], row, page.parent[row])
    return row


def _scores(blocks: Blocks, measured: _Measured, title: int | None) -> Scores:
    """Lengths are summed over the rows of each block that share its visibility; hidden ones have none."""
    before = np.concatenate(([0.0], np.cumsum(measured.length)))
    covered_before = np.concatenate(([0.0], np.cumsum(np.where(measured.content, measured.length, 0.0))))
    whole = before[blocks.last_row + 1] - before[blocks.first_row]
    covered = covered_before[blocks.last_row + 1] - covered_before[blocks.first_row]
    share: Scores = np.zeros(len(blocks), dtype=np.float32)
    np.divide(covered, whole, out=share, where=(whole > 0) & ~blocks.hidden, casting="same_kind")
    if title is not None:
        share[title] = 1
    return share


def _recovered_title(blocks: Blocks, measured: _Measured) -> int | None:
    """The block with the headline: the first heading that repeats the title, else the title; none without content."""
    titles = np.flatnonzero(blocks.kind == Kind.TITLE)
    if not len(titles) or not measured.satisfiable.any():
        return None
    title = int(titles[0])
    words = set(words_of(blocks.texts[title]))
    for index in np.flatnonzero((blocks.kind == Kind.HEADING) & ~blocks.hidden).tolist():
        heading = set(words_of(blocks.texts[index]))
        if heading and len(heading & words) >= _SAME_TITLE * len(heading) and len(heading) * 3 >= len(words):
            return index
    return title


def _reason(blocks: Blocks, index: int, inside: int, measured: _Measured, settings: SatisfiableSubtree) -> str:
    """Why a block is content or not; `inside` is the row of the closest satisfiable sub-tree around it, or -1."""
    page, row = blocks.page, int(blocks.first_row[index])
    if blocks.hidden[index]:
        return "hidden text is filtered out"
    if measured.length[row] == 0:
        return "outside the body"
    if inside >= 0:
        return f"in a satisfiable sub-tree: {_described(page, inside, measured)}"
    root = int(measured.root[row])
    described = _described(page, root, measured)
    if measured.text[root] < settings.beta:
        return f"its sub-tree is shorter than {settings.beta:g}: {described}"
    if measured.anchor[root] > settings.gamma * measured.text[root]:
        return f"its sub-tree has more than {settings.gamma:.0%} link text: {described}"
    return f"no text of {settings.alpha:g} characters nominates its sub-tree: {described}"


def _described(page: Page, row: int, measured: _Measured) -> str:
    share = measured.anchor[row] / measured.text[row] if measured.text[row] else 0.0
    name = page.tag_name(row)[:_LONGEST_NAME]
    return f"<{name}>, length {measured.text[row]:,.0f}, {share:.0%} in links"
