"""Rules on other articles below the one that the page is about.

*Teasers* are headlines that link to other pages of the site, each with a line of text. They are recognised by their
form: a block that is a link, soon followed by one that is not (`native/src/deciding/teasers.rs`), repeated with the
same DOM paths. An article may list things in that form, too. So the links must lead to pages of one site, and the main
content must be above the list, under the title of the page, and outside the element that holds the list.

*Further articles* are loaded by news sites below the first one (infinite scrolling). The first top-level heading is the
title of the page. If at least two more have the same DOM path and differ from the title, further articles begin there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise
from typing import Final
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import BlockMask, Blocks, Kind
from dehusk.blocks.page_title import Title
from dehusk.deciding.verdicts import FEWEST_CHARACTERS
from dehusk.native.calculations import Question, ask
from dehusk.page.links import base_url, safe_urls
from dehusk.page.page_columns import Rows
from dehusk.page.tags import TagSet

_FEWEST: Final = 3
"""Teasers that a list needs."""
_MOST: Final = 20
"""Lists to examine."""
_LONGEST_GAP: Final = 250
"""Characters kept between two teasers that still belong to their list: sources, advertisements, other headlines."""
_FEWEST_CHARACTERS: Final = 120
"""Characters that must be left of the page."""
_ABOVE: Final = 0.7
_WITHIN: Final = 0.1
"""Shares of the rest of the text: at least so much above the list, at most so much in the same element."""
_ON_SITE: Final = 0.7
"""Share of the links of a list that lead to one site; others are advertisements."""
_FEWEST_ARTICLES: Final = 2
"""Further headings. A single one may belong to the same article."""
_MOST_HEADINGS: Final = 100
"""Top-level headings to examine."""

Teaser = tuple[int, int]
"""Indexes of the headline and of its text."""


def find_teasers(blocks: Blocks, keep: BlockMask) -> BlockMask:
    """bool: kept blocks that are teasers for other pages."""
    none = np.zeros(len(blocks), dtype=bool)
    lists = _lists(blocks, keep)
    if not lists:
        return none
    links, base = blocks.page.closest(blocks.page.tagged(TagSet.LINK)), base_url(blocks.page)
    lists = [teasers for teasers in lists if _is_of_one_site(blocks, teasers, links, base)]
    kept = np.where(keep, blocks.length, 0)
    rest = np.where(_covered(lists, kept), 0, kept)
    below = [teasers for teasers in lists if _is_below(blocks, teasers, rest)]
    if not below or rest.sum() < _FEWEST_CHARACTERS or not _has_title(blocks, min(one[0][0] for one in below)):
        return none
    return keep & _covered(below, kept)


def _lists(blocks: Blocks, keep: BlockMask) -> list[list[Teaser]]:
    """Teasers with the same DOM paths, some of them kept."""
    teasers = _teasers(blocks, keep)
    headline_paths = blocks.paths_of([headline for headline, _ in teasers]).numbers
    text_paths = blocks.paths_of([text for _, text in teasers]).numbers
    lists: defaultdict[tuple[int, int], list[Teaser]] = defaultdict(list)
    for teaser, paths in zip(teasers, zip(headline_paths, text_paths, strict=True), strict=True):
        lists[paths].append(teaser)
    kept = [teasers for teasers in lists.values() if any(keep[text] for _, text in teasers)]
    return [teasers for teasers in sorted(kept, key=len, reverse=True)[:_MOST] if len(teasers) >= _FEWEST]


def _teasers(blocks: Blocks, keep: BlockMask) -> list[Teaser]:
    """Headlines with their texts that may be part of a list, by tags and depths alone: comparing paths takes longer."""
    found = ask(Question.TEASERS, (), blocks.page.native, blocks.native, subject=blocks.page.label)
    headlines, texts, shapes = found.columns(3)
    possible = np.bincount(shapes, keep[texts])[shapes] > 0
    return list(zip(headlines[possible].tolist(), texts[possible].tolist(), strict=True))


def _is_of_one_site(blocks: Blocks, teasers: list[Teaser], links: Rows, base: str) -> bool:
    """Whether the headlines link to different pages, mostly of one site, and of this one if its URL is known."""
    rows = [_link_of(blocks, headline, links) for headline, _ in teasers]
    addresses = [blocks.page.attributes(row).get("href", "") for row in rows if row >= 0]
    resolved = iter(safe_urls(addresses, base))
    targets = [next(resolved) if row >= 0 else "" for row in rows]
    site, number = Counter(map(_site, targets)).most_common(1)[0]
    is_own = not _site(base) or site == _site(base)
    return is_own and number >= _ON_SITE * len(teasers) and len(set(targets)) >= _FEWEST


def _link_of(blocks: Blocks, headline: int, links: Rows) -> int:
    """Row of the link in a block, -1 for none; text outside the link, a time or a name, may come first or last."""
    return max(int(links[blocks.first_row[headline]]), int(links[blocks.last_row[headline]]))


def _site(address: str) -> str:
    """The last two labels of the host: enough to compare sites. Empty for a URL without a host."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return ""
    return ".".join(host.split(".")[-2:])


def _is_below(blocks: Blocks, teasers: list[Teaser], rest: NDArray[np.int32]) -> bool:
    """Whether the rest of the page is above the list and outside the element that holds it."""
    (first, _), (_, last) = teasers[0], teasers[-1]
    page, row = blocks.page, int(blocks.owner[first])
    while row > 0 and page.subtree_end[row] <= blocks.last_row[last]:
        row = int(page.parent[row])
    within = (blocks.first_row >= row) & (blocks.first_row < page.subtree_end[row])
    return bool(rest[:first].sum() >= _ABOVE * rest.sum() and rest[within].sum() <= _WITHIN * rest.sum())


def _has_title(blocks: Blocks, end: int) -> bool:
    """Whether a heading before a block repeats the title of the page."""
    is_heading = (blocks.kind[:end] == Kind.HEADING) & ~blocks.hidden[:end]
    headings, title = np.flatnonzero(is_heading).tolist(), Title(blocks)
    return any(title.is_repeated_by(heading) for heading in headings)


def _covered(lists: list[list[Teaser]], kept: NDArray[np.int32]) -> BlockMask:
    """bool: from each headline to its text, and on to the next headline if little is kept between them."""
    covered = np.zeros(len(kept), dtype=bool)
    for teasers in lists:
        for (headline, text), (following, _) in pairwise([*teasers, (len(kept), len(kept))]):
            is_near = following < len(kept) and kept[text + 1 : following].sum() <= _LONGEST_GAP
            covered[headline : following if is_near else text + 1] = True
    return covered


def find_further_articles(blocks: Blocks, keep: BlockMask) -> BlockMask:
    """bool: kept blocks from the second article down, if enough is left of the first."""
    second = first_of_further_articles(blocks)
    further = np.zeros(len(blocks), dtype=bool)
    if second is not None and blocks.length[:second][keep[:second]].sum() >= FEWEST_CHARACTERS:
        further[second:] = keep[second:]
    return further


def first_of_further_articles(blocks: Blocks) -> int | None:
    """Index of the block where a second article begins; None on nearly all pages."""
    is_top = blocks.of_kind(Kind.HEADING) & (blocks.level == 1) & ~blocks.hidden
    first, *others = np.flatnonzero(is_top)[:_MOST_HEADINGS].tolist() or [None]
    if first is None or len(others) < _FEWEST_ARTICLES or not (title := Title(blocks)).is_repeated_by(first):
        return None
    path, *other_paths = blocks.paths_of([first, *others]).numbers
    alike = [other for other, other_path in zip(others, other_paths, strict=True) if other_path == path]
    further = [other for other in alike if title.is_repeated_by(other) is False]
    return further[0] if len(further) >= _FEWEST_ARTICLES else None
