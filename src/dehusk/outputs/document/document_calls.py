"""Labelled blocks -> text, or columns of a document. The work is done by the compiled part, `native/src/document`."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.deciding.decisions import LabelledBlocks
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
_REPEATED_SPANS: Final = 1 << 8
"""Show cells that span several positions in each of them."""
_COLUMNS_OF_A_DOCUMENT: Final = 9
_NO_KINDS: Final = np.empty(0, dtype=np.uint8)


class Form(IntEnum):
    """What becomes of a document, by the numbers in `native/src/document_exchange.rs`."""

    TEXT = 0
    COLUMNS = 1
    MARKDOWN = 2


def plain_text(labelled: LabelledBlocks, options: OutputOptions, bullet: str = "- ", cell_separator: str = "\t") -> str:
    """The kept blocks as plain text; ends with a newline unless it is empty."""
    (text,) = _columns(Form.TEXT, labelled, options, _PLAIN, (bullet, cell_separator))
    return text.tobytes().decode()


def markdown_text(labelled: LabelledBlocks, options: OutputOptions) -> str:
    """The kept blocks as Markdown; ends with a newline unless it is empty."""
    (text,) = _columns(Form.MARKDOWN, labelled, options, 0)
    return text.tobytes().decode()


def document_columns(labelled: LabelledBlocks, options: OutputOptions, with_locales: bool) -> list[NDArray[Any]]:
    """The columns of `native/src/document/document_columns.rs`; `with_locales` adds languages and directions."""
    return _columns(Form.COLUMNS, labelled, options, _WITH_LOCALES if with_locales else 0)


def _columns(
    form: Form, labelled: LabelledBlocks, options: OutputOptions, further: int, signs: Sequence[str] = ("", "")
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
    shown |= _REPEATED_SPANS if options.repeat_spans else 0
    pointers = page.native.pointer, blocks.native.pointer
    document = call(lib.dehusk_page_document, arrays, page.label, *pointers, form, shown)
    return document.columns(_COLUMNS_OF_A_DOCUMENT if form == Form.COLUMNS else 1)


def _own_address(page: Page) -> str:
    """How links within the page may begin, besides with `#` alone."""
    return f"{page.url.partition('#')[0]}#"


def _utf8(text: str) -> NDArray[np.uint8]:
    return np.frombuffer((text if text.isascii() else encodable(text)).encode(), dtype=np.uint8)
