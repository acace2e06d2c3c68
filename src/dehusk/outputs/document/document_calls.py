"""Labelled blocks -> text, Markdown and markup. The work is done by the compiled part, `native/src/document`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias
from unicodedata import is_normalized, normalize

from dehusk.blocks.block_columns import Kind
from dehusk.blocks.page_title import repeats_title
from dehusk.deciding.cleaning_at_once import CleanedAtOnce
from dehusk.deciding.decisions import LabelledBlocks
from dehusk.native.calculations import Question, ask
from dehusk.native.calls import Lendable, LentArrays, Outcome, as_given, call_about, joined, made
from dehusk.native.lazy_numpy import np
from dehusk.native.library import lib
from dehusk.outputs.document.output_options import OutputOptions
from dehusk.page.characters import as_utf8
from dehusk.page.page_columns import Page

if TYPE_CHECKING:
    from numpy.typing import NDArray

Labelled: TypeAlias = LabelledBlocks | CleanedAtOnce
"""Both say what of a page is kept; only the first has it in Python."""

_SHOWN: Final = {name: 1 << bit for bit, name in enumerate("links images tables comments formatting footnotes".split())}
"""Options by the bits they have in `native/src/document/source.rs`."""
_WITH_LOCALES: Final = 1 << 6
"""Show languages and directions that differ from those of the page."""
_PLAIN: Final = 1 << 7
"""Show of the formatting only what plain text can."""
_REPEATED_SPANS: Final = 1 << 8
"""Show cells that span several positions in each of them."""
_WITH_PLAIN_CHARACTERS: Final = 1 << 12
"""Show blanks for spaces of all kinds, and nothing that a reader cannot see."""


_ODD: Final = re.compile("[\xad\xa0\r\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]")
_LINE_END: Final = re.compile("\r\n?|[\u2028\u2029]")
_BLANK: Final = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_UNSEEN: Final = re.compile("[\xad\u200b\u2060\ufeff]+")
_NOTHING: Final = LentArrays(())


class Form(IntEnum):
    """What becomes of a document, by the numbers in `native/src/document_exchange.rs`."""

    TEXT = 0
    COLUMNS = 1
    """The document itself, for tests."""
    MARKDOWN = 2
    HTML = 3
    XML = 4
    TEI = 5


@dataclass(frozen=True, slots=True)
class Writing:
    """How documents are written: what options come to, worked out once and not for each page."""

    form: Form
    shown: int
    options: OutputOptions
    first: LentArrays
    """The first arrays of each call: what is written between texts, or said of the page."""

    def document(self, labelled: Labelled) -> Outcome:
        """What the compiled part makes of the kept blocks."""
        if isinstance(labelled, CleanedAtOnce) and self.options.title:  # the compiled part knows what is kept
            source, lent, address = labelled.source, self.first, labelled.address
            read, found = labelled.read, labelled.native
        else:
            blocks = made(labelled)
            source, address = blocks.page, as_utf8(blocks.page.url)
            lent = LentArrays([*self.first.arrays, *_kept(blocks, self.options)])
            read, found = source.native, blocks.blocks.native
        about = read.pointer, found.pointer, self.form, self.shown, address, len(address)
        return call_about(read, lib.dehusk_page_document, source, *about, *lent.arguments)

    def text(self, labelled: Labelled) -> str:
        """The kept blocks as plain text; ends with a newline unless it is empty."""
        document = self.document(labelled)
        # What `_written` does to most pages: nothing.
        return document.text(0) if document.summary.first else _written(document, self.options)

    def markdown(self, labelled: Labelled) -> str:
        """The kept blocks as Markdown; ends with a newline unless it is empty.

        If no heading is the title of the page, the title comes first. It is looked for only then: that takes time.
        """
        document = self.document(labelled)
        above = "" if not self.options.title or document.bytes(1)[0] else _title_above(document, labelled.page)
        return _written(document, self.options, above)


@lru_cache(maxsize=16)  # the few options that a program uses
def text_writing(options: OutputOptions, bullet: str = "- ", cell_separator: str = "\t") -> Writing:
    """How plain text is written."""
    between = LentArrays((as_utf8(bullet), as_utf8(cell_separator)))
    return Writing(Form.TEXT, _PLAIN | _shown_in_text(options), options, between)


@lru_cache(maxsize=16)
def markdown_writing(options: OutputOptions) -> Writing:
    """How Markdown is written."""
    return Writing(Form.MARKDOWN, _shown_in_text(options), options, _NOTHING)


def markup_of(form: Form, labelled: Labelled, options: OutputOptions, facts: Sequence[str] = ()) -> str:
    """The kept blocks as elements. Characters stay as they are, but for those that XML forbids."""
    return document_in_form(form, labelled, options, facts).text(0)


def document_in_form(form: Form, labelled: Labelled, options: OutputOptions, facts: Sequence[str] = ()) -> Outcome:
    """What the compiled part makes of the kept blocks, with languages and directions."""
    first = LentArrays(joined([as_utf8(fact) for fact in facts])) if facts else _NOTHING
    return Writing(form, _shown(options) | _WITH_LOCALES, options, first).document(labelled)


def _title_above(document: Outcome, page: Page) -> str:
    """The title of a page as Markdown; empty if it has none, or a heading says the same."""
    if not (title := _shown_title(page)):
        return ""
    arrays = (as_utf8(title), document.bytes(2), document.bytes(3))
    return ask(Question.TITLE_OF_MARKDOWN, arrays, subject=page.label).text(0)


def _shown_title(page: Page) -> str:
    from dehusk.metadata.page_candidates import shown_title  # few pages need it

    return shown_title(page)


def _kept(labelled: LabelledBlocks, options: OutputOptions) -> tuple[Lendable, ...]:
    """Which blocks are shown, which are comments, and what a model reads them as."""
    read_kind = labelled.blocks.read_kind
    keep = as_given(labelled, "keep") if options.title else without_title(labelled)
    return keep, as_given(labelled, "comments"), b"" if read_kind is None else read_kind


def _shown(options: OutputOptions) -> int:
    """The bits of the options that are on."""
    shown = sum(bit for name, bit in _SHOWN.items() if getattr(options, name))
    return shown | (_REPEATED_SPANS if options.repeat_spans else 0)


def _shown_in_text(options: OutputOptions) -> int:
    """The same where characters are plain, unless they are to stay as they are."""
    return _shown(options) | (0 if options.raw_characters else _WITH_PLAIN_CHARACTERS)


def without_title(labelled: LabelledBlocks) -> NDArray[np.bool_]:
    """bool: the kept blocks without the title of the page.

    The title is the text of the `<title>`, and the first heading if it repeats that. A first heading of level 1 is the
    title, too, if it begins the content or is too short to compare.
    """
    blocks, keep = labelled.blocks, labelled.keep & ~labelled.blocks.of_kind(Kind.TITLE)
    headings = np.flatnonzero(keep & blocks.of_kind(Kind.HEADING))
    if len(headings):
        first = int(headings[0])
        repeats = repeats_title(blocks, first)
        begins = first == np.flatnonzero(keep)[0]
        if repeats or (blocks.level[first] == 1 and (repeats is None or begins)):
            keep[first] = False
    return keep


def _written(document: Outcome, options: OutputOptions, above: str = "") -> str:
    """The text, below another one that is empty or ends with a newline. In code, too, spaces are blanks and letters
    composed (NFC), unless characters stay as they are."""
    written = document.text(0)
    if options.raw_characters:
        return above + written
    # The compiled part says whether it is certain that a text has no odd spaces, and only composed letters.
    settled = written if document.summary.first else _settled(written)
    return (above if above.isascii() else _settled(above)) + settled


def _settled(text: str) -> str:
    """A text with plain spaces and composed letters."""
    if _ODD.search(text):
        # Not `str.translate`: it looks every character up, and took longer than reading the page.
        text = _UNSEEN.sub("", _BLANK.sub(" ", _LINE_END.sub("\n", text)))
    return text if is_normalized("NFC", text) else normalize("NFC", text)
