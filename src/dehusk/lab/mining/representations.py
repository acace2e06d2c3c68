"""The words that each cleaner leaves of a page, as word -> weight, for the columns of `mining_columns`.

`none` is every visible word. A method that learns does so on all chosen pages of a site, as in the papers, and sees
only the pages: functions here take no labels. All columns use the words of `words_of`; no stop words are removed.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import cast

from dehusk.blocks.segmentation import segment
from dehusk.cleaning import clean
from dehusk.errors import DehuskError, PageError
from dehusk.lab.evaluation.other_tools import OTHER_TOOLS, decoded_html, find_tool
from dehusk.lab.mining.mining_columns import TELLING, UNCLEANED, cleaner_of, columns_of_method, method_of
from dehusk.lab.mining.mining_pages import SitePages
from dehusk.lab.mining.site_words import SiteWords, Words, find_words, keep_words
from dehusk.lab.mining.telling_words import without_common
from dehusk.learning import learn
from dehusk.methods.base import Model, SiteMethod, WeighsWords
from dehusk.outputs.words import WordsOptions, render_words
from dehusk.page.characters import words_of
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import read_page
from dehusk.sources.raw_page import RawPage
from dehusk.workers.guard import guarded
from dehusk.workers.process_pool import run_step


@dataclass(frozen=True, slots=True)
class CleanerInput:
    """A page for all kinds of cleaners: parsed by us, and as html for tools that parse it themselves."""

    page: Page
    html: str
    language: str


Represent = Callable[[Sequence[CleanerInput]], Mapping[str, Sequence[Words]]]
"""The pages of one site -> column -> the words of each page. Labels have no way in."""


@dataclass(frozen=True, slots=True)
class SiteTask:
    """One site to clean with all cleaners."""

    pages: SitePages
    columns: tuple[str, ...]
    kept_in: Path | None = None
    """A folder that caches the words of sites between runs; see `site_words`."""


def represent_sites(
    sites: Sequence[SitePages], columns: tuple[str, ...], jobs: int, kept_in: Path | None = None
) -> Iterator[SiteWords]:
    """Clean the sites, in order."""

    def lost(task: SiteTask) -> SiteWords:
        raise PageError(task.pages.site, "its process died; it may need too much memory", "choose fewer --pages")

    tasks = [SiteTask(site, columns, kept_in) for site in sites]
    yield from run_step(represent_site, tasks, min(jobs, len(tasks)), lost)


def represent_site(task: SiteTask) -> SiteWords:
    """Clean the pages of one site for all columns, except those already in the cache."""
    cleaners = list(dict.fromkeys(map(cleaner_of, task.columns)))
    known = {name: find_words(task.kept_in, task.pages, name) if task.kept_in else None for name in cleaners}
    absent = [name for name in cleaners if known[name] is None]
    for name, made in zip(absent, _clean_site(task.pages, absent), strict=True):
        known[name] = made
        if task.kept_in:
            keep_words(task.kept_in, task.pages, name, made)
    together = reduce(SiteWords.with_columns_of, (found for found in known.values() if found))
    words = {column: together.words[column] for column in task.columns}
    return replace(together, words=words, seconds={column: together.seconds[column] for column in words})


def _clean_site(site: SitePages, cleaners: Sequence[str]) -> Iterator[SiteWords]:
    """The words that each cleaner leaves; pages are read once."""
    if not cleaners:
        return
    read = [_read(raw, language) for raw, language in zip(site.pages, site.languages, strict=True)]
    pages = [page for page in read if isinstance(page, CleanerInput)]
    failures = tuple(str(page) for page in read if isinstance(page, DehuskError))
    readable = tuple(isinstance(page, CleanerInput) for page in read)
    for cleaner in cleaners:
        begun = time.perf_counter()
        words = representation(cleaner)(pages)
        seconds = time.perf_counter() - begun
        yield SiteWords(site.site, readable, failures, words, dict.fromkeys(words, seconds))


def representation(cleaner: str) -> Represent:
    """The function from a site's pages to words, for a method, another tool, or no cleaning."""
    if cleaner == UNCLEANED:
        return lambda pages: _with_telling(cleaner, [_visible_words(page.page) for page in pages])
    if cleaner in OTHER_TOOLS:
        return lambda pages: _with_telling(cleaner, [_words_by_tool(cleaner, page) for page in pages])
    return lambda pages: _words_by_method(cleaner, [page.page for page in pages])


def _with_telling(cleaner: str, words: list[Counter[str]]) -> dict[str, list[Counter[str]]]:
    return {cleaner: words, cleaner + TELLING: without_common(words)}


def _read(raw: RawPage, language: str) -> CleanerInput | DehuskError:
    return guarded(lambda page: CleanerInput(read_page(page), decoded_html(page.body), language), raw, raw.label)


def _visible_words(page: Page) -> Counter[str]:
    blocks = segment(page)
    shown = [text for text, hidden in zip(blocks.texts, blocks.hidden, strict=True) if not hidden]
    return Counter(words_of("\n".join(shown)))


def _words_by_tool(name: str, page: CleanerInput) -> Counter[str]:
    try:
        return Counter(words_of(find_tool(name)(page.html, page.language)))
    except PageError:
        return Counter()  # as everywhere: a tool that fails found nothing


def _words_by_method(name: str, pages: Sequence[Page]) -> dict[str, Sequence[Words]]:
    """Learn the site once and clean each page once, for all columns."""
    columns = columns_of_method(name)
    if not pages:
        return {column: [] for column in (*columns, name + TELLING)}
    method = method_of(name)
    model: Model = learn(pages, cast(SiteMethod, method)) if method.learns else method.fit()
    labelled = [clean(page, model).labelled for page in pages]
    words = {
        options: [Counter(words_of(render_words(page, options))) for page in labelled]
        for options in {WordsOptions(), *columns.values()}
    }
    found: dict[str, Sequence[Words]] = {column: words[options] for column, options in columns.items()}
    if isinstance(model, WeighsWords):
        found[name] = [model.word_weights(page) for page in pages]
    return {**found, name + TELLING: without_common(words[WordsOptions()])}
