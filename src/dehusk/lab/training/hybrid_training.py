"""Train everything the hybrid needs on labelled pages and sites, and measure it on unseen sites.

    pages ──prepare──> arrays ──train, once without each fold of sites──> networks
    held-out pages, each read by the network that does not know its site ──> calibration, confidence
    held-out pages, with clues about their type ──> weights of clues
    held-out sites of many kinds, each with 20 sibling pages ──> weights of site evidence
    all pages ──train──> the network that is shipped

Every step writes a file to a folder, so that interrupted work resumes where it was. All measurements are on sites that
neither the network nor the weights were trained on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

from dehusk.lab.evaluation.floors import LEAST_PAGES
from dehusk.lab.gold.corpora import Corpus, file_without_fold, fold_of
from dehusk.lab.gold.policy_labels import PolicyLabel
from dehusk.lab.training.calibrating import (
    JudgedPage,
    calibrate,
    confidence_curve,
    expected_and_reached,
    expected_error,
    reliability,
)
from dehusk.lab.training.evidence_weights import TypedPage, learn_types
from dehusk.lab.training.network_folds import HybridSettings, ShowProgress, train_networks
from dehusk.lab.training.prepared_pages import (
    POLICY,
    PreparedPage,
    every_page,
    known_type,
    prepare,
    prepare_policy,
    some_of_each_site,
    without_labelled,
)
from dehusk.lab.training.site_evidence_training import (
    SiteEvidence,
    SiteScore,
    fit_site_evidence,
    score_sites,
    with_site,
)
from dehusk.lab.training.site_samples import SampledSite, sample_sites
from dehusk.methods.page_network.inference import NetworkReading, PageNetwork
from dehusk.methods.page_network.page_types import PAGE_TYPES
from dehusk.methods.page_network.trained_weights import Trained

PAGES_A_SITE: Final = 12
"""Pages per site of the multi-page sets: enough to show the site's template, too few to outweigh the rest."""
_OF_ALL_TYPES: Final = POLICY
"""The data set with pages of all types."""


@dataclass(frozen=True, eq=False)
class Quality:
    """The quality of a training on held-out sites."""

    by_set: dict[str, float]
    """Data set -> mean word F1 of its pages with usable gold."""
    by_type: dict[str, float]
    by_language: dict[str, float]
    """Of languages with at least `LEAST_PAGES` pages."""
    sites: tuple[SiteScore, ...]
    calibration_error: float
    calibration_error_with_site: float
    confidence_error: float
    """Mean difference between the confidence of a page and its F1."""
    reliability: tuple[tuple[float, float, float], ...]
    """(predicted probability, share that is content, share of the text)."""
    types: dict[str, float]
    """Page type -> the share of its labelled pages whose type was recognised."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """The training data."""

    gold: Sequence[Corpus]
    sites: Sequence[Corpus]
    labels: Sequence[PolicyLabel] = ()
    """Labels by the content policy; their pages are not trained on with other gold."""
    data: Path = Path()
    """The folder with the corpora that the labels name."""
    unlabelled: Sequence[Corpus] = ()
    """Pages without gold, which teachers label."""


def train_hybrid(
    data: Labelled, folder: Path, settings: HybridSettings, show: ShowProgress
) -> tuple[Trained, Quality, list[PreparedPage]]:
    """Train everything; the folder keeps the finished steps."""
    pages, unlabelled = _prepare(data, folder, show)
    *networks, shipped = train_networks(pages, unlabelled, folder, settings, show)
    held_out = list(_read_held_out(pages, networks, show))
    judged = [JudgedPage(page, reading.content, reading.article) for page, reading in held_out]
    # Pages of one site share a type and a kind of URL: a hundred such sites would outweigh all others.
    single = {*(corpus.name for corpus in data.gold), POLICY}
    typed = [TypedPage(page, reading.page_type) for page, reading in held_out if page.corpus in single]
    calibration = calibrate(judged)
    evidence = fit_site_evidence(list(_sites(data, networks, show)), calibration, settings.folds)
    pairs = [expected_and_reached(page, calibration) for page in judged]
    expected, reached = confidence_curve(pairs)
    types_by_fold = [
        learn_types([one for one in typed if fold_of(one.prepared.site, settings.folds) != fold])
        for fold in range(settings.folds)
    ]
    trained = Trained(shipped, evidence.weights, calibration, expected, reached, learn_types(typed))
    for fold, network in enumerate(networks):
        held_back = Trained(network, evidence.by_fold[fold], calibration, expected, reached, types_by_fold[fold])
        held_back.save(file_without_fold(folder, fold))
    recognised = [
        (one.prepared, one.is_recognised(types_by_fold[fold_of(one.prepared.site, settings.folds)])) for one in typed
    ]
    quality = _quality(judged, pairs, evidence, trained, recognised)
    return trained, quality, pages


def _prepare(data: Labelled, folder: Path, show: ShowProgress) -> tuple[list[PreparedPage], list[PreparedPage]]:
    """(pages with gold, pages without)."""

    def progress(corpus: str, done: int, pages: int) -> None:
        show(f"reading {corpus}: {done} of {pages}")

    prepared = folder / "prepared"
    gold = prepare(data.gold, prepared, every_page, progress)
    gold += prepare(data.sites, prepared, some_of_each_site(PAGES_A_SITE), progress)
    labelled = prepare_policy(data.labels, data.data, prepared, progress) if data.labels else []
    others = prepare(data.unlabelled, prepared, some_of_each_site(PAGES_A_SITE), progress)
    return without_labelled(gold, data.labels) + labelled, without_labelled(others, data.labels)


def _read_held_out(
    pages: Sequence[PreparedPage], networks: Sequence[PageNetwork], show: ShowProgress
) -> Iterator[tuple[PreparedPage, NetworkReading]]:
    show("reading held-out pages")
    for page in pages:
        if page.usable and len(page):
            yield page, networks[fold_of(page.site, len(networks))].read(page.inputs)


def _sites(data: Labelled, networks: Sequence[PageNetwork], show: ShowProgress) -> Iterator[SampledSite]:
    for corpus in (*data.gold, *data.sites, *data.unlabelled):
        show(f"learning the sites of {corpus.name}")
        yield from sample_sites(corpus, networks, data.labels)


def _quality(
    judged: Sequence[JudgedPage],
    pairs: Sequence[tuple[float, float]],
    evidence: SiteEvidence,
    trained: Trained,
    recognised: Sequence[tuple[PreparedPage, bool]],
) -> Quality:
    reached = [one for _, one in pairs]
    bins, beside = reliability(judged, trained.calibration), [with_site(*one) for one in evidence.held_out()]
    return Quality(
        _means([page.prepared.corpus for page in judged], reached),
        _means([_known_kind(page.prepared) for page in judged], reached),
        _means([page.prepared.language for page in judged], reached, LEAST_PAGES),
        score_sites(evidence, trained.calibration),
        expected_error(bins),
        expected_error(reliability(beside, trained.calibration)),
        fmean(abs(trained.confidence(expected) - real) for expected, real in pairs) if pairs else 0.0,
        tuple((one.expected, one.true, one.share) for one in bins),
        _means([_known_kind(page) for page, _ in recognised], [is_right for _, is_right in recognised]),
    )


def _known_kind(page: PreparedPage) -> str:
    """The type of a page of the set with all types; empty for other sets."""
    return PAGE_TYPES[known_type(page.corpus, page.page_type)] if page.corpus == _OF_ALL_TYPES else ""


def _means(names: Sequence[str], values: Sequence[float], fewest: int = 1) -> dict[str, float]:
    grouped: dict[str, list[float]] = {}
    for name, value in zip(names, values, strict=True):
        grouped.setdefault(name, []).append(value)
    return {name: fmean(grouped[name]) for name in sorted(grouped) if name and len(grouped[name]) >= fewest}
