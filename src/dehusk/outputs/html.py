"""HTML: semantic elements only, with no scripts, no embedded content except images, and no styles.

All elements pass common sanitisers. Attributes are few: URLs, spans of cells, alternative texts, item numbers, the
language of code (a class), language and direction of texts, and the ids of footnotes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dehusk.deciding.decisions import LabelledBlocks
from dehusk.outputs.document.document_building import build_document
from dehusk.outputs.document.nodes import (
    DISPLAY,
    Cell,
    CodeBlock,
    Comments,
    Definition,
    DefinitionList,
    Document,
    Figure,
    Heading,
    ItemList,
    Locale,
    Node,
    Note,
    Paragraph,
    Quote,
    Span,
    SpanKind,
    Table,
)
from dehusk.outputs.document.output_options import WITH_LINKS_AND_IMAGES, OutputOptions
from dehusk.outputs.markup import MarkupWriter, attribute, element, escaped

_ELEMENT_OF_MARK: Final = {
    "strong": "strong",
    "emphasis": "em",
    "deleted": "del",
    "quoted": "q",
    "subscript": "sub",
    "superscript": "sup",
    "code": "code",
    "ruby": "ruby",
}
_LINK: Final = "noopener noreferrer"
"""Following a link from a cleaned page does not reveal where it was."""


def render_html(labelled: LabelledBlocks, options: OutputOptions | None = None) -> str:
    """A whole document; the body is empty if nothing is kept."""
    document = build_document(labelled, options or WITH_LINKS_AND_IMAGES, with_locales=True)
    head = f'<head><meta charset="utf-8">{element("title", escaped(document.title))}</head>'
    body = _HtmlWriter().document(document)
    return f"<!doctype html>\n<html{_locale(document.locale)}>\n{head}\n<body>\n{body}\n</body>\n</html>\n"


def _locale(locale: Locale) -> str:
    language = attribute("lang", locale.language) if locale.language else ""
    return language + (attribute("dir", locale.direction) if locale.direction else "")


def _labelled(note: Note) -> Sequence[Node]:
    """The content of a note, with its label before the first text."""
    label = Span(f"[{note.label}] ")
    first = note.children[0] if note.children else None
    if isinstance(first, Paragraph):
        return (Paragraph((label, *first.spans), first.locale), *note.children[1:])
    return (Paragraph((label,)), *note.children)


class _HtmlWriter(MarkupWriter):
    """Writes the body."""

    def document(self, document: Document) -> str:
        body = self.write(document.children)
        if not document.notes:
            return body
        notes = "\n".join(map(self._note, document.notes))
        return f"{body}\n<footer>\n<ul>\n{notes}\n</ul>\n</footer>"

    def _note(self, note: Note) -> str:
        return element("li", self.within(_labelled(note)), id=f"note-{note.label}")

    def leaf(self, span: Span) -> str:
        match span.kind:
            case SpanKind.LINE_BREAK:
                return "<br>"
            case SpanKind.IMAGE:
                return f"<img{attribute('src', span.address)}{attribute('alt', span.text)}>"
            case SpanKind.FORMULA:
                # The delimiters that MathJax and KaTeX look for.
                begin, end = (r"\[", r"\]") if span.address == DISPLAY else (r"\(", r"\)")
                return f"{begin}{escaped(span.text)}{end}"
            case SpanKind.NOTE:
                return f'<sup><a href="#note-{escaped(span.text)}" rel="{_LINK}">[{escaped(span.text)}]</a></sup>'
        return escaped(span.text)

    def marked(self, mark: str, content: str, value: str) -> str:
        if mark == "link":
            return element("a", content, href=value, rel=_LINK)
        if mark == "reading":
            return f"<rp>(</rp><rt>{content}</rt><rp>)</rp>"
        return element(_ELEMENT_OF_MARK[mark], content)

    def heading(self, heading: Heading) -> str:
        return f"<h{heading.level}{_locale(heading.locale)}>{self.spans(heading.spans)}</h{heading.level}>"

    def paragraph(self, content: str, locale: Locale) -> str:
        return f"<p{_locale(locale)}>{content}</p>"

    def code(self, code: CodeBlock) -> str:
        name = f"language-{code.language}" if code.language else ""
        # Parsers drop a newline right after the tag, so text that starts with one needs two.
        start = "\n" if code.code.startswith("\n") else ""
        return f"<pre>{element('code', start + escaped(code.code), class_=name)}</pre>"

    def quote(self, quote: Quote) -> str:
        return element("blockquote", f"\n{self.write(quote.children)}\n")

    def item_list(self, items: ItemList) -> str:
        written, expected = [], items.items[0].number
        for item in items.items:
            is_out_of_turn = items.is_ordered and item.number != expected
            written.append(element("li", self.within(item.children), value=item.number if is_out_of_turn else ""))
            expected = item.number + 1
        start = items.items[0].number if items.is_ordered and items.items[0].number != 1 else ""
        return element("ol" if items.is_ordered else "ul", "\n" + "\n".join(written) + "\n", start=start)

    def definitions(self, definitions: DefinitionList) -> str:
        return element("dl", "\n" + "\n".join(map(self._definition, definitions.definitions)) + "\n")

    def _definition(self, definition: Definition) -> str:
        terms = [element("dt", self.within(term)) for term in definition.terms]
        return "\n".join([*terms, *(element("dd", self.within(children)) for children in definition.descriptions)])

    def table(self, table: Table) -> str:
        caption = element("caption", self.within(table.caption)) if table.caption else ""
        head, body = table.rows[: table.header_rows], table.rows[table.header_rows :]
        parts = [caption, self._rows("thead", head), self._rows("tbody", body)]
        return element("table", "\n" + "\n".join(filter(None, parts)) + "\n")

    def _rows(self, name: str, rows: Sequence[Sequence[Cell]]) -> str:
        written = "\n".join(element("tr", "".join(map(self._cell, row))) for row in rows)
        return element(name, f"\n{written}\n") if rows else ""

    def _cell(self, cell: Cell) -> str:
        return element(
            "th" if cell.is_header else "td",
            self.within(cell.children) if cell.children else "",
            colspan=cell.columns if cell.columns > 1 else "",
            rowspan=cell.rows if cell.rows > 1 else "",
        )

    def figure(self, figure: Figure) -> str:
        caption = element("figcaption", self.within(figure.caption)) if figure.caption else ""
        return element("figure", "\n" + "\n".join(filter(None, (self.in_figure(figure.children), caption))) + "\n")

    def comments(self, comments: Comments) -> str:
        return element("aside", f"\n{self.write(comments.children)}\n")
