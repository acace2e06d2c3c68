"""The site style tree: what looks and reads alike on the pages of a site is template.

Yi, Liu & Li, "Eliminating Noisy Information in Web Pages for Data Mining", KDD 2003.

The idea: the pages of a site are laid over each other, element by element. Where presentation or content differs from
page to page, it is content; where both are the same everywhere, it is noise. Importance is entropy: of the styles below
an element (equation 1), of the features in a leaf (equations 4 and 5), and composite over the tree (2 and 3). See
`importance` for the equations and `element_merging` for similar elements.

`matching="exact"` is the paper. An element is noisy if nothing in it exceeds the threshold, so a part of a page is
dropped exactly if the importance of its leaf does not: the mapping of figure 7 comes down to a look-up. What has no
template position is possibly meaningful and kept, unless the element around it is noisy.

`matching="aligned"`, the default, finds template positions despite optional elements beside them, and judges a block by
more than its leaf:

* Leaves are judged by their words. A menu whose links carry a return address has different link targets on every page,
  and would count as content.
* *Rarity of its text*: 1 - log n / log m for a text on n of the m pages of its family. Positions shift, texts do not: a
  menu item is the same item one position further down. A family is the pages with the same frame around the position
  (`SiteTree.family`): what all product pages have in common is template, however few of the pages are product pages. A
  block's score is the mean of importance and rarity.
* *Shared links*: a link whose text or target is on at least two of the learnt pages is navigation, be it in a menu, in
  a list of related pages or within the page. The score of a block is scaled down by the share of its text in such
  links. This catches noise whose content varies. If it leaves hardly anything of a page, the page is an index, and is
  judged without it.
* *Regions* vote (see `style_tree_scoring`): labels in a table of facts are kept with the facts, a date in a footer is
  dropped with the footer.

If no threshold is given, one is chosen for each site: see `style_tree_scoring`.

Hidden text is not part of the tree and scores 0. The title has no template position in BODY: on a page without a main
heading the model has no opinion on it (NaN); next to one it is a repetition and scores 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.arguments import checked
from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.errors import InvalidSetting
from dehusk.methods.base import Reasons, Scores, check_range
from dehusk.methods.corrections import NO_CORRECTIONS, Corrections
from dehusk.methods.site_models import NO_TEMPLATE, CountedSite, add_up
from dehusk.methods.site_trees.element_merging import merge_similar
from dehusk.methods.site_trees.importance import NoiseMarks, SiteTree, feature_entropies, grow_tree
from dehusk.methods.site_trees.site_counts import NOTHING_COUNTED, SiteCounts, count_page
from dehusk.methods.site_trees.style_tree_scoring import (
    FEWEST_SHARING,
    HIDDEN,
    Explainer,
    PositionedBlocks,
    ScoredBlocks,
    TextEvidence,
    TextScorer,
    choose_threshold,
    keep_by_regions,
)
from dehusk.methods.site_trees.template_positions import (
    NOTHING_MERGED,
    Matching,
    Merged,
    PositionedPage,
    check_matching,
    find_positions,
)
from dehusk.methods.site_trees.text_rows import TextRows, find_text_rows, words_of_blocks
from dehusk.methods.tallies import tally
from dehusk.page.page_columns import Page
from dehusk.page.stable_hashing import Keys, combine, find_keys
from dehusk.page.tags import TAG_CODES

_LIST_OF_LINKS: Final = 0.05
"""Share of a page's text: if less is kept, the page is nearly always nothing but links."""
_WORD_LENGTH: Final = 6
"""Characters per word, with the space: sizes are measured in characters, which are at hand, and expressed in words."""
_SHORT_PAGE: Final = 200
"""Words."""


@checked
@dataclass(frozen=True, slots=True)
class StyleTree:
    """The style tree of a site: what its pages share, and how. Settings, with the published values where there are any:

    Arguments:
        matching: how template positions are matched across pages: `aligned`, or `exact` as published.
        attenuation: gamma of equation 2: the more styles an element has, the more its own entropy counts.
        virtual_leaves: whether parents of leaf tags are the leaves (section 3.6).
        merge_similar: exact only: whether similar elements in different styles are merged (section 3.6).
        characteristic_share: gamma of section 3.6: features on this share of an element's pages are characteristic
            of it.
        least_overlap: lambda: elements are similar if their characteristic features overlap this much.
        word_noise: epsilon: a word within a kept leaf is noise if one minus its entropy is smaller; see
            `noisy_words`.
        threshold: t: elements that are not more important are noisy. None chooses one for the site.
        text_rarity: aligned only: whether the rarity of a block's text counts beside the importance of its leaf.
        shared_links: aligned only: whether links that other pages have count against a block.
        change_price: aligned only: the cost of deciding differently on an element than on its parent.

    >>> html = "<ul><li><a href=/>Home</a><li><a href=/tea>Teas</a></ul><h1>Tea {0}</h1><p>" + "Number {0} is it. " * 9
    >>> site = dehusk.StyleTree().fit(dehusk.read_page(html.format(number)) for number in range(5))
    >>> site.method, "Number 9" in dehusk.clean(html.format(9), site).text
    ('style-tree', True)
    """

    name: ClassVar[str] = "style-tree"
    learns: ClassVar[bool] = True

    matching: Matching = Matching.ALIGNED
    attenuation: float = 0.9
    virtual_leaves: bool = True
    merge_similar: bool = True
    characteristic_share: float = 0.85
    least_overlap: float = 0.85
    word_noise: float = 0.01
    threshold: float | None = None
    text_rarity: bool = True
    shared_links: bool = True
    change_price: float = 1.0
    """Aligned only: the cost, in words, of deciding differently on an element than on its parent. It is scaled down on
    pages of fewer than two hundred words, where a short menu is a considerable part of the page."""

    def __post_init__(self) -> None:
        check_matching(self, self.matching)
        check_range(self, 0, 1, "attenuation", "characteristic_share", "least_overlap", "word_noise")
        if self.threshold is not None:
            check_range(self, 0, 1, "threshold")
        if not 0 <= self.change_price < float("inf"):
            cause = f"{self.change_price} is not a finite number of at least 0"
            raise InvalidSetting("change_price", cause, "see StyleTree")

    @property
    def merges(self) -> bool:
        """Whether elements are merged: with aligned matching, the second of a kind is only where the first is."""
        return self.merge_similar and self.matching is Matching.EXACT

    def fit(self, pages: Iterable[Page] = ()) -> StyleTreeModel:
        """Learn from pages of one site, in any order."""
        return self.fit_blocks(map(segment, pages))

    def fit_blocks(self, pages: Iterable[Blocks]) -> StyleTreeModel:
        """Learn from pages that are segmented already."""
        positioned = ((find_positions(page.page, self.matching, self.virtual_leaves), page) for page in pages)
        options = {"words_only": self.matching is Matching.ALIGNED, "for_merging": self.merges}
        counts = (count_page(positions, page, **options) for positions, page in positioned)
        return StyleTreeModel(self, add_up(counts, NOTHING_COUNTED))


@dataclass(frozen=True, slots=True)
class _Grown:
    """What is computed from counts and settings whatever the threshold. Expensive, so it is done once."""

    counts: SiteCounts
    """With similar elements merged."""
    merged: Merged
    tree: SiteTree
    scorer: TextScorer


def _grow(settings: StyleTree, counts: SiteCounts) -> _Grown:
    merged_counts, merged = counts, NOTHING_MERGED
    if settings.merges:
        merged_counts, merged = merge_similar(counts, settings.characteristic_share, settings.least_overlap)
    tree = grow_tree(merged_counts, settings.attenuation, content_apart=settings.matching is Matching.EXACT)
    pages_of_texts = tally([counts.texts.keys[:, 0]], [counts.texts.counts[:, 0]])
    options = (settings.matching, settings.text_rarity, settings.shared_links)
    return _Grown(merged_counts, merged, tree, TextScorer(tree, counts.pages, pages_of_texts, counts.targets, *options))


@dataclass(frozen=True, eq=False)
class StyleTreeModel(CountedSite[StyleTree, SiteCounts]):
    """The style tree of a site, computed from its counts on first use."""

    settings_class = StyleTree
    counts_class = SiteCounts
    holds = "a style tree"

    settings: StyleTree
    counts: SiteCounts
    grown: _Grown | None = None
    """From a model of the same counts with another threshold."""
    corrections: Corrections = NO_CORRECTIONS

    @property
    def knows_a_template(self) -> bool:
        return len(self.counts.contents) > 1

    @property
    def threshold(self) -> float:
        # The paper drops what is *no more* important than t; a decision keeps what reaches the threshold.
        return float(np.nextafter(np.float32(self.cut), np.float32(2)))

    def with_threshold(self, threshold: float | None) -> StyleTreeModel:
        """The same model with another threshold; None chooses one for the site."""
        return replace(self, settings=replace(self.settings, threshold=threshold), grown=self._grown)

    @cached_property
    def _grown(self) -> _Grown:
        return self.grown or _grow(self.settings, self.counts)

    @property
    def merged_counts(self) -> SiteCounts:
        """The counts with similar elements merged."""
        return self._grown.counts

    @property
    def tree(self) -> SiteTree:
        """The template positions of the site and their importance."""
        return self._grown.tree

    @cached_property
    def marks(self) -> NoiseMarks:
        """Which elements are noisy and which meaningful."""
        return self.tree.mark(self.cut)

    @cached_property
    def cut(self) -> float:
        """t, as set or as chosen for the site."""
        if self.settings.threshold is not None:
            return self.settings.threshold
        return choose_threshold(self._scorer, self.merged_counts.texts)

    @property
    def _scorer(self) -> TextScorer:
        return self._grown.scorer

    def score_blocks(self, blocks: Blocks) -> Scores:
        """How much each block is content; NaN where the model has no opinion."""
        return self.score_positioned(self.position_blocks(blocks))

    def position_blocks(self, blocks: Blocks) -> PositionedBlocks:
        """Everything about the blocks that does not depend on the threshold, to score them with several thresholds."""
        positioned, texts = self._read(blocks)
        pages = self._scorer.pages_with_texts(texts.text)
        return PositionedBlocks(positioned, texts, pages, self._scorer.shared_links(blocks, pages))

    def score_positioned(self, positioned: PositionedBlocks) -> Scores:
        """Like `score_blocks`, for blocks positioned by this model, whatever its threshold was."""
        return self._score(positioned).scores

    def importance_of(self, positioned: PositionedBlocks) -> tuple[Keys, NDArray[np.float64]]:
        """(key of the template position or 0, importance or NaN) of each block."""
        evidence = self._evidence(positioned)
        known = evidence.index >= 0
        key = np.where(known, self.tree.key[evidence.index], np.uint64(0)) if len(self.tree.key) else known
        return key.astype(np.uint64), evidence.importance

    def explain_blocks(self, blocks: Blocks) -> Reasons:
        """How many pages have the template position and the text, and what else counted."""
        if not self.knows_a_template:
            return tuple((HIDDEN if hidden else NO_TEMPLATE,) for hidden in blocks.hidden.tolist())
        scored = self._score(self.position_blocks(blocks))
        return Explainer(scored, self.tree, self.pages, self.settings.matching, self.threshold).reasons()

    def match(self, page: Page) -> float:
        """From 0 to 1: the share of the page's leaves at template positions that at least two learnt pages have.

        High for pages of the site, whatever their family; near 0 for pages of other sites.
        """
        return self._positions_of(page).known_share(self.tree.key[self.tree.pages >= FEWEST_SHARING])

    def noisy_words(self, blocks: Blocks) -> dict[int, frozenset[str]]:
        """By block: the words that (nearly) all pages have at the same template position, even if it is content."""
        positioned, texts = self._read(blocks)
        words = texts.words
        is_found = find_keys(self._noise, combine(positioned.key[positioned.leaf[words.row]], words.key)) >= 0
        return words_of_blocks(words, is_found & self.knows_a_template)

    @cached_property
    def _noise(self) -> Keys:
        """uint64, sorted: one key for each noisy word at its template position."""
        features = self.merged_counts.features
        owner, entropy = feature_entropies(features, self.tree.key, self.tree.leaf_pages)
        is_noise = (owner >= 0) & (1 - entropy < self.settings.word_noise)
        return np.sort(combine(features.keys[is_noise, 0], features.keys[is_noise, 1]))

    def _positions_of(self, page: Page) -> PositionedPage:
        return find_positions(page, self.settings.matching, self.settings.virtual_leaves, self._grown.merged)

    def _read(self, blocks: Blocks) -> tuple[PositionedPage, TextRows]:
        positioned = self._positions_of(blocks.page)
        return positioned, find_text_rows(blocks, positioned.leaf >= 0)

    def _score(self, positioned: PositionedBlocks) -> ScoredBlocks:
        texts, evidence = positioned.texts, self._evidence(positioned)
        scored = self._score_evidence(texts, evidence)
        if scored.kept_share(texts.size, self.threshold) < _LIST_OF_LINKS and evidence.shared.any():
            # An index of the site is all shared links: there they are the content.
            scored = self._score_evidence(texts, replace(evidence, shared=np.zeros(len(texts.blocks))))
        return scored

    def _evidence(self, positioned: PositionedBlocks) -> TextEvidence:
        page, texts = positioned.page, positioned.texts
        of_row = self._indices(page)
        importance = texts.mean_of_blocks(_at(self.tree.leaf, of_row)[page.leaf[texts.row]])
        index = _at_rows(of_row, page.leaf[texts.blocks.first_row])
        rarity = self._scorer.rarity(positioned.pages, index)
        return TextEvidence(index, importance, positioned.pages, rarity, positioned.shared)

    def _indices(self, positioned: PositionedPage) -> NDArray[np.intp]:
        """One entry per row: the index in the tree of its template position, or of the closest element above if that
        is noisy; else -1."""
        index = np.where(positioned.node, self.tree.find(positioned.key), -1)
        if not len(self.tree.key):
            return index
        unknown = np.flatnonzero(positioned.is_leaf & (index < 0)).astype(np.int32)
        above = positioned.page.climb(unknown, (index >= 0))
        found = np.where(above >= 0, index[above], -1)
        index[unknown] = np.where((found >= 0) & self.marks.noisy[found], found, -1)
        return index

    def _score_evidence(self, texts: TextRows, evidence: TextEvidence) -> ScoredBlocks:
        blocks = texts.blocks
        own = self._scorer.scores(evidence)
        own[blocks.hidden] = 0.0
        own[_is_repeated_title(blocks)] = 0.0
        is_aligned = self.settings.matching is Matching.ALIGNED
        scores = self._by_regions(blocks, own, texts.size / _WORD_LENGTH) if is_aligned else own
        if not self.knows_a_template:
            scores = np.where(blocks.hidden, 0.0, np.nan)
        return ScoredBlocks(blocks, evidence, own, scores.astype(np.float32))

    def _by_regions(self, blocks: Blocks, own: NDArray[np.float64], words: NDArray[np.float64]) -> NDArray[np.float64]:
        """The scores, moved to the other side of the threshold where the region outvotes them."""
        threshold = np.float32(self.threshold)
        gain = (np.where(np.isnan(own), 1.0, own) - self.cut) * words
        price = self.settings.change_price * min(1.0, words.sum() / _SHORT_PAGE)
        keep = keep_by_regions(blocks, gain, price)
        kept = np.where(np.isnan(own), own, np.maximum(own, threshold))
        dropped = np.fmin(own, np.nextafter(threshold, np.float32(0)))
        return np.where(words > 0, np.where(keep, kept, dropped), own)


def _at(values: NDArray[np.float64], index: NDArray[np.intp]) -> NDArray[np.float64]:
    """The values at some indices; NaN where the index is -1."""
    return np.where(index >= 0, values[index], np.nan) if len(values) else np.full(len(index), np.nan)


def _at_rows(index: NDArray[np.intp], rows: NDArray[np.int32]) -> NDArray[np.intp]:
    return np.where(rows >= 0, index[rows], -1) if len(index) else np.full(len(rows), -1, dtype=np.intp)


def _is_repeated_title(blocks: Blocks) -> NDArray[np.bool_]:
    """bool: the title, if the page has a visible main heading."""
    page = blocks.page
    shows = page.subtree_sums(np.where(page.hidden, 0, page.text_length)) > 0
    has_heading = bool((shows & (page.tag == TAG_CODES["h1"])).any())
    return np.asarray((page.tag[blocks.owner] == TAG_CODES["title"]) & has_heading)
