"""`dehusk evaluate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli.cleaneval import cleaneval_command
from dehusk.cli.exit_codes import FLOORS_BROKEN, USAGE
from dehusk.cli.label_experiments import label_experiments_command
from dehusk.cli.mining import classification_command, clustering_command

if TYPE_CHECKING:
    from dehusk.evaluation.floors import Floor
    from dehusk.evaluation.running import CorpusScore
    from dehusk.gold.corpora import Corpus

evaluate_app = typer.Typer(no_args_is_help=True, help="Measure how well methods clean.")
evaluate_app.command("cleaneval")(cleaneval_command)
evaluate_app.command("sequence-labels")(label_experiments_command)
evaluate_app.command("clustering")(clustering_command)
evaluate_app.command("classification")(classification_command)


@evaluate_app.callback()
def _group() -> None:
    """Measure how well methods clean."""


@evaluate_app.command("gold")
def evaluate_gold(
    paths: Annotated[
        list[str], typer.Argument(help="Parquet files of labelled pages (columns html and gold), or folders.")
    ],
    method: Annotated[
        list[str] | None, typer.Option("--method", "-m", help="Methods to score (repeat for several). Default: all.")
    ] = None,
    levels: Annotated[
        bool, typer.Option("--levels", help="Add the share of pages at Qi & Sun's levels A, B, C.")
    ] = False,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Score so many pages of each file only.")] = None,
    check_floors: Annotated[
        bool, typer.Option("--check-floors", help="Fail if a score is below the floor pinned for the same file.")
    ] = False,
    write_floors: Annotated[
        Path | None,
        typer.Option("--write-floors", metavar="FILE", help="Raise the floors in this file to what is reached."),
    ] = None,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the scores as JSON.")] = None,
) -> None:
    """Score methods against labelled pages.

    Precision, recall and F1 on bags of words (CJK and Thai by character), mean over the pages of each file, then over
    files. Speed is cleaning alone, reading included. Gold is never shown to the cleaner. Methods that learn do so from
    the other half of the pages of the same site.

    Examples:

      dehusk evaluate gold gold/wcxb.parquet --levels

      dehusk evaluate gold gold/ --method satisfiable-subtree --check-floors
    """
    from dehusk.cli.reporting import fail
    from dehusk.errors import DehuskError
    from dehusk.gold.corpora import open_corpora
    from dehusk.methods import METHODS

    if limit is not None and (check_floors or write_floors):
        fail("floors hold for whole files: leave out --limit", USAGE)
    try:
        corpora = open_corpora(paths)
        scores = {name: [_score(corpus, name, limit, levels) for corpus in corpora] for name in method or METHODS}
    except DehuskError as error:
        fail(str(error), USAGE)
    for name, of_method in scores.items():
        _show(name, of_method)
    if json_file:
        from dehusk.batch.steps import write_whole
        from dehusk.evaluation.reports import scores_to_json

        write_whole(str(json_file), scores_to_json(scores))
    reached = _reached(corpora, scores) if check_floors or write_floors else []
    if check_floors:
        _check(reached)
    if write_floors:
        _write(write_floors, reached)


def _score(corpus: Corpus, method: str, limit: int | None, levels: bool) -> CorpusScore:
    from dehusk.cleaning import find_method
    from dehusk.cli.reporting import tracked
    from dehusk.evaluation.running import score_method, summarise
    from dehusk.gold.corpora import take

    scores = score_method(find_method(method), take(corpus, limit), levels)
    return summarise(corpus.name, tracked(scores, limit or corpus.size(), f"{method} on {corpus.name}"))


def _show(method: str, scores: list[CorpusScore]) -> None:
    from rich.console import Console

    from dehusk.evaluation.reports import score_table

    console = Console(highlight=False)
    console.print(score_table(method, scores))


def _reached(corpora: list[Corpus], scores: dict[str, list[CorpusScore]]) -> list[Floor]:
    from dehusk.evaluation.floors import Floor

    digests = {corpus.name: corpus.digest() for corpus in corpora}
    return [
        Floor(method, score.corpus, digests[score.corpus], score.pages, score.f1)
        for method, of_method in scores.items()
        for score in of_method
    ]


def _check(reached: list[Floor]) -> None:
    from dehusk.cli.reporting import fail, warn
    from dehusk.errors import GoldError
    from dehusk.evaluation.floors import check_floor, find_floor, load_floors

    floors, broken = load_floors(), []
    for new in reached:
        floor = find_floor(floors, new.method, new.corpus)
        if floor is None:
            warn(f"{new.method} on {new.corpus}: no floor is pinned")
            continue
        try:
            check_floor(floor, new)
        except GoldError as error:
            broken.append(str(error))
    if broken:
        fail("\n".join(broken), FLOORS_BROKEN)


def _write(path: Path, reached: list[Floor]) -> None:
    from dehusk.batch.steps import write_whole
    from dehusk.evaluation.floors import floors_to_json, load_floors, raise_floors

    write_whole(str(path), floors_to_json(raise_floors(load_floors(), reached)))
