"""Bytes -> text: which encoding, and why. The compiled part decides and decodes: `native/src/encodings`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from dehusk.native.calculations import Question, ask
from dehusk.page.characters import as_utf8

Utf8: TypeAlias = bytes | memoryview
"""Bytes of text; a view of those of the page where these are not all of them."""

UNLABELLED: Final = {1: "plain ASCII", 2: "valid UTF-8 with non-ASCII characters", 3: "byte order mark"}
"""Why a page is UTF-8, whatever labels say: by the numbers in `native/src/decoding_exchange.rs`."""

WRONG_ENCODING: Final = "wrong-encoding"
GARBLED: Final = "garbled"
BINARY: Final = "binary"
PLAIN_TEXT: Final = "plain-text"
"""What is said of a page that has no markup; the compiled part does not say it."""
_PROBLEMS: Final = ("", WRONG_ENCODING, GARBLED, BINARY)
"""What is wrong, in the order of the numbers in `native/src/decoding_exchange.rs`."""


@dataclass(frozen=True, slots=True, eq=False)
class Decoded:
    """Text with the encoding that was used (WHATWG name if it has one) and the reason it was chosen."""

    content: str | Utf8
    """The text, or its bytes as UTF-8, which is what pages are read from."""
    encoding: str
    reason: str
    damaged: int = 0
    """How many characters are U+FFFD because their bytes mean nothing in this encoding."""
    problem: str = ""
    """`wrong-encoding` if no declared encoding fits the bytes, `garbled` if some of the text was encoded twice,
    `binary` if it is no text; otherwise empty."""

    @property
    def text(self) -> str:
        """The text."""
        return self.content if isinstance(self.content, str) else str(self.content, "utf-8")

    @property
    def utf8(self) -> Utf8:
        """The text as UTF-8."""
        return as_utf8(self.content) if isinstance(self.content, str) else self.content

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Decoded) and self._as_text == other._as_text

    @property
    def _as_text(self) -> tuple[str, str, str, int, str]:
        return self.text, self.encoding, self.reason, self.damaged, self.problem

    def damage_in(self, part: str) -> float:
        """Which share of a part of the text, blanks aside, could not be decoded."""
        damaged = min(self.damaged, part.count("\ufffd")) if self.damaged else 0
        return damaged / sum(map(len, part.split())) if damaged else 0.0


def decode(body: bytes, content_type: str = "") -> Decoded:
    """Decode a page. Never fails: bytes that fit nothing become U+FFFD. Half a character at the end is left out."""
    found = ask(Question.DECODED, [body, as_utf8(content_type)], subject="a page")
    numbers = found.summary
    encoding, reason = found.texts(1)
    content: Utf8 = found.bytes(0)
    if not content:
        start, end = int(numbers.second), int(numbers.third)
        content = body if end - start == len(body) else memoryview(body)[start:end]
    return Decoded(content, encoding, reason, int(numbers.first), _PROBLEMS[int(numbers.fourth)])


def lookup_encoding(label: str) -> str | None:
    """The WHATWG name for a label as found in the wild, or None: latin-1 -> windows-1252, gb2312 -> gb18030."""
    return ask(Question.ENCODING_OF_LABEL, [as_utf8(label)], subject="a label").text(0) or None
