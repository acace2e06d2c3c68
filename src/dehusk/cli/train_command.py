"""`dehusk train`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli.exit_codes import USAGE
from dehusk.cli.train_hybrid_command import train_hybrid_command

if TYPE_CHECKING:
    from dehusk.lab.training.model_cards import DataSet
    from dehusk.lab.training.sequence_label_training import LabelledPage, TrainingSettings
    from dehusk.methods.sequence_labels.sequence_labels import SequenceLabels, SequenceLabelsModel

train_app = typer.Typer(no_args_is_help=True, help="Train models on labelled pages.")
train_app.command("hybrid")(train_hybrid_command)

_MOST_NAMED = 10
"""Unusable pages that are listed by name; the others are only counted."""


@train_app.callback()
def _group() -> None:
    """Train models on labelled pages."""


@train_app.command("sequence-labels")
def train_sequence_labels(
    gold: Annotated[
        list[str],
        typer.Option(
            "--gold",
            "-g",
            metavar="PATH",
            help="Labelled pages (repeatable): Parquet files, folders of them, or folders of page.html with page.txt.",
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write the model.")],
    without: Annotated[
        list[str] | None, typer.Option("--without", metavar="FEATURE", help="Switch off a feature (repeatable).")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Use at most this many pages per data set, evenly spread.")
    ] = None,
    iterations: Annotated[int, typer.Option("--iterations", min=1, help="Maximum number of training steps.")] = 100,
    penalty: Annotated[float, typer.Option("--penalty", min=0.0, help="L2 penalty on weights.")] = 500.0,
    validate: Annotated[
        bool,
        typer.Option("--validate/--no-validate", help="First train without a sixth of the sites, and test on them."),
    ] = True,
    seed: Annotated[int, typer.Option("--seed", help="Random seed for choosing the validation sites.")] = 0,
    created: Annotated[str, typer.Option("--created", metavar="DATE", help="Date to store in the model.")] = "",
) -> None:
    """Train sequence labels: header, paragraph, list, continuation or noise for each text run.

    Gold text is aligned with its page; pages that do not contain their gold text are counted and left out. A model
    card is written beside the model (FILE with the suffix .md): data with digests, settings, validation scores.

    To use your own pages, put page.html and page.txt (the content to keep) in one folder per site. Start lines of the
    text with <h>, <p> or <l> to distinguish headers, paragraphs and list items.

    Examples:

      dehusk train sequence-labels --gold my-pages/ -o mine.dehusk

      dehusk train sequence-labels --gold gold/ --limit 150 -o model.dehusk

      dehusk clean page.html --model mine.dehusk
    """
    from dehusk.cli.clean_step import write_whole
    from dehusk.cli.reporting import errors, fail
    from dehusk.errors import DehuskError
    from dehusk.lab.training.model_cards import Card, card_text
    from dehusk.lab.training.sequence_label_training import TrainingSettings
    from dehusk.methods.sequence_labels.run_features import FEATURE_NAMES
    from dehusk.methods.sequence_labels.sequence_labels import SequenceLabels

    begun = time.perf_counter()
    settings = TrainingSettings(square_penalty=penalty, iterations=iterations)
    try:
        left = tuple(name for name in FEATURE_NAMES if name not in _known_features(without or (), FEATURE_NAMES))
        method = SequenceLabels(left)
        pages, data = _label(gold, limit)
        scores = _validate(pages, method, settings, seed) if validate else {}
        model = _train(pages, method, settings, "training")
        model.save(output, site=", ".join(one.name for one in data), created=created)
    except DehuskError as error:
        fail(str(error), USAGE)
    facts = {
        "features": f"{len(left)}" + (f", without {', '.join(without)}" if without else ""),
        "pages": f"{len(pages):,}",
        "text runs": f"{sum(len(page.labels) for page in pages):,}",
        "training": f"L-BFGS, at most {iterations} steps, penalty {penalty:g}",
        "seed": str(seed),
        "date": created or "not given",
        "seconds": f"{time.perf_counter() - begun:.0f}",
    }
    card = Card("Sequence labels", tuple(data), facts, scores, _command(gold, limit, without))
    write_whole(str(output.with_suffix(".md")), card_text(card))
    errors().print(f"{output}: trained on {len(pages):,} pages", markup=False, soft_wrap=True)


def _known_features(names: Sequence[str], known: Sequence[str]) -> Sequence[str]:
    from dehusk.errors import UnknownName

    for name in names:
        if name not in known:
            raise UnknownName(name, "no such feature", f"choose from {', '.join(known)}")
    return names


def _label(paths: list[str], limit: int | None) -> tuple[list[LabelledPage], list[DataSet]]:
    from dehusk.cli.reporting import tracked, warn
    from dehusk.errors import GoldError
    from dehusk.lab.gold.corpora import open_labelled, take
    from dehusk.lab.training.model_cards import DataSet
    from dehusk.lab.training.sequence_label_training import Unusable, label_page

    pages: list[LabelledPage] = []
    data = []
    for corpus in open_labelled(paths):
        labelled = [label_page(page) for page in tracked(take(corpus, limit), corpus.size(), f"reading {corpus.name}")]
        unusable = [page for page in labelled if isinstance(page, Unusable)]
        for page in unusable[:_MOST_NAMED]:
            warn(f"{page.identifier}: not used: {page.cause}")
        if len(unusable) > _MOST_NAMED:
            warn(f"{corpus.name}: {len(unusable):,} of {len(labelled):,} pages not used")
        found = [page for page in labelled if not isinstance(page, Unusable)]
        pages += found
        data.append(DataSet(corpus.name, corpus.digest(), len(found), len(unusable)))
    if not pages:
        raise GoldError(", ".join(paths), "no page contains its gold text", "check that texts belong to these pages")
    return pages, data


def _validate(
    pages: Sequence[LabelledPage], method: SequenceLabels, settings: TrainingSettings, seed: int
) -> dict[str, str]:
    from dehusk.cli.reporting import errors
    from dehusk.lab.training.sequence_label_training import accuracy, folds_by_site

    held_back = next(folds_by_site([page.site for page in pages], 6, seed))
    training = [page for page, held in zip(pages, held_back, strict=True) if not held]
    test = [page for page, held in zip(pages, held_back, strict=True) if held]
    if not training or not test:
        return {}
    full, content = accuracy(_train(training, method, settings, "validating"), test)
    scores = {
        "pages": f"{len(test):,}",
        "label accuracy": f"{full:.1%}",
        "content/noise accuracy": f"{content:.1%}",
    }
    errors().print("; ".join(f"{name}: {value}" for name, value in scores.items()), markup=False, soft_wrap=True)
    return scores


def _train(
    pages: Sequence[LabelledPage], method: SequenceLabels, settings: TrainingSettings, what: str
) -> SequenceLabelsModel:
    from dehusk.cli.reporting import progress_of
    from dehusk.lab.training.sequence_label_training import train

    with progress_of(settings.iterations, what) as advance:
        return train(pages, method, settings, lambda number, loss: advance())


def _command(gold: Sequence[str], limit: int | None, without: Sequence[str] | None) -> str:
    sets = " ".join(f"--gold {Path(path).name}" for path in gold)
    options = (f" --limit {limit}" if limit else "") + "".join(f" --without {name}" for name in without or ())
    return f"dehusk train sequence-labels {sets}{options} -o FILE"
