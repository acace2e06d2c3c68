"""Names of people in bylines."""

from __future__ import annotations

import re
from typing import Final

from dehusk.metadata.value_texts import plain_text

LONGEST_NAME: Final = 80
_MOST_NAMES: Final = 50
_MOST_WORDS: Final = 8
_BEFORE = re.compile(
    r"\s*(?:(?:(?:written|posted|published|story|text|words|reported|reviewed|submitted|created|article)\s+)?by\b"
    r"|(?:authors?|autor(?:en|in|es)?|auteurs?|автор|作者|記者|记者|编辑)(?=\s*[:：])|redazione di\b)\s*[:：]?\s*",
    re.IGNORECASE,
)
_APART = re.compile(r"\s*[;|•·、，]\s*|\s/\s")
_BETWEEN = re.compile(r",?\s(?:and|und|et|y|e|och|og|en|i|&|with)\s", re.IGNORECASE)
_NO_NAME = re.compile(r"@|https?:|www\.|\.(?:com|org|net|php|html?)\b|[<>{}\[\]=]|^\W*$", re.IGNORECASE)
_HOST = re.compile(r"(?<![\w.])[^\W_][\w-]+(?:\.[\w-]+)*\.(?:[a-z]{2}|[A-Z]{2}|info|INFO)(?![\w.])")
"""`orf.at`, `BIOLOG.PL`, but not `Dr.Li` and `S.Wenner`."""
LEGAL_FORMS: Final = frozenset(
    "ab ag as bv co corp corporation eg ev gmbh inc kg limited llc llp ltd nv oy plc pty pvt sa sarl spa srl".split()
)
_FIRM = re.compile(r"\s(?:gmbh|inc|llc|llp|ltd|plc|pty|s\.a|s\.r\.l|s\.p\.a|limited|corporation)\.?$", re.IGNORECASE)
"""Legal forms that cannot end the name of a person."""
_ROLES = re.compile(
    r"\b(?:reporter|correspondent|editor|writer|staff|contributor|columnist|journalist|author|producer|director|"
    r"redakteur|redaktion|ph\.?d|m\.?d|jr|sr|esq|inc|ltd|llc)\b",
    re.IGNORECASE,
)


def names_in(text: str) -> list[str]:
    """The names in a byline: `By Ann Bee and Carl Dee, staff writers` has two."""
    if len(text) > LONGEST_NAME * _MOST_NAMES or "://" in text:
        return []
    text = plain_text(text)
    text = text[introduction.end() :] if (introduction := _BEFORE.match(text)) else text
    parts = [part for apart in _APART.split(text) for part in _split(apart, _BETWEEN.split(apart))]
    names = [name for part in parts for name in _at_commas(part)]
    bare = (_without_host(name.strip(" ,;:-–—|")) for name in names)
    return [name for name in bare if is_name(name)][:_MOST_NAMES]


def is_name(text: str) -> bool:
    """Whether it could be the name of a person: no URL, no company, no sentence."""
    could_be = 1 < len(text) <= LONGEST_NAME and len(text.split()) <= _MOST_WORDS and any(map(str.isalpha, text))
    return could_be and not _ROLES.fullmatch(text) and not any(one.search(text) for one in (_NO_NAME, _HOST, _FIRM))


def _without_host(text: str) -> str:
    """`Ann Bee TheDaily.ca` -> `Ann Bee`."""
    *name, last = text.split(" ")
    is_full_name = 2 <= len(name) <= 3 and all(word[:1].isupper() for word in name)
    return " ".join(name) if is_full_name and _HOST.fullmatch(last) else text


def given_name_first(text: str) -> str:
    """`Bee, Ann`, as in catalogues -> `Ann Bee`."""
    family, comma, given = text.partition(",")
    is_catalogued = comma and "," not in given and 1 in (len(family.split()), len(given.split()))
    is_catalogued = is_catalogued and len(text.split()) <= 3
    return f"{given.strip()} {family.strip()}" if is_catalogued and not _ROLES.search(given) else text


def _at_commas(text: str) -> list[str]:
    first, *others = text.split(",")
    if not others:
        return [text]
    people = [first, *(other for other in others if not _ROLES.search(other))]
    return _split(", ".join(map(str.strip, people)), people)


def _split(text: str, parts: list[str]) -> list[str]:
    """The parts if each could be a full name, the whole text otherwise: `Marks and Spencer`, `Bee, Ann`."""
    return parts if len(parts) == 1 or all(len(part.split()) != 1 or not part.isascii() for part in parts) else [text]
