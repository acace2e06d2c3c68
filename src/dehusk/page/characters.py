"""Classes of characters that several parts must agree on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final

UNSPACED: Final = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"  # Japanese, Chinese
)
"""Letters of scripts that put no blanks between words, as ranges for a regular expression: each counts as a word."""

LOW_CONTROLS: Final = frozenset({*range(0x01, 0x20), 0x7F} - {0x09, 0x0A, 0x0C, 0x0D})
"""ASCII control characters other than white space, which show nothing but could make a terminal do something. (NUL
never gets past the parser.)"""

HIGH_CONTROLS: Final = range(0x80, 0xA0)
"""Control characters beyond ASCII; in UTF-8 each is 0xC2 and its own number."""

WITHOUT_CONTROLS: Final[dict[int, str | None]] = {
    **dict.fromkeys(LOW_CONTROLS),
    **{code: bytes([code]).decode("windows-1252", "ignore") or None for code in HIGH_CONTROLS},
}
"""For str.translate: low controls go; high ones become what they are in windows-1252, where pages that hold them were
written (`don\x92t` is `don’t`)."""


@cache
def _word_pattern() -> re.Pattern[str]:
    """Matches a word, or the NUL that `words_of_each` puts after each text."""
    # Compiled on first use: ranges this wide take five milliseconds.
    return re.compile(rf"\0|[{UNSPACED}]|[^\W{UNSPACED}]+")


def words_of(text: str) -> list[str]:
    """The words of a text, in lower case: runs of letters, digits and underscores, or single unspaced letters."""
    return words_of_each([text])[0]


def words_of_each(texts: Sequence[str]) -> tuple[list[str], list[int]]:
    """The words of all texts, one after the other, and how many each has.

    One pass over all is faster than one for each.
    """
    found = _word_pattern().findall("".join([text.replace("\0", " ") + "\0" for text in texts]).lower())
    ends = [position for position, word in enumerate(found) if word == "\0"]
    numbers = [end - start - 1 for start, end in pairwise([-1, *ends])]
    return [word for word in found if word != "\0"], numbers


_WORD_BYTES: Final = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
_ONLY_WORDS: Final = bytes(code if code in _WORD_BYTES else 0x20 for code in range(0x100))
"""For bytes.translate: blanks for all of ASCII that is not part of a word."""


def word_counts(texts: Sequence[str]) -> list[int]:
    """How many words each text has, as `words_of_each` counts them."""
    # Splitting ASCII takes a fifth of the time of the regular expression.
    counts = [len(text.encode().translate(_ONLY_WORDS).split()) if text.isascii() else -1 for text in texts]
    others = [index for index, count in enumerate(counts) if count < 0]
    if others:
        for index, count in zip(others, words_of_each([texts[index] for index in others])[1], strict=True):
            counts[index] = count
    return counts


def encodable(text: str) -> str:
    """The text with U+FFFD for lone surrogates, which cannot be written as UTF-8."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def as_utf8(text: str) -> bytes:
    """The text as UTF-8, with U+FFFD for lone surrogates: texts given as str can have them, decoded ones have none."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return encodable(text).encode()
