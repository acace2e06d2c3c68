"""The site style tree: what looks and reads alike on the pages of a site is template.

Yi, Liu & Li, "Eliminating Noisy Information in Web Pages for Data Mining", KDD 2003.

The idea: pages of a site are laid over each other, element by element. Where presentation or content differ from page
to page, the site says something; where both are the same everywhere, it is noise. Importance is entropy: of the styles
below an element (equation 1), of the features in a leaf (equations 4 and 5), and composite over the tree (2 and 3).
See `places.importance` for the equations and `places.merging` for similar elements.

`matching="exact"` is the paper. An element is noisy if nothing in it exceeds the threshold, so a part of a page is
dropped just if the importance of its leaf does not: the mapping of figure 7 comes down to a look-up. What has no place
in the tree is possibly meaningful and kept, unless the element it is in is noisy.

`matching="aligned"`, the default, recognises places beside optional elements, and judges a block by more than its leaf:

* Leaves are judged by their words. A menu whose links carry the address to return to has other link targets on every
  page, and would count as content.
* *Rarity of its text*: 1 - log n / log m for a text that is on n of the m pages of its family. Positions shift, texts
  do not: an item of a menu is the same item one position further down. Pages are of one family that have the same frame
  around the place (`SiteTree.family`): what all product pages have in common is template, however few of the pages are
  of products. A block scores the mean of importance and rarity.
* *Links that others have, too*: a link whose text or target is on at least two of the learnt pages is navigation, be it
  in a menu, in a list of related pages or within the page. The score of a block is scaled down by the share of its text
  that is in such links. This sees noise whose content varies. If it leaves hardly anything of a page, the page is an
  index, and is judged without.
* *Regions*: see `blocks.regions`. Labels in a table of facts are kept with the facts, a date in a footer goes with it.

The threshold is found for each site if none is given: see `StyleTreeModel.cut`.

Hidden text is no part of the tree, and scores 0. The title has no place in BODY: without a main heading on the page the
model has no opinion on it (NaN), beside one it repeats what the page says and scores 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.errors import InvalidSetting
from dehusk.methods.base import Reasons, Scores
from dehusk.methods.site_trees.counted_site import CountedSite
from dehusk.methods.site_trees.element_merging import merge_similar
from dehusk.methods.site_trees.importance import Marks, SiteTree, feature_entropies, grow_tree
from dehusk.methods.site_trees.region_voting import keep_by_regions
from dehusk.methods.site_trees.site_counts import SiteCounts, add_up, count_page, link_targets
from dehusk.methods.site_trees.template_positions import NOTHING_MERGED, Matching, Merged, PlacedPage, place_page
from dehusk.methods.site_trees.text_rows import TextRows, find_text_rows, words_of_blocks
from dehusk.methods.site_trees.valleys import deepest_valley
from dehusk.methods.tallies import Tally, tally
from dehusk.page.page_columns import Page
from dehusk.page.stable_hashing import Keys, combine, find_keys, keys_of
from dehusk.page.tags import TAG_CODES

_CUTS: Final = {Matching.ALIGNED: (0.08, 0.16), Matching.EXACT: (0.10, 0.40)}
"""Between which values the automatic threshold is looked for."""
_FEWEST_SHARING: Final = 2
"""Learnt pages that must have something for others to have it: a page may be among those learnt itself."""
_FEW_PAGES: Final = 10
"""Pages of a family that are too few to tell how rare a text is there."""
_LIST_OF_LINKS: Final = 0.05
"""Share of a page's text that is kept of hardly any page but those that are links and nothing else."""
_WORD_LENGTH: Final = 6
"""Characters, with the blank. Sizes are measured in characters, which are at hand, and spoken of in words."""
_SHORT_PAGE: Final = 200
"""Words."""


@dataclass(frozen=True, slots=True)
class StyleTree:
    """Settings, with the published values where there are any."""

    name: ClassVar[str] = "style-tree"
    learns: ClassVar[bool] = True

    matching: Matching = Matching.ALIGNED
    """How places are found again on other pages: `aligned`, or `exact` as published."""
    attenuation: float = 0.9
    """Gamma of equation 2: the more styles an element has, the more its own entropy counts."""
    virtual_leaves: bool = True
    """Whether parents of leaf tags are the leaves (section 3.6)."""
    merge_similar: bool = True
    """Exact only: whether similar elements in different styles are merged (section 3.6)."""
    characteristic_share: float = 0.85
    """Gamma of section 3.6: features on that share of an element's pages characterise it."""
    least_overlap: float = 0.85
    """Lambda: elements are similar whose characteristic features overlap that much."""
    word_noise: float = 0.01
    """Epsilon: a word within a kept leaf is noise if one minus its entropy is smaller; see `noisy_words`."""
    threshold: float | None = None
    """t: elements that are no more important are noisy. None chooses one for the site."""
    text_rarity: bool = True
    """Aligned only: whether it counts how rare a block's text is, beside the importance of its leaf."""
    shared_links: bool = True
    """Aligned only: whether links that other pages have count against a block."""
    change_price: float = 1.0
    """Aligned only: what it costs, in words, to decide otherwise on an element than on its parent. Pages of fewer than
    two hundred words pay in proportion: of a short page a short menu is a part that counts."""

    def __post_init__(self) -> None:
        if self.matching not in list(Matching):
            raise InvalidSetting("matching", f"{self.matching!r} is none of {', '.join(Matching)}", "see StyleTree")
        object.__setattr__(self, "matching", Matching(self.matching))
        for setting in ("attenuation", "characteristic_share", "least_overlap", "word_noise", "threshold"):
            value = getattr(self, setting)
            is_chosen_later = setting == "threshold" and value is None
            if not is_chosen_later and not 0 <= value <= 1:
                raise InvalidSetting(setting, f"{value} is outside 0 to 1", "see StyleTree")
        if not 0 <= self.change_price < float("inf"):
            raise InvalidSetting("change_price", f"{self.change_price} is not a price", "see StyleTree")

    def fit(self, pages: Iterable[Page] = ()) -> StyleTreeModel:
        """Learn from pages of one site, in any order."""
        placed = (place_page(page, self.matching, self.virtual_leaves) for page in pages)
        words_only = self.matching is Matching.ALIGNED
        return StyleTreeModel(self, add_up(count_page(page, segment(page.page), words_only) for page in placed))


@dataclass(frozen=True, eq=False)
class StyleTreeModel(CountedSite[StyleTree]):
    """The counts of a site, and what they tell of its pages."""

    settings_class = StyleTree
    holds = "a style tree"

    @property
    def threshold(self) -> float:
        # The paper drops what is *no more* important than t; a decision keeps what reaches the threshold.
        return float(np.nextafter(np.float32(self.cut), np.float32(2)))

    def with_threshold(self, threshold: float | None) -> StyleTreeModel:
        """The same model with another threshold; None chooses one for the site."""
        other = StyleTreeModel(replace(self.settings, threshold=threshold), self.counts)
        # What does not depend on the threshold is dear to compute, so it is handed on.
        other.__dict__.update({name: getattr(self, name) for name in ("_merged", "tree", "_texts")})
        return other

    @cached_property
    def _merged(self) -> tuple[SiteCounts, Merged]:
        settings = self.settings
        # Aligned, the second of a kind is only where the first is, too: together on a page, they are never merged.
        if not settings.merge_similar or self._is_aligned:
            return self.counts, NOTHING_MERGED
        return merge_similar(self.counts, settings.characteristic_share, settings.least_overlap)

    @property
    def merged_counts(self) -> SiteCounts:
        """The counts with similar elements merged."""
        return self._merged[0]

    @cached_property
    def tree(self) -> SiteTree:
        """The places of the site and their importance."""
        return grow_tree(self.merged_counts, self.settings.attenuation)

    @cached_property
    def marks(self) -> Marks:
        """Which elements are noisy and which meaningful."""
        return self.tree.mark(self.cut)

    @cached_property
    def cut(self) -> float:
        """t, as set or as chosen for the site.

        The authors looked at cleaned pages of each site. What they saw is a gap: template scores near 0, content well
        above, and the less text lies around t, the less depends on its choice. So t is where, between two values that
        hold for all sites, the least text of the learnt pages scores about that much.
        """
        if self.settings.threshold is not None:
            return self.settings.threshold
        scores, sizes = self._scores_of_texts
        return deepest_valley(scores, sizes, *_CUTS[self.settings.matching])

    @cached_property
    def _scores_of_texts(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(score, size) of every text at every place, as far as counts tell: targets of links are not in them."""
        texts = self.merged_counts.texts
        position = self.tree.find(texts.keys[:, 1])
        known = position >= 0
        pages = self._pages_with_texts(texts.keys[known, 0])
        size = texts.counts[known, 1].astype(np.float64)
        is_shared = (pages >= _FEWEST_SHARING) & self.settings.shared_links
        shared = is_shared * texts.counts[known, 2] / np.maximum(size, 1)
        place = position[known]
        rarity = self._rarity(pages, place)
        return self._own_scores(_Evidence(place, self.tree.composite[place], pages, rarity, shared)), size

    @cached_property
    def _texts(self) -> Tally:
        """(text) -> pages with it, at whatever place."""
        texts = self.counts.texts
        return tally([texts.keys[:, 0]], [texts.counts[:, 0]])

    @property
    def _is_aligned(self) -> bool:
        return self.settings.matching is Matching.ALIGNED

    def _pages_with_texts(self, texts: NDArray[np.uint64]) -> NDArray[np.int64]:
        return _pages_with(self._texts, texts)

    def _rarity(self, pages: NDArray[np.int64], place: NDArray[np.intp]) -> NDArray[np.float64]:
        """1 - log n / log m, for texts on n pages at places of a family of m."""
        family = np.where(place >= 0, self.tree.family[place], self.pages) if len(self.tree.place) else self.pages
        most = np.clip(family, min(_FEW_PAGES, self.pages), None)
        spread: NDArray[np.float64] = np.log(np.maximum(pages, 1)) / np.log(np.maximum(most, 2))
        return np.clip(1 - spread, 0.0, 1.0)

    def score_blocks(self, blocks: Blocks) -> Scores:
        """How much each block is content; NaN where the model has no opinion."""
        return self._judge(blocks).scores

    def place_blocks(self, blocks: Blocks) -> PlacedBlocks:
        """What there is to know of blocks before a threshold is: to be scored with several of them."""
        placed, texts = self._read(blocks)
        pages = self._pages_with_texts(texts.text)
        return PlacedBlocks(placed, texts, pages, self._shared_links(blocks, pages))

    def score_placed(self, placed: PlacedBlocks) -> Scores:
        """The same as `score_blocks`, of blocks that this model, or it with another threshold, has placed."""
        return self._judge_placed(placed).scores

    def importance_of(self, placed: PlacedBlocks) -> tuple[Keys, NDArray[np.float64]]:
        """(place in the tree or 0, importance or NaN) of each block."""
        evidence = self._evidence(placed)
        known = evidence.place >= 0
        place = np.where(known, self.tree.place[evidence.place], np.uint64(0)) if len(self.tree.place) else known
        return place.astype(np.uint64), evidence.importance

    def explain_blocks(self, blocks: Blocks) -> Reasons:
        """On how many pages the place and the text are, and what else counted."""
        judged = self._judge(blocks)
        return tuple(judged.reasons(index, self) for index in range(len(blocks)))

    def match(self, page: Page) -> float:
        """From 0 to 1: the share of the page's leaves whose places at least two of the learnt pages have.

        Pages of the site are well above, whatever family they are of; pages of another site are near 0.
        """
        return self._place(page).known_share(self.tree.place[self.tree.pages >= _FEWEST_SHARING])

    def noisy_words(self, blocks: Blocks) -> dict[int, frozenset[str]]:
        """By block: the words that (nearly) all pages have at the same place, even if the block is content."""
        placed, texts = self._read(blocks)
        words = texts.words
        is_found = find_keys(self._noise, combine(placed.key[placed.leaf[words.row]], words.key)) >= 0
        return words_of_blocks(words, is_found & self.knows_a_template)

    @cached_property
    def _noise(self) -> Keys:
        """uint64, sorted: one key for each noisy word at its place."""
        features = self.merged_counts.features
        owner, entropy = feature_entropies(features, self.tree.place, self.tree.leaf_pages)
        is_noise = (owner >= 0) & (1 - entropy < self.settings.word_noise)
        return np.sort(combine(features.keys[is_noise, 0], features.keys[is_noise, 1]))

    def _place(self, page: Page) -> PlacedPage:
        return place_page(page, self.settings.matching, self.settings.virtual_leaves, self._merged[1])

    def _read(self, blocks: Blocks) -> tuple[PlacedPage, TextRows]:
        placed = self._place(blocks.page)
        return placed, find_text_rows(blocks, placed.leaf >= 0)

    def _judge(self, blocks: Blocks) -> _Judged:
        return self._judge_placed(self.place_blocks(blocks))

    def _judge_placed(self, placed: PlacedBlocks) -> _Judged:
        texts, evidence = placed.texts, self._evidence(placed)
        judged = self._decide(texts, evidence)
        if judged.kept_share(texts.size, self.threshold) < _LIST_OF_LINKS and evidence.shared.any():
            # An index of the site is all links that others have: there they are the content.
            judged = self._decide(texts, replace(evidence, shared=np.zeros(len(texts.blocks))))
        return judged

    def _evidence(self, placed: PlacedBlocks) -> _Evidence:
        page, texts = placed.page, placed.texts
        position = self._positions(page)
        importance = texts.mean_of_blocks(_at(self.tree.composite, position)[page.leaf[texts.row]])
        place = _at_rows(position, page.leaf[texts.blocks.first_row])
        return _Evidence(place, importance, placed.pages, self._rarity(placed.pages, place), placed.shared)

    def _decide(self, texts: TextRows, evidence: _Evidence) -> _Judged:
        blocks = texts.blocks
        own = self._own_scores(evidence)
        own[blocks.hidden] = 0.0
        own[_is_repeated_title(blocks)] = 0.0
        scores = self._by_regions(blocks, own, texts.size / _WORD_LENGTH) if self._is_aligned else own
        if not self.knows_a_template:
            scores = np.where(blocks.hidden, 0.0, np.nan)
        return _Judged(blocks, evidence, own, scores.astype(np.float32))

    def _positions(self, placed: PlacedPage) -> NDArray[np.intp]:
        """One entry a row: the position in the tree of its place, or of the closest noisy element above; else -1."""
        position = np.where(placed.node, self.tree.find(placed.key), -1)
        if not len(self.tree.place):
            return position
        unknown = np.flatnonzero(placed.is_leaf & (position < 0)).astype(np.int32)
        above = placed.page.climb(unknown, (position >= 0))
        found = np.where(above >= 0, position[above], -1)
        position[unknown] = np.where((found >= 0) & self.marks.noisy[found], found, -1)
        return position

    def _shared_links(self, blocks: Blocks, pages: NDArray[np.int64]) -> NDArray[np.float64]:
        """One entry a block: the share of its text in links that other pages have, too."""
        if not (self._is_aligned and self.settings.shared_links):
            return np.zeros(len(blocks))
        targets = link_targets(blocks.page)
        rows = np.array([row for row, _ in targets], dtype=np.int32)
        keys = keys_of([address for _, address in targets])
        is_known = _pages_with(self.counts.targets, keys) >= _FEWEST_SHARING
        is_shared = np.zeros(len(blocks.page) + 1, dtype=np.int64)
        is_shared[rows + 1] = is_known
        # An element around its text comes before it, so a link is counted with the block that follows or has it.
        before = np.cumsum(is_shared)
        start = np.concatenate(([0], blocks.last_row[:-1] + 1)) if len(blocks) else blocks.last_row
        known_targets = before[blocks.last_row + 1] - before[np.minimum(start, blocks.first_row)]
        return np.where((pages >= _FEWEST_SHARING) | (known_targets > 0), blocks.link_share, 0.0).astype(np.float64)

    def _own_scores(self, evidence: _Evidence) -> NDArray[np.float64]:
        """The score of each block, before regions."""
        importance, rarity = evidence.importance, evidence.rarity
        if not self._is_aligned:
            return importance.copy()
        mean = (importance + rarity) / 2 if self.settings.text_rarity else importance
        scores = np.where(np.isnan(importance), rarity, mean) * (1 - evidence.shared)
        is_new = np.isnan(importance) & (evidence.pages == 0) & (evidence.shared == 0)
        return np.where(is_new, np.nan, scores)

    def _by_regions(self, blocks: Blocks, own: NDArray[np.float64], words: NDArray[np.float64]) -> NDArray[np.float64]:
        """The scores, moved to the other side of the threshold where the region says so."""
        threshold = np.float32(self.threshold)
        gain = (np.where(np.isnan(own), 1.0, own) - self.cut) * words
        price = self.settings.change_price * min(1.0, words.sum() / _SHORT_PAGE)
        keep = keep_by_regions(blocks, gain, price)
        kept = np.where(np.isnan(own), own, np.maximum(own, threshold))
        dropped = np.fmin(own, np.nextafter(threshold, np.float32(0)))
        return np.where(words > 0, np.where(keep, kept, dropped), own)


@dataclass(frozen=True, eq=False)
class PlacedBlocks:
    """The blocks of a page and their places."""

    page: PlacedPage
    texts: TextRows
    pages: NDArray[np.int64]
    """One entry a block: learnt pages with its text."""
    shared: NDArray[np.float64]
    """One entry a block: the share of its text in links that other pages have."""


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What the site tells of some texts; one entry a text."""

    place: NDArray[np.intp]
    """Position of its place in the tree, -1 where it has none."""
    importance: NDArray[np.float64]
    """Of its leaf; NaN where it has no place."""
    pages: NDArray[np.int64]
    """Learnt pages with the text."""
    rarity: NDArray[np.float64]
    shared: NDArray[np.float64]
    """Share of the text in links that other pages have."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """All that is known of the blocks of a page; one entry a block."""

    blocks: Blocks
    evidence: _Evidence
    own: NDArray[np.float64]
    """Scores before regions."""
    scores: Scores

    def kept_share(self, size: NDArray[np.float64], threshold: float) -> float:
        """The share of the text that is kept; 1 of no text."""
        keep = np.isnan(self.scores) | (self.scores >= np.float32(threshold))
        return float(size[keep].sum() / size.sum()) if size.any() else 1.0

    def reasons(self, index: int, model: StyleTreeModel) -> tuple[str, ...]:
        """In words."""
        if self.blocks.hidden[index]:
            return ("hidden text is no part of the tree",)
        if not model.knows_a_template:
            return ("no two different pages were learnt, so there is no template to know",)
        if self.blocks.page.tag[self.blocks.owner[index]] == TAG_CODES["title"]:
            return ("the title says again what the main heading says" if self.own[index] == 0 else "the page's title",)
        return (self._of_place(index, model), *self._of_text(index, model), *self._of_region(index, model))

    def _of_place(self, index: int, model: StyleTreeModel) -> str:
        place = int(self.evidence.place[index])
        if place < 0:
            return f"no page of {model.pages} has this place: possibly meaningful"
        pages, importance = int(model.tree.pages[place]), model.tree.composite[place]
        return f"this place is on {pages} of {model.pages} pages, importance {importance:.2f}"

    def _of_text(self, index: int, model: StyleTreeModel) -> list[str]:
        if model.settings.matching is Matching.EXACT:
            return []
        found = []
        if self.evidence.pages[index] > 1:
            found.append(f"its text is on {int(self.evidence.pages[index])} of {model.pages} pages")
        if self.evidence.shared[index] > 0:
            found.append(f"{self.evidence.shared[index]:.0%} of it is links that other pages have, too")
        return found

    def _of_region(self, index: int, model: StyleTreeModel) -> list[str]:
        own, score, threshold = self.own[index], self.scores[index], np.float32(model.threshold)
        was_kept, is_kept = bool(np.isnan(own) or own >= threshold), bool(np.isnan(score) or score >= threshold)
        if was_kept == is_kept:
            return []
        return [f"{'kept' if is_kept else 'dropped'} with what surrounds it"]


def _pages_with(counted: Tally, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """int64, one entry a key: pages it was counted on."""
    position = find_keys(counted.keys[:, 0], keys)
    return np.where(position >= 0, counted.counts[position, 0], 0) if len(counted) else np.zeros(len(keys), np.int64)


def _at(values: NDArray[np.float64], position: NDArray[np.intp]) -> NDArray[np.float64]:
    """The values at some positions; NaN where the position is -1."""
    return np.where(position >= 0, values[position], np.nan) if len(values) else np.full(len(position), np.nan)


def _at_rows(position: NDArray[np.intp], rows: NDArray[np.int32]) -> NDArray[np.intp]:
    return np.where(rows >= 0, position[rows], -1) if len(position) else np.full(len(rows), -1, dtype=np.intp)


def _is_repeated_title(blocks: Blocks) -> NDArray[np.bool_]:
    """bool: the title, if the page has a main heading that shows."""
    page = blocks.page
    shows = page.subtree_sums(np.where(page.hidden, 0, page.text_length)) > 0
    has_heading = bool((shows & (page.tag == TAG_CODES["h1"])).any())
    return np.asarray((page.tag[blocks.owner] == TAG_CODES["title"]) & has_heading)
