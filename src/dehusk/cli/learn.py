"""`dehusk learn`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dehusk.cli.exit_codes import USAGE


def learn_command(
    paths: Annotated[list[str], typer.Argument(help="Pages of one site: files, or folders with all below them.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write the model.")],
    pages: Annotated[
        int, typer.Option("--pages", min=1, help="Learn from so many pages at most, chosen by chance.")
    ] = 200,
    seed: Annotated[int, typer.Option("--seed", help="Which ones: the same seed chooses the same pages.")] = 0,
    created: Annotated[str, typer.Option("--created", metavar="DATE", help="A date to note in the model.")] = "",
) -> None:
    """Learn the template of a site from its pages (site style tree).

    Pages of the site are then cleaned with it, also pages that were not learnt from.

    Examples:

      dehusk learn site/ -o site.dehusk

      dehusk clean site/ --model site.dehusk --output cleaned
    """
    from dehusk.cli.reporting import errors, fail
    from dehusk.cli.sites import FEWEST_PAGES, learn_site
    from dehusk.errors import DehuskError
    from dehusk.learning import sample
    from dehusk.sources.files import find_pages

    try:
        files = [file for path in paths for file in find_pages(path)]
        model = learn_site(sample(files, pages, seed))
        if model.counts.pages < FEWEST_PAGES:
            fail(f"{model.counts.pages} pages are not enough: it takes two to tell a template from content", USAGE)
        model.save(output, created=created)
    except DehuskError as error:
        fail(str(error), USAGE)
    size = output.stat().st_size
    learnt = f"{model.counts.pages:,} pages, {len(model.counts.places):,} places, {size:,} bytes"
    errors().print(f"{output}: {learnt}", markup=False, soft_wrap=True)
