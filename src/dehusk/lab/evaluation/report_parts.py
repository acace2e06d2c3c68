"""Building blocks of evaluation reports: tables for terminal and html, svg plots, and the html page around them.

Names and texts come from the authors and annotators of the pages. All of them pass through `escaped`, and the page's
content security policy forbids scripts and requests in case one slips through.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from dehusk.errors import needed
from dehusk.inspection.html_report import escaped, html_report

NOTHING: Final = "–"


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table of text cells; the first column names the row."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    last_is_mean: bool = False


def terminal_table(table: TextTable) -> Table:
    """A table for the terminal. Names are plain text: they cannot send it control codes."""
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
    """Text without control characters and without terminal markup."""
    return Text("".join(c if c.isprintable() else "\ufffd" for c in text))


_SETTINGS: Final[dict[Any, Any]] = {
    "svg.fonttype": "none",  # keep text as text: smaller, and readable by screen readers
    "svg.hashsalt": "dehusk",  # same scores, same file
    "text.parse_math": False,
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
COLOURS: Final = tuple(
    "#444444 #0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #8c6d31 #7a5195 #b2182b #5ab4ac #a6a6a6".split()
)
"""Okabe and Ito's colours, distinguishable with colour blindness, and more for many cleaners."""
_METADATA: Final = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)


def new_figure(width: float, height: float, rows: int = 1, columns: int = 1) -> tuple[Any, Any]:
    """A new matplotlib figure, without a window system or state shared between plots."""
    with needed("matplotlib", "for plots", "eval"):
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    with rc_context(_SETTINGS):
        figure = Figure(figsize=(width, height), layout="constrained")
        return figure, figure.subplots(rows, columns, squeeze=rows * columns == 1)


def check_plots() -> None:
    """Raise if matplotlib is missing, before any other work is done."""
    new_figure(1, 1)


def as_svg(figure: Any, legend_of: Any = None) -> str:
    """The figure as an svg element, with a legend of `legend_of` if given; matplotlib escapes names."""
    from matplotlib import rc_context

    written = io.StringIO()
    with rc_context(_SETTINGS), warnings.catch_warnings():
        # Text is kept as text, so a glyph missing from matplotlib's font does no harm.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        if legend_of is not None:
            figure.legend(*legend_of.get_legend_handles_labels(), loc="outside right upper", frameon=False, fontsize=8)
        figure.savefig(written, format="svg", metadata={"Date": None})
    text = written.getvalue()
    return _METADATA.sub("", text[text.index("<svg") :])


_STYLE: Final = """
th, td { white-space: nowrap; }
tr.mean td { font-weight: 600; border-top: 2px solid var(--text); }
figure { margin: 1rem 0; } figcaption { color: var(--quiet); font-size: .9rem; }
svg { max-width: 100%; height: auto; }
"""


def html_page(title: str, facts: Sequence[tuple[str, str]], body: Iterable[str], style: str = "") -> str:
    """An `html_report` with a list of facts above its body."""
    listed = "".join(f"<dt>{escaped(name)}</dt><dd>{escaped(value)}</dd>" for name, value in facts)
    return html_report(title, [f"<dl>{listed}</dl>", *body], _STYLE + style)


def html_table(table: TextTable) -> str:
    """A table that scrolls if it is too wide."""
    head = "".join(f"<th>{escaped(heading)}</th>" for heading in table.headings)
    rows = []
    for number, row in enumerate(table.rows):
        mean = ' class="mean"' if table.last_is_mean and number == len(table.rows) - 1 else ""
        rows.append(f"<tr{mean}>{''.join(f'<td>{escaped(cell)}</td>' for cell in row)}</tr>")
    caption = f"<caption>{escaped(table.title)}</caption>"
    return f'<div class="scroll"><table>{caption}<tr>{head}</tr>{"".join(rows)}</table></div>'


def html_figure(svg: str, caption: str) -> str:
    """An svg plot with a caption."""
    return f"<figure>{svg}<figcaption>{escaped(caption)}</figcaption></figure>"
