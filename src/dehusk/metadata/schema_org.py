"""schema.org nodes, from JSON-LD and microdata (`itemscope`, `itemprop`) -> candidates.

Microdata is read into nodes of the same form as JSON-LD. Then the nodes about the page are chosen, and their values
read. A page can describe itself, its article, its publisher, its breadcrumbs, and twenty other articles it links to.
The node with the page's own URL wins; otherwise articles come before other things and pages. A thing, such as a product
or a how-to, may be no more than a part of the page: its name is the page's title only if the page shows it as one. The
questions of an FAQ are always parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from dehusk.metadata.page_candidates import PageCandidates
from dehusk.metadata.value_texts import address_key, comparable
from dehusk.metadata.values import Candidate
from dehusk.metadata.vocabularies import ARTICLE, SCHEMA_ORG, SCHEMA_TYPES, THING, WEB_PAGE
from dehusk.page.json_ld import Node

_MANY: Final = frozenset({"keywords", "articleSection"})
"""Properties that may repeat outside of an item. (Authors may as well, but so do those of teasers.)"""
_LOOSE: Final = frozenset({"name", "url", "image", "title"})
"""Properties that mean nothing outside of an item."""


def microdata_nodes(candidates: PageCandidates) -> list[Node]:
    """The items of a page; nested items are also values of the outer ones. The last node has the loose properties."""
    if not candidates.have_items:
        return []
    types, properties = candidates.item_types, candidates.item_properties
    items: list[Node] = [{"@type": item_type.split()} if item_type else {} for item_type in types]
    loose: Node = {}
    for name, value, owner, item in properties:
        of = items[owner] if owner >= 0 else loose
        of.setdefault(name, []).append(items[item] if item >= 0 else value)
    # Repeated properties describe several things, and a loose name could be anyone's.
    kept = {
        name: values for name, values in loose.items() if name in _MANY or (name not in _LOOSE and len(values) == 1)
    }
    return [*items, *([{"@type": "WebPage", **kept}] if kept else [])]


_MOST_VALUES: Final = 100
"""Values of one property."""
_MOST_TEXTS: Final = 100
"""Texts of one property, including nodes it refers to: otherwise a hundred references to a hundred names each would
give ten thousand texts per node."""
_LONGEST_COMPARED: Final = 1000
"""Characters up to which a text is compared with titles."""
_LONGEST_ADDRESS: Final = 10_000
_LEAST_OF_TITLE: Final = 1
"""Letters up to which a headline could be part of any title."""
_ADDRESS_FIELDS: Final = frozenset({"url", "image", "licence"})
_IN_ADDRESSES: Final = ("url", "contentUrl", "@id", "thumbnailUrl")
_IN_NAMES: Final = ("name", "@value", "headline", "alternateName")
_PARTIES: Final = ("author", "creator", "publisher", "sourceOrganization", "copyrightHolder", "contributor")
"""Properties whose values are people or organisations."""
_ORGANISATIONS: Final = ("organization", "corporation", "localbusiness", "ngo", "brand", "company")
"""Suffixes of types that are organisations."""
_LONGEST_PARTY: Final = 200
"""Characters of the name of a person or an organisation."""
HOMES: Final = frozenset("home homepage start startseite accueil inicio início главная 首页 ホーム strona hem".split())


@dataclass(frozen=True, slots=True)
class AboutPage:
    """What identifies the page's own nodes."""

    addresses: Set[str]
    """Keys of its URLs."""
    titles: str
    """The titles it shows and declares elsewhere, comparable, separated by blanks. Its own headline must be part of
    them."""


@dataclass(frozen=True)
class SchemaOrg:
    """The nodes of one page in one syntax."""

    nodes: list[Node]
    source: str
    page: AboutPage
    alone_is_enough: bool
    """Whether a single article is the page's own, whatever its headline. In JSON-LD headlines are often written for
    search engines; in microdata they are what the page shows, and that may be a teaser."""

    def candidates(self) -> Iterator[Candidate]:
        """The values in the nodes; for each field, from one node only."""
        filled: set[str] = set()
        for field, values in self._all_values():
            if values and field not in filled:
                filled.add(field)
                yield from ((field, value, self.source) for value in values)

    def parties(self) -> Iterator[tuple[str, bool]]:
        """(name, is a person) of all nodes, and of their authors, publishers and the like."""
        for node in self.nodes:
            values = [value for name in _PARTIES for value in _listed(node.get(name)) if isinstance(value, dict)]
            for party in (node, *map(self._described, values)):
                name = next(iter(_listed(party.get("name"))), "")
                if isinstance(name, str) and 0 < len(name) <= _LONGEST_PARTY:
                    yield from ((name, is_person) for is_person in _is_person(party))

    def _all_values(self) -> Iterator[tuple[str, list[str]]]:
        for node, kind in self._about_the_page:
            is_named = kind != THING or not self.page.titles.strip() or self._is_own_title(node.get("name"))
            yield from (one for one in self._values(node) if is_named or one[0] != "title")
        for node, names in zip(self.nodes, self._types, strict=True):
            if "website" in names:
                yield "site_name", self._texts(node, "site_name")
            if "breadcrumblist" in names:
                yield "categories", self._trail(node)
        for node, names in zip(self.nodes, self._types, strict=True):
            if any(name.endswith("organization") for name in names):
                yield "site_name", self._texts(node.get("name"), "site_name")

    def _values(self, node: Node) -> Iterator[tuple[str, list[str]]]:
        if self._is_called_by_name(node):
            yield "title", self._texts(node["name"], "title")
        for name, field in SCHEMA_ORG.items():
            if name in node:
                yield field, self._texts(node[name], field)
        if page_type := _kind(_types(node))[1]:
            yield "page_type", [page_type]

    @cached_property
    def _types(self) -> list[list[str]]:
        """The types of each node."""
        return list(map(_types, self.nodes))

    @cached_property
    def _about_the_page(self) -> list[tuple[Node, int]]:
        """The main node of the page, then those that describe it as a web page, each with its priority."""
        by_kind: dict[int, list[Node]] = {ARTICLE: [], THING: [], WEB_PAGE: []}
        is_faq = any("faqpage" in names for names in self._types)
        for node, names in zip(self.nodes, self._types, strict=True):
            if (kind := _kind(names)[0]) in by_kind and not (is_faq and "question" in names):
                by_kind[kind].append(node)
        main = self._main(by_kind, ARTICLE) or self._main(by_kind, THING)
        own_pages = [node for node in by_kind[WEB_PAGE] if self._is_own(node)]
        return [*main, *((node, WEB_PAGE) for node in own_pages or by_kind[WEB_PAGE][:1])]

    def _main(self, by_kind: dict[int, list[Node]], kind: int) -> list[tuple[Node, int]]:
        """The page's own node, if any. Several nodes of which none is the page's own are things it links to."""
        nodes = by_kind[kind]
        own = [node for node in nodes if self._is_own(node)]
        return [(node, kind) for node in own[:1] or (nodes if len(nodes) == 1 and self.alone_is_enough else [])]

    def _is_own(self, node: Node) -> bool:
        names = ("url", "@id", "mainEntityOfPage")
        addresses = (text for name in names for text in self._texts(node.get(name), "url"))
        if any(map(self._is_own_address, addresses)):
            return True
        return self._is_own_title(node.get("headline", node.get("name")))

    def _is_own_title(self, value: Any) -> bool:
        """Whether the page's own titles have this in them."""
        return any(map(self._is_in_titles, self._texts(value, "title")))

    def _is_called_by_name(self, node: Node) -> bool:
        """Whether a node's name is one of the page's titles, and its headline is not part of any.

        In Wikipedia, headlines are descriptions of the topic.
        """
        if not (names := {comparable(text) for text in self._texts(node.get("name"), "title")}):
            return False
        publishers = {comparable(text) for text in self._texts(node.get("publisher"), "site_name")}
        is_title = not (names - publishers).isdisjoint(self.page.titles.split())
        return is_title and not self._is_own_title(node.get("headline"))

    def _trail(self, node: Node) -> list[str]:
        """The names in the breadcrumbs, without the home page."""
        steps = [step for step in _listed(node.get("itemListElement")) if isinstance(step, dict)]
        steps = sorted(steps, key=_position) if len({_position(step) for step in steps}) == len(steps) else steps
        names = [next(iter(self._texts(step, "title") or self._texts(step.get("item"), "title")), "") for step in steps]
        return [name for name in names if name and name.casefold() not in HOMES]

    def _texts(self, value: Any, field: str) -> list[str]:
        """The texts in a value: itself, its members, or the names (for some fields, the URLs) of its nodes."""
        if isinstance(value, str):  # as most are
            return [value] if value else []
        texts = []
        for one in _listed(value):
            inner = self._named(one, field) if isinstance(one, dict) else one
            texts += [text for text in _listed(inner) if isinstance(text, str) and text]
            if len(texts) >= _MOST_TEXTS:
                break
        return texts[:_MOST_TEXTS]

    def _named(self, reference: Node, field: str) -> Any:
        """The name (for some fields, the URL) of a node."""
        node = self._described(reference)
        for key in _IN_ADDRESSES if field in _ADDRESS_FIELDS else _IN_NAMES:
            if found := node.get(key):
                return found
        return None

    def _is_in_titles(self, text: str) -> bool:
        """Whether the titles have a text in them. Remembered: any number of nodes can refer to one text."""
        if text not in self._known_in_titles:
            headline = comparable(text) if len(text) <= _LONGEST_COMPARED else ""
            self._known_in_titles[text] = len(headline) > _LEAST_OF_TITLE and headline in self.page.titles
        return self._known_in_titles[text]

    @cached_property
    def _known_in_titles(self) -> dict[str, bool]:
        return {}

    @cached_property
    def _known_addresses(self) -> dict[str, bool]:
        return {}

    def _is_own_address(self, address: str) -> bool:
        """Whether an address is one of the page. Remembered likewise."""
        if address not in self._known_addresses:
            key = address_key(address) if len(address) <= _LONGEST_ADDRESS else ""
            self._known_addresses[address] = key in self.page.addresses
        return self._known_addresses[address]

    def _described(self, node: Node) -> Node:
        """The node itself, or the one it refers to."""
        identifier = node.get("@id")
        if len(node) > 2 or not isinstance(identifier, str):
            return node
        return self._by_identifier.get(identifier, node)

    @cached_property
    def _by_identifier(self) -> dict[str, Node]:
        """Nodes by `@id`, except mere references."""
        described = (node for node in self.nodes if len(node) > 2 and isinstance(node.get("@id"), str))
        return {node["@id"]: node for node in described}


def _listed(value: Any) -> list[Any]:
    return value[:_MOST_VALUES] if isinstance(value, list) else [] if value is None else [value]


def _types(node: Node) -> list[str]:
    """The types of a node in lower case, without the vocabulary's URL."""
    names = [name for name in _listed(node.get("@type")) if isinstance(name, str)]
    return [(name if name.isalpha() else _without_vocabulary(name)).lower() for name in names]


def _without_vocabulary(name: str) -> str:
    """The last part of the URL of a type."""
    return name.replace("#", "/").replace(":", "/").rstrip("/").rpartition("/")[2]


def _is_person(node: Node) -> list[bool]:
    """Whether a node is a person; empty if neither person nor organisation. Personal sites declare both."""
    names = _types(node)
    is_person = any(name.endswith("person") for name in names)
    return [is_person] if is_person or any(name.endswith(_ORGANISATIONS) for name in names) else []


def _kind(types: list[str]) -> tuple[int, str]:
    """The priority of a node with these types and its page type; the last priority if they are not about the page."""
    article = (ARTICLE, "article")
    kinds = [SCHEMA_TYPES.get(name) or (article if name.endswith("article") else None) for name in types]
    return min(filter(None, kinds), default=(WEB_PAGE + 1, ""))


def _position(step: Node) -> float:
    value = next(iter(_listed(step.get("position"))), None)
    try:
        return float(value) if isinstance(value, str | float | int) else 0.0
    except ValueError:
        return 0.0
