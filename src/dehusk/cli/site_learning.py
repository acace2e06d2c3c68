"""Learning sites for the command line: which pages make a site, and a model file for each."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

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
    """A page that could be read, and which of the files given it is."""

    number: int
    file: PageFile
    page: Page


def learn_sites(pages: GivenPages, folder: str, method: SiteMethod) -> list[str]:
    """The model file of each page's site, written into `folder`; empty for pages that cannot be read.

    The pages are gone through twice: once to sort them by site, and once to fetch those that are learnt from.
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
    """Name and words of each page that can be read, each site weighed by what was learnt of it.

    If asked for telling words, or if the method does not weigh, words are counted that it keeps and few pages have.
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
    """Learn from files of one site. Those that cannot be read and those that repeat others are left out.

    Files are read twice, so that memory holds one page at a time.
    """
    model = method.fit(read.page for read in _distinct(files, site))
    if model.pages == 1:
        warn(f"{site}: one page alone does not show what is template")
    elif not model.knows_a_template:
        warn(f"{site}: no two different pages were learnt, so they do not show what is template")
    return model


def _distinct(files: Sequence[PageFile], site: str) -> Iterator[ReadFile]:
    """The pages that do not repeat others, read a second time."""
    readable: list[PageFile] = []
    distinct = distinct_pages(_noting(read_pages(files, "comparing", len(files)), readable))
    if distinct.duplicate_of:
        warn(f"{site}: {len(distinct.duplicate_of):,} of {len(readable):,} pages repeat others; not learnt from")
    yield from read_pages([readable[number] for number in distinct.kept], "learning", len(distinct.kept))


def _noting(pages: Iterable[ReadFile], files: list[PageFile]) -> Iterator[Page]:
    """The pages alone; their files are added to the list."""
    for read in pages:
        files.append(read.file)
        yield read.page


def _group_by_site(pages: GivenPages) -> dict[str, array[int]]:
    """Numbers of pages by the host they say they are from; of those that do not say, by the folder that was named."""
    groups: dict[str, array[int]] = {}
    # Pages that cannot be read are reported when they are cleaned.
    for number, file, page in read_pages(pages, "sorting", pages.count, tell=False):
        groups.setdefault(site_of(page) or file.folder, array("Q")).append(number)
    return groups


def read_pages(files: Iterable[PageFile], what: str, total: int | None, tell: bool = True) -> Iterator[ReadFile]:
    """The pages that can be read, with a progress bar. Of the others a warning tells, if asked."""
    for number, file in enumerate(tracked(files, total, what)):
        try:
            yield ReadFile(number, file, read_page(read_file(file)))
        except DehuskError as error:
            if tell:
                warn(str(error))
