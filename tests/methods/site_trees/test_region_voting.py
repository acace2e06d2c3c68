"""Regions: the best decisions of all, and what that means for small and large pages."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import dehusk
from dehusk import Blocks
from dehusk.methods.site_trees.style_tree_scoring import keep_by_regions

MOST_NODES = 13
"""Elements and texts of a page of which all labellings are tried."""


def in_one(parts: list[str]) -> str:
    return f"<div>{''.join(parts)}</div>"


trees = st.recursive(
    st.just("<p>x</p>"), lambda inner: st.lists(inner, min_size=1, max_size=3).map(in_one), max_leaves=5
)


def blocks_of(html: str) -> Blocks:
    return dehusk.segment(dehusk.read_page(f"<body>{html}"))


def decide(html: str, gains: list[float], price: float) -> list[bool]:
    return keep_by_regions(blocks_of(html), np.array(gains, dtype=np.float64), price).tolist()


def nodes_of(blocks: Blocks) -> list[int]:
    """Rows with a block in them."""
    rows: set[int] = set()
    for row in blocks.first_row.tolist():
        while row >= 0:
            rows.add(row)
            row = int(blocks.page.parent[row])
    return sorted(rows)


def best_by_mask(blocks: Blocks, gains: list[int], price: int) -> dict[tuple[bool, ...], int]:
    """For every decision on the blocks: the most that any labelling of the elements makes of it."""
    nodes, parent = nodes_of(blocks), blocks.page.parent
    best: dict[tuple[bool, ...], int] = {}
    for labels in product((False, True), repeat=len(nodes)):
        of_row = dict(zip(nodes, labels, strict=True))
        mask = tuple(of_row[row] for row in blocks.first_row.tolist())
        won = sum(gain for gain, kept in zip(gains, mask, strict=True) if kept)
        changes = sum(of_row[row] != of_row[int(parent[row])] for row in nodes if parent[row] >= 0)
        best[mask] = max(best.get(mask, won - price * changes), won - price * changes)
    return best


@given(tree=trees, data=st.data(), price=st.integers(0, 4))
def test_no_labelling_is_better(tree: str, data: st.DataObject, price: int) -> None:
    blocks = blocks_of(tree)
    assume(len(nodes_of(blocks)) <= MOST_NODES)
    gains = data.draw(st.lists(st.integers(-5, 5), min_size=len(blocks), max_size=len(blocks)))
    best = best_by_mask(blocks, gains, price)
    kept = keep_by_regions(blocks, np.array(gains, dtype=np.float64), price)
    assert best[tuple(kept.tolist())] == max(best.values())


gains_of_five = st.lists(st.floats(-10, 10), min_size=5, max_size=5)
FIVE = "<div><p>a</p><p>b</p></div><p>c</p><div><div><p>d</p></div><p>e</p></div>"


@given(gains_of_five)
def test_without_a_price_each_block_decides_for_itself(gains: list[float]) -> None:
    assert decide(FIVE, gains, 0) == [gain > 0 for gain in gains]


@given(st.lists(st.integers(-10, 10), min_size=5, max_size=5))
def test_at_a_price_that_nobody_pays_it_is_all_or_nothing(gains: list[int]) -> None:
    assert decide(FIVE, list(gains), 1e9) == [sum(gains) > 0] * 5


@pytest.mark.parametrize("around", [-5.0, 5.0])
def test_a_block_without_a_gain_follows_its_surroundings(around: float) -> None:
    assert decide("<p>a</p><p>b</p><p>c</p>", [around, 0, around], 0.5) == [around > 0] * 3


@pytest.mark.parametrize(("gain", "kept"), [(0.9, False), (1.0, False), (1.1, True)])
def test_to_differ_from_a_region_a_block_must_be_worth_more_than_the_price(gain: float, kept: bool) -> None:
    assert decide("<div><p>a</p><p>b</p></div>", [-20, gain], 1) == [False, kept]
    assert decide("<div><p>a</p><p>b</p></div>", [20, -gain], 1) == [True, gain == 0.9]


def test_blocks_of_one_region_share_the_price_of_being_other_than_the_rest() -> None:
    menu, facts, gains = "<p>a</p>" * 3, "<div><p>b</p><p>c</p></div>", [-9, -9, -9, 0.7, 0.7]
    assert decide(menu + facts, gains, 1) == [False, False, False, True, True]
    assert decide(menu + "<p>b</p><p>c</p>", gains, 1) == [False] * 5


@pytest.mark.parametrize("html", ["", "<frameset><frame src=a></frameset>", "<p hidden></p><img src=a>"])
def test_a_page_without_blocks_has_nothing_to_decide(html: str) -> None:
    assert keep_by_regions(dehusk.segment(dehusk.read_page(html)), np.zeros(0), 1).tolist() == []


def test_a_deep_page_is_one_region() -> None:
    depth = dehusk.Limits().depth
    html = "<p>a</p>" + "<div>" * depth + "<p>b</p><p>c</p>"
    assert decide(html, [1, -2, 5], 1.5) == [True, False, True]
    assert decide(html, [1, -1, -5], 1.5) == [False, False, False]


def test_twenty_thousand_blocks_are_decided() -> None:
    number = 20_000
    gains = np.where(np.arange(number) % 2, -2.0, 2.0)
    for html in ("<p>x</p>" * number, "<div><p>x</p><p>y</p></div>" * (number // 2)):
        assert decide(html, gains.tolist(), 1) == (gains > 0).tolist()
