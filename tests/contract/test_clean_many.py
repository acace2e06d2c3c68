"""Many pages at once: the same results as one by one, in order, whatever some of the pages are."""

from __future__ import annotations

import doctest
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from written_pages import WRITTEN

import dehusk
from dehusk import cleaning
from dehusk.deciding.cleaning_at_once import CleaningAtOnce
from dehusk.page.page_reading import Html
from dehusk.workers import thread_window
from dehusk.workers.thread_window import run_in_order

PAGES = [*WRITTEN.values()]
THREADS = [1, 2, 7]


def texts(results: Iterator[dehusk.CleanedPage | dehusk.DehuskError]) -> list[str]:
    return [str(result) if isinstance(result, dehusk.DehuskError) else result.text for result in results]


@pytest.mark.parametrize("threads", [*THREADS, None])
def test_results_are_those_of_clean_in_order(threads: int | None) -> None:
    pages = PAGES * 5
    assert texts(dehusk.clean_many(pages, threads=threads)) == [dehusk.clean(html).text for html in pages]


@pytest.mark.parametrize("threads", THREADS)
def test_every_kind_of_page(threads: int) -> None:
    html = WRITTEN["article"]
    raw = dehusk.RawPage(html.encode(), url="https://a.example/", name="a.html")
    results = list(dehusk.clean_many([html, html.encode(), raw, dehusk.read_page(html)], threads=threads))
    assert [type(result) for result in results] == [dehusk.CleanedPage] * 4
    assert len(set(texts(iter(results)))) == 1
    assert results[2].page.url == "https://a.example/"  # type: ignore[union-attr]


@pytest.mark.parametrize("threads", THREADS)
def test_options_are_those_of_clean(threads: int) -> None:
    html, options = WRITTEN["article"], {"favour": "recall", "comments": True, "rules": []}
    model = dehusk.SatisfiableSubtree().fit()
    (page,) = dehusk.clean_many([html], threads=threads, **options)  # type: ignore[arg-type]
    assert page.text == dehusk.clean(html, **options).text  # type: ignore[union-attr, arg-type]
    (page,) = dehusk.clean_many([html], model, threads=threads)
    assert page.labelled.scores.tolist() == dehusk.clean(html, model).labelled.scores.tolist()  # type: ignore[union-attr]
    (error,) = dehusk.clean_many([html], threads=threads, limits=dehusk.Limits(bytes=3))
    assert isinstance(error, dehusk.PageTooLarge)


@pytest.mark.parametrize("threads", THREADS)
def test_a_page_that_cannot_be_cleaned_gives_its_error(threads: int) -> None:
    named = dehusk.RawPage(b"%PDF-1.7", name="a.pdf")
    first, second, third, fourth = dehusk.clean_many(["<p>x", b"%PDF-1.7", named, 5], threads=threads)  # type: ignore[list-item]
    assert isinstance(first, dehusk.CleanedPage)
    assert isinstance(second, dehusk.NotHtml)
    assert str(second).startswith("page at index 1: is a PDF")
    assert str(third).startswith("a.pdf: is a PDF")
    assert isinstance(fourth, dehusk.WrongType)


@pytest.mark.parametrize("threads", THREADS)
def test_a_fault_of_ours_does_not_end_the_run(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    clean = CleaningAtOnce.clean

    def faulty(cleaning: CleaningAtOnce, html: Html) -> Any:
        if b"second" in html.body:
            raise ZeroDivisionError("oh")
        return clean(cleaning, html)

    monkeypatch.setattr(CleaningAtOnce, "clean", faulty)
    first, second, third = dehusk.clean_many(["<p>first", "<p>second", "<p>third"], threads=threads)
    assert isinstance(first, dehusk.CleanedPage)
    assert isinstance(third, dehusk.CleanedPage)
    assert str(second).startswith("page at index 1: unexpected ZeroDivisionError: oh")


def test_settings_are_checked_before_the_first_page() -> None:
    with pytest.raises(dehusk.InvalidSetting, match="threads: 0 is less than 1"):
        dehusk.clean_many([], threads=0)
    with pytest.raises(dehusk.DehuskError, match="delight"):
        dehusk.clean_many([], favour="delight")
    assert list(dehusk.clean_many([])) == []


@pytest.mark.parametrize("threads", THREADS)
def test_few_pages_are_in_memory(threads: int) -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield "<p>text"

    results = dehusk.clean_many(endless(), threads=threads)
    for number in range(50):
        next(results)
        assert taken <= number + thread_window._WAITING * threads
    results.close()  # type: ignore[attr-defined]


def test_a_run_that_is_given_up_leaves_no_threads() -> None:
    begun, before = [], threading.active_count()
    results = run_in_order(begun.append, range(1000), 4)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before
    assert len(begun) <= thread_window._WAITING * 4


@pytest.mark.parametrize("threads", THREADS)
def test_what_the_pages_raise_is_raised(threads: int) -> None:
    def pages() -> Iterator[str]:
        yield "<p>text"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(dehusk.clean_many(pages(), threads=threads))


def test_the_example_runs() -> None:
    assert doctest.testmod(cleaning, extraglobs={"dehusk": dehusk}, raise_on_error=True).attempted > 0
