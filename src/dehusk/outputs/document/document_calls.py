"""Labelled blocks -> text, or columns of a document. The work is done by the compiled part, `native/src/document`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum
from typing import Any, Final
from unicodedata import is_normalized, normalize

import numpy as np
from numpy.typing import NDArray

from dehusk.deciding.decisions import LabelledBlocks
from dehusk.metadata.title_parts import shown_title
from dehusk.native.calls import call
from dehusk.native.library import lib
from dehusk.outputs.document.output_options import OutputOptions
from dehusk.page.characters import encodable
from dehusk.page.links import base_url
from dehusk.page.page_columns import Page

_SHOWN: Final = {name: 1 << bit for bit, name in enumerate("links images tables comments formatting footnotes".split())}
"""Options by the bits they have in `native/src/document/source.rs`."""
_WITH_LOCALES: Final = 1 << 6
"""Show languages and directions that differ from those of the page."""
_PLAIN: Final = 1 << 7
"""Show of the formatting only what plain text can."""
_WITH_PLAIN_CHARACTERS: Final = 1 << 12
"""Show blanks for spaces of all kinds, and nothing that a reader cannot see."""
_NO_KINDS: Final = np.empty(0, dtype=np.uint8)


_ODD: Final = re.compile("[\xad\xa0\r\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]")
_LINE_END: Final = re.compile("\r\n?|[\u2028\u2029]")
_BLANKS: Final = (0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)
_PLAIN_CHARACTERS: Final = dict.fromkeys(_BLANKS, " ") | dict.fromkeys([0xAD, 0x200B, 0x2060, 0xFEFF])


class Form(IntEnum):
    """What becomes of a document, by the numbers in `native/src/document_exchange.rs`."""

    TEXT = 0
    COLUMNS = 1
    MARKDOWN = 2


_COLUMNS: Final = {Form.TEXT: 1, Form.COLUMNS: 9, Form.MARKDOWN: 2}
"""Columns that each form has."""


def plain_text(labelled: LabelledBlocks, options: OutputOptions, bullet: str = "- ", cell_separator: str = "\t") -> str:
    """The kept blocks as plain text; ends with a newline unless it is empty."""
    (text,) = _columns(Form.TEXT, labelled, options, _PLAIN | _characters(options), (bullet, cell_separator, ""))
    return _written(text, options)


def markdown_text(labelled: LabelledBlocks, options: OutputOptions) -> str:
    """The kept blocks as Markdown; ends with a newline unless it is empty.

    If no heading is the title of the page, the title comes first. It is looked for only then: that takes time.
    """
    text, has_title = _columns(Form.MARKDOWN, labelled, options, _characters(options))
    title = "" if has_title[0] else shown_title(labelled.blocks.page)
    if title:
        text, _ = _columns(Form.MARKDOWN, labelled, options, _characters(options), ("", "", title))
    return _written(text, options)


def document_columns(labelled: LabelledBlocks, options: OutputOptions, with_locales: bool) -> list[NDArray[Any]]:
    """The columns of `native/src/document/document_columns.rs`; `with_locales` adds languages and directions."""
    return _columns(Form.COLUMNS, labelled, options, _WITH_LOCALES if with_locales else 0)


def _columns(
    form: Form, labelled: LabelledBlocks, options: OutputOptions, further: int, signs: Sequence[str] = ("", "", "")
) -> list[NDArray[Any]]:
    blocks, page = labelled.blocks, labelled.blocks.page
    base = base_url(page) if options.links or options.images else ""
    arrays: tuple[NDArray[Any], ...] = (
        labelled.keep.view(np.uint8),
        labelled.comments.view(np.uint8),
        _NO_KINDS if blocks.read_kind is None else blocks.read_kind,
        *map(_utf8, (_own_address(page), base, *signs)),
    )
    shown = further | sum(bit for name, bit in _SHOWN.items() if getattr(options, name))
    pointers = page.native.pointer, blocks.native.pointer
    document = call(lib.dehusk_page_document, arrays, page.label, *pointers, form, shown)
    return document.columns(_COLUMNS[form])


def _characters(options: OutputOptions) -> int:
    return 0 if options.raw_characters else _WITH_PLAIN_CHARACTERS


def _written(text: NDArray[np.uint8], options: OutputOptions) -> str:
    """The text; in code, too, spaces are blanks, and letters are composed (NFC) unless characters stay as they are."""
    written = text.tobytes().decode()
    if options.raw_characters or written.isascii():
        return written
    if _ODD.search(written):
        written = _LINE_END.sub("\n", written).translate(_PLAIN_CHARACTERS)
    return written if is_normalized("NFC", written) else normalize("NFC", written)


def _own_address(page: Page) -> str:
    """How links within the page may begin, besides with `#` alone."""
    return f"{page.url.partition('#')[0]}#"


def _utf8(text: str) -> NDArray[np.uint8]:
    return np.frombuffer((text if text.isascii() else encodable(text)).encode(), dtype=np.uint8)
