"""Scores of texts, worked out by hand."""

from __future__ import annotations

import sys
from collections import Counter

import pytest

import dehusk
from dehusk.lab.evaluation.text_scores import MOST_WORDS, WordScore, count_grams, score_in_order, score_text

NOTHING = WordScore(0, 0, 0)
ALL = WordScore(1, 1, 1)


def test_the_same_text_is_perfect() -> None:
    scores = score_text("Steep the leaves, for three minutes.", "steep THE leaves for three minutes")
    assert (scores.words, scores.lcs, scores.four_grams) == (ALL, ALL, ALL)


@pytest.mark.parametrize(("text", "gold", "expected"), [("", "", ALL), ("tea", "", NOTHING), ("", "tea", NOTHING)])
def test_texts_without_words(text: str, gold: str, expected: WordScore) -> None:
    scores = score_text(text, gold)
    assert (scores.words, scores.lcs, scores.four_grams) == (expected, expected, expected)


def test_order_counts_for_the_subsequence_only() -> None:
    # Longest common subsequence of "c d a b" and "a b c d e": two words of four and of five.
    scores = score_text("c d a b", "a b c d e")
    assert scores.words.recall == pytest.approx(4 / 5)
    assert (scores.lcs.precision, scores.lcs.recall) == (2 / 4, 2 / 5)
    assert scores.lcs.f1 == pytest.approx(2 * 2 / 9)


def test_a_subsequence_may_have_gaps() -> None:
    assert score_in_order(list("axbxc"), list("abc")).precision == pytest.approx(3 / 5)
    assert score_in_order(list("axbxc"), list("abc")).recall == 1
    assert score_in_order(list("xyz"), list("abc")) == NOTHING


def test_runs_of_four_words() -> None:
    assert count_grams(list("abcdea")) == {"a b c d": 1, "b c d e": 1, "c d e a": 1}
    assert count_grams(list("aaaaa")) == {"a a a a": 2}
    assert count_grams(list("abc")) == {"a b c": 1}
    assert count_grams([]) == Counter()


def test_runs_of_four_words_are_compared_as_bags() -> None:
    # Kept: abcd bcde; gold: abcd bcdx cdxy. One of two and one of three are shared.
    scores = score_text("a b c d e", "a b c d x y")
    assert (scores.four_grams.precision, scores.four_grams.recall) == (1 / 2, 1 / 3)
    assert scores.four_grams.f1 == pytest.approx(2 / 5)


def test_short_texts_are_one_run() -> None:
    assert score_text("green tea", "green tea").four_grams == ALL
    assert score_text("green tea", "green tea leaves").four_grams == NOTHING


def test_long_texts_are_cut() -> None:
    words = ["tea"] * MOST_WORDS
    assert score_in_order([*words, "lost"], [*words, "gained"]) == ALL


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    with pytest.raises(dehusk.MissingExtra, match="rapidfuzz"):
        score_text("tea", "tea")
