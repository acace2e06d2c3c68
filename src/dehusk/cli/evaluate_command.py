"""`dehusk evaluate`."""

from __future__ import annotations

import typer

from dehusk.cli.cleaneval_command import cleaneval_command
from dehusk.cli.gold_command import gold_command
from dehusk.cli.mining_commands import classification_command, clustering_command
from dehusk.cli.sequence_label_command import label_experiments_command

evaluate_app = typer.Typer(no_args_is_help=True, help="Measure how well methods clean.")
evaluate_app.command("gold")(gold_command)
evaluate_app.command("cleaneval")(cleaneval_command)
evaluate_app.command("sequence-labels")(label_experiments_command)
evaluate_app.command("clustering")(clustering_command)
evaluate_app.command("classification")(classification_command)


@evaluate_app.callback()
def _group() -> None:
    """Measure how well methods clean."""
