"""TEI P5: content in the text, metadata in the header.

Headings open divisions, nested by level. Footnotes are in the back matter, comments in a separate division. Uses TEI's
modules for the header, the core, the text structure, figures and tables, and code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, TypeGuard

from dehusk.deciding.decisions import LabelledBlocks
from dehusk.metadata.values import Found, Metadata
from dehusk.outputs.document import nodes as tree
from dehusk.outputs.document.document_building import build_document
from dehusk.outputs.document.output_options import WITH_LINKS_AND_IMAGES, OutputOptions
from dehusk.outputs.document.reshaping import inner_nodes
from dehusk.outputs.markup import MarkupWriter, element, empty_element, escaped, lines
from dehusk.outputs.page_metadata import metadata_of
from dehusk.version import __version__

_NAMESPACE: Final = "http://www.tei-c.org/ns/1.0"
_RENDITION: Final = {"strong": "bold", "emphasis": "italic", "subscript": "sub", "superscript": "sup"}
_DATE: Final = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?)?)?")
_NO_TITLE: Final = "[no title]"


def render_tei(labelled: LabelledBlocks, options: OutputOptions | None = None) -> str:
    """A whole TEI document."""
    document = build_document(labelled, options or WITH_LINKS_AND_IMAGES, with_locales=True)
    page = labelled.blocks.page
    header = _Header(metadata_of(labelled), document.title, page.url).written()
    writer = _TeiWriter()
    body = element("body", f"\n{writer.divisions(document)}\n")
    back = f"\n{writer.back(document.notes)}" if document.notes else ""
    text = element("text", f"\n{body}{back}\n", xml__lang=_language(document.locale))
    root = element("TEI", f"\n{header}\n{text}\n", xmlns=_NAMESPACE)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{root}\n'


def _language(locale: tree.Locale) -> str:
    return locale.language.replace("_", "-")


class _Header:
    """Writes the metadata of a page."""

    def __init__(self, metadata: Metadata, title: str, url: str) -> None:
        self._metadata = metadata
        self._title = metadata.title.value if metadata.title else title or url or _NO_TITLE
        self._url = metadata.url.value if metadata.url else url

    def written(self) -> str:
        parts = [element("fileDesc", "\n".join(self._file())), self._encoding(), self._profile()]
        return element("teiHeader", lines(parts))

    def _file(self) -> Iterator[str]:
        authors = (element("author", escaped(author.value)) for author in self._metadata.authors)
        yield element("titleStmt", self._titles() + "".join(authors))
        yield element("publicationStmt", "".join(self._publication()))
        yield element("sourceDesc", element("bibl", "".join(self._source())))

    def _titles(self) -> str:
        subtitle = self._metadata.subtitle
        below = element("title", escaped(subtitle.value), type="sub") if subtitle else ""
        return element("title", escaped(self._title), type="main") + below

    def _publication(self) -> Iterator[str]:
        if not self._metadata.site_name:
            yield element("p", "".join(self._dates()))
            return
        yield element("publisher", escaped(self._metadata.site_name.value))
        licence = self._metadata.licence
        if licence:
            target = licence.value if licence.value.startswith(("http://", "https://")) else ""
            yield element("availability", element("licence", escaped(licence.value), target=target.replace(" ", "%20")))
        yield from self._dates()

    def _dates(self) -> Iterator[str]:
        for name in ("published", "modified"):
            found: Found | None = getattr(self._metadata, name)
            if found:
                when = found.value if _DATE.fullmatch(found.value) else ""
                yield element("date", escaped(found.value), type=name, when=when)

    def _source(self) -> Iterator[str]:
        yield element("title", escaped(self._title))
        if self._url:
            yield empty_element("ptr", type="url", target=self._url.replace(" ", "%20"))
        if self._metadata.image:
            yield empty_element("ptr", type="image", target=self._metadata.image.value)

    def _encoding(self) -> str:
        application = element("application", element("label", "dehusk"), version=__version__, ident="dehusk")
        return element("encodingDesc", element("appInfo", application))

    def _profile(self) -> str:
        metadata, parts = self._metadata, []
        if metadata.description:
            parts.append(element("abstract", element("p", escaped(metadata.description.value))))
        if metadata.language:
            language = metadata.language.value
            parts.append(element("langUsage", element("language", escaped(language), ident=language)))
        groups = {
            "categories": metadata.categories,
            "tags": metadata.tags,
            "page-type": (metadata.page_type,) if metadata.page_type else (),
        }
        keywords = [
            element("keywords", "".join(element("term", escaped(found.value)) for found in values), scheme=f"#{name}")
            for name, values in groups.items()
            if values
        ]
        parts += [element("textClass", "".join(keywords))] if keywords else []
        return element("profileDesc", "\n".join(parts))


class _TeiWriter(MarkupWriter):
    """Writes the text."""

    def divisions(self, document: tree.Document) -> str:
        """Comments and what is not, each in divisions of its own: no text may follow a division within another."""
        written = []
        for are_comments, group in groupby(document.children, key=lambda node: isinstance(node, tree.Comments)):
            nodes = list(group)
            if are_comments:
                nodes = [child for node in nodes if isinstance(node, tree.Comments) for child in node.children]
            written.append(self._division(nodes, "comments" if are_comments else "content"))
        return "\n".join(written) or element("div", element("p"), type="content")

    def _division(self, nodes: Sequence[tree.Node], kind: str = "") -> str:
        """What comes before the first heading, and a division for each heading of the highest level there is."""
        first = next((index for index, node in enumerate(nodes) if isinstance(node, tree.Heading)), len(nodes))
        before, rest = nodes[:first], nodes[first:]
        parts = [self.write(before)] if before else []
        parts += map(self._section, _sections(rest))
        return element("div", lines(parts), type=kind)

    def _section(self, nodes: Sequence[tree.Node]) -> str:
        heading = nodes[0]
        assert isinstance(heading, tree.Heading)
        head = element("head", self.spans(heading.spans), xml__lang=_language(heading.locale))
        inner = nodes[1:]
        first = next((index for index, node in enumerate(inner) if isinstance(node, tree.Heading)), len(inner))
        parts = [head, *([self.write(inner[:first])] if first else [element("p")] if not inner else [])]
        parts += map(self._section, _sections(inner[first:]))
        return element("div", lines(parts), n=heading.level)

    def back(self, notes: Sequence[tree.Note]) -> str:
        written = "\n".join(
            element("note", self.within(note.children), xml__id=f"note-{note.label}", n=note.label) for note in notes
        )
        return element("back", element("div", f"\n{written}\n", type="notes"))

    def leaf(self, span: tree.Span) -> str:
        match span.kind:
            case tree.SpanKind.LINE_BREAK:
                return empty_element("lb")
            case tree.SpanKind.IMAGE:
                return element("graphic", element("desc", escaped(span.text)) if span.text else "", url=span.address)
            case tree.SpanKind.FORMULA:
                return element("formula", escaped(span.text), notation="TeX")
            case tree.SpanKind.NOTE:
                return element("ref", f"[{escaped(span.text)}]", type="note", target=f"#note-{span.text}")
        return escaped(span.text)

    def marked(self, mark: str, content: str, value: str) -> str:
        match mark:
            case "link":
                return element("ref", content, target=value)
            case "code" | "ruby":
                return element(mark, content)
            case "reading":
                return element("rt", content)
            case "deleted":
                return element("del", content)
            case "quoted":
                return element("q", content)
        return element("hi", content, rend=_RENDITION[mark])

    def spans(self, spans: tree.Spans) -> str:
        """Write spans with ruby as text: TEI requires one base with its readings."""
        return super().spans(tuple(_ruby_as_text(spans)))

    def heading(self, heading: tree.Heading) -> str:
        """A heading inside an item, a cell or a quote, where TEI allows no division."""
        return element(
            "ab", self.spans(heading.spans), type="heading", n=heading.level, xml__lang=_language(heading.locale)
        )

    def paragraph(self, content: str, locale: tree.Locale) -> str:
        return element("p", content, xml__lang=_language(locale))

    def code(self, code: tree.CodeBlock) -> str:
        language = code.language if re.fullmatch(r"[\w+#.-]+", code.language) else ""
        return element("ab", element("code", escaped(code.code), lang=language), type="code", xml__space="preserve")

    def quote(self, quote: tree.Quote) -> str:
        return element("quote", f"\n{self.write(quote.children)}\n")

    def callout(self, callout: tree.Callout) -> str:
        title = element("p", element("hi", self._running(callout.title), rend="bold")) if callout.title else ""
        parts = filter(None, (title, self.write(callout.children)))
        return element("note", lines(parts), type="callout", subtype=callout.kind)

    def item_list(self, items: tree.ItemList) -> str:
        written = [
            element("item", self.within(item.children), n=item.number if items.is_ordered else "")
            for item in items.items
        ]
        rendition = "numbered" if items.is_ordered else "bulleted"
        return element("list", lines(written), rend=rendition)

    def definitions(self, definitions: tree.DefinitionList) -> str:
        return element("list", lines(map(self._definition, definitions.definitions)), type="gloss")

    def _definition(self, definition: tree.Definition) -> str:
        terms = [node for term in definition.terms for node in term]
        described = [node for children in definition.descriptions for node in children]
        return element("label", self._running(terms)) + element("item", self.within(described) if described else "")

    def table(self, table: tree.Table) -> str:
        parts = [element("head", self._running(table.caption))] if table.caption else []
        for number, row in enumerate(table.rows):
            role = "label" if number < table.header_rows else ""
            parts.append(element("row", "".join(map(self._cell, row)) or element("cell"), role=role))
        return element("table", lines(parts))

    def _cell(self, cell: tree.Cell) -> str:
        return element(
            "cell",
            self.within(cell.children) if cell.children else "",
            role="label" if cell.is_header else "",
            cols=cell.columns if cell.columns > 1 else "",
            rows=cell.rows if cell.rows > 1 else "",
        )

    def figure(self, figure: tree.Figure) -> str:
        head = element("head", self._running(figure.caption)) if figure.caption else ""
        return element("figure", lines(filter(None, (head, self.in_figure(figure.children)))))

    def in_figure(self, nodes: Iterable[tree.Node]) -> str:
        """The content of a figure; images go without a paragraph unless linked, as TEI allows no links there."""
        return "\n".join(self.spans(node.spans) if _is_of_bare_images(node) else self.node(node) for node in nodes)

    def comments(self, comments: tree.Comments) -> str:
        return self.write(comments.children)

    def _running(self, nodes: Sequence[tree.Node]) -> str:
        """The texts of nodes, joined by line breaks, where TEI allows no paragraphs."""
        spans = [span for part in _texts(nodes) for span in (tree.LINE_BREAK, *part)]
        return self.spans(tuple(spans[1:]))


def _is_of_bare_images(node: tree.Node) -> TypeGuard[tree.Paragraph]:
    return isinstance(node, tree.Paragraph) and all(
        span.kind is tree.SpanKind.IMAGE and span.marks == tree.UNMARKED for span in node.spans
    )


def _sections(nodes: Sequence[tree.Node]) -> Iterator[Sequence[tree.Node]]:
    """Split nodes, of which the first is a heading, before each heading of the same or a higher level."""
    begin = 0
    for index, node in enumerate(nodes):
        first = nodes[begin]
        if (
            index > begin
            and isinstance(node, tree.Heading)
            and isinstance(first, tree.Heading)
            and node.level <= first.level
        ):
            yield nodes[begin:index]
            begin = index
    if nodes:
        yield nodes[begin:]


def _texts(nodes: Sequence[tree.Node]) -> Iterator[tree.Spans]:
    for node in nodes:
        match node:
            case tree.Heading(_, spans) | tree.Paragraph(spans):
                yield spans
            case tree.CodeBlock(code):
                yield (tree.Span(" ".join(code.split())),)
            case _:
                yield from _texts(inner_nodes(node))


def _ruby_as_text(spans: tree.Spans) -> Iterator[tree.Span]:
    """Write readings in parentheses: TEI requires one base with its readings, HTML allows any number of both."""
    for span in spans:
        if not span.marks.ruby:
            yield span
            continue
        marks = span.marks._replace(ruby=0, reading=False)
        yield tree.Span(f"({span.text})" if span.marks.reading else span.text, marks, span.kind, span.address)
