"""Structure weights: every word of a page is weighted by how much its template position and the word itself vary.

Yi & Liu, "Web Page Cleaning for Web Mining through Feature Weighting", IJCAI 2003.

The idea: the pages of a site are laid over each other in a *compressed structure tree*. Where presentation and words
differ from tag to tag, it is content; where they are the same, it is noise. Nothing is cut off: the words of a page get
weights, and clustering or classification works on the weighted vectors. See `element_merging` for similar elements.

    >>> import dehusk
    >>> pages = [dehusk.read_page(f"<body><p>Add to cart<p>{name} camera") for name in ("Canon", "Nikon", "Leica")]
    >>> weights = dehusk.StructureWeights().fit(pages).word_weights(pages[0])
    >>> {word: round(weight, 2) for word, weight in weights.items()}
    {'add': 0.0, 'to': 0.0, 'cart': 0.0, 'canon': 0.43, 'camera': 0.0}

* The importance of an inner element is the entropy of the styles below it (equation 1); that of a leaf is one minus the
  mean entropy of its features (2 and 3). Shares are shares of *tags*: after similar elements of a style are merged, an
  element has several tags on a page.
* Path importance (4) is one minus the product of (1 - importance) along the path from the root: it never decreases on
  the way down, and an element is at least as important as the most important one around it.
* A word's weight is path importance times one minus its entropy in the leaf (5), for each occurrence.

Readings:

* `matching="exact"` is the paper. The default is `aligned`, as in the style tree: it finds template positions despite
  optional elements. Where that fails, an element has few tags, and an element with one tag is important even if it is
  template.
* For an element that is a leaf only on some pages, "being a leaf" is one of its styles, and the leaf hangs below it.
* For unknown template positions the equations still give weights: an element with one tag has importance 1, and a word
  on one tag entropy 0, so what was never seen before weighs 1, and a new word at a known template position has the path
  importance of that position.
* Words in BODY are the features: not images, addresses or titles.
* All pages share one BODY, whatever its attributes, so the virtual root above it has importance 0.
* *Virtual leaves* are the grandparents of leaf tags, as published; `leaf_height` changes that.
* Rules in the page's own `<style>` count as display attributes if their selectors are simple: see `page.style_sheets`.

It also cleans pages: a block's score is the mean weight of its words, counting each occurrence. Hidden text scores 0.
On unknown template positions and on the title the model has no opinion (NaN).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.arguments import checked, checked_but, each
from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.errors import InvalidSetting, enough_memory, needed
from dehusk.methods.base import Reasons, Scores, check_range
from dehusk.methods.corrections import NO_CORRECTIONS, Corrections
from dehusk.methods.site_models import NO_TEMPLATE, CountedSite, add_up
from dehusk.methods.site_trees.element_merging import merge_similar
from dehusk.methods.site_trees.importance import Styles, Values, content_importance, feature_entropies
from dehusk.methods.site_trees.site_counts import NOTHING_COUNTED, SiteCounts, count_page
from dehusk.methods.site_trees.style_tree_scoring import HIDDEN
from dehusk.methods.site_trees.template_positions import (
    NOTHING_MERGED,
    Matching,
    Merged,
    PositionedPage,
    check_matching,
    find_positions,
)
from dehusk.methods.site_trees.text_rows import Words, find_text_rows, words_of_blocks
from dehusk.page.page_columns import Page
from dehusk.page.stable_hashing import Keys, combine, find_keys

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_HIGHEST_LEAF: Final = 100
"""Above this every page is a single leaf."""
_NOTHING: Final = 1e-6
"""Counts are exact to a millionth (see `site_counts`), so one minus an entropy below that is 0."""


@checked_but("leaf_height")
@dataclass(frozen=True, slots=True)
class StructureWeights:
    """Words weighted by how much the site repeats them. Settings, with the published values where there are any:

    Arguments:
        matching: how template positions are matched across pages: `aligned`, or `exact` as published.
        leaf_height: most levels of elements in a leaf: 2 makes the grandparents of leaf tags the leaves (section
            3.3).
        merge_similar: whether similar elements are merged (section 3.2, step 3).
        characteristic_share: gamma: features on this share of an element's tags are characteristic of it.
        least_overlap: lambda: elements are similar if their characteristic features overlap this much.
        style_sheets: whether the page's own style sheets count (section 3.1); aligned matching uses class names
            only.
        word_noise: words with a lower weight are noise where whole words are kept or dropped; see `noisy_words`.
            That corresponds to words that about forty of a hundred pages have at the same template position.
        threshold: for cleaning: blocks whose words have a lower mean weight are noise. The paper has none. Template
            weighs next to nothing, so on most sites low thresholds do equally well, and a lower one loses less.

    >>> html = "<ul><li><a href=/>Home</a><li><a href=/tea>Teas</a></ul><h1>Tea {0}</h1><p>" + "Number {0} is it. " * 9
    >>> site = dehusk.StructureWeights().fit(dehusk.read_page(html.format(number)) for number in range(5))
    >>> site.method, "Number 9" in dehusk.clean(html.format(9), site).text
    ('structure-weights', True)
    """

    name: ClassVar[str] = "structure-weights"
    learns: ClassVar[bool] = True

    matching: Matching = Matching.ALIGNED
    leaf_height: int = 2
    merge_similar: bool = True
    characteristic_share: float = 0.85
    least_overlap: float = 0.85
    style_sheets: bool = True
    word_noise: float = 0.2
    threshold: float = 0.1

    def __post_init__(self) -> None:
        check_matching(self, self.matching)
        check_range(self, 0, 1, "characteristic_share", "least_overlap", "word_noise", "threshold")
        if self.leaf_height not in range(_HIGHEST_LEAF + 1):
            cause = f"{self.leaf_height} is not a whole number from 0 to {_HIGHEST_LEAF}"
            raise InvalidSetting("leaf_height", cause, "see StructureWeights")

    def fit(self, pages: Iterable[Page] = ()) -> StructureWeightsModel:
        """Learn from pages of one site, in any order."""
        return self.fit_blocks(map(segment, pages))

    def fit_blocks(self, pages: Iterable[Blocks]) -> StructureWeightsModel:
        """Learn from pages that are segmented already."""
        options = {"words_only": True, "for_merging": self.merge_similar}
        counts = (count_page(self.find_positions(page.page), page, **options) for page in pages)
        return StructureWeightsModel(self, add_up(counts, NOTHING_COUNTED))

    def find_positions(self, page: Page, merged: Merged = NOTHING_MERGED) -> PositionedPage:
        """The template positions of a page under these settings."""
        return find_positions(page, self.matching, self.leaf_height, merged, style_sheets=self.style_sheets)


@dataclass(frozen=True, eq=False)
class WeightedVectors:
    """Pages as weighted bags of words.

    >>> dehusk.weighted_vectors([{"tea": 2.0}]).matrix.toarray().tolist()
    [[2.0]]
    """

    matrix: csr_matrix
    """float64, shape (pages, words)."""
    vocabulary: tuple[str, ...]
    """The word of each column, sorted."""


@dataclass(frozen=True, eq=False)
class StructureWeightsModel(CountedSite[StructureWeights, SiteCounts]):
    """The structure tree of a site, computed from its counts. Without a template everything weighs the same."""

    settings_class = StructureWeights
    counts_class = SiteCounts
    holds = "structure weights"

    settings: StructureWeights
    counts: SiteCounts
    corrections: Corrections = NO_CORRECTIONS

    @property
    def knows_a_template(self) -> bool:
        return len(self.counts.contents) > 1

    @property
    def threshold(self) -> float:
        return self.settings.threshold

    @cached_property
    def _merged(self) -> tuple[SiteCounts, Merged]:
        settings = self.settings
        if not settings.merge_similar:
            return self.counts, NOTHING_MERGED
        return merge_similar(self.counts, settings.characteristic_share, settings.least_overlap, within_styles=True)

    @property
    def merged_counts(self) -> SiteCounts:
        """The counts with similar elements merged."""
        return self._merged[0]

    @cached_property
    def tree(self) -> StructureTree:
        """The compressed structure tree of the site."""
        return grow_structure_tree(self.merged_counts)

    def word_weights(self, page: Page) -> dict[str, float]:
        """The words of a page in order, with the sum of their weights; words that are noise everywhere weigh 0.

        At unknown template positions a word weighs 1 per occurrence; so do all words if fewer than two different pages
        were learnt.
        """
        words, weights = self._weigh(segment(page))
        total: dict[str, float] = {}
        for word, weight in zip(words.word, np.nan_to_num(weights, nan=1.0).tolist(), strict=True):
            total[word] = total.get(word, 0.0) + weight
        return total

    def vectors(self, pages: Iterable[Page]) -> WeightedVectors:
        """Pages as rows of a weight matrix for clustering and classification, without the words of weight 0.

        For pages of several sites, each weighted by its own model, see `weighted_vectors`.
        """
        return weighted_vectors(map(self.word_weights, pages))

    def noisy_words(self, blocks: Blocks) -> dict[int, frozenset[str]]:
        """By block: the words with hardly any weight there."""
        words, weights = self._weigh(blocks)
        return words_of_blocks(words, weights < self.settings.word_noise)

    def score_blocks(self, blocks: Blocks) -> Scores:
        """The mean weight of each block's words; NaN where the model has no opinion."""
        words, weights = self._weigh(blocks)
        scores = _means(words.block, weights, len(blocks))
        scores[blocks.hidden] = 0.0
        return scores.astype(np.float32)

    def explain_blocks(self, blocks: Blocks) -> Reasons:
        """How many tags the template position has, and the weights of the position and the words."""
        columns = (self.score_blocks(blocks).tolist(), self._indices(blocks).tolist(), blocks.hidden.tolist())
        return tuple(self._reasons(*of_block) for of_block in zip(*columns, strict=True))

    def match(self, page: Page) -> float:
        """From 0 to 1: the share of the page's leaves at template positions that occur more than once.

        High for pages of the site, whatever their family; near 0 for pages of other sites.
        """
        return self._positions_of(page).known_share(self.tree.key[self.tree.tags > 1])

    def _positions_of(self, page: Page) -> PositionedPage:
        return self.settings.find_positions(page, self._merged[1])

    def _weigh(self, blocks: Blocks) -> tuple[Words, Values]:
        """The visible words in BODY and their weights; NaN at unknown template positions."""
        positioned = self._positions_of(blocks.page)
        words = find_text_rows(blocks, positioned.leaf >= 0).words
        if not self.knows_a_template:
            return words, np.full(len(words.word), np.nan)
        return words, self.tree.weights(positioned.key[positioned.leaf[words.row]], words.key)

    def _indices(self, blocks: Blocks) -> NDArray[np.intp]:
        """One entry per block: the index in the tree of the leaf it begins in; -1 if there is none."""
        positioned = self._positions_of(blocks.page)
        leaf = positioned.leaf[blocks.first_row]
        return self.tree.find(np.where(leaf >= 0, positioned.key[leaf], np.uint64(0)))

    def _reasons(self, score: float, index: int, hidden: bool) -> tuple[str, ...]:
        if hidden:
            return (HIDDEN,)
        if not self.knows_a_template:
            return (NO_TEMPLATE,)
        words = "no words to weigh" if np.isnan(score) else f"its words have a mean weight of {score:.2f}"
        if index < 0:
            new = f"none of {self.pages:,} pages has this template position: possibly meaningful"
            return (new,) if np.isnan(score) else (words, new)
        importance = self.tree.leaf_path[index]
        tags = f"this template position has {int(self.tree.leaf_tags[index]):,} tags on {self.pages:,} pages"
        return words, f"{tags}, path importance {importance:.2f}"


@enough_memory("the vectors of pages")
@checked
def weighted_vectors(weights: Iterable[Mapping[str, float]]) -> WeightedVectors:
    """The matrix of some pages' word weights. Pages may be of different sites, each weighted by its own model.

    Arguments:
        weights: word -> weight, for each page (`model.word_weights` of `StructureWeights`).

    Returns:
        A sparse matrix with a row for each page, and the words of its columns.

    Raises:
        MissingExtra: scipy is not installed.

    >>> vectors = dehusk.weighted_vectors([{"tea": 2.0}, {"tea": 1.0, "milk": 0.5}])
    >>> vectors.vocabulary, vectors.matrix.shape
    (('milk', 'tea'), (2, 2))
    """
    with needed("scipy", "for vectors", "mining"):
        from scipy.sparse import csr_matrix
    pages = [
        {word: weight for word, weight in page.items() if weight > 0} for page in each(weights, Mapping, "weights")
    ]
    vocabulary = sorted(set().union(*pages))
    column = {word: number for number, word in enumerate(vocabulary)}
    values = np.array([weight for page in pages for weight in page.values()], dtype=np.float64)
    columns = np.array([column[word] for page in pages for word in page], dtype=np.int64)
    starts = np.cumsum([0, *map(len, pages)])
    matrix = csr_matrix((values, columns, starts), shape=(len(pages), len(vocabulary)))
    matrix.sort_indices()
    return WeightedVectors(matrix, tuple(vocabulary))


def _means(groups: NDArray[np.intp], values: Values, number: int) -> Values:
    """The mean value of each group; NaN for groups without values."""
    known = ~np.isnan(values)
    counted = np.bincount(groups[known], minlength=number)
    total = np.bincount(groups[known], weights=values[known], minlength=number)
    means: Values = np.full(number, np.nan)
    return np.divide(total, counted, out=means, where=counted > 0)


# Path importance: equations 1 to 5


@dataclass(frozen=True, eq=False)
class StructureTree:
    """The elements of a site; one entry each, sorted by key, unless noted."""

    key: Keys
    parent: NDArray[np.intp]
    """Index of the parent; -1 for the root, and where the parent was dropped."""
    tags: NDArray[np.int64]
    """m of equation 1: tags merged into the element."""
    leaf_tags: NDArray[np.int64]
    """m of equation 3: tags that are leaves."""
    node: Values
    """Equation 1; 0 for elements that are always leaves."""
    leaf: Values
    """Equation 2: importance of its content."""
    path: Values
    """Equation 4 for the element."""
    leaf_path: Values
    """Equation 4 for its content."""
    feature: Keys
    """uint64, sorted, one entry per feature of an element: both in one key."""
    distinction: Values
    """float64, one entry per feature: 1 - H."""

    def find(self, keys: Keys) -> NDArray[np.intp]:
        """Index of each template position; -1 where the site does not have it."""
        return find_keys(self.key, keys)

    def weights(self, keys: Keys, features: Keys) -> Values:
        """Equation 5 for one occurrence of each feature at its template position; NaN if that is unknown."""
        if not len(self.key):
            return np.full(len(keys), np.nan)
        index = self.find(keys)
        found = find_keys(self.feature, combine(keys, features))
        distinction = np.append(self.distinction, 1.0)[found]  # index -1: not found
        return np.where(index >= 0, self.leaf_path[index] * distinction, np.nan)


def grow_structure_tree(counts: SiteCounts) -> StructureTree:
    """Compute the importance of every template position, from the root down."""
    position_key, depth = counts.positions.keys[:, 0], counts.positions.keys[:, 4].astype(np.int64)
    tags, leaf_tags = counts.positions.counts[:, 0], counts.positions.counts[:, 1]
    parent = find_keys(position_key, counts.positions.keys[:, 1])
    node = Styles(counts, position_key, tags, leaf_tags).entropy
    leaf = np.where(leaf_tags <= 1, 1.0, content_importance(counts.features, position_key, leaf_tags))
    missing = _products(1 - node, parent, depth)
    feature, distinction = _distinctions(counts, position_key, leaf_tags)
    leaf_path = 1 - missing * (1 - leaf)
    return StructureTree(
        position_key, parent, tags, leaf_tags, node, leaf, 1 - missing, leaf_path, feature, distinction
    )


def _products(values: Values, parent: NDArray[np.intp], depth: NDArray[np.int64]) -> Values:
    """The product of the values of each element and its ancestors."""
    products = values.copy()
    for level in np.unique(depth):
        below = np.flatnonzero((depth == level) & (parent >= 0))
        products[below] *= products[parent[below]]
    return products


def _distinctions(counts: SiteCounts, position_key: Keys, leaf_tags: NDArray[np.int64]) -> tuple[Keys, Values]:
    """(key of template position and feature, 1 - H), sorted."""
    owner, entropy = feature_entropies(counts.features, position_key, leaf_tags)
    key = combine(counts.features.keys[:, 0], counts.features.keys[:, 1])
    order = np.argsort(key, kind="stable")
    order = order[owner[order] >= 0]
    distinction = 1 - entropy[order]
    return key[order], np.where(distinction < _NOTHING, 0.0, distinction)
