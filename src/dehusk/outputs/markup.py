"""Base of the formats with elements (HTML, XML, TEI): dispatch by node, nesting of marks, escaping."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from typing import Final, TypeGuard

from dehusk.outputs.document import nodes as tree
from dehusk.outputs.document.reshaping import outer_quotations
from dehusk.page.characters import WITHOUT_CONTROLS, encodable

_NO_XML: Final = {0xFFFE: "\N{REPLACEMENT CHARACTER}", 0xFFFF: "\N{REPLACEMENT CHARACTER}"}
"""Characters that XML forbids, besides control characters and surrogates."""
_UNWRITABLE: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_QUOTE: Final = '"'
_WRITABLE: Final = {**WITHOUT_CONTROLS, **_NO_XML, 0x0C: " ", 0x0D: " "}


def escaped(text: str) -> str:
    """Escape text between tags; replaces control characters, surrogates and whatever else XML forbids."""
    return escape(_writable(text), quote=False)


def element(name: str, content: str = "", /, **attributes: str | int) -> str:
    """An element with its non-empty attributes; in their names, a trailing `_` is dropped and `__` is a colon."""
    start = name + "".join(
        attribute(key.rstrip("_").replace("__", ":"), value) for key, value in attributes.items() if value != ""
    )
    return f"<{start}>{content}</{name}>"


def empty_element(name: str, /, **attributes: str | int) -> str:
    """An element without content, as XML writes it."""
    return element(name, "", **attributes).removesuffix(f"></{name}>") + "/>"


def lines(parts: Iterable[str]) -> str:
    """The content of an element whose parts stand on lines of their own."""
    return "\n" + "\n".join(parts) + "\n"


def attribute(name: str, value: str | int) -> str:
    """An attribute, with the blank before it."""
    return f' {name}="{escape(_writable(str(value)), quote=False).replace(_QUOTE, "&quot;")}"'


def _writable(text: str) -> str:
    return encodable(text.translate(_WRITABLE)) if _UNWRITABLE.search(text) else text


def _is_of_images(node: tree.Node) -> TypeGuard[tree.Paragraph]:
    return isinstance(node, tree.Paragraph) and all(span.kind is tree.SpanKind.IMAGE for span in node.spans)


_QUOTED: Final = tree.Marks._fields.index("quoted")


class MarkupWriter(ABC):
    """Writes documents in one format."""

    def write(self, nodes: Iterable[tree.Node]) -> str:
        """Nodes one after the other, each on lines of its own."""
        return "\n".join(map(self.node, nodes))

    def node(self, node: tree.Node) -> str:
        match node:
            case tree.Heading():
                return self.heading(node)
            case tree.Paragraph(spans, locale):
                return self.paragraph(self.spans(spans), locale)
            case tree.CodeBlock():
                return self.code(node)
            case tree.Quote() | tree.Callout():
                return self.quote(node) if isinstance(node, tree.Quote) else self.callout(node)
            case tree.ItemList():
                return self.item_list(node)
            case tree.DefinitionList():
                return self.definitions(node)
            case tree.Table():
                return self.table(node)
            case tree.Figure():
                return self.figure(node)
            case tree.Comments():
                return self.comments(node)

    def within(self, children: Sequence[tree.Node]) -> str:
        """The content of an item or a cell; a single paragraph goes without its element."""
        paragraphs = [node for node in children if isinstance(node, tree.Paragraph)]
        if len(paragraphs) != 1 or children[0] is not paragraphs[0] or any(paragraphs[0].locale):
            return self.write(children)
        below = self.write(children[1:])
        return self.spans(paragraphs[0].spans) + (f"\n{below}" if below else "")

    def in_figure(self, nodes: Iterable[tree.Node]) -> str:
        """The content of a figure; images go without a paragraph around them."""
        return "\n".join(self.spans(node.spans) if _is_of_images(node) else self.node(node) for node in nodes)

    def spans(self, spans: tree.Spans) -> str:
        """Running text."""
        return self._nested(spans, 0)

    def _nested(self, spans: Sequence[tree.Span], level: int) -> str:
        """Nest the marks of spans in the order of `Marks`, each around the longest possible run."""
        while level < len(tree.Marks._fields) and not any(span.marks[level] for span in spans):
            level += 1
        if level == len(tree.Marks._fields):
            return "".join(map(self.leaf, spans))
        runs = outer_quotations(spans, lambda marks: marks[level]) if level < _QUOTED else []
        if any(is_outer for is_outer, _ in runs):
            parts = ((is_outer, self._nested(run, level)) for is_outer, run in runs)
            return "".join(self.marked("quoted", inner, "") if is_outer else inner for is_outer, inner in parts)
        written = []
        for value, group in groupby(spans, key=lambda span: span.marks[level]):
            inner = self._nested(list(group), level + 1)
            written.append(self.marked(tree.Marks._fields[level], inner, str(value)) if value else inner)
        return "".join(written)

    @abstractmethod
    def leaf(self, span: tree.Span) -> str:
        """A span without its marks."""

    @abstractmethod
    def marked(self, mark: str, content: str, value: str) -> str:
        """Content inside a mark, one of the fields of `Marks`; the value of a link is its target."""

    @abstractmethod
    def heading(self, heading: tree.Heading) -> str: ...

    @abstractmethod
    def paragraph(self, content: str, locale: tree.Locale) -> str: ...

    @abstractmethod
    def code(self, code: tree.CodeBlock) -> str: ...

    @abstractmethod
    def quote(self, quote: tree.Quote) -> str: ...

    @abstractmethod
    def callout(self, callout: tree.Callout) -> str: ...

    @abstractmethod
    def item_list(self, items: tree.ItemList) -> str: ...

    @abstractmethod
    def definitions(self, definitions: tree.DefinitionList) -> str: ...

    @abstractmethod
    def table(self, table: tree.Table) -> str: ...

    @abstractmethod
    def figure(self, figure: tree.Figure) -> str: ...

    @abstractmethod
    def comments(self, comments: tree.Comments) -> str: ...
