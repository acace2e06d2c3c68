"""Markdown of dehusk and trafilatura, compared with the structure that a reader labelled on real pages.

    python benchmarks/labelled_structure.py [--by-page] [--tools dehusk,trafilatura] [--show KIND] [--labels FILE]
                                            [--models FOLDER]

The pages are in DEHUSK_DATA, the labels in `labels/structure`: gold.jsonl, and closed.jsonl of pages that nobody who
mends the cleaner looks at; docs/what-is-content.md says what is in them. The network of the package was trained on the
gold of most of these pages; with `--models`, each page is cleaned by the one that was trained without its site, from
the folder that `dehusk train hybrid --keep` leaves. Never use `--show` with closed.jsonl. A CommonMark parser reads
each tool's Markdown.

An element is right if the labels have one of the same kind with the same beginning (40 letters and digits); rows need
the same cells, quotes and notes the beginning of one in that of the other, images and links the same resolved address,
whatever their text. Each label counts once. What was doubtful to the annotator, links within the page, and links to
mail or telephone are neither right nor wrong.

"By element" weighs each page by its elements, "by page" takes the mean of the pages: of those with labels for
recall, with found elements for precision, with either for F1. "Levels" are headings at the level of the html.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from labelled_pages import data_folder, run
from markdown_it.tree import SyntaxTreeNode
from mdit_py_plugins.dollarmath import dollarmath_plugin
from models_by_fold import OPTION_HELP, model_without_site, models_by_fold
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table
from tool_markdown import TOOLS, by_dehusk, letters, markdown_parser

from dehusk.errors import GoldError
from dehusk.lab.evaluation.other_tools import decoded_html
from dehusk.lab.gold.corpora import Corpus, GoldPage
from dehusk.lab.gold.policy_labels import digest_of_page

LABELS = Path(__file__).parents[1] / "labels" / "structure" / "gold.jsonl"
# Prices are no formulas: no digit after a dollar that closes, no space after one that opens.
PARSER = markdown_parser().use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True)
CUT = "[…]"
"""Stands for the middle of long texts."""
_LETTERS = 40
"""Letters of a beginning: enough to tell texts apart, fewer than the 80 characters that labels keep."""
_WITHIN = 120
"""Letters in which a quote's beginning is looked for: it may follow "Note:", or who is quoted."""
_NUMBER = re.compile(r"^\s*\(?\d{1,3}[.)、]\s*")
"""Before an item: part of the text to one, the mark of the item to another."""
_NO_PAGES = ("mailto:", "tel:", "javascript:", "data:")
_OWN_LINE = {"bullet_list", "ordered_list", "table", "fence", "code_block"}
"""What is in an item, but not part of its own text."""
_CODE = {"fence", "code_block"}
_FORMULAS = {"math_inline", "math_inline_double", "math_block"}
_WORDS = {"text", "code_inline", *_CODE, *_FORMULAS}

Elements = dict[str, list[Any]]
"""Of each kind: texts; pairs for headings and code; cells of rows; addresses of links, sets of addresses of images."""


def main() -> int:
    arguments = parsed_arguments()
    tools = {name: TOOLS[name] for name in arguments.tools}
    results: dict[str, list[tuple[str, Score]]] = {name: [] for name in tools}
    pages = list(labelled_pages(read_labels(arguments.labels), data_folder()))
    models = models_by_fold(arguments.models) if arguments.models else []
    for label, page in track(pages, "cleaning", console=Console(stderr=True), transient=True):
        html, where = decoded_html(page.raw.body), Where(label)
        unknowing = {"dehusk": partial(by_dehusk, model=model_without_site(models, page))} if models else {}
        for name in tools:
            markdown = unknowing.get(name, tools[name])(html, page.raw)
            results[name].append((label["page"], score(label, read_markdown(markdown, where), where)))
    console = Console(width=150)
    console.print(summary(results))
    if arguments.by_page:
        console.print(by_page(results))
    for name in tools if arguments.show else ():
        for page, counts in results[name]:
            show(name, page, counts[arguments.show])
    return 0


def parsed_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Markdown of dehusk and trafilatura, compared with the structure that a reader labelled.",
        epilog="The pages are in gold/ of DEHUSK_DATA (default: shared beside the repository). "
        f"Kinds: {', '.join(KINDS)}.",
    )
    parser.add_argument("--by-page", action="store_true", help="also print F1 of each page and kind")
    known = [name for name in ("dehusk", "trafilatura") if name in TOOLS]
    parser.add_argument("--tools", type=chosen_tools, default=known, help=f"by comma (default: {','.join(known)})")
    parser.add_argument("--show", choices=KINDS, metavar="KIND", help="list what is missing and wrong of this kind")
    parser.add_argument("--labels", type=Path, default=LABELS, help="labels (default: labels/structure/gold.jsonl)")
    parser.add_argument("--models", type=Path, metavar="FOLDER", help=OPTION_HELP)
    return parser.parse_args()


def chosen_tools(text: str) -> list[str]:
    """For argparse: names of installed tools."""
    names = text.split(",")
    if unknown := [name for name in names if name not in TOOLS]:
        raise argparse.ArgumentTypeError(f"{unknown[0]} is not installed, or unknown; there are {', '.join(TOOLS)}")
    return names


# Labels and pages.


def read_labels(path: Path) -> list[dict[str, Any]]:
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as error:
        raise GoldError(
            str(path), f"cannot be read ({error})", "give a file as docs/what-is-content.md says"
        ) from error


def labelled_pages(labels: Iterable[dict[str, Any]], data: Path) -> Iterator[tuple[dict[str, Any], GoldPage]]:
    """Labels with their pages, set by set."""
    by_corpus: dict[str, dict[str, dict[str, Any]]] = {}
    for label in labels:
        by_corpus.setdefault(label["corpus"], {})[label["page"]] = label
    for name, wanted in by_corpus.items():
        for page in Corpus(str(data / f"{name}.parquet")):
            if label := wanted.get(page.identifier):
                if digest_of_page(page.raw.body) != label["digest"]:
                    raise GoldError(page.raw.label, "is not the page that was labelled", "use the data the labels name")
                yield label, page


class Where:
    """The page that addresses are relative to."""

    def __init__(self, label: dict[str, Any]) -> None:
        self.page = label.get("url", "")
        self.base = urljoin(self.page, label.get("base", ""))

    def resolved(self, address: str) -> str:
        """The address, absolute and unquoted: tools quote in their own ways."""
        try:
            return unquote(urljoin(self.base, address.strip()))
        except ValueError:
            return address

    def leads_away(self, address: str) -> bool:
        """Whether a link leads to another page."""
        if address.lower().startswith(("#", *_NO_PAGES)):
            return False
        target, fragment = urldefrag(self.resolved(address))
        return not fragment or target != urldefrag(unquote(self.page))[0]


# What a tool's Markdown has.


def read_markdown(markdown: str, where: Where) -> Elements:
    """The elements of Markdown; the first heading is the title if it has the highest level."""
    found: Elements = {kind: [] for kind in KINDS}
    for node in SyntaxTreeNode(PARSER.parse(markdown)).walk():
        kind, value = element_of(node, where)
        if value:
            found[kind].append(value)
    headings = found["headings"]
    found["title"] = [text for level, text in headings[:1] if level == 1]
    return found


def element_of(node: SyntaxTreeNode, where: Where) -> tuple[str, Any]:
    """The kind and value of a node; an empty value if it is no element, or one without text."""
    match node.type:
        case "heading":
            text = text_of(node)
            return "headings", text and (int(node.tag[1]), text)
        case "list_item":
            return "items", text_of(node, _OWN_LINE)
        case "tr":
            return "rows", [text for cell in node.children if (text := text_of(cell))]
        case "blockquote":
            return "quotes", text_of(node)
        case "footnote":
            return "notes", text_of(node)
        case "image":
            return "images", where.resolved(str(node.attrs.get("src", "")))
        case "link":
            target = str(node.attrs.get("href", ""))
            return "links", where.resolved(target) if where.leads_away(target) else ""
        case kind if kind in _CODE:
            return "code", (node.info.strip(), node.content)
        case kind if kind in _FORMULAS:
            return "formulas", node.content
    return "", None


def text_of(node: SyntaxTreeNode, apart: Iterable[str] = ()) -> str:
    if node.type in _WORDS:
        return node.content
    if node.type in {"softbreak", "hardbreak"}:
        return " "
    texts = (text_of(child, apart) for child in node.children if child.type not in apart and child.type != "image")
    return ("" if node.type in {"inline", "link", "em", "strong"} else " ").join(texts).strip(" ")


# Which elements are the same.


def before_cut(text: str) -> str:
    """As much of a text as labels keep. A mark at its very beginning is the page's own: who quotes leaves out, too."""
    return text.partition(CUT)[0] or text


@cache
def beginning(text: str) -> str:
    """Letters and digits of a beginning; its other characters, if there are none."""
    start = before_cut(text)
    return (letters(start).casefold() or "".join(start.split()))[:_LETTERS]


def alike(wanted: str, found: str) -> bool:
    """Whether two texts begin alike: a short text is the same, a long one that was cut is as far as it is kept."""
    start, other = beginning(wanted), beginning(found)
    return start == other or (CUT in wanted and other.startswith(start))


def like_heading(wanted: Any, found: Any) -> bool:
    return alike(wanted[1], found[1])


def like_heading_at_its_level(wanted: Any, found: Any) -> bool:
    return wanted[0] == found[0] and alike(wanted[1], found[1])


def like_item(wanted: str, found: str) -> bool:
    return alike(wanted, found) or alike(_NUMBER.sub("", wanted), _NUMBER.sub("", found))


def like_row(wanted: list[str], found: list[str]) -> bool:
    return len(wanted) == len(found) and all(map(alike, wanted, found))


def like_quote(wanted: str, found: str) -> bool:
    start, other = beginning(wanted), beginning(found)
    return bool(start and other) and (start in near(found) or other in near(wanted))


@cache
def near(text: str) -> str:
    return letters(before_cut(text)).casefold()[:_WITHIN]


def like_formula(wanted: str, found: str) -> bool:
    return letters(wanted) == letters(found)


def like_image(wanted: frozenset[str], found: str) -> bool:
    return found in wanted


def like_link(wanted: str, found: str) -> bool:
    return wanted == found


KINDS: dict[str, Callable[[Any, Any], bool]] = {
    "title": alike,
    "headings": like_heading,
    "levels": like_heading_at_its_level,
    "items": like_item,
    "rows": like_row,
    "quotes": like_quote,
    "code": like_heading,
    "images": like_image,
    "links": like_link,
    "notes": like_quote,
    "formulas": like_formula,
}
"""Kinds of elements, and when one that is found is one that was labelled."""


# Scores.


@dataclass(frozen=True)
class Count:
    """What became of the elements of one kind on one page."""

    there: int
    missing: tuple[Any, ...] = ()
    wrong: tuple[Any, ...] = ()

    @property
    def wanted(self) -> int:
        return self.there + len(self.missing)

    @property
    def found(self) -> int:
        return self.there + len(self.wrong)


Score = dict[str, Count]


def score(label: dict[str, Any], found: Elements, where: Where) -> Score:
    """Compare what a tool found with the labels of a page."""
    wanted, doubtful = labelled(label, where), labelled(label.get("doubtful", {}), where)
    # A note that is written as an item of the list of notes is no error of the list.
    doubtful["items"] = [*doubtful["items"], *wanted["notes"]]
    # The title is no heading, whatever the level.
    is_title = [bool(wanted["title"]) and alike(wanted["title"][0], text) for _, text in found["headings"]]
    first = is_title.index(True) if any(is_title) else None
    headings = [heading for number, heading in enumerate(found["headings"]) if number != first]
    found = {**found, "headings": headings, "levels": headings}
    return {kind: counted(kind, wanted[kind], doubtful[kind], found[kind]) for kind in KINDS}


def labelled(label: dict[str, Any], where: Where) -> Elements:
    """The labels of a page in the form of `Elements`."""
    given = {kind: label.get(kind, []) for kind in KINDS}
    return {
        **given,
        "title": [label["title"]] if label.get("title") else [],
        "levels": given["headings"],
        "notes": [text for _, text in given["notes"]],
        "images": [frozenset(map(where.resolved, image["addresses"])) for image in given["images"]],
        "links": [where.resolved(target) for _, target in given["links"]],
    }


def counted(kind: str, wanted: list[Any], doubtful: list[Any], found: list[Any]) -> Count:
    """Each found element takes the first label that it is like, and none takes a label of another."""
    same, missing, wrong = KINDS[kind], list(wanted), []
    for element in found:
        taken = next((number for number, one in enumerate(missing) if same(one, element)), None)
        if taken is not None:
            del missing[taken]
        elif not any(may_be(kind, one, element) for one in doubtful):
            wrong.append(element)
    return Count(len(wanted) - len(missing), tuple(missing), tuple(wrong))


def may_be(kind: str, doubtful: Any, found: Any) -> bool:
    """Whether a found element is a doubtful one, or begins with it: who doubts knows no end."""
    match kind:
        case "headings" | "levels":
            return begin_alike(doubtful[1], found[1])
        case "items":
            return begin_alike(_NUMBER.sub("", doubtful), _NUMBER.sub("", found))
        case "rows":
            return begin_alike(" ".join(doubtful), " ".join(found))
    return KINDS[kind](doubtful, found)


def begin_alike(one: str, other: str) -> bool:
    starts = beginning(one), beginning(other)
    return all(starts) and (starts[0].startswith(starts[1]) or starts[1].startswith(starts[0]))


def mean(values: Iterable[float]) -> float | None:
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else None


def precision(counts: Iterable[Count]) -> float | None:
    found = [(count.there, count.found) for count in counts]
    return sum(there for there, _ in found) / total if (total := sum(all_ for _, all_ in found)) else None


def recall(counts: Iterable[Count]) -> float | None:
    wanted = [(count.there, count.wanted) for count in counts]
    return sum(there for there, _ in wanted) / total if (total := sum(all_ for _, all_ in wanted)) else None


def f1(counts: Iterable[Count]) -> float | None:
    sums = [(2 * count.there, count.found + count.wanted) for count in counts]
    return sum(twice for twice, _ in sums) / total if (total := sum(all_ for _, all_ in sums)) else None


MEASURES = (precision, recall, f1)


def by_element(counts: list[Count]) -> list[float | None]:
    return [measure(counts) for measure in MEASURES]


def mean_of_pages(counts: list[Count]) -> list[float | None]:
    return [mean(value for one in counts if (value := measure([one])) is not None) for measure in MEASURES]


# Tables.


def summary(results: dict[str, list[tuple[str, Score]]]) -> Table:
    table = Table(box=SIMPLE_HEAD, title="structure that a reader labelled, and what is in the Markdown")
    for heading in ("kind", "tool"):
        table.add_column(heading)
    for heading in ("labels", "pages", "found", "by element: P", "R", "F1", "by page: P", "R", "F1"):
        table.add_column(heading, justify="right")
    for kind in KINDS:
        for tool, scores in results.items():
            counts = [score[kind] for _, score in scores]
            wanted = [one.wanted for one in counts]
            sizes = [sum(wanted), sum(map(bool, wanted)), sum(one.found for one in counts)]
            figures = [*by_element(counts), *mean_of_pages(counts)]
            table.add_row(kind, tool, *(f"{size:,}" for size in sizes), *map(shown, figures))
    return table


def by_page(results: dict[str, list[tuple[str, Score]]]) -> Table:
    table = Table(box=SIMPLE_HEAD, title="F1 of each page")
    for heading in ("page", "tool"):
        table.add_column(heading, max_width=28, no_wrap=True)
    for kind in KINDS:
        table.add_column(kind, justify="right")
    for tool, scores in results.items():
        for page, score in scores:
            table.add_row(page, tool, *(shown(f1([score[kind]])) for kind in KINDS))
    return table


def shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def show(tool: str, page: str, count: Count) -> None:
    for name in ("missing", "wrong"):
        for element in getattr(count, name):
            print(f"{tool} {page} {name}: {element!r}"[:200])


if __name__ == "__main__":
    run(main)
