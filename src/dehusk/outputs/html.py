"""HTML: the page's own markup with the noise left out, and nothing in it that runs, loads or styles.

Only elements and attributes of the tables below survive; other elements give way to their content.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Final

import numpy as np

from dehusk.blocks.columns import Kind
from dehusk.blocks.segmenting import trace_of
from dehusk.labels import LabelledBlocks
from dehusk.outputs.images import kept_images
from dehusk.page.characters import WITHOUT_CONTROLS, encodable
from dehusk.page.columns import Page, RowMask, Rows
from dehusk.page.links import base_url, safe_url
from dehusk.page.reading import LINE_SEPARATOR
from dehusk.page.tags import MEMBERS, TAG_CODES, TagSet


@dataclass(frozen=True, slots=True)
class HtmlOptions:
    """What HTML shows beyond the text. No option changes which blocks are kept."""

    links: bool = True
    images: bool = True


_ELEMENTS: Final = frozenset(
    "article section nav aside header footer main address div p h1 h2 h3 h4 h5 h6 hgroup blockquote pre figure "
    "figcaption ul ol li dl dt dd table caption thead tbody tfoot tr td th colgroup col details summary a abbr b "
    "bdi bdo br cite code data del dfn em i img ins kbd mark q ruby rb rt rp s samp small span strong sub sup time u "
    "var wbr".split()
)
_VOID: Final = frozenset({"br", "img", "wbr", "col"})
_VOID_CODES: Final = [TAG_CODES[name] for name in ("br", "img", "wbr")]
_CUTTING: Final = MEMBERS[TagSet.BLOCK] & _ELEMENTS
_ATTRIBUTES: Final = tuple(
    "alt title lang dir datetime colspan rowspan scope headers start reversed value width height".split()
)
_LONGEST_VALUE: Final = 300
"""Characters of an attribute that survives. Formatting that is never closed is opened again in every block, with all
its attributes: a long one would multiply."""
_ADDRESSES: Final = {"href": ("href",), "src": ("src", "data-src", "data-original", "data-lazy-src"), "cite": ("cite",)}
"""Attributes that hold an address, and where it is found; lazy pages keep the real one in a place of their own."""


def render_html(labelled: LabelledBlocks, options: HtmlOptions | None = None) -> str:
    """A whole document; the body is empty if nothing is kept."""
    writer = _Writer(labelled, options or HtmlOptions())
    return f"<!doctype html>\n<html{writer.language()}>\n{writer.head()}\n<body>\n{writer.body()}\n</body>\n</html>\n"


class _Writer:
    """Renders one page."""

    def __init__(self, labelled: LabelledBlocks, options: HtmlOptions) -> None:
        self.labelled = labelled
        self.page: Page = labelled.blocks.page
        self.options = options
        self.base = base_url(self.page)

    def language(self) -> str:
        """Language and direction of the page, as attributes of its root."""
        attributes = self.page.attributes(0) if len(self.page) else {}
        for row in np.flatnonzero(self.page.tag == TAG_CODES["body"])[:1].tolist():
            attributes = {**attributes, **self.page.attributes(row)}
        return "".join(_attribute(name, attributes[name]) for name in ("lang", "dir") if attributes.get(name))

    def head(self) -> str:
        blocks = self.labelled.blocks
        titles = np.flatnonzero(blocks.kind == Kind.TITLE).tolist()
        title = f"<title>{_text(blocks.texts[titles[0]])}</title>" if titles else "<title></title>"
        return f'<head><meta charset="utf-8">{title}</head>'

    def body(self) -> str:
        return "".join([*self._recovered_title(), *self._markup()]).strip()

    def _recovered_title(self) -> Iterator[str]:
        blocks = self.labelled.blocks
        for index in self.labelled.kept:
            if blocks.kind[index] == Kind.TITLE:
                yield f"<h1>{_text(blocks.texts[index])}</h1>\n"

    def _needed_rows(self, own: RowMask) -> RowMask:
        """The kept texts, the line breaks and images among them, and every element around them."""
        page = self.page
        needed: RowMask = own & (page.is_text | np.isin(page.tag, _VOID_CODES))
        if self.options.images:
            for rows in kept_images(self.labelled).values():
                needed[rows] = True
        needed |= page.subtree_sums(needed) > 0
        return needed | self._cells_beside(needed)

    def _cells_beside(self, needed: RowMask) -> RowMask:
        """Cells in needed rows of data tables: empty ones keep the others in their columns."""
        page, positions = self.page, self.labelled.blocks.table
        is_data_table = np.zeros(len(page), dtype=bool)
        is_data_table[positions.table[positions.table >= 0]] = True
        cells = np.flatnonzero(page.tagged(TagSet.CELL)).astype(np.int32)
        table = page.climb(cells, page.tagged(TagSet.TABLE))
        beside = np.zeros(len(page), dtype=bool)
        beside[cells[(table >= 0) & is_data_table[table] & needed[page.parent[cells]]]] = True
        return beside

    def _block_of_row(self) -> Rows:
        """int32, one entry a row: the kept block whose text the row is or stands in; -1 for none."""
        blocks, page = self.labelled.blocks, self.page
        found = np.full(len(page), -1, dtype=np.int32)
        for index in self.labelled.kept:
            if blocks.kind[index] != Kind.TITLE:
                span = slice(int(blocks.first_row[index]), int(blocks.last_row[index]) + 1)
                own = (page.hidden[span] == blocks.hidden[index]) | (page.is_text[span] & (found[span] < 0))
                found[span] = np.where(own, np.int32(index), found[span])
        return found

    def _markup(self) -> Iterator[str]:
        """Emit rows in document order, closing what has ended; no recursion, however deep the page."""
        page, block_of_row = self.page, self._block_of_row()
        within = block_of_row >= 0
        own = within & (page.hidden == self.labelled.blocks.hidden[block_of_row]) if len(self.labelled.kept) else within
        needed = self._needed_rows(own) | (within & page.is_text)
        block_of = block_of_row.tolist()
        open_elements: list[tuple[int, str]] = []
        is_cut, block_before = True, -1
        for row in np.flatnonzero(needed).tolist():
            while open_elements and open_elements[-1][0] <= row:
                name = open_elements.pop()[1]
                is_cut = is_cut or name in _CUTTING
                yield f"</{name}>"
            if page.is_text[row]:
                if page.text_length[row]:
                    if block_of[row] != block_before and not is_cut:
                        yield "<br><br>"  # what stood apart must not grow together
                    is_cut, block_before = False, block_of[row]
                yield self._text_of(row, block_of[row])
                continue
            name = page.tag_name(row)
            attributes = self._attributes(row)
            if self._is_shown(name, attributes):
                is_cut = is_cut or name in _CUTTING
                yield f"<{name}{attributes}>"
                if name not in _VOID:
                    open_elements.append((int(page.subtree_end[row]), name))
        yield from (f"</{name}>" for _, name in reversed(open_elements))

    def _text_of(self, row: int, block: int) -> str:
        page, hidden = self.page, bool(self.labelled.blocks.hidden[block])
        if page.tag[page.parent[row]] == TAG_CODES["br"]:
            return ""  # the line break itself is written already
        text = page.text[page.text_start[row] : page.text_end[row]]
        if page.hidden[row] != hidden:
            return trace_of(text, hidden)
        return _text(text).replace(LINE_SEPARATOR, "<br>")

    def _is_shown(self, name: str, attributes: str) -> bool:
        if name == "a":
            return self.options.links
        if name == "img":
            return self.options.images and " src=" in attributes
        return name in _ELEMENTS

    def _attributes(self, row: int) -> str:
        attributes = self.page.attributes(row)
        shown = [
            _attribute(name, attributes[name])
            for name in _ATTRIBUTES
            if name in attributes and len(attributes[name]) <= _LONGEST_VALUE
        ]
        for name, sources in _ADDRESSES.items():
            for source in sources:
                address = attributes.get(source, "").strip()
                if address and (safe := safe_url(address, self.base)):
                    shown.append(_attribute(name, safe))
                    break
        return "".join(shown)


def _attribute(name: str, value: str) -> str:
    return f' {name}="{escape(_encodable(value))}"'


def _text(text: str) -> str:
    return escape(_encodable(text), quote=False)


def _encodable(text: str) -> str:
    """Without control characters and lone surrogates."""
    return encodable(text.translate(WITHOUT_CONTROLS))
