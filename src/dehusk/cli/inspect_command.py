"""`dehusk inspect`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli.exit_codes import USAGE

if TYPE_CHECKING:
    from dehusk.inspection.outline_lines import Outline
    from dehusk.inspection.style_tree_lines import View

_MOST_LINES_LISTED = 500
"""Lines on a terminal: more than anyone scrolls back to."""
_MOST_LINES_OF_A_PAGE = 5_000
"""Lines of an html page, where parts are folded away: 2 MB, which phones still scroll."""


def inspect_command(
    model: Annotated[Path, typer.Argument(metavar="FILE", help="A model that `dehusk learn` wrote.")],
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page to look at in a browser instead.")
    ] = None,
    whole: Annotated[
        bool, typer.Option("--all", help="Show the whole tree, also what is inside noisy and meaningful places.")
    ] = False,
    depth: Annotated[int | None, typer.Option("--depth", min=1, help="Show so many levels only.")] = None,
    fewest: Annotated[
        int | None,
        typer.Option("--fewest", min=1, help="Hide places on fewer pages. Default: 2, on a site of few pages 1."),
    ] = None,
    lines: Annotated[
        int | None, typer.Option("--lines", min=1, help="Show so many lines at most, those on the most pages.")
    ] = None,
) -> None:
    """Show what was learnt of a site: its places, which of them are noise, and why.

    The listing has a line for each place of the site's pages, with its importance (0: the same on all pages, 1:
    different on each), the number of pages that have it, and some of its text. Siblings that look alike share a line.

    Exit codes: 0 shown, 2 not a model, or the page cannot be written.

    Examples:

      dehusk inspect site.dehusk

      dehusk inspect site.dehusk --depth 4 --fewest 20

      dehusk inspect site.dehusk --html site.html
    """
    from dehusk.cli.outline_listing import show_outline
    from dehusk.cli.reporting import fail
    from dehusk.errors import DehuskError
    from dehusk.inspection.style_tree_lines import View

    most = lines or (_MOST_LINES_OF_A_PAGE if html else _MOST_LINES_LISTED)
    try:
        outline = _read(model, View(whole, depth, fewest, most))
    except DehuskError as error:
        fail(str(error), USAGE)
    if html is None:
        show_outline(outline)
    else:
        _write(html, outline)


def _read(path: Path, view: View) -> Outline:
    from dehusk.inspection.model_outline import Origin, outline_of
    from dehusk.learning import load_model
    from dehusk.methods.model_files import read_model_file

    file = read_model_file(path)
    origin = Origin(path.name, file.method, file.settings, file.site, file.created, file.pages)
    return outline_of(load_model(path), origin, view)


def _write(target: Path, outline: Outline) -> None:
    from dehusk.cli.reporting import errors, fail
    from dehusk.inspection.outline_page import outline_page
    from dehusk.workers.whole_files import written_whole

    try:
        with written_whole(target) as temporary:
            temporary.write_text(outline_page(outline), "utf-8")
    except OSError as error:
        fail(f"{target}: cannot be written: {(error.strerror or str(error)).lower()}", USAGE)
    errors().print(f"{target}: {len(outline.lines):,} lines", markup=False, soft_wrap=True)
