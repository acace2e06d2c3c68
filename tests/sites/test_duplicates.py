"""Pages of a site, each once: what is the same page, what only looks like it."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.errors import InvalidSetting
from dehusk.page.characters import words_of
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import read_page
from dehusk.sites import duplicates
from dehusk.sites.duplicates import DistinctPages, distinct_pages

NAVIGATION = (
    "<nav><ul>" + "".join(f"<li><a href=/{n}>Section {n} of the shop</a>" for n in "abcdefghijklmnop") + "</ul></nav>"
)
FOOTER = (
    "<footer><p>All rights reserved. Terms of sale, privacy, cookies, imprint and how to send things back.</footer>"
)
VOCABULARY = [
    first + second for first in "tea pot leaf cup jug can bowl dish".split() for second in "ly er ish ful".split()
]


def text(seed: int, words: int = 120) -> str:
    return " ".join(random.Random(seed).choices(VOCABULARY, k=words))


def article(seed: int, extra: str = "") -> str:
    return f"{NAVIGATION}<main><h1>{text(seed, 4)}</h1><p>{text(seed + 1000)}</p></main>{extra}{FOOTER}"


def product(name: str, price: str, sentence: str) -> str:
    sheet = "<table><tr><th>Delivery<td>within three days<tr><th>Returns<td>within thirty days, free of charge</table>"
    return f"{NAVIGATION}<h1>{name}</h1><b>{price}</b><p>{sentence}</p>{sheet}<p>Customers also liked</p>{FOOTER}"


def distinct(*html: str, **settings: float) -> DistinctPages:
    return distinct_pages([read_page(source) for source in html], **settings)


OTHERS = [article(seed) for seed in range(10, 16)]


# The same page


def test_no_pages() -> None:
    assert distinct() == DistinctPages((), {})


def test_one_page_is_kept() -> None:
    assert distinct(article(1)) == DistinctPages((0,), {})


def test_of_equal_pages_the_first_is_kept() -> None:
    found = distinct(article(1), article(2), article(1), article(2), article(1))
    assert found == DistinctPages((0, 1), {2: 0, 3: 1, 4: 0})


def test_markup_does_not_matter_where_the_words_are_the_same() -> None:
    assert distinct("<p>one <b>two</b> three", "<div><span>one</span> two<br>three</div>").kept == (0,)


def test_what_is_not_shown_does_not_matter() -> None:
    page = "<title>{}</title><p>the same words</p><p hidden>{}</p><script>{}</script>"
    assert distinct(page.format("a", "b", "c"), page.format("d", "e", "f")).kept == (0,)


def test_pages_without_words_are_the_same() -> None:
    assert distinct("", "<img src=a.png>", "<p> - </p>", "<p>word</p>").kept == (0, 3)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Seen 999 times", "Seen 1,234 times"),
        ("Saved on 2024-03-12", "Saved on 2025-11-02 10:31"),
        ("Session 7f3a9c21", "Session b04e77d0"),
    ],
)
def test_two_pages_that_differ_in_counters_only_are_the_same(one: str, other: str) -> None:
    assert distinct(article(1, f"<p>{one}</p>"), article(1, f"<p>{other}</p>")).kept == (0,)


def test_numbers_are_content_where_there_are_many() -> None:
    tables = ["<p>Rain in mm" + "".join(f"<p>{(number * 7 + year) % 90}" for number in range(24)) for year in (1, 2)]
    assert distinct(*tables).kept == (0, 1)


def test_pages_of_a_word_or_two_are_told_apart_by_their_words() -> None:
    assert distinct("one", "two", "one two", "two one", "two").duplicate_of == {4: 1}


# Nearly the same page


def test_a_print_version_is_a_duplicate() -> None:
    print_version = f"<main><h1>{text(1, 4)}</h1><p>{text(1001)}</p></main><p>Print this page</p>"
    assert distinct(*OTHERS, article(1), print_version).duplicate_of == {7: 6}
    assert distinct(OTHERS[0], article(1), print_version).duplicate_of == {2: 1}


def test_a_date_in_words_does_not_make_another_page() -> None:
    dated = [article(1, f"<p>Read on {day} by somebody</p>") for day in ("Monday, 3 March", "Tuesday, 8 April")]
    assert distinct(dated[0], *OTHERS, dated[1]).duplicate_of == {7: 0}


def test_some_versions_of_one_article_are_one() -> None:
    versions = [article(1, f"<p>Read {number} times, filed under {text(number, 1)}</p>") for number in range(4)]
    assert distinct(*OTHERS, *versions).duplicate_of == {7: 6, 8: 6, 9: 6}


def test_pages_found_no_longer_make_their_words_common() -> None:
    """The last version is near the first only once those between are gone: the second round finds it."""
    versions = [article(1, f"<p>{text(50, words)}</p>") for words in (1, 2, 3, 4, 23)]
    pages = [read_page(html) for html in (*OTHERS, *versions)]
    assert distinct_pages(pages).duplicate_of == {7: 6, 8: 6, 9: 6, 10: 6}


def test_copies_that_differ_in_numbers_do_not_hide_others() -> None:
    copies = [article(1, f"<p>Read {number} times</p>") for number in range(30)]
    changed = article(1, "<p>Read by nobody so far</p>")
    assert distinct(*copies, *OTHERS, changed).kept == (0, 30, 31, 32, 33, 34, 35)


# Not the same page


PRODUCTS = [
    product("Red teapot", "12.99", "Holds enough for two and never drips."),
    product("Blue jug", "8.50", "Made by hand from clay of the region."),
    product("Old kettle", "30.00", "Whistles as soon as the water boils."),
    product("Small bowl", "4.20", "Good for rice, soup or a few nuts."),
]


@pytest.mark.parametrize("many", [2, 3, 4])
def test_products_of_one_template_are_distinct(many: int) -> None:
    assert distinct(*PRODUCTS[:many]).duplicate_of == {}


def test_a_page_of_template_only_is_no_duplicate_of_those_with_content() -> None:
    assert distinct(*OTHERS, f"{NAVIGATION}<p>Not found, sorry</p>{FOOTER}").duplicate_of == {}


def test_a_list_of_whole_articles_is_no_duplicate_of_one() -> None:
    everything = f"{NAVIGATION}{''.join(f'<p>{text(seed + 1000)}</p>' for seed in range(10, 16))}{FOOTER}"
    assert distinct(*OTHERS, everything).duplicate_of == {}


def test_two_pages_alone_must_agree_in_all_words() -> None:
    assert distinct(article(1), article(1, "<p>and more</p>")).duplicate_of == {}


def test_the_threshold_can_be_set() -> None:
    half_new = f"{NAVIGATION}<main><p>{text(1001)} {text(77)}</p></main>{FOOTER}"
    assert distinct(*OTHERS, article(1), half_new).duplicate_of == {}
    assert distinct(*OTHERS, article(1), half_new, least_similarity=0.3).duplicate_of == {7: 6}


@pytest.mark.parametrize("wrong", [0, -1, 1.01, float("nan")])
def test_a_threshold_outside_its_range_is_refused(wrong: float) -> None:
    with pytest.raises(InvalidSetting, match="least_similarity"):
        distinct(least_similarity=wrong)


# Laws


@st.composite
def samples(draw: st.DrawFn) -> list[Page]:
    """Articles, each in some versions: with a counter, a few words more, without the template."""
    changes: list[Callable[[int, int], str]] = [
        lambda seed, number: article(seed),
        lambda seed, number: article(seed, f"<p>{number} readers</p>"),
        lambda seed, number: article(seed, f"<p>{text(number, number)}</p>"),
        lambda seed, number: f"<p>{text(seed + 1000)}</p>",
        lambda seed, number: f"<p>{text(seed, number % 4)}</p>",
    ]
    versions = draw(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 40)), max_size=10))
    return [read_page(changes[change](seed, number)) for seed, change, number in versions]


@given(samples())
def test_every_page_is_kept_or_stands_for_an_earlier_kept_one(pages: list[Page]) -> None:
    found = distinct_pages(pages)
    assert sorted([*found.kept, *found.duplicate_of]) == list(range(len(pages)))
    assert list(found.kept) == sorted(found.kept)
    assert set(found.duplicate_of.values()) <= set(found.kept)
    assert all(earlier < later for later, earlier in found.duplicate_of.items())


@given(samples())
def test_kept_pages_are_distinct(pages: list[Page]) -> None:
    kept = [pages[number] for number in distinct_pages(pages).kept]
    assert distinct_pages(kept).duplicate_of == {}


@given(samples())
def test_learning_the_sample_twice_adds_nothing(pages: list[Page]) -> None:
    once, twice = distinct_pages(pages), distinct_pages([*pages, *pages])
    assert twice.kept == once.kept
    assert all(number + len(pages) in twice.duplicate_of for number in range(len(pages)))


# Words as keys


SOURCES = st.text(alphabet=st.sampled_from("aBß1٣๑²_ -.\n中文ไทยéѢ𝒳\ud800'") | st.characters(), max_size=40)


def single_words(source: str) -> list[int]:
    """The keys of the words in a text, sorted, each once."""
    keys: list[int] = duplicates.shingles_of(source, 1, duplicates.MOST_WINDOWS).tolist()
    return keys


@given(SOURCES)
def test_words_are_those_of_the_shared_definition(source: str) -> None:
    expected = set(words_of(source.lower()))
    assert single_words(source) == sorted(key for word in expected for key in single_words(word))
    assert len(single_words(source)) == len(expected)


@given(SOURCES)
def test_words_with_a_digit_are_numbers(source: str) -> None:
    others = "tea " * 200
    for word in words_of(source):
        is_left_out = duplicates.fingerprint(read_page(others + word)) == duplicates.fingerprint(read_page(others))
        assert is_left_out == any(map(str.isdigit, word)), word


def test_the_order_of_letters_matters() -> None:
    assert len(single_words("tea eat")) == 2


# Bounds


def test_long_pages_are_compared_by_a_sample() -> None:
    long_text = " ".join(f"{word}{letter}" for word in VOCABULARY for letter in text(5, 300).split())
    changed = long_text.replace("teaish", "coffee", 3)
    assert len(words_of(long_text)) > 2 * duplicates.MOST_WINDOWS
    assert distinct(*OTHERS, long_text, changed).duplicate_of == {7: 6}
