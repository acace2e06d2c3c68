"""Metadata in the head of a document: meta elements, links, the language."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from dehusk.metadata.values import Candidate, Found
from dehusk.metadata.vocabularies import VOCABULARIES
from dehusk.page.page_columns import Page
from dehusk.page.tags import TAG_CODES

_MOST_ELEMENTS: Final = 2000
"""Meta elements and links that are read."""
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


def head_candidates(page: Page) -> Iterator[Candidate]:
    """All candidates in the head."""
    yield from _language(page)
    yield from _metas(page)
    yield from _labelled_authors(page)
    yield from _links(page)


def _metas(page: Page) -> Iterator[Candidate]:
    for row, content in islice(page.with_attribute("content"), _MOST_ELEMENTS):
        if page.tag[row] != TAG_CODES["meta"] or not content.strip():
            continue
        attributes = page.attributes(row)
        names = {attributes.get(key, "").strip().lower() for key in ("property", "name", "http-equiv")}
        for field, source in {_meaning(name) for name in names} - {_NO_MEANING}:
            yield field, Found(content, source)


_NO_MEANING: Final = ("", "")


def _meaning(name: str) -> tuple[str, str]:
    """(field, vocabulary) of a name; Dublin Core is also written with colons."""
    name = name.replace(":", ".", 1) if name.startswith(("dc:", "dcterms:")) else name
    return _NAME_TO_FIELD.get(name, _NO_MEANING)


def _labelled_authors(page: Page) -> Iterator[Candidate]:
    """Authors in Twitter cards: `twitter:label1` is the label of `twitter:data1`."""
    contents = {
        name.strip().lower(): page.attributes(row).get("content", "")
        for key in ("name", "property")
        for row, name in page.with_attribute(key)
        if name.strip().lower().startswith(("twitter:label", "twitter:data"))
    }
    for name, label in contents.items():
        if name.startswith("twitter:label") and label.strip().lower() in _WRITTEN_BY:
            yield "authors", Found(contents.get(name.replace("label", "data"), ""), "twitter")


def _links(page: Page) -> Iterator[Candidate]:
    for row, relation in islice(page.with_attribute("rel"), _MOST_ELEMENTS):
        for name in relation.lower().split():
            # Any element may link to the licence, but only <link> gives the URL of the page.
            if name in _LINKS and (page.tag[row] == TAG_CODES["link"] or _LINKS[name] == "licence"):
                yield _LINKS[name], Found(page.attributes(row).get("href", ""), "html")


def _language(page: Page) -> Iterator[Candidate]:
    for row in range(min(len(page), 1)):
        yield "language", Found(page.attributes(row).get("lang", ""), "html")
