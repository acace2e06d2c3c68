"""`dehusk evaluate gold`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli.reporting import FLOORS_BROKEN, fail, show_tables, tracked, warn, write_json, write_whole
from dehusk.cli.shared_options import JsonFile, MostPages

if TYPE_CHECKING:
    from dehusk.lab.evaluation.floors import Floor
    from dehusk.lab.evaluation.gold_groups import Evaluation
    from dehusk.lab.evaluation.tool_comparison import Comparison, Plan
    from dehusk.lab.gold.corpora import Corpus


def gold_command(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH", help="Parquet files of labelled pages (columns html and gold), or folders."),
    ],
    method: Annotated[
        list[str] | None,
        typer.Option(
            "--method", "-m", help="Methods to score (repeatable). Default: all; with --with, the default one."
        ),
    ] = None,
    other_tools: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="TOOLS",
            help="Other tools to score on the same pages, comma-separated: trafilatura, readability, justext, "
            "resiliparse, turbohtml, boilerpy3, newspaper4k, goose3; or 'installed' for all installed ones.",
        ),
    ] = None,
    levels: Annotated[
        bool, typer.Option("--levels", help="Add the share of pages at Qi & Sun's levels A, B, C.")
    ] = False,
    limit: MostPages = None,
    fold: Annotated[
        int | None,
        typer.Option(
            "--fold",
            min=0,
            max=4,
            help="Score only the sites in this fold of five. The shipped network was trained on all labelled sites; "
            "use --trained to score one that has not seen this fold.",
        ),
    ] = None,
    trained: Annotated[
        Path | None,
        typer.Option(
            "--trained",
            metavar="FILE",
            help="Score hybrid and page-evidence with this trained model: `dehusk train hybrid --keep FOLDER` leaves "
            "without-fold-0.dehusk and so on in FOLDER.",
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=1, help="Number of processes; does not change the scores.")
    ] = 1,
    most_seconds: Annotated[
        float,
        typer.Option("--time-limit", min=0.01, metavar="SECONDS", help="Time limit per page and cleaner."),
    ] = 60.0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Random seed for the confidence intervals.")] = 0,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FILE",
            help="Write an HTML report with tables and plots, and a folder beside it that explains the worst pages.",
        ),
    ] = None,
    worst: Annotated[
        int, typer.Option("--worst", min=0, help="Number of the first method's worst pages to explain in the report.")
    ] = 20,
    json_file: JsonFile = None,
    check_floors: Annotated[
        bool, typer.Option("--check-floors", help="Fail if a score is below the pinned floor.")
    ] = False,
    write_floors: Annotated[
        Path | None,
        typer.Option(
            "--write-floors",
            metavar="FILE",
            help="Raise the floors in this file to the scores reached, per data set and per page type and language "
            "with at least 20 pages.",
        ),
    ] = None,
) -> None:
    """Score methods, and other tools, against labelled pages.

    Precision, recall and F1 on bags of words (CJK and Thai by character), averaged over the pages of each file, then
    over files; also F1 on the longest common subsequence of words (LCS) and on word 4-grams. Pages that do not
    contain their gold text are left out. Page types and languages are those given in the files. Confidence intervals
    (95 %) are bootstrapped over sites.

    Speed includes parsing but not learning. Cleaners never see gold text. Methods that learn do so from the other
    half of the site's pages. If a cleaner fails or exceeds the time limit, its text counts as empty and the page as
    failed.

    Examples:

      dehusk evaluate gold gold/wcxb.parquet --levels

      dehusk evaluate gold gold/ --method satisfiable-subtree --check-floors

      dehusk evaluate gold gold/ --fold 0 --trained work/without-fold-0.dehusk --with trafilatura --report report.html

      dehusk evaluate gold gold/ -m page-evidence --with installed --jobs 4 --json scores.json
    """
    from dehusk.lab.evaluation.floors import floors_to_json, load_floors, raise_floors, reached_floors, worth_pinning
    from dehusk.lab.evaluation.gold_groups import evaluate
    from dehusk.lab.evaluation.gold_tables import evaluation_document
    from dehusk.lab.evaluation.report_parts import check_plots
    from dehusk.lab.evaluation.tool_comparison import Plan, choose_contenders
    from dehusk.lab.gold.corpora import open_corpora

    if (limit is not None or fold is not None or trained) and (check_floors or write_floors):
        fail("floors apply to whole files and shipped models: leave out --limit, --fold and --trained")
    corpora = open_corpora(paths)
    contenders = choose_contenders(method or (), other_tools or ())
    plan = Plan(*contenders, levels, limit, most_seconds, fold, str(trained or ""))
    if report:
        check_plots()
    comparison = _compare(corpora, plan, jobs)
    evaluation = evaluate(comparison, seed)
    _show(comparison, evaluation)
    write_json(json_file, evaluation_document(evaluation))
    if report:
        _write_report(report, comparison, evaluation, plan, corpora, seed, worst)
    if check_floors or write_floors:
        reached = reached_floors(comparison, plan.methods, {corpus.name: corpus.digest() for corpus in corpora})
        if check_floors:
            _check(reached)
        if write_floors:
            write_whole(str(write_floors), floors_to_json(raise_floors(load_floors(), worth_pinning(reached))))


def _compare(corpora: list[Corpus], plan: Plan, jobs: int) -> Comparison:
    from dehusk.lab.evaluation.tool_comparison import FOLDS, Scored, check_names, gather, run_plan

    check_names(corpora)
    results: list[Scored] = []
    for corpus in corpora:
        # The exact size of a fold is not known before reading; a fifth is close enough for a progress bar.
        size = corpus.size() // (1 if plan.fold is None else FOLDS)
        total = min(size, plan.limit or size) * len(plan.contenders)
        results += tracked(run_plan(plan, corpus, jobs), total, f"cleaning {corpus.name}")
    return gather(plan.contenders, results)


def _show(comparison: Comparison, evaluation: Evaluation) -> None:
    from dehusk.lab.evaluation.gold_tables import MARKS_EXPLAINED, failure_lines, terminal_tables

    show_tables(terminal_tables(evaluation), MARKS_EXPLAINED if len(evaluation.contenders) > 1 else "")
    for line in failure_lines(comparison):
        warn(line)


def _write_report(
    path: Path,
    comparison: Comparison,
    evaluation: Evaluation,
    plan: Plan,
    corpora: list[Corpus],
    seed: int,
    most_worst: int,
) -> None:
    from dehusk.lab.evaluation.gold_report import gold_report
    from dehusk.lab.evaluation.worst_pages import clean_worst, explained_page

    folder = f"{path.stem}-pages"
    worst = {
        f"{folder}/{number:03d}.html": page
        for number, page in enumerate(clean_worst(comparison, plan, corpora, most_worst), 1)
    }
    text = gold_report(comparison, evaluation, plan, seed, worst)
    # The report comes last, when the pages it links to exist.
    for address, page in worst.items():
        write_whole(str(path.parent / address), explained_page(page, evaluation.first))
    write_whole(str(path), text)


def _check(reached: list[Floor]) -> None:
    from dehusk.errors import GoldError
    from dehusk.lab.evaluation.floors import check_floor, find_floor, load_floors, worth_pinning

    floors, broken = load_floors(), []
    for new in reached:
        floor = find_floor(floors, *new.key)
        if floor is None:
            continue
        try:
            check_floor(floor, new)
        except GoldError as error:
            broken.append(str(error))
    pinned = {floor.key for floor in floors}
    for new in worth_pinning(reached):
        if new.key not in pinned:
            warn(f"{new.subject}: no floor is pinned")
    if broken:
        fail("\n".join(broken), FLOORS_BROKEN)
