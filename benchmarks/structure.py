"""How much of the structure of kept content is in the Markdown.

    python benchmarks/structure.py [PARQUET_OR_FOLDER ...] [--pages 200]

Pages are cleaned with the default method. The list items, table rows and lines of code in their html (parsed
independently) whose text is kept must be list items, rows of the same cells and lines of code to a CommonMark parser
that reads the Markdown. Letters and digits are compared.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import turbohtml
from labelled_pages import gold_corpora, positive, run
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table

import dehusk
from dehusk.lab.evaluation.other_tools import decoded_html
from dehusk.lab.gold.corpora import GoldPage, take

PARSER = MarkdownIt("commonmark").enable("table").use(footnote_plugin)
_IN_AN_ITEM = re.compile(r"/(?:li|dd|dt)(?=[./]|$)")
_APART = ("ul", "ol", "dl", "table", "pre")
"""What is in an item, but not part of its own text."""


@dataclass
class Found:
    """What is in a tree, or in Markdown: texts of items, rows of cells, lines of code."""

    items: Counter[str] = field(default_factory=Counter)
    rows: Counter[tuple[str, ...]] = field(default_factory=Counter)
    lines: Counter[str] = field(default_factory=Counter)


def main() -> int:
    parser = argparse.ArgumentParser(description="Lists, tables and code: what of the kept ones is in the Markdown?")
    parser.add_argument("paths", nargs="*", metavar="PARQUET_OR_FOLDER", help="labelled pages; default: DEHUSK_DATA")
    parser.add_argument("--pages", type=positive, default=200, help="pages of each set (default: 200)")
    parser.add_argument("--missing", type=int, default=0, help="number of missing items to show")
    arguments = parser.parse_args()
    table = Table(box=SIMPLE_HEAD, title="kept structure that is in the Markdown")
    for heading in ("data set", "list items", "of", "table rows", "of", "lines of code", "of"):
        table.add_column(heading, justify="left" if heading == "data set" else "right")
    total: Counter[str] = Counter()
    missing: list[str] = []
    for corpus in track(gold_corpora(arguments.paths), "measuring", console=Console(stderr=True), transient=True):
        counts: Counter[str] = Counter()
        for page in take(corpus, arguments.pages):
            counts += measure(page, missing)
        total += counts
        table.add_row(corpus.name, *shares(counts))
    table.add_row("all", *shares(total), style="bold")
    Console().print(table)
    for line in missing[: arguments.missing]:
        print(line)
    return 0


def shares(counts: Counter[str]) -> Iterator[str]:
    for name in ("items", "rows", "lines"):
        there, wanted = counts[f"{name} there"], counts[f"{name} wanted"]
        yield from (f"{there / wanted:.2%}" if wanted else "-", f"{wanted:,}")


def measure(page: GoldPage, missing: list[str]) -> Counter[str]:
    """How many there should be of each, and how many are."""
    html = decoded_html(page.raw.body)
    cleaned = dehusk.clean(html, url=page.raw.url)
    kept = {letters(block.text) for block in cleaned if block.kept}
    # The title of a page may be an item of the path to it, too, which is dropped.
    within = {letters(block.text) for block in cleaned if block.kept and _IN_AN_ITEM.search(block.path)}
    wanted = in_tree(html, kept, within)
    found = in_markdown(cleaned.render("markdown"))
    counts: Counter[str] = Counter()
    for name in ("items", "rows", "lines"):
        expected, there = getattr(wanted, name), getattr(found, name)
        counts[f"{name} wanted"] += expected.total()
        counts[f"{name} there"] += (expected & there).total()
        missing += [f"{name} {page.raw.url}: {text!r}" for text in expected - there]
    return counts


def letters(text: str) -> str:
    """What is compared: letters and digits."""
    return "".join(filter(str.isalnum, text))


def in_tree(html: str, kept: set[str], within: set[str]) -> Found:
    """The structure of the page's own tree, where its text is kept (that of items: within an item)."""
    found, tree = Found(), turbohtml.parse(html)
    for item in tree.select("li, dd, dt"):
        text = letters("".join(own_texts(item)))
        if text and text in within and item.closest("td, th") is None:
            found.items[text] += 1
    for table in tree.select("table"):
        if table.select_one("table") is None and table.closest("li, dd") is None:
            found.rows.update(kept_rows(table, kept))
    for code in tree.select("pre"):
        if letters(code.text) in kept and code.closest("table") is None:
            found.lines.update(line.strip() for line in code.text.splitlines() if letters(line))
    # A text that is kept once may stand in the page more often; more than once it counts only if it is written so.
    found.items = Counter(dict.fromkeys(found.items, 1))
    found.rows = Counter(dict.fromkeys(found.rows, 1))
    found.lines = Counter(dict.fromkeys(found.lines, 1))
    return found


def own_texts(element: turbohtml.Element) -> Iterator[str]:
    for child in element.children:
        if not isinstance(child, turbohtml.Element):
            yield child.text or ""
        elif child.tag not in _APART and child.tag not in {"script", "style", "template", "noscript"}:
            yield from own_texts(child)


def kept_rows(table: turbohtml.Element, kept: set[str]) -> Iterator[tuple[str, ...]]:
    """Rows of at least two cells with text, all of it kept, of tables that have a second row."""
    rows = [[letters(cell.text) for cell in row.select("td, th")] for row in table.select("tr")]
    rows = [[text for text in row if text] for row in rows]
    if sum(bool(row) for row in rows) > 1:
        yield from (tuple(row) for row in rows if len(row) > 1 and kept.issuperset(row))


def in_markdown(markdown: str) -> Found:
    found = Found()
    tokens = PARSER.parse(markdown)
    texts: list[list[str]] = []
    row: list[str] = []
    for token in tokens:
        match token.type:
            case "list_item_open" | "footnote_open":
                texts.append([])
            case "list_item_close" | "footnote_close":
                found.items.update(filter(None, {letters("".join(texts[-1])), *map(letters, texts.pop())}))
            case "tr_open":
                row = []
            case "tr_close":
                found.rows[tuple(filter(None, row))] += 1
            case "inline":
                text = "".join(shown(token.children or ()))
                row.append(letters(text))
                if texts:
                    texts[-1].append(text)
            case "fence" | "code_block":
                found.lines.update(line.strip() for line in token.content.splitlines())
    return found


def shown(tokens: Iterable[Token]) -> Iterator[str]:
    return (token.content for token in tokens if token.type in {"text", "code_inline"})


if __name__ == "__main__":
    run(main)
