"""Find duplicate pages of a site: a method that learns what pages share must not see the same article twice.

To such a method whatever is the same on all pages is template, so an article sampled under two URLs (print version,
`?ref=...`, saved again on another day) would be taken for template. But on sites of shops, documentation or
fact sheets most words of *any* two pages are the same. So pages are compared in two steps:

1. **The same words.** Pages with the same visible words in the same order are one, whatever their numbers: counters,
   dates, prices and session identifiers change from one visit to the next. Only where numbers make up much of a page,
   or the page has few words, are they its content and must agree, too.
2. **The same words that other pages do not have.** A window of three words weighs log((m - 1) / (1 + d)), if d of the
   m - 2 *other* pages have it. What every page has weighs nothing, so it matters little whether a print version lacks
   the navigation. Pages are near duplicates if the windows they share have most of the weight of those that either has.

Leaving the compared pages out of the count makes the second step work in small samples, too: of three pages, what two
have and the third has not is not template. From two pages alone nothing tells template from article, so only the first
step finds them the same. If most of a sample is one article, in versions that differ in more than numbers, its words
are as common as template and what differs is not: such versions can be kept, as fact sheets of one template must be.

A dropped page no longer counts against the windows it has, so the second step is repeated until nothing is found.

Reading words is linear in the text. The second step works on at most `MOST_WINDOWS` of a page, in at most ten rounds;
each sorts all windows once, and compares at most a fixed number of pairs a page, those that windows in common propose.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from dehusk.arguments import checked, each
from dehusk.errors import InvalidSetting, enough_memory
from dehusk.native.calculations import Question, ask
from dehusk.native.calls import Outcome
from dehusk.page.characters import as_utf8
from dehusk.page.page_columns import Page
from dehusk.page.stable_hashing import Keys

LEAST_SIMILARITY: Final = 0.8
"""Share of the weight that near duplicates have in common. Below, pages of one section that say little of their own are
caught by the section's menu; above, versions of one article with other lists of related articles are missed."""

MOST_WINDOWS: Final = 4096
"""Windows of a page that are compared: those with the smallest hashes, so that of equal texts the same ones are taken.
Few pages have more, and of these so many are a good sample."""

_WORDS_OF_WINDOW: Final = 3
"""Single words come again in other texts. The longer a window, the more of them one changed word takes away."""


@dataclass(frozen=True, slots=True)
class DistinctPages:
    """Which pages of a sequence to keep, by index."""

    kept: tuple[int, ...]
    """In the given order; the first of each set of duplicates."""
    duplicate_of: Mapping[int, int]
    """Dropped page -> the page kept instead."""


@enough_memory("comparing the pages of a site")
@checked
def distinct_pages(pages: Iterable[Page], least_similarity: float = LEAST_SIMILARITY) -> DistinctPages:
    """Find the pages of one site that are not duplicates. Pages may be streamed.

    Arguments:
        pages: pages of one site.
        least_similarity: share of common words from which on pages are duplicates.

    Returns:
        The numbers of the pages to keep (`kept`), and for each other page the one it repeats (`duplicate_of`).

    Raises:
        InvalidSetting: the similarity is not above 0 and up to 1.
        OutOfMemory: there is not enough memory to compare the pages.

    >>> text = "Steep the leaves for three minutes, then pour the tea into a warm cup. "
    >>> pages = [f"<p>{text * 3}", f"<p>{text * 3}", "<p>" + "Coffee is another matter altogether, they say. " * 5]
    >>> dehusk.distinct_pages(map(dehusk.read_page, pages)).kept
    (0, 2)
    """
    if not 0 < least_similarity <= 1:
        raise InvalidSetting("least_similarity", f"{least_similarity!r} is not above 0 and up to 1", "try 0.8")
    same_words, windows = _compare_words(each(pages, Page, "pages"))
    different = list(windows)
    near = _near_duplicates(list(windows.values()), least_similarity)
    dropped = same_words | {different[later]: different[earlier] for later, earlier in near.items()}
    kept = tuple(number for number in different if number not in dropped)
    return DistinctPages(kept, MappingProxyType(_to_kept(dropped)))


def _to_kept(dropped: Mapping[int, int]) -> dict[int, int]:
    """Follow pages whose duplicate was itself dropped later. The duplicate of a page is always an earlier page."""
    duplicate_of: dict[int, int] = {}
    for later in sorted(dropped):
        duplicate_of[later] = duplicate_of.get(dropped[later], dropped[later])
    return duplicate_of


def fingerprint(page: Page) -> bytes:
    """16 bytes, equal for pages that step 1 takes for the same."""
    return _words(page).digest


# Step 1: the same words


def _compare_words(pages: Iterable[Page]) -> tuple[dict[int, int], dict[int, Keys]]:
    """Pages with the words of an earlier one, and the windows of all others."""
    first_with: dict[bytes, int] = {}
    same: dict[int, int] = {}
    windows: dict[int, Keys] = {}
    for number, page in enumerate(pages):
        words = _words(page)
        first = first_with.setdefault(words.digest, number)
        if first == number:
            windows[number] = words.windows
        else:
            same[number] = first
    return same, windows


class _Words(NamedTuple):
    """What the compiled part says of the words of a page or a text: `native/src/keys/word_keys.rs`."""

    windows: Keys
    """uint64, sorted: the distinct runs of words. Here numbers count: fact sheets have little else of their own."""
    digest: bytes
    """The same for texts with the same words. Numbers are left out: 1,234 has another number of parts than 999."""


def shingles_of(text: str, words: int, most: int) -> Keys:
    """uint64, sorted: the distinct runs of so many words in a text, in any case; those with the smallest keys if there
    are more than `most`. A text of fewer words is one run."""
    settings = array("q", (words, most, True))
    return _found(ask(Question.WORD_WINDOWS, (as_utf8(text.lower()), settings), subject="a text")).windows


def _words(page: Page) -> _Words:
    """The words that a page shows in its body."""
    return _found(ask(Question.WORD_WINDOWS, (_OF_PAGES,), page.native, subject=page.label))


_OF_PAGES: Final = array("q", (_WORDS_OF_WINDOW, MOST_WINDOWS, False))


def _found(words: Outcome) -> _Words:
    return _Words(words.column(0).view(np.uint64), words.bytes(1))


# Step 2: the same words that other pages do not have


def _near_duplicates(windows: Sequence[Keys], least_similarity: float) -> dict[int, int]:
    """Page -> an earlier one that it is near, by index: `native/src/near_duplicates.rs`."""
    if len(windows) < 3:
        return {}
    sizes = array("q", map(len, windows))
    found = ask(Question.NEAR_DUPLICATES, (np.concatenate(windows), sizes, array("d", [least_similarity])))
    pairs = found.entries(0)
    return dict(zip(pairs[::2], pairs[1::2], strict=True))
