"""Parts of reports: html pages that need nothing else, with no scripts, fonts or network.

Names and texts come from whoever made or labelled the pages. All of them pass through `escaped`, and a policy in the
page forbids scripts and requests of any kind should one ever slip through.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from dehusk.lab.evaluation.text_tables import TextTable, plain

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
STYLE: Final = """
body { margin: 0 auto; max-width: 64rem; padding: 1rem; background: #fff; color: #1c1e21;
  font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0 1rem; font-variant-numeric: tabular-nums; font-size: .9rem; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid #d9dde3; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
tr.mean td { font-weight: 600; border-top: 2px solid #1c1e21; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
dt { color: #5b616b; } dd { margin: 0; overflow-wrap: anywhere; }
figure { margin: 1rem 0; } figcaption { color: #5b616b; font-size: .9rem; }
svg { max-width: 100%; height: auto; }
"""


def html_page(title: str, facts: Sequence[tuple[str, str]], body: Iterable[str], style: str = "") -> str:
    """A whole page; the body is markup."""
    listed = "".join(f"<dt>{escaped(name)}</dt><dd>{escaped(value)}</dd>" for name, value in facts)
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escaped(title)}</title><style>{STYLE}{style}</style></head><body>",
            f"<h1>{escaped(title)}</h1><dl>{listed}</dl>",
            *body,
            "</body></html>",
            "",
        ]
    )


def html_table(table: TextTable) -> str:
    """A table that scrolls by itself where it is too wide."""
    head = "".join(f"<th>{escaped(heading)}</th>" for heading in table.headings)
    rows = []
    for number, row in enumerate(table.rows):
        mean = ' class="mean"' if table.last_is_mean and number == len(table.rows) - 1 else ""
        rows.append(f"<tr{mean}>{''.join(f'<td>{escaped(cell)}</td>' for cell in row)}</tr>")
    caption = f"<caption>{escaped(table.title)}</caption>"
    return f'<div class="scroll"><table>{caption}<tr>{head}</tr>{"".join(rows)}</table></div>'


def html_figure(svg: str, caption: str) -> str:
    """A drawing with what is to be seen in it."""
    return f"<figure>{svg}<figcaption>{escaped(caption)}</figcaption></figure>"


def escaped(text: str) -> str:
    """Text as text: no markup, no control characters."""
    return escape(str(plain(text)))
