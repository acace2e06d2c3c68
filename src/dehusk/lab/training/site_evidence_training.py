"""Fit the weights of site evidence to sampled sites, and measure them on kinds of sites that were left out.

The page networks are given: each site is read by the one that was not trained on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from dehusk.lab.training.calibrating import JudgedPage, expected_and_reached
from dehusk.lab.training.evidence_weights import learn_weights
from dehusk.lab.training.site_samples import GOLD, POLICY_LABELS, RULE, Example, SampledSite, examples_of
from dehusk.methods.page_network.calibration import Calibration
from dehusk.methods.page_network.site_weights import SiteWeights

HARM: Final = 0.05
"""Word F1 that no page should lose by its site."""
FACTS: Final = ("cars", "books", "cameras", "jobs", "universities")
"""Kinds of sites whose pages hold the facts about one thing."""
JUDGES: Final = {
    POLICY_LABELS: "labels by the content policy",
    GOLD: "other gold",
    RULE: "gold made by a rule, which counts repeated notes as content",
}
"""Where labels come from -> how tables name it."""


@dataclass(frozen=True, slots=True)
class SiteScore:
    """Mean word F1 of the pages of a site that have the same kind of judge, its kind of sites left out."""

    corpus: str
    site: str
    kind: str
    judge: str
    """Where the labels come from: `site_samples.POLICY_LABELS`, `GOLD` or `RULE`."""
    pages: int
    alone: float
    """F1 of the page network."""
    together: float
    harmed: int
    """Pages that lost more than `HARM` with site evidence."""

    @property
    def no_worse(self) -> bool:
        """Whether site evidence did no noticeable harm."""
        return self.together >= self.alone - 0.002


@dataclass(frozen=True, eq=False)
class SiteEvidence:
    """Weights of site evidence, learnt from all sites and from some."""

    examples: tuple[Example, ...]
    weights: SiteWeights
    by_kind: Mapping[str, SiteWeights]
    """Kind of sites -> weights learnt from all other kinds; from all sites if there is no other kind."""
    by_fold: tuple[SiteWeights, ...]
    """Weights learnt without the sites of each fold."""

    def held_out(self) -> Iterator[tuple[Example, SiteWeights]]:
        """Every example with the weights that do not know its kind."""
        return ((one, self.by_kind[one.site.kind]) for one in self.examples)


def fit_site_evidence(sites: Sequence[SampledSite], calibration: Calibration, folds: int) -> SiteEvidence:
    """Learn the weights from all sites, without each kind, and without each fold."""
    examples = tuple(one for site in sites for one in examples_of(site))
    kinds = sorted({site.kind for site in sites})

    def learn(chosen: Sequence[Example]) -> SiteWeights:
        return learn_weights(chosen, calibration)

    weights = learn(examples)
    by_kind = {kind: learn([one for one in examples if one.site.kind != kind]) for kind in kinds}
    by_fold = tuple(learn([one for one in examples if one.site.fold != fold]) for fold in range(folds))
    return SiteEvidence(examples, weights, by_kind if len(kinds) > 1 else dict.fromkeys(kinds, weights), by_fold)


def with_site(example: Example, weights: SiteWeights) -> JudgedPage:
    """The page of an example with what its site says."""
    page = example.page
    lowered = example.weight * weights.lowering(example.columns)
    return JudgedPage(page.prepared, (page.logits - lowered).astype(page.logits.dtype), page.article)


def score_sites(evidence: SiteEvidence, calibration: Calibration) -> tuple[SiteScore, ...]:
    """Score every site by each of its judges, with weights that do not know its kind."""
    pages: dict[tuple[str, str, str, str], list[tuple[float, float]]] = {}
    for example, weights in evidence.held_out():
        page, site = example.page, example.site
        alone = expected_and_reached(JudgedPage(page.prepared, page.logits, page.article), calibration)[1]
        together = expected_and_reached(with_site(example, weights), calibration)[1]
        pages.setdefault((site.corpus, site.site, site.kind, page.judge), []).append((alone, together))
    return tuple(
        SiteScore(
            *named,
            len(scores),
            fmean(alone for alone, _ in scores),
            fmean(together for _, together in scores),
            sum(together < alone - HARM for alone, together in scores),
        )
        for named, scores in pages.items()
    )


# Tables by kind of sites: all kinds count the same


@dataclass(frozen=True, slots=True)
class KindScore:
    """Means over the sites of a kind."""

    kind: str
    sites: int
    pages: int
    alone: float
    together: float
    harmed: int

    @property
    def gain(self) -> float:
        return self.together - self.alone


def score_kinds(scores: Sequence[SiteScore]) -> list[KindScore]:
    """Scores by kind, pages of facts last."""
    kinds = sorted({one.kind for one in scores}, key=lambda kind: (kind in FACTS, kind))
    by_kind = {kind: [one for one in scores if one.kind == kind] for kind in kinds}
    return [
        KindScore(
            kind,
            len(sites),
            sum(one.pages for one in sites),
            fmean(one.alone for one in sites),
            fmean(one.together for one in sites),
            sum(one.harmed for one in sites),
        )
        for kind, sites in by_kind.items()
    ]


def kind_lines(scores: Sequence[SiteScore]) -> Iterator[str]:
    """The tables of all judges, in Markdown."""
    for judge, described in JUDGES.items():
        if judged := [one for one in scores if one.judge == judge]:
            yield f"\nJudged by {described}:\n"
            yield from _table(score_kinds(judged))


def _table(kinds: Sequence[KindScore]) -> Iterator[str]:
    yield "| kind left out | sites | pages | page evidence | with the site | gain | pages that lose more than 0.05 |"
    yield "|---|---|---|---|---|---|---|"
    for one in kinds:
        yield _row(one.kind, one.sites, one.pages, one.alone, one.together, one.harmed)
    sites, pages, harmed = (sum(getattr(one, name) for one in kinds) for name in ("sites", "pages", "harmed"))
    yield _row("**mean of kinds**", sites, pages, *_means(kinds), harmed)
    worst = min(kinds, key=lambda one: one.gain)
    yield f"\nWorst kind: {worst.kind} ({worst.gain:+.4f}); harmed: {harmed / pages:.2%} of pages."
    for name, some in (("pages of facts", True), ("other kinds", False)):
        if members := [one for one in kinds if (one.kind in FACTS) is some]:
            yield f"Mean gain on {name}: {fmean(one.gain for one in members):+.3f}."


def _means(kinds: Sequence[KindScore]) -> tuple[float, float]:
    return fmean(one.alone for one in kinds), fmean(one.together for one in kinds)


def _row(name: str, sites: int, pages: int, alone: float, together: float, harmed: int) -> str:
    return f"| {name} | {sites} | {pages} | {alone:.3f} | {together:.3f} | {together - alone:+.3f} | {harmed} |"
