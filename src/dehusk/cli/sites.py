"""Learning sites for the command line: which files make a site, and a model file for each."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from dehusk.cli.reporting import tracked, warn
from dehusk.errors import DehuskError
from dehusk.learning import sample
from dehusk.methods.base import SiteMethod, SiteModel, WeighsWords
from dehusk.mining_words import telling_words
from dehusk.page.columns import Page
from dehusk.page.reading import read_page
from dehusk.sites.duplicates import distinct_pages
from dehusk.sites.site_of import site_of
from dehusk.sources.files import STANDARD_INPUT, PageFile, read_file


def learn_sites(files: Sequence[PageFile], folder: str, method: SiteMethod) -> dict[PageFile, str]:
    """The model file of each page's site, written into `folder`. Pages that cannot be read are in none."""
    models = {}
    for number, (site, members) in enumerate(_group_by_site(files).items()):
        path = str(Path(folder) / f"{number}.dehusk")
        learn_site(sample(members), method, site).save(path, site=site)
        models.update(dict.fromkeys(members, path))
    return models


def weigh_sites(files: Sequence[PageFile], method: SiteMethod, telling: bool) -> dict[str, Mapping[str, float]]:
    """The words of each page that can be read, by its path, each site weighed by what was learnt of it.

    If asked for telling words, or if the method does not weigh, words are counted that it keeps and few pages have.
    """
    weights: dict[str, Mapping[str, float]] = {}
    for site, members in _group_by_site(files).items():
        model = learn_site(sample(members), method, site)
        read: list[PageFile] = []
        pages = _noting(read_pages(members, "weighing"), read)
        words = _words(model, pages, telling)
        weights.update({file.path: of_page for file, of_page in zip(read, words, strict=True)})
    return weights


def _words(model: SiteModel, pages: Iterable[Page], telling: bool) -> Sequence[Mapping[str, float]]:
    if isinstance(model, WeighsWords) and not telling:
        return [model.word_weights(page) for page in pages]
    return telling_words(pages, model)


def learn_site(files: Sequence[PageFile], method: SiteMethod, site: str = "these pages") -> SiteModel:
    """Learn from files of one site. Those that cannot be read and those that repeat others are left out.

    Files are read twice, so that memory holds one page at a time.
    """
    model = method.fit(page for _, page in _distinct(files, site))
    if model.pages == 1:
        warn(f"{site}: one page alone does not show what is template")
    elif not model.knows_a_template:
        warn(f"{site}: no two different pages were learnt, so they do not show what is template")
    return model


def _distinct(files: Sequence[PageFile], site: str) -> Iterator[tuple[PageFile, Page]]:
    """The pages that do not repeat others, read a second time."""
    readable: list[PageFile] = []
    distinct = distinct_pages(_noting(read_pages(files, "comparing"), readable))
    if distinct.duplicate_of:
        warn(f"{site}: {len(distinct.duplicate_of):,} of {len(readable):,} pages repeat others; not learnt from")
    yield from read_pages([readable[number] for number in distinct.kept], "learning")


def _noting(pages: Iterable[tuple[PageFile, Page]], files: list[PageFile]) -> Iterator[Page]:
    """The pages alone; their files are added to the list."""
    for file, page in pages:
        files.append(file)
        yield page


def _group_by_site(files: Sequence[PageFile]) -> dict[str, list[PageFile]]:
    """Files by the host they say they are from; those that do not say, by the folder that was named."""
    groups: dict[str, list[PageFile]] = {}
    # Pages that cannot be read are reported when they are cleaned.
    for file, page in read_pages([file for file in files if file.path != STANDARD_INPUT], "sorting", tell=False):
        groups.setdefault(site_of(page) or _named_folder(file), []).append(file)
    return groups


def _named_folder(file: PageFile) -> str:
    return file.path.removesuffix(file.relative).rstrip(os.sep) or "."


def read_pages(files: Sequence[PageFile], what: str, tell: bool = True) -> Iterator[tuple[PageFile, Page]]:
    """The pages that can be read, with a progress bar. Of the others a warning tells, if asked."""
    for file in tracked(files, len(files), what):
        try:
            yield file, read_page(read_file(file))
        except DehuskError as error:
            if tell:
                warn(str(error))
