"""Compare thresholds on some pages, and show the results as tables."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from dehusk.blocks.block_columns import BlockMask, Blocks
from dehusk.cli.reporting import printable
from dehusk.deciding.decisions import label_blocks
from dehusk.methods.site_trees.style_tree import StyleTreeModel

_LONGEST_TEXT = 70
"""Characters shown of a block."""


@dataclass(frozen=True, eq=False)
class Trial:
    """The blocks that one threshold keeps."""

    threshold: float
    is_automatic: bool
    pages: tuple[tuple[Blocks, BlockMask], ...]
    """Each page's blocks, and which of them are kept."""

    @property
    def blocks_kept(self) -> int:
        return sum(int(keep.sum()) for _, keep in self.pages)

    @property
    def characters_kept(self) -> int:
        return sum(int(blocks.length[keep].sum()) for blocks, keep in self.pages)

    @property
    def pages_emptied(self) -> int:
        """Pages with nothing kept: a sign that the threshold is too high."""
        return sum(not keep.any() for _, keep in self.pages)


def try_thresholds(model: StyleTreeModel, pages: Sequence[Blocks], thresholds: Sequence[float]) -> list[Trial]:
    """A trial per threshold, the model's own included, in ascending order."""
    trials = []
    for threshold in sorted({*thresholds, round(model.cut, 4)}):
        tried = model.with_threshold(threshold)
        kept = tuple((blocks, label_blocks(blocks, tried).keep) for blocks in pages)
        trials.append(Trial(threshold, threshold == round(model.cut, 4), kept))
    return trials


def show_trials(model: StyleTreeModel, trials: Sequence[Trial], samples: int, seed: int) -> None:
    """Print a table of sizes, and one of blocks on which the thresholds disagree."""
    console = Console(highlight=False)
    console.print(_sizes(model, trials))
    disagreed = _disagreed(trials)
    chosen = sorted(random.Random(seed).sample(disagreed, min(samples, len(disagreed))))
    if chosen:
        console.print(_side_by_side(trials, chosen, len(disagreed)))
    elif samples:
        console.print("All thresholds keep the same blocks.")


def _sizes(model: StyleTreeModel, trials: Sequence[Trial]) -> Table:
    how = "chosen for the site" if model.settings.threshold is None else "set in the model"
    pages = len(trials[0].pages)
    table = Table(title=f"{pages} pages cleaned; learnt from {model.pages:,}", caption=f"* {how}")
    for heading in ("threshold", "blocks kept", "characters kept", "pages emptied"):
        table.add_column(heading, justify="right")
    shown = sum(int(blocks.length[~blocks.hidden].sum()) for blocks, _ in trials[0].pages)
    for trial in trials:
        table.add_row(
            _name(trial),
            f"{trial.blocks_kept:,}",
            f"{trial.characters_kept / max(shown, 1):.1%}",
            f"{trial.pages_emptied:,}",
            style="bold" if trial.is_automatic else None,
        )
    return table


def _name(trial: Trial) -> str:
    return f"{'*' if trial.is_automatic else ''}{trial.threshold:g}"


def _disagreed(trials: Sequence[Trial]) -> list[tuple[int, int]]:
    """(page, block) of blocks that some thresholds keep and others drop."""
    found = []
    for page in range(len(trials[0].pages)):
        keep = np.stack([trial.pages[page][1] for trial in trials])
        differs = keep.any(axis=0) & ~keep.all(axis=0)
        found += [(page, int(block)) for block in np.flatnonzero(differs)]
    return found


def _side_by_side(trials: Sequence[Trial], chosen: Sequence[tuple[int, int]], of: int) -> Table:
    table = Table(title=f"{len(chosen)} of {of:,} blocks on which they disagree: + kept, - dropped")
    for trial in trials:
        table.add_column(_name(trial), justify="center")
    table.add_column("page", overflow="ellipsis", max_width=24, no_wrap=True)
    table.add_column("block", overflow="ellipsis", no_wrap=True)
    for page, block in chosen:
        marks = [
            Text("+", style="green") if trial.pages[page][1][block] else Text("-", style="red") for trial in trials
        ]
        blocks = trials[0].pages[page][0]
        text = " ".join(blocks.texts[block].split())[:_LONGEST_TEXT]
        table.add_row(*marks, Text(printable(blocks.page.label)[-24:]), Text(printable(text)))
    return table
