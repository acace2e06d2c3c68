"""Clean up values: no markup, no entities, no control characters, single blanks."""

from __future__ import annotations

import html
import re
import unicodedata
from typing import Final
from urllib.parse import urlsplit

from dehusk.page.characters import WITHOUT_CONTROLS, encodable

LONGEST_VALUE: Final = 5000
"""Characters of any value. Product descriptions can be whole pages, which only repeat the content."""

_BREAKING_TAG = re.compile(r"<(?:/?(?:p|div|li|ul|ol|h[1-6]|tr|td|table)|br)\b[^<>]*>", re.IGNORECASE)
_OTHER_TAG = re.compile(
    r"</?(?:a|abbr|b|big|cite|code|em|font|i|img|mark|nobr|q|s|small|span|strong|sub|sup|time|u|wbr)\b[^<>]*>",
    re.IGNORECASE,
)
"""Only HTML tags: `List<String>` is a valid title."""
_LOWER_CASE: Final = bytes(range(0x80)).lower().ljust(0x100)
_NO_LETTERS: Final = bytes(code for code in range(0x80) if not chr(code).isalnum())
"""For bytes.translate: ASCII in lower case, and what is neither a letter nor a digit."""
_WITHOUT_CONTROLS: Final = {0: None, **WITHOUT_CONTROLS, 0xAD: None, 0x200B: None, 0xFEFF: None}
"""Soft hyphens and blanks without width besides: where a line may break is no part of a value."""


def folded(text: str) -> str:
    """Text with single blanks, no control characters, encodable as UTF-8."""
    single = " ".join(text.split())
    if single.isprintable():  # neither control characters nor lone surrogates are
        return single
    single = single.translate(_WITHOUT_CONTROLS)
    return single if single.isascii() else encodable(single).strip()


def plain_text(text: str) -> str:
    """The text of a value that may contain entities and markup; empty if it is too long."""
    if len(text) > 4 * LONGEST_VALUE:
        return ""
    # Twice, because templates escape values that are already escaped.
    text = html.unescape(html.unescape(text)) if "&" in text else text
    if "<" in text:
        text = _OTHER_TAG.sub("", _BREAKING_TAG.sub(" ", text))
    plain = folded(text)
    return plain if len(plain) <= LONGEST_VALUE else ""


def without_marks(text: str) -> str:
    """Letters without accents, as in hosts: `Seznam Zpravy`."""
    if text.isascii():
        return text
    return "".join(mark for mark in unicodedata.normalize("NFKD", text) if not unicodedata.combining(mark))


def comparable(text: str) -> str:
    """Letters and digits only, in lower case, for comparing texts."""
    if text.isascii():  # in a tenth of the time
        return text.encode().translate(_LOWER_CASE, _NO_LETTERS).decode()
    return "".join(filter(str.isalnum, text.casefold()))


def address_key(address: str) -> str:
    """A URL without scheme, `www.`, fragment and trailing slash, for comparing URLs."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return ""
    host = parts.netloc.lower().removeprefix("www.")
    query = f"?{parts.query}" if parts.query else ""
    return f"{host}{parts.path.rstrip('/')}{query}" if host else ""
