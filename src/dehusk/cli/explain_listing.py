"""`--explain`: every block of a page, kept or dropped, with score and reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from dehusk.cli.reporting import printable

if TYPE_CHECKING:
    from dehusk.cleaning import CleanedPage

_LONGEST_TEXT = 300
"""Characters of a block that are shown; enough to recognise it."""


def show_blocks(page: CleanedPage) -> None:
    """Print the blocks: `+` kept, `-` dropped."""
    console = Console(highlight=False)
    kept = 0
    console.print(Text(printable(page.page.label), style="bold"), soft_wrap=True)
    for block in page:
        kept += block.kept
        mark, style = ("+", "green") if block.kept else ("-", "red")
        text = block.text if len(block.text) <= _LONGEST_TEXT else block.text[:_LONGEST_TEXT] + " …"
        head = Text(f"{mark} {block.score:4.2f} {_kind(block.kind, block.level):<12} ", style=style)
        console.print(head.append(printable(text).replace("\n", "\n  "), style=None if block.kept else "dim"))
        for reason in block.reasons:
            console.print(
                Text(f"         {printable(reason)} · {printable(block.path)}", style="dim italic"), soft_wrap=True
            )
    encoding = page.page.encoding
    damaged = f", {page.page.damage:.2%} of the text not decoded" if page.page.damage else ""
    read_as = f"; read as {encoding} ({page.page.encoding_reason}{damaged})" if encoding else ""
    console.print(Text(f"{kept} of {len(page)} blocks kept by {page.labelled.model.method}{read_as}", style="bold"))
    if page.confidence is not None:
        console.print(Text(f"page type: {page.page_type}; expected F1: {page.confidence:.2f}", style="bold"))


def _kind(kind: str, level: int) -> str:
    return f"{kind} {level}" if level else kind
