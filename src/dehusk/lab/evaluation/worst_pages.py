"""The pages on which a method did worst, cleaned once more to be looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from dehusk.cleaning import CleanedPage, clean
from dehusk.errors import DehuskError
from dehusk.lab.evaluation.gold_scoring import PageScore, fit_fold, folds_for
from dehusk.lab.evaluation.tool_comparison import AboutPage, Comparison, Plan, method_of, pages_of
from dehusk.lab.gold.corpora import Corpus, GoldPage
from dehusk.workers.guard import guarded

MOST_PER_SITE: Final = 2
"""Pages of one site fail alike: two are enough to see how."""


@dataclass(frozen=True, eq=False)
class WorstPage:
    """A page, how it scored, and what the method made of it, or why it could not."""

    about: AboutPage
    score: PageScore
    page: GoldPage
    cleaned: CleanedPage | DehuskError


def choose_worst(comparison: Comparison, most: int) -> list[int]:
    """Numbers of the pages with the lowest word F1 of the first contender, lowest first.

    Pages whose gold is not on them are left out, there being nothing to learn from them; so are more than
    `MOST_PER_SITE` of a site.
    """
    scores = comparison.scores[comparison.first]
    ordered = sorted(range(len(scores)), key=lambda number: (scores[number].words.f1, number))
    of_site: Counter[str] = Counter()
    chosen: list[int] = []
    for number in ordered:
        site = comparison.pages[number].site
        if len(chosen) == most or not comparison.usable[number] or (site and of_site[site] == MOST_PER_SITE):
            continue
        of_site[site] += 1
        chosen.append(number)
    return chosen


def clean_worst(comparison: Comparison, plan: Plan, corpora: Sequence[Corpus], most: int) -> list[WorstPage]:
    """The worst pages of the first method, as it cleaned them."""
    chosen = choose_worst(comparison, most)
    score_of = {comparison.pages[number]: comparison.scores[comparison.first][number] for number in chosen}
    found = {
        about: WorstPage(about, score_of[about], page, cleaned)
        for corpus in corpora
        for about, page, cleaned in _clean_again(comparison.first, plan, corpus, list(score_of))
    }
    return [found[about] for about in score_of]


def _clean_again(
    method_name: str, plan: Plan, corpus: Corpus, wanted: Sequence[AboutPage]
) -> Iterator[tuple[AboutPage, GoldPage, CleanedPage | DehuskError]]:
    about_number = {about.number: about for about in wanted if about.corpus == corpus.name}
    method = method_of(method_name, plan.trained)
    for fold in folds_for(method, pages_of(plan, corpus)) if about_number else ():
        held_out = [(number, page) for number, page in fold.held_out if number in about_number]
        if not held_out:
            continue
        clean_it = partial(clean, model=fit_fold(method, fold))
        for number, page in held_out:
            yield about_number[number], page, guarded(clean_it, page.raw, page.raw.label, plan.most_seconds)
