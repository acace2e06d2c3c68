"""Learning sites for the command line: which files make a site, and a model file for each."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from dehusk.cli.reporting import tracked, warn
from dehusk.errors import DehuskError
from dehusk.learning import sample
from dehusk.methods.style_tree import StyleTree, StyleTreeModel
from dehusk.page.columns import Page
from dehusk.page.reading import read_page
from dehusk.sites.site_of import site_of
from dehusk.sources.files import STANDARD_INPUT, PageFile, read_file

FEWEST_PAGES = 2
"""Pages it takes to tell a template from content."""


def learn_sites(files: Sequence[PageFile], folder: str) -> dict[PageFile, str]:
    """The model file of each page's site, written into `folder`. Pages that cannot be read are in none."""
    models = {}
    for number, (site, members) in enumerate(_group_by_site(files).items()):
        if len(members) < FEWEST_PAGES:
            warn(f"{site}: one page is not enough to learn a template; it is kept whole")
        path = str(Path(folder) / f"{number}.dehusk")
        learn_site(sample(members)).save(path, site=site)
        models.update(dict.fromkeys(members, path))
    return models


def learn_site(files: Sequence[PageFile]) -> StyleTreeModel:
    """Learn from files of one site; those that cannot be read are left out."""
    return StyleTree().fit([page for _, page in _read(files, "learning")])


def _group_by_site(files: Sequence[PageFile]) -> dict[str, list[PageFile]]:
    """Files by the host they say they are from; those that do not say, by the folder that was named."""
    groups: dict[str, list[PageFile]] = {}
    for file, page in _read([file for file in files if file.path != STANDARD_INPUT], "sorting"):
        groups.setdefault(site_of(page) or _named_folder(file), []).append(file)
    return groups


def _named_folder(file: PageFile) -> str:
    return file.path.removesuffix(file.relative).rstrip(os.sep) or "."


def _read(files: Sequence[PageFile], what: str) -> Iterator[tuple[PageFile, Page]]:
    for file in tracked(files, len(files), what):
        try:
            yield file, read_page(read_file(file))
        except DehuskError:
            continue  # cleaning will report it
