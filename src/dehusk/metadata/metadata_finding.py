"""Page -> Metadata: collect candidates from every vocabulary, then choose the best for each field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from itertools import chain, groupby, islice
from operator import attrgetter
from typing import Final

from dehusk.arguments import checked
from dehusk.errors import enough_memory
from dehusk.metadata.dates import date_in_address, guessed_date, iso_date
from dehusk.metadata.from_page import shown_authors, shown_date, shown_trail
from dehusk.metadata.languages import detected_language, language_tag
from dehusk.metadata.page_candidates import PageCandidates, collect_candidates, headings_and_site_names
from dehusk.metadata.people import Publishers, best_site_name, given_name_first, names_in
from dehusk.metadata.schema_org import AboutPage, SchemaOrg, microdata_nodes
from dehusk.metadata.title_parts import (
    best_heading,
    document_title,
    heading_of_title,
    is_name_of_whole,
    registered_name,
    site_name_in_title,
    without_last_part,
    without_site_name,
)
from dehusk.metadata.value_texts import address_key, comparable, folded, plain_text
from dehusk.metadata.values import Candidate, Found, Metadata, metadata_from
from dehusk.metadata.vocabularies import OPEN_GRAPH_TYPES, VOCABULARIES
from dehusk.page.json_ld import nodes_in_scripts
from dehusk.page.links import is_plain_url, safe_urls_on
from dehusk.page.page_columns import Page

_ORDER: Final = (
    *("json-ld", "microdata", "opengraph", "twitter", "dublin core", "meta", "html", "page", "url"),
    *("htmldate", "detected", "method"),
)
"""Sources by credibility: the most detailed first."""
_ORDERS: Final = {
    "url": ("html", "opengraph"),
    "image": ("opengraph", "json-ld"),
    "licence": ("html",),
    # Microdata may be those of a teaser on the page; `article:published_time` is the page's own.
    "published": ("json-ld", "opengraph"),
    "modified": ("json-ld", "opengraph"),
    # OpenGraph's locale is a setting that many sites never change.
    "language": ("html", "meta", "dublin core", "json-ld"),
}
"""Sources that come first for some fields."""

_LONGEST_TITLE: Final = 500
_MOST_TITLES: Final = 20
_LONGEST_LABEL: Final = 100
"""Characters of a category, a tag or the name of a site."""
_MOST_LABELS: Final = 100
_LICENCE_NAMES: Final = ("cc-", "cc ", "cc0", "creative commons", "public domain")


@checked
def find_metadata(page: Page, page_type: str | None = None) -> Metadata:
    """Find the metadata of a page.

    Arguments:
        page: a page that `read_page` read.
        page_type: the type that cleaning found, empty if it found none; by default the one that the page declares.

    Returns:
        Title, authors, dates and so on; `sources` says where each was found.

    Raises:
        Nothing, whatever the page says.

    >>> page = dehusk.read_page("<html lang=en><title>Tea</title><meta name=author content='A. Holt'>")
    >>> found = dehusk.find_metadata(page)
    >>> found.title, found.authors, found.language
    ('Tea', ['A. Holt'], 'en')
    """
    with enough_memory(page.label):
        return _find_metadata(page, page_type)


def _find_metadata(page: Page, page_type: str | None) -> Metadata:
    found = collect_candidates(page)
    title, (headings, linked) = document_title(found.titles), headings_and_site_names(found, page.url)
    head, addresses = list(head_candidates(found)), _Addresses(page)
    schemas = _schema_org(page, found, head, addresses, [title, *headings])
    declared = _Declared([*(one for schema in schemas for one in schema.candidates()), *head], addresses)
    titles, declared_names = list(declared.values("title")), list(declared.values("site_name"))
    names_of_site = chain(declared_names, _site_names([title], titles, page.url))
    first_name = list(islice(names_of_site, 1))
    site_name = best_site_name(chain(first_name, names_of_site))
    # Titles may also end with the site's domain, though that is not its name.
    names = {comparable(one.value) for one in (site_name, *first_name) if one}
    names.update(filter(None, map(comparable, linked)))
    if headings:
        of_site = {*names, registered_name(page.url)}
        headings = [one for one in headings if comparable(one) not in of_site]
        wholes = [one for one in headings if is_name_of_whole(one, title, page.url)]
        names.update(map(comparable, wholes))
        headings = [one for one in headings if one not in wholes]
    best_title = _title_of(_titles(titles, headings, title), names, headings, page.url)

    def publishers() -> Publishers:
        # A set, because any number of nodes can refer to one party.
        parties = {party for schema in schemas for party in schema.parties()}
        sites = [one.value for one in (*declared_names, site_name) if one]
        return Publishers.of(sites, registered_name(page.url), parties)

    return metadata_from(
        title=best_title,
        subtitle=declared.first("subtitle") or _first(_found(found.subtitles, "page")),
        authors=_authors(found, list(declared.values("authors")), publishers),
        published=declared.first("published") or _first(_undeclared_date(page, found)),
        modified=declared.first("modified"),
        language=declared.first("language") or _single(detected_language(page), "detected"),
        site_name=site_name,
        url=declared.first("url") or _single(addresses.of_page(), "url"),
        categories=_categories(list(declared.values("categories")) or _found(shown_trail(found), "page"), best_title),
        tags=_of_best_source(chain(declared.values("tags"), _found(found.tags, "page"))),
        description=declared.first("description"),
        image=declared.first("image"),
        licence=declared.first("licence") or _first(_found(found.licences, "page")),
        page_type=declared.first("page_type") if page_type is None else _single(page_type, "method"),
    )


class _Addresses:
    """Addresses that a page declares, made absolute. All at once, which takes hardly longer than one."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._absolute: dict[str, str] = {}
        self._own = ""

    def resolve(self, written: list[str]) -> list[str]:
        """Make some absolute and safe to follow."""
        own = self._page.url
        if all(map(is_plain_url, (own, *written))):
            self._own, absolute = own, written
        else:
            self._own, absolute = safe_urls_on(self._page, written)
        self._absolute.update(zip(written, absolute, strict=True))
        return absolute

    def on_web(self, written: str) -> str:
        """One of those; or nothing if it is none of the web."""
        return _on_web(self._absolute[written])

    def of_page(self) -> str:
        """The address of the page itself; or nothing if it has none on the web."""
        return _on_web(self._own)


def _on_web(address: str) -> str:
    return address if address.startswith(("http://", "https://")) else ""


_ADDRESS_FIELDS: Final = ("url", "image", "licence")


class _Declared:
    """What a page declares. Values are parsed when they are asked for: most fields need those of one source alone."""

    def __init__(self, candidates: Iterable[Candidate], addresses: _Addresses) -> None:
        self._written: dict[str, list[tuple[str, str]]] = {}
        for field, value, source in candidates:
            self._written.setdefault(field, []).append((value, source))
        self._addresses = addresses
        addresses.resolve([value for field in _ADDRESS_FIELDS for value, _ in self._written.get(field, ())])

    def values(self, field: str) -> Iterator[Found]:
        """Those of a field, the most credible first."""
        if not (written := self._written.get(field)):
            return
        if len(written) > 1:
            ranks = _RANKS[field]
            written = sorted(written, key=lambda one: ranks[one[1]])
        parse = _VALUES[field]
        for value, source in written:
            for parsed in parse(value, source, self._addresses):
                if parsed:
                    yield Found(parsed, source)

    def first(self, field: str) -> Found | None:
        """The most credible one."""
        return next(self.values(field), None) if field in self._written else None


def _ranks(first: tuple[str, ...]) -> dict[str, int]:
    """The rank of each source, some of which come first."""
    order = (*first, *(source for source in _ORDER if source not in first))
    return {source: rank for rank, source in enumerate(order)}


def _schema_org(
    page: Page, found: PageCandidates, head: list[Candidate], addresses: _Addresses, titles: list[str]
) -> list[SchemaOrg]:
    """JSON-LD and microdata, as far as the page has any, with the URLs and titles that identify its own nodes."""
    in_scripts, in_items = nodes_in_scripts(found.scripts), microdata_nodes(found)
    if not in_scripts and not in_items:
        return []
    urls = [value for field, value, _ in head if field == "url"]
    own = {key for key in map(address_key, [*addresses.resolve(urls), page.url]) if key}
    declared_titles = [value[:_LONGEST_TITLE] for field, value, _ in head if field == "title"][:_MOST_TITLES]
    about = AboutPage(own, " ".join(map(comparable, [*titles, *declared_titles])))
    both = SchemaOrg(in_scripts, "json-ld", about, True), SchemaOrg(in_items, "microdata", about, False)
    return [schema for schema in both if schema.nodes]


def _undeclared_date(page: Page, found: PageCandidates) -> Iterator[Found]:
    """Dates the page does not declare; lazy, as the later sources cost more and are less reliable."""
    yield from _found([date_in_address(page.url)], "url")
    yield from _found(shown_date(found), "page")
    yield from _found([guessed_date(page)], "htmldate")


def _found(values: Iterable[str], source: str) -> Iterator[Found]:
    return (Found(value, source) for value in values if value)


def _single(value: str, source: str) -> Found | None:
    return Found(value, source) if value else None


def _first(values: Iterator[Found]) -> Found | None:
    return next(values, None)


def _of_best_source(values: Iterable[Found]) -> tuple[Found, ...]:
    """The distinct values of the most credible source, which comes first. Sources are not mixed, as wordings differ."""
    _, best = next(groupby(values, attrgetter("source")), ("", ()))
    return tuple(_distinct(best))[:_MOST_LABELS]


def _distinct(values: Iterable[Found]) -> list[Found]:
    """The first of each group of values that differ only in case and punctuation."""
    known: dict[str, Found] = {}
    for found in values:
        known.setdefault(comparable(found.value), found)
    return list(known.values())


def _site_names(titles: list[str], declared: list[Found], address: str) -> Iterator[Found]:
    """The names of the site in titles."""
    for found in [*_found(titles, "html"), *declared[:_MOST_TITLES]]:
        if name := site_name_in_title(found.value, address):
            yield Found(name, found.source)


def _titles(declared: list[Found], headings: list[str], title: str) -> Iterator[Found]:
    """What may be the title, the most credible first."""
    yield from declared
    yield from _found([best_heading(headings, title)], "page")
    yield from _found([title], "html")


def _title_of(titles: Iterable[Found], site_names: Set[str], headings: list[str], address: str) -> Found | None:
    """The first of the titles that is more than the name of the site, as the page shows it, without that name."""
    shown = set(map(comparable, headings))
    for found in titles:
        if bare := without_site_name(found.value, site_names, headings):
            if found.source == "page" or comparable(bare) in shown:
                return Found(bare, found.source)
            if heading := heading_of_title(headings, bare, address):
                return Found(without_site_name(heading, site_names, []) or heading, "page")
            return Found(without_last_part(bare), found.source)
    return None


def _authors(
    found: PageCandidates, declared: list[Found], publishers_of: Callable[[], Publishers]
) -> tuple[Found, ...]:
    """The authors named by the most credible source. If that names the publisher, full names come first."""
    shown = [] if declared else shown_authors(found)
    if not declared and not shown:
        return ()  # as on most pages, whose publishers nobody needs to know then
    publishers = publishers_of()
    people = [one for one in declared if not publishers.include(one.value)]
    surely = [one for one in people if not publishers.may_include(one.value)]
    if any(one in surely for one in _of_best_source(declared)):
        return _of_best_source(surely)
    if full_names := _of_best_source(one for one in surely if " " in one.value):
        return full_names
    shown = [name for name in shown or shown_authors(found) if not publishers.include_shown(name)]
    return _of_best_source(_found(shown, "page")) or _of_best_source(people)


def _categories(values: Iterable[Found], title: Found | None) -> tuple[Found, ...]:
    own = comparable(title.value) if title else ""
    return _of_best_source(found for found in values if comparable(found.value) != own)


def _text(value: str, source: str, addresses: _Addresses) -> list[str]:
    return [plain_text(value)]


def _title(value: str, source: str, addresses: _Addresses) -> list[str]:
    text = plain_text(value)
    return [text] if len(text) <= _LONGEST_TITLE else []


def _label(value: str, source: str, addresses: _Addresses) -> list[str]:
    text = plain_text(value)
    return [text] if 1 < len(text) <= _LONGEST_LABEL else []


def _labels(value: str, source: str, addresses: _Addresses) -> list[str]:
    """The labels in a comma-separated list."""
    listed = value[: _MOST_LABELS * _LONGEST_LABEL].replace("，", ",").replace(";", ",")
    if "&" in listed or "<" in listed:
        return [label for part in listed.split(",") for label in _label(part, source, addresses)]
    # Nothing to decode: all are cleaned up at once.
    return [label for part in folded(listed).split(",") if 1 < len(label := part.strip()) <= _LONGEST_LABEL]


def _people(value: str, source: str, addresses: _Addresses) -> list[str]:
    return names_in(given_name_first(value) if source in ("dublin core", "meta") else value)


def _date(value: str, source: str, addresses: _Addresses) -> list[str]:
    return [iso_date(value)]


def _language(value: str, source: str, addresses: _Addresses) -> list[str]:
    return [language_tag(value)]


def _address(value: str, source: str, addresses: _Addresses) -> list[str]:
    return [addresses.on_web(value)] if value.strip() else []


def _licence(value: str, source: str, addresses: _Addresses) -> list[str]:
    """A URL, or the name of a free licence; not `All rights reserved`."""
    text = plain_text(value)
    if source == "html" or text.startswith(("http://", "https://", "//")):
        return _address(value, source, addresses)
    return [text] if len(text) <= _LONGEST_LABEL and text.lower().startswith(_LICENCE_NAMES) else []


def _page_type(value: str, source: str, addresses: _Addresses) -> list[str]:
    return [OPEN_GRAPH_TYPES.get(value.strip().lower(), "") if source == "opengraph" else value]


_VALUES: Final[dict[str, Callable[[str, str, _Addresses], list[str]]]] = {
    "title": _title,
    "subtitle": _title,
    "authors": _people,
    "published": _date,
    "modified": _date,
    "language": _language,
    "site_name": _label,
    "url": _address,
    "categories": _label,
    "tags": _labels,
    "description": _text,
    "image": _address,
    "licence": _licence,
    "page_type": _page_type,
}
"""Field -> the function that parses its values."""
_RANKS: Final = {field: _ranks(_ORDERS.get(field, ())) for field in _VALUES}
"""Field -> the rank of each source."""


_WRITTEN_BY: Final = frozenset(
    "written by,author,posted by,by,verfasst von,geschrieben von,autor,écrit par,auteur,escrito por,scritto da,autore,"
    "geschreven door,skriven av,napisane przez,автор,написано автором,작성자,글쓴이,執筆者,作者,yazan".split(",")
)
"""Labels for authors in Twitter cards, in the languages of the plug-ins that write them."""
_LINKS: Final = {"canonical": "url", "image_src": "image", "license": "licence", "licence": "licence"}
"""Relation of a link -> field of Metadata."""
_NAME_TO_FIELD: Final = {
    name: (field, source) for source, names in reversed(VOCABULARIES.items()) for name, field in names.items()
}
_NAMES_OF_LABELS: Final = ("twitter:label", "twitter:data")


def head_candidates(found: PageCandidates) -> Iterator[Candidate]:
    """All candidates in the head."""
    yield "language", found.language, "html"
    labels: dict[str, str] = {}
    for name, content in found.metas:
        if known := _NAME_TO_FIELD.get(name):
            yield known[0], content, known[1]
        elif name.startswith(_NAMES_OF_LABELS):
            labels[name] = content
    yield from _labelled_authors(labels)
    for relation, target in found.links:
        yield _LINKS[relation], target, "html"


def _labelled_authors(contents: dict[str, str]) -> Iterator[Candidate]:
    """Authors in Twitter cards: `twitter:label1` is the label of `twitter:data1`."""
    for name, label in contents.items():
        if name.startswith("twitter:label") and label.strip().lower() in _WRITTEN_BY:
            yield "authors", contents.get(name.replace("label", "data"), ""), "twitter"
