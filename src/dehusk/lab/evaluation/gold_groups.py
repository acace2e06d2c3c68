"""Mean scores of groups of pages, with intervals: data sets, page types, languages, and the macro mean over data sets.

The group of a page type or language has all pages with that value, from all data sets; pages without a value are in no
group. Differences are relative to the first contender, page by page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.lab.evaluation.bootstrap import Estimate, Values, clusters_of, draw_means, estimate
from dehusk.lab.evaluation.gold_scoring import CorpusScore, PageScore, macro_mean, summarise
from dehusk.lab.evaluation.tool_comparison import AboutPage, Comparison

MEASURES: Final[Mapping[str, Callable[[PageScore], float]]] = {
    "f1": lambda score: score.words.f1,
    "lcs_f1": lambda score: score.lcs.f1,
    "four_gram_f1": lambda score: score.four_grams.f1,
}
"""Scores with intervals."""
KINDS: Final[Mapping[str, Callable[[AboutPage], str]]] = {
    "data_sets": lambda page: page.corpus,
    "page_types": lambda page: page.page_type,
    "languages": lambda page: page.language,
}
"""Ways to group pages."""


@dataclass(frozen=True, slots=True)
class Intervals:
    """Bootstrap intervals of the means."""

    f1: Estimate
    lcs_f1: Estimate
    four_gram_f1: Estimate
    difference: Estimate
    """F1 minus that of the first contender; 0 for the first itself."""


@dataclass(frozen=True, slots=True)
class GroupScore:
    """The scores of one contender on one group of pages."""

    means: CorpusScore
    intervals: Intervals

    def as_json(self) -> dict[str, Any]:
        """The keys of the means, and `intervals`."""
        return {**asdict(self.means), "intervals": asdict(self.intervals)}


Groups = Mapping[str, Sequence[GroupScore]]
"""Contender -> its scores on the groups of one kind; all contenders have the same groups."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All results of a comparison, as shown and written."""

    contenders: tuple[str, ...]
    groups: Mapping[str, Groups]
    """Kind, as in `KINDS` -> scores."""
    macro: Mapping[str, GroupScore]

    @property
    def first(self) -> str:
        return self.contenders[0]

    def speed_ratio(self, contender: str) -> float:
        """Pages per second relative to the first contender."""
        own, first = (self.macro[name].means.pages_per_second for name in (contender, self.first))
        return own / first if first else 0.0


def evaluate(comparison: Comparison, seed: int = 0) -> Evaluation:
    """Score all groups of all kinds. The same seed gives the same intervals."""
    drawn: dict[str, list[_Drawn]] = {
        kind: [
            _draw(comparison, name, members, (seed, kind_number, number))
            for number, (name, members) in enumerate(_members(comparison, value_of))
        ]
        for kind_number, (kind, value_of) in enumerate(KINDS.items())
    }
    groups = {
        kind: {name: [one.score_of(number) for one in of_kind] for number, name in enumerate(comparison.contenders)}
        for kind, of_kind in drawn.items()
    }
    return Evaluation(comparison.contenders, groups, _macro(comparison.contenders, drawn["data_sets"]))


def _members(comparison: Comparison, value_of: Callable[[AboutPage], str]) -> Iterator[tuple[str, list[int]]]:
    """Groups with the numbers of their pages: data sets in order, other groups by size."""
    found: dict[str, list[int]] = {}
    for number, page in enumerate(comparison.pages):
        if value := value_of(page):
            found.setdefault(value, []).append(number)
    if value_of is KINDS["data_sets"]:
        yield from found.items()
    else:
        yield from sorted(found.items(), key=lambda group: (-len(group[1]), group[0]))


@dataclass(frozen=True, eq=False)
class _Drawn:
    """One group: the means of each contender, and the bootstrap samples of the means."""

    means: tuple[CorpusScore, ...]
    samples: Values
    """float64, draws x (contenders times measures)."""
    drawn_from: int
    """The number of sites, or of pages if there are few sites."""

    def score_of(self, contender: int) -> GroupScore:
        own, means = self.samples[:, contender * len(MEASURES) :], self.means[contender]
        estimates = {
            name: estimate(getattr(means, name), own[:, number], self.drawn_from)
            for number, name in enumerate(MEASURES)
        }
        gained = estimate(means.f1 - self.means[0].f1, own[:, 0] - self.samples[:, 0], self.drawn_from)
        return GroupScore(means, Intervals(**estimates, difference=gained))


def _draw(comparison: Comparison, name: str, members: Sequence[int], seed: tuple[int, ...]) -> _Drawn:
    scores = [[of_contender[number] for number in members] for of_contender in comparison.scores.values()]
    usable = np.array([comparison.usable[number] for number in members], np.bool_)
    columns = [[measure(score) for score in of_one] for of_one in scores for measure in MEASURES.values()]
    clusters = clusters_of([comparison.pages[number].site for number in members])
    samples = draw_means(np.array(columns).T, clusters, seed)
    return _Drawn(tuple(_means(name, of_one, usable) for of_one in scores), samples, int(clusters.max()) + 1)


def _means(name: str, scores: Sequence[PageScore], usable: NDArray[np.bool_]) -> CorpusScore:
    on_page = [score.words.f1 for score, is_usable in zip(scores, usable, strict=True) if is_usable]
    return replace(summarise(name, scores), usable=len(on_page), f1_usable=fmean(on_page) if on_page else None)


def _macro(contenders: Sequence[str], data_sets: Sequence[_Drawn]) -> dict[str, GroupScore]:
    """The mean over data sets. Each is resampled independently, so the mean of their draws is a draw of the mean."""
    means = tuple(macro_mean([one.means[number] for one in data_sets]) for number in range(len(contenders)))
    samples = np.mean([one.samples for one in data_sets], axis=0)
    drawn = _Drawn(means, samples, min(one.drawn_from for one in data_sets))
    return {name: drawn.score_of(number) for number, name in enumerate(contenders)}
