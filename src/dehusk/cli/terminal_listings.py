"""Listings for the terminal: the blocks of a page (`clean --explain`), the outline of a model (`inspect`)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.text import Text

from dehusk.cli.reporting import printable
from dehusk.deciding.shells import PROBLEMS
from dehusk.inspection.outline_lines import Line, Mark, Outline, page_range, value_range

if TYPE_CHECKING:
    from dehusk.cleaning import CleanedBlock, CleanedPage

_SIGNS: Final = {Mark.NOISY: ("-", "red"), Mark.MEANINGFUL: ("+", "green"), Mark.MIXED: ("~", "yellow")}
_LONGEST_TEXT: Final = 300
"""Characters shown of a block; enough to recognise it."""
_WIDTH_OF_FILES: Final = 120
"""Columns of listings that are written to files."""
_MOST_INDENTED: Final = 20
"""Levels that are indented; deeper ones, which would start beyond the edge of the screen, show a number instead."""


def listed_blocks(page: CleanedPage) -> str:
    """What `show_blocks` prints, as text without colours."""
    written = io.StringIO()
    show_blocks(page, Console(file=written, highlight=False, width=_WIDTH_OF_FILES))
    return written.getvalue()


def show_blocks(page: CleanedPage, console: Console | None = None) -> None:
    """Print all blocks of a page, `+` kept and `-` dropped, with score and reasons."""
    console = console or Console(highlight=False)
    kept = 0
    console.print(Text(printable(page.page.label), style="bold"), soft_wrap=True)
    for block in page:
        kept += block.kept
        _print_block(console, block)
    for removed in page.page.removed:
        line = Text(f"x      {printable(removed.name):<12} ", style="red").append(printable(removed.text), style="dim")
        console.print(
            line.append(f"\n         taken out by the selector {printable(removed.selector)}", style="italic")
        )
    encoding = page.page.encoding
    damaged = f", {page.page.damage:.2%} of the text not decoded" if page.page.damage else ""
    read_as = f"; read as {encoding} ({page.page.encoding_reason}{damaged})" if encoding else ""
    console.print(Text(f"{kept} of {len(page)} blocks kept by {page.labelled.model.method}{read_as}", style="bold"))
    if page.problem:
        console.print(Text(f"{page.problem}: {PROBLEMS[page.problem]}", style="bold"))
    if page.confidence is not None:
        console.print(Text(f"page type: {page.page_type}; expected F1: {page.confidence:.2f}", style="bold"))


def _print_block(console: Console, block: CleanedBlock) -> None:
    sign, style = _SIGNS[Mark.MEANINGFUL if block.kept else Mark.NOISY]
    kind = f"{block.kind} {block.level}" if block.level else block.kind
    text = block.text if len(block.text) <= _LONGEST_TEXT else block.text[:_LONGEST_TEXT] + " …"
    head = Text(f"{sign} {block.score:4.2f} {kind:<12} ", style=style)
    console.print(head.append(printable(text).replace("\n", "\n  "), style=None if block.kept else "dim"))
    reasons = "; ".join(block.reasons)
    line = Text(f"         {printable(reasons)} · {printable(block.path)}", style="dim italic")
    console.print(line, soft_wrap=True)


def show_outline(outline: Outline) -> None:
    """Print what a model learnt: facts, one line per template position, notes."""
    console = Console(highlight=False)
    width = max(len(name) for name, _ in outline.facts)
    for name, value in outline.facts:
        console.print(Text(f"{name:<{width}}  ", style="bold").append(_one_line(value), style="none"), soft_wrap=True)
    if outline.lines:
        _print(console, Text(f"\n{'importance':<11}{'pages':>9}  position", style="bold"))
    for line in outline.lines:
        _print(console, _line(line))
    _print(console, Text())
    if outline.lines:
        _print(console, _legend(outline.lines))
    for note in outline.notes:
        console.print(Text(_one_line(note), style="italic"), soft_wrap=True)


def _print(console: Console, text: Text) -> None:
    """Cut lines at the edge of a screen, but never in a file or a pipe."""
    if console.is_terminal:
        console.print(text, no_wrap=True, overflow="ellipsis")
    else:
        console.print(text, soft_wrap=True)


def _line(line: Line) -> Text:
    sign, style = _SIGNS[line.mark]
    indent = "  " * min(line.level, _MOST_INDENTED) + (f"[{line.level}] " if line.level > _MOST_INDENTED else "")
    text = Text(f"{value_range(line.importance):<11}{page_range(line.pages):>9}  {indent}")
    text.append(f"{sign} {_one_line(line.chain)}", style=style)
    if line.count > 1:
        text.append(f" × {line.count:,}", style="bold")
    if line.hidden:
        text.append(f" (+{line.hidden:,})", style="cyan")
    if line.samples:
        text.append("  " + " · ".join(f"“{_one_line(sample)}”" for sample in line.samples), style="dim")
    return text


def _legend(lines: Sequence[Line]) -> Text:
    """The meaning of the signs used."""
    used, text = {line.mark for line in lines}, Text()
    for mark, (sign, style) in _SIGNS.items():
        if mark in used:
            text.append(f"{sign} {mark}", style=style).append("  ")
    text.append("× n siblings alike  ").append("(+n) positions inside, not shown", style="cyan")
    return text


def _one_line(text: str) -> str:
    return printable(" ".join(text.split()))
