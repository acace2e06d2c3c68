"""Hashes of words agree with the words themselves."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dehusk.methods.page_network.word_hashes import hash_words, join_texts
from dehusk.page.characters import words_of_each

PINNED = [2508, 13970, 5568]

texts = st.lists(st.text(st.sampled_from("abÄé_ -.,1٣中の👹𝒳ก\n"), max_size=12), max_size=6)


@given(texts)
def test_words_are_those_of_the_rest(some: list[str]) -> None:
    words, lengths = words_of_each(some)
    hashed = hash_words(join_texts(tuple(some)))
    assert np.diff(hashed.start).tolist() == lengths
    of_word = {word: number for word, number in zip(words, hashed.hashes.tolist(), strict=True) if not word.isdigit()}
    assert len(set(of_word.values())) == len(of_word)
    for word, number in zip(words, hashed.hashes.tolist(), strict=True):
        if not word.isdigit():
            assert of_word[word] == number


def test_case_and_digits_do_not_count() -> None:
    hashes = hash_words(join_texts(("Tea TEA tea", "1999 2024 7"))).hashes.tolist()
    assert hashes[0] == hashes[1] == hashes[2]
    assert hashes[3] == hashes[4] != hashes[5]


def test_hashes_are_pinned() -> None:
    """Weights belong to hashes: these must never change."""
    assert [number >> 50 for number in hash_words(join_texts(("tea pot", "中"))).hashes.tolist()] == PINNED
