"""HTML: semantic elements only, with no scripts, no embedded content except images, and no styles.

All elements pass common sanitisers. Attributes are few: URLs, spans of cells, alternative texts, item numbers, the
language of code (a class), language and direction of texts, and the ids of footnotes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dehusk.deciding.decisions import LabelledBlocks
from dehusk.outputs.document import nodes as tree
from dehusk.outputs.document.document_building import build_document
from dehusk.outputs.document.output_options import WITH_LINKS_AND_IMAGES, OutputOptions
from dehusk.outputs.markup import MarkupWriter, attribute, element, escaped, lines

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


def _locale(locale: tree.Locale) -> str:
    language = attribute("lang", locale.language) if locale.language else ""
    return language + (attribute("dir", locale.direction) if locale.direction else "")


def _labelled(note: tree.Note) -> Sequence[tree.Node]:
    """The content of a note, with its label before the first text."""
    label = tree.Span(f"[{note.label}] ")
    first = note.children[0] if note.children else None
    if isinstance(first, tree.Paragraph):
        return (tree.Paragraph((label, *first.spans), first.locale), *note.children[1:])
    return (tree.Paragraph((label,)), *note.children)


class _HtmlWriter(MarkupWriter):
    """Writes the body."""

    def document(self, document: tree.Document) -> str:
        body = self.write(document.children)
        if not document.notes:
            return body
        notes = "\n".join(
            element("li", self.within(_labelled(note)), id=f"note-{note.label}") for note in document.notes
        )
        return f"{body}\n<footer>\n<ul>\n{notes}\n</ul>\n</footer>"

    def leaf(self, span: tree.Span) -> str:
        match span.kind:
            case tree.SpanKind.LINE_BREAK:
                return "<br>"
            case tree.SpanKind.IMAGE:
                return f"<img{attribute('src', span.address)}{attribute('alt', span.text)}>"
            case tree.SpanKind.FORMULA:
                # The delimiters that MathJax and KaTeX look for.
                begin, end = (r"\[", r"\]") if span.address == tree.DISPLAY else (r"\(", r"\)")
                return f"{begin}{escaped(span.text)}{end}"
            case tree.SpanKind.NOTE:
                return f'<sup><a href="#note-{escaped(span.text)}" rel="{_LINK}">[{escaped(span.text)}]</a></sup>'
        return escaped(span.text)

    def marked(self, mark: str, content: str, value: str) -> str:
        if mark == "link":
            return element("a", content, href=value, rel=_LINK)
        if mark == "reading":
            return f"<rp>(</rp><rt>{content}</rt><rp>)</rp>"
        return element(_ELEMENT_OF_MARK[mark], content)

    def heading(self, heading: tree.Heading) -> str:
        return f"<h{heading.level}{_locale(heading.locale)}>{self.spans(heading.spans)}</h{heading.level}>"

    def paragraph(self, content: str, locale: tree.Locale) -> str:
        return f"<p{_locale(locale)}>{content}</p>"

    def code(self, code: tree.CodeBlock) -> str:
        name = f"language-{code.language}" if code.language else ""
        # Parsers drop a newline right after the tag, so text that starts with one needs two.
        start = "\n" if code.code.startswith("\n") else ""
        return f"<pre>{element('code', start + escaped(code.code), class_=name)}</pre>"

    def quote(self, quote: tree.Quote) -> str:
        return element("blockquote", f"\n{self.write(quote.children)}\n")

    def callout(self, callout: tree.Callout) -> str:
        title = f"<p>{self._bold(callout.title)}</p>" if callout.title else ""
        return element("aside", lines(filter(None, (title, self.write(callout.children)))), title=callout.kind)

    def _bold(self, nodes: Sequence[tree.Node]) -> str:
        """The texts of headings and paragraphs in one bold line, whatever of it the page sets in bold."""
        texts = [node for node in nodes if isinstance(node, tree.Heading | tree.Paragraph)]
        return element("strong", " ".join(self.spans(_not_strong(node.spans)) for node in texts))

    def item_list(self, items: tree.ItemList) -> str:
        written, expected = [], items.items[0].number
        for item in items.items:
            is_out_of_turn = items.is_ordered and item.number != expected
            written.append(element("li", self.within(item.children), value=item.number if is_out_of_turn else ""))
            expected = item.number + 1
        start = items.items[0].number if items.is_ordered and items.items[0].number != 1 else ""
        return element("ol" if items.is_ordered else "ul", lines(written), start=start)

    def definitions(self, definitions: tree.DefinitionList) -> str:
        return element("dl", lines(map(self._definition, definitions.definitions)))

    def _definition(self, definition: tree.Definition) -> str:
        terms = [element("dt", self.within(term)) for term in definition.terms]
        return "\n".join([*terms, *(element("dd", self.within(children)) for children in definition.descriptions)])

    def table(self, table: tree.Table) -> str:
        caption = element("caption", self.within(table.caption)) if table.caption else ""
        head, body = table.rows[: table.header_rows], table.rows[table.header_rows :]
        parts = [caption, self._rows("thead", head), self._rows("tbody", body)]
        return element("table", lines(filter(None, parts)))

    def _rows(self, name: str, rows: Sequence[Sequence[tree.Cell]]) -> str:
        written = "\n".join(element("tr", "".join(map(self._cell, row))) for row in rows)
        return element(name, f"\n{written}\n") if rows else ""

    def _cell(self, cell: tree.Cell) -> str:
        return element(
            "th" if cell.is_header else "td",
            self.within(cell.children) if cell.children else "",
            colspan=cell.columns if cell.columns > 1 else "",
            rowspan=cell.rows if cell.rows > 1 else "",
        )

    def figure(self, figure: tree.Figure) -> str:
        caption = element("figcaption", self.within(figure.caption)) if figure.caption else ""
        return element("figure", lines(filter(None, (self.in_figure(figure.children), caption))))

    def comments(self, comments: tree.Comments) -> str:
        return element("aside", f"\n{self.write(comments.children)}\n")


def _not_strong(spans: Sequence[tree.Span]) -> tuple[tree.Span, ...]:
    """The same spans, none of them bold."""
    return tuple(span._replace(marks=span.marks._replace(strong=False)) for span in spans)
