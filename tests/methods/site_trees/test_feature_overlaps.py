"""Pages of an element with a feature anywhere inside, from counts of leaves and overlaps."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_sites import sites
from tag_soup import tag_soup
from thoroughness import examples

import dehusk
from dehusk.methods.site_trees.feature_overlaps import pages_inside
from dehusk.methods.site_trees.structure_weights import StructureWeights, StructureWeightsModel
from dehusk.methods.site_trees.template_positions import Matching
from dehusk.methods.site_trees.text_rows import find_text_rows
from dehusk.page.page_columns import Page


def counted_by_walking(model: StructureWeightsModel, pages: list[Page]) -> Counter[tuple[int, int]]:
    """(position, word) -> pages: every word counts once for every element around it."""
    found: Counter[tuple[int, int]] = Counter()
    for page in pages:
        positioned = model.settings.find_positions(page)
        words = find_text_rows(dehusk.segment(page), positioned.leaf >= 0).words
        on_page = set()
        for row, word in zip(words.row.tolist(), words.key.tolist(), strict=True):
            at = int(positioned.leaf[row])
            while at >= 0:
                on_page.add((int(positioned.key[at]), word))
                at = int(positioned.parent[at])
        found.update(on_page)
    return found


def counted(model: StructureWeightsModel, positions: list[int]) -> Counter[tuple[int, int]]:
    """The same for some positions that do not nest, from the counts of the model."""
    keys = model.counts.positions.keys
    around = np.full(len(keys), -1)
    for number, key in enumerate(keys[:, 0].tolist()):
        above = number
        while above >= 0 and int(keys[above, 0]) not in positions:
            parents = np.flatnonzero(keys[:, 0] == keys[above, 1])
            above = int(parents[0]) if len(parents) else -1
        around[number] = above
        assert key not in positions or above == number
    inside = pages_inside(model.counts.features, model.counts.overlaps, keys[:, 0], around)
    rows = zip(inside.keys.tolist(), inside.counts[:, 0].tolist(), strict=True)
    return Counter({(int(keys[index, 0]), word): number for (index, word), number in rows})


@settings(max_examples=examples(100), deadline=None)
@given(sites | st.lists(tag_soup.map(dehusk.read_page), max_size=3), st.sampled_from(Matching), st.integers(0, 2))
def test_a_page_counts_once_however_many_leaves_have_the_word(
    pages: list[Page], matching: Matching, height: int
) -> None:
    model = StructureWeights(matching=matching, leaf_height=height, style_sheets=False).fit(pages)
    walked = counted_by_walking(model, pages)
    positions = model.counts.positions.keys
    for depth in np.unique(positions[:, 4]).tolist():
        at_depth = positions[positions[:, 4] == depth, 0].tolist()
        expected = Counter({pair: number for pair, number in walked.items() if pair[0] in at_depth})
        assert counted(model, at_depth) == expected


@pytest.mark.parametrize(("doubled", "elements"), [(0, 1), (3, 2)])
def test_a_word_twice_on_a_page_is_on_one_page(doubled: int, elements: int) -> None:
    # In the first style "tea" is in two leaves of the menu on some pages, and on the other pages not at all.
    def menu(number: int) -> str:
        second = "tea" if number < doubled else f"pot{chr(97 + number)}"
        first = "tea" if number < doubled or not doubled else f"cup{chr(97 + number)}"
        return f"<nav><p>{first}</p><p>{second}</p></nav>"

    bodies = [menu(number) for number in range(6)] + ["<h2>notice</h2><nav><p>tea</p></nav>"] * 3
    pages = [dehusk.read_page(f"<body>{body}") for body in bodies]
    model = dehusk.StyleTree(matching=Matching.EXACT, virtual_leaves=False).fit(pages)
    keys = {int(model._positions_of(page).key[page.tag_names.index("nav")]) for page in pages}
    assert len(keys) == elements
