"""The metrics of public benchmarks, each from its definition.

* **Runs of four words** (scrapinghub's article-extraction-benchmark, `evaluate.py`). A word is `\\w+`, case counts. Of
  the bags of runs of four words in text and gold: tp shared, fp only in the text, fn only in gold, divided by their sum
  so that long pages weigh no more. Precision and recall are means over the pages for which they are defined, F1 is that
  of these means, accuracy the share of pages without fp and fn. Intervals are 1.96 standard deviations of 1,000
  bootstrap samples of pages.
* **Segments** (trafilatura, `tests/eval_common.py`; Barbaresi 2021, "Trafilatura: a web scraping library and
  command-line tool for text discovery and extraction"). A segment is found if it is a substring of the text, white
  space folded. tp, fn: segments that must be there and are or are not; fp, tn: the same for those that must not. Counts
  are added up over pages; accuracy = (tp + tn) / all.
* **Words by page type** (WCXB, `evaluate.py`; Foley 2026, arXiv:2605.21097). Precision, recall and F1 of bags of
  lower-cased `\\w+`, and the shares of segments found, ignoring case, that should be there (`with`) and should not
  (`without`, where lower is better). Means over pages.
* **Words in order** (CleanEval, CleanPortalEval). Precision, recall and F1 over the words matched in order, as in
  Evert's `cleaneval.py` (Evert 2008, "A lightweight and efficient tool for cleaning web pages"), means over pages. He
  matches with Python's difflib, which takes quadratic time and may miss words; here it is the longest common
  subsequence. Beside them the competition's own text, markup and total scores (`cleaneval_score`).
* **Expected text** (Readability). Its tests compare whole DOM trees and know no scores: `same` is the share of pages
  with all words in the expected order, beside precision, recall and F1 of words in order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from html import unescape
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.lab.evaluation.cleaneval_score import score_segments
from dehusk.lab.evaluation.text_scores import GRAM, score_in_order, score_words
from dehusk.lab.gold.gold_alignment import Segment, read_marked
from dehusk.lab.gold.public_sets import BenchmarkPage
from dehusk.page.characters import words_of

_WORD: Final = re.compile(r"\w+")
_SAMPLES: Final = 1000
"""Bootstrap samples, as in the benchmark."""
_DEVIATIONS: Final = 1.96
"""Standard deviations on either side that hold 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a cleaner returned for a page."""

    text: str = ""
    segments: tuple[Segment, ...] = ()
    """The same in segments, if the benchmark is marked."""


Counts = tuple[float, ...]
"""What is counted on one page; its meaning is the metric's."""
Table = NDArray[np.float64]
"""float64, a row per page."""


@dataclass(frozen=True, slots=True)
class PublicMetric:
    """How a benchmark scores a page, and how it sums up pages."""

    columns: tuple[str, ...]
    main: str
    """The column by which groups of pages are compared."""
    count: Callable[[Answer, BenchmarkPage], Counts]
    sum_up: Callable[[Table], Mapping[str, float]]
    aligns: bool = False
    """Whether it matches words in order, which needs the extra `crf`."""


def count_runs(answer: Answer, page: BenchmarkPage) -> Counts:
    """Shares of shared, additional and missing runs of four words; zeros if neither text has words."""
    text, gold = _runs(answer.text), _runs(page.page.gold)
    counts = ((text & gold).total(), (text - gold).total(), (gold - text).total())
    return tuple(count / (sum(counts) or 1) for count in counts)


def _runs(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    starts = range(max(1, len(words) - GRAM + 1)) if words else ()
    return Counter(tuple(words[start : start + GRAM]) for start in starts)


def sum_up_runs(table: Table) -> Mapping[str, float]:
    """Precision, recall, F1 and accuracy, with half-widths of their intervals."""
    generator = np.random.default_rng(0)
    # A sample at a time: a table of all of them would take memory in proportion to pages times samples.
    samples = [
        _runs_scores(table[generator.integers(0, len(table), len(table))]) for _ in range(_SAMPLES if len(table) else 0)
    ]
    scores = _runs_scores(table)
    widths = {f"{name} ±": _DEVIATIONS * float(np.std([one[name] for one in samples], ddof=1)) for name in scores}
    return {**scores, **widths} if samples else scores


def _runs_scores(table: Table) -> dict[str, float]:
    tp, fp, fn = table.T
    exact = (fp == 0) & (fn == 0)
    precision = _mean(np.where(exact, 1.0, tp / np.maximum(tp + fp, 1e-300))[tp + fp > 0])
    recall = _mean(np.where(exact, 1.0, tp / np.maximum(tp + fn, 1e-300))[tp + fn > 0])
    return {"precision": precision, "recall": recall, "F1": _f1(precision, recall), "accuracy": _mean(exact)}


def count_segments(answer: Answer, page: BenchmarkPage) -> Counts:
    """Segments found and not found: tp, fp, fn, tn."""
    text = _folded(answer.text)
    tp = sum(_folded(one) in text for one in page.present)
    fp = sum(_folded(one) in text for one in page.absent)
    return (tp, fp, len(page.present) - tp, len(page.absent) - fp)


def sum_up_segments(table: Table) -> Mapping[str, float]:
    """Precision, recall, accuracy and F1 over the segments of all pages."""
    tp, fp, fn, tn = (float(column.sum()) for column in table.T)
    return {
        "precision": _share(tp, tp + fp),
        "recall": _share(tp, tp + fn),
        "accuracy": _share(tp + tn, tp + fp + fn + tn),
        "F1": _share(2 * tp, 2 * tp + fp + fn),
    }


def _folded(text: str) -> str:
    return " ".join(text.split())


def count_typed_words(answer: Answer, page: BenchmarkPage) -> Counts:
    """Precision, recall and F1 of words, and the shares of segments found."""
    words = score_words(Counter(_WORD.findall(answer.text.lower())), Counter(_WORD.findall(page.page.gold.lower())))
    text = answer.text.lower()
    found = [
        sum(one.lower() in text for one in segments) / len(segments) if segments else 1.0
        for segments in (page.present, page.absent)
    ]
    return (words.precision, words.recall, words.f1, *found)


def count_marked(answer: Answer, page: BenchmarkPage) -> Counts:
    """Words in order, and the competition's scores. Gold of CleanPortalEval has entities, which are characters."""
    gold = [replace(one, text=unescape(one.text)) for one in read_marked(page.page.gold_marked)]
    in_order = score_in_order(words_of(answer.text), words_of("\n".join(one.text for one in gold)))
    marked = score_segments(answer.segments, gold)
    return (in_order.precision, in_order.recall, in_order.f1, marked.text_only, marked.markup_only, marked.total)


def count_expected(answer: Answer, page: BenchmarkPage) -> Counts:
    """Whether the words are the expected ones, and their scores in order."""
    words, gold = words_of(answer.text), words_of(page.page.gold)
    in_order = score_in_order(words, gold)
    return (float(words == gold), in_order.precision, in_order.recall, in_order.f1)


def means_of(columns: tuple[str, ...]) -> Callable[[Table], Mapping[str, float]]:
    """Sum up pages by the means of their columns."""
    return lambda table: {name: _mean(column) for name, column in zip(columns, table.T, strict=True)}


def _mean(values: NDArray[Any]) -> float:
    return float(np.mean(values)) if len(values) else 0.0


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _f1(precision: float, recall: float) -> float:
    return _share(2 * precision * recall, precision + recall)


_TYPED: Final = ("precision", "recall", "F1", "with", "without")
_MARKED: Final = ("precision", "recall", "F1", "text only", "markup only", "total")
_EXPECTED: Final = ("same", "precision", "recall", "F1")
_CLEANEVAL: Final = PublicMetric(_MARKED, "F1", count_marked, means_of(_MARKED), aligns=True)

PUBLIC_METRICS: Final[Mapping[str, PublicMetric]] = {
    "article-extraction-benchmark": PublicMetric(
        ("precision", "recall", "F1", "accuracy"), "F1", count_runs, sum_up_runs
    ),
    "trafilatura": PublicMetric(("precision", "recall", "accuracy", "F1"), "F1", count_segments, sum_up_segments),
    "wcxb": PublicMetric(_TYPED, "F1", count_typed_words, means_of(_TYPED)),
    "cleaneval": _CLEANEVAL,
    "cleanportaleval": _CLEANEVAL,
    "readability": PublicMetric(_EXPECTED, "F1", count_expected, means_of(_EXPECTED), aligns=True),
}
"""Benchmark -> its metric."""
