"""Score cleaners on pages with marked gold, as CleanEval did.

Cleaners here take one page at a time: our methods that learn nothing, other tools, and `none`, all visible text. Ours
mark segments by the kind of block. Other tools return plain text, of which each line counts as a paragraph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

import numpy as np

from dehusk.blocks.segmentation import segment
from dehusk.cleaning import clean
from dehusk.errors import GoldError, InvalidSetting, UnknownName
from dehusk.lab.evaluation.cleaneval_score import CleanEvalScore, score_segments
from dehusk.lab.evaluation.gold_scoring import timed
from dehusk.lab.evaluation.other_tools import OTHER_TOOLS, decoded_html, find_tool
from dehusk.lab.evaluation.report_parts import TextTable
from dehusk.lab.gold.corpora import Corpus, GoldPage, take
from dehusk.lab.gold.gold_alignment import Segment, read_marked
from dehusk.lab.gold.word_matching import edit_distances
from dehusk.methods import METHODS, find_method
from dehusk.methods.sequence_labels.text_runs import RunLabel
from dehusk.outputs.cleaneval_text import marked_text
from dehusk.page.page_reading import read_page
from dehusk.sources.raw_page import RawPage
from dehusk.workers.process_pool import run_step

MarkedCleaner = Callable[[RawPage, str], tuple[Segment, ...]]
"""(page, ISO 639-1 code of its language, or empty) -> its content in segments. It never sees the gold."""

UNCLEANED: Final = "none"

PUBLISHED: Final = (
    "Marek, Pecina & Spousta 2007 (CRF, cross-validated on 104 documents, the competition's own scorer): "
    "text only 0.818, markup only 0.685, total 0.752."
)


@dataclass(frozen=True, slots=True)
class PageTask:
    """One page to clean with all cleaners."""

    page: GoldPage
    cleaners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageResult:
    """The score of one cleaner on one page. A cleaner that fails found nothing."""

    score: CleanEvalScore
    empty: bool
    seconds: float
    failure: str = ""


@dataclass(frozen=True, slots=True)
class CleanEvalMean:
    """Means of one cleaner over the pages of one data set."""

    cleaner: str
    pages: int
    text_only: float
    markup_only: float
    total: float
    empty: int
    failures: int
    seconds: float
    """Cleaning time, without scoring."""


def page_cleaners() -> tuple[str, ...]:
    """No cleaning, and all our methods that need no other page."""
    return (UNCLEANED, *(name for name, method in METHODS.items() if not method.learns))


def check_cleaners(names: Sequence[str]) -> tuple[str, ...]:
    """Check that each cleaner takes single pages and is installed; return the names without duplicates."""
    for name in names:
        if name in METHODS and METHODS[name].learns:
            remedy = f"choose from {', '.join((*page_cleaners(), *OTHER_TOOLS))}"
            raise InvalidSetting(name, "learns from sites, but here each page is cleaned alone", remedy)
        if name not in page_cleaners():
            if name not in OTHER_TOOLS:
                known = (*page_cleaners(), *OTHER_TOOLS)
                raise UnknownName(name, "no such method or tool", f"choose from {', '.join(known)}")
            find_tool(name)
    return tuple(dict.fromkeys(names))


def marked_pages(corpus: Corpus, limit: int | None = None) -> list[GoldPage]:
    """The pages with marked gold among all pages, or among `limit` evenly spread ones."""
    if not any(corpus.column("gold_marked")):
        raise GoldError(corpus.path, "no page has marked gold", "give pages whose gold_marked has <h>, <p> and <l>")
    return [page for page in take(corpus, limit) if page.gold_marked]


def score_pages(pages: Iterable[GoldPage], cleaners: tuple[str, ...], jobs: int) -> Iterator[dict[str, PageResult]]:
    """Cleaner -> its result, for each page in order."""
    edit_distances()  # fail before any page is cleaned if it is not installed
    yield from run_step(score_page, (PageTask(page, cleaners) for page in pages), jobs, _lost)


def score_page(task: PageTask) -> dict[str, PageResult]:
    """Clean one page with all cleaners and compare with its gold."""
    gold = read_marked(task.page.gold_marked)
    return {name: _score(marked_cleaner(name), task.page, gold) for name in task.cleaners}


def marked_cleaner(name: str) -> MarkedCleaner:
    """A method, another tool, or no cleaning, by name."""
    if name == UNCLEANED:
        return lambda raw, language: _visible(raw)
    if name in OTHER_TOOLS:
        tool = find_tool(name)
        return lambda raw, language: plain_segments(tool(decoded_html(raw.body), language))
    model = find_method(name).fit()
    return lambda raw, language: read_marked(clean(raw, model).render("cleaneval"))


def plain_segments(text: str) -> tuple[Segment, ...]:
    """Plain text as segments: each line is a paragraph."""
    return tuple(Segment(RunLabel.PARAGRAPH, line.strip()) for line in text.splitlines() if line.strip())


def summarise(cleaner: str, results: Sequence[PageResult]) -> CleanEvalMean:
    """The means of one cleaner over at least one page."""
    return CleanEvalMean(
        cleaner,
        len(results),
        fmean(result.score.text_only for result in results),
        fmean(result.score.markup_only for result in results),
        fmean(result.score.total for result in results),
        sum(result.empty for result in results),
        sum(bool(result.failure) for result in results),
        sum(result.seconds for result in results),
    )


def score_table(title: str, means: Sequence[CleanEvalMean]) -> TextTable:
    """One row per cleaner."""
    headings = ("cleaned by", "pages", "text only", "markup only", "total", "empty", "failed")
    rows = []
    for mean in means:
        scores = (f"{score:.3f}" for score in (mean.text_only, mean.markup_only, mean.total))
        rows.append((mean.cleaner, f"{mean.pages:,}", *scores, str(mean.empty), str(mean.failures)))
    return TextTable(title, headings, tuple(rows))


def _score(cleaner: MarkedCleaner, page: GoldPage, gold: tuple[Segment, ...]) -> PageResult:
    segments, seconds, failure = timed(lambda raw: cleaner(raw, page.language), page.raw, tuple[Segment, ...]())
    return PageResult(score_segments(segments, gold), not segments, seconds, failure)


def _lost(task: PageTask) -> dict[str, PageResult]:
    failure = f"{task.page.raw.label}: its process died; it may need too much memory"
    return dict.fromkeys(task.cleaners, PageResult(CleanEvalScore(0.0, 0.0), True, 0.0, failure))


def _visible(raw: RawPage) -> tuple[Segment, ...]:
    blocks = segment(read_page(raw))
    return read_marked(marked_text(blocks, np.flatnonzero(~blocks.hidden).tolist()))
