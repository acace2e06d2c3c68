"""Tools for language models: clean an address, a file, html or a site, search in a page, explain decisions.

Plain functions: values that JSON can hold come out, and errors are those of dehusk. `mcp_server` serves them. Their
docstrings are what a model reads of them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, Literal, TypeAlias

from dehusk.cleaning import CleanedPage, clean
from dehusk.errors import DehuskError, InvalidSetting
from dehusk.integrations.kept_pages import KeptPages
from dehusk.learning import learn
from dehusk.outputs.chunks import Chunk
from dehusk.outputs.document.output_options import OutputOptions
from dehusk.page.characters import encodable, words_of
from dehusk.page.page_reading import read_page
from dehusk.sources.raw_page import RawPage
from dehusk.workers.guard import guarded

Answer: TypeAlias = dict[str, Any]
TextFormat: TypeAlias = Literal["markdown", "text"]
FavourWord: TypeAlias = Literal["precision", "balanced", "recall"]

PART_CHARACTERS: Final = 20_000
"""Characters of text in one answer: some 5,000 tokens, a small part of what models read at once."""
MOST_PAGES: Final = 30
"""Pages of a site in one call: at a second each, clients wait for a minute at most."""
SITE_SECONDS: Final = 40.0
"""Time to fetch them in; the usual time limit of clients is 60 seconds."""
FEWEST_LEARNT: Final = 3
"""Pages to learn a site from: two do not tell template from article."""
EXCERPT: Final = 300
"""Characters of a page or block that listings show."""
MOST_BLOCKS: Final = 50
"""Blocks that `explain` lists in one answer."""
SEARCHED_WORDS: Final = 150
"""Words of the chunks that are searched: a few paragraphs, short enough to quote."""
MOST_RESULTS: Final = 20
MOST_FAILURES: Final = 20
"""What is listed of them in one answer; more would only fill a model's memory."""
_SATURATION: Final = 1.2
_LENGTH_SHARE: Final = 0.75
"""The usual k1 and b of BM25 (Robertson & Zaragoza, The Probabilistic Relevance Framework, 2009)."""


class PageTools:
    """The tools, over pages that are kept between calls."""

    def __init__(self, pages: KeptPages) -> None:
        self._pages = pages

    def clean_url(
        self,
        url: str,
        format: TextFormat = "markdown",
        start: int = 0,
        links: bool = False,
        comments: bool = False,
        favour: FavourWord = "balanced",
    ) -> Answer:
        """Fetch a web page and return its main content, without navigation, ads and other boilerplate.

        robots.txt is obeyed. A long text comes in parts: if `next_start` is not null, call again with it as `start`.
        `problem` is not empty if the page lacks its content: `js-required` (scripts would fill it) or `blocked`; or if
        its encoding was wrong (`wrong-encoding`) or is beyond repair (`garbled`).
        `favour` recall keeps doubtful text, precision drops it; `links` shows link targets; `comments` keeps readers'
        comments.
        """
        raw = self._pages.page_at(url)
        return _answer(self._clean(raw, comments=comments, favour=favour), format, start, links)

    def clean_file(
        self,
        path: str,
        format: TextFormat = "markdown",
        start: int = 0,
        links: bool = False,
        comments: bool = False,
        favour: FavourWord = "balanced",
    ) -> Answer:
        """Return the main content of an HTML file, named relative to the folder of this server; see clean_url."""
        return _answer(self._clean(self._pages.file_at(path), comments=comments, favour=favour), format, start, links)

    def clean_html(
        self,
        html: str,
        url: str = "",
        format: TextFormat = "markdown",
        start: int = 0,
        links: bool = False,
        comments: bool = False,
        favour: FavourWord = "balanced",
    ) -> Answer:
        """Return the main content of html given as text; `url` makes its links absolute. See clean_url."""
        return _answer(clean(html, url=url, comments=comments, favour=favour), format, start, links)

    def clean_site(self, url: str, pages: int = 10) -> Answer:
        """Fetch some pages of a site, learn its template, and list the pages with title and beginning of the text.

        Call clean_url with the url of a page for its whole text; it is not fetched again, and its template is known.
        Takes about a second per page; at most 30 pages.
        """
        if not 1 <= pages <= MOST_PAGES:
            raise InvalidSetting("pages", f"{pages} is not between 1 and {MOST_PAGES}", "ask for fewer")
        failures: list[DehuskError] = []
        fetched = list(self._pages.pages_of_site(url, pages, SITE_SECONDS, failures.append))
        is_learnt = self._learn(fetched)
        listed = []
        for raw in fetched:
            page = guarded(self._clean, raw, raw.label)
            if isinstance(page, DehuskError):
                failures.append(page)
            else:
                listed.append(_about(page) | {"excerpt": _shortened(page.text)})
        told = [{"kind": error.kind, "message": _shortened(str(error))} for error in failures[:MOST_FAILURES]]
        return {"pages": listed, "failed": told, "failures": len(failures), "learnt": is_learnt}

    def search_page(self, query: str, source: str = "", html: str = "", results: int = 5) -> Answer:
        """Find the parts of a page that fit a query best. `source` is an address or a file; or give `html`.

        Each result has the headings it stands under, its Markdown, its links, and `start`: where it begins in the text
        that the clean tools return.
        """
        wanted = words_of(query)
        if not wanted:
            raise InvalidSetting("query", "has no words", "say what to look for")
        if not 1 <= results <= MOST_RESULTS:
            raise InvalidSetting("results", f"{results} is not between 1 and {MOST_RESULTS}", "ask for fewer")
        page = self._page(source, html)
        chunks = page.chunks(SEARCHED_WORDS)
        scores = _relevance(wanted, [words_of(chunk.text) for chunk in chunks])
        best = sorted(range(len(chunks)), key=lambda number: (-scores[number], number))[:results]
        found = [_found(chunks[number], scores[number]) for number in best if scores[number] > 0]
        return _about(page) | {"chunks": len(chunks), "results": found}

    def explain(self, source: str = "", text: str = "", html: str = "", start: int = 0) -> Answer:
        """Say for each block of a page whether it was kept, its score, and why. `source` is an address or a file.

        `text` lists only blocks that contain it. If `next_start` is not null, call again with it as `start`.
        """
        page = self._page(source, html)
        wanted = text.casefold()
        blocks = [(number, block) for number, block in enumerate(page) if wanted in block.text.casefold()]
        listed = [
            {
                "number": number,
                "kept": block.kept,
                "score": None if math.isnan(block.score) else round(block.score, 4),
                "kind": block.kind,
                "text": _shortened(block.text),
                "reasons": list(block.reasons),
            }
            for number, block in blocks[_checked(start) : start + MOST_BLOCKS]
        ]
        next_start = start + MOST_BLOCKS
        further = {"blocks": len(blocks), "next_start": next_start if next_start < len(blocks) else None}
        return _about(page) | {"listed": listed} | further

    def _page(self, source: str, html: str) -> CleanedPage:
        if bool(source) == bool(html):
            raise InvalidSetting("source", "give either a source or html", "source is an address or a file")
        if html:
            return clean(html)
        is_address = source.lower().startswith(("http://", "https://"))
        return self._clean(self._pages.page_at(source) if is_address else self._pages.file_at(source))

    def _clean(self, raw: RawPage, comments: bool = False, favour: str = "balanced") -> CleanedPage:
        model = self._pages.model_of(raw.url) if raw.url else None
        return clean(raw, model, comments=comments, favour=favour)

    def _learn(self, fetched: Sequence[RawPage]) -> bool:
        """Learn the site from its pages, those that can be read."""
        read = [guarded(read_page, raw, raw.label) for raw in fetched]
        pages = [page for page in read if not isinstance(page, DehuskError)]
        if len(pages) < FEWEST_LEARNT:
            return False
        self._pages.keep_model(fetched[0].url, learn(pages))
        return True


def _about(page: CleanedPage) -> Answer:
    """What is known of a page."""
    known = page.metadata.to_dict()
    return {
        "url": page.page.url,
        "name": page.page.name,
        "title": _shortened(str(known["title"] or "")),
        "language": known["language"] or "",
        "published": known["published"] or "",
        "type": page.page_type,
        "confidence": None if page.confidence is None else round(page.confidence, 4),
        "problem": page.problem,
        "words": len(words_of(page.text)),
    }


def _answer(page: CleanedPage, format_name: str, start: int, links: bool) -> Answer:
    """A page with a part of its text."""
    text = encodable(page.render(format_name, OutputOptions(links=links)))
    if _checked(start) > len(text):
        raise InvalidSetting("start", f"{start} is beyond the text ({len(text)} characters)", "start at 0")
    end = end_of_part(text, start)
    further = {"start": start, "characters": len(text), "next_start": end if end < len(text) else None}
    return _about(page) | {"format": format_name, "text": text[start:end]} | further


def _checked(start: int) -> int:
    if start < 0:
        raise InvalidSetting("start", f"{start} is less than 0", "start at 0")
    return start


def end_of_part(text: str, start: int, most: int = PART_CHARACTERS) -> int:
    """Where a part of a text ends: after a block or a line in the second half of what it may have, if there is one."""
    end = start + most
    if end >= len(text):
        return len(text)
    for between in ("\n\n", "\n", " "):
        place = text.rfind(between, start + most // 2, end)
        if place >= 0:
            return place + len(between)
    return end


def _shortened(text: str) -> str:
    text = encodable(text)
    return text if len(text) <= EXCERPT else f"{text[:EXCERPT]}…"


def _found(chunk: Chunk, score: float) -> Answer:
    told = {"score": round(score, 3), "headings": list(chunk.headings), "text": encodable(chunk.text)}
    return told | {"start": chunk.start, "links": list(chunk.links), "id": chunk.id}


def _relevance(query: Sequence[str], documents: Sequence[Sequence[str]]) -> list[float]:
    """BM25 of each document for the query."""
    counts = [Counter(document) for document in documents]
    mean = sum(map(len, documents)) / max(len(documents), 1) or 1.0
    holding = {word: sum(word in count for count in counts) for word in dict.fromkeys(query)}
    rarity = {word: math.log1p((len(counts) - held + 0.5) / (held + 0.5)) for word, held in holding.items()}
    scores = []
    for count, document in zip(counts, documents, strict=True):
        norm = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * len(document) / mean)
        parts = (rarity[word] * count[word] * (_SATURATION + 1) / (count[word] + norm) for word in rarity)
        scores.append(sum(parts))
    return scores
