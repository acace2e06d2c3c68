"""Scores of data sets as rows and JSON, and their macro mean."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from statistics import fmean
from typing import Final

from dehusk.lab.evaluation.gold_scoring import CorpusScore

HEADINGS: Final = ("pages", "prec.", "recall", "F1", "LCS", "4-gram", "p/s", "failed")
"""After the name of the data set."""


def macro_mean(scores: Sequence[CorpusScore]) -> CorpusScore:
    """The mean over data sets, each counting alike; pages, seconds and failures are sums."""
    levels = [score.levels for score in scores if score.levels]
    return CorpusScore(
        "macro mean",
        sum(score.pages for score in scores),
        fmean(score.precision for score in scores),
        fmean(score.recall for score in scores),
        fmean(score.f1 for score in scores),
        sum(score.seconds for score in scores),
        sum(score.failures for score in scores),
        (sum(a for a, _, _ in levels), sum(b for _, b, _ in levels), sum(c for _, _, c in levels)) if levels else None,
        fmean(score.lcs_f1 for score in scores),
        fmean(score.four_gram_f1 for score in scores),
        sum(score.usable or 0 for score in scores) if any(score.usable is not None for score in scores) else None,
        _mean_of_known([score.f1_usable for score in scores]),
    )


def _mean_of_known(values: Sequence[float | None]) -> float | None:
    """The mean over the data sets that have any."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def scores_to_json(scores: Mapping[str, Sequence[CorpusScore]]) -> str:
    """Method -> data set scores and their macro mean."""
    document = {
        method: {"data_sets": [asdict(score) for score in of_method], "macro_mean": asdict(macro_mean(of_method))}
        for method, of_method in scores.items()
    }
    return json.dumps(document, indent=1) + "\n"


def cells_of(score: CorpusScore) -> list[str]:
    """The row of a table with `HEADINGS`; the levels at its end, where they are known."""
    levels = [f"{count / max(score.pages, 1):.0%}" for count in score.levels] if score.levels else []
    return [
        score.corpus,
        f"{score.pages:,}",
        f"{score.precision:.3f}",
        f"{score.recall:.3f}",
        f"{score.f1:.3f}",
        f"{score.lcs_f1:.3f}",
        f"{score.four_gram_f1:.3f}",
        f"{score.pages_per_second:,.0f}",
        str(score.failures),
        *levels,
    ]
