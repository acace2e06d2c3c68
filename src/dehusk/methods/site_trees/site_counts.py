"""What a site's pages have in common, as counts: places, styles, the features in each leaf, and texts.

`count_page` counts one page and `add_counts` adds up; nothing else is needed to learn a site in parts. Features are
words, image sources and link targets, hashed to 64 bits. The sums that entropies need are whole numbers (see `_SCALE`).

Memory is bounded: every table has a most, and what goes first is decided by a hash of the key, so a table that is too
large becomes a fair sample of itself, the same one in whatever order pages come.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.methods.key_samples import MOST_SAMPLES, NO_SAMPLES, SAMPLE_LENGTH, Samples, add_samples, samples
from dehusk.methods.site_trees.template_positions import PlacedPage
from dehusk.methods.site_trees.text_rows import TextRows, Words, find_text_rows
from dehusk.methods.tallies import MOST_KEYS, Tally, add_tallies, empty_tally, tally
from dehusk.page.page_columns import Page, Rows
from dehusk.page.stable_hashing import Keys, combine, key_of_sequence, keys_of
from dehusk.page.style_keys import class_tokens
from dehusk.page.tags import TagSet

_SCALE: Final = 1 << 20
"""n log n is kept as a whole number of 2^-20ths, so that sums are exact in any order; the error of an entropy is below
a millionth."""

MOST_FEATURES: Final = 400_000
"""(place, feature) pairs kept of a site: about 13 MB in memory, 4 MB on disk."""


@dataclass(frozen=True, slots=True)
class SiteCounts:
    """Counts over some pages of a site."""

    pages: int
    places: Tally
    """(place, parent, own, identity, depth) -> pages with the place, pages on which it is a leaf. See `PlacedPage`."""
    styles: Tally
    """(place, style) -> pages."""
    children: Tally
    """(place, style, child place) -> pages."""
    features: Tally
    """(place, feature) -> occurrences n, sum over pages of n log n (scaled), pages."""
    texts: Tally
    """(text, place) of blocks -> pages, characters, those in links. A page counts where it has the text first."""
    targets: Tally
    """(address) of links -> pages."""
    contents: Tally
    """(all texts of a page) -> pages: equal pages have equal keys."""
    sample_texts: Samples
    """A text for each place that is a leaf."""
    labels: Samples
    """Tag and classes for each identity: `li.menu-item`."""


NOTHING_COUNTED: Final = SiteCounts(
    0,
    empty_tally(5, 2),
    empty_tally(2, 1),
    empty_tally(3, 1),
    empty_tally(2, 3),
    empty_tally(2, 3),
    empty_tally(1, 1),
    empty_tally(1, 1),
    NO_SAMPLES,
    NO_SAMPLES,
)


def count_page(placed: PlacedPage, blocks: Blocks, words_only: bool = False) -> SiteCounts:
    """The counts of one page. If asked, words are its only features."""
    page, key = placed.page, placed.key
    nodes = np.flatnonzero(placed.node)
    inner = np.flatnonzero(placed.node & ~placed.is_leaf)
    children = np.flatnonzero(placed.parent >= 0)
    parents = placed.parent[children]
    parent_key = np.where(placed.parent[nodes] >= 0, key[placed.parent[nodes]], np.uint64(0))
    place = [key[nodes], parent_key, placed.own[nodes], placed.identity[nodes], page.depth[nodes].astype(np.uint64)]
    one = np.ones(len(page), dtype=np.int64)
    texts = find_text_rows(blocks, placed.leaf >= 0)
    content = _content_key(texts)
    return SiteCounts(
        pages=1,
        places=tally(place, [one[nodes], placed.is_leaf[nodes]]),
        styles=tally([key[inner], placed.style[inner]], [one[inner]]),
        children=tally([key[parents], placed.style[parents], key[children]], [one[children]]),
        features=_count_features(placed, texts.words, words_only),
        texts=_count_texts(placed, texts),
        targets=_distinct(keys_of([target for _, target in link_targets(page)])),
        contents=_distinct(content),
        sample_texts=_sample_texts(placed, content),
        labels=_labels(placed, nodes),
    )


def add_counts(parts: Sequence[SiteCounts]) -> SiteCounts:
    """The counts over all pages of the parts."""
    return SiteCounts(
        pages=sum(part.pages for part in parts),
        places=add_tallies([part.places for part in parts], MOST_KEYS),
        styles=add_tallies([part.styles for part in parts], MOST_KEYS),
        children=add_tallies([part.children for part in parts], MOST_KEYS),
        features=add_tallies([part.features for part in parts], MOST_FEATURES),
        texts=add_tallies([part.texts for part in parts], MOST_KEYS),
        targets=add_tallies([part.targets for part in parts], MOST_KEYS),
        contents=add_tallies([part.contents for part in parts], MOST_KEYS),
        sample_texts=add_samples([part.sample_texts for part in parts], MOST_SAMPLES),
        labels=add_samples([part.labels for part in parts], MOST_SAMPLES),
    )


def add_up(parts: Iterable[SiteCounts], most_at_once: int = 64) -> SiteCounts:
    """The same as `add_counts`, with only so many parts in memory at a time."""
    waiting = [NOTHING_COUNTED]
    for part in parts:
        waiting.append(part)
        if len(waiting) >= most_at_once:
            waiting = [add_counts(waiting)]
    return add_counts(waiting)


def entropies(features: Tally, pages: NDArray[np.int64]) -> NDArray[np.float64]:
    """float64, from 0 to 1: H of each feature over the pages with its place (equation 5); `pages` has one entry each.

    With n_j occurrences on page j and N in all, -sum (n_j/N) log (n_j/N) = log N - (sum n_j log n_j) / N.
    """
    occurrences, scaled = features.counts[:, 0], features.counts[:, 1] / _SCALE
    natural = np.log(occurrences) - scaled / occurrences
    most = np.log(np.maximum(pages, 1))  # a damaged model may say that a place is on no page
    return np.clip(np.divide(natural, most, out=np.zeros(len(features)), where=pages > 1), 0.0, 1.0)


def link_targets(page: Page) -> list[tuple[int, str]]:
    """(row, address) of every link, without query and fragment: sessions and returns change them from page to page.

    A link within the page has the empty address, the same on every page: it is navigation as well.
    """
    is_link = page.tagged(TagSet.LINK)
    hrefs = page.with_attribute("href")
    return [(row, href.partition("#")[0].partition("?")[0].strip()) for row, href in hrefs if is_link[row]]


def _count_features(placed: PlacedPage, words: Words, words_only: bool) -> Tally:
    rows, features = (words.row, words.key) if words_only else _features(placed, words)
    on_page = tally([placed.key[placed.leaf[rows]], features], [np.ones(len(rows), dtype=np.int64)])
    count = on_page.counts[:, 0]
    scaled = np.rint(count * np.log(count) * _SCALE).astype(np.int64)
    return Tally(on_page.keys, np.stack([count, scaled, np.ones_like(count)], axis=1))


def _features(placed: PlacedPage, words: Words) -> tuple[Rows, Keys]:
    """(row, feature key) of every word, image source and link target in the tree."""
    page = placed.page
    addresses = [(row, name + value) for name in ("src ", "href ") for row, value in page.with_attribute(name.strip())]
    addresses = [(row, address) for row, address in addresses if placed.leaf[row] >= 0]
    rows = np.array([row for row, _ in addresses], dtype=np.int32)
    features = keys_of([address for _, address in addresses])
    return np.concatenate([words.row, rows]), np.concatenate([words.key, features])


def _count_texts(placed: PlacedPage, texts: TextRows) -> Tally:
    """Texts of blocks, each with the place it begins in."""
    with_text = np.flatnonzero(texts.size)
    leaf = placed.leaf[texts.blocks.first_row[with_text]]
    place = np.where(leaf >= 0, placed.key[leaf], np.uint64(0))
    in_link = placed.page.covered(placed.page.tagged(TagSet.LINK)) > 0
    linked = texts.sum_of_blocks(texts.length * in_link[texts.row])
    is_first = np.zeros(len(with_text), dtype=np.int64)
    is_first[np.unique(texts.text[with_text], return_index=True)[1]] = 1
    return tally([texts.text[with_text], place], [is_first, texts.size[with_text], linked[with_text]])


def _content_key(texts: TextRows) -> Keys:
    """One key for all texts of the page in their order; none for a page without text."""
    return key_of_sequence(texts.text[texts.size > 0])


def _distinct(keys: Keys) -> Tally:
    distinct = np.unique(keys)
    return Tally(distinct[:, None], np.ones((len(distinct), 1), dtype=np.int64))


def _sample_texts(placed: PlacedPage, content: Keys) -> Samples:
    page = placed.page
    leaves = np.flatnonzero(placed.is_leaf & (page.subtree_sums(page.text_length) > 0))
    # White space is folded; four times the length is enough of it for most leaves, and bounded for all.
    start, end = page.text_start[leaves], np.minimum(page.text_end[leaves], page.text_start[leaves] + 4 * SAMPLE_LENGTH)
    spans = zip(start.tolist(), end.tolist(), strict=True)
    texts = [" ".join(page.text[first:last].split()) for first, last in spans]
    rank = combine(placed.key[leaves], np.resize(content, len(leaves)))
    return samples(placed.key[leaves], rank, texts)


def _labels(placed: PlacedPage, nodes: NDArray[np.intp]) -> Samples:
    page = placed.page
    identities, first = np.unique(placed.identity[nodes], return_index=True)
    classes = dict(page.with_attribute("class"))
    labels = [_label(page.tag_name(row), classes.get(row, "")) for row in nodes[first].tolist()]
    return samples(identities, identities, labels)


@lru_cache(maxsize=10_000)
def _label(tag: str, classes: str) -> str:
    # The root is one place whatever its class names are, so it is shown without.
    return ".".join([tag, *sorted(class_tokens(classes) if tag != "body" else ())])
