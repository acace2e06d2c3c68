"""Sample sites of many kinds: pages to judge, and sibling pages of each site to learn from.

Pages labelled by the content policy are the judges of their site; other gold counts less, and gold that was made by a
rule teaches nothing: such rules keep the notes that every page repeats.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.lab.gold.corpora import Corpus, GoldPage, fold_of, site_of_labelled
from dehusk.lab.gold.policy_labels import PolicyLabel, label_page
from dehusk.lab.training.prepared_pages import PreparedPage, made_by_rule, prepare_page, prepare_policy_page
from dehusk.methods.page_network.inference import Logits, PageNetwork
from dehusk.methods.page_network.site_evidence import site_evidence
from dehusk.methods.page_network.site_readings import (
    NOTHING_READ,
    PageReadings,
    SiteReadings,
    count_readings,
    page_readings,
)
from dehusk.methods.page_network.site_weights import Columns
from dehusk.methods.site_models import add_counts
from dehusk.page.page_reading import read_page
from dehusk.sites.duplicates import distinct_pages

SIBLINGS: Final = 20
"""Sibling pages that a site is learnt from."""
FEWEST_PAGES: Final = 6
"""Fewest pages of a site: two to judge, and some to learn from."""
_FEWEST_SIBLINGS: Final = 3
_MANY_PAGES: Final = 26
"""Pages from which on a site counts as having many."""
_JUDGED: Final = {False: 3, True: 6}
"""Pages with gold to judge per site, by whether it has many; pages labelled by the policy are all judged."""
_LARGEST: Final = 4000
"""Pages with more blocks are left out: one of them would count like a hundred others."""

POLICY_LABELS, GOLD, RULE = "policy", "gold", "rule"
"""Where the labels of a page come from: the content policy, another gold, or a rule."""

_KINDS: Final = {
    **dict.fromkeys(("api", "docs", "site", "software", "wiki"), "documentation"),
    **dict.fromkeys(("forum", "notes"), "forum"),
    **dict.fromkeys(("catalog", "shop"), "shop"),
    "company": "company",
    **dict.fromkeys(("org", "school", "travel"), "organisation"),
    **dict.fromkeys(("mag", "news"), "news"),
    **dict.fromkeys(("blog", "recipes"), "blog"),
    "swde-auto": "cars",
    "swde-book": "books",
    "swde-camera": "cameras",
    "swde-job": "jobs",
    "swde-university": "universities",
}
"""Data set, or the first part of its name -> the kind of its sites."""
_OTHERS: Final = "news"
"""The kind of all other sets: those with several pages of a site are of news."""


def kind_of_set(corpus: str) -> str:
    """The kind of the sites of a data set.

    >>> kind_of_set("shop-vellum"), kind_of_set("swde-auto"), kind_of_set("msv-big9-chaos")
    ('shop', 'cars', 'news')
    """
    return _KINDS.get(corpus) or _KINDS.get(corpus.split("-")[0], _OTHERS)


@dataclass(frozen=True, eq=False)
class SitePage:
    """A labelled page, read by a network that was not trained on its site."""

    prepared: PreparedPage
    source: GoldPage
    """The page itself, to clean it as users do."""
    judge: str
    """Where its labels come from: `POLICY_LABELS`, `GOLD` or `RULE`."""
    read: PageReadings
    logits: Logits
    """float32: the log-odds of the network, as it gives them."""
    article: float
    """The probability of the page being an article."""


@dataclass(frozen=True, eq=False)
class SampledSite:
    """Sampled pages of a site: those to judge, and the counts of each of the others."""

    corpus: str
    site: str
    kind: str
    fold: int
    judged: tuple[SitePage, ...]
    siblings: tuple[SiteReadings, ...]

    def learn(self, siblings: int = SIBLINGS) -> SiteReadings:
        """Learn the site from so many siblings, or from all there are."""
        return add_counts([NOTHING_READ, *self.siblings[:siblings]])


@dataclass(frozen=True, eq=False)
class Example:
    """What a site knows about a page."""

    site: SampledSite
    page: SitePage
    columns: Columns
    weight: NDArray[np.float64]
    """One entry per block: the trust in the site where it may take the block away, else 0."""


def sample_sites(
    corpus: Corpus, networks: Sequence[PageNetwork], labels: Sequence[PolicyLabel] = ()
) -> Iterator[SampledSite]:
    """Sample the sites of a corpus, each read by the network that was not trained on it."""
    of_corpus = {label.page: label for label in labels if label.corpus.rpartition("/")[2] == corpus.name}
    names, has_gold = corpus.column("id") if of_corpus else [], corpus.has_gold()
    for site, numbers in corpus.numbers_by_site().items():
        if site and len(numbers) >= FEWEST_PAGES:
            labelled = [number for number in numbers if names and names[number] in of_corpus]
            chosen = _choose(site, numbers, labelled, has_gold)
            sampled = _sample_site(corpus, site, chosen, of_corpus, networks)
            if sampled and sampled.judged:
                yield sampled


@dataclass(frozen=True, slots=True)
class _Chosen:
    """Numbers of the pages of a site that are sampled."""

    labelled: list[int]
    with_gold: list[int]
    siblings: list[int]


def _choose(site: str, numbers: list[int], labelled: list[int], has_gold: bool) -> _Chosen:
    chooser, most = random.Random(site), _JUDGED[len(numbers) >= _MANY_PAGES]
    others = [number for number in numbers if number not in set(labelled)]
    with_gold = chooser.sample(others, min(most, len(others) // 2)) if has_gold else []
    others = [number for number in others if number not in set(with_gold)]
    return _Chosen(labelled, with_gold, chooser.sample(others, min(SIBLINGS, len(others))))


def _sample_site(
    corpus: Corpus, site: str, chosen: _Chosen, labels: Mapping[str, PolicyLabel], networks: Sequence[PageNetwork]
) -> SampledSite | None:
    pages = _read_pages(corpus, [*chosen.labelled, *chosen.with_gold, *chosen.siblings])
    learnt = _distinct([pages[number][1] for number in chosen.siblings if number in pages])
    judged = [number for number in (*chosen.labelled, *chosen.with_gold) if number in pages]
    if len(learnt) < _FEWEST_SIBLINGS or not judged:
        return None
    fold = fold_of(site_of_labelled(pages[judged[0]][0]), len(networks))
    network = networks[fold]
    read = [_site_page(corpus.name, *pages[number], labels, network) for number in judged]
    return SampledSite(
        corpus.name,
        site,
        kind_of_set(corpus.name),
        fold,
        tuple(page for page in read if page.prepared.usable),
        tuple(count_readings(page_readings(blocks, network.logits(blocks))) for blocks in learnt),
    )


def _read_pages(corpus: Corpus, numbers: Sequence[int]) -> dict[int, tuple[GoldPage, Blocks]]:
    """Number -> page and blocks, without pages that have no text or too much."""
    ordered = sorted(set(numbers))
    pages = zip(ordered, corpus.pick(frozenset(ordered)), strict=True)
    read = {number: (page, segment(read_page(page.raw))) for number, page in pages}
    return {number: (page, blocks) for number, (page, blocks) in read.items() if 0 < len(blocks) <= _LARGEST}


def _distinct(pages: Sequence[Blocks]) -> list[Blocks]:
    return [pages[number] for number in distinct_pages([blocks.page for blocks in pages]).kept]


def _site_page(
    corpus: str, page: GoldPage, blocks: Blocks, labels: Mapping[str, PolicyLabel], network: PageNetwork
) -> SitePage:
    label = labels.get(page.identifier)
    judge = POLICY_LABELS if label else RULE if made_by_rule(corpus) else GOLD
    prepared = prepare_policy_page(label_page(page, label, blocks)) if label else prepare_page(corpus, page, blocks)
    reading = network.read(prepared.inputs)
    return SitePage(prepared, page, judge, page_readings(blocks, reading.content), reading.content, reading.article)


def examples_of(site: SampledSite, siblings: int = SIBLINGS) -> Iterator[Example]:
    """Every judged page of a site with what so many siblings say about it."""
    learnt = site.learn(siblings)
    for page in site.judged:
        evidence = site_evidence(page.read, learnt)
        yield Example(site, page, evidence.columns, evidence.trust * evidence.is_repeated.astype(np.float64))
