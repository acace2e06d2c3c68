"""Tables of texts, from which both the terminal and reports are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

NOTHING: Final = "–"


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table of texts; the first column is the name of the row."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    last_is_mean: bool = False


def terminal_table(table: TextTable) -> Table:
    """A table for the terminal. Names are shown as they are: they cannot colour or steer it."""
    shown = Table(
        title=plain(table.title), title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0)
    )
    for number, heading in enumerate(table.headings):
        shown.add_column(plain(heading), justify="right" if number else "left", no_wrap=not number)
    for number, row in enumerate(table.rows):
        before_mean = table.last_is_mean and number == len(table.rows) - 2
        shown.add_row(*map(plain, row), end_section=before_mean)
    return shown


def plain(text: str) -> Text:
    """Text without control characters, and without markup of any terminal library."""
    return Text("".join(c if c.isprintable() else "\ufffd" for c in text))
