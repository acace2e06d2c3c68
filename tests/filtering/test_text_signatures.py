"""Signatures estimate the Jaccard similarity of word shingles, and the index finds what is near."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from counted_work import assert_grows_in_step
from hypothesis import given
from hypothesis import strategies as st

from dehusk.filtering.near_duplicates import SeenTexts
from dehusk.filtering.text_signatures import (
    HASHES,
    SIGNATURE_BYTES,
    as_array,
    band_keys,
    band_rows,
    signature_of,
    similarities,
)


def words(seed: int, number: int = 300) -> list[str]:
    chance = Random(seed)
    return [f"word{chance.randrange(2000)}" for _ in range(number)]


def shingles(text: list[str]) -> set[tuple[str, ...]]:
    return {tuple(text[start : start + 5]) for start in range(len(text) - 4)}


def similarity(one: str, other: str) -> float:
    return float(similarities(as_array(signature_of(one))[0], as_array(signature_of(other)))[0])


@pytest.mark.parametrize("cut", [0, 30, 90, 150, 290])
def test_a_signature_estimates_the_jaccard_similarity(cut: int) -> None:
    errors = []
    for seed in range(20):
        whole = words(seed)
        part = whole[cut:]
        exact = len(shingles(whole) & shingles(part)) / len(shingles(whole) | shingles(part))
        errors.append(similarity(" ".join(whole), " ".join(part)) - exact)
    assert abs(np.mean(errors)) < 0.03
    assert max(map(abs, errors)) < 0.15


def test_case_and_punctuation_do_not_count() -> None:
    assert signature_of("Steep the leaves, for three minutes!") == signature_of("steep THE leaves for three  minutes")
    assert signature_of("one") == signature_of("One.") != signature_of("two")


def test_other_texts_have_nothing_in_common() -> None:
    assert similarity(" ".join(words(1)), " ".join(words(2))) < 0.05


@given(st.text())
def test_any_text_has_a_signature_or_none(text: str) -> None:
    assert len(signature_of(text)) in {0, SIGNATURE_BYTES}
    assert signature_of(text) == signature_of(text)


def test_signatures_take_time_in_step_with_the_text() -> None:
    assert_grows_in_step(lambda size: lambda: signature_of(" ".join(f"word{number}" for number in range(size))), 16_000)


@pytest.mark.parametrize(("least", "rows"), [(0.5, 3), (0.8, 6), (0.95, 15), (1.0, HASHES)])
def test_bands_find_nearly_all_pairs_of_that_similarity(least: float, rows: int) -> None:
    assert band_rows(least) == rows
    assert 1 - (1 - least**rows) ** (HASHES // rows) >= 0.99


def test_bands_at_other_positions_have_other_keys() -> None:
    keys = band_keys(np.zeros((1, HASHES), dtype=np.uint32), 6)
    assert len(np.unique(keys)) == HASHES // 6


def test_the_index_keeps_the_first_of_near_texts() -> None:
    whole = words(1, 400)
    changed = [*whole[:200], "another", *whole[201:]]
    seen = SeenTexts(0.8)
    told = [
        seen.is_repeated(signature_of(" ".join(text)))
        for text in (whole, whole, changed, whole[:380], whole[:200], words(2, 400), [], [])
    ]
    assert told == [False, True, True, True, False, False, False, False]
    strict = SeenTexts(1.0)
    assert [strict.is_repeated(signature_of(" ".join(text))) for text in (whole, changed, whole)] == [
        False,
        False,
        True,
    ]
