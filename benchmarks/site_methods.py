"""Quality of the methods that learn a site, on sites of many pages with gold; never scored on training pages.

python benchmarks/site_methods.py PART [PART ...] [--pages 100] [--scored 40] [--sites PATTERN,...] [--most-sites N]
                                  [--seed 0] [--jobs 2] [--repeat 3] [--output FOLDER]

Parts: table, sizes, curve, harm, evidence, families, thresholds, speed; or all.
"""

from __future__ import annotations

import argparse
import multiprocessing
import shlex
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from labelled_pages import positive, run
from site_learning import curve, evidence, families, harm, sizes, speed, table, thresholds
from site_learning.loaded_site import LoadedSite, Sampling
from site_learning.sections import Section, update_document
from site_learning.sites import Site, choose_sites, find_sites

MEASURES: Final[Mapping[str, Callable[[LoadedSite], Any]]] = {
    "table": table.measure,
    "sizes": sizes.measure,
    "curve": curve.measure,
    "harm": harm.measure,
    "evidence": evidence.measure,
    "families": families.measure,
    "thresholds": thresholds.measure,
    "speed": speed.measure,
}
"""Part -> what it finds out about one site."""
DEFAULTS: Final = Sampling()
TITLE: Final = "Methods that learn a site"
DOCUMENT: Final = "site-methods.md"
PLOT: Final = "site-methods.svg"


@dataclass(frozen=True, slots=True)
class Task:
    """Some parts on one site, so that its pages are read and learnt once; or two sites to be mixed."""

    sites: tuple[Site, ...]
    parts: tuple[str, ...]
    sampling: Sampling

    @property
    def label(self) -> str:
        return " + ".join(site.label for site in self.sites)


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found, in the order of sites."""

    sites: Sequence[Site]
    by_part: Mapping[str, Sequence[Any]]
    pairs: Sequence[Any]


def main() -> int:
    arguments = _parse_arguments()
    parts = tuple(MEASURES) if "all" in arguments.parts else tuple(dict.fromkeys(arguments.parts))
    sites = choose_sites(find_sites(), arguments.sites, arguments.most_sites)
    sampling = Sampling(arguments.pages, arguments.scored, arguments.seed)
    findings = find_out(sites, parts, sampling, arguments.jobs)
    reports = _reports(findings, arguments)
    sections = [Section(part, _command(part, arguments), reports[part]()) for part in parts]
    for section in sections:
        print(f"## {section.part.capitalize()}\n\n{section.markdown}")
    if arguments.output:
        update_document(arguments.output / DOCUMENT, TITLE, sections)
        if curve.longest_size(findings.by_part.get("curve", ())):
            curve.draw(findings.by_part["curve"], arguments.output / PLOT)
    return 0


def find_out(sites: Sequence[Site], parts: tuple[str, ...], sampling: Sampling, jobs: int) -> Findings:
    """All parts on all sites, some at a time; parts that have nothing to say about a site are left out."""
    pairs = families.choose_pairs(sites, sampling.seed) if "families" in parts else []
    tasks = [*(Task((site,), parts, sampling) for site in sites), *(Task(pair, (), sampling) for pair in pairs)]
    outcomes = _run_tasks(tasks, jobs)
    of_sites, of_pairs = outcomes[: len(sites)], outcomes[len(sites) :]
    by_part = {part: [outcome[part] for outcome in of_sites if outcome[part] is not None] for part in parts}
    return Findings(sites, by_part, [outcome["pair"] for outcome in of_pairs])


def run_task(task: Task) -> dict[str, Any]:
    """Runs in a process of its own: what it returns is small."""
    loaded = [LoadedSite(site, task.sampling) for site in task.sites]
    if len(loaded) > 1:
        return {"pair": families.measure_pair(loaded)}
    return {part: MEASURES[part](loaded[0]) for part in task.parts}


def _reports(findings: Findings, arguments: argparse.Namespace) -> dict[str, Callable[[], str]]:
    """Part -> how its section is written; the clock of the speed part runs only when that is called."""
    by_part = findings.by_part
    return {
        "table": lambda: table.report(by_part["table"]),
        "sizes": lambda: sizes.report(by_part["sizes"]),
        "curve": lambda: curve.report(by_part["curve"], PLOT if arguments.output else ""),
        "harm": lambda: harm.report(by_part["harm"]),
        "evidence": lambda: evidence.report(by_part["evidence"]),
        "families": lambda: families.report(by_part["families"], findings.pairs),
        "thresholds": lambda: thresholds.report(by_part["thresholds"]),
        "speed": lambda: speed.report(by_part["speed"], _timings(findings.sites, arguments)),
    }


def _run_tasks(tasks: Sequence[Task], jobs: int) -> list[dict[str, Any]]:
    """Outcomes in the order of tasks, however they come in; progress goes to the error stream."""
    begun = time.monotonic()
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        waiting = {pool.submit(run_task, task): number for number, task in enumerate(tasks)}
        outcomes: dict[int, dict[str, Any]] = {}
        for future in as_completed(waiting):
            number = waiting[future]
            outcomes[number] = future.result()
            seconds = time.monotonic() - begun
            print(f"{len(outcomes)}/{len(tasks)} {tasks[number].label} ({seconds:.0f} s)", file=sys.stderr, flush=True)
    return [outcomes[number] for number in range(len(tasks))]


def _timings(sites: Sequence[Site], arguments: argparse.Namespace) -> speed.SpeedFigures | None:
    """Learning is timed on three times the pages that the other parts learn from: 300 unless said otherwise."""
    return speed.measure_timed_site(sites, 3 * arguments.pages, arguments.repeat)


def _command(part: str, arguments: argparse.Namespace) -> str:
    """What to type for this part; options that say nothing about the figures are left out."""
    options = {
        "--pages": (arguments.pages, DEFAULTS.pages),
        "--scored": (arguments.scored, DEFAULTS.scored),
        "--sites": (",".join(arguments.sites), ""),
        "--most-sites": (arguments.most_sites, None),
        "--seed": (arguments.seed, DEFAULTS.seed),
    }
    given = [f"{option} {shlex.quote(str(value))}" for option, (value, usual) in options.items() if value != usual]
    return " ".join(("python benchmarks/site_methods.py", part, *given))


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="How well the methods that learn a site do.")
    parser.add_argument(
        "parts", nargs="+", metavar="PART", choices=[*MEASURES, "all"], help=", ".join([*MEASURES, "all"])
    )
    parser.add_argument(
        "--pages", type=positive, default=DEFAULTS.pages, help="pages learnt from, at most (default: 100)"
    )
    parser.add_argument(
        "--scored", type=positive, default=DEFAULTS.scored, help="other pages scored, at most (default: 40)"
    )
    parser.add_argument("--sites", type=_patterns, default=[], metavar="PATTERN,...", help="such as 'swde-book-*'")
    parser.add_argument("--most-sites", type=positive, metavar="N", help="so many of them, evenly spread")
    parser.add_argument("--seed", type=int, default=0, help="of the samples (default: 0)")
    parser.add_argument("--jobs", type=positive, default=2, help="processes (default: 2)")
    parser.add_argument("--repeat", type=positive, default=3, help="rounds of timing (default: 3)")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help=f"update {DOCUMENT} and {PLOT} there")
    return parser.parse_args()


def _patterns(text: str) -> list[str]:
    return [pattern.strip() for pattern in text.split(",") if pattern.strip()]


if __name__ == "__main__":
    run(main)
