"""Targets that take a page: decoder, reader, blocks, style sheets, methods, metadata, outputs."""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
import unicodedata
import zlib
from collections.abc import Hashable
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import seed_files
import webencodings
from document_building import build_document
from document_nodes import Document, inner_nodes
from keep_visible import KeepVisible
from valid_outputs import assert_all_valid

import dehusk
from dehusk import Limits, Page
from dehusk.blocks.block_columns import Kind
from dehusk.deciding.decisions import label_blocks
from dehusk.limits import DEFAULT_LIMITS
from dehusk.methods.base import Matches, Model
from dehusk.outputs.document.output_options import OutputOptions
from dehusk.page.characters import WITHOUT_CONTROLS
from dehusk.page.decoding import decode
from dehusk.page.pruning import without_elements
from dehusk.page.style_sheets import sheet_keys
from dehusk.page.tags import TAGS

_URLS = ("", "https://a.example/2024/05/tea.html", "http://[", "https://xn--a.example:99999/é?a=\ud800")
_CONTENT_TYPES = ("", "text/html", "text/html; charset=iso-8859-1", "text/html; charset=replacement", "charset=utf-16")


_SELECTORS = (
    "p",
    "*",
    "div div, li:nth-child(2n)",
    "a[href]:not(.x)",
    "td + td",
    ":has(b) ~ p",
    "html",
    "table, style",
)
_ESCAPE_SEQUENCE = re.compile(rb"\x1b[$()]*[A-Z@]")
_RUNS_SCRIPT = re.compile(r"""<[^>]*\shref=["']?\s*javascript:""")


def magnitude(number: int) -> int:
    """How large a number is, roughly: behaviours that differ more finely are the same."""
    return number.bit_length()


def pick(data: bytes, count: int, salt: int = 0) -> int:
    """A number below `count` that the input decides on: what is tried with it, so that a rerun tries the same."""
    return zlib.crc32(data, salt) % count


def decoding(data: bytes, folder: Path) -> Hashable:
    """Text without surrogates, in an encoding that has a name, and none for letters that were there."""
    decoded = decode(data, _CONTENT_TYPES[pick(data, len(_CONTENT_TYPES))])
    assert isinstance(decoded.text, str)
    decoded.text.encode("utf-8")
    assert webencodings.lookup(decoded.encoding) or codecs.lookup(decoded.encoding)  # UTF-32 is not of the web
    assert decoded.reason
    has_letters = sum(byte in b"abcdefghijklmnopqrstuvwxyz" for byte in data[:10_000]) > 20
    size = len(_ESCAPE_SEQUENCE.sub(b"", data))  # which choose a character set, and are no text
    assert not has_letters or len(decoded.text) * 8 > size, f"text lost in {decoded.encoding}"
    assert decode(data, _CONTENT_TYPES[pick(data, len(_CONTENT_TYPES))]) == decoded
    return decoded.encoding, decoded.reason, magnitude(len(decoded.text)), magnitude(decoded.text.count("\ufffd"))


def read(data: bytes) -> Page:
    """Read as bytes, or now and then as text with all that bytes cannot say; with limits now and then."""
    limits = Limits(depth=6) if pick(data, 8) == 0 else DEFAULT_LIMITS
    url = _URLS[pick(data, len(_URLS), 1)]
    if pick(data, 4, 2) == 0:
        return dehusk.read_page(data.decode("utf-8", "surrogateescape"), url, limits=limits)
    return dehusk.read_page(data, url, limits=limits)


def reading(data: bytes, folder: Path) -> Hashable:
    """Columns fit each other: subtrees nest, parents come before children, and texts are where they are said to be."""
    page = read(data)
    check_columns(page)
    again = read(data)
    assert page.text == again.text
    assert page.tag.tobytes() == again.tag.tobytes()
    assert list(page.attribute_value) == list(again.attribute_value)
    depth = int(page.depth.max(initial=0))
    tags = frozenset(np.unique(page.tag[page.tag < len(TAGS)]).tolist()) if len(page) < 40 else ()
    counts = (len(page), len(page.text), depth, len(page.attribute_value), len(page.embedded), len(page.other_tags))
    return page.encoding_reason, page.encoding, tags, *map(magnitude, counts), magnitude(int(page.hidden.sum()))


def pruning(data: bytes, folder: Path) -> Hashable:
    """A page without some elements is a page, and no text is in it that was not there."""
    page = read(data)
    pruned = without_elements(page, [_SELECTORS[pick(data, len(_SELECTORS), 3)]])
    check_columns(pruned)
    assert len(pruned.text) <= len(page.text)
    dehusk.clean(pruned)
    return magnitude(len(page) - len(pruned)), magnitude(len(pruned.removed))


def check_columns(page: Page) -> None:
    """What `Page` promises of its columns."""
    size, rows = len(page), np.arange(len(page))
    for name in ("flags", "parent", "subtree_end", "depth", "text_start", "text_end", "text_length", "hidden"):
        assert len(getattr(page, name)) == size, name
    assert size == 0 or page.parent[0] == -1
    assert (page.parent[1:] >= 0).all(), "several roots"
    assert (page.parent < rows).all(), "a parent behind its child"
    assert ((page.subtree_end > rows) & (page.subtree_end <= size)).all(), "a subtree that ends outside"
    below = rows[1:]
    assert (page.subtree_end[below] <= page.subtree_end[page.parent[below]]).all(), "subtrees that overlap"
    assert (page.depth[below] == page.depth[page.parent[below]] + 1).all(), "depths that leap"
    assert (np.diff(page.text_start) >= 0).all(), "texts out of order"
    assert (page.text_start <= page.text_end).all(), "texts that end before they start"
    assert page.text_end.max(initial=0) <= len(page.text), "texts outside of the page"
    lengths = (page.text_end - page.text_start)[page.is_text]
    edges = np.zeros(len(page.text) + 1, dtype=np.int64)
    np.add.at(edges, page.text_start[page.is_text], 1)
    np.add.at(edges, page.text_end[page.is_text], -1)
    outside = np.flatnonzero(np.cumsum(edges)[:-1] == 0).tolist()
    # A blank between boxes that a browser sets apart is of no row.
    assert all(page.text[place] == " " for place in outside), "text outside of rows"
    assert (page.text_length[page.is_text] <= lengths).all(), "text longer than its row"
    assert not page.text_length[~page.is_text].any(), "text of an element"
    assert ((page.tag >= 0) & (page.tag < len(TAGS) + len(page.other_tags))).all(), "tags without a name"
    assert len(page.attribute_start) == size + 1
    assert (np.diff(page.attribute_start) >= 0).all(), "attributes out of order"
    assert page.attribute_start[-1] == len(page.attribute_value) == len(page.attribute_name)
    assert all(0 <= row < size for row, _ in page.embedded)
    assert len(page.style) == len(page.class_keys) == size


def segmenting(data: bytes, folder: Path) -> Hashable:
    """No character is lost or doubled between rows and blocks, hidden or shown."""
    page = read(data)
    blocks = dehusk.segment(page)
    for hidden in (False, True):
        rows = np.flatnonzero(page.is_text & (page.hidden == hidden))
        texts = [text for text, is_hidden in zip(blocks.texts, blocks.hidden, strict=True) if is_hidden == hidden]
        assert _letters("".join(texts)) == _letters("".join(page.texts(rows))), f"text lost or doubled, hidden={hidden}"
    assert all("\v" not in text and "\0" not in text for text in blocks.texts)
    assert ((blocks.link_share >= 0) & (blocks.link_share <= 1)).all()
    assert all(blocks.path(index) for index in range(min(len(blocks), 50)))
    kinds = tuple(Kind(kind).label for kind in np.unique(blocks.kind).tolist())
    return kinds, tuple(np.unique(blocks.level).tolist()), magnitude(len(blocks)), magnitude(int(blocks.hidden.sum()))


def _letters(text: str) -> str:
    return "".join(c for c in text.translate(WITHOUT_CONTROLS) if not c.isspace() and unicodedata.category(c) != "Cc")


def style_sheets(data: bytes, folder: Path) -> Hashable:
    """A page, and the input as a style sheet of it."""
    keys = sheet_keys(read(data))
    as_sheet = f"<style>{data.decode('utf-8', 'replace')}</style><body class=post><p id=main><a class=ad>x"
    page = dehusk.read_page(as_sheet)
    own = sheet_keys(page)
    assert len(own) == len(page)
    assert own.dtype == keys.dtype == np.uint64
    return (
        magnitude(len(np.unique(keys))),
        magnitude(len(np.unique(own))),
        magnitude(sum(len(t) for _, t in page.embedded)),
    )


@cache
def _model(name: str) -> Model:
    return dehusk.METHODS[name]().fit(seed_files.site())


def scoring(name: str, data: bytes, folder: Path) -> Hashable:
    """Scores in range, a reason for each, the same twice; learning from the page is harmless, too."""
    page = read(data)
    blocks = dehusk.segment(page)
    return score_page(_model(name), page, blocks, learn=name if pick(data, 4, 3) == 0 else "")


def score_page(model: Model, page: Page, blocks: dehusk.Blocks, learn: str = "") -> Hashable:
    """What must hold of any model and any page."""
    labelled = label_blocks(blocks, model)
    scores = labelled.scores
    assert scores.dtype == np.float32
    assert len(scores) == len(labelled.blocks)
    assert (np.isnan(scores) | ((scores >= 0) & (scores <= 1))).all(), "scores out of range"
    assert len(labelled.reasons) == len(scores)
    assert all(each and all(each) for each in labelled.reasons), "no reason"
    assert label_blocks(blocks, model).scores.tobytes() == scores.tobytes(), "other scores the second time"
    if isinstance(model, Matches):
        assert 0 <= model.match(page) <= 1
    if learn:
        learnt = dehusk.METHODS[learn]().fit([page, *seed_files.site()[:2], page])
        label_blocks(blocks, learnt)
    kept = int(labelled.keep.sum())
    kinds = tuple(np.unique(blocks.kind).tolist())
    return (
        magnitude(kept),
        magnitude(len(scores) - kept),
        labelled.page_type,
        magnitude(int(labelled.comments.sum())),
        kinds,
    )


def metadata(data: bytes, folder: Path) -> Hashable:
    """Something is found or nothing, and the same twice."""
    page = read(data)
    found = dehusk.find_metadata(page)
    assert found == dehusk.find_metadata(page)
    return tuple(sorted((name, _sources(value)) for name, value in vars_of(found).items()))


def vars_of(value: object) -> dict[str, object]:
    """The fields of a frozen value, with slots or without."""
    return {name: getattr(value, name) for name in value.__dataclass_fields__}  # type: ignore[attr-defined]


def _sources(value: object) -> str:
    first = value[0] if isinstance(value, tuple) and value else value
    return str(getattr(first, "source", bool(first)))


_OPTIONS = (None, OutputOptions(links=True, images=True))
_DEEPEST = 25
"""Nodes in each other that all parsers cope with; libxml2 counts elements and gives up at 256."""
_WITH_OPTIONS = ("markdown", "html", "xml", "tei")


def outputs(data: bytes, folder: Path) -> Hashable:
    """Every format writes the page, in UTF-8, in step with its size, and as its syntax wants it."""
    cleaned = dehusk.clean(read(data), KeepVisible())
    options = _OPTIONS[pick(data, 2, 4)]
    for name in dehusk.OUTPUTS:
        rendered = cleaned.render(name, options if name in _WITH_OPTIONS else None)
        encoded = rendered.encode("utf-8")
        assert len(encoded) <= 100_000 + 400 * len(data), f"{name} has many times the bytes of the page"
        _CHECKS.get(name, len)(rendered)
        if pick(data, 8, 5) == 0:
            assert rendered == cleaned.render(name, options if name in _WITH_OPTIONS else None), f"another {name}"
    document = build_document(cleaned.labelled, OutputOptions())
    kinds = frozenset(type(node).__name__ for node in document.children)
    return kinds, magnitude(len(document.children)), magnitude(len(document.notes))


def _is_json(rendered: str) -> None:
    json.loads(rendered)


def _is_json_line(rendered: str) -> None:
    assert rendered.count("\n") == 1
    json.loads(rendered)


def _are_json_lines(rendered: str) -> None:
    ends = 0
    for line in rendered.split("\n")[:-1]:
        chunk = json.loads(line)
        assert ends <= chunk["start"] < chunk["end"], "chunks out of order"
        assert len(chunk["text"]) == chunk["end"] - chunk["start"]
        ends = chunk["end"]


def _is_xml(rendered: str) -> None:
    ElementTree.fromstring(rendered)


def _is_csv(rendered: str) -> None:
    (row,) = csv.DictReader(io.StringIO(rendered, newline=""), strict=True)
    assert None not in row


def _is_harmless(rendered: str) -> None:
    lower = rendered.lower()
    assert "<script" not in lower
    assert not _RUNS_SCRIPT.search(lower)


_CHECKS = {
    "json": _is_json,
    "jsonl": _is_json_line,
    "chunks": _are_json_lines,
    "xml": _is_xml,
    "tei": _is_xml,
    "csv": _is_csv,
    "html": _is_harmless,
}


def validity(data: bytes, folder: Path) -> Hashable:
    """Real parsers and schemas say that the formats are valid, and say the same as the document."""
    csv.field_size_limit(10_000_000)
    cleaned = dehusk.clean(data.decode("utf-8", "replace"), KeepVisible(), url="https://site.example/news/today.html")
    document = build_document(cleaned.labelled, OutputOptions())
    if _is_deep(document):
        return "deep"
    assert_all_valid(cleaned)
    return frozenset(type(node).__name__ for node in document.children)


def _is_deep(document: Document) -> bool:
    """Whether parts are nested so deep that the parsers asked would give up, or fill their stack."""
    level = list(document.children)
    for _ in range(_DEEPEST):
        level = [inner for node in level for inner in inner_nodes(node)]
    return bool(level)
