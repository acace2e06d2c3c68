"""The command line. Commands import what they need when they run, so that `dehusk --help` is fast."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from dehusk.cli.batch_command import batch_command
from dehusk.cli.clean_command import clean_command
from dehusk.cli.cleaneval_command import cleaneval_command
from dehusk.cli.crawl_command import crawl_command
from dehusk.cli.exit_codes import SOME_FAILED
from dehusk.cli.gold_command import gold_command
from dehusk.cli.inspect_command import inspect_command
from dehusk.cli.learn_command import learn_command
from dehusk.cli.mining_commands import classification_command, clustering_command
from dehusk.cli.sequence_label_command import label_experiments_command
from dehusk.cli.serve_command import serve_command
from dehusk.cli.thresholds_command import thresholds_command
from dehusk.cli.train_command import train_app
from dehusk.cli.weigh_command import weigh_command
from dehusk.version import __version__

app = typer.Typer(
    name="dehusk",
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    help="Extract the main content of web pages; drop navigation, ads and other boilerplate.",
    epilog="Try [bold]dehusk clean page.html[/bold], or [bold]dehusk clean FOLDER --output cleaned[/bold].",
)
app.command("clean")(clean_command)
app.command("crawl")(crawl_command)
app.command("learn")(learn_command)
app.command("batch")(batch_command)
app.command("serve")(serve_command)
app.command("thresholds")(thresholds_command)
app.command("inspect")(inspect_command)
app.command("weigh")(weigh_command)

evaluate_app = typer.Typer(no_args_is_help=True, help="Measure extraction quality.")
evaluate_app.command("gold")(gold_command)
evaluate_app.command("cleaneval")(cleaneval_command)
evaluate_app.command("sequence-labels")(label_experiments_command)
evaluate_app.command("clustering")(clustering_command)
evaluate_app.command("classification")(classification_command)
app.add_typer(evaluate_app, name="evaluate")
app.add_typer(train_app, name="train")


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version and exit.", is_eager=True, callback=lambda v: _version(v)),
    ] = False,
) -> None:
    """Options of `dehusk` itself."""


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"dehusk {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line; exit quietly when the reader closes the pipe (`| head`)."""
    try:
        app()
    except BrokenPipeError:
        # Keep Python from reporting at exit that buffered output could not be written.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except MemoryError:
        # Not from a page: each page is guarded. Rich would need memory to print this.
        sys.stderr.write("dehusk: out of memory; try fewer pages at once\n")
        sys.exit(SOME_FAILED)
