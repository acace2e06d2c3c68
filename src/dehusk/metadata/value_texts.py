"""Values as people would read them: no markup, no entities, no control characters, single blanks."""

from __future__ import annotations

import html
import re
from typing import Final
from urllib.parse import urlsplit

import numpy as np

from dehusk.page.characters import WITHOUT_CONTROLS, encodable
from dehusk.page.page_columns import Page

LONGEST_VALUE: Final = 5000
"""Characters of any value. Descriptions of products can be whole pages; those say nothing that the page does not."""
MOST_ROWS: Final = 1000
"""Elements and texts of anything that is read as one value."""

_BREAKING_TAG = re.compile(r"<(?:/?(?:p|div|li|ul|ol|h[1-6]|tr|td|table)|br)\b[^<>]*>", re.IGNORECASE)
_OTHER_TAG = re.compile(
    r"</?(?:a|abbr|b|big|cite|code|em|font|i|img|mark|nobr|q|s|small|span|strong|sub|sup|time|u|wbr)\b[^<>]*>",
    re.IGNORECASE,
)
"""Tags of html alone: `List<String>` is a fine title."""
_WITHOUT_CONTROLS: Final = {0: None, **WITHOUT_CONTROLS}


def folded(text: str) -> str:
    """Single blanks, no control characters, encodable as UTF-8."""
    single = " ".join(text.split()).translate(_WITHOUT_CONTROLS)
    return single if single.isascii() else encodable(single).strip()


def plain_text(text: str) -> str:
    """The text of a value that may hold entities and markup; empty if it is too long to be one."""
    if len(text) > 4 * LONGEST_VALUE:
        return ""
    # Twice: templates escape what was escaped before.
    text = html.unescape(html.unescape(text)) if "&" in text else text
    if "<" in text:
        text = _OTHER_TAG.sub("", _BREAKING_TAG.sub(" ", text))
    plain = folded(text)
    return plain if len(plain) <= LONGEST_VALUE else ""


def shown_text(page: Page, row: int, between: str = "") -> str:
    """The text of an element without its hidden parts; empty if it is too long to be a value."""
    end = int(page.subtree_end[row])
    if page.text_end[row] - page.text_start[row] > LONGEST_VALUE or end - row > MOST_ROWS:
        return ""
    shown = np.flatnonzero(page.is_text[row:end] & ~page.hidden[row:end]) + row
    return folded(between.join(page.texts(shown)))


def comparable(text: str) -> str:
    """Letters and digits alone, in lower case: for telling whether two texts say the same."""
    return "".join(filter(str.isalnum, text.casefold()))


def address_key(address: str) -> str:
    """An address without what differs between spellings of it: scheme, `www.`, fragment, slash at the end."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return ""
    host = parts.netloc.lower().removeprefix("www.")
    query = f"?{parts.query}" if parts.query else ""
    return f"{host}{parts.path.rstrip('/')}{query}" if host else ""
