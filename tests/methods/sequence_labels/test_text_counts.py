"""Counts over the joined text of all text runs are those of each text by itself."""

from __future__ import annotations

import re
import unicodedata
from html import escape

from hypothesis import given
from hypothesis import strategies as st

import dehusk
from dehusk.methods.sequence_labels.text_counts import TextCounts
from dehusk.methods.sequence_labels.text_runs import find_text_runs
from dehusk.page.characters import UNSPACED

ALPHABET = "abZ éß12٣.,!?…。！\"'”()-+$|: \u00a0\u2009中文ก𝒳𐐀😀\u200b"
texts = st.text(st.sampled_from(ALPHABET), min_size=1, max_size=12)


def counts_of(written: list[str]) -> TextCounts:
    html = "".join(f"<p>{escape(text)}</p>" for text in written)
    return TextCounts(find_text_runs(dehusk.segment(dehusk.read_page(html))))


def number_of(text: str, categories: str) -> int:
    return sum(unicodedata.category(character)[0] in categories for character in text)


def tokens_of(text: str) -> list[str]:
    marked = re.sub(f"([{UNSPACED}])", r" \1", text)
    marked = re.sub(rf"([{UNSPACED}])(?=[^\W_])", r"\1 ", marked)
    return marked.split()


@given(st.lists(texts, max_size=8))
def test_characters(written: list[str]) -> None:
    counts = counts_of(written)
    runs = counts.runs.texts
    assert counts.letters.tolist() == [number_of(text, "LM") for text in runs]
    assert counts.digits.tolist() == [number_of(text, "N") for text in runs]
    assert counts.punctuation.tolist() == [number_of(text, "P") for text in runs]
    assert counts.other.tolist() == [number_of(text, "SC") for text in runs]
    assert counts.white.tolist() == [len(text.split()) - 1 for text in runs]
    assert counts.characters.tolist() == [len(" ".join(text.split())) for text in runs]


@given(st.lists(texts, max_size=8))
def test_tokens(written: list[str]) -> None:
    counts = counts_of(written)
    expected = []
    for text in counts.runs.texts:
        of_class = [0, 0, 0, 0]
        for token in tokens_of(text):
            of_class[bool(number_of(token, "LM")) + 2 * bool(number_of(token, "N"))] += 1
        expected.append(of_class)
    assert counts.tokens.tolist() == expected


@given(st.lists(texts, max_size=8))
def test_first_digit(written: list[str]) -> None:
    counts = counts_of(written)
    for text, has_digits, place in zip(counts.runs.texts, counts.digits > 0, counts.first_digit, strict=True):
        if has_digits:
            assert number_of(text[place], "N") == 1
            assert number_of(text[:place], "N") == 0


@given(st.lists(texts, max_size=8))
def test_twins(written: list[str]) -> None:
    counts = counts_of(written)
    letters = ["".join(sign for sign in text if number_of(sign, "LM")) for text in counts.runs.texts]
    order = list(dict.fromkeys(letters))
    assert counts.twins.tolist() == [order.index(key) for key in letters]
