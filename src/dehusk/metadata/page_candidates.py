"""Candidates for metadata on a page, as written. The compiled part collects them, `native/src/metadata`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Self

from dehusk.metadata.title_parts import (
    best_heading,
    document_title,
    is_home_page,
    main_headings,
    section_in_title,
    site_name_in_title,
    without_site_name,
)
from dehusk.metadata.value_texts import comparable
from dehusk.native.calls import Outcome
from dehusk.page.page_columns import Page, derived

_CANDIDATES, _LANGUAGE_SAMPLE, _DATE_DOCUMENT = range(3)
"""What is collected. The numbers, and those of the columns, are those of `native/src/derived_exchange.rs`."""
_TITLES: Final = 6
"""Only the first three lists of all candidates."""
_NO_ROW: Final = -1


@dataclass(frozen=True, eq=False, slots=True)
class PageCandidates:
    """Texts that may be metadata, in document order unless said otherwise. Most are never asked for."""

    native: Outcome
    texts: list[str]
    """Those of all lists, one after the other."""
    ends: list[int]
    """After how many texts each list ends; the first is 0."""

    @classmethod
    def of(cls, found: Outcome) -> Self:
        """Those that the compiled part has collected."""
        return cls(found, found.texts(1), [0, *found.entries(0)])

    @property
    def titles(self) -> list[str]:
        """Visible `<title>` elements."""
        return self._list(0)

    @property
    def headings(self) -> list[str]:
        """The first `<h1>` elements, without those that link to the home page."""
        return self._list(1)

    @property
    def names_of_site(self) -> list[str]:
        """Those `<h1>` elements that are nothing but a link to the home page."""
        return self._list(2)

    @property
    def metas(self) -> list[tuple[str, str]]:
        """(name in lower case, content) of meta elements."""
        return self._pairs(3)

    @property
    def links(self) -> list[tuple[str, str]]:
        """(relation, target) of links to the page's own address, image and licence."""
        return self._pairs(4)

    @property
    def have_items(self) -> bool:
        """Whether there is any microdata."""
        return self.ends[5] < self.ends[7]

    @property
    def item_types(self) -> list[str]:
        """The types of microdata items."""
        return self._list(5)

    @property
    def item_properties(self) -> list[tuple[str, str, int, int]]:
        """(name, value, item it is of, item that is its value) of microdata properties; -1 for no item."""
        texts = self._list(6)
        return list(zip(texts[::2], texts[1::2], self._rows(2, 6), self._rows(3, 6), strict=True))

    @property
    def have_bylines(self) -> bool:
        """Whether there are bylines of any kind."""
        return self.ends[7] < self.ends[11]

    @property
    def related_bylines(self) -> list[tuple[int, str]]:
        """(row, text) of links with `rel=author`; like all bylines, those near the heading first."""
        return list(zip(self._rows(4, 7), self._list(7), strict=True))

    @property
    def linked_bylines(self) -> list[tuple[int, tuple[str, str]]]:
        """(row, (end of the address, text)) of links to the pages of authors."""
        return list(zip(self._rows(5, 8), self._pairs(8), strict=True))

    @property
    def named_bylines(self) -> Iterator[tuple[str, list[tuple[int, str]]]]:
        """(text, (row, text) of each link in it) of elements named as bylines."""
        texts = list(zip(self._rows(6, 9), self._list(9), strict=True))
        starts = [index for index, (row, _) in enumerate(texts) if row == _NO_ROW]
        for start, end in pairwise([*starts, len(texts)]):
            yield texts[start][1], texts[start + 1 : end]

    @property
    def written_bylines(self) -> list[str]:
        """Short texts that start with `By`."""
        return self._list(10)

    @property
    def dates(self) -> list[str]:
        """Texts that may be the date of the page: of `<time>` elements, those named as publication dates first, then of
        elements named as dates, then short texts with a year."""
        return self._list(11)

    @property
    def subtitles(self) -> list[str]:
        """The first element after the heading that is named as a subtitle."""
        return self._list(12)

    @property
    def tags(self) -> list[str]:
        """Links with `rel=tag`."""
        return self._list(13)

    @property
    def trail(self) -> list[str]:
        """Links in the breadcrumbs."""
        return self._list(14)

    @property
    def licences(self) -> list[str]:
        """Addresses of Creative Commons licences in a footer."""
        return self._list(15)

    @property
    def language(self) -> str:
        """What the first element says in `lang`."""
        return self._list(16)[0]

    @property
    def scripts(self) -> list[str]:
        """Scripts that may hold JSON-LD."""
        return self._list(17)

    def _list(self, number: int) -> list[str]:
        return self.texts[self.ends[number] : self.ends[number + 1]]

    def _pairs(self, number: int) -> list[tuple[str, str]]:
        texts = self._list(number)
        return list(zip(texts[::2], texts[1::2], strict=True))

    def _rows(self, number: int, of_list: int) -> list[int]:
        """The rows of the texts in a list; nearly all lists of most pages are empty."""
        return self.native.entries(number) if self.ends[of_list] < self.ends[of_list + 1] else []


def collect_candidates(page: Page) -> PageCandidates:
    """Collect the candidates of a page."""
    return PageCandidates.of(_collected(page, _CANDIDATES))


def headings_and_site_names(found: PageCandidates, address: str) -> tuple[list[str], list[str]]:
    """Headings that could be titles, and those that only link to the home page; on that page, they are titles."""
    names = found.names_of_site
    if names and is_home_page(address):
        return main_headings([*names, *found.headings]), []
    return main_headings(found.headings), names


def shown_title(page: Page) -> str:
    """The title that a page shows: the heading that its title element repeats, or that without the site name."""
    found = PageCandidates.of(_collected(page, _TITLES))
    title = document_title(found.titles)
    all_headings, linked = headings_and_site_names(found, page.url)
    ends = site_name_in_title(title, page.url), section_in_title(title, page.url)
    site_names = {*map(comparable, ends), *map(comparable, linked)} - {""}
    headings = [heading for heading in all_headings if comparable(heading) not in site_names]
    own = best_heading(headings, title) or title
    return without_site_name(own, site_names, headings)


def language_sample(page: Page) -> str:
    """Up to 500 characters of visible running text, for the detection of its language."""
    return _collected(page, _LANGUAGE_SAMPLE).text(0)


def date_document(page: Page) -> str:
    """A small html document of everything that may be a date; empty if there is nothing."""
    return _collected(page, _DATE_DOCUMENT).text(0)


def _collected(page: Page, what: int) -> Outcome:
    return derived(page, what)
