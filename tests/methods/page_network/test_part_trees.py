"""Parts within parts, and what blocks hear of each other."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from thoroughness import examples
from written_pages import part_tree

import dehusk
from dehusk.methods.page_network import part_trees
from dehusk.methods.page_network.part_trees import PartTree, evidence_from_others, tree_of_parts

MOST = np.log((1 + part_trees._BLOCK_LIKE_PART) / (1 - part_trees._BLOCK_LIKE_PART))

LIST_AND_TEXT = "<body><div><ul><li>one<li>two</ul><p>three</div><p>four</body>"


def trees() -> st.SearchStrategy[PartTree]:
    """Trees of pages with a few blocks, some in lists within lists."""
    item = st.recursive(
        st.just("<p>text</p>"), lambda inner: st.lists(inner, min_size=1, max_size=3).map(_in_div), max_leaves=6
    )
    return item.map(lambda body: part_tree(dehusk.segment(dehusk.read_page(f"<body>{body}<p>end</body>"))))


def _in_div(parts: list[str]) -> str:
    return f"<div>{''.join(parts)}</div>"


def by_counting(logits: np.ndarray, tree: PartTree) -> np.ndarray:
    """The same by adding up all ways in which blocks and parts can be content."""
    parts, blocks = len(tree.parent), len(tree.of_block)
    odds = np.exp(part_trees._HEARD * logits)
    weight = np.zeros((blocks, 2))
    for state in product((0, 1), repeat=parts + blocks):
        of_part, of_block = state[:parts], state[parts:]
        likely = 1.0
        for part in range(1, parts):
            likely *= 1 + part_trees._PART_LIKE_PART * (1 if of_part[part] == of_part[tree.parent[part]] else -1)
        for block in range(blocks):
            same = of_block[block] == of_part[tree.of_block[block]]
            likely *= 1 + part_trees._BLOCK_LIKE_PART * (1 if same else -1)
        for block in range(blocks):
            others = np.prod([odds[other] ** of_block[other] for other in range(blocks) if other != block])
            weight[block, of_block[block]] += likely * others
    return np.log(weight[:, 1] / weight[:, 0])


class TestTree:
    def test_parts_of_a_page(self) -> None:
        tree = part_tree(dehusk.segment(dehusk.read_page(LIST_AND_TEXT)))
        slices = list(zip(tree.first.tolist(), tree.last.tolist(), strict=True))
        assert slices == [(0, 4), (0, 3), (0, 2)]
        assert tree.parent.tolist() == [0, 0, 1]
        assert [slices[part] for part in tree.of_block.tolist()] == [(0, 2), (0, 2), (0, 3), (0, 4)]

    def test_means_outwards(self) -> None:
        tree = part_tree(dehusk.segment(dehusk.read_page(LIST_AND_TEXT)))
        values, weights = np.array([1.0, 0.0, 4.0, 7.0]), np.array([3.0, 1.0, 2.0, 2.0])
        assert tree.means(values, weights, 0).tolist() == [0.75, 0.75, 11 / 6, 25 / 8]
        assert tree.means(values, weights, 1).tolist() == [11 / 6, 11 / 6, 11 / 6, 25 / 8]

    def test_means_stay_within_parts_of_the_page(self) -> None:
        tree = part_tree(dehusk.segment(dehusk.read_page(LIST_AND_TEXT)))
        values, weights = np.array([1.0, 0.0, 4.0, 7.0]), np.array([3.0, 1.0, 2.0, 2.0])
        assert tree.means(values, weights, 9).tolist() == tree.means(values, weights, 1).tolist()

    def test_page_without_blocks(self) -> None:
        none = np.zeros((0, 5), dtype=np.int32)
        tree = tree_of_parts(none, none)
        assert evidence_from_others(np.zeros(0), tree).tolist() == []
        assert tree.means(np.zeros(0), np.zeros(0), 2).tolist() == []


class TestAgreement:
    @settings(max_examples=examples(30))
    @given(trees(), st.randoms(use_true_random=False))
    def test_as_counted(self, tree: PartTree, random: object) -> None:
        logits = np.array([random.uniform(-8, 8) for _ in tree.of_block])  # type: ignore[attr-defined]
        assert evidence_from_others(logits, tree) == pytest.approx(by_counting(logits, tree), abs=1e-6)

    def test_a_block_alone_hears_nothing(self) -> None:
        tree = part_tree(dehusk.segment(dehusk.read_page("<p>text")))
        assert evidence_from_others(np.array([5.0]), tree).tolist() == [0.0]

    def test_the_closer_the_louder(self) -> None:
        tree = part_tree(dehusk.segment(dehusk.read_page(LIST_AND_TEXT)))
        _, beside, outside, far = evidence_from_others(np.array([9.0, 0.0, 0.0, 0.0]), tree).tolist()
        assert beside > outside > far > 0

    @given(st.lists(st.floats(-1e6, 1e6), min_size=4, max_size=4))
    def test_bounded(self, logits: list[float]) -> None:
        tree = part_tree(dehusk.segment(dehusk.read_page(LIST_AND_TEXT)))
        assert (np.abs(evidence_from_others(np.array(logits), tree)) <= MOST + 1e-9).all()

    def test_deep_pages(self) -> None:
        depth = 400
        html = "<div><p>text" * depth
        blocks = dehusk.segment(dehusk.read_page(html))
        said = evidence_from_others(np.full(len(blocks), 6.0), part_tree(blocks))
        assert len(blocks) == depth
        assert (said > 0).all()
