"""Write `native/src/blocks/character_table.rs`: what is known of every character, from Python's `unicodedata`.

    python native/tables/make_character_table.py

Trained weights depend on the table, so it is made once, with Unicode 14.0 (Python 3.11), and does not follow the Python
or Rust that happens to run. Needs nothing but the standard library.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

UNICODE = "14.0.0"
TARGET = Path(__file__).parents[1] / "src" / "blocks" / "character_table.rs"
BASIC_PLANE = 0x10000
PAGE = 64
"""Characters that share an entry of the first table. With 32 or 128 both tables together are no smaller."""
UNSPACED = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
)
"""`UNSPACED` of `dehusk.page.characters`: letters of scripts that put no blanks between words."""

LETTER, DIGIT, UPPER, PUNCTUATION, COMMA, STOP, SIGN, SEPARATOR = (1 << bit for bit in range(8))
OF_CATEGORY = {"L": LETTER, "M": LETTER, "N": DIGIT, "P": PUNCTUATION, "S": SIGN, "C": SIGN}
MARKS = {COMMA: ",，、،;；", STOP: ".!?…؟۔।॥։።。！？｡", SEPARATOR: "|»›·•/>→:：©"}
OUTSIDE, IN_WORD, ALONE, DECIMAL = range(4)
CLASSES = ("Outside", "InWord", "Alone", "Digit")

Property = tuple[int, int, bool, bool, int]
"""Kinds, class in words, letter or number, letter of names, distance to the lower case."""
NOTHING: Property = (0, OUTSIDE, False, False, 0)


def kinds_of(code: int) -> int:
    """Kinds of characters that features count; the few beyond the basic plane have none, nor has its last one."""
    if code < ord(" ") or code >= BASIC_PLANE - 1:
        return 0
    category = unicodedata.category(chr(code))
    kinds = OF_CATEGORY.get(category[0], 0) | (UPPER if category == "Lu" else 0)
    return kinds | sum(kind for kind, marks in MARKS.items() if chr(code) in marks)


def class_of(character: str) -> int:
    """What a character is to the words of a text."""
    if re.match(f"[{UNSPACED}]", character):
        return ALONE
    if ord(character) >= BASIC_PLANE:
        return IN_WORD if character.isalnum() else OUTSIDE
    if re.match(r"\d", character):
        return DECIMAL
    return IN_WORD if re.match(r"\w", character) else OUTSIDE


def to_lower(character: str) -> int:
    """Distance to the lower case, where that is one character. Letters beyond the basic plane stay as they are."""
    small = character.lower()
    in_word = ord(character) < BASIC_PLANE and re.match(r"\w", character)
    return ord(small) - ord(character) if in_word and len(small) == 1 else 0


def property_of(code: int) -> Property:
    """All that the table says of a character."""
    character = chr(code)
    in_names = bool(re.match(r"[^\W\d_a-zA-Z]", character))
    return kinds_of(code), class_of(character), character.isalnum(), in_names, to_lower(character)


def ranges_beyond() -> Iterator[tuple[int, int, Property]]:
    """(first, last, property) of runs of equal characters beyond the basic plane that have any property."""
    first = BASIC_PLANE
    known = property_of(first)
    for code in range(BASIC_PLANE + 1, 0x110001):
        found = property_of(code) if code < 0x110000 else None
        if found != known:
            if known != NOTHING:
                yield first, code - 1, known
            first = code
            if found is not None:
                known = found


def as_rust(value: Property) -> str:
    """One line of the table of properties."""
    kinds, word, is_alphanumeric, in_names, distance = value
    flags = f"{str(is_alphanumeric).lower()}, {str(in_names).lower()}"
    return f"    Property::new(0b{kinds:08b}, WordClass::{CLASSES[word]}, {flags}, {distance}),"


def in_lines(entries: list[str], number: int) -> Iterator[str]:
    """So many entries a line."""
    for first in range(0, len(entries), number):
        yield "    " + " ".join(entries[first : first + number])


def main() -> None:
    """Write the table."""
    if unicodedata.unidata_version != UNICODE:
        raise SystemExit(f"this Python has Unicode {unicodedata.unidata_version}; the table is made with {UNICODE}")
    of_code = [property_of(code) for code in range(BASIC_PLANE)]
    beyond = list(ranges_beyond())
    properties = sorted({*of_code, *(known for _, _, known in beyond)})
    number = {known: index for index, known in enumerate(properties)}
    pages: dict[tuple[int, ...], int] = {}
    page_of = [
        pages.setdefault(tuple(number[known] for known in of_code[first : first + PAGE]), len(pages))
        for first in range(0, BASIC_PLANE, PAGE)
    ]
    lines = [
        f"//! What is known of every character, Unicode {UNICODE}. Written by `native/tables/make_character_table.py`.",
        "#![forbid(unsafe_code)]",
        "",
        "use super::character_properties::{Property, WordClass};",
        "",
        "/// Every combination of properties that occurs.",
        f"pub static PROPERTIES: [Property; {len(properties)}] = [",
        *map(as_rust, properties),
        "];",
        "",
        f"/// Of {PAGE} characters of the basic plane each: their entry in `PROPERTY_OF`.",
        f"pub static PAGE_OF: [u8; {len(page_of)}] = [",
        *in_lines([f"{page}," for page in page_of], 64),
        "];",
        "",
        f"/// Of {PAGE} characters each, one line a page: their entries in `PROPERTIES`.",
        f"pub static PROPERTY_OF: [[u8; {PAGE}]; {len(pages)}] = [",
        *("    [" + ",".join(map(str, page)) + "]," for page in pages),
        "];",
        "",
        "/// First and last characters beyond the basic plane, and their entry in `PROPERTIES`; others have none.",
        f"pub static BEYOND: [(u32, u32, u8); {len(beyond)}] = [",
        *in_lines([f"({first:#x}, {last:#x}, {number[known]})," for first, last, known in beyond], 5),
        "];",
    ]
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
