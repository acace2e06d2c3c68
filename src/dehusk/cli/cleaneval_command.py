"""`dehusk evaluate cleaneval`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli.reporting import show_tables, tracked, write_json
from dehusk.cli.shared_options import Jobs, JsonFile, MarkedGold, MostPages

if TYPE_CHECKING:
    from dehusk.lab.evaluation.cleaneval_evaluation import CleanEvalMean
    from dehusk.lab.gold.corpora import Corpus


def cleaneval_command(
    paths: MarkedGold,
    method: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            "-m",
            help="What to score (repeatable): none (all visible text), a method that needs no learning, or another "
            "tool. Default: none and all such methods.",
        ),
    ] = None,
    limit: MostPages = None,
    jobs: Jobs = 1,
    json_file: JsonFile = None,
) -> None:
    """Score headers, paragraphs and list items as the CleanEval competition did.

    Text only: 1 - edit distance over words / length of the longer text. Markup only: the share of segment boundaries
    that have the same position and tag (h, p, l) in the cleaned text and in gold. Total: the mean of the two. Scores
    are averaged over pages; pages without marked gold are left out. For other tools, each line counts as a paragraph.

    Examples:

      dehusk evaluate cleaneval gold/cleaneval-en.parquet

      dehusk evaluate cleaneval gold/cleaneval-en.parquet -m satisfiable-subtree -m trafilatura --jobs 2
    """
    from dehusk.lab.evaluation.cleaneval_evaluation import PUBLISHED, check_cleaners, page_cleaners, score_table
    from dehusk.lab.gold.corpora import open_corpora

    cleaners = check_cleaners(method) if method else page_cleaners()
    corpora = open_corpora(paths)
    scores = {corpus.name: _score(corpus, cleaners, limit, jobs) for corpus in corpora}
    show_tables((score_table(name, means) for name, means in scores.items()), PUBLISHED)
    write_json(json_file, {name: [asdict(mean) for mean in means] for name, means in scores.items()})


def _score(corpus: Corpus, cleaners: tuple[str, ...], limit: int | None, jobs: int) -> list[CleanEvalMean]:
    from dehusk.lab.evaluation.cleaneval_evaluation import marked_pages, score_pages, summarise

    pages = marked_pages(corpus, limit)
    results = list(tracked(score_pages(pages, cleaners, jobs), len(pages), f"cleaning {corpus.name}"))
    return [summarise(name, [of_page[name] for of_page in results]) for name in cleaners]
