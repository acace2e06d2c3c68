"""Plain text -> html: pages without markup, of which every paragraph is kept."""

from __future__ import annotations

import re
from typing import Final

from dehusk.page.tags import TAG_CODES

_MARKUP: Final = re.compile(r"<(?:!--|!doctype\b|/?([a-z][a-z0-9-]*)(?=[\s/>]))", re.IGNORECASE)
_BLANK_LINES: Final = re.compile(r"\n[^\S\n]*\n")


def has_markup(text: str) -> bool:
    """Whether there is a tag or comment of html in a text: neither `<tea@example.com>` nor `<stdio.h>` is one."""
    return any(_is_of_html(found[1]) for found in _MARKUP.finditer(text))


def _is_of_html(name: str | None) -> bool:
    """Whether a tag of that name, None for a comment, is one of html; names with a hyphen are those of components."""
    return name is None or name.lower() in TAG_CODES or "-" in name


def paragraphs_of(text: str) -> str:
    """Paragraphs, which blank lines divide, as html. Entities stay what they are in html."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("<", "&lt;")
    return "".join(f"<p>{paragraph}</p>" for paragraph in _BLANK_LINES.split(lines) if paragraph.strip())
