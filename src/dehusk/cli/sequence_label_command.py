"""`dehusk evaluate sequence-labels`: the experiments of Marek, Pecina & Spousta."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from dehusk.cli.reporting import show_tables, tracked, write_json
from dehusk.cli.shared_options import Iterations, Jobs, JsonFile, MarkedGold, Penalty


def sequence_labels_command(
    paths: MarkedGold,
    experiment: Annotated[
        list[str] | None,
        typer.Option(
            "--experiment",
            "-e",
            help="Feature set (repeatable): exp-1 (all), exp-2, exp-3, markup-only, content-only, or 'without "
            "FEATURE' ('without char.*'). Default: the first five.",
        ),
    ] = None,
    ablation: Annotated[
        bool, typer.Option("--ablation", help="Also leave out each of the 46 features, and each group, in turn.")
    ] = False,
    limit: Annotated[int | None, typer.Option("--limit", min=6, help="Use at most this many pages per file.")] = None,
    iterations: Iterations = 100,
    penalty: Penalty = 500.0,
    seed: Annotated[int, typer.Option("--seed", help="Random seed for assigning sites to folds.")] = 0,
    jobs: Jobs = 1,
    json_file: JsonFile = None,
) -> None:
    """Train and test sequence labels in six-fold cross-validation, by site.

    Reports labelling accuracy, over all five labels and over content versus noise, and CleanEval scores of the cleaned
    pages. The paper's results on its own 104 documents are in brackets. For features that are left out, the change of
    the total has a 95 % interval, of sites drawn again, and a star if that is on one side of 0; give exp-1, too.

    Examples:

      dehusk evaluate sequence-labels gold/cleaneval-en.parquet --jobs 2

      dehusk evaluate sequence-labels gold/cleaneval-en.parquet -e exp-1 --ablation --json ablation.json
    """
    from dehusk.lab.evaluation.sequence_label_experiments import (
        ablation_table,
        ablations,
        experiment_table,
        fold_tasks,
        run_folds,
        score_experiments,
    )
    from dehusk.lab.training.chain_training import TrainingSettings
    from dehusk.methods.sequence_labels.run_features import EXPERIMENTS

    names = [*(experiment or EXPERIMENTS), *(ablations() if ablation else ())]
    tasks = fold_tasks(names, paths, limit, seed, TrainingSettings(square_penalty=penalty, iterations=iterations))
    scores = score_experiments(names, list(tracked(run_folds(tasks, jobs), len(tasks), "training")))
    show_tables([table for table in (experiment_table(scores), ablation_table(scores)) if table.rows])
    write_json(json_file, [asdict(score) for score in scores])
