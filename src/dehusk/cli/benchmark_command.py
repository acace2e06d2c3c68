"""`dehusk evaluate benchmark`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli.reporting import Messages, fail, show_tables, tracked, warn, write_json
from dehusk.cli.shared_options import Jobs, JsonFile, MostPages

if TYPE_CHECKING:
    from dehusk.lab.evaluation.public_benchmarks import BenchmarkPlan
    from dehusk.lab.gold.public_sets import BenchmarkPage, PublicSet


def benchmark_command(
    folder: Annotated[Path, typer.Argument(help="The folder of a public benchmark, as it is published.")],
    method: Annotated[
        list[str] | None,
        typer.Option("--method", "-m", help="Methods of dehusk to score (repeatable). Default: hybrid."),
    ] = None,
    other_tools: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="TOOLS",
            help="Other tools to score, comma-separated; 'installed' for all installed ones (the default), 'none' "
            "for none.",
        ),
    ] = None,
    models: Annotated[
        Path | None,
        typer.Option(
            "--models",
            metavar="FOLDER",
            help="Clean each page with the network that was not trained on its site: a folder that `dehusk train "
            "hybrid --keep FOLDER` wrote.",
        ),
    ] = None,
    sites: Annotated[
        bool,
        typer.Option("--sites", help="Let methods that learn sites learn from the other half of a site's pages."),
    ] = False,
    limit: MostPages = None,
    jobs: Jobs = 1,
    json_file: JsonFile = None,
) -> None:
    """Score dehusk and other tools on a public benchmark, with the metric of that benchmark.

    The folder is one of these, as downloaded: article-extraction-benchmark (ground-truth.json and html/), trafilatura's
    tests (evaldata.json), a part of WCXB (ground-truth/ and html/), CleanEval or CleanPortalEval (input/ and
    GoldStandard/), Readability's test-pages. Its files tell which one it is.

    Each page is cleaned alone, and the other tools get it decoded. If a cleaner fails, its text counts as empty.
    docs/benchmarks.md explains each set, its metric, its faults, and whether dehusk was trained on it.

    Examples:

      dehusk evaluate benchmark article-extraction-benchmark

      dehusk evaluate benchmark trafilatura/tests --with trafilatura,justext

      dehusk evaluate benchmark wcxb/dev --models work --jobs 2 --json wcxb.json
    """
    from dehusk.lab.evaluation.public_benchmarks import (
        benchmark_document,
        benchmark_tables,
        failures_of,
        run_benchmark,
        sum_up_benchmark,
    )
    from dehusk.lab.gold.public_sets import find_public_set

    public_set, place = find_public_set(folder)
    plan = _plan(public_set, method or (), other_tools or ("installed",), models, sites)
    pages = _read_pages(public_set, place, limit)
    total = len(pages) * len(plan.contenders)
    results = list(tracked(run_benchmark(plan, pages, jobs), total, f"cleaning {public_set.name}"))
    scores = sum_up_benchmark(plan, results)
    show_tables(benchmark_tables(plan, scores))
    for line in failures_of(results):
        warn(line)
    write_json(json_file, benchmark_document(plan, scores))


def _plan(
    public_set: PublicSet,
    methods: list[str] | tuple[()],
    tools: list[str] | tuple[str, ...],
    models: Path | None,
    sites: bool,
) -> BenchmarkPlan:
    from dehusk.lab.evaluation.public_benchmarks import NO_OTHERS, BenchmarkPlan
    from dehusk.lab.evaluation.public_metrics import PUBLIC_METRICS
    from dehusk.lab.evaluation.tool_comparison import FOLDS, check_contenders
    from dehusk.lab.gold.corpora import file_without_fold
    from dehusk.lab.gold.word_matching import edit_distances
    from dehusk.methods import DEFAULT_METHOD

    if models:
        for fold in range(FOLDS):
            file = file_without_fold(models, fold)
            if not file.is_file():
                fail(f"{models}: has no {file.name}; `dehusk train hybrid --keep FOLDER` writes five")
    if PUBLIC_METRICS[public_set.name].aligns:
        edit_distances()  # fail before any page is cleaned if it is not installed
    others = () if list(tools) == [NO_OTHERS] else tools
    return BenchmarkPlan(public_set, *check_contenders(methods or (DEFAULT_METHOD,), others), str(models or ""), sites)


def _read_pages(public_set: PublicSet, place: Path, limit: int | None) -> list[BenchmarkPage]:
    faults = Messages()
    pages = list(public_set.read(place, lambda error: faults.add(str(error))))
    if faults.count:
        warn("\n  ".join([f"{faults.count:,} pages are left out:", *faults.lines()]))
    step = max(len(pages) / limit, 1.0) if limit else 1.0
    return [pages[int(number * step)] for number in range(min(limit or len(pages), len(pages)))]
