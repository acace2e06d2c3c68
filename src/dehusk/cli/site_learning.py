"""Group the pages given by site, and learn a model per site."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from dehusk.cli.given_pages import GivenPages
from dehusk.cli.reporting import tracked, warn
from dehusk.errors import DehuskError
from dehusk.lab.mining.telling_words import telling_words
from dehusk.learning import sample
from dehusk.methods.base import SiteMethod, SiteModel, WeighsWords
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import read_page
from dehusk.sites.duplicates import distinct_pages
from dehusk.sites.site_of import site_of
from dehusk.sources.files import PageFile, read_file


class ReadFile(NamedTuple):
    """A page that was read, with its file and its number among the files."""

    number: int
    file: PageFile
    page: Page
    size: int
    """Bytes of HTML."""


_HELD_BYTES: Final = 32_000_000
"""HTML of a site up to which its pages stay in memory while it is learnt; pages take some ten times as much."""


def learn_sites(pages: GivenPages, folder: str, method: SiteMethod) -> list[str]:
    """Write a model per site into `folder`; returns each page's model file, empty for pages that cannot be read.

    Iterates over the pages twice: to group them by site, and to fetch the samples.
    """
    sites = _group_by_site(pages)
    samples = {site: sample(numbers) for site, numbers in sites.items()}
    chosen = pages.numbered(chain.from_iterable(samples.values()), folder)
    models = [""] * (1 + max((numbers[-1] for numbers in sites.values()), default=-1))
    for site, numbers in sites.items():
        path = str(Path(folder) / f"{numbers[0]}.dehusk")
        learn_site([chosen[number] for number in samples[site] if number in chosen], method, site).save(path, site=site)
        for number in numbers:
            models[number] = path
    return models


def weigh_sites(
    pages: GivenPages, folder: str, method: SiteMethod, telling: bool
) -> list[tuple[str, Mapping[str, float]]]:
    """Name and word weights of each page that can be read.

    With `telling`, or if the method has no word weights, counts the kept words that few pages have.
    """
    weights: list[tuple[str, Mapping[str, float]]] = []
    sites = _group_by_site(pages)
    chosen = pages.numbered(chain.from_iterable(sites.values()), folder)
    for site, numbers in sites.items():
        members = [chosen[number] for number in numbers if number in chosen]
        model = learn_site(sample(members), method, site)
        names: list[str] = []
        words = _words(model, _noting_labels(read_pages(members, "weighing", len(members)), names), telling)
        weights += zip(names, words, strict=True)
    return weights


def _noting_labels(pages: Iterable[ReadFile], labels: list[str]) -> Iterator[Page]:
    for read in pages:
        labels.append(read.page.label)
        yield read.page


def _words(model: SiteModel, pages: Iterable[Page], telling: bool) -> Sequence[Mapping[str, float]]:
    if isinstance(model, WeighsWords) and not telling:
        return [model.word_weights(page) for page in pages]
    return telling_words(pages, model)


def learn_site(files: Sequence[PageFile], method: SiteMethod, site: str = "these pages") -> SiteModel:
    """Learn from files of one site. Unreadable files and duplicates are left out.

    Large sites are read twice, so that only one page is in memory at a time.
    """
    model = method.fit(read.page for read in _distinct(files, site))
    if model.pages == 1:
        warn(f"{site}: one page is not enough to find the template")
    elif not model.knows_a_template:
        warn(f"{site}: no two pages differ, which is not enough to find the template")
    return model


def _distinct(files: Sequence[PageFile], site: str) -> Iterator[ReadFile]:
    """The pages without duplicates, from memory or, if they are too large for that, read a second time."""
    readable: list[PageFile] = []
    held: list[ReadFile] = []
    distinct = distinct_pages(_noting(read_pages(files, "comparing", len(files)), readable, held))
    if distinct.duplicate_of:
        warn(f"{site}: {len(distinct.duplicate_of):,} of {len(readable):,} pages are duplicates and were left out")
    if len(held) == len(readable):
        yield from (held[number] for number in distinct.kept)
    else:
        yield from read_pages([readable[number] for number in distinct.kept], "learning", len(distinct.kept))


def _noting(pages: Iterable[ReadFile], files: list[PageFile], held: list[ReadFile]) -> Iterator[Page]:
    """The pages; appends their files to `files`, and keeps them in `held` as long as they are small enough together."""
    size = 0
    for read in pages:
        files.append(read.file)
        size += read.size
        if size <= _HELD_BYTES:
            held.append(read)
        else:
            held.clear()
        yield read.page


def _group_by_site(pages: GivenPages) -> dict[str, array[int]]:
    """Page numbers by site: the host a page names, otherwise the folder it was given in."""
    groups: dict[str, array[int]] = {}
    # Pages that cannot be read are reported when they are cleaned.
    for read in read_pages(pages, "sorting", pages.count, tell=False):
        groups.setdefault(site_of(read.page) or read.file.folder, array("Q")).append(read.number)
    return groups


def read_pages(files: Iterable[PageFile], what: str, total: int | None, tell: bool = True) -> Iterator[ReadFile]:
    """The pages that can be read, with a progress bar; warns about the others if `tell` is set."""
    for number, file in enumerate(tracked(files, total, what)):
        try:
            raw = read_file(file)
            yield ReadFile(number, file, read_page(raw), len(raw.body))
        except DehuskError as error:
            if tell:
                warn(str(error))
