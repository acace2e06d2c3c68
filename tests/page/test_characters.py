"""Words of texts, one at a time and many at once."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from dehusk.page.characters import word_counts, words_of, words_of_each


def test_words_are_runs_of_letters_or_single_unspaced_ones() -> None:
    assert words_of("Tea-time: 4_pm, Straße\x00茶を飲む") == ["tea", "time", "4_pm", "straße", "茶", "を", "飲", "む"]
    assert words_of("") == []


@given(st.lists(st.text(st.sampled_from("aB 9_茶ก.,\0\nÉİ"), max_size=12), max_size=6))
def test_many_at_once_are_the_same_as_one_by_one(texts: list[str]) -> None:
    words, numbers = words_of_each(texts)
    assert [words_of(text) for text in texts] == [
        words[sum(numbers[:index]) : sum(numbers[: index + 1])] for index in range(len(texts))
    ]
    assert numbers == word_counts(texts)
    assert all(re.fullmatch(r"\w+", word) for word in words)


@given(st.text(st.characters(max_codepoint=0x7F)))
def test_words_of_ascii_are_counted_alike(text: str) -> None:
    assert word_counts([text]) == [len(words_of(text))]
