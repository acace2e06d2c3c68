"""`dehusk inspect` on a terminal: one line a place, indented, coloured by its mark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.text import Text

from dehusk.cli.reporting import printable
from dehusk.inspection.outline_lines import Line, Mark, Outline, page_range, value_range

_SIGNS: Final = {Mark.NOISY: ("-", "red"), Mark.MEANINGFUL: ("+", "green"), Mark.MIXED: ("~", "yellow")}
"""The same signs and colours as `clean --explain`."""
_MOST_INDENTED: Final = 20
"""Levels that are indented; deeper ones would start beyond the edge of the screen. They have their level in front."""


def show_outline(outline: Outline) -> None:
    """Print facts, lines and notes."""
    console = Console(highlight=False)
    width = max(len(name) for name, _ in outline.facts)
    for name, value in outline.facts:
        console.print(Text(f"{name:<{width}}  ", style="bold").append(_one_line(value), style="none"), soft_wrap=True)
    if outline.lines:
        _print(console, Text(f"\n{'importance':<11}{'pages':>9}  place", style="bold"))
    for line in outline.lines:
        _print(console, _line(line))
    _print(console, Text())
    if outline.lines:
        _print(console, _legend(outline.lines))
    for note in outline.notes:
        console.print(Text(_one_line(note), style="italic"), soft_wrap=True)


def _print(console: Console, text: Text) -> None:
    """On a screen a line is cut at its edge; in a file or a pipe it is whole."""
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
    """What the signs mean."""
    used, text = {line.mark for line in lines}, Text()
    for mark, (sign, style) in _SIGNS.items():
        if mark in used:
            text.append(f"{sign} {mark}", style=style).append("  ")
    text.append("× so many that look alike  ").append("(+n) places in it without a line", style="cyan")
    return text


def _one_line(text: str) -> str:
    return printable(" ".join(text.split()))
