"""Publishers: the name of the site, and declared authors that are really its publisher."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import Final

from dehusk.metadata.people import LEGAL_FORMS
from dehusk.metadata.value_texts import comparable
from dehusk.metadata.values import Found

_HOST = re.compile(r"(?P<host>[\w-]+(?:\.[\w-]+)*\.(?:[^\W\d_]{2,}|xn--[\w-]+))(?P<rest>\.?(?::\d+)?(?:[/?#]\S*)?)")
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
    plain = unicodedata.normalize("NFKD", name.casefold())
    words = _WORD.findall("".join(mark for mark in plain if not unicodedata.combining(mark)))
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
    found = _HOST.fullmatch(name.strip(_AROUND_NAMES))
    return found is not None and (bool(found["rest"]) or _labels_below_suffix(found["host"]) > 1)


def _is_domain(name: str) -> bool:
    """Whether it is a lower-case domain; with capitals, as in `Booking.com`, it is a name."""
    return name == name.lower() and _HOST.fullmatch(name.strip(_AROUND_NAMES)) is not None


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
