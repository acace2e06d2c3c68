"""The Document: headings, paragraphs, lists, tables and so on, made of spans of text under equal marks.

Marks are a set, not a nesting: `<b><i>a</i></b>` and `<i><b>a</b></i>` are the same. A format that nests them does so
in an order of its own, so that neighbours share what they have in common.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple


class Marks(NamedTuple):
    """What distinguishes some text from the text around it."""

    link: str = ""
    """Where it leads; empty for nowhere."""
    ruby: int = 0
    """Number of the ruby annotation it is part of; 0 for none."""
    reading: bool = False
    """How the ruby text before is read."""
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
    """`text` is its alternative text, `address` where it is."""
    FORMULA = auto()
    """`text` is LaTeX; `address` is `display` if it stands on a line of its own."""
    NOTE = auto()
    """The mark of a footnote: `text` is its label."""


class Span(NamedTuple):
    """A piece of running text."""

    text: str
    marks: Marks = UNMARKED
    kind: SpanKind = SpanKind.TEXT
    address: str = ""


Spans = tuple[Span, ...]
LINE_BREAK = Span("\n", kind=SpanKind.LINE_BREAK)
DISPLAY = "display"


class Tongue(NamedTuple):
    """Language and direction, where they are not those of the page."""

    language: str = ""
    direction: str = ""


SAME_TONGUE = Tongue()


@dataclass(frozen=True, slots=True)
class Heading:
    """`level` is 1 to 6."""

    level: int
    spans: Spans
    tongue: Tongue = SAME_TONGUE


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    spans: Spans
    tongue: Tongue = SAME_TONGUE


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Preformatted text, exact."""

    code: str
    language: str = ""
    """As the page calls it; empty if it does not say."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation that stands by itself."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """`number` is what an ordered list shows before it."""

    children: tuple[Node, ...]
    number: int = 1


@dataclass(frozen=True, slots=True)
class ItemList:
    """Items, numbered or not."""

    items: tuple[Item, ...]
    is_ordered: bool = False


@dataclass(frozen=True, slots=True)
class Definition:
    """One or more terms and what is said of them; either may be missing."""

    terms: tuple[tuple[Node, ...], ...]
    descriptions: tuple[tuple[Node, ...], ...]


@dataclass(frozen=True, slots=True)
class DefinitionList:
    """Terms with their descriptions."""

    definitions: tuple[Definition, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """What spans several rows or columns stands in the first of them."""

    children: tuple[Node, ...]
    column: int
    is_header: bool = False
    columns: int = 1
    rows: int = 1


MOST_FILLING = 20
"""Places for each cell with text, beyond which (one wide row, stray spans) a table is not filled up."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells from left to right. Cells without text are there, unless another spans their place."""

    rows: tuple[tuple[Cell, ...], ...]
    width: int
    caption: tuple[Node, ...] = ()
    header_rows: int = 0
    """Rows at the top that consist of headers."""

    @property
    def is_ragged(self) -> bool:
        """Whether rows are of so different lengths that filling them up would make much more of the table."""
        return self.width * len(self.rows) > MOST_FILLING * sum(map(len, self.rows))


@dataclass(frozen=True, slots=True)
class Figure:
    """One or more images, or what else stands in their place, with a caption or without."""

    children: tuple[Node, ...]
    caption: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Comments:
    """What readers wrote below the text."""

    children: tuple[Node, ...]


Node = Heading | Paragraph | CodeBlock | Quote | ItemList | DefinitionList | Table | Figure | Comments


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote. Labels are unique in a document, and made of letters, digits and hyphens."""

    label: str
    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """The kept content of a page."""

    title: str
    """Of the page, whether it is kept as a heading or not."""
    tongue: Tongue
    children: tuple[Node, ...]
    notes: tuple[Note, ...] = ()
