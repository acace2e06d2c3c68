"""Names of people and publishers: those in bylines, the name of the site, and declared authors that are really its
publisher.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import Final

from dehusk.metadata.value_texts import comparable, plain_text, without_marks
from dehusk.metadata.values import Found

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
_NO_NAME = re.compile(r"@|https?:|:\s|www\.|\.(?:com|org|net|php|html?)\b|[<>{}\[\]=]|^\W*$", re.IGNORECASE)
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
    return could_be and not (_ROLES.fullmatch(text) or _NO_NAME.search(text) or _FIRM.search(text) or _has_host(text))


def _has_host(text: str) -> bool:
    return "." in text and _HOST.search(text) is not None


def _without_host(text: str) -> str:
    """`Ann Bee TheDaily.ca` -> `Ann Bee`."""
    *name, last = text.split(" ")
    is_full_name = 2 <= len(name) <= 3 and all(word[:1].isupper() for word in name)
    return " ".join(name) if is_full_name and "." in last and _HOST.fullmatch(last) else text


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


_DOMAIN = re.compile(r"(?P<host>[\w-]+(?:\.[\w-]+)*\.(?:[^\W\d_]{2,}|xn--[\w-]+))(?P<rest>\.?(?::\d+)?(?:[/?#]\S*)?)")
_IN_ADDRESSES = re.compile(
    r"[a-z]:?//|\A\W*www\.\w|[\w.-]@[\w-]+\.\w|\A\W*(?:\d+\.){3}\d+|\A\W*localhost\b", re.IGNORECASE
)
_AROUND_NAMES: Final = " :;,|®™©()[]<>\"'"
_SECOND_LEVEL: Final = frozenset("ac co com edu gob gov net or org".split())
"""Second-level domains before a country code: `express.co.uk`."""

_WORD = re.compile(r"[^\W_]+")
_BESIDE_NAMES: Final = LEGAL_FORMS | frozenset(
    "and the der die das le la com org net www uk news newsroom online official staff team "
    "desk editor editors editorial redaktion redaction redazione writer writers reporter reporters contributor "
    "contributors admin".split()
)
"""Words that do not distinguish publishers: `BBC News Staff` is the BBC."""
_WORDS_OF_FIRMS: Final = _BESIDE_NAMES | frozenset(
    "agency association bank center centre club college company council daily department digital foundation gazette "
    "group guide herald house institute journal magazine marketing media network post press radio review school "
    "services shop society solutions store studio studios times tribune tv university world".split()
)
"""Words that rarely occur in names of people."""
_PERSON = re.compile(r"[^\W\d_]+(?:[-'’.][^\W\d_]*)*")
_MOST_WORDS_OF_PERSON: Final = 4


@dataclass(frozen=True)
class Publishers:
    """The publishers of a page, to distinguish them from its authors."""

    sites: Set[str]
    """Keys of the names of the site and its publisher."""
    host: str
    """The registered name of the host, comparable."""
    organisations: Set[str]
    """Keys of names that schema.org declares as organisations only."""
    people: Set[str]
    """Keys of names that schema.org declares as persons."""

    @classmethod
    def of(cls, sites: Iterable[str], host: str, parties: Iterable[tuple[str, bool]]) -> Publishers:
        """Build from the site's names as written, and (name, is a person) pairs from schema.org."""
        keys: dict[bool, set[str]] = {False: set(), True: set()}
        for name, is_person in parties:
            keys[is_person].add(publisher_key(name))
        # A name declared as both is an organisation that put its name in a person's field.
        return cls({publisher_key(name) for name in sites if name}, host, keys[False], keys[True] - keys[False])

    def include(self, name: str) -> bool:
        """Whether a declared author is an organisation, or the site under a name that is not a declared person's."""
        key = publisher_key(name)
        is_host = comparable(name) == self.host and " " not in name
        return key in self.organisations or is_host or (key in self.sites and key not in self.people)

    def may_include(self, name: str) -> bool:
        """Whether an author may be the publisher because the host has the name: personal sites do, and companies'."""
        return comparable(name) == self.host and publisher_key(name) not in self.people

    def include_shown(self, name: str) -> bool:
        """Like `include`, for a byline shown on the page.

        On personal sites a byline may equal the site's name, and templates may declare people as organisations; a
        person's byline is rejected only if both apply.
        """
        key = publisher_key(name)
        is_firm = key in self.sites and key in self.organisations
        return self.include(name) and (is_firm or not _could_be_person(name))


def publisher_key(name: str) -> str:
    """A key equal for all names of a publisher: `Condé Nast Inc.` and `conde nast`, `BBC` and `BBC News`."""
    words = _WORD.findall(without_marks(name.casefold()))
    return "".join(word for word in words if word not in _BESIDE_NAMES) or "".join(words)


def best_site_name(names: Iterable[Found]) -> Found | None:
    """The first name that is no URL; a bare domain such as `example.com` only if there is no other."""
    domain = None
    for found in names:
        if found.value and not is_address(found.value):
            if not _is_domain(found.value):
                return found
            domain = domain or found
    return domain


def is_address(name: str) -> bool:
    """Whether a name is a host or URL rather than a name: `www.a.example`, `news.a.example`, `a.example/b`."""
    if _IN_ADDRESSES.search(name):
        return True
    found = _DOMAIN.fullmatch(name.strip(_AROUND_NAMES))
    return found is not None and (bool(found["rest"]) or _labels_below_suffix(found["host"]) > 1)


def _is_domain(name: str) -> bool:
    """Whether it is a lower-case domain; with capitals, as in `Booking.com`, it is a name."""
    return name == name.lower() and _DOMAIN.fullmatch(name.strip(_AROUND_NAMES)) is not None


def _labels_below_suffix(host: str) -> int:
    """Number of labels below the public suffix: 1 for a.example and a.co.uk, 2 for b.a.example."""
    labels = host.lower().split(".")
    is_below_country = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL
    return len(labels) - (2 if is_below_country else 1)


def _could_be_person(name: str) -> bool:
    """Whether it has two to four words of letters, no acronyms, and no words typical of companies."""
    words = name.split()
    if not 2 <= len(words) <= _MOST_WORDS_OF_PERSON or not all(_PERSON.fullmatch(word) for word in words):
        return False
    is_shouted = name == name.upper()
    acronyms = [word for word in words if len(word) > 1 and word == word.upper() != word.lower() and "." not in word]
    return (is_shouted or not acronyms) and not any(word.lower() in _WORDS_OF_FIRMS for word in words)
