"""`dehusk evaluate clustering` and `dehusk evaluate classification`: the papers' mining experiments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from dehusk.cli.reporting import printable, show_tables, tracked, warn, write_json, write_whole
from dehusk.cli.shared_options import Jobs, JsonFile, MatchingName, Seed

if TYPE_CHECKING:
    from dehusk.lab.evaluation.report_parts import TextTable
    from dehusk.lab.mining.classification import PairScore
    from dehusk.lab.mining.clustering import ClusteringScore
    from dehusk.lab.mining.experiments import CleanedSet
    from dehusk.lab.mining.mining_pages import Choice, PageSet
    from dehusk.lab.mining.mining_reports import Experiment
    from dehusk.lab.mining.word_vectors import Weighting


class Label(StrEnum):
    """Columns that hold classes."""

    CATEGORY = "category"
    SUBCATEGORY = "subcategory"


class Weightings(StrEnum):
    """Choices of `--weighting`."""

    TFIDF = "tfidf"
    SMOOTH_TFIDF = "smooth-tfidf"
    TF = "tf"
    COUNTS = "counts"
    BOTH = "both"


Paths: TypeAlias = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH", help="Parquet files of labelled pages (columns html, site, and the label), or folders."
    ),
]


@dataclass(frozen=True)
class MiningOptions:
    """Which pages an experiment uses, which cleaners it compares, and how."""

    label: Annotated[Label, typer.Option("--label", help="The column that holds the classes.")] = Label.CATEGORY
    classes: Annotated[int, typer.Option("--classes", min=2, help="Use this many of the largest classes.")] = 5
    class_names: Annotated[
        list[str] | None,
        typer.Option("--class", metavar="NAME", help="Use this class (repeatable) instead of the largest."),
    ] = None
    sites: Annotated[
        int | None, typer.Option("--sites", min=1, help="Use this many of the sites with the most pages. Default: all.")
    ] = None
    site_names: Annotated[
        list[str] | None, typer.Option("--site", metavar="NAME", help="Use this site (repeatable) instead.")
    ] = None
    pages: Annotated[
        int | None,
        typer.Option(
            "--pages", min=2, help="Use at most this many pages per site, evenly over its classes. Default: all."
        ),
    ] = None
    columns: Annotated[
        list[str] | None,
        typer.Option(
            "--column",
            "-c",
            metavar="NAME",
            help="Cleaners to compare (repeatable): none, a method (style-tree-words, style-tree-exact-blocks), or "
            "another tool. The suffix -telling leaves out words that are common on the site. Default: none, all "
            "methods, and trafilatura, resiliparse, readability, justext if installed.",
        ),
    ] = None
    matching: Annotated[
        MatchingName | None,
        typer.Option(
            "--matching",
            help="Use style trees and structure weights with this matching only: aligned (ours) or exact (as "
            "published). Default: both, or as --column names them (structure-weights, structure-weights-exact).",
        ),
    ] = None
    weighting: Annotated[
        Weightings,
        typer.Option(
            "--weighting",
            help="Unit vectors of tf-idf (Salton's, or scikit-learn's smoothed variant), of tf, or both; or raw "
            "counts.",
        ),
    ] = Weightings.BOTH
    seed: Seed = 0
    jobs: Jobs = 1
    keep: Annotated[
        Path | None,
        typer.Option(
            "--keep",
            metavar="FOLDER",
            help="Cache cleaned pages in this folder, for later runs of `clustering` and `classification`.",
        ),
    ] = None
    json_file: JsonFile = None
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Write an HTML report with tables and plots.")
    ] = None

    def choice(self) -> Choice:
        from dehusk.lab.mining.mining_pages import Choice

        names, sites = tuple(self.class_names or ()), tuple(self.site_names or ())
        return Choice(self.label.value, self.classes, names, self.sites, sites, self.pages, self.seed)

    def chosen_columns(self) -> tuple[str, ...]:
        from dehusk.lab.mining.mining_columns import check_columns, default_columns, with_matching
        from dehusk.methods.site_trees.template_positions import Matching

        chosen = Matching(self.matching.value) if self.matching else None
        return with_matching(check_columns(self.columns), chosen) if self.columns else default_columns(chosen)

    def weightings(self) -> list[Weighting]:
        from dehusk.lab.mining.word_vectors import Weighting

        both = self.weighting is Weightings.BOTH
        return [Weighting.TFIDF, Weighting.TF] if both else [Weighting(self.weighting.value)]


def clustering_command(
    *,
    paths: Paths,
    options: MiningOptions,
    runs: Annotated[int, typer.Option("--runs", min=1, help="Number of k-means runs; the papers use 800.")] = 800,
) -> None:
    """Measure whether cleaning helps k-means to find the classes.

    Pages are clustered many times into as many clusters as there are classes, each time with other random pages as
    initial centroids. The F score of a run is the mean over classes, under the best assignment of clusters to classes.
    Shows the mean and the spread over runs for each cleaner. Cleaners learn each site from its chosen pages and never
    see a class.

    Examples:

      dehusk evaluate clustering sites/*.parquet --pages 40 --runs 100 --jobs 2

      dehusk evaluate clustering cameras.parquet --label subcategory --report cameras.html
    """
    from dehusk.lab.mining.mining_reports import clustering_report, clustering_tables, experiment_document

    choice = options.choice()
    page_set, cleaned = _clean(paths, choice, options)
    scores = _cluster(cleaned, runs, options)
    experiment = _experiment("Clustering", page_set, cleaned, choice, f"{runs:,} runs of k-means")
    _show(clustering_tables(scores), cleaned)
    write_json(options.json_file, experiment_document(experiment, scores))
    if options.report:
        write_whole(str(options.report), clustering_report(experiment, scores))


def classification_command(
    *,
    paths: Paths,
    options: MiningOptions,
    most_combinations: Annotated[
        int,
        typer.Option(
            "--most-combinations", min=1, help="Maximum number of experiments per pair of classes, sampled at random."
        ),
    ] = 100,
    pairs: Annotated[bool, typer.Option("--pairs", help="Also show a row per pair of classes.")] = False,
) -> None:
    """Measure whether cleaning helps a classifier trained on some sites to classify pages of others.

    For each pair of classes, naive Bayes is trained on (1) both classes of one site, tested on the other sites; (2) one
    class from each of two sites, tested on the other sites; (3) the same, tested on all other pages. A linear SVM is
    trained as in (2). Shows F (mean of both classes) and accuracy, averaged over all combinations of sites, for each
    cleaner. Cleaners learn each site from its chosen pages and never see a class.

    Examples:

      dehusk evaluate classification sites/*.parquet --pages 40 --jobs 2

      dehusk evaluate classification cameras.parquet --label subcategory --pairs --report cameras.html
    """
    from dehusk.lab.mining.mining_reports import classification_report, classification_tables, experiment_document

    choice = options.choice()
    page_set, cleaned = _clean(paths, choice, options)
    scores = _classify(cleaned, most_combinations, options)
    done = _combinations(scores)
    experiment = _experiment("Classification", page_set, cleaned, choice, done)
    _show(classification_tables(scores, pairs), cleaned, done)
    write_json(options.json_file, experiment_document(experiment, scores))
    if options.report:
        write_whole(str(options.report), classification_report(experiment, scores))


def _clean(paths: list[str], choice: Choice, options: MiningOptions) -> tuple[PageSet, CleanedSet]:
    from dehusk.lab.gold.corpora import open_corpora
    from dehusk.lab.mining.experiments import gather
    from dehusk.lab.mining.mining_pages import choose_pages
    from dehusk.lab.mining.representations import represent_sites

    page_set = choose_pages(open_corpora(paths), choice)
    sites = represent_sites(page_set.sites, options.chosen_columns(), options.jobs, options.keep)
    cleaned = gather(page_set, tracked(sites, len(page_set.sites), "cleaning sites"))
    for failure in cleaned.failures:
        warn(failure)
    return page_set, cleaned


def _cluster(cleaned: CleanedSet, runs: int, options: MiningOptions) -> list[ClusteringScore]:
    from dehusk.lab.mining.experiments import clustering_scores, clustering_tasks, columns_of, run_clustering

    columns = columns_of(cleaned, options.weightings())
    tasks = clustering_tasks(cleaned, columns, runs, options.seed)
    results = tracked(run_clustering(tasks, options.jobs), sum(map(len, tasks)), "clustering")
    return clustering_scores(cleaned, columns, tasks, results)


def _classify(cleaned: CleanedSet, most_combinations: int, options: MiningOptions) -> list[PairScore]:
    from dehusk.errors import GoldError
    from dehusk.lab.mining.classification import Setting, classify_all
    from dehusk.lab.mining.experiments import classification_tasks, columns_of

    setting = Setting(cleaned.classes, most_combinations, options.seed)
    tasks = classification_tasks(cleaned, columns_of(cleaned, options.weightings()), setting)
    scores = [score for part in tracked(classify_all(tasks, options.jobs), len(tasks), "classifying") for score in part]
    if not scores:
        cause = "no pair of classes has pages to train and to test on"
        remedy = "use more sites: three with both classes, or four with one each"
        raise GoldError(", ".join(cleaned.classes), cause, remedy)
    return scores


def _combinations(scores: Sequence[PairScore]) -> str:
    """The number of experiments per column, and of how many possible ones."""
    column = [score for score in scores if (score.column, score.weighting) == (scores[0].column, scores[0].weighting)]
    done, possible = sum(score.experiments for score in column), sum(score.possible for score in column)
    return f"{done:,} experiments per column" + (f", sampled from {possible:,}" if done < possible else "")


def _experiment(what: str, page_set: PageSet, cleaned: CleanedSet, choice: Choice, done: str) -> Experiment:
    from dehusk.lab.mining.mining_reports import Experiment
    from dehusk.version import __version__

    facts = (
        ("classes", f"{', '.join(cleaned.classes)} (by {choice.label})"),
        ("pages", f"{len(cleaned.labels):,} of {len(set(cleaned.sites)):,} sites; {_at_most(choice.most_pages)}"),
        ("experiments", done),
        ("words", "lower-cased runs of letters and digits, stop words included; the same for all columns"),
        ("seed", str(choice.seed)),
        ("dehusk", __version__),
    )
    title = f"{what} of {len(cleaned.labels):,} pages by {choice.label}"
    return Experiment(title, facts, page_set.counts(), dict(cleaned.seconds))


def _at_most(pages: int | None) -> str:
    return "all of each site" if pages is None else f"at most {pages:,} per site"


def _show(tables: Sequence[TextTable], cleaned: CleanedSet, done: str = "") -> None:
    from dehusk.lab.mining.mining_reports import PUBLISHED, column_table

    names = ", ".join(map(printable, cleaned.classes))
    number = f"{len(cleaned.labels):,} pages of {len(set(cleaned.sites)):,} sites"
    typer.echo(f"{number}; classes: {names}; stop words included" + (f"; {done}" if done else ""))
    show_tables([*tables, column_table(cleaned.words)], PUBLISHED)
