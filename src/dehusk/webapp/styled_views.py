"""The original page with its own style: written with its classes and ids, and its style sheets made harmless.

Style attributes become classes of the style sheet, so that the page's policy needs no inline styles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Final

import numpy as np

from dehusk.deciding.decisions import LabelledBlocks
from dehusk.page.links import base_url, safe_url
from dehusk.page.page_columns import Page
from dehusk.page.tags import TAG_CODES
from dehusk.webapp.harmless_styles import MOST_CHARACTERS, harmless_declarations, harmless_sheet
from dehusk.webapp.page_views import ATTRIBUTES, PageWriter, allowed_value, sanitised, title_of, visible
from dehusk.webapp.safe_names import page_name

FindSheet = Callable[[str], str | None]
"""Name or URL of a style sheet -> its text, if it came with the page."""

_LONGEST_NAME: Final = 1_000
"""Characters of the class and id attributes."""
_MOST_INLINE: Final = 5_000
"""Distinct style attributes of a page."""


def styled_view(labelled: LabelledBlocks, page: str, images: bool) -> str:
    """The original page with its own style, every block marked as kept or noise."""
    written = StyledWriter(labelled, images)
    attributes = {**ATTRIBUTES, "*": {*ATTRIBUTES["*"], "id"}}
    body = sanitised(visible("".join(written.parts())), images, attributes, _allowed_value)
    query = escape(page)
    return (
        f'<!doctype html>\n<html data-page="{query}" data-view="styled"{written.root_names("html")}>\n'
        f'<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{title_of(labelled)}</title><link rel="stylesheet" href="/view/{query}/style.css">'
        f'<link rel="stylesheet" href="/static/styled-view.css"></head>\n<body{written.root_names("body")}>\n'
        f"{body}\n</body>\n</html>\n"
    )


def _allowed_value(tag: str, name: str, value: str) -> str | None:
    """Classes and ids of the page, too; its own cannot be ours, as the writer leaves those out."""
    return value if name in {"class", "id"} else allowed_value(tag, name, value)


@dataclass(frozen=True, eq=False)
class StyledWriter(PageWriter):
    """Writes the page's own classes and ids besides ours."""

    def own_words(self, row: int) -> list[str]:
        """The classes of an element, without any that look like ours, and that of its style attribute."""
        given = self._given.get(row, "")
        words = [word for word in given[:_LONGEST_NAME].split() if not word.lower().startswith("dehusk-")]
        inline = self._inline.get(row)
        return [*words, inline] if inline else words

    def own_id(self, row: int) -> str:
        """The id of an element."""
        identifier = self._ids.get(row, "")[:_LONGEST_NAME]
        return f' id="{escape(visible(identifier))}"' if identifier else ""

    def root_names(self, tag: str) -> str:
        """The class and id attributes of html or body."""
        rows = np.flatnonzero(self._page.tag == TAG_CODES[tag])
        if not len(rows):
            return ""
        words = escape(visible(" ".join(self.own_words(int(rows[0])))))
        return (f' class="{words}"' if words else "") + self.own_id(int(rows[0]))

    @cached_property
    def _given(self) -> Mapping[int, str]:
        return dict(self._page.with_attribute("class"))

    @cached_property
    def _inline(self) -> Mapping[int, str]:
        return inline_classes(self._page)[0]

    @cached_property
    def _ids(self) -> Mapping[int, str]:
        return dict(self._page.with_attribute("id"))


def inline_classes(page: Page) -> tuple[Mapping[int, str], str]:
    """Row -> class of its style attribute, and the rules of these classes."""
    numbers: dict[str, int] = {}
    rows: dict[int, str] = {}
    for row, style in page.with_attribute("style"):
        if style in numbers or len(numbers) < _MOST_INLINE:
            rows[row] = f"dehusk-style-{numbers.setdefault(style, len(numbers))}"
    rules = ((number, harmless_declarations(style)) for style, number in numbers.items())
    return rows, "".join(f".dehusk-style-{number} {{{declared}}}\n" for number, declared in rules if declared)


def style_sheet(page: Page, name: str, find: FindSheet) -> str:
    """All style sheets of a page that came with it, in their order, made harmless; empty if there are none."""
    texts = {row: text for row, text in page.embedded if page.tag[row] == TAG_CODES["style"]}
    links = dict(_links(page, name, find))
    left, parts = MOST_CHARACTERS, []
    for row, text in sorted({**texts, **links}.items()):
        parts.append(harmless_sheet(text[:left], page.attributes(row).get("media", "")))
        left = max(0, left - len(text))
    _, inline = inline_classes(page)
    return "".join([*parts, inline])


def _links(page: Page, name: str, find: FindSheet) -> list[tuple[int, str]]:
    """(row, text) of the linked style sheets that came with the page."""
    found = []
    base, folder = base_url(page), page_name(name).rpartition("/")[0]
    for row, href in _linked(page):
        text = next(filter(None, map(find, _names(href, base, folder))), None)
        if text is not None:
            found.append((row, text))
    return found


def sheet_addresses(page: Page) -> list[str]:
    """The URLs of the linked style sheets, as `style_sheet` looks them up."""
    base = base_url(page)
    return list(dict.fromkeys(filter(None, (safe_url(href, base) for _, href in _linked(page)))))


def _linked(page: Page) -> Iterator[tuple[int, str]]:
    """(row, href) of the elements that link to a style sheet."""
    for row in np.flatnonzero(page.tag == TAG_CODES["link"]).tolist():
        given = page.attributes(row)
        if "stylesheet" in given.get("rel", "").lower().split() and "alternate" not in given.get("rel", "").lower():
            yield row, given.get("href", "")


def _names(href: str, base: str, folder: str) -> list[str]:
    """What a linked sheet may be stored as: its address, its path from the page, and from the root of its site."""
    path = href.partition("?")[0].partition("#")[0]
    steps = [] if path.startswith("/") else folder.split("/")
    for step in path.split("/"):
        if step == ".." and steps:
            steps.pop()
        elif step not in {"", ".", ".."}:
            steps.append(step)
    relative = "/".join(filter(None, steps))
    root = folder.partition("/")[0]
    return [safe_url(href, base), relative, f"{root}/{relative}" if path.startswith("/") else ""]
