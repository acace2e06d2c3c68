"""Gold text -> labels of pieces: marked gold, plain gold, gold with edits, and hostile sizes."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.blocks.segmentation import segment
from dehusk.errors import MissingExtra
from dehusk.lab.gold import word_matching
from dehusk.lab.gold.corpora import Corpus
from dehusk.lab.gold.gold_alignment import AlignedRuns, Segment, Verdict, align_marked, align_text, read_marked
from dehusk.lab.gold.word_matching import match_words, number_words
from dehusk.methods.sequence_labels.text_runs import RunLabel
from dehusk.page.page_reading import read_page

HEADER, PARAGRAPH, LIST = RunLabel.HEADER, RunLabel.PARAGRAPH, RunLabel.LIST
CONTINUATION, OTHER = RunLabel.CONTINUATION, RunLabel.OTHER


def matches(first: str, second: str) -> list[int]:
    return match_words(*number_words(first.split(), second.split())).tolist()


def labels(pieces: list[str], marked: str) -> list[RunLabel]:
    return [RunLabel(label) for label in align_marked(pieces, read_marked(marked)).labels]


@pytest.mark.parametrize(
    ("text", "segments"),
    [
        ("", []),
        ("URL: http://tea.example/a?<p>=1\n\n  <h>Tea\n\n<p>Steep\n   for three\n<l>* leaves", [
            Segment(HEADER, "Tea"), Segment(PARAGRAPH, "Steep for three"), Segment(LIST, "* leaves"),
        ]),
        ("Tea and more\n<P>Steep</P> it", [Segment(PARAGRAPH, "Tea and more"), Segment(PARAGRAPH, "Steep it")]),
        ("<h><h>Tea<p>  <p><l>", [Segment(HEADER, "Tea")]),
        ("<h>Tea <h>Price <h>Taste", [Segment(HEADER, "Tea"), Segment(HEADER, "Price"), Segment(HEADER, "Taste")]),
        ("  <h<Tea\n<l. leaves", [Segment(HEADER, "Tea"), Segment(LIST, "leaves")]),
        ("<p>if a <p<b then <CR> & &lt; stay", [Segment(PARAGRAPH, "if a <p<b then <CR> & &lt; stay")]),
        ("<p>see\nURL: is not the address here", [Segment(PARAGRAPH, "see URL: is not the address here")]),
    ],
)  # fmt: skip
def test_marked_gold_is_read(text: str, segments: list[Segment]) -> None:
    assert list(read_marked(text)) == segments


def test_the_first_piece_of_a_segment_has_its_label_the_others_continue() -> None:
    pieces = [
        "Home",
        "Tea for two",
        "Steep the ",
        "green",
        " leaves for three minutes.",
        "water",
        "a kettle",
        "Imprint",
    ]
    marked = "<h>Tea for two\n<p>Steep the green leaves for three minutes.\n<l>water\n<l>a kettle"
    assert labels(pieces, marked) == [
        OTHER, HEADER, PARAGRAPH, CONTINUATION, CONTINUATION, LIST, LIST, OTHER,
    ]  # fmt: skip


def test_pieces_without_words_continue_what_is_on_both_sides() -> None:
    pieces = ["|", "green", ",", "black", "*", "white", "|"]
    assert labels(pieces, "<p>green, black <p>white") == [
        OTHER, PARAGRAPH, CONTINUATION, CONTINUATION, OTHER, PARAGRAPH, OTHER,
    ]  # fmt: skip
    assert align_text(pieces, "green black white").content.tolist() == [False, *[True] * 5, False]


def test_small_edits_do_not_change_labels() -> None:
    pieces = ["Menu", "Steep the leaves for thre minutes, not longer.", "Then pour the tea.", "More about tea"]
    found = align_marked(
        pieces, read_marked("<p>Steep leaves for three minutes, not longer. <p>Then pour out the tea!")
    )
    assert found.labels.tolist() == [OTHER, PARAGRAPH, PARAGRAPH, OTHER]
    assert found.shares.tolist() == pytest.approx([0, 6 / 8, 1, 0])
    assert found.aligned_share == pytest.approx((6 + 4) / 12)
    assert found.usable


def test_a_title_in_the_menu_is_not_taken_for_the_one_of_the_text() -> None:
    pieces = ["Home", "Tea", "Imprint", "Search", "Tea", "is a drink of leaves and hot water."]
    assert labels(pieces, "<h>Tea <p>is a drink of leaves and hot water.") == [
        OTHER, OTHER, OTHER, OTHER, HEADER, PARAGRAPH,
    ]  # fmt: skip


def test_repeated_phrases_stay_with_their_neighbours() -> None:
    assert matches("a b x a b c d e", "a b c d e") == [-1, -1, -1, 0, 1, 2, 3, 4]
    assert matches("a b c d e y d e z", "a b c d e z") == [0, 1, 2, 3, 4, -1, -1, -1, 5]
    assert matches("a b c d e", "a b x a b c d e") == [3, 4, 5, 6, 7]


def test_matches_of_nothing() -> None:
    assert matches("", "") == matches("", "a b") == []
    assert matches("a b c d e", "") == [-1] * 5
    assert matches("a b c d", "e f g h") == [-1] * 4


@pytest.mark.parametrize(
    ("pieces", "gold", "verdict"),
    [
        (["tea and water"], "tea and water", Verdict.USABLE),
        (["tea and water"], "tea and water, more of it", Verdict.USABLE),
        (["tea and water"], "a text of another page that is longer", Verdict.NOT_FOUND),
        (["tea"], " … ", Verdict.NO_GOLD),
        ([], "tea", Verdict.NO_TEXT),
        (["-"], "tea", Verdict.NO_TEXT),
        ([], "", Verdict.NO_GOLD),
    ],
)  # fmt: skip
def test_gold_is_usable_or_there_is_a_reason(pieces: list[str], gold: str, verdict: Verdict) -> None:
    found = align_text(pieces, gold)
    assert found.verdict is verdict
    assert found.usable == (verdict is Verdict.USABLE)
    assert len(found) == len(pieces)


def test_results_cannot_be_changed() -> None:
    found = align_marked(["tea"], read_marked("<p>tea"))
    for column in (found.labels, found.shares, found.content):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 0


def test_without_rapidfuzz_the_way_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    with pytest.raises(MissingExtra, match=r"pip install 'dehusk\[crf\]'"):
        align_text(["tea"], "tea")


words = st.lists(st.sampled_from(["a", "b", "c", "d", "Tea", "茶", "…", "<p>", "<h>", "\n", "\0", "\ud800", "x" * 40]))


@given(st.lists(words), words)
def test_any_text_can_be_aligned(pieces: list[list[str]], gold: list[str]) -> None:
    texts, text = [" ".join(piece) for piece in pieces], " ".join(gold)
    found = align_marked(texts, read_marked(text))
    plain: AlignedRuns = align_text(texts, text)
    for aligned in (found, plain):
        assert 0 <= aligned.aligned_share <= 1
        assert ((aligned.shares >= 0) & (aligned.shares <= 1)).all()
    assert ((found.labels != OTHER) == found.content).all()
    content = found.labels[found.content]
    assert not len(content) or content[0] != CONTINUATION


@given(st.lists(st.integers(0, 6)), st.lists(st.integers(0, 6)))
def test_matches_are_equal_words_in_order(first: list[int], second: list[int]) -> None:
    found = match_words(np.array(first, np.int64), np.array(second, np.int64))
    assert len(found) == len(first)
    assert all(second[other] == word for word, other in zip(first, found.tolist(), strict=True) if other >= 0)
    assert (np.diff(found[found >= 0]) > 0).all()


@given(st.lists(st.integers(0, 6)))
def test_a_text_matches_itself(text: list[int]) -> None:
    assert match_words(np.array(text, np.int64), np.array(text, np.int64)).tolist() == list(range(len(text)))


LONG = 50_000


@pytest.mark.parametrize("kind", ["one word", "two words", "all different, turned round", "periods"])
def test_long_texts_are_aligned(kind: str) -> None:
    """In full, this would take hours. How it grows: benchmarks/growth.py."""
    chance = random.Random(0)
    first, second = {
        "one word": (["a"] * LONG, ["a"] * LONG),
        "two words": (chance.choices("ab", k=LONG), chance.choices("ab", k=LONG)),
        "all different, turned round": ([f"u{n}" for n in range(LONG)], [f"u{n}" for n in reversed(range(LONG))]),
        "periods": (["a", "b"] * (LONG // 2), ["a", "b", "c"] * (LONG // 3)),
    }[kind]
    aligned = align_text(first, " ".join(second))
    assert 0 < aligned.aligned_share <= 1


def test_texts_too_long_to_compare_at_once_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_matching, "MOST_CELLS", 64)
    monkeypatch.setattr(word_matching, "_MOST_CELLS_OF_MATRIX", 16)
    chance = random.Random(1)
    first, second = (np.array(chance.choices(range(3), k=200), np.int64) for _ in range(2))
    found = match_words(first, second)
    assert (found >= 0).sum() > 50
    assert (first[found >= 0] == second[found[found >= 0]]).all()
    assert (np.diff(found[found >= 0]) > 0).all()


@pytest.mark.data
def test_cleaneval_gold_is_found_on_its_pages(data_folder: Path) -> None:
    pages = list(Corpus(str(data_folder / "gold" / "cleaneval-en.parquet")))[::10]
    found = [
        align_marked(segment(read_page(page.raw)).texts, read_marked(page.gold_marked)).aligned_share for page in pages
    ]
    assert min(found) > 0.8
    assert np.mean(found) > 0.98, "0.992 over all 456 pages when written"
