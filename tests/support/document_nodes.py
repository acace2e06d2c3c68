"""The document that formats are written from, as tests see it: headings, paragraphs, lists, tables and so on, made of
spans of text.

The marks of a span are a set, not nested: `<b><i>a</i></b>` and `<i><b>a</b></i>` are the same. Formats that nest marks
choose the order, so that adjacent spans share elements.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from itertools import chain
from typing import NamedTuple


class Marks(NamedTuple):
    """Inline formatting of a span."""

    link: str = ""
    """The link target; empty for none."""
    ruby: int = 0
    """The ruby annotation it belongs to, by number; 0 for none."""
    reading: bool = False
    """Whether this is the reading of the ruby text before it."""
    strong: bool = False
    emphasis: bool = False
    deleted: bool = False
    quoted: bool = False
    subscript: bool = False
    superscript: bool = False
    code: bool = False


UNMARKED = Marks()


class SpanKind(Enum):
    """What a span is."""

    TEXT = auto()
    LINE_BREAK = auto()
    IMAGE = auto()
    """`text` is its alternative text, `address` its URL."""
    FORMULA = auto()
    """`text` is LaTeX; `address` is `display` for a display formula."""
    NOTE = auto()
    """A footnote reference; `text` is the label of the note."""


class Span(NamedTuple):
    """Inline content with the same marks throughout."""

    text: str
    marks: Marks = UNMARKED
    kind: SpanKind = SpanKind.TEXT
    address: str = ""


Spans = tuple[Span, ...]
LINE_BREAK = Span("\n", kind=SpanKind.LINE_BREAK)
DISPLAY = "display"


class Locale(NamedTuple):
    """Language and writing direction of a text; empty where they are those of the page."""

    language: str = ""
    direction: str = ""


SAME_LOCALE = Locale()


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `level` is 1 to 6."""

    level: int
    spans: Spans
    locale: Locale = SAME_LOCALE


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    spans: Spans
    locale: Locale = SAME_LOCALE


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Preformatted text, verbatim."""

    code: str
    language: str = ""
    """The name the page gives it; empty if none."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A block quotation."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Callout:
    """A note, a tip or a warning that the page sets apart."""

    kind: str
    """`note`, `tip`, `important`, `warning` or `caution`."""
    title: tuple[Node, ...]
    """What stands above it; empty if nothing does."""
    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A list item; `number` is the one an ordered list shows."""

    children: tuple[Node, ...]
    number: int = 1


@dataclass(frozen=True, slots=True)
class ItemList:
    """A list, numbered or not."""

    items: tuple[Item, ...]
    is_ordered: bool = False


@dataclass(frozen=True, slots=True)
class Definition:
    """Terms and their descriptions; either may be missing."""

    terms: tuple[tuple[Node, ...], ...]
    descriptions: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, slots=True)
class DefinitionList:
    """A list of definitions."""

    definitions: tuple[Definition, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A table cell; one that spans several rows or columns is at the first of them."""

    children: tuple[Node, ...]
    column: int
    is_header: bool = False
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells from left to right. Empty cells are included, unless another cell spans their position."""

    rows: tuple[tuple[Cell, ...], ...]
    width: int
    caption: tuple[Node, ...] = ()
    header_rows: int = 0
    """Number of header rows at the top."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One or more images, or other content in a figure, with or without a caption."""

    children: tuple[Node, ...]
    caption: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Comments:
    """Readers' comments."""

    children: tuple[Node, ...]


Node = Heading | Paragraph | CodeBlock | Quote | Callout | ItemList | DefinitionList | Table | Figure | Comments


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote. Labels are unique in a document, and made of letters, digits and hyphens."""

    label: str
    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """The kept content of a page."""

    title: str
    """The title of the page, whether or not it is kept as a heading."""
    locale: Locale
    children: tuple[Node, ...]
    notes: tuple[Note, ...] = ()


def inner_nodes(node: Node) -> tuple[Node, ...]:
    """The children of a node in reading order; none for headings, paragraphs and code."""
    match node:
        case ItemList(items):
            return tuple(chain.from_iterable(item.children for item in items))
        case DefinitionList(definitions):
            parts = chain.from_iterable((*definition.terms, *definition.descriptions) for definition in definitions)
            return tuple(chain.from_iterable(parts))
        case Table(rows, _, caption):
            return (*caption, *(node for row in rows for cell in row for node in cell.children))
        case Figure(children, caption):
            return (*children, *caption)
        case Callout(_, title, children):
            return (*title, *children)
        case Quote(children) | Comments(children):
            return children
    return ()
