"""Pages that lose parts stay pages: what belongs to a block goes with it, and parts keep their blocks."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch")

from dehusk.blocks.segmentation import segment
from dehusk.lab.gold.corpora import GoldPage
from dehusk.lab.training.augmentation import Augmentation, only
from dehusk.lab.training.prepared_pages import PreparedPage, prepare_page
from dehusk.page.page_reading import read_page
from dehusk.sources.raw_page import RawPage

HTML = (
    "<title>Tea</title><ul class=menu><li><a href=/>Home</a><li><a href=/k>Kettles</a><li><a href=/c>Cups</a></ul>"
    "<main><h1>Tea</h1><p>Green tea rests for two minutes.</p><p>Black tea rests for four.</p></main>"
    "<div><h2>Read more</h2><p><a href=/1>Of coffee and of milk</a></p></div>"
)


@pytest.fixture(scope="module")
def page() -> PreparedPage:
    gold = "Tea\nGreen tea rests for two minutes.\nBlack tea rests for four."
    raw = RawPage(HTML.encode())
    labelled = GoldPage("tea", "tea.example", "en", "article", raw, gold)
    return prepare_page("written", labelled, segment(read_page(raw)))


def test_what_belongs_to_a_block_goes_with_it(page: PreparedPage) -> None:
    kept = np.arange(len(page)) % 2 == 0
    rest = only(page, kept)
    assert np.array_equal(rest.inputs.dense, page.inputs.dense[kept])
    for before, after in zip(np.flatnonzero(kept), range(len(rest)), strict=True):
        assert rest.target[after] == page.target[before]
        words = [some.words[slice(*some.word_start[n : n + 2])] for some, n in ((page, before), (rest, after))]
        assert np.array_equal(*words)
        tokens = [
            some.inputs.tokens.word_tokens[slice(*some.inputs.tokens.word_start[n : n + 2])]
            for some, n in ((page, before), (rest, after))
        ]
        assert np.array_equal(*tokens)


def test_parts_hold_the_blocks_that_are_left(page: PreparedPage) -> None:
    kept = np.arange(len(page)) != 2
    rest = only(page, kept)
    places = np.flatnonzero(kept)
    for after, before in enumerate(places):
        for step in range(rest.inputs.part_first.shape[1]):
            part = range(page.inputs.part_first[before, step], page.inputs.part_last[before, step])
            left = places[rest.inputs.part_first[after, step] : rest.inputs.part_last[after, step]]
            assert left.tolist() == [block for block in part if kept[block]]


def test_some_pages_lose_small_parts(page: PreparedPage) -> None:
    never, always = (Augmentation(np.random.default_rng(1), share) for share in (0.0, 1.0))
    assert all(never(page) is page for _ in range(20))
    sizes = {len(always(page)) for _ in range(40)}
    assert min(sizes) > 0
    assert len(sizes) > 1
