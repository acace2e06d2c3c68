"""The counts of a site's pages: template positions, styles, the features in each leaf, and texts.

`count_page` counts one page and `add_counts` adds up, so a site can be learnt in parts. Features are words, image
sources and link targets, hashed to 64 bits. The sums that entropies need are integers (see `_SCALE`).

Memory is bounded: every table has a maximum size, and a hash of the key decides what is dropped first, so a table that
is too large becomes a fair sample of itself, independent of the order of pages.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.methods.key_samples import SAMPLE_LENGTH, Samples, samples
from dehusk.methods.site_models import CountTables
from dehusk.methods.site_trees.feature_overlaps import count_overlaps
from dehusk.methods.site_trees.template_positions import Matching, PositionedPage
from dehusk.methods.site_trees.text_rows import TextRows, Words, find_text_rows
from dehusk.methods.tallies import Tally, count_once, is_first, tally
from dehusk.page.page_columns import Page, Rows
from dehusk.page.stable_hashing import Keys, combine, key_of_sequence, keys_of
from dehusk.page.tags import TagSet

_SCALE: Final = 1 << 20
"""n log n is stored as an integer number of 2^-20ths, so that sums are exact in any order; the error of an entropy is
below a millionth."""

MOST_FEATURES: Final = 400_000
"""(position, feature) pairs kept for a site: about 13 MB in memory, 4 MB on disk."""
_DEPTH: Final = 4
"""The key column that holds the depth of a template position."""
_DEEPEST: Final = 4_096
"""Most ancestors of a template position: eight times the default of `Limits.depth`. Trees are built level by level."""


@dataclass(frozen=True)
class SiteCounts(CountTables):
    """Counts over some pages of a site. A position is the key of a template position (see `PositionedPage`)."""

    shapes: ClassVar = {
        "positions": (5, 2),
        "styles": (2, 1),
        "children": (3, 1),
        "features": (2, 3),
        "overlaps": (2, 2),
        "texts": (2, 3),
        "targets": (1, 1),
        "contents": (1, 1),
    }
    largest: ClassVar = {"features": MOST_FEATURES, "overlaps": MOST_FEATURES}
    pages_columns: ClassVar = {"features": 2}
    stored_names: ClassVar = {"positions": "places"}

    positions: Tally
    """(position, parent, own, identity, depth) -> pages with the position, pages on which it is a leaf."""
    styles: Tally
    """(position, style) -> pages."""
    children: Tally
    """(position, style, child position) -> pages."""
    features: Tally
    """(position, feature) -> occurrences n, sum over pages of n log n (scaled), pages."""
    overlaps: Tally
    """(position, feature) -> pages, and how many leaves with it too many they have there: see `feature_overlaps`. Empty
    where elements are never merged."""
    texts: Tally
    """(text, position) of blocks -> pages, characters, characters in links. A page counts at its first occurrence."""
    targets: Tally
    """(link target) -> pages."""
    contents: Tally
    """(all texts of a page) -> pages: equal pages have equal keys."""
    sample_texts: Samples
    """A text for each position that is a leaf."""
    labels: Samples
    """Tag and classes for each identity: `li.menu-item`."""

    @classmethod
    def check_counts(cls, name: str, table: Tally) -> None:
        stored, counts = cls.stored_names.get(name, name), table.counts
        if (counts < 0).any() or (counts[:, :1] < (0 if name == "texts" else 1)).any():
            raise ValueError(f"{stored}: impossible counts")
        if name == "positions" and table.keys[:, _DEPTH].max(initial=0) > _DEEPEST:
            raise ValueError(f"{stored}: deeper than a page can be")
        if name == "positions" and (counts[:, 1] > counts[:, 0]).any():
            raise ValueError(f"{stored}: leaves on more pages than contain them")


NOTHING_COUNTED: Final = SiteCounts.of_no_pages()


def count_page(
    positioned: PositionedPage, blocks: Blocks, *, words_only: bool = False, for_merging: bool = True
) -> SiteCounts:
    """The counts of one page.

    `words_only` leaves out image sources and link targets; without `for_merging`, overlaps are not counted.
    """
    page, key = positioned.page, positioned.key
    nodes = np.flatnonzero(positioned.node)
    inner = np.flatnonzero(positioned.node & ~positioned.is_leaf)
    children = np.flatnonzero(positioned.parent >= 0)
    parents = positioned.parent[children]
    parent_key = np.where(positioned.parent[nodes] >= 0, key[positioned.parent[nodes]], np.uint64(0))
    depth = page.depth[nodes].astype(np.uint64)
    position = [key[nodes], parent_key, positioned.own[nodes], positioned.identity[nodes], depth]
    one = np.ones(len(page), dtype=np.int64)
    texts = find_text_rows(blocks, positioned.leaf >= 0)
    content = key_of_sequence(texts.text[texts.size > 0])
    rows, features = (texts.words.row, texts.words.key) if words_only else _features(positioned, texts.words)
    overlapping = slice(None) if for_merging else slice(0)
    return SiteCounts(
        pages=1,
        positions=tally(position, [one[nodes], positioned.is_leaf[nodes]]),
        styles=tally([key[inner], positioned.style[inner]], [one[inner]]),
        children=tally([key[parents], positioned.style[parents], key[children]], [one[children]]),
        features=_count_features(positioned, rows, features),
        overlaps=count_overlaps(positioned, rows[overlapping], features[overlapping]),
        texts=_count_texts(positioned, texts),
        targets=count_once(keys_of([target for _, target in link_targets(page)])),
        contents=count_once(content),
        sample_texts=_sample_texts(positioned, content),
        labels=_labels(positioned, nodes),
    )


def entropies(features: Tally, pages: NDArray[np.int64]) -> NDArray[np.float64]:
    """float64, from 0 to 1: H of each feature over the `pages` with its position, one entry each (equation 5).

    With n_j occurrences on page j and N in all, -sum (n_j/N) log (n_j/N) = log N - (sum n_j log n_j) / N.
    """
    occurrences, scaled = features.counts[:, 0], features.counts[:, 1] / _SCALE
    natural = np.log(occurrences) - scaled / occurrences
    most = np.log(np.maximum(pages, 1))  # in a damaged model a position may be on no page
    return np.clip(np.divide(natural, most, out=np.zeros(len(features)), where=pages > 1), 0.0, 1.0)


def link_targets(page: Page) -> list[tuple[int, str]]:
    """(row, address) of every link, without query and fragment: session and return parameters vary from page to page.

    A link within the page has an empty address, the same on every page: it is navigation as well.
    """
    is_link = page.tagged(TagSet.LINK)
    hrefs = page.with_attribute("href")
    return [(row, href.partition("#")[0].partition("?")[0].strip()) for row, href in hrefs if is_link[row]]


def _count_features(positioned: PositionedPage, rows: Rows, features: Keys) -> Tally:
    on_page = tally([positioned.key[positioned.leaf[rows]], features], [np.ones(len(rows), dtype=np.int64)])
    count = on_page.counts[:, 0]
    scaled = np.rint(count * np.log(count) * _SCALE).astype(np.int64)
    return Tally(on_page.keys, np.stack([count, scaled, np.ones_like(count)], axis=1))


def _features(positioned: PositionedPage, words: Words) -> tuple[Rows, Keys]:
    """(row, feature key) of every word, image source and link target in the tree."""
    page = positioned.page
    addresses = [(row, name + value) for name in ("src ", "href ") for row, value in page.with_attribute(name.strip())]
    addresses = [(row, address) for row, address in addresses if positioned.leaf[row] >= 0]
    rows = np.array([row for row, _ in addresses], dtype=np.int32)
    features = keys_of([address for _, address in addresses])
    return np.concatenate([words.row, rows]), np.concatenate([words.key, features])


def _count_texts(positioned: PositionedPage, texts: TextRows) -> Tally:
    """The texts of blocks, each with the template position it begins at."""
    with_text = np.flatnonzero(texts.size)
    leaf = positioned.leaf[texts.blocks.first_row[with_text]]
    position_key = np.where(leaf >= 0, positioned.key[leaf], np.uint64(0))
    in_link = positioned.page.covered(positioned.page.tagged(TagSet.LINK)) > 0
    linked = texts.sum_of_blocks(texts.length * in_link[texts.row])
    key = texts.text[with_text]
    return tally([key, position_key], [is_first(key), texts.size[with_text], linked[with_text]])


def _sample_texts(positioned: PositionedPage, content: Keys) -> Samples:
    page = positioned.page
    leaves = np.flatnonzero(positioned.is_leaf & (page.subtree_sums(page.text_length) > 0))
    # White space is collapsed; four times the sample length is enough for most leaves, and bounded for all.
    start, end = page.text_start[leaves], np.minimum(page.text_end[leaves], page.text_start[leaves] + 4 * SAMPLE_LENGTH)
    spans = zip(start.tolist(), end.tolist(), strict=True)
    texts = [" ".join(page.text[first:last].split()) for first, last in spans]
    rank = combine(positioned.key[leaves], np.resize(content, len(leaves)))
    return samples(positioned.key[leaves], rank, texts)


def _labels(positioned: PositionedPage, nodes: NDArray[np.intp]) -> Samples:
    page = positioned.page
    identities, first = np.unique(positioned.identity[nodes], return_index=True)
    rows = nodes[first].tolist()
    names = page.class_names if positioned.matching is Matching.ALIGNED else _names_as_written(page)
    labels = [_label(page.tag_name(row), names[row]) for row in rows]
    return samples(identities, identities, labels)


def _names_as_written(page: Page) -> dict[int, str]:
    """By row, its class names, sorted, with full stops between them."""
    written = {row: ".".join(sorted(set(classes.split()))) for row, classes in page.with_attribute("class")}
    return defaultdict(str, written)


def _label(tag: str, names: str) -> str:
    # The root is one position whatever its class names, so they are not shown.
    return f"{tag}.{names}" if names and tag != "body" else tag
