"""Group the pages given by site, and learn a model per site."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from dehusk.blocks.block_columns import Blocks
from dehusk.cli.given_pages import GivenPages, PageReader, ReadPage, Source
from dehusk.cli.reporting import Messages, fail, tell, warn
from dehusk.cli.shared_options import LearningMethod, MatchingName
from dehusk.inspection.learnt_sites import MOST_COMPARED, describe_learning
from dehusk.learning import sample
from dehusk.methods.base import SiteMethod, SiteModel, WeighsWords
from dehusk.page.page_columns import Page
from dehusk.sites.duplicates import distinct_pages
from dehusk.sites.site_of import site_of


def learn_sites(pages: GivenPages, folder: str, method: SiteMethod, reader: PageReader) -> list[str]:
    """Write a model per site into `folder`; returns each page's model file, empty for pages that cannot be read."""
    sites = _group_by_site(pages, reader)
    samples = {site: sample(numbers) for site, numbers in sites.items()}
    chosen = _choose(pages, chain.from_iterable(samples.values()), folder, reader)
    models = [""] * (1 + max((numbers[-1] for numbers in sites.values()), default=-1))
    told = Messages()
    for site, numbers in sites.items():
        path = str(Path(folder) / f"{numbers[0]}.dehusk")
        members = {number: chosen[number] for number in samples[site] if number in chosen}
        compared: list[Blocks] = []
        model = learn_site(members, method, PageReader(reader.decision), site, compared)
        model.save(path, site=site)
        told.add(f"{site}: {describe_learning(model, compared)}")
        for number in numbers:
            models[number] = path
    for line in told.lines():
        tell(line)
    return models


def weigh_sites(
    pages: GivenPages, folder: str, method: SiteMethod, telling: bool
) -> list[tuple[str, Mapping[str, float]]]:
    """Name and word weights of each page that can be read.

    With `telling`, counts the kept words that not most pages have; without, counts all kept words if the method has no
    word weights.
    """
    weights: list[tuple[str, Mapping[str, float]]] = []
    reader = PageReader()
    sites = _group_by_site(pages, reader)
    chosen = _choose(pages, chain.from_iterable(sites.values()), folder, reader)
    for site, numbers in sites.items():
        members = {number: chosen[number] for number in numbers if number in chosen}
        model = learn_site({number: members[number] for number in sample(members)}, method, PageReader(), site)
        names: list[str] = []
        read = _noting_labels(reader.read_all(members.items(), "weighing", len(members)), names)
        words = _words(model, read, telling)
        weights += zip(names, words, strict=True)
    return weights


def _noting_labels(pages: Iterable[tuple[int, ReadPage]], labels: list[str]) -> Iterator[Page]:
    for _, read in pages:
        labels.append(read.page.label)
        yield read.page


def _words(model: SiteModel, pages: Iterable[Page], telling: bool) -> Sequence[Mapping[str, float]]:
    from dehusk.lab.mining.telling_words import telling_words

    if isinstance(model, WeighsWords) and not telling:
        return [model.word_weights(page) for page in pages]
    return telling_words(pages, model, *(() if telling else (1.0,)))


def learn_site(
    pages: Mapping[int, Source],
    method: SiteMethod,
    reader: PageReader,
    site: str = "these pages",
    some: list[Blocks] | None = None,
) -> SiteModel:
    """Learn from pages of one site, without unreadable pages and duplicates; `some` gets the first of the others."""

    def noted(distinct: Iterable[ReadPage]) -> Iterator[Blocks]:
        for read in distinct:
            if some is not None and len(some) < MOST_COMPARED:
                some.append(read.blocks)
            yield read.blocks

    model = method.fit_blocks(noted(_distinct(pages, reader, site)))
    if model.pages == 1:
        warn(f"{site}: one page is not enough to find the template")
    elif not model.knows_a_template:
        warn(f"{site}: no two pages differ, which is not enough to find the template")
    return model


def _distinct(pages: Mapping[int, Source], reader: PageReader, site: str) -> Iterator[ReadPage]:
    """The pages without duplicates; those the reader does not keep are read twice, to compare and to learn them."""
    readable: list[int] = []

    def compared() -> Iterator[Page]:
        for number, read in reader.read_all(pages.items(), "comparing", len(pages)):
            readable.append(number)
            yield read.page

    distinct = distinct_pages(compared())
    if distinct.duplicate_of:
        warn(f"{site}: {len(distinct.duplicate_of):,} of {len(readable):,} pages are duplicates and were left out")
    kept = {readable[index]: pages[readable[index]] for index in distinct.kept}
    yield from (read for _, read in reader.read_all(kept.items(), "learning", len(kept)))


def _group_by_site(pages: GivenPages, reader: PageReader) -> dict[str, array[int]]:
    """Page numbers by site: the host a page names, otherwise the folder it was given in."""
    groups: dict[str, array[int]] = {}
    # Pages that cannot be read are reported when they are cleaned.
    for number, read in reader.read_all(enumerate(pages), "sorting", pages.count, tell=False):
        groups.setdefault(site_of(read.page) or read.folder, array("Q")).append(number)
    return groups


def _choose(pages: GivenPages, numbers: Iterable[int], folder: str, reader: PageReader) -> dict[int, Source]:
    """The pages with these numbers: from memory if the reader has them, otherwise to be read once more."""
    wanted = frozenset(numbers)
    return {**reader.held, **pages.numbered(wanted - reader.held.keys(), folder)}


def site_method(method: LearningMethod, matching: MatchingName, threshold: float | None = None) -> SiteMethod:
    """The settings that options of a command describe."""
    from dehusk.methods.page_network.hybrid import Hybrid
    from dehusk.methods.site_trees.pagelet_templates import PageletTemplates
    from dehusk.methods.site_trees.structure_weights import StructureWeights
    from dehusk.methods.site_trees.style_tree import StyleTree
    from dehusk.methods.site_trees.template_positions import Matching

    if method is LearningMethod.HYBRID and matching is MatchingName.ALIGNED:
        return Hybrid(threshold)
    if method is LearningMethod.STYLE_TREE:
        return StyleTree(matching=Matching(matching.value), threshold=threshold)
    if method is LearningMethod.STRUCTURE_WEIGHTS:
        weights = StructureWeights(matching=Matching(matching.value))
        return weights if threshold is None else replace(weights, threshold=threshold)
    if matching is not MatchingName.ALIGNED or threshold is not None:
        fail("--matching applies only to style trees and structure weights, --threshold also to the hybrid")
    return PageletTemplates()
