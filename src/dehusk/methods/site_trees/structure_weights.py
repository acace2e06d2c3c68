"""Structure weights: every word of a page weighs as much as its place on the site tells it apart.

Yi & Liu, "Web Page Cleaning for Web Mining through Feature Weighting", IJCAI 2003.

The idea: pages of a site are laid over each other in a *compressed structure tree*. Where presentation and words differ
from tag to tag, the site says something; where they are the same, it is noise. Nothing is cut off: the words of a page
get weights (equation 5), and clustering or classification works on the weighted vectors. See `places.path_importance`
for the equations and `places.merging` for similar elements.

    >>> import dehusk
    >>> pages = [dehusk.read_page(f"<body><p>Add to cart<p>{name} camera") for name in ("Canon", "Nikon", "Leica")]
    >>> weights = dehusk.StructureWeights().fit(pages).word_weights(pages[0])
    >>> {word: round(weight, 2) for word, weight in weights.items()}
    {'add': 0.0, 'to': 0.0, 'cart': 0.0, 'canon': 0.43, 'camera': 0.0}

Readings, beside those of `places.path_importance`:

* `matching="exact"` is the paper. The default is `aligned`, as in the style tree: it finds places again beside optional
  elements. Where it does not, an element has few tags, and what has one tag is important, be it template.
* Words in BODY are the features: images and addresses are no words, and titles stand outside.
* All pages share one BODY, whatever its attributes, so the virtual root above it has importance 0.
* *Virtual leaves* are the grandparents of leaf tags, as published; `leaf_height` changes it.
* Rules in the page's own `<style>` count as display attributes if selectors are simple: see `page.style_sheets`.

It cleans pages, too: a block scores the mean weight of its words, each as often as it is there. Hidden text scores 0.
On places that the site does not have, and on the title, the model has no opinion (NaN).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.errors import InvalidSetting, MissingExtra, enough_memory
from dehusk.methods.base import Reasons, Scores
from dehusk.methods.site_trees.counted_site import CountedSite
from dehusk.methods.site_trees.element_merging import merge_similar
from dehusk.methods.site_trees.importance import Values
from dehusk.methods.site_trees.path_importance import StructureTree, grow_structure_tree
from dehusk.methods.site_trees.site_counts import SiteCounts, add_up, count_page
from dehusk.methods.site_trees.template_positions import NOTHING_MERGED, Matching, Merged, PlacedPage, place_page
from dehusk.methods.site_trees.text_rows import Words, find_text_rows, words_of_blocks
from dehusk.page.page_columns import Page

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_HIGHEST_LEAF: Final = 100
"""Higher than that all pages are one leaf."""


@dataclass(frozen=True, slots=True)
class StructureWeights:
    """Settings, with the published values where there are any."""

    name: ClassVar[str] = "structure-weights"
    learns: ClassVar[bool] = True

    matching: Matching = Matching.ALIGNED
    """How places are found again on other pages: `aligned`, or `exact` as published."""
    leaf_height: int = 2
    """How many levels of elements a leaf may hold: 2 makes grandparents of leaf tags the leaves (section 3.3)."""
    merge_similar: bool = True
    """Whether similar elements are merged (section 3.2, step 3)."""
    characteristic_share: float = 0.85
    """Gamma: features on that share of an element's tags characterise it."""
    least_overlap: float = 0.85
    """Lambda: elements are similar whose characteristic features overlap that much."""
    style_sheets: bool = True
    """Whether the page's own style sheets count (section 3.1); aligned matching knows class names only."""
    word_noise: float = 0.2
    """Words that weigh less are noise where whole words are kept or dropped; see `noisy_words`. Of a hundred
    pages, that is what about forty have at the same place."""
    threshold: float = 0.1
    """For cleaning: blocks whose words weigh less on average are noise. The paper has none. Template weighs next to
    nothing, so on most sites low thresholds do alike, and the lower one loses less."""

    def __post_init__(self) -> None:
        if self.matching not in list(Matching):
            cause = f"{self.matching!r} is none of {', '.join(Matching)}"
            raise InvalidSetting("matching", cause, "see StructureWeights")
        object.__setattr__(self, "matching", Matching(self.matching))
        for setting in ("characteristic_share", "least_overlap", "word_noise", "threshold"):
            value = getattr(self, setting)
            if not 0 <= value <= 1:
                raise InvalidSetting(setting, f"{value} is outside 0 to 1", "see StructureWeights")
        if self.leaf_height not in range(_HIGHEST_LEAF + 1):
            cause = f"{self.leaf_height} is not a whole number from 0 to {_HIGHEST_LEAF}"
            raise InvalidSetting("leaf_height", cause, "see StructureWeights")

    def fit(self, pages: Iterable[Page] = ()) -> StructureWeightsModel:
        """Learn from pages of one site, in any order."""
        counts = (count_page(self.place(page), segment(page), words_only=True) for page in pages)
        return StructureWeightsModel(self, add_up(counts))

    def place(self, page: Page, merged: Merged = NOTHING_MERGED) -> PlacedPage:
        """The places of a page, as these settings see them."""
        return place_page(page, self.matching, self.leaf_height, merged, style_sheets=self.style_sheets)


@dataclass(frozen=True, eq=False)
class WeightedVectors:
    """Pages as weighted bags of words."""

    matrix: csr_matrix
    """float64, shape (pages, words)."""
    vocabulary: tuple[str, ...]
    """The word of each column, sorted."""


@dataclass(frozen=True, eq=False)
class StructureWeightsModel(CountedSite[StructureWeights]):
    """The counts of a site, and what they tell of its words. Without a template everything weighs the same."""

    settings_class = StructureWeights
    holds = "structure weights"

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
        """The words of a page, in their order, with the sum of their weights; words that are noise everywhere weigh 0.

        Where the site has no such place, a word weighs 1 each time. So do all if no two different pages were learnt.
        """
        words, weights = self._weigh(segment(page))
        total: dict[str, float] = {}
        for word, weight in zip(words.word, np.nan_to_num(weights, nan=1.0).tolist(), strict=True):
            total[word] = total.get(word, 0.0) + weight
        return total

    def vectors(self, pages: Iterable[Page]) -> WeightedVectors:
        """Pages as rows of a matrix of weights, for clustering and classification; words without weight are left out.

        Pages of several sites are weighed by the models of their sites: see `weighted_vectors`.
        """
        return weighted_vectors(map(self.word_weights, pages))

    def noisy_words(self, blocks: Blocks) -> dict[int, frozenset[str]]:
        """By block: the words that hardly weigh anything there."""
        words, weights = self._weigh(blocks)
        return words_of_blocks(words, weights < self.settings.word_noise)

    def score_blocks(self, blocks: Blocks) -> Scores:
        """The mean weight of each block's words; NaN where the model has no opinion."""
        words, weights = self._weigh(blocks)
        scores = _means(words.block, weights, len(blocks))
        scores[blocks.hidden] = 0.0
        return scores.astype(np.float32)

    def explain_blocks(self, blocks: Blocks) -> Reasons:
        """On how many tags the place is, and what it and the words weigh."""
        columns = (self.score_blocks(blocks).tolist(), self._positions(blocks).tolist(), blocks.hidden.tolist())
        return tuple(self._reasons(*of_block) for of_block in zip(*columns, strict=True))

    def match(self, page: Page) -> float:
        """From 0 to 1: the share of the page's leaves whose places the learnt pages have more than once.

        Pages of the site are well above, whatever family they are of; pages of another site are near 0.
        """
        return self._place(page).known_share(self.tree.place[self.tree.tags > 1])

    def _place(self, page: Page) -> PlacedPage:
        return self.settings.place(page, self._merged[1])

    def _weigh(self, blocks: Blocks) -> tuple[Words, Values]:
        """The words that show in BODY, and what each weighs; NaN at places that the site does not have."""
        placed = self._place(blocks.page)
        words = find_text_rows(blocks, placed.leaf >= 0).words
        if not self.knows_a_template:
            return words, np.full(len(words.word), np.nan)
        return words, self.tree.weights(placed.key[placed.leaf[words.row]], words.key)

    def _positions(self, blocks: Blocks) -> NDArray[np.intp]:
        """One entry a block: the position in the tree of the leaf it begins in; -1 where there is none."""
        placed = self._place(blocks.page)
        leaf = placed.leaf[blocks.first_row]
        return self.tree.find(np.where(leaf >= 0, placed.key[leaf], np.uint64(0)))

    def _reasons(self, score: float, position: int, hidden: bool) -> tuple[str, ...]:
        if hidden:
            return ("hidden text is no part of the tree",)
        if not self.knows_a_template:
            return ("no two different pages were learnt, so there is no template to know",)
        words = "no words to weigh" if np.isnan(score) else f"its words weigh {score:.2f} on average"
        if position < 0:
            new = f"no page of {self.pages:,} has this place: possibly meaningful"
            return (new,) if np.isnan(score) else (words, new)
        importance = self.tree.leaf_path[position]
        tags = f"this place has {int(self.tree.leaf_tags[position]):,} tags on {self.pages:,} pages"
        return words, f"{tags}, path importance {importance:.2f}"


@enough_memory("the vectors of pages")
def weighted_vectors(weights: Iterable[Mapping[str, float]]) -> WeightedVectors:
    """The matrix of some pages' word weights. Pages may be of different sites, each weighed by its own model."""
    try:
        from scipy.sparse import csr_matrix
    except ImportError as error:
        raise MissingExtra("scipy", "needed for vectors", "pip install 'dehusk[mining]'") from error
    pages = [{word: weight for word, weight in page.items() if weight > 0} for page in weights]
    vocabulary = sorted(set().union(*pages))
    column = {word: number for number, word in enumerate(vocabulary)}
    values = np.array([weight for page in pages for weight in page.values()], dtype=np.float64)
    columns = np.array([column[word] for page in pages for word in page], dtype=np.int64)
    starts = np.cumsum([0, *map(len, pages)])
    matrix = csr_matrix((values, columns, starts), shape=(len(pages), len(vocabulary)))
    matrix.sort_indices()
    return WeightedVectors(matrix, tuple(vocabulary))


def _means(groups: NDArray[np.intp], values: Values, number: int) -> Values:
    """The mean of the values of each of so many groups; NaN where it has none."""
    known = ~np.isnan(values)
    counted = np.bincount(groups[known], minlength=number)
    total = np.bincount(groups[known], weights=values[known], minlength=number)
    means: Values = np.full(number, np.nan)
    return np.divide(total, counted, out=means, where=counted > 0)
