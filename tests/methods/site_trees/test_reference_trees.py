"""Both papers' trees, with merging, equal the recursive ones of `reference_trees` on small random sites."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import reference_trees as reference
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_trees import Element, Node
from thoroughness import examples

import dehusk
from dehusk.methods.site_trees.structure_weights import StructureWeights
from dehusk.methods.site_trees.style_tree import StyleTree
from dehusk.methods.site_trees.template_positions import Matching, PositionedPage
from dehusk.page.page_columns import Page
from dehusk.page.stable_hashing import combine

_TEXTS = st.lists(st.sampled_from("home shop help tea pot cup leaf mint".split()), min_size=1, max_size=3).map(" ".join)
_TAGS = st.sampled_from(["div", "div", "nav", "section", "div class=post-1", "div class=post-2"])
_IMAGES = st.sampled_from(["<img src=a>", "<img src=b>"])


@st.composite
def bodies(draw: st.DrawFn) -> list[str]:
    """Pages built from a few parts, so that the same parts come in several styles."""
    parts = draw(st.lists(_TEXTS | _IMAGES, min_size=2, max_size=4))
    for _ in range(draw(st.integers(1, 4))):
        tag = draw(_TAGS)
        inner = "".join(draw(st.lists(st.sampled_from(parts), min_size=1, max_size=3)))
        parts.append(f"<{tag}>{inner}</{tag.split()[0]}>")
    return draw(
        st.lists(st.lists(st.sampled_from(parts[::-1]), min_size=1, max_size=3).map("".join), min_size=1, max_size=6)
    )


def read(site: list[str]) -> list[Page]:
    return [dehusk.read_page(f"<body>{body}") for body in site]


def key_order(positioned: list[PositionedPage]) -> Callable[[Node], int]:
    """The key of a node before it is merged: dehusk tries pairs in this order."""

    def order(node: Node) -> int:
        page = positioned[node.page]
        row = np.array([node.row])
        return int(combine(page.key[page.parent[row]], page.own[row])[0])

    return order


def grown(pages: list[Page], positioned: list[PositionedPage], leaf_height: int, within_styles: bool) -> Element:
    words_only = within_styles
    nodes = [reference.page_tree(page, number, leaf_height, words_only) for number, page in enumerate(pages)]
    return reference.grow(nodes, key_order(positioned), within_styles)


def exact_style_tree(virtual_leaves: bool, threshold: float = 0.3) -> StyleTree:
    return StyleTree(matching=Matching.EXACT, virtual_leaves=virtual_leaves, threshold=threshold)


@settings(max_examples=examples(300), deadline=None)
@given(bodies(), st.booleans())
def test_the_style_tree_is_that_of_the_paper(site: list[str], virtual_leaves: bool) -> None:
    pages = read(site)
    model = exact_style_tree(virtual_leaves).fit(pages)
    positioned = [model._positions_of(page) for page in pages]
    elements = list(grown(pages, positioned, int(virtual_leaves), False).all_elements())
    keys = [{int(positioned[node.page].key[node.row]) for node in element.nodes} for element in elements]
    assert all(len(of_element) == 1 for of_element in keys)
    assert len(set.union(*keys)) == len(elements) == len(model.tree.key)
    index = model.tree.find(np.array([key for of_element in keys for key in of_element], dtype=np.uint64))
    assert model.tree.pages[index].tolist() == [len(element.nodes) for element in elements]
    assert model.tree.composite[index] == pytest.approx(list(map(reference.composite_importance, elements)), abs=2e-6)
    noisy = [reference.is_noisy(element, model.cut) for element in elements]
    meaningful = [reference.is_meaningful(element, model.cut) for element in elements]
    assert (model.marks.noisy[index].tolist(), model.marks.meaningful[index].tolist()) == (noisy, meaningful)


@settings(max_examples=examples(300), deadline=None)
@given(bodies(), st.integers(0, 2))
def test_the_structure_tree_is_that_of_the_paper(site: list[str], leaf_height: int) -> None:
    pages = read(site)
    model = StructureWeights(matching=Matching.EXACT, leaf_height=leaf_height).fit(pages)
    positioned = [model._positions_of(page) for page in pages]
    root = grown(pages, positioned, leaf_height, True)
    elements = list(root.all_elements())
    keys = [{int(positioned[node.page].key[node.row]) for node in element.nodes} for element in elements]
    assert all(len(of_element) == 1 for of_element in keys)
    assert len(set.union(*keys)) == len(elements) == len(model.tree.key)
    index = model.tree.find(np.array([key for of_element in keys for key in of_element], dtype=np.uint64))
    assert model.tree.tags[index].tolist() == [len(element.nodes) for element in elements]
    assert model.tree.node[index] == pytest.approx(list(map(reference.node_importance, elements)), abs=2e-6)
    if model.knows_a_template:
        for number, page in enumerate(pages):
            expected = reference.word_weights(root, number)
            assert model.word_weights(page) == pytest.approx(expected, abs=1e-5)


@settings(max_examples=examples(300), deadline=None)
@given(bodies(), bodies(), st.booleans(), st.sampled_from([0.1, 0.3, 0.6]))
def test_pages_are_mapped_as_in_figure_7(site: list[str], others: list[str], virtual: bool, threshold: float) -> None:
    pages = read(site)
    model = exact_style_tree(virtual, threshold).fit(pages)
    root = grown(pages, [model._positions_of(page) for page in pages], int(virtual), False)
    for page in [*pages[:2], *read([*site[:1], *others])[:4]]:
        body = reference.page_tree(page, 0, int(virtual), False)
        kept = {leaf.row for leaf in reference.map_page(root, body, threshold)}
        blocks = dehusk.segment(page)
        scores = model.score_blocks(blocks)
        keep = np.isnan(scores) | (scores >= np.float32(model.threshold))
        leaf = model._positions_of(page).leaf[blocks.first_row]
        if model.knows_a_template:
            assert {int(row) for row in leaf[keep]} == kept & {int(row) for row in leaf}


@settings(max_examples=examples(100), deadline=None)
@given(bodies(), st.booleans(), st.booleans())
def test_no_two_elements_that_are_left_are_similar(site: list[str], virtual: bool, within_styles: bool) -> None:
    method = (
        StructureWeights(matching=Matching.EXACT, leaf_height=virtual) if within_styles else exact_style_tree(virtual)
    )
    pages = read(site)
    model = method.fit(pages)
    root = grown(pages, [model._positions_of(page) for page in pages], int(virtual), within_styles)
    for element in root.all_elements():
        below = element.children()
        for number, one in enumerate(below):
            assert not any(reference.are_similar(one, other, within_styles) for other in below[number + 1 :])


def test_a_menu_with_two_inner_styles_is_one_element() -> None:
    # Its words are in another leaf on half of the pages each, but on all pages of the menu.
    inner = ["<ul>home shop help</ul>", "<p>home shop help</p>"]
    site = [f"{'<h2>notice</h2>' * (number // 2)}<nav>{inner[number % 2]}</nav>" for number in range(4)]
    pages = read(site)
    for method in (exact_style_tree(False), StructureWeights(matching=Matching.EXACT, leaf_height=0)):
        model = method.fit(pages)
        rows = [page.tag_names.index("nav") for page in pages]
        keys = {int(model._positions_of(page).key[row]) for page, row in zip(pages, rows, strict=True)}  # type: ignore[attr-defined]
        assert len(keys) == 1


def test_class_names_with_other_digits_are_other_attributes() -> None:
    # Three styles on three pages: by equation 1 the element is as important as can be.
    pages = read([f"<main><div class=post-{number}>same</div></main>" for number in (1, 2, 3)])
    row = pages[0].tag_names.index("main")
    for matching, importance in ((Matching.EXACT, 1.0), (Matching.ALIGNED, 0.0)):
        model = StyleTree(matching=matching, virtual_leaves=False).fit(pages)
        index = model.tree.find(model._positions_of(pages[0]).key[[row]])
        assert model.tree.node[index] == pytest.approx(importance)
