"""Quality and speed of dehusk and other tools, on the same pages in one run.

python benchmarks/compare.py [PARQUET_OR_FOLDER ...] [--limit 60] [--tools a,b] [--methods a,b] [--repeat 3]
                             [--speed-only] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from textwrap import shorten

from labelled_pages import gold_corpora, positive, run
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table
from timing import (
    CLEANED,
    PARSE_BYTES,
    PARSE_LEXBOR,
    PARSE_STR,
    READ_AND_SEGMENT,
    RECORDED,
    Timing,
    site_corpora,
    speed_lines,
    time_lines,
    timed_pages,
    tool_line,
)

from dehusk.lab.evaluation.gold_scoring import (
    Cleaner,
    CorpusScore,
    PageScore,
    macro_mean,
    score_method,
    score_page,
    scores_to_json,
    summarise,
)
from dehusk.lab.evaluation.other_tools import OTHER_TOOLS, OtherTool, decoded_html, find_tool, installed_tools
from dehusk.lab.gold.corpora import Corpus, GoldPage, take
from dehusk.methods import METHODS, find_method

WIDTH = 180
"""Width if the output is not a terminal: room for every tool."""
MOST_CAUSES_SHOWN = 3

Contender = Callable[[Sequence[GoldPage]], Iterable[PageScore]]
"""Who takes part: cleans the pages of a data set and has them scored."""


@dataclass(frozen=True, slots=True)
class Quality:
    """How a contender did on each corpus, and why pages failed (cause -> pages)."""

    scores: list[CorpusScore]
    failures: Counter[str]

    @property
    def mean(self) -> CorpusScore:
        """Every data set counts alike."""
        return macro_mean(self.scores)


@dataclass(frozen=True, slots=True)
class Target:
    """A ratio we want to keep."""

    what: str
    reached: float
    wanted: float
    at_most: bool

    @property
    def met(self) -> bool:
        return self.reached <= self.wanted if self.at_most else self.reached >= self.wanted

    def __str__(self) -> str:
        sign = "<=" if self.at_most else ">="
        return f"{self.what}: {self.reached:.2f} (target {sign} {self.wanted:g}) {'met' if self.met else 'MISSED'}"


def main() -> int:
    arguments = _parse_arguments()
    _silence_other_tools()
    tools = [find_tool(name) for name in _names(arguments.tools, installed_tools())]
    methods = _names(arguments.methods, list(METHODS))
    corpora = gold_corpora(arguments.paths)
    console = Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH)

    quality: dict[str, Quality] = {}
    if not arguments.speed_only:
        quality = measure_quality(corpora, contenders(methods, tools), arguments.limit)
        console.print(quality_table(quality))
    for line in failure_lines(quality):
        console.print(line, markup=False)
    speed = measure_speed([*corpora, *([] if arguments.paths else site_corpora())], methods, tools, arguments.repeat)
    console.print(speed_table(speed) if speed else "No speed: scripts were emptied in all of these data sets.")
    reached = targets(speed)
    console.print("[bold]targets[/bold]", *map(str, reached), sep="\n  ")
    _tell_missing(console)
    if arguments.json:
        arguments.json.write_text(_to_json(quality, speed, reached), "utf-8")
    return 0


def contenders(methods: Sequence[str], tools: Sequence[OtherTool]) -> dict[str, Contender]:
    """Methods of ours and other tools."""
    ours = {f"dehusk {name}": _method_contender(name) for name in methods}
    return ours | {tool.name: _tool_contender(tool) for tool in tools}


def measure_quality(corpora: Sequence[Corpus], taking_part: Mapping[str, Contender], limit: int) -> dict[str, Quality]:
    """Contender -> its quality; all see the same pages."""
    quality = {name: Quality([], Counter()) for name in taking_part}
    for corpus in track(corpora, "quality", console=Console(stderr=True), transient=True):
        pages = list(take(corpus, limit))
        for name, contender in taking_part.items():
            scores = list(contender(pages))
            quality[name].scores.append(summarise(corpus.name, scores))
            quality[name].failures.update(shorten(score.failure, WIDTH // 2) for score in scores if score.failure)
    return quality


def measure_speed(
    corpora: Sequence[Corpus], methods: Sequence[str], tools: Sequence[OtherTool], repeat: int
) -> dict[str, Timing]:
    """Line -> its best time; empty when none of the corpora is fit for timing."""
    pages = timed_pages(corpora)
    return time_lines(speed_lines(methods, tools, pages), pages, repeat) if pages else {}


def quality_table(quality: Mapping[str, Quality]) -> Table:
    """One column a contender; each cell has F1 above precision and recall."""
    table = _table("Quality: F1 above precision/recall", "data set")
    for name in quality:
        table.add_column(name.replace(" ", "\n").replace("-", "-\n"), justify="right")
    for of_corpus in zip(*(one.scores for one in quality.values()), strict=True):
        table.add_row(f"{of_corpus[0].corpus}\n{of_corpus[0].pages} pages", *map(_score_cell, of_corpus))
    table.add_section()
    table.add_row("macro mean\nover data sets", *(_score_cell(one.mean) for one in quality.values()), style="bold")
    table.add_row("pages that failed", *(str(one.mean.failures) for one in quality.values()))
    return table


def failure_lines(quality: Mapping[str, Quality]) -> list[str]:
    """Why pages failed, the most frequent causes of each contender."""
    causes = [
        (pages, cause) for one in quality.values() for cause, pages in one.failures.most_common(MOST_CAUSES_SHOWN)
    ]
    return [f"failed on {pages} page{'s' * (pages > 1)}: {cause}" for pages, cause in causes]


def speed_table(speed: Mapping[str, Timing]) -> Table:
    """Milliseconds a page, and how many times a bare parse that is."""
    pages = speed[PARSE_BYTES].pages
    table = _table(f"Speed on {pages} pages as collected", "line")
    bases = {"x lexbor": PARSE_LEXBOR, "x turbohtml": PARSE_BYTES}
    used = {heading: base for heading, base in bases.items() if base in speed}
    for heading in ("ms/page", *used, "failed"):
        table.add_column(heading, justify="right")
    for name, timing in speed.items():
        ratios = [f"{timing.seconds / speed[base].seconds:.2f}" for base in used.values()]
        table.add_row(name, f"{timing.milliseconds:.2f}", *ratios, str(timing.failures))
    return table


def targets(speed: Mapping[str, Timing]) -> list[Target]:
    """What we want of speed, as far as the lines for it were run."""

    def ratio(of: str, to: str) -> float | None:
        return speed[of].seconds / speed[to].seconds if of in speed and to in speed else None

    wanted = (
        ("read + segment / lexbor", ratio(READ_AND_SEGMENT, PARSE_LEXBOR), 0.7, True),
        ("read + segment / parse(str)", ratio(READ_AND_SEGMENT, PARSE_STR), 6.0, True),
        ("dehusk clean / lexbor", ratio(CLEANED, PARSE_LEXBOR), 2.0, True),
        ("record with Markdown / dehusk clean", ratio(RECORDED, CLEANED), 2.0, True),
        ("resiliparse / dehusk clean", ratio(tool_line("resiliparse"), CLEANED), 1.0, False),
        ("trafilatura / dehusk clean", ratio(tool_line("trafilatura"), CLEANED), 50.0, False),
    )
    return [Target(what, reached, bound, at_most) for what, reached, bound, at_most in wanted if reached is not None]


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Quality and speed of dehusk beside other tools, in one run.")
    parser.add_argument("paths", nargs="*", metavar="PARQUET_OR_FOLDER", help="labelled pages; default: DEHUSK_DATA")
    parser.add_argument("--limit", type=positive, default=60, help="pages of each data set scored (default: 60)")
    parser.add_argument("--tools", metavar="A,B", help="other tools (default: all that are installed)")
    parser.add_argument("--methods", metavar="A,B", help="methods of dehusk (default: all)")
    parser.add_argument("--repeat", type=positive, default=3, help="rounds of timing (default: 3)")
    parser.add_argument("--speed-only", action="store_true", help="time, and leave quality out")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures as JSON")
    return parser.parse_args()


def _names(given: str | None, default: list[str]) -> list[str]:
    return default if given is None else [name.strip() for name in given.split(",") if name.strip()]


def _silence_other_tools() -> None:
    """Several of them log and warn on ordinary pages."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)


def _method_contender(name: str) -> Contender:
    """A method that learns does so from other pages of the same site, as in `dehusk evaluate gold`."""
    method = find_method(name)
    return lambda pages: score_method(method, pages)


def _tool_contender(tool: OtherTool) -> Contender:
    def cleaner_in(language: str) -> Cleaner:
        return lambda raw: tool(decoded_html(raw.body), language)

    return lambda pages: (score_page(cleaner_in(page.language), page) for page in pages)


def _table(title: str, first_heading: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column(first_heading, no_wrap=True)
    return table


def _score_cell(score: CorpusScore) -> str:
    return f"{score.f1:.3f}\n{score.precision:.2f}/{score.recall:.2f}"


def _tell_missing(console: Console) -> None:
    missing = [tool.distribution for tool in OTHER_TOOLS.values() if not tool.installed]
    if missing:
        console.print(f"not installed, so not compared: {', '.join(missing)}")


def _to_json(quality: Mapping[str, Quality], speed: Mapping[str, Timing], reached: Sequence[Target]) -> str:
    document = {
        "quality": json.loads(scores_to_json({name: one.scores for name, one in quality.items()})),
        "speed": {name: asdict(timing) | {"milliseconds": timing.milliseconds} for name, timing in speed.items()},
        "targets": [asdict(target) | {"met": target.met} for target in reached],
    }
    return json.dumps(document, indent=1) + "\n"


if __name__ == "__main__":
    run(main)
