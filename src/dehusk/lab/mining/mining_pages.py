"""Choose the labelled pages of a mining experiment: classes, sites, and a maximum of pages per site.

Pages are chosen by label before any of them is read. Cleaners then get the pages of each site without labels
(`SitePages`), so they cannot see them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import zip_longest

from dehusk.errors import GoldError
from dehusk.lab.gold.corpora import Corpus
from dehusk.sources.raw_page import RawPage


@dataclass(frozen=True, slots=True)
class Choice:
    """What to take from labelled files."""

    label: str = "category"
    """The column with the classes: category or subcategory."""
    most_classes: int = 5
    """Take this many of the largest classes, unless `classes` names them. The papers have five."""
    classes: tuple[str, ...] = ()
    most_sites: int | None = None
    """Take this many of the largest sites, unless `sites` names them."""
    sites: tuple[str, ...] = ()
    most_pages: int | None = None
    """Pages per site, spread evenly over its classes."""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """The position, site and label of a page, without the page."""

    corpus: int
    number: int
    site: str
    label: str


@dataclass(frozen=True, slots=True)
class SitePages:
    """Pages of one site, without their labels: what a cleaner gets."""

    site: str
    pages: tuple[RawPage, ...]
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageSet:
    """The chosen pages by site, and their classes in the same order."""

    sites: tuple[SitePages, ...]
    labels: tuple[tuple[str, ...], ...]
    """By site: the class of each page."""
    classes: tuple[str, ...]
    """The largest first, or in the order given."""

    def __len__(self) -> int:
        return sum(map(len, self.labels))

    def counts(self) -> dict[str, dict[str, int]]:
        """Class -> site -> pages: the papers' table 1."""
        found: dict[str, dict[str, int]] = {name: {} for name in self.classes}
        for site, labels in zip(self.sites, self.labels, strict=True):
            for label, pages in Counter(labels).items():
                found[label][site.site] = pages
        return found


def choose_pages(corpora: Sequence[Corpus], choice: Choice) -> PageSet:
    """The pages of an experiment."""
    rows = [row for number, corpus in enumerate(corpora) for row in _labelled_rows(corpus, number, choice.label)]
    rows = choose_rows(rows, choice)
    classes = choice.classes or _largest((row.label for row in rows), choice.most_classes)
    return _read(corpora, rows, classes)


def choose_rows(rows: Sequence[Row], choice: Choice) -> list[Row]:
    """Filter rows by the largest (or named) classes, then by sites, then by the maximum of pages per site."""
    rows = _of(rows, "label", choice.classes, choice.most_classes)
    rows = _of(rows, "site", choice.sites, choice.most_sites)
    _check_classes({row.label for row in rows}, choice)
    by_site: dict[str, list[Row]] = {}
    for row in rows:
        by_site.setdefault(row.site, []).append(row)
    return [row for members in by_site.values() for row in _spread(members, choice.most_pages, choice.seed)]


def _check_classes(left: Set[str], choice: Choice) -> None:
    if len(left) < 2:
        raise GoldError(choice.label, "fewer than two classes are left", "name other classes or sites")
    if lost := sorted(set(choice.classes) - left):
        raise GoldError(", ".join(lost), "not on the chosen sites", "name other classes or sites")


def _labelled_rows(corpus: Corpus, number: int, label: str) -> list[Row]:
    """All pages that have a label and a site."""
    pairs = zip(corpus.column("site"), corpus.column(label), strict=True)
    return [Row(number, page, site, name) for page, (site, name) in enumerate(pairs) if site and name]


def _of(rows: Sequence[Row], what: str, names: Sequence[str], most: int | None) -> list[Row]:
    values = [getattr(row, what) for row in rows]
    if absent := sorted(set(names) - set(values)):
        there = ", ".join(sorted(set(values))[:20]) or "none"
        raise GoldError(", ".join(absent), f"no page has this {what}", f"there are {there}")
    wanted = set(names or _largest(values, most))
    return [row for row, value in zip(rows, values, strict=True) if value in wanted]


def _largest(values: Iterable[str], most: int | None) -> tuple[str, ...]:
    """The most frequent values; ties by name."""
    counted = sorted(Counter(values).items(), key=lambda item: (-item[1], item[0]))
    return tuple(name for name, _ in counted[:most])


def _spread(rows: Sequence[Row], most: int | None, seed: int) -> list[Row]:
    """A random sample of at most `most` pages of a site, taken from its classes in turn."""
    if most is None or len(rows) <= most:
        return list(rows)
    by_class: dict[str, list[Row]] = {}
    for row in rows:
        by_class.setdefault(row.label, []).append(row)
    # Seeded by name, so that the sample of a site does not depend on the other sites.
    chooser = random.Random(f"{seed} {rows[0].site}")
    shuffled = [chooser.sample(by_class[name], len(by_class[name])) for name in sorted(by_class)]
    in_turn = [row for turn in zip_longest(*shuffled) for row in turn if row is not None]
    return sorted(in_turn[:most], key=lambda row: (row.corpus, row.number))


def _read(corpora: Sequence[Corpus], rows: Sequence[Row], classes: tuple[str, ...]) -> PageSet:
    pages = {}
    for number, corpus in enumerate(corpora):
        wanted = sorted(row.number for row in rows if row.corpus == number)
        pages.update({(number, at): page for at, page in zip(wanted, corpus.pick(frozenset(wanted)), strict=True)})
    by_site: dict[str, list[Row]] = {}
    for row in rows:
        by_site.setdefault(row.site, []).append(row)
    sites = []
    for site, members in by_site.items():
        found = [pages[row.corpus, row.number] for row in members]
        sites.append(SitePages(site, tuple(page.raw for page in found), tuple(page.language for page in found)))
    labels = tuple(tuple(row.label for row in members) for members in by_site.values())
    return PageSet(tuple(sites), labels, classes)
