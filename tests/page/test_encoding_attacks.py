"""No label that lies and no rare encoding makes a page lose words without a word about it."""

from __future__ import annotations

import copy

import pytest

import dehusk
from dehusk.page.decoding import GARBLED, WRONG_ENCODING, decode
from dehusk.page.page_reading import read_page
from dehusk.sources.raw_page import RawPage
from tests.page.encoding_attacks import ATTACKS, RUSSIAN, Attack, page

ONLY_TOLD = {"mac_roman under utf-8"}
"""Read in another encoding than their own, which no detector knows; that is what `problem` says."""
DECLARED_TWICE = (
    *("two metas, the second is right", "two metas of Cyrillic", "two metas of Chinese"),
    "header against meta",
)


def read(attack: Attack) -> dehusk.Page:
    headers = (("content-type", attack.content_type),) if attack.content_type else ()
    return read_page(RawPage(attack.body, headers=headers))


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_words_are_read_or_the_page_says_why_not(attack: Attack) -> None:
    found = read(attack)
    is_right = all(sentence in found.text for sentence in attack.sentences)
    assert is_right == (attack.name not in ONLY_TOLD), (found.encoding, found.encoding_reason)
    assert is_right or found.problem == WRONG_ENCODING


@pytest.mark.parametrize("attack", [one for one in ATTACKS if " under " in one.name], ids=lambda attack: attack.name)
def test_a_page_in_an_encoding_that_it_does_not_declare_says_so(attack: Attack) -> None:
    found = read(attack)
    is_certain = found.encoding_reason in {"valid UTF-8 with non-ASCII characters", "every other byte is NUL"}
    assert found.problem == ("" if is_certain else WRONG_ENCODING)
    assert is_certain or found.encoding_reason == "detected"


@pytest.mark.parametrize("name", DECLARED_TWICE)
def test_of_labels_that_contradict_each_other_the_bytes_bear_one_out(name: str) -> None:
    found = read(next(attack for attack in ATTACKS if attack.name == name))
    assert (found.problem, found.encoding_reason) == ("", "declared in the page")


def test_text_that_was_encoded_twice_is_read_and_said() -> None:
    twice = page(RUSSIAN, "utf-8").decode("latin-1").encode()
    for body in (twice, twice.decode("latin-1").encode()):
        decoded = decode(body)
        assert (decoded.reason, decoded.problem) == ("UTF-8 that was encoded twice", WRONG_ENCODING)
        assert decoded.text == page(RUSSIAN, "utf-8").decode()


def test_text_of_which_a_part_was_encoded_twice_is_told() -> None:
    whole = "Café, thé et forêt. "
    decoded = decode((whole + whole.encode().decode("latin-1") * 2).encode())
    assert (decoded.problem, whole in decoded.text) == (GARBLED, True)


@pytest.mark.parametrize("text", ["« à » « é » « è »".replace(" ", "\xa0"), "CAFÉ® CAFÉ®", "ÃO e NÃO", "Â, â"])
def test_good_text_is_not_taken_for_one_that_was_encoded_twice(text: str) -> None:
    decoded = decode((text * 5).encode())
    assert (decoded.text, decoded.problem) == (text * 5, "")


def test_the_problem_reaches_the_cleaned_page_and_its_record() -> None:
    raw = RawPage(page(RUSSIAN * 5, "cp1251"), headers=(("content-type", "text/html; charset=utf-8"),))
    cleaned = dehusk.clean(raw)
    assert (cleaned.problem, cleaned.labelled.problem, cleaned.to_record()["problem"]) == (WRONG_ENCODING,) * 3
    assert RUSSIAN[0] in cleaned.text
    assert cleaned.confidence is not None
    assert cleaned.confidence > 0.3


def test_the_problem_survives_copies_of_the_page() -> None:
    found = read_page(RawPage(page(RUSSIAN, "cp1251", '<meta charset="utf-8">')))
    assert copy.copy(found).problem == found.problem == WRONG_ENCODING
