"""The mining experiments end to end: pages -> words under each cleaner -> matrices -> scores.

Stages are generators, so that a command can show progress.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from dehusk.errors import GoldError
from dehusk.lab.mining.classification import ColumnTask, Pages, Setting
from dehusk.lab.mining.clustering import ClusteringScore, RunsTask, run_all, run_tasks
from dehusk.lab.mining.mining_pages import PageSet
from dehusk.lab.mining.site_words import SiteWords
from dehusk.lab.mining.word_vectors import CountedWords, Weighting, weigh


@dataclass(frozen=True, eq=False)
class CleanedSet:
    """The words of all pages under each column, joined with the labels again."""

    classes: tuple[str, ...]
    labels: tuple[str, ...]
    sites: tuple[str, ...]
    words: Mapping[str, CountedWords]
    """Column -> the words of all pages."""
    seconds: Mapping[str, float]
    failures: tuple[str, ...]
    """Pages that could not be read; no column has them."""

    def class_numbers(self) -> list[int]:
        number_of = {name: number for number, name in enumerate(self.classes)}
        return [number_of[label] for label in self.labels]


@dataclass(frozen=True, slots=True)
class Column:
    """A representation and its weighting."""

    name: str
    weighting: Weighting


def gather(pages: PageSet, cleaned: Iterable[SiteWords]) -> CleanedSet:
    """Join the words of the sites with the labels of their pages."""
    vocabulary: dict[str, int] = {}
    words: dict[str, CountedWords] = {}
    labels: list[str] = []
    sites: list[str] = []
    failures: list[str] = []
    seconds: dict[str, float] = {}
    for of_site, site_labels in zip(cleaned, pages.labels, strict=True):
        kept = [label for label, readable in zip(site_labels, of_site.readable, strict=True) if readable]
        labels += kept
        sites += [of_site.site] * len(kept)
        failures += of_site.failures
        for column, bags in of_site.words.items():
            counted = words.setdefault(column, CountedWords(vocabulary))
            for bag in bags:
                counted.add(bag)
            seconds[column] = seconds.get(column, 0.0) + of_site.seconds[column]
    _check(pages.classes, labels)
    return CleanedSet(pages.classes, tuple(labels), tuple(sites), words, seconds, tuple(failures))


def _check(classes: Sequence[str], labels: Sequence[str]) -> None:
    if lost := sorted(set(classes) - set(labels)):
        raise GoldError(", ".join(lost), "no page of this class is left", "name other classes or sites")


def columns_of(cleaned: CleanedSet, weightings: Sequence[Weighting]) -> list[Column]:
    """Every representation under every weighting."""
    return [Column(name, weighting) for weighting in weightings for name in cleaned.words]


def clustering_tasks(cleaned: CleanedSet, columns: Sequence[Column], runs: int, seed: int) -> list[list[RunsTask]]:
    """The runs of each column, split into tasks."""
    numbers = cleaned.class_numbers()
    return [run_tasks(weigh(cleaned.words[column.name], column.weighting), numbers, runs, seed) for column in columns]


def run_clustering(tasks: Sequence[Sequence[RunsTask]], jobs: int) -> Iterator[list[float]]:
    """F of each run, one list per task of each column."""
    yield from run_all(list(chain.from_iterable(tasks)), jobs)


def clustering_scores(
    cleaned: CleanedSet, columns: Sequence[Column], tasks: Sequence[Sequence[RunsTask]], results: Iterable[list[float]]
) -> list[ClusteringScore]:
    """Join the results of the tasks: one score per column."""
    remaining = iter(results)
    scores = []
    for column, parts in zip(columns, tasks, strict=True):
        found = chain.from_iterable(next(remaining) for _ in parts)
        scores.append(ClusteringScore(column.name, column.weighting, tuple(found), cleaned.words[column.name].empty()))
    return scores


def classification_tasks(cleaned: CleanedSet, columns: Sequence[Column], setting: Setting) -> list[ColumnTask]:
    """The experiments of each column."""
    pages = Pages.of(cleaned.labels, cleaned.sites)
    return [
        ColumnTask(column.name, column.weighting, weigh(cleaned.words[column.name], column.weighting), pages, setting)
        for column in columns
    ]
