"""Dates, names and languages out of what people write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.metadata.dates import date_in_address, iso_date
from dehusk.metadata.languages import language_tag
from dehusk.metadata.people import names_in
from dehusk.metadata.value_texts import address_key, plain_text


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("2024-05-17", "2024-05-17"),
        ("2024-05-17T08:09:10.123Z", "2024-05-17T08:09:10+00:00"),
        ("2024-05-17 08:09 +0530", "2024-05-17T08:09:00+05:30"),
        ("2024-05-17T08:09:10-04", "2024-05-17T08:09:10-04:00"),
        ("2024-05-17T99:00", "2024-05-17"),
        ("2024/5/7", "2024-05-07"),
        ("20240517", "2024-05-17"),
        ("Fri, 17 May 2024 08:09:10 GMT", "2024-05-17T08:09:10+00:00"),
        ("1715933350", "2024-05-17T08:09:10+00:00"),
        ("1715933350000", "2024-05-17T08:09:10+00:00"),
        ("Published on 17 de mayo de 2024", "2024-05-17"),
        ("17.05.2024", "2024-05-17"),
        ("5/17/2024", "2024-05-17"),
        ("5/7/2024", ""),
        ("2024年5月17日 08:09", "2024-05-17T08:09:00"),
        ("2024-02-30", ""),
        ("0001-01-01T00:00:00Z", ""),
        ("1969-12-31", ""),
        ("3024-05-17", ""),
        ("yesterday", ""),
        ("", ""),
    ],
)
def test_dates(written: str, iso: str) -> None:
    assert iso_date(written) == iso


@given(st.text())
def test_no_text_makes_dates_fail(text: str) -> None:
    assert len(iso_date(text)) <= 25
    assert len(date_in_address(text)) <= 10


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("Ann Bee", ["Ann Bee"]),
        ("By ANN BEE and Carl Dee", ["ANN BEE", "Carl Dee"]),
        ("Ann Bee, Carl Dee & Eve Eff", ["Ann Bee", "Carl Dee", "Eve Eff"]),
        ("Ann Bee; Carl Dee", ["Ann Bee", "Carl Dee"]),
        ("Ann Bee, PhD", ["Ann Bee"]),
        ("Marks and Spencer", ["Marks and Spencer"]),
        ("Bee, Ann", ["Bee, Ann"]),
        ("Ann Bee / Journalist", ["Ann Bee"]),
        ("作者：王小明", ["王小明"]),
        ("王小明、李四", ["王小明", "李四"]),
        ("Byron Katie", ["Byron Katie"]),
        ("Ann Bee TheDaily.ca", ["Ann Bee"]),
        ("TheDaily.ca Staff", []),
        ("Tea and Rain Ltd.", []),
        ("https://facebook.com/annbee", []),
        ("ann@example.org", []),
        ("10154013767872392", []),
        ("one two three four five six seven eight nine ten", []),
        ("<b>Ann</b> Bee", ["Ann Bee"]),
        ("Foto: Ann Bee/PIXSELL", []),
    ],
)
def test_names(written: str, names: list[str]) -> None:
    assert names_in(written) == names


@pytest.mark.parametrize(
    ("written", "tag"),
    [
        ("en_US", "en-US"),
        ("EN", "en"),
        ("zh-hans-cn", "zh-Hans-CN"),
        ("es-419", "es-419"),
        ("de; charset=utf-8", "de"),
        ("en, fr", "en"),
        ("en_US.UTF-8", "en-US"),
        ("de-CH-1996", "de-CH"),
        ("iw-IL", "he-IL"),
        ("in", "id"),
        ("eng", "en"),
        ("GER", "de"),
        ("fil-PH", "fil-PH"),
        ("zh-yue-HK", "yue-HK"),
        ("zh-cmn-Hans-CN", "zh-Hans-CN"),
        ("en-usa", "en"),
        ("english", ""),
        ("utf-8", ""),
        ("UTF-8", ""),
        ("xx", ""),
        ("iso-8859-1", ""),
        ("text/html; charset=utf-8", ""),
        ("und", ""),
        ("sv\u017fe", ""),
        ("en" + "-x" * 1_000_000, "en"),
        ("", ""),
    ],
)
def test_languages(written: str, tag: str) -> None:
    assert language_tag(written) == tag


def test_addresses_are_compared_by_what_matters() -> None:
    assert address_key("http://www.a.example/b/#c") == address_key("https://a.example/b") == "a.example/b"
    assert address_key("https://a.example/?p=1") != address_key("https://a.example/?p=2")
    assert address_key("/b") == address_key("http://[broken") == ""


def test_text_of_values() -> None:
    assert plain_text("<p>One</p><p>two &amp; <i>three</i></p>") == "One two & three"
    assert plain_text("a < b > c") == "a < b > c"
    assert plain_text("rain&amp;#8230;") == "rain…"
    assert plain_text("x" * 100_000) == ""
    assert plain_text("\ud800a\0b") == "\ufffdab"
