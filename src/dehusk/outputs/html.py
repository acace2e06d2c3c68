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
from dehusk.labels import LabelledBlocks
from dehusk.outputs.images import kept_images
from dehusk.page.columns import Page, RowMask
from dehusk.page.links import base_url, safe_url
from dehusk.page.reading import LINE_SEPARATOR
from dehusk.page.tags import TagSet


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
_ATTRIBUTES: Final = frozenset(
    "alt title lang dir datetime colspan rowspan scope headers start reversed value width height".split()
)
_ADDRESSES: Final = frozenset({"href", "src", "cite"})


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
        lang = self.page.attributes(0).get("lang", "") if len(self.page) else ""
        return f' lang="{escape(lang)}"' if lang else ""

    def head(self) -> str:
        blocks = self.labelled.blocks
        titles = np.flatnonzero(blocks.kind == Kind.TITLE).tolist()
        title = f"<title>{_text(blocks.texts[titles[0]])}</title>" if titles else "<title></title>"
        return f'<head><meta charset="utf-8">{title}</head>'

    def body(self) -> str:
        return "".join([*self._recovered_title(), *self._markup(self._needed_rows())]).strip()

    def _recovered_title(self) -> Iterator[str]:
        blocks = self.labelled.blocks
        for index in self.labelled.kept:
            if blocks.kind[index] == Kind.TITLE:
                yield f"<h1>{_text(blocks.texts[index])}</h1>\n"

    def _needed_rows(self) -> RowMask:
        """The kept texts, the line breaks and images among them, and every element around them."""
        blocks, page = self.labelled.blocks, self.page
        kept = [index for index in self.labelled.kept if blocks.kind[index] != Kind.TITLE]
        inside = np.zeros(len(page) + 1, dtype=np.int32)
        np.add.at(inside, blocks.first_row[kept], 1)
        np.add.at(inside, blocks.last_row[kept] + 1, -1)
        within_kept = np.cumsum(inside[:-1]) > 0
        hidden_kept = blocks.hidden[kept].any() if kept else False
        void = np.array([name in {"br", "img", "wbr"} for name in page.tag_names], dtype=bool)
        needed: RowMask = within_kept & (page.is_text | void) & (~page.hidden | hidden_kept)
        if self.options.images:
            for rows in kept_images(self.labelled).values():
                needed[rows] = True
        needed |= page.subtree_sums(needed) > 0
        return needed

    def _markup(self, needed: RowMask) -> Iterator[str]:
        """Emit rows in document order, closing what has ended; no recursion, however deep the page."""
        page = self.page
        open_elements: list[tuple[int, str]] = []
        for row in np.flatnonzero(needed).tolist():
            while open_elements and open_elements[-1][0] <= row:
                yield f"</{open_elements.pop()[1]}>"
            if page.is_text[row]:
                yield _text(page.text[page.text_start[row] : page.text_end[row]].replace(LINE_SEPARATOR, ""))
                continue
            name = page.tag_name(row)
            if self._is_shown(name):
                yield f"<{name}{self._attributes(row)}>"
                if name not in _VOID:
                    open_elements.append((int(page.subtree_end[row]), name))
            elif page.flags[row] & TagSet.BLOCK.value:
                yield " "  # what stood apart must not grow together
        yield from (f"</{name}>" for _, name in reversed(open_elements))

    def _is_shown(self, name: str) -> bool:
        if name == "a":
            return self.options.links
        return name in _ELEMENTS and (name != "img" or self.options.images)

    def _attributes(self, row: int) -> str:
        shown = []
        for name, value in self.page.attributes(row).items():
            if name in _ADDRESSES:
                value = safe_url(value, self.base)
            elif name not in _ATTRIBUTES:
                continue
            if value or name in {"alt", "reversed"}:
                shown.append(f' {name}="{escape(_encodable(value))}"')
        return "".join(shown)


def _text(text: str) -> str:
    return escape(_encodable(text), quote=False)


def _encodable(text: str) -> str:
    """Lone surrogates cannot be written as UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")
