"""Write `native/src/document/sign_table.rs`: punctuation and symbols, from Python's `unicodedata`.

    python native/tables/make_sign_table.py

Markdown decides by them what is emphasis. Made with the same Unicode version as the table of characters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

from make_character_table import UNICODE, in_lines

TARGET = Path(__file__).parents[1] / "src" / "document" / "sign_table.rs"
FIRST_BEYOND_ASCII = 0x80


def ranges(wanted: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    """(first, last) of runs of characters beyond ASCII."""
    first = None
    for code in range(FIRST_BEYOND_ASCII, 0x110001):
        is_wanted = code < 0x110000 and wanted(unicodedata.category(chr(code)))
        if is_wanted and first is None:
            first = code
        elif not is_wanted and first is not None:
            yield first, code - 1
            first = None


def table(name: str, about: str, wanted: Callable[[str], bool]) -> list[str]:
    """The lines of one table."""
    found = [f"({first:#x}, {last:#x})," for first, last in ranges(wanted)]
    return [
        "",
        f"/// First and last characters beyond ASCII that are {about}.",
        f"pub static {name}: [(u32, u32); {len(found)}] = [",
        *in_lines(found, 6),
        "];",
    ]


def main() -> None:
    """Write the tables."""
    if unicodedata.unidata_version != UNICODE:
        raise SystemExit(f"this Python has Unicode {unicodedata.unidata_version}; the table is made with {UNICODE}")
    lines = [
        f"//! Signs beyond ASCII, Unicode {UNICODE}. Written by `native/tables/make_sign_table.py`.",
        "#![forbid(unsafe_code)]",
        *table("PUNCTUATION", "punctuation", lambda category: category[0] == "P"),
        *table("SYMBOLS", "symbols: currency, arrows, pictures", lambda category: category[0] == "S"),
    ]
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
