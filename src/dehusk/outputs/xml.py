"""XML: content and metadata of a page, in dehusk's own small vocabulary.

`docs/outputs.md` describes it, `document.rng` beside this module is its schema (RELAX NG).
"""

from __future__ import annotations

from typing import Final

from dehusk.deciding.decisions import LabelledBlocks
from dehusk.metadata.values import Metadata
from dehusk.outputs.document import nodes as tree
from dehusk.outputs.document.document_building import build_document
from dehusk.outputs.document.output_options import WITH_LINKS_AND_IMAGES, OutputOptions
from dehusk.outputs.markup import MarkupWriter, element, empty_element, escaped, lines
from dehusk.outputs.page_metadata import metadata_of

_VERSION: Final = 1
_ELEMENT_OF_MARK: Final = {
    "strong": "b",
    "emphasis": "i",
    "deleted": "del",
    "quoted": "q",
    "subscript": "sub",
    "superscript": "sup",
    "code": "code",
    "ruby": "ruby",
    "reading": "reading",
}
_ELEMENT_OF_LIST: Final = {"authors": "author", "categories": "category", "tags": "tag"}
"""Metadata fields with several values -> the element of one value."""


def render_xml(labelled: LabelledBlocks, options: OutputOptions | None = None) -> str:
    """A complete XML document, declared as UTF-8; valid against the schema whatever the page contains."""
    document = build_document(labelled, options or WITH_LINKS_AND_IMAGES, with_locales=True)
    page = labelled.blocks.page
    writer = _XmlWriter()
    parts = [
        _metadata(metadata_of(labelled)),
        element("body", f"\n{writer.write(document.children)}\n", **_locale(document.locale)),
    ]
    if document.notes:
        parts.append(element("notes", lines(map(writer.note, document.notes))))
    root = element(
        "document",
        lines(parts),
        version=_VERSION,
        url=page.url,
        name=page.name,
        method=labelled.model.method,
        confidence="" if labelled.confidence is None else f"{labelled.confidence:.4f}",
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{root}\n'


def _metadata(metadata: Metadata) -> str:
    values: list[str] = []
    for name in metadata.__dataclass_fields__:
        value = getattr(metadata, name)
        for found in value if isinstance(value, tuple) else filter(None, (value,)):
            values.append(element(_ELEMENT_OF_LIST.get(name, name), escaped(found.value), source=found.source))
    return element("metadata", "\n" + "".join(f"{value}\n" for value in values))


def _locale(locale: tree.Locale) -> dict[str, str | int]:
    return {"language": locale.language, "direction": locale.direction}


class _XmlWriter(MarkupWriter):
    """Writes the content. Items, cells and the like hold paragraphs, never bare text."""

    def note(self, note: tree.Note) -> str:
        return element("note", f"\n{self.write(note.children)}\n", label=note.label)

    def leaf(self, span: tree.Span) -> str:
        match span.kind:
            case tree.SpanKind.LINE_BREAK:
                return empty_element("br")
            case tree.SpanKind.IMAGE:
                return empty_element("image", source=span.address, alternative=span.text)
            case tree.SpanKind.FORMULA:
                return element("formula", escaped(span.text), display="block" if span.address == tree.DISPLAY else "")
            case tree.SpanKind.NOTE:
                return empty_element("noteref", label=span.text)
        return escaped(span.text)

    def marked(self, mark: str, content: str, value: str) -> str:
        return element("a", content, href=value) if mark == "link" else element(_ELEMENT_OF_MARK[mark], content)

    def heading(self, heading: tree.Heading) -> str:
        return element("heading", self.spans(heading.spans), level=heading.level, **_locale(heading.locale))

    def paragraph(self, content: str, locale: tree.Locale) -> str:
        return element("p", content, **_locale(locale))

    def code(self, code: tree.CodeBlock) -> str:
        return element("codeblock", escaped(code.code), language=code.language, xml__space="preserve")

    def quote(self, quote: tree.Quote) -> str:
        return element("quote", f"\n{self.write(quote.children)}\n")

    def callout(self, callout: tree.Callout) -> str:
        parts = [element("caption", f"\n{self.write(callout.title)}\n")] if callout.title else []
        parts += [self.write(callout.children)] if callout.children else []
        return element("callout", lines(parts), kind=callout.kind)

    def item_list(self, items: tree.ItemList) -> str:
        written = [
            element("item", f"\n{self.write(item.children)}\n", number=item.number if items.is_ordered else "")
            for item in items.items
        ]
        kind = "ordered" if items.is_ordered else "unordered"
        return element("list", lines(written), type=kind)

    def definitions(self, definitions: tree.DefinitionList) -> str:
        return element("definitions", lines(map(self._definition, definitions.definitions)))

    def _definition(self, definition: tree.Definition) -> str:
        parts = [element("term", f"\n{self.write(term)}\n") for term in definition.terms]
        parts += [element("description", f"\n{self.write(children)}\n") for children in definition.descriptions]
        return element("definition", lines(parts))

    def table(self, table: tree.Table) -> str:
        parts = [element("caption", f"\n{self.write(table.caption)}\n")] if table.caption else []
        parts += [element("row", lines(map(self._cell, row))) for row in table.rows]
        return element("table", lines(parts))

    def _cell(self, cell: tree.Cell) -> str:
        return element(
            "cell",
            f"\n{self.write(cell.children)}\n" if cell.children else "",
            role="header" if cell.is_header else "",
            columns=cell.columns if cell.columns > 1 else "",
            rows=cell.rows if cell.rows > 1 else "",
        )

    def figure(self, figure: tree.Figure) -> str:
        parts = [self.write(figure.children)]
        parts += [element("caption", f"\n{self.write(figure.caption)}\n")] if figure.caption else []
        return element("figure", lines(parts))

    def comments(self, comments: tree.Comments) -> str:
        return element("comments", f"\n{self.write(comments.children)}\n")
