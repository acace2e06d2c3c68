"""Pagelet templates: a part of a page whose text another page of the site also has is template.

Bar-Yossef & Rajagopalan, "Template Detection via Data Mining and its Applications", WWW 2002, in the local variant that
Yi, Liu & Li (KDD 2003, section 4.2) compare the site style tree with.

The idea: links show where one topic of a page ends and the next begins. An element is a *pagelet* if (1) none of its
children contains `links` hyperlinks or more and (2) none of its ancestors is a pagelet. Every pagelet is reduced to a
*shingle*, a fingerprint that small changes of the text mostly do not change; pagelets with the same one are a template.

Readings:
* The tree is the visible part of BODY, without hidden elements, their text and their links. A hyperlink is `<a>` or
  `<area>` with an address; an anchor without one leads nowhere.
* A child that is a link itself contains it. A BODY whose children all have fewer is one pagelet.
* Children of a divided element are divided or pagelets, however small: the `<b>` beside a link-rich `<span>` is one.
  Text directly in a divided element is not an element and belongs to no pagelet: the model has no opinion (NaN), and it
  is kept. The same goes for pagelets without words.
* A shingle is the smallest hash over all windows of `shingle_words` words (Broder 1997), so two pagelets agree with the
  probability of their resemblance: the share of windows they have in common. The comparison leaves open how many words
  make a window and how many hashes a fingerprint; see the settings.
* "A group of no less than 2 pagelets" is read as pagelets on two *pages*: what a page repeats within itself (a refrain,
  "read more") is no sign of a template, and a site of one page has no templates.
* The papers clean the pages that they learnt from; here any page can be cleaned, and a model does not know whether it
  has seen it. Only learnt pages count, so for an unseen page two others must have the pagelet, not one.
* A page learnt twice under two addresses turns all of its text into templates. Counts that add up cannot undo that:
  learn from distinct pages.
* The score of a block that spans several pagelets is the share of its text that is not in templates.

Time is linear in the number of nodes and words.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.errors import InvalidSetting
from dehusk.methods.base import Reasons, Scores
from dehusk.methods.corrections import NO_CORRECTIONS, Corrections
from dehusk.methods.site_models import Arrays, CountedSite, CountTables, add_counts
from dehusk.methods.tallies import Tally, count_once, counts_of
from dehusk.page.characters import words_of_each
from dehusk.page.page_columns import Page, RowMask, Rows
from dehusk.page.stable_hashing import Keys, combine, keys_of
from dehusk.page.tags import TAG_CODES, TagSet

MOST_FINGERPRINTS: Final = 400_000
"""Fingerprints kept for a site: 6 MB. Two hundred pages have about ten thousand. Beyond that a sample by hash is kept;
templates outside the sample go unnoticed."""


@dataclass(frozen=True, slots=True)
class PageletTemplates:
    """Parts of pages that other pages of the site have. Settings, with the published values where there are any:

    Arguments:
        links: k: an element with a child of at least this many hyperlinks is divided. Both papers use 3.
        shingle_words: words per window, as in Broder's clustering of the web (1997). A shorter text is one window.
        hashes: minimum hashes per fingerprint: all must agree, so more of them tolerate fewer changes. With one, a
            sentence on all pages turns the long texts around it into templates whenever its hash happens to be
            small.
        fewest_pages: least number of learnt pages with a pagelet that make it a template.

    >>> html = "<ul><li><a href=/>Home</a><li><a href=/tea>Teas</a></ul><h1>Tea {0}</h1><p>" + "Number {0} is it. " * 9
    >>> site = dehusk.PageletTemplates().fit(dehusk.read_page(html.format(number)) for number in range(5))
    >>> site.method, "Number 9" in dehusk.clean(html.format(9), site).text
    ('pagelet-templates', True)
    """

    name: ClassVar[str] = "pagelet-templates"
    learns: ClassVar[bool] = True

    links: int = 3
    shingle_words: int = 10
    hashes: int = 2
    fewest_pages: int = 2

    def __post_init__(self) -> None:
        for setting, least, most in _RANGES:
            value = getattr(self, setting)
            if not isinstance(value, int) or not least <= value <= most:
                cause = f"{value!r} is not a whole number from {least:,} to {most:,}"
                raise InvalidSetting(setting, cause, "see PageletTemplates")

    def fit(self, pages: Iterable[Page] = ()) -> PageletTemplatesModel:
        """Learn from pages of one site, in any order."""
        # Counts of a page are small, pages are not: they may come one at a time.
        parts = [PageletCounts(1, count_once(find_pagelets(page, self).fingerprint)) for page in pages]
        return PageletTemplatesModel(self, add_counts([PageletCounts.of_no_pages(), *parts]))

    def fit_blocks(self, pages: Iterable[Blocks]) -> PageletTemplatesModel:
        """Learn from pages that are segmented already."""
        return self.fit(page.page for page in pages)


_RANGES: Final = (
    ("links", 1, 1_000_000),
    ("shingle_words", 1, 100),  # time per page grows with this
    ("hashes", 1, 100),
    ("fewest_pages", 2, 1_000_000),
)


@dataclass(frozen=True)
class PageletCounts(CountTables):
    """The number of pages with each pagelet of a site."""

    shapes: ClassVar = {"fingerprints": (1, 1)}
    largest: ClassVar = {"fingerprints": MOST_FINGERPRINTS}

    fingerprints: Tally
    """(fingerprint) -> pages with it."""

    def as_arrays(self) -> Arrays:
        # Fingerprints on one page are saved as well: pages learnt later may turn them into templates.
        return {"fingerprints": self.fingerprints.keys[:, 0], "pages": self.fingerprints.counts[:, 0]}

    @classmethod
    def from_arrays(cls, pages: int, arrays: Arrays) -> Self:
        keys, counts = arrays["fingerprints"], arrays["pages"]
        if keys.dtype != np.uint64 or counts.dtype != np.int64:
            raise ValueError("fingerprints or pages: wrong type")
        if keys.ndim != 1 or keys.shape != counts.shape:
            raise ValueError("fingerprints or pages: wrong shape")
        total = add_counts([cls.of_no_pages(), cls(pages, Tally(keys[:, None], counts[:, None]))])
        if len(total.fingerprints) != len(keys) or counts.min(initial=1) < 1 or pages < counts.max(initial=0):
            raise ValueError("page counts are impossible")
        return total


@dataclass(frozen=True, eq=False)
class PageletTemplatesModel(CountedSite[PageletTemplates, PageletCounts]):
    """The pagelets of a site, and which of them are templates."""

    settings_class = PageletTemplates
    counts_class = PageletCounts
    holds = "pagelet templates"
    threshold: ClassVar[float] = 0.5
    """At least half of a block must be outside templates."""

    settings: PageletTemplates
    counts: PageletCounts
    corrections: Corrections = NO_CORRECTIONS

    @property
    def fingerprints(self) -> Tally:
        return self.counts.fingerprints

    @property
    def knows_a_template(self) -> bool:
        """Whether any pagelet is on enough pages."""
        return bool((self.fingerprints.counts >= self.settings.fewest_pages).any())

    def match(self, page: Page) -> float:
        """From 0 to 1: the number of the page's templates divided by the mean of the learnt pages.

        Usually about 1 for a page of the site and 0 for a page of another. Always 0 for a model without templates.
        """
        fewest, counts = self.settings.fewest_pages, self.fingerprints.counts[:, 0]
        usual = int(counts[counts >= fewest].sum()) / max(self.pages, 1)
        found = find_pagelets(page, self.settings)
        templates = int((self._pages_with(np.unique(found.fingerprint)) >= fewest).sum())
        return min(1.0, templates / usual) if usual else 0.0

    def score_blocks(self, blocks: Blocks) -> Scores:
        """The share of each block's text outside templates; NaN if none of it can be compared."""
        return self._judge(blocks).scores

    def explain_blocks(self, blocks: Blocks) -> Reasons:
        """The number of learnt pages with the pagelet."""
        judged = self._judge(blocks)
        columns = (judged.scores.tolist(), judged.pages.tolist(), blocks.hidden.tolist())
        return tuple((self._reason(*of_block),) for of_block in zip(*columns, strict=True))

    def _reason(self, score: float, pages: int, hidden: bool) -> str:
        if hidden:
            return "hidden text is not in a pagelet"
        if np.isnan(score):
            return "not in a pagelet with words: nothing to compare"
        if pages < 0:
            return f"{1 - score:.0%} of its text is in template pagelets"
        if not pages:
            return f"none of {self.pages} pages has this pagelet's text"
        return f"this pagelet's text is on {pages} of {self.pages} pages"

    def _judge(self, blocks: Blocks) -> _Judged:
        page = blocks.page
        found = find_pagelets(page, self.settings)
        pages = found.spread(self._pages_with(found.fingerprint))
        length = np.where(page.hidden, 0, page.text_length)
        whole = _block_sums(blocks, length)
        template = _block_sums(blocks, np.where(pages >= self.settings.fewest_pages, length, 0))
        comparable = _block_sums(blocks, np.where(pages >= 0, length, 0)) > 0
        scores = np.where(comparable, 1 - template / np.maximum(whole, 1), np.nan)
        scores[blocks.hidden] = 0.0
        # A pagelet is a subtree: if it contains the first and the last row of a block, it contains all of it.
        in_one = found.pagelet[blocks.first_row] == found.pagelet[blocks.last_row]
        return _Judged(scores.astype(np.float32), np.where(in_one, pages[blocks.first_row], -1))

    def _pages_with(self, fingerprints: Keys) -> NDArray[np.int64]:
        """int64: learnt pages with a pagelet of each fingerprint."""
        return counts_of(self.fingerprints, fingerprints)[:, 0]


@dataclass(frozen=True, slots=True)
class _Judged:
    """The scores of a page's blocks and the page counts behind them."""

    scores: Scores
    pages: NDArray[np.int64]
    """int64: learnt pages with the block's pagelet; -1 if it is in none or several."""


@dataclass(frozen=True, eq=False)
class Pagelets:
    """The pagelets of a page."""

    pagelet: Rows
    """int32, one entry per row of the page: the root of its pagelet; -1 if there is none."""
    root: Rows
    """int32: the roots of pagelets with words, in document order."""
    fingerprint: Keys
    """uint64: one for each root."""

    def spread(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """int64, one entry per row: the value (one per root) of its pagelet; -1 if there is none."""
        of_root: NDArray[np.int64] = np.full(len(self.pagelet) + 1, -1, dtype=np.int64)
        of_root[self.root] = values
        return of_root[self.pagelet]  # no pagelet is -1, the extra entry at the end


def find_pagelets(page: Page, settings: PageletTemplates) -> Pagelets:
    """Divide a page into pagelets."""
    pagelet = _pagelet_of_row(page, settings.links)
    owner, words = _words(page, pagelet)
    starts, windows = _windows(owner, words, settings.shingle_words)
    root, first = np.unique(owner[starts], return_index=True)
    return Pagelets(pagelet, root, _fingerprints(windows, first, settings.hashes))


def _pagelet_of_row(page: Page, links: int) -> Rows:
    """int32: the root of each row's pagelet; -1 if there is none."""
    shown = (page.covered(page.tag == TAG_CODES["body"]) > 0) & ~page.hidden
    hyperlinks = page.has_attribute("href") & page.tagged(TagSet.LINK)
    rich = shown & (page.subtree_sums(hyperlinks & shown) >= links)
    divided = np.zeros(len(page), dtype=bool)
    divided[page.parent[rich & (page.parent >= 0)]] = True
    whole = shown & ~page.is_text & ~divided
    roots = np.flatnonzero(whole & (page.covered(whole) == 1)).astype(np.int32)
    return _inside(page, roots, shown)


def _inside(page: Page, roots: Rows, shown: RowMask) -> Rows:
    """int32: the root that each shown row is in; -1 for none. Roots do not nest, so the last preceding one decides."""
    rows = np.arange(len(page), dtype=np.int32)
    last = np.concatenate((np.array([-1], dtype=np.int32), roots))[np.searchsorted(roots, rows, side="right")]
    is_inside = shown & (last >= 0) & (rows < page.subtree_end[last])
    return np.where(is_inside, last, np.int32(-1))


def _words(page: Page, pagelet: Rows) -> tuple[Rows, Keys]:
    """(pagelet, key) of every word in a pagelet, in document order."""
    rows = np.flatnonzero((pagelet >= 0) & (page.text_length > 0))
    words, numbers = words_of_each(page.texts(rows))
    return np.repeat(pagelet[rows], numbers), keys_of(words)


def _windows(owner: Rows, words: Keys, width: int) -> tuple[NDArray[np.intp], Keys]:
    """(first word, hash) of every window of `width` words; a pagelet with fewer words is one window."""
    position = np.arange(len(owner))
    left = np.searchsorted(owner, owner, side="right") - position
    is_first = np.ones(len(owner), dtype=bool)
    is_first[1:] = owner[1:] != owner[:-1]
    starts = np.flatnonzero((left >= width) | is_first)
    hashes = words[starts]
    for step in range(1, width):
        reaching = np.flatnonzero(left[starts] > step)
        hashes[reaching] = combine(hashes[reaching], words[starts[reaching] + step])
    return starts, hashes


def _fingerprints(windows: Keys, first: NDArray[np.intp], hashes: int) -> Keys:
    """uint64: one fingerprint for the windows from each `first` to the next."""
    # Combining, even with a single hash, spreads the minima over all numbers, so that a sample by hash is even.
    fingerprint = np.zeros(len(first), dtype=np.uint64)
    for number in range(hashes if len(first) else 0):
        order = combine(windows, np.full(len(windows), number, dtype=np.uint64))
        fingerprint = combine(fingerprint, np.minimum.reduceat(order, first))
    return fingerprint


def _block_sums(blocks: Blocks, values: NDArray[np.int32]) -> NDArray[np.int64]:
    """int64: the sum of a column of the page over the rows of every block."""
    before = np.concatenate(([0], np.cumsum(values, dtype=np.int64)))
    return np.asarray(before[blocks.last_row + 1] - before[blocks.first_row])
