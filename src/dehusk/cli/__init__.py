"""The command line. Commands import what they need when they run, so that `dehusk --help` answers at once."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from dehusk.cli.batch_command import batch_command
from dehusk.cli.clean_command import clean_command
from dehusk.cli.crawl_command import crawl_command
from dehusk.cli.evaluate_command import evaluate_app
from dehusk.cli.exit_codes import SOME_FAILED
from dehusk.cli.inspect_command import inspect_command
from dehusk.cli.learn_command import learn_command
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
    help="Takes the husk off web pages: keeps the main content, drops navigation, ads and other noise.",
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
    """Run the command line; a reader that goes away (`| head`) ends it quietly."""
    try:
        app()
    except BrokenPipeError:
        # What is still buffered has nowhere to go; keep Python from complaining about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except MemoryError:
        # Outside of any page: those are guarded one by one. Rich would need memory to say it.
        sys.stderr.write("dehusk: needs more memory than there is; give it fewer pages at once\n")
        sys.exit(SOME_FAILED)
