"""How much of the structure of kept content is in the Markdown, next to other tools.

    python benchmarks/structure.py [PARQUET_OR_FOLDER ...] [--pages 20] [--by-file]

List items, table rows, lines of code, formulas, images and links are taken from the html, parsed independently. Of
those whose text a tool keeps (for formulas, images and links: the text around them), so many must be items, rows of the
same cells, lines of code, formulas between dollars, images and links with the same target to a CommonMark parser that
reads the tool's Markdown. Each tool is measured on what it keeps itself; html-to-markdown keeps all of a page. Letters
and digits are compared.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import turbohtml
from labelled_pages import data_folder, positive, run
from markdown_it.token import Token
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table
from tool_markdown import TOOLS, letters, markdown_parser

import dehusk
from dehusk.lab.evaluation.other_tools import decoded_html

PARSER = markdown_parser()
KINDS = ("items", "rows", "lines", "formulas", "images", "links")
HEADINGS = ("list items", "table rows", "lines of code", "formulas", "images", "links")
_HIDDEN = {"script", "style", "template", "noscript"}
_APART = {"ul", "ol", "dl", "table", "pre", *_HIDDEN}
"""What is in an item, but not part of its own text."""
_BLOCKS = "p, li, td, th, dd, dt, h1, h2, h3, h4, h5, h6, blockquote, figcaption, div"
_ASIDE = "nav, header, footer, aside, button, form"
_NO_CONTENT = re.compile("spacer|pixel|blank|icon|avatar|logo|emoji|smil|button|banner|gravatar|placeholder")
_IMAGE_SOURCES = (
    *("src", "data-src", "data-lazy-src", "data-original", "srcset", "data-srcset", "data-lazy-srcset"),
    *("data-large-file", "data-orig-file", "data-image"),
)
_FORMULAS = "math, script[type^='math/tex'], img.tex, img.latex, img.mwe-math-fallback-image-inline"
_FEWEST = 12
"""Letters of a text that is looked for in a whole output: shorter ones are found by chance."""
_BESIDE = 8
"""Letters before and after an item that must be kept beside it."""
_SMALLEST = 50
"""Pixels of an image that is content."""
_DOLLARS = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+)\$", re.DOTALL)


@dataclass
class Found:
    """What is in a tree, or in Markdown."""

    items: set[str] = field(default_factory=set)
    rows: set[tuple[str, ...]] = field(default_factory=set)
    lines: set[str] = field(default_factory=set)
    formulas: set[str] = field(default_factory=set)
    images: set[Any] = field(default_factory=set)
    """Names of files; in a tree, those of all addresses that an image has, of which a tool may take any."""
    links: set[tuple[str, str]] = field(default_factory=set)
    """Texts, and names of targets."""


def main() -> int:
    parser = argparse.ArgumentParser(description="What of the structure of kept text is in the Markdown?")
    parser.add_argument("paths", nargs="*", metavar="PARQUET_OR_FOLDER", help="pages; default: all of DEHUSK_DATA")
    parser.add_argument("--pages", type=positive, default=20, help="pages of each file (default: 20)")
    parser.add_argument("--by-file", action="store_true", help="a line for each file and tool")
    parser.add_argument("--missing", type=int, default=0, help="number of missing structures of dehusk to show")
    arguments = parser.parse_args()
    table = Table(box=SIMPLE_HEAD, title="structure of kept text that is in the Markdown")
    table.add_column("tool")
    for heading in HEADINGS:
        table.add_column(heading, justify="right")
        table.add_column("of", justify="right")
    totals: dict[str, Counter[str]] = {name: Counter() for name in TOOLS}
    missing: list[str] = []
    for file in track(files_of(arguments.paths), "measuring", console=Console(stderr=True), transient=True):
        counts: dict[str, Counter[str]] = {name: Counter() for name in TOOLS}
        for raw in islice(dehusk.open_source(file, on_error=lambda error: None), arguments.pages):
            html = decoded_html(raw.body)
            for name, convert in TOOLS.items():
                counts[name] += measure(html, convert(html, raw), missing if name == "dehusk" else [])
        for name in TOOLS:
            totals[name] += counts[name]
            if arguments.by_file:
                table.add_row(f"{file.stem}: {name}", *shares(counts[name]))
    for name in TOOLS:
        table.add_row(name, *shares(totals[name]), style="bold")
    Console(width=160).print(table)
    for line in missing[: arguments.missing]:
        print(line)
    return 0


def files_of(paths: Iterable[str]) -> list[Path]:
    """Parquet files in these folders, or in all folders of the data."""
    given = [Path(path) for path in paths] or [data_folder() / name for name in ("gold", "sites", "more-sites")]
    return [file for path in given for file in (sorted(path.glob("*.parquet")) if path.is_dir() else [path])]


def shares(counts: Counter[str]) -> Iterator[str]:
    for name in KINDS:
        there, wanted = counts[f"{name} there"], counts[f"{name} wanted"]
        yield from (f"{there / wanted:.1%}" if wanted else "-", f"{wanted:,}")


def measure(html: str, markdown: str, missing: list[str]) -> Counter[str]:
    """How many there should be of each, and how many are."""
    found, text = in_markdown(markdown)
    wanted = in_tree(html, text)
    counts: Counter[str] = Counter()
    for name in KINDS:
        expected, there = getattr(wanted, name), getattr(found, name)
        if name == "formulas":
            there = {formula for formula in expected if any(formula in other for other in there)}
        if name == "images":
            there = {names for names in expected if not names.isdisjoint(there)}
        counts[f"{name} wanted"] = len(expected)
        counts[f"{name} there"] = len(expected & there)
        missing += [f"{name}: {one!r}" for one in expected - there]
    return counts


def name_of(address: str) -> str:
    """The last part of an address: tools resolve and encode the rest in their own ways."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return ""
    return letters(unquote(f"{parts.path.rstrip('/').rpartition('/')[2]}{parts.query}"))


# What a page has.


def in_tree(html: str, kept: str) -> Found:
    """The structure of the page's own tree, where its text is kept (`kept` are the letters of the output)."""
    tree = turbohtml.parse(html)
    return Found(
        items={text for text, place in items_of(tree) if place in kept},
        rows={row for table in tree.select("table") for row in rows_of(table) if all(cell in kept for cell in row)},
        lines={line for line in lines_of(tree) if letters(line) in kept},
        formulas={tex for around, tex in formulas_of(tree) if around in kept},
        images={names for before, after, names in images_of(tree) if before in kept and after in kept},
        links={link for around, link in links_of(tree) if around in kept},
    )


def items_of(tree: turbohtml.Document) -> Iterator[tuple[str, str]]:
    """The text of each item, and with what stands before and after it: items of menus may be words of the text, too."""
    body = tree.select_one("body")
    texts: list[str] = []
    starts: list[tuple[turbohtml.Element, int]] = []
    length = 0
    for node in body.descendants if body else ():
        if isinstance(node, turbohtml.Element):
            if node.tag == "li" and node.closest("td, th") is None:
                starts.append((node, length))
        elif is_shown(node):
            texts.append(letters(node.text or ""))
            length += len(texts[-1])
    whole = "".join(texts)
    for item, start in starts:
        text = letters("".join(own_texts(item)))
        end = start + len(text)
        if len(text) >= _FEWEST and whole[start:end] == text:
            yield text, whole[max(0, start - _BESIDE) : end + _BESIDE]


def own_texts(element: turbohtml.Element) -> Iterator[str]:
    for child in element.children:
        if not isinstance(child, turbohtml.Element):
            yield child.text or ""
        elif child.tag not in _APART:
            yield from own_texts(child)


def rows_of(table: turbohtml.Element) -> Iterator[tuple[str, ...]]:
    """Rows of at least two cells with text, of tables that have a second row and no table within."""
    if table.select_one("table") is not None or table.closest("li, dd") is not None:
        return
    rows = [[letters(cell.text) for cell in row.select("td, th")] for row in table.select("tr")]
    rows = [[text for text in row if text] for row in rows]
    if sum(bool(row) for row in rows) > 1:
        yield from (tuple(row) for row in rows if len(row) > 1 and sum(map(len, row)) >= _FEWEST)


def lines_of(tree: turbohtml.Document) -> Iterator[str]:
    for code in tree.select("pre"):
        if code.closest("table") is None:
            yield from (squeezed(line) for line in code.text.splitlines() if len(letters(line)) >= _FEWEST)


def squeezed(line: str) -> str:
    return " ".join(line.split())


def formulas_of(tree: turbohtml.Document) -> Iterator[tuple[str, str]]:
    """The text around each formula that has LaTeX, and the letters of that."""
    for formula in tree.select(_FORMULAS):
        source = formula.select_one("annotation[encoding='application/x-tex']") if formula.tag == "math" else None
        tex = source.text if source else formula.attr("alttext") or formula.attr("alt") or ""
        if formula.tag == "script":
            tex = formula.text
        around = text_around(formula)
        if letters(tex or "") and around:
            yield around, letters(tex)


def images_of(tree: turbohtml.Document) -> Iterator[tuple[str, str, frozenset[str]]]:
    """The text before and after each image, and the names of its files."""
    texts: list[str] = [""]
    waiting: list[tuple[str, frozenset[str]]] = []
    body = tree.select_one("body")
    for node in body.descendants if body else ():
        if isinstance(node, turbohtml.Element):
            if node.tag == "img" and (names := image_names(node)):
                waiting.append((texts[-1], names))
        elif is_shown(node) and len(text := letters(node.text or "")) >= _FEWEST:
            yield from ((before, text, names) for before, names in waiting if before)
            waiting.clear()
            texts.append(text)


def is_shown(node: turbohtml.Node) -> bool:
    return isinstance(node, turbohtml.Text) and getattr(node.parent, "tag", "") not in _HIDDEN


def image_names(image: turbohtml.Element) -> frozenset[str]:
    """Of all addresses of an image; none for what is no content."""
    sizes = [image.attr(name) or "" for name in ("width", "height")]
    is_small = any(size.isdigit() and int(size) < _SMALLEST for size in sizes)
    if is_small or image.closest(_ASIDE) is not None or is_in_contents(image):
        return frozenset()
    picture = image.closest("picture")
    elements = [image, *(picture.select("source") if picture else ())]
    given = [element.attr(name) or "" for element in elements for name in _IMAGE_SOURCES]
    addresses = [one for value in given for one in re.split(r",?\s+", value) if "/" in one or "." in one]
    if _NO_CONTENT.search(" ".join([*addresses, str(image.attr("class") or "")]).lower()):
        return frozenset()
    return frozenset(filter(None, (name_of(one) for one in addresses if not one.startswith("data:"))))


def is_in_contents(image: turbohtml.Element) -> bool:
    """Whether an image is the bullet of a link within the page: its words are found at the section that it leads to."""
    item = image.closest("li")
    links = item.select("a[href]") if item else []
    return bool(links) and all((link.attr("href") or "").startswith("#") for link in links)


def links_of(tree: turbohtml.Document) -> Iterator[tuple[str, tuple[str, str]]]:
    """The text around each link, and its text and target."""
    for link in tree.select("a[href]"):
        target, text = (link.attr("href") or "").strip(), letters(link.text)
        is_address = target and not target.lower().startswith(("#", "javascript:", "mailto:", "tel:", "data:"))
        if is_address and len(text) > 2 and link.closest(_ASIDE) is None and (around := text_around(link)):
            yield around, (text, name_of(target))


def text_around(element: turbohtml.Element) -> str:
    """The longest text in the block of an element, beside it; empty if it is short."""
    block = element.closest(_BLOCKS)
    texts = [letters(node.text or "") for node in (block.children if block else ()) if isinstance(node, turbohtml.Text)]
    longest = max(texts, key=len, default="")
    return longest if len(longest) >= _FEWEST else ""


# What Markdown has.


def in_markdown(markdown: str) -> tuple[Found, str]:
    """Its structure, and the letters of all its text."""
    found, texts = Found(), list[str]()
    open_items: list[list[str]] = []
    row: list[str] = []
    for token in PARSER.parse(markdown):
        match token.type:
            case "list_item_open" | "footnote_open":
                open_items.append([])
            case "list_item_close" | "footnote_close":
                parts = open_items.pop()
                found.items |= {letters("".join(parts)), *map(letters, parts)}
            case "tr_open":
                row = []
            case "tr_close":
                found.rows.add(tuple(filter(None, row)))
            case "inline":
                text = take_inline(token.children or [], found)
                texts.append(text)
                row.append(letters(text))
                if open_items:
                    open_items[-1].append(text)
            case "fence" | "code_block":
                texts.append(token.content)
                found.lines |= set(map(squeezed, token.content.splitlines()))
    found.formulas = {letters(display or inline) for display, inline in _DOLLARS.findall(markdown)}
    return found, letters("".join(texts))


def take_inline(tokens: list[Token], found: Found) -> str:
    """The text of a block; notes its links and images."""
    texts: list[str] = []
    target, begun = "", 0
    for token in tokens:
        if token.type in {"text", "code_inline"}:
            texts.append(token.content)
        elif token.type in {"softbreak", "hardbreak"}:
            texts.append(" ")
        elif token.type == "image":
            found.images.add(name_of(str(token.attrs.get("src", ""))))
        elif token.type == "link_open":
            target, begun = str(token.attrs.get("href", "")), len(texts)
        elif token.type == "link_close":
            found.links.add((letters("".join(texts[begun:])), name_of(target)))
    return "".join(texts)


if __name__ == "__main__":
    run(main)
