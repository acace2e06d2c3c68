"""What is left of a page, as word -> weight, under each cleaner: the columns of the mining experiments.

`none` is every visible word. A method that learns does so on all chosen pages of a site, as in the papers, and sees
nothing but the pages: functions here take pages and have no place for a label. Words are those of `words_of` for all
columns; no stop words are left out. A column with `-telling` at its end leaves out what is common on the site: any
cleaner can have it, so that nobody takes for the cleaner's what is this step's.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Final, cast

from dehusk.blocks.segmentation import segment
from dehusk.cleaning import clean, find_method
from dehusk.errors import DehuskError, PageError, UnknownName
from dehusk.lab.evaluation.other_tools import OTHER_TOOLS, decoded_html, find_tool, installed_tools
from dehusk.lab.mining.mining_pages import SitePages
from dehusk.lab.mining.site_words import SiteWords, Words, find_words, keep_words
from dehusk.lab.mining.telling_words import without_common
from dehusk.learning import learn
from dehusk.methods import METHODS
from dehusk.methods.base import Model, SiteMethod, WeighsWords
from dehusk.outputs.words import WordsOptions, render_words
from dehusk.page.characters import words_of
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import read_page
from dehusk.sources.raw_page import RawPage
from dehusk.workers.guard import guarded
from dehusk.workers.process_pool import run_step

UNCLEANED: Final = "none"
LOOK_INTO_BLOCKS: Final = ("style-tree",)
"""Methods that drop words inside kept blocks: shown with (`-words`) and without (`-blocks`) that."""
TELLING: Final = "-telling"
"""After the name of a cleaner: without the words that are common on the site, see `mining_words`."""
COMPARED_TOOLS: Final = ("trafilatura", "resiliparse", "readability", "justext")
"""Shown unless other columns are asked for, where installed."""


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page for all kinds of cleaners: read by us, and as html for tools that read for themselves."""

    page: Page
    html: str
    language: str


Represent = Callable[[Sequence[ReadPage]], Mapping[str, Sequence[Words]]]
"""The pages of one site -> column -> the words of each page. There is no way in for labels."""


@dataclass(frozen=True, slots=True)
class SiteTask:
    """One site to clean in all ways."""

    pages: SitePages
    columns: tuple[str, ...]
    kept_in: Path | None = None
    """A folder with what earlier runs made of sites; see `site_words`."""


def default_columns() -> tuple[str, ...]:
    """No cleaning, every method of ours, and the other tools that are installed; telling words of what learns."""
    tools = set(installed_tools())
    learning = [UNCLEANED, *(name for name, method in METHODS.items() if method.learns)]
    telling = (name + TELLING for name in learning)
    return (UNCLEANED, *_method_columns(), *telling, *(name for name in COMPARED_TOOLS if name in tools))


def check_columns(names: Sequence[str]) -> tuple[str, ...]:
    """The same names, if each is a column and its tool is installed."""
    known = (UNCLEANED, *_method_columns(), *OTHER_TOOLS)
    for name in names:
        cleaner = _cleaner_of(name)
        if name not in known and (name == cleaner or cleaner not in (UNCLEANED, *METHODS, *OTHER_TOOLS)):
            raise UnknownName(name, "no such column", f"choose from {', '.join(known)}, or a cleaner with {TELLING}")
        if cleaner in OTHER_TOOLS:
            find_tool(cleaner)
    return tuple(dict.fromkeys(names))


def represent_sites(
    sites: Sequence[SitePages], columns: tuple[str, ...], jobs: int, kept_in: Path | None = None
) -> Iterator[SiteWords]:
    """Clean the sites, in their order."""

    def lost(task: SiteTask) -> SiteWords:
        raise PageError(task.pages.site, "its process died; it may need too much memory", "choose fewer --pages")

    tasks = [SiteTask(site, columns, kept_in) for site in sites]
    yield from run_step(represent_site, tasks, min(jobs, len(tasks)), lost)


def represent_site(task: SiteTask) -> SiteWords:
    """Clean the pages of one site in every way asked for, as far as that is not kept from another time."""
    cleaners = list(dict.fromkeys(map(_cleaner_of, task.columns)))
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
    """What each of the cleaners makes of the pages, which are read once."""
    if not cleaners:
        return
    read = [_read(raw, language) for raw, language in zip(site.pages, site.languages, strict=True)]
    pages = [page for page in read if isinstance(page, ReadPage)]
    failures = tuple(str(page) for page in read if isinstance(page, DehuskError))
    readable = tuple(isinstance(page, ReadPage) for page in read)
    for cleaner in cleaners:
        begun = time.perf_counter()
        words = representation(cleaner)(pages)
        seconds = time.perf_counter() - begun
        yield SiteWords(site.site, readable, failures, words, dict.fromkeys(words, seconds))


def representation(cleaner: str) -> Represent:
    """What makes words of a site's pages: a method, another tool, or no cleaning."""
    if cleaner == UNCLEANED:
        return lambda pages: _with_telling(cleaner, [_visible_words(page.page) for page in pages])
    if cleaner in OTHER_TOOLS:
        return lambda pages: _with_telling(cleaner, [_words_by_tool(cleaner, page) for page in pages])
    return lambda pages: _words_by_method(cleaner, [page.page for page in pages])


def _with_telling(cleaner: str, words: list[Counter[str]]) -> dict[str, list[Counter[str]]]:
    return {cleaner: words, cleaner + TELLING: without_common(words)}


def _method_columns() -> dict[str, str]:
    """Column -> method."""
    return {column: name for name in METHODS for column in _columns_of_method(name)}


def _columns_of_method(name: str) -> dict[str, WordsOptions]:
    """The columns of a method, and how the words of each are taken."""
    if name not in LOOK_INTO_BLOCKS:
        return {name: WordsOptions()}
    return {f"{name}-words": WordsOptions(), f"{name}-blocks": WordsOptions(drop_noisy=False)}


def _cleaner_of(column: str) -> str:
    return _method_columns().get(column, column.removesuffix(TELLING))


def _read(raw: RawPage, language: str) -> ReadPage | DehuskError:
    return guarded(lambda page: ReadPage(read_page(page), decoded_html(page.body), language), raw, raw.label)


def _visible_words(page: Page) -> Counter[str]:
    blocks = segment(page)
    shown = [text for text, hidden in zip(blocks.texts, blocks.hidden, strict=True) if not hidden]
    return Counter(words_of("\n".join(shown)))


def _words_by_tool(name: str, page: ReadPage) -> Counter[str]:
    try:
        return Counter(words_of(find_tool(name)(page.html, page.language)))
    except PageError:
        return Counter()  # as everywhere: where a tool fails, it found nothing


def _words_by_method(name: str, pages: Sequence[Page]) -> dict[str, Sequence[Words]]:
    """A site is learnt once and each page cleaned once, whatever number of columns comes of it."""
    columns = _columns_of_method(name)
    if not pages:
        return {column: [] for column in (*columns, name + TELLING)}
    method = find_method(name)
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
