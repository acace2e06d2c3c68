"""Marks and the simplified tree: section 3.4 and figures 4 to 6 of Yi, Liu & Li (2003)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from dehusk.methods.site_trees.importance import Mask, SiteTree
from dehusk.methods.site_trees.style_tree import StyleTree, StyleTreeModel
from dehusk.methods.site_trees.template_positions import Matching

PAGES = 12


def learn_figure_4(matching: Matching) -> StyleTreeModel:
    """A menu, a picture and a foot that never change, and a part with a fixed heading over a story that does."""
    html = (
        "<nav class=menu><ul class=items><li class=home>Home</li><li class=shop>Shop</li></ul></nav>"
        "<img class=logo src=logo.gif>"
        "<div class=main><h2 class=label>Review</h2>"
        "<article class=story><p class=first>first{0}</p><p class=second>second{0}</p></article></div>"
        "<footer class=end><p class=imprint>Imprint</p></footer>"
    )
    pages = [dehusk.read_page("<body>" + html.format(chr(97 + number) * 3)) for number in range(PAGES)]
    return StyleTree(matching=matching, virtual_leaves=False, threshold=0.2).fit(pages)


def names(model: StyleTreeModel, mask: Mask) -> set[str]:
    """Labels of the positions in a mask; every element of figure 4 has its own."""
    counts = model.merged_counts
    label = dict(zip(counts.labels.key.tolist(), counts.labels.text.tolist(), strict=True))
    return {label[identity] for identity in counts.positions.keys[mask, 3].tolist()}


@pytest.mark.parametrize("matching", list(Matching))
def test_the_tree_is_marked_and_simplified_as_in_figure_6(matching: Matching) -> None:
    model = learn_figure_4(matching)
    marks = model.marks
    maximal_noisy = {"nav.menu", "img.logo", "h2.label", "footer.end"}
    assert names(model, marks.noisy) == maximal_noisy | {"ul.items", "li.home", "li.shop", "p.imprint"}
    assert names(model, marks.meaningful) == {"article.story", "p.first", "p.second"}
    assert names(model, ~marks.noisy & ~marks.meaningful) == {"body", "div.main"}
    assert names(model, marks.maximal_noisy) == maximal_noisy
    assert names(model, marks.maximal_meaningful) == {"article.story"}
    assert names(model, marks.simplified) == {"body", "div.main", "article.story"} | maximal_noisy
    # BODY is less important than the threshold, and not noisy all the same: something in it is important.
    assert (model.tree.composite[model.tree.parent < 0] < 0.2).all()


@pytest.mark.parametrize("matching", list(Matching))
def test_the_root_is_one_place_whatever_its_classes(matching: Matching) -> None:
    pages = [dehusk.read_page(f"<body class='page {kind}'><p>Text {kind}</p>") for kind in ("home", "story", "list")]
    model = StyleTree(matching=matching).fit(pages)
    (root,) = np.flatnonzero(model.tree.parent < 0)
    assert model.tree.pages[root] == 3
    assert names(model, model.tree.parent < 0) == {"body"}


@st.composite
def trees(draw: st.DrawFn) -> SiteTree:
    """Any tree, with any importance at each place."""
    size = draw(st.integers(1, 30))
    parent = [-1, *(draw(st.integers(0, position - 1)) for position in range(1, size))]
    depth = [0] * size
    for position in range(1, size):
        depth[position] = depth[parent[position]] + 1
    importance = draw(st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.5, 1.0]), min_size=size, max_size=size))
    # The order of places is that of their keys, which are hashes: parents may come after their children.
    order = draw(st.permutations(range(size)))
    new = np.argsort(order)
    ones = np.ones(size, dtype=np.int64)
    return SiteTree(
        key=np.arange(size, dtype=np.uint64),
        parent=np.array([-1 if parent[old] < 0 else new[parent[old]] for old in order], dtype=np.intp),
        depth=np.array(depth, dtype=np.int64)[order],
        pages=ones,
        leaf_pages=ones,
        node=np.zeros(size),
        composite=np.array(importance)[order],
        content=np.full(size, np.nan),
    )


thresholds = st.sampled_from([0.0, 0.1, 0.15, 0.3, 1.0])


def children(tree: SiteTree, position: int) -> list[int]:
    return [int(child) for child in np.flatnonzero(tree.parent == position)]


def descendants(tree: SiteTree, position: int) -> list[int]:
    return [below for child in children(tree, position) for below in (child, *descendants(tree, child))]


def mark_noise(tree: SiteTree, position: int, threshold: float, marked: set[int]) -> bool:
    """Figure 5, word for word but for its early return: the siblings of an element that is not noisy are marked, too.

    The list is there for that: `all` of a generator would stop as the figure does.
    """
    below = [mark_noise(tree, child, threshold, marked) for child in children(tree, position)]
    if not all(below):
        return False
    if tree.composite[position] <= threshold:
        marked.add(position)
        return True
    return False


def mark_meaningful(tree: SiteTree, position: int, noisy: set[int], marked: set[int]) -> bool:
    """Meaningful: no descendant is noisy, nor the element itself."""
    below = [mark_meaningful(tree, child, noisy, marked) for child in children(tree, position)]
    if not all(below):
        return False
    if position not in noisy:
        marked.add(position)
        return True
    return False


@given(trees(), thresholds)
def test_marks_are_those_of_the_recursive_algorithms(tree: SiteTree, threshold: float) -> None:
    (root,) = np.flatnonzero(tree.parent < 0)
    noisy: set[int] = set()
    meaningful: set[int] = set()
    mark_noise(tree, int(root), threshold, noisy)
    mark_meaningful(tree, int(root), noisy, meaningful)
    marks = tree.mark(threshold)
    assert set(np.flatnonzero(marks.noisy).tolist()) == noisy
    assert set(np.flatnonzero(marks.meaningful).tolist()) == meaningful


@given(trees(), thresholds)
def test_marks_hold_for_all_below(tree: SiteTree, threshold: float) -> None:
    marks = tree.mark(threshold)
    assert not (marks.noisy & marks.meaningful).any()
    for position in range(len(tree.key)):
        below = descendants(tree, position)
        if marks.noisy[position]:
            assert marks.noisy[below].all()
        if marks.meaningful[position]:
            assert marks.meaningful[below].all()


@given(trees(), thresholds)
def test_simplified_is_what_is_left_without_all_below_maximal_elements(tree: SiteTree, threshold: float) -> None:
    marks = tree.mark(threshold)
    left = np.ones(len(tree.key), dtype=bool)
    for position in np.flatnonzero(marks.maximal_noisy | marks.maximal_meaningful).tolist():
        left[descendants(tree, position)] = False
    assert marks.simplified.tolist() == left.tolist()
    assert marks.simplified[tree.parent < 0].all()
    assert marks.simplified[marks.maximal_noisy | marks.maximal_meaningful].all()


@given(trees(), thresholds, thresholds)
def test_marks_are_monotone_in_the_threshold(tree: SiteTree, one: float, two: float) -> None:
    low, high = tree.mark(min(one, two)), tree.mark(max(one, two))
    assert (low.noisy <= high.noisy).all()
    assert (low.meaningful >= high.meaningful).all()
