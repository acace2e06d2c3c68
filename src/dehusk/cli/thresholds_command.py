"""`dehusk thresholds`."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from dehusk.cli import shared_options as options
from dehusk.cli.reporting import fail, printable

if TYPE_CHECKING:
    from rich.table import Table

    from dehusk.blocks.block_columns import BlockMask, Blocks
    from dehusk.cli.given_pages import GivenPages, PageReader
    from dehusk.methods.site_trees.style_tree import StyleTreeModel

Trials: TypeAlias = "Mapping[float, Sequence[BlockMask]]"
"""Threshold -> for each page, the blocks it keeps."""

_PAGE_WIDTH: Final = 16
"""Characters shown of a page's name: the end of it."""
_LONGEST_TEXT: Final = 70
"""Characters shown of a block."""


def thresholds_command(
    *,
    paths: options.SitePages,
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
    follow_links: options.FollowLinks = False,
    fields: options.FieldOptions,
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

    try:
        tried = [float(value) for value in values.split(",")]
    except ValueError:
        fail(f"--values {values}: not numbers separated by commas, such as 0.1,0.2")
    with TemporaryDirectory(prefix="dehusk-") as folder:
        given = GivenPages(paths, options=fields.source(), follow_links=follow_links)
        reader = PageReader()
        site = _site_model(model, given, folder, reader)
        sample = reader.read_all(given.sample(pages, seed, folder).items(), "reading", pages)
        cleaned = [read.blocks for _, read in sample]
    _show(site, cleaned, _try_thresholds(site, cleaned, tried), samples, seed)


def _site_model(path: Path | None, pages: GivenPages, folder: str, reader: PageReader) -> StyleTreeModel:
    from dehusk.cli.site_learning import learn_site
    from dehusk.learning import MOST_PAGES, load_model
    from dehusk.methods.site_trees.style_tree import StyleTree, StyleTreeModel

    model = load_model(path) if path else learn_site(pages.sample(MOST_PAGES, 0, folder), StyleTree(), reader)
    if not isinstance(model, StyleTreeModel):
        fail(f"{path}: is a {model.method} model; this command needs a style-tree model")
    if not model.knows_a_template:
        fail("need at least two different pages to choose a threshold")
    return model


def _try_thresholds(model: StyleTreeModel, pages: Sequence[Blocks], thresholds: Sequence[float]) -> Trials:
    """The thresholds in ascending order, the model's own included."""
    from dehusk.deciding.decisions import label_blocks

    tried = {threshold: model.with_threshold(threshold) for threshold in sorted({*thresholds, round(model.cut, 4)})}
    return {threshold: [label_blocks(blocks, tried[threshold]).keep for blocks in pages] for threshold in tried}


def _show(model: StyleTreeModel, pages: Sequence[Blocks], trials: Trials, samples: int, seed: int) -> None:
    """Print a table of sizes, and one of blocks on which the thresholds disagree."""
    from rich.console import Console

    console = Console(highlight=False)
    names = {threshold: f"{'*' if threshold == round(model.cut, 4) else ''}{threshold:g}" for threshold in trials}
    console.print(_sizes(model, pages, trials, names))
    disagreed = _disagreed(trials, len(pages))
    chosen = sorted(random.Random(seed).sample(disagreed, min(samples, len(disagreed))))
    if chosen:
        title = f"{len(chosen)} of {len(disagreed):,} blocks on which they disagree: + kept, - dropped"
        console.print(_side_by_side(title, pages, trials, names, chosen))
    elif samples:
        console.print("All thresholds keep the same blocks.")


def _sizes(model: StyleTreeModel, pages: Sequence[Blocks], trials: Trials, names: Mapping[float, str]) -> Table:
    from rich.table import Table

    how = "chosen for the site" if model.settings.threshold is None else "set in the model"
    table = Table(title=f"{len(pages)} pages cleaned; learnt from {model.pages:,}", caption=f"* {how}")
    for heading in ("threshold", "blocks kept", "characters kept", "pages emptied"):
        table.add_column(heading, justify="right")
    shown = sum(int(blocks.length[~blocks.hidden].sum()) for blocks in pages)
    for threshold, kept in trials.items():
        characters = sum(int(blocks.length[keep].sum()) for blocks, keep in zip(pages, kept, strict=True))
        table.add_row(
            names[threshold],
            f"{sum(int(keep.sum()) for keep in kept):,}",
            f"{characters / max(shown, 1):.1%}",
            f"{sum(not keep.any() for keep in kept):,}",
            style="bold" if names[threshold].startswith("*") else None,
        )
    return table


def _disagreed(trials: Trials, pages: int) -> list[tuple[int, int]]:
    """(page, block) of blocks that some thresholds keep and others drop."""
    import numpy as np

    stacked = [np.stack([kept[page] for kept in trials.values()]) for page in range(pages)]
    differs = [np.flatnonzero(keep.any(axis=0) & ~keep.all(axis=0)).tolist() for keep in stacked]
    return [(page, block) for page, blocks in enumerate(differs) for block in blocks]


def _side_by_side(
    title: str,
    pages: Sequence[Blocks],
    trials: Trials,
    names: Mapping[float, str],
    chosen: Sequence[tuple[int, int]],
) -> Table:
    from rich.table import Table
    from rich.text import Text

    # As narrow as possible, so that no column collapses on a screen of 80 columns.
    table = Table(title=title, padding=(0, 0), pad_edge=False, expand=True)
    for name in names.values():
        table.add_column(name, justify="center", no_wrap=True, min_width=len(name))
    table.add_column("page", overflow="ellipsis", min_width=_PAGE_WIDTH, max_width=_PAGE_WIDTH, no_wrap=True)
    table.add_column("block", overflow="ellipsis", no_wrap=True, ratio=1)
    for page, block in chosen:
        signs = [("+", "green") if kept[page][block] else ("-", "red") for kept in trials.values()]
        marks = [Text(sign, style=style) for sign, style in signs]
        text = " ".join(pages[page].texts[block].split())[:_LONGEST_TEXT]
        table.add_row(*marks, Text(printable(pages[page].page.label)[-_PAGE_WIDTH:]), Text(printable(text)))
    return table
