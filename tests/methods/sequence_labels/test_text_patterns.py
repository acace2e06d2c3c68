"""Addresses, dates, times and list items in several languages."""

from __future__ import annotations

import re

import pytest

from dehusk.methods.sequence_labels.feature_templates import EDGES
from dehusk.methods.sequence_labels.text_patterns import (
    BULLETS,
    DATES,
    TIMES,
    URLS,
    bullet_combination,
    first_date_and_time,
    first_url,
)


def first_digit(text: str) -> int:
    found = re.search(r"\d", text)
    return found.start() if found else 0


def date_of(text: str) -> int:
    return int(first_date_and_time([text], [first_digit(text)])[0][0])


def time_of(text: str) -> int:
    return int(first_date_and_time([text], [first_digit(text)])[1][0])


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("http://a.example/b?c=d", 1),
        ("HTTPS://A.EXAMPLE/", 1),
        ("See http://a.example/ for more", 2),
        ("www.a.example", 3),
        ("mail: some.body@mail.a.example", 4),
        ("Visit Example.com today", 5),
        ("No address. None at all: really @ none", 0),
        ("company.common", 0),
    ],
)
def test_urls(text: str, number: int) -> None:
    assert first_url([text]).tolist() == [number]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2007-05-12", 1),
        ("Posted 2007/5/12 by me", 1),
        ("12.05.2007", 2),
        ("5/12/07", 2),
        ("1. 5. 2007", 2),
        ("2007年5月12日", 3),
        ("5月12日", 3),
        ("2007년 5월 12일", 3),
        ("12 May 2007", 4),
        ("the 3rd of March", 4),
        ("12-Jan-2005", 4),
        ("3. März 2007", 4),
        ("1er janvier 2007", 4),
        ("12 de octubre de 2007", 4),
        ("7 września 2007", 4),
        ("14. května 2007", 4),
        ("9 мая 1945", 4),
        ("May 12, 2007", 5),
        ("(Sept. 3)", 5),
        ("Mai 2007", 6),
        ("octubre de 2007", 6),
        ("It may be 300 of 2 000", 0),
        ("version 1.5", 0),
        ("1800 may", 0),
    ],
)
def test_dates(text: str, number: int) -> None:
    assert date_of(text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("10:30 pm", 1),
        ("at 10.30PM", 1),
        ("9:05:01 a.m.", 1),
        ("5pm", 2),
        ("14 Uhr", 3),
        ("14.30 Uhr", 3),
        ("v 9 hod.", 3),
        ("в 10 часов", 3),
        ("kl. 19.30", 4),
        ("godz. 19:30", 4),
        ("19h30", 5),
        ("下午3时", 6),
        ("오후 3시", 6),
        ("19:30", 7),
        ("1:5 for 3 ham", 0),
        ("12 apples", 0),
    ],
)
def test_times(text: str, number: int) -> None:
    assert time_of(text) == number


def test_each_text_has_its_own_match() -> None:
    texts = ["12", "5 May", "none 1", "10:30", "", "2007-01-01 at 5pm"]
    date, time = first_date_and_time(texts, list(map(first_digit, texts)))
    assert date.tolist() == [0, 4, 0, 0, 0, 1]
    assert time.tolist() == [0, 0, 0, 7, 0, 2]


def test_a_number_late_in_a_long_text_is_no_date_line() -> None:
    assert date_of("word " * 10 + "5 May") == 4
    assert date_of("word " * 100 + "5 May") == 0


@pytest.mark.parametrize(
    ("text", "combination"),
    [
        ("1", 1),
        ("12 monkeys", 1),
        ("1) one", 1 + 4),
        ("(1) one", 1 + 4),
        ("1. one", 1 + 8),
        ("a) one", 2 + 4),
        ("B. two", 2 + 8),
        ("- one", 16),
        ("— one", 16),
        ("• one", 32),
        ("*", 32),
        ("2007 was", 0),
        ("a man", 0),
        ("abc", 0),
    ],
)
def test_bullets(text: str, combination: int) -> None:
    assert bullet_combination([text]).tolist() == [combination]
    assert combination in {0, *EDGES["bullet"]}


@pytest.mark.parametrize("pattern", [*URLS, *DATES, *TIMES, *BULLETS])
def test_no_pattern_matches_across_text_runs(pattern: str) -> None:
    compiled = re.compile(pattern, re.MULTILINE)
    signs = "1 May : . / - ( ) h 年 月 @ a.b \ue000 pm"
    lines = "\n".join(signs.split() * 2)
    assert all("\n" not in match[0] for match in compiled.finditer(lines))


@pytest.mark.parametrize(
    "hostile", ["1" * 160, "a@" * 80, "1 " * 80, ":" * 160, "http://" * 30, "may " * 40, "1." * 80]
)
def test_hostile_texts(hostile: str) -> None:
    """Must not take more than a moment, however many there are."""
    texts = [hostile] * 500
    first_url(texts)
    first_date_and_time(texts, list(map(first_digit, texts)))
    bullet_combination(texts)
