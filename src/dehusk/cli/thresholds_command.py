"""`dehusk thresholds`."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli.exit_codes import USAGE
from dehusk.cli.shared_options import FollowLinks

if TYPE_CHECKING:
    from dehusk.cli.given_pages import GivenPages, PageReader
    from dehusk.methods.site_trees.style_tree import StyleTreeModel


def thresholds_command(
    paths: Annotated[list[str], typer.Argument(help="Pages of one site; anything `clean` accepts.")],
    model: Annotated[
        Path | None,
        typer.Option("--model", metavar="FILE", help="Use this model. Default: learn one from the pages."),
    ] = None,
    values: Annotated[
        str, typer.Option("--values", metavar="T,T,...", help="The thresholds to try.")
    ] = "0.05,0.1,0.15,0.2,0.3,0.4,0.6",
    pages: Annotated[int, typer.Option("--pages", min=1, help="Number of pages to clean, chosen at random.")] = 20,
    samples: Annotated[int, typer.Option("--samples", min=0, help="Number of blocks to show side by side.")] = 30,
    seed: Annotated[int, typer.Option("--seed", help="Random seed for choosing pages and blocks.")] = 0,
    follow_links: FollowLinks = False,
) -> None:
    """Compare thresholds for a site, to choose one by eye.

    The style tree drops blocks that score no higher than its threshold, which it chooses per site. This command shows
    what other thresholds would do: how much each keeps, and blocks on which they disagree.

    Examples:

      dehusk thresholds site/

      dehusk thresholds site/ --model site.dehusk --values 0.1,0.2,0.3

      dehusk learn site/ -o site.dehusk --threshold 0.1
    """
    from dehusk.cli.given_pages import GivenPages, PageReader
    from dehusk.cli.reporting import fail
    from dehusk.cli.threshold_trials import show_trials, try_thresholds
    from dehusk.errors import DehuskError

    try:
        tried = [float(value) for value in values.split(",")]
    except ValueError:
        fail(f"--values {values}: not numbers separated by commas, such as 0.1,0.2", USAGE)
    try:
        with TemporaryDirectory(prefix="dehusk-") as folder:
            given = GivenPages(paths, follow_links=follow_links)
            reader = PageReader()
            site = _site_model(model, given, folder, reader)
            sample = reader.read_all(given.sample(pages, seed, folder).items(), "reading", pages)
            trials = try_thresholds(site, [read.blocks for _, read in sample], tried)
    except DehuskError as error:
        fail(str(error), USAGE)
    show_trials(site, trials, samples, seed)


def _site_model(path: Path | None, pages: GivenPages, folder: str, reader: PageReader) -> StyleTreeModel:
    from dehusk.cli.reporting import fail
    from dehusk.cli.site_learning import learn_site
    from dehusk.learning import MOST_PAGES, load_model
    from dehusk.methods.site_trees.style_tree import StyleTree, StyleTreeModel

    model = load_model(path) if path else learn_site(pages.sample(MOST_PAGES, 0, folder), StyleTree(), reader)
    if not isinstance(model, StyleTreeModel):
        fail(f"{path}: is a {model.method} model; this command needs a style-tree model", USAGE)
    if not model.knows_a_template:
        fail("need at least two different pages to choose a threshold", USAGE)
    return model
