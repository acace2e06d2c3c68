"""What is left of a page, as word -> weight, under each cleaner: the columns of the mining experiments.

`none` is every visible word. A method that learns does so on all chosen pages of a site, as in the papers, and sees
nothing but the pages: functions here take pages and have no place for a label. Words are those of `words_of` for all
columns; no stop words are left out.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, cast, runtime_checkable

from dehusk.batch.guard import guarded
from dehusk.batch.local import run_step
from dehusk.blocks.segmenting import segment
from dehusk.cleaning import clean, find_method
from dehusk.errors import DehuskError, PageError, UnknownName
from dehusk.evaluation.mining_pages import SitePages
from dehusk.evaluation.other_tools import OTHER_TOOLS, decoded_html, find_tool, installed_tools
from dehusk.learning import learn
from dehusk.methods import METHODS
from dehusk.methods.base import Model, SiteMethod
from dehusk.outputs.words import WordsOptions, render_words
from dehusk.page.characters import words_of
from dehusk.page.columns import Page
from dehusk.page.reading import read_page
from dehusk.sources.raw_page import RawPage

Words = Mapping[str, float]
"""Word -> how often it occurs, or how much it weighs."""

UNCLEANED: Final = "none"
LOOK_INTO_BLOCKS: Final = ("style-tree",)
"""Methods that drop words inside kept blocks: shown with (`-words`) and without (`-blocks`) that."""
COMPARED_TOOLS: Final = ("trafilatura", "resiliparse", "readability", "justext")
"""Shown unless other columns are asked for, where installed."""


@runtime_checkable
class WeighsWords(Protocol):
    """A model that deletes nothing and gives each word a weight instead."""

    def word_weights(self, page: Page) -> Words:
        """The weight of each word of a page."""


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page for all kinds of cleaners: read by us, and as html for tools that read for themselves."""

    page: Page
    html: str
    language: str


Represent = Callable[[Sequence[ReadPage]], dict[str, list[Words]]]
"""The pages of one site -> column -> the words of each page. There is no way in for labels."""


@dataclass(frozen=True, slots=True)
class SiteTask:
    """One site to clean in all ways."""

    pages: SitePages
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SiteWords:
    """What came of one site."""

    site: str
    readable: tuple[bool, ...]
    """By page: those that cannot be read take no part, in any column."""
    words: Mapping[str, list[Words]]
    """Column -> the words of each readable page."""
    seconds: Mapping[str, float]
    """Column -> time to clean the pages, learning included; columns of the same method share it."""
    failures: tuple[str, ...]


def default_columns() -> tuple[str, ...]:
    """No cleaning, every method of ours, and the other tools that are installed."""
    tools = set(installed_tools())
    return (UNCLEANED, *_method_columns(), *(name for name in COMPARED_TOOLS if name in tools))


def check_columns(names: Sequence[str]) -> tuple[str, ...]:
    """The same names, if each is a column and its tool is installed."""
    known = (UNCLEANED, *_method_columns(), *OTHER_TOOLS)
    for name in names:
        if name not in known:
            raise UnknownName(name, "no such column", f"choose from {', '.join(known)}")
        if name in OTHER_TOOLS:
            find_tool(name)
    return tuple(dict.fromkeys(names))


def represent_sites(sites: Sequence[SitePages], columns: tuple[str, ...], jobs: int) -> Iterator[SiteWords]:
    """Clean the sites, in their order."""

    def lost(task: SiteTask) -> SiteWords:
        raise PageError(task.pages.site, "its process died; it may need too much memory", "choose fewer --pages")

    tasks = [SiteTask(site, columns) for site in sites]
    yield from run_step(represent_site, tasks, min(jobs, len(tasks)), lost)


def represent_site(task: SiteTask) -> SiteWords:
    """Clean the pages of one site in every way asked for."""
    read = [_read(raw, task.pages.languages[at]) for at, raw in enumerate(task.pages.pages)]
    pages = [page for page in read if isinstance(page, ReadPage)]
    words: dict[str, list[Words]] = {}
    seconds: dict[str, float] = {}
    for cleaner in dict.fromkeys(map(_cleaner_of, task.columns)):
        begun = time.perf_counter()
        found = representation(cleaner)(pages)
        words |= found
        seconds |= dict.fromkeys(found, time.perf_counter() - begun)
    words = {column: words[column] for column in task.columns}
    failures = tuple(str(page) for page in read if isinstance(page, DehuskError))
    return SiteWords(task.pages.site, tuple(isinstance(page, ReadPage) for page in read), words, seconds, failures)


def representation(cleaner: str) -> Represent:
    """What makes words of a site's pages: a method, another tool, or no cleaning."""
    if cleaner == UNCLEANED:
        return lambda pages: {cleaner: [_visible_words(page.page) for page in pages]}
    if cleaner in OTHER_TOOLS:
        return lambda pages: {cleaner: [_words_by_tool(cleaner, page) for page in pages]}
    return lambda pages: _words_by_method(cleaner, [page.page for page in pages])


def _method_columns() -> dict[str, str]:
    """Column -> method."""
    return {column: name for name in METHODS for column in _columns_of_method(name)}


def _columns_of_method(name: str) -> dict[str, WordsOptions]:
    """The columns of a method, and how the words of each are taken."""
    if name not in LOOK_INTO_BLOCKS:
        return {name: WordsOptions()}
    return {f"{name}-words": WordsOptions(), f"{name}-blocks": WordsOptions(drop_noisy=False)}


def _cleaner_of(column: str) -> str:
    return _method_columns().get(column, column)


def _read(raw: RawPage, language: str) -> ReadPage | DehuskError:
    return guarded(lambda page: ReadPage(read_page(page), decoded_html(page.body), language), raw, raw.label)


def _visible_words(page: Page) -> Words:
    blocks = segment(page)
    shown = [text for text, hidden in zip(blocks.texts, blocks.hidden, strict=True) if not hidden]
    return Counter(words_of("\n".join(shown)))


def _words_by_tool(name: str, page: ReadPage) -> Words:
    try:
        return Counter(words_of(find_tool(name)(page.html, page.language)))
    except PageError:
        return {}  # as everywhere: where a tool fails, it found nothing


def _words_by_method(name: str, pages: Sequence[Page]) -> dict[str, list[Words]]:
    """A site is learnt once and each page cleaned once, whatever number of columns comes of it."""
    columns = _columns_of_method(name)
    if not pages:
        return {column: [] for column in columns}
    method = find_method(name)
    model: Model = learn(pages, cast(SiteMethod, method)) if method.learns else method.fit()
    if isinstance(model, WeighsWords):
        return {name: [dict(model.word_weights(page)) for page in pages]}
    labelled = [clean(page, model).labelled for page in pages]
    return {
        column: [Counter(words_of(render_words(page, options))) for page in labelled]
        for column, options in columns.items()
    }
