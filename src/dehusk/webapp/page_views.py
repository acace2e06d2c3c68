"""Safe HTML views of a page, written from the columns of a `Page`, so that every block stays where it was.

None of the page's own markup is copied. Allowed elements are on a list, others become `div` or `span`; text and
attributes are escaped; there are no scripts, forms, frames, styles or `href`. An element that holds a block has
`data-block`, see docs/webapp.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Final

import nh3
import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.deciding.decisions import LabelledBlocks
from dehusk.outputs.document.output_options import OutputOptions
from dehusk.outputs.html import render_html
from dehusk.page.characters import WITHOUT_CONTROLS, encodable
from dehusk.page.links import base_url, safe_url
from dehusk.page.page_columns import Page
from dehusk.page.tags import TAG_CODES, TagSet

TAGS: Final = frozenset(
    (
        "div section article nav aside header footer main address h1 h2 h3 h4 h5 h6 p blockquote pre figure "
        "figcaption hr ul ol li dl dt dd table caption thead tbody tfoot tr td th "
        "a abbr b bdi bdo br cite code del dfn em i img ins kbd mark q rp rt ruby s samp small span strong sub sup "
        "time u var wbr"
    ).split()
)
"""Allowed elements; of others only the text is kept. None of these runs, loads (except img), styles or submits."""
ATTRIBUTES: Final = {
    "*": {"lang", "dir", "title", "class", "data-block", "data-near"},
    "a": {"data-href"},
    "img": {"src", "alt", "width", "height"},
    "ol": {"start"},
    "li": {"value"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
}
_WITH_CONTENT: Final = frozenset("script style template noscript iframe object svg math title textarea xmp".split())
"""Elements that are removed with their content."""
_IMAGE_SCHEMES: Final = frozenset({"http", "https", "data"})
_RASTER_IMAGES: Final = tuple(f"data:image/{kind};base64," for kind in ("png", "jpeg", "gif", "webp"))
"""Inline images that are allowed. SVG is not among them: it may hold anything."""
_MOST_ROWS: Final = 40_000
"""Rows of a page that are shown: more than almost any page has. Longer ones take seconds to write and to lay out."""
_VOID: Final = frozenset({"br", "hr", "img", "wbr"})
_SKIPPED: Final = frozenset(
    "area base col colgroup embed frame input link meta param script source style track".split()
)
"""Elements with nothing to show."""
_PARENTS: Final = {
    **dict.fromkeys(("td", "th"), frozenset({"tr"})),
    "tr": frozenset({"table", "thead", "tbody", "tfoot"}),
    **dict.fromkeys(("caption", "thead", "tbody", "tfoot"), frozenset({"table"})),
}
"""Elements that parsers drop outside these parents; there they are shown as `div`."""
_LONGEST_VALUE: Final = 2_000
"""Characters of an attribute."""
_NUMBERS: Final = {"colspan": 1000, "rowspan": 1000, "start": 10**6, "value": 10**6, "width": 4000, "height": 4000}
"""Numeric attributes, with the largest value of each."""
_OWN_NUMBERS: Final = {"td": ("colspan", "rowspan"), "th": ("colspan", "rowspan"), "ol": ("start",), "li": ("value",)}


def original_view(labelled: LabelledBlocks, page: str, images: bool) -> str:
    """The original page, every block marked as kept or noise."""
    body = visible("".join(PageWriter(labelled, images).parts()))
    return _document(labelled, page, sanitised(body, images), "original")


def cleaned_view(labelled: LabelledBlocks, page: str, images: bool) -> str:
    """The cleaned page."""
    html = render_html(labelled, OutputOptions(images=images))
    body = html.partition("<body>")[2].rpartition("</body>")[0]
    return _document(labelled, page, sanitised(body, images), "cleaned")


def _document(labelled: LabelledBlocks, page: str, body: str, kind: str) -> str:
    return (
        f'<!doctype html>\n<html data-page="{escape(page)}" data-view="{kind}">\n<head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title_of(labelled)}</title>'
        f'<link rel="stylesheet" href="/static/view.css"></head>\n<body>\n{body}\n</body>\n</html>\n'
    )


def title_of(labelled: LabelledBlocks) -> str:
    """The name of the page, escaped."""
    return escape(visible(labelled.blocks.page.label)[:200])


def visible(text: str) -> str:
    """Text without control characters and what cannot be encoded."""
    return encodable(text).translate(WITHOUT_CONTROLS).replace("\0", "")


def allowed_value(tag: str, name: str, value: str) -> str | None:
    """Allow only our own classes and block numbers, and absolute image URLs: a relative URL would reach this server."""
    if name == "class":
        return " ".join(word for word in value.split() if word.startswith("dehusk-")) or None
    if name in {"data-block", "data-near"}:
        return value if value.isascii() and value.isdigit() else None
    if name == "src":
        return value if value.startswith(("http://", "https://", *_RASTER_IMAGES)) else None
    return value


def sanitised(
    html: str,
    images: bool,
    attributes: Mapping[str, set[str]] = ATTRIBUTES,
    is_allowed: Callable[[str, str, str], str | None] = allowed_value,
) -> str:
    """Reduce HTML to harmless elements and attributes.

    Both views are written from our own columns with everything escaped, and should be harmless already. This is a
    second, independent line of defence: ammonia, through nh3.
    """
    return nh3.clean(
        html,
        tags=set(TAGS) if images else set(TAGS - {"img"}),
        clean_content_tags=set(_WITH_CONTENT),
        attributes=dict(attributes),
        attribute_filter=is_allowed,
        url_schemes=set(_IMAGE_SCHEMES),
        link_rel=None,
        strip_comments=True,
    )


@dataclass(frozen=True, eq=False)
class PageWriter:
    """Writes the rows of a page in order, without recursion: pages may be deep."""

    labelled: LabelledBlocks
    images: bool

    @property
    def _blocks(self) -> Blocks:
        return self.labelled.blocks

    @property
    def _page(self) -> Page:
        return self.labelled.blocks.page

    def parts(self) -> Iterator[str]:
        """The HTML of the title, if it is a block, and of the body."""
        page = self._page
        end = min(len(page), _MOST_ROWS)
        waiting: list[tuple[int, str]] = []  # (row at which it ends, tag)
        row = 0
        while row < end:
            while waiting and waiting[-1][0] <= row:
                yield f"</{waiting.pop()[1]}>"
            if page.is_text[row]:
                yield self._text(row)
            elif page.tag_names[row] in _SKIPPED:
                row = int(page.subtree_end[row])
                continue
            else:
                tag = self._tag(row, waiting[-1][1] if waiting else "")
                yield self._start(row, tag)
                if tag and tag not in _VOID:
                    waiting.append((int(page.subtree_end[row]), tag))
            row += 1
        yield from (f"</{tag}>" for _, tag in reversed(waiting))
        if len(page) > _MOST_ROWS:
            yield '<div class="dehusk-cut">The rest of this long page is not shown, but it was cleaned.</div>'

    def _tag(self, row: int, parent: str) -> str:
        """The tag an element is shown as; empty for html, head and body, which `_document` writes."""
        name = self._page.tag_names[row]
        if name in {"html", "head", "body"}:
            return ""
        if name == "img":
            return "img" if self.images and self._source(row) else "span"
        if name not in TAGS or (name in _PARENTS and parent not in _PARENTS[name]):
            return "div" if self._is_block[row] else "span"
        if name == "p" and self._blocks_in[row] > 1:
            return "div"  # parsers close a paragraph where another block begins
        return "span" if name == "a" and self._links_around[row] > 1 else name

    @cached_property
    def _is_block(self) -> NDArray[np.bool_]:
        return self._page.tagged(TagSet.BLOCK)

    @cached_property
    def _blocks_in(self) -> NDArray[np.float64]:
        """The number of block-level elements in each subtree."""
        return self._page.subtree_sums(self._is_block)

    @cached_property
    def _links_around(self) -> NDArray[np.int32]:
        return self._page.covered(self._page.tag == TAG_CODES["a"])

    def _start(self, row: int, tag: str) -> str:
        if not tag:
            return ""
        name = self._page.tag_names[row]
        if name == "img" and tag == "span":
            alternative = self._page.attributes(row).get("alt", "")[:_LONGEST_VALUE]
            near = int(self._block_near[row])
            words = ["dehusk-image", *self._words(near)[:1]]
            number = f' data-near="{near}"' if near >= 0 else ""
            return f'<span class="{" ".join(words)}"{number}>{escape(visible(alternative))}'
        marks = self._marks(int(self._block_of_owner[row]), self.own_words(row))
        return f"<{tag}{marks}{self.own_id(row)}{self._attributes(row, tag)}>" + ("\n" if tag == "pre" else "")

    def own_words(self, row: int) -> list[str]:
        """Classes that the page gives an element; none are shown."""
        return []

    def own_id(self, row: int) -> str:
        """The id attribute of an element; none is shown."""
        return ""

    @cached_property
    def _block_near(self) -> NDArray[np.int64]:
        """int64, one entry a row: the block before it, else the first; -1 without blocks. Images are shaded like it."""
        before = np.maximum.accumulate(np.append(-1, self._block_of_row))[1:]
        return np.where(before < 0, 0 if len(self._blocks) else -1, before)

    def _attributes(self, row: int, tag: str) -> str:
        if self._page.attribute_start[row] == self._page.attribute_start[row + 1]:
            return ""
        given = self._page.attributes(row)
        chosen: dict[str, str] = {name: given[name] for name in ("lang", "dir", "title") if name in given}
        chosen |= {name: given[name] for name in _OWN_NUMBERS.get(tag, ()) if _is_number(name, given.get(name, ""))}
        if tag == "a" and "href" in given:
            chosen["data-href"] = safe_url(given["href"][:_LONGEST_VALUE], self._base)
        if tag == "img":
            chosen |= {name: given[name] for name in ("width", "height") if _is_number(name, given.get(name, ""))}
            chosen |= {"src": self._source(row), "alt": given.get("alt", "")}
        return "".join(
            f' {name}="{escape(visible(value if name == "src" else value[:_LONGEST_VALUE]))}"'
            for name, value in chosen.items()
        )

    @cached_property
    def _base(self) -> str:
        return base_url(self._page)

    def _source(self, row: int) -> str:
        """URL of an image; empty if it may not be loaded."""
        given = self._page.attributes(row)
        source = next(
            (given[name] for name in ("data-src", "data-original", "data-lazy-src", "src") if name in given), ""
        )
        if source.startswith(_RASTER_IMAGES):
            return source
        address = safe_url(source[:_LONGEST_VALUE], self._base)
        return address if address.startswith(("http://", "https://")) else ""

    def _text(self, row: int) -> str:
        written = escape(self._page.text[self._page.text_start[row] : self._page.text_end[row]], quote=False)
        block = int(self._block_of_row[row])
        if block < 0 or self._is_in_marked[row]:
            return written
        tag = "div" if self._page.tag_names[self._page.parent[row]] == "title" else "span"
        return f"<{tag}{self._marks(block)}>{written}</{tag}>"

    def _marks(self, block: int, own: Sequence[str] = ()) -> str:
        words = escape(visible(" ".join([*self._words(block), *own])))
        number = f' data-block="{block}"' if block >= 0 else ""
        return number + (f' class="{words}"' if words else "")

    def _words(self, block: int) -> list[str]:
        """Our classes for a block."""
        if block < 0:
            return []
        labelled = self.labelled
        words = ["dehusk-kept" if labelled.keep[block] else "dehusk-noise"]
        if self._blocks.hidden[block]:
            words.append("dehusk-hidden")
        if labelled.corrected is not None and labelled.corrected[block]:
            words.append("dehusk-taught")
        return words

    @cached_property
    def _block_of_row(self) -> NDArray[np.int64]:
        """int64, one entry a row: the block a text row belongs to; -1 elsewhere."""
        page, blocks = self._page, self._blocks
        found = np.full(len(page), -1, dtype=np.int64)
        for is_hidden in (False, True):
            members = np.flatnonzero(blocks.hidden == is_hidden)
            rows = np.flatnonzero((page.text_length > 0) & (page.hidden == is_hidden))
            if len(members):
                position = np.searchsorted(blocks.first_row[members], rows, side="right") - 1
                within = (position >= 0) & (rows <= blocks.last_row[members[position]])
                found[rows[within]] = members[position[within]]
        return found

    @cached_property
    def _block_of_owner(self) -> NDArray[np.int64]:
        """int64, one entry a row: the block that makes up all text of a block-level element; -1 elsewhere."""
        page, blocks = self._page, self._blocks
        number = np.zeros(len(page))
        np.add.at(number, blocks.first_row, 1)
        alone = (page.subtree_sums(number)[blocks.owner] == 1) & ~blocks.hidden
        found = np.full(len(page), -1, dtype=np.int64)
        outer = np.isin(page.tag[blocks.owner], [TAG_CODES[name] for name in ("html", "head", "body", "title")])
        chosen = np.flatnonzero(alone & ~outer)
        found[blocks.owner[chosen]] = chosen
        return found

    @cached_property
    def _is_in_marked(self) -> NDArray[np.bool_]:
        return self._page.covered(self._block_of_owner >= 0) > 0


def _is_number(name: str, value: str) -> bool:
    return value.isascii() and value.isdigit() and len(value) < 8 and int(value) <= _NUMBERS[name]
