"""`dehusk inspect`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli.reporting import fail, tell, write_out

if TYPE_CHECKING:
    from dehusk.inspection.outline_lines import Outline
    from dehusk.inspection.style_tree_lines import View

_MOST_LINES_LISTED = 500
"""Default limit on a terminal: more than anyone scrolls back to."""
_MOST_LINES_OF_A_PAGE = 5_000
"""Default limit in an HTML page, where parts are collapsed: 2 MB, which phones still scroll."""


def inspect_command(
    model: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A model written by `dehusk learn`; or page-network or sequence-labels, for the card of that model.",
        ),
    ],
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write an HTML page instead of a listing.")
    ] = None,
    whole: Annotated[
        bool,
        typer.Option("--all", help="Show the whole tree, including what is inside noisy and meaningful positions."),
    ] = False,
    depth: Annotated[int | None, typer.Option("--depth", min=1, help="Show at most this many levels.")] = None,
    fewest: Annotated[
        int | None,
        typer.Option("--fewest", min=1, help="Hide positions on fewer pages. Default: 2, on small sites 1."),
    ] = None,
    lines: Annotated[
        int | None, typer.Option("--lines", min=1, help="Show at most this many lines, those on the most pages.")
    ] = None,
) -> None:
    """Show what a model learnt about a site: its template positions, which of them are noise, and why.

    The listing has a line per template position, with its importance (0: the same on all pages, 1: different on
    each), the number of pages that have it, and sample text. Siblings with the same style share a line.

    The card of a model that comes with dehusk lists the data it was trained on, with digests, and its scores on sites
    that were held back.

    Exit codes: 0 shown, 2 not a model file, or the page cannot be written.

    Examples:

      dehusk inspect site.dehusk

      dehusk inspect site.dehusk --depth 4 --fewest 20

      dehusk inspect site.dehusk --html site.html

      dehusk inspect page-network
    """
    from dehusk.cli.terminal_listings import show_outline
    from dehusk.inspection.style_tree_lines import View

    if _show_card(model):
        return
    most = lines or (_MOST_LINES_OF_A_PAGE if html else _MOST_LINES_LISTED)
    outline = _read(model, View(whole, depth, fewest, most))
    if html is None:
        show_outline(outline)
    else:
        _write(html, outline)


def _show_card(model: Path) -> bool:
    """Show the card of a shipped model; False if this is none of their names, or a file."""
    from dehusk.inspection.shipped_cards import SHIPPED_MODELS, read_card

    if str(model) not in SHIPPED_MODELS or model.exists():
        return False
    write_out(read_card(str(model)))
    return True


def _read(path: Path, view: View) -> Outline:
    from dehusk.inspection.model_outline import Origin, outline_of
    from dehusk.learning import load_model
    from dehusk.methods.model_files import read_model_file

    file = read_model_file(path)
    origin = Origin(path.name, file.method, file.settings, file.site, file.created, file.pages)
    return outline_of(load_model(path), origin, view)


def _write(target: Path, outline: Outline) -> None:
    from dehusk.inspection.outline_page import outline_page
    from dehusk.workers.whole_files import cause_of, remedies, remedy_of, written_whole

    try:
        with written_whole(target) as temporary:
            temporary.write_text(outline_page(outline), "utf-8")
    except OSError as error:
        fail(f"{target}: cannot be written: {cause_of(error)}; {remedy_of(error, remedies('another file'))}")
    tell(f"{target}: {len(outline.lines):,} lines")
