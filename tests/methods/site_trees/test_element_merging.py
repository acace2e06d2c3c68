"""Similar elements in different styles are merged: section 3.6 of Yi, Liu & Li (2003)."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_sites import sites
from thoroughness import examples

import dehusk
from dehusk.methods.site_models import add_counts
from dehusk.methods.site_trees.element_merging import merge_similar
from dehusk.methods.site_trees.site_counts import NOTHING_COUNTED, SiteCounts
from dehusk.methods.site_trees.style_tree import StyleTree, StyleTreeModel
from dehusk.methods.site_trees.template_positions import Matching, find_positions
from dehusk.page.page_columns import Page

EXACT = StyleTree(matching=Matching.EXACT, virtual_leaves=False)
WORDS = [f"word{chr(97 + number)}" for number in range(20)]
NOTICE = "<h2>notice</h2>"
"""One element more in front, and BODY has another style."""


def read(body: str) -> Page:
    return dehusk.read_page(f"<body>{body}")


def learn(bodies: list[str], settings: StyleTree = EXACT) -> StyleTreeModel:
    return settings.fit(map(read, bodies))


def menu(number: int, name: str = "nav") -> str:
    """An element that says the first so many words."""
    return f"<{name}><p>{' '.join(WORDS[:number])}</p></{name.split()[0]}>"


def counted(counts: SiteCounts, label: str) -> list[int]:
    """On how many pages each place of a label is."""
    identity = counts.labels.key[counts.labels.text == label]
    return sorted(counts.positions.counts[np.isin(counts.positions.keys[:, 3], identity), 0].tolist())


def importance(model: StyleTreeModel, label: str) -> list[float]:
    counts = model.merged_counts
    identity = counts.labels.key[counts.labels.text == label]
    return model.tree.composite[np.isin(counts.positions.keys[:, 3], identity)].tolist()


def test_similar_elements_in_two_styles_are_one_and_so_is_what_is_in_them() -> None:
    model = learn([menu(20)] * 4 + [NOTICE + menu(20)] * 3)
    assert counted(model.counts, "nav") == counted(model.counts, "p") == [3, 4]
    assert counted(model.merged_counts, "nav") == counted(model.merged_counts, "p") == [7]
    assert counted(model.merged_counts, "h2") == [3]


def test_all_counts_of_merged_elements_are_sums() -> None:
    model = learn([menu(20)] * 4 + [NOTICE + menu(20)] * 3)
    before, after = model.counts, model.merged_counts
    for name in ("positions", "styles", "children", "features", "texts"):
        assert getattr(before, name).counts.sum(axis=0).tolist() == getattr(after, name).counts.sum(axis=0).tolist()
    assert len(after.features) == 20 + 1
    assert set(after.features.counts[:, 0].tolist()) == {7, 3}


def test_importance_is_that_of_the_merged_element() -> None:
    # Of twenty words 17 are on all eight pages (entropy 1), three on four of them (log 4 / log 8).
    model = learn([menu(20)] * 4 + [NOTICE + menu(17)] * 4)
    (leaf,) = importance(model, "p")
    assert leaf == pytest.approx(1 - (17 + 3 * 2 / 3) / 20)
    assert importance(model, "nav") == [pytest.approx(0.9 * leaf)]


@pytest.mark.parametrize(("shared", "positions"), [(20, 1), (18, 1), (17, 1), (16, 2), (1, 2)])
def test_elements_are_similar_from_an_overlap_of_85_per_cent(shared: int, positions: int) -> None:
    model = learn([menu(20)] * 4 + [NOTICE + menu(shared)] * 4)
    assert len(counted(model.merged_counts, "nav")) == positions


@pytest.mark.parametrize(("pages", "positions"), [(20, 1), (18, 1), (17, 1), (16, 2)])
def test_features_are_characteristic_from_85_per_cent_of_the_pages(pages: int, positions: int) -> None:
    # On the other pages the menu says something else each time, so it has no other characteristic feature.
    seldom = [f"<nav><p>other{chr(97 + number)}</p></nav>" for number in range(20 - pages)]
    model = learn([menu(1)] * pages + seldom + [NOTICE + menu(1)] * 3)
    assert len(counted(model.merged_counts, "nav")) == positions


@pytest.mark.parametrize(("share", "overlap"), [(0.85, 0.85), (0.0, 0.0)])
def test_elements_that_say_nothing_are_not_similar(share: float, overlap: float) -> None:
    empty = "<nav><p></p></nav>"
    counts = learn([empty] * 4 + [NOTICE + empty] * 4).counts
    merged, places = merge_similar(counts, share, overlap)
    assert counted(merged, "nav") == [4, 4]
    assert len(places.key) == 0


@pytest.mark.parametrize("other", ["section", "nav class=other", "nav bgcolor=red"])
def test_elements_of_another_tag_or_other_attributes_are_not_similar(other: str) -> None:
    model = learn([menu(20)] * 4 + [NOTICE + menu(20, other)] * 4)
    assert model.merged_counts == model.counts
    assert counted(model.merged_counts, "p") == [4, 4]


def test_elements_that_are_together_on_a_page_are_not_merged() -> None:
    model = learn([menu(20) * 2] * 4)
    assert counted(model.merged_counts, "nav") == [4, 4]


def test_an_element_is_merged_with_one_of_two_that_are_together() -> None:
    model = learn([menu(20) * 2] * 4 + [menu(20)] * 3)
    assert counted(model.merged_counts, "nav") == [4, 7]


def test_elements_within_merged_ones_are_merged_in_turn() -> None:
    # Within the menu the list comes in two styles as well; only if the menus are one are these styles of one element.
    inner = f"<ul><li>{' '.join(WORDS)}</li></ul>"
    bodies = [f"<nav>{inner}</nav>"] * 4 + [f"{NOTICE}<nav><hr>{inner}</nav>"] * 3
    model = learn(bodies)
    assert counted(model.counts, "ul") == counted(model.counts, "li") == [3, 4]
    assert counted(model.merged_counts, "ul") == counted(model.merged_counts, "li") == [7]


def test_pages_find_the_positions_they_were_merged_to() -> None:
    inner = f"<ul><li>{' '.join(WORDS)}</li></ul>"
    pages = [read(f"<nav>{inner}</nav>"), read(f"{NOTICE}<nav><hr>{inner}</nav>")]
    model = EXACT.fit(pages * 3)
    _, merged = merge_similar(model.counts, 0.85, 0.85)
    for tag in ("nav", "ul", "li"):
        keys = set()
        for page in pages:
            placed = find_positions(page, Matching.EXACT, False, merged)
            keys.add(int(placed.key[page.tag_names.index(tag)]))
        (position,) = model.tree.find(np.array(list(keys), dtype=np.uint64)).tolist()
        assert model.tree.pages[position] == 6


def test_a_menu_that_has_moved_on_one_page_is_dropped_there_as_well() -> None:
    bodies = [f"{menu(20)}<main><p>story{chr(97 + number)}</p></main>" for number in range(9)]
    moved = f"{NOTICE}{menu(20)}<main><p>storyz</p></main>"
    merging, literal = EXACT, StyleTree(matching=Matching.EXACT, virtual_leaves=False, merge_similar=False)
    assert "worda" not in dehusk.clean(read(moved), learn([*bodies, moved], merging)).text
    assert "worda" in dehusk.clean(read(moved), learn([*bodies, moved], literal)).text


@cache
def pages_in_styles() -> tuple[Page, ...]:
    """Six styles of BODY, with elements alike, nearly alike and not alike, and differences below them."""
    inner = f"<ul><li>{' '.join(WORDS)}</li></ul>"
    bodies = [
        menu(20) * 2,
        NOTICE + menu(19) + menu(20),
        NOTICE * 2 + menu(18),
        NOTICE * 3 + menu(17) + menu(3),
        NOTICE * 4 + f"<nav><hr>{inner}</nav>",
        NOTICE * 5 + f"<nav>{inner}</nav>" + menu(20),
    ]
    return tuple(map(read, bodies * 2))


@cache
def counts_in_styles() -> tuple[list[SiteCounts], StyleTreeModel]:
    """(Counts of each page, the model of all)."""
    whole = EXACT.fit(pages_in_styles())
    assert len(whole.merged_counts.positions) < len(whole.counts.positions)
    return [EXACT.fit([page]).counts for page in pages_in_styles()], whole


@given(st.permutations(range(12)), st.integers(0, 12))
def test_what_is_merged_does_not_depend_on_the_order_or_the_parts(order: list[int], cut: int) -> None:
    parts, whole = counts_in_styles()
    first, second = (
        add_counts([NOTHING_COUNTED, *(parts[number] for number in part)]) for part in (order[:cut], order[cut:])
    )
    model = StyleTreeModel(EXACT, first) + StyleTreeModel(EXACT, second)
    assert model.merged_counts == whole.merged_counts
    np.testing.assert_array_equal(model.tree.composite, whole.tree.composite)


@settings(max_examples=examples(50))
@given(sites)
def test_aligned_positions_have_nothing_to_merge(pages: list[Page]) -> None:
    # The second of a kind is only where the first is, too: they are together on a page. So the model does not even try.
    model = StyleTree(matching=Matching.ALIGNED, virtual_leaves=False).fit(pages)
    counts, merged = merge_similar(model.counts, 0.85, 0.85)
    assert counts == model.counts == model.merged_counts
    assert len(merged.key) == 0


def test_thousands_of_children_alike_are_compared_with_a_few() -> None:
    many = "<p>same</p>" * 2_000
    model = learn([many, NOTICE + many])
    assert len(model.counts.positions) == 1 + 2 * 2_000 + 1
    merged = len(model.counts.positions) - len(model.merged_counts.positions)
    assert 0 < merged <= 32


def test_thousands_of_children_that_differ_are_compared_with_a_few() -> None:
    many = "".join(f"<p>same{chr(97 + number % 26)}{chr(97 + number // 26)}</p>" for number in range(600))
    model = learn([many, NOTICE + many])
    assert len(model.counts.positions) - len(model.merged_counts.positions) <= 32


def test_elements_that_are_merged_at_every_depth_take_a_moment_only() -> None:
    depth = 60
    bodies = ["".join(f"{rule}<p>same words</p><div>" for _ in range(depth)) for rule in ("", "<hr>")]
    assert counted(learn(bodies).merged_counts, "div") == [1, 1] + [2] * (depth - 1)  # the innermost say nothing
