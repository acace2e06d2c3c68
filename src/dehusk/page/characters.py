"""Characters that show nothing, but could make a terminal do something."""

from __future__ import annotations

from typing import Final

LOW_CONTROLS: Final = frozenset({*range(0x01, 0x20), 0x7F} - {0x09, 0x0A, 0x0C, 0x0D})
"""ASCII control characters other than white space. (NUL never gets past the parser.)"""

HIGH_CONTROLS: Final = range(0x80, 0xA0)
"""Control characters beyond ASCII; in UTF-8 each is 0xC2 and its own number."""

WITHOUT_CONTROLS: Final = str.maketrans(dict.fromkeys([*LOW_CONTROLS, *HIGH_CONTROLS]))
"""For str.translate."""


def encodable(text: str) -> str:
    """The text with U+FFFD for lone surrogates, which cannot be written as UTF-8."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
