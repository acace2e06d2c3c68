"""Each filter by itself, the order they are asked in, and settings that make no sense."""

from __future__ import annotations

import doctest

import pytest

import dehusk
from dehusk.cleaning import CleanedPage
from dehusk.cli import shared_options
from dehusk.filtering import page_filtering, page_filters
from dehusk.filtering.page_filters import REQUIRABLE, Filters, reason_to_drop

ENGLISH = "The kettle of the old house was on the stove, and the tea in it was as black as the night was long. "
GERMAN = "Der Kessel des alten Hauses stand auf dem Herd, und der Tee darin war so schwarz wie die lange Nacht. "


def cleaned(text: str = ENGLISH * 5, head: str = "<title>Tea at night</title>", url: str = "") -> CleanedPage:
    return dehusk.clean(f"<html>{head}<article><h1>Tea at night</h1><p>{text}</p></article>", url=url)


@pytest.mark.parametrize(
    ("filters", "reason"),
    [
        (Filters(), ""),
        (Filters(min_words=50), ""),
        (Filters(min_words=5000), "too short"),
        (Filters(max_words=5000), ""),
        (Filters(max_words=50), "too long"),
        (Filters(languages=["de", "en-US"]), ""),
        (Filters(languages=["de"]), "other language"),
        (Filters(languages=["eng"], language_confidence=1.0), ""),
        (Filters(min_confidence=0.01), ""),
        (Filters(min_confidence=1.0), "low confidence"),
        (Filters(only_types=dehusk.PAGE_TYPES), ""),
        (Filters(only_types=["forum"]), "other type"),
        (Filters(require=["title"]), ""),
        (Filters(require=["title", "published"]), "no published"),
        (Filters(require=["site_name"]), "no site name"),
        (Filters(require=["url"]), "no url"),
        (Filters(only_types=["forum"], min_words=5000), "other type"),
        (Filters(languages=["de"], min_words=5000), "too short"),
    ],
)
def test_reasons(filters: Filters, reason: str) -> None:
    assert reason_to_drop(cleaned().labelled, filters) == reason


def test_the_language_is_that_of_the_text_whatever_the_page_declares() -> None:
    page = cleaned(GERMAN * 5, "<html lang=en><title>Tee</title>")
    assert reason_to_drop(page.labelled, Filters(languages=["de"])) == ""
    assert reason_to_drop(page.labelled, Filters(languages=["en"])) == "other language"


def test_of_a_text_too_short_to_tell_the_declared_language_counts() -> None:
    page = dehusk.clean("<html lang=de-AT><p>Ein kurzer Satz.", dehusk.SatisfiableSubtree(alpha=1).fit())
    assert reason_to_drop(page.labelled, Filters(languages=["de"])) == ""
    assert reason_to_drop(page.labelled, Filters(languages=["fr"])) == "other language"


def test_pages_without_confidence_or_type() -> None:
    page = dehusk.clean(f"<p>{ENGLISH * 3}</p>", dehusk.SatisfiableSubtree().fit())
    assert reason_to_drop(page.labelled, Filters(min_confidence=1.0)) == ""
    assert reason_to_drop(page.labelled, Filters(only_types=["article"])) == "other type"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"languages": ["klingon!"]}, "'klingon!' is no language code; choose codes such as de,en"),
        ({"only_types": ["novel"]}, "'novel' is unknown; choose from article"),
        ({"require": ["text"]}, "'text' is unknown; choose from url, title"),
        ({"min_confidence": 2.0}, "2.0 is outside 0 to 1"),
        ({"similarity": 0.0}, "0.0 is outside 0.01 to 1"),
        ({"min_words": 9, "max_words": 8}, "8 is less than min_words"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, object], message: str) -> None:
    with pytest.raises(dehusk.InvalidSetting, match=message):
        Filters(**settings)  # type: ignore[arg-type]


def test_every_field_that_can_be_required_is_looked_up() -> None:
    page = cleaned(url="https://a.example/tea").labelled
    assert {reason_to_drop(page, Filters(require=[name])) for name in REQUIRABLE} > {"", "no published"}


def test_filtering_a_stream() -> None:
    assert doctest.testmod(page_filtering, extraglobs={"dehusk": dehusk}, raise_on_error=True).attempted > 0
    dropped: list[tuple[str, str]] = []
    pages = [cleaned(ENGLISH * 5, url=f"https://a.example/{number}") for number in range(3)]
    kept = list(dehusk.filter_pages(pages, Filters(), lambda page, reason: dropped.append((page.page.url, reason))))
    assert kept == pages
    assert list(dehusk.filter_pages(pages, Filters(drop_duplicates=True))) == pages[:1]
    assert dropped == []


def test_the_command_line_has_the_defaults_of_the_library() -> None:
    assert shared_options.LANGUAGE_CONFIDENCE == page_filters.LANGUAGE_CONFIDENCE
    assert shared_options.SIMILARITY == page_filters.SIMILARITY
    assert shared_options.FilterOptions().filters() is None
    assert shared_options.FilterOptions("de, en", min_words=3).filters() == Filters(("de", "en"), min_words=3)
    with pytest.raises(dehusk.InvalidSetting, match="--only-type: 'x' is unknown"):
        shared_options.FilterOptions(only_type="x").filters()
