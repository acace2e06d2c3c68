"""Asks real parsers and schemas whether what the outputs write is valid, and whether it says what it should."""

from __future__ import annotations

import csv
import io
import json
from functools import cache
from importlib.resources import files

import nh3
from document_building import build_document
from document_nodes import Document, Span, SpanKind, inner_nodes
from lxml import etree
from markdown_structure import has_formulas, structure_of_document, structure_of_markdown
from tei_schema import tei_errors

import dehusk
from dehusk.metadata.page_candidates import shown_title
from dehusk.outputs.document.output_options import OutputOptions
from dehusk.outputs.page_records import FIELDS

EVERYTHING = OutputOptions(links=True, images=True, raw_characters=True)
"""Characters as they are: html and XML keep them, too."""


def assert_all_valid(page: dehusk.CleanedPage) -> None:
    """Every format with a syntax."""
    assert_markdown_says_the_same(page)
    assert_html_passes_a_sanitiser(page)
    assert_xml_is_valid(page)
    assert_tei_is_valid(page)
    assert_records_are_readable(page)


def assert_markdown_says_the_same(page: dehusk.CleanedPage) -> None:
    document = build_document(page.labelled, EVERYTHING)
    formulas = has_formulas(document)
    expected, notes = structure_of_document(document)
    if formulas:
        expected, notes = _without_backslashes((expected, notes))
    found = structure_of_markdown(page.render("markdown", EVERYTHING), formulas)
    assert found in [(expected, notes), ((_title(page), *expected), notes)]


def _title(page: dehusk.CleanedPage) -> tuple[str, str]:
    """What Markdown says above all else, if no kept heading says it."""
    return "h1", " ".join(shown_title(page.page).split())


def _without_backslashes(value: object) -> object:
    """In running text alone: code is exact."""
    if isinstance(value, str):
        return value.replace("\\", "")
    if isinstance(value, dict):
        return {key: _without_backslashes(inner) for key, inner in value.items()}
    if isinstance(value, tuple):
        return value if value[:1] == ("code",) else tuple(map(_without_backslashes, value))
    return value


def body_of(html: str) -> str:
    """The markup between the body tags, which the writer puts on lines of their own."""
    return html.partition("<body>\n")[2].rpartition("\n</body>")[0]


def assert_html_passes_a_sanitiser(page: dehusk.CleanedPage) -> None:
    """It leaves every byte as it is; that it writes no-break spaces by their name is its way."""
    body = body_of(page.render("html"))
    assert sanitised(body) == body.replace("\xa0", "&nbsp;")


def sanitised(body: str) -> str:
    allowed = {tag: set(names) for tag, names in nh3.ALLOWED_ATTRIBUTES.items()}
    own = (("code", "class"), ("li", "id"), ("li", "value"), ("aside", "title"), ("*", "dir"), ("*", "lang"))
    for tag, name in own:
        allowed.setdefault(tag, set()).add(name)
    return nh3.clean(body, attributes=allowed, link_rel="noopener noreferrer")


@cache
def _schema() -> etree.RelaxNG:
    return etree.RelaxNG(etree.fromstring((files("dehusk") / "outputs" / "document.rng").read_bytes()))


def assert_xml_is_valid(page: dehusk.CleanedPage) -> None:
    root = etree.fromstring(page.render("xml").encode())
    assert _schema().validate(root), _schema().error_log
    assert xml_text(root) == _writable(_text_of(build_document(page.labelled, EVERYTHING)))


def xml_text(root: etree._Element) -> str:
    """Without white space; marks and labels of footnotes are in attributes."""
    for labelled in root.iter("noteref", "note"):
        labelled.text = labelled.get("label") + (labelled.text or "")
    return "".join("".join(part.itertext()) for part in root.iter("body", "notes")).translate(_white())


def assert_tei_is_valid(page: dehusk.CleanedPage) -> None:
    assert tei_errors(page.render("tei")) == []


def assert_records_are_readable(page: dehusk.CleanedPage) -> None:
    line = page.render("jsonl")
    assert line.endswith("\n")
    assert "\n" not in line[:-1]
    record = json.loads(line.encode())
    assert list(record) == list(FIELDS)
    assert record["text"] == page.text
    written = page.render("csv").encode().decode()
    (row,) = csv.DictReader(io.StringIO(written, newline=""), strict=True)
    assert row == {name: _cell(value) for name, value in record.items()}


def _cell(value: object) -> str:
    if isinstance(value, list):
        return _cell("; ".join(value))
    return "" if value is None else _encodable(str(value))


def _encodable(text: str) -> str:
    return "".join("\N{REPLACEMENT CHARACTER}" if "\ud800" <= letter <= "\udfff" else letter for letter in text)


@cache
def _white() -> dict[int, None]:
    return {ord(letter): None for letter in map(chr, range(0x110000)) if letter.isspace()}


def _writable(text: str) -> str:
    """Noncharacters that XML forbids are replaced."""
    return text.translate({**_white(), 0xFFFE: "\N{REPLACEMENT CHARACTER}", 0xFFFF: "\N{REPLACEMENT CHARACTER}"})


def _text_of(document: Document) -> str:
    parts = [text for node in document.children for text in _texts(node)]
    for note in document.notes:
        parts += [note.label, *(text for node in note.children for text in _texts(node))]
    return "".join(parts)


def _texts(node: object) -> list[str]:
    if code := getattr(node, "code", None):
        return [code]
    spans: tuple[Span, ...] = getattr(node, "spans", ())
    inner = [text for child in inner_nodes(node) for text in _texts(child)]  # type: ignore[arg-type]
    return [span.text for span in spans if span.kind is not SpanKind.IMAGE] + inner
