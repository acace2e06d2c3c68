"""Counts of a batch, for the progress display and the report."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import nlargest
from typing import Any, Final, Self

from dehusk.batch.batch_storage import Storage, write_json
from dehusk.errors import EmptyPage, NoPages, NotFollowed, NotHtml, PageSkipped

SKIPPED: Final = frozenset(error.kind for error in (PageSkipped, NotHtml, EmptyPage, NoPages, NotFollowed))
"""Kinds of errors that are not failures: there was nothing to clean."""


def task_died(bucket: int) -> str:
    """Why a whole task has no result."""
    return f"bucket {bucket}: its process died, perhaps out of memory: run the same command again, with fewer --jobs"


MOST_SLOW: Final = 20
MOST_DAMAGED: Final = 20
MOST_MESSAGES: Final = 20
"""Failures that the report quotes; the output has all of them."""


@dataclass(frozen=True, slots=True)
class PageCount:
    """One page."""

    label: str
    size_before: int
    size_after: int
    seconds: float
    cause: str = ""
    """Why it was not cleaned: the `kind` of the error."""
    message: str = ""
    """The error in full."""
    damage: tuple[float, str] = (0.0, "")
    """Share of the text that could not be decoded, and the encoding."""
    dropped: str = ""
    """Why a filter left it out, which is not a failure."""

    @property
    def is_skipped(self) -> bool:
        """Whether there was nothing to clean, which is not a failure."""
        return self.cause in SKIPPED

    @property
    def is_failed(self) -> bool:
        return bool(self.cause) and not self.is_skipped


@dataclass(slots=True)
class SiteCount:
    """The pages of one site."""

    site: str
    pages: int = 0
    failed: int = 0
    skipped: int = 0
    """Empty, or not HTML."""
    dropped: int = 0
    """Left out by filters."""
    size_before: int = 0
    """Bytes of the pages that were written."""
    size_after: int = 0
    """Bytes of their content."""
    sampled: int = 0
    different: int = 0
    """Sampled pages that are not duplicates."""
    model: str = ""
    """The file in `models/`, if the site was learnt."""
    template_share: float = 0.0
    """Share of the text of pages learnt from that is on a fifth of them or more."""
    blocks_compared: int = 0
    blocks_changed: int = 0
    """Blocks of some pages that were cleaned with and without the site, and those decided otherwise because of it."""
    trust: float = 0.0
    """From 0 to 1: how much the site counts beside the page."""
    distrust: str = ""
    """Why its pages are judged one by one although the site was learnt."""
    learning_failed: str = ""
    """Why the site was not learnt although it has enough pages."""

    def add_count(self, other: Self) -> None:
        """Add the counts of the same site in another slice; what was learnt of it is the same."""
        _add_numbers(self, other, "pages failed skipped dropped size_before size_after")


@dataclass(slots=True)
class BatchCount:
    """All pages of a slice, or of several."""

    pages: int = 0
    failed: int = 0
    skipped: int = 0
    """Empty, or not HTML."""
    size_before: int = 0
    size_after: int = 0
    seconds: float = 0.0
    """Sum over all processes."""
    causes: dict[str, int] = field(default_factory=dict)
    """Pages that were not cleaned, by kind of error."""
    dropped: dict[str, int] = field(default_factory=dict)
    """Pages that filters left out, by reason."""
    slowest: list[list[Any]] = field(default_factory=list)
    """[seconds, bytes, page], the slowest first."""
    damaged: int = 0
    """Pages with text that could not be decoded."""
    most_damaged: list[list[Any]] = field(default_factory=list)
    """[share, encoding, page], the worst first."""
    messages: list[str] = field(default_factory=list)

    def add_page(self, page: PageCount, site: SiteCount) -> None:
        """Count a page, here and for its site."""
        for count in (self, site):
            count.pages += 1
            count.failed += page.is_failed
            count.skipped += page.is_skipped
            if not page.cause and not page.dropped:
                count.size_before += page.size_before
                count.size_after += page.size_after
        if page.dropped:
            self.drop(page.dropped, site)
        self._add_slow([[round(page.seconds, 3), page.size_before, page.label]])
        if page.damage[0]:
            self.damaged += 1
            self._add_damaged([[*page.damage, page.label]])
        if page.cause:
            self.causes[page.cause] = self.causes.get(page.cause, 0) + 1
        if page.is_failed:  # not what was skipped: a folder may have as many PDFs as pages
            self._add_messages([page.message])

    def drop(self, reason: str, site: SiteCount) -> None:
        """Count a page as left out, here and for its site."""
        self.dropped[reason] = self.dropped.get(reason, 0) + 1
        site.dropped += 1

    @property
    def written(self) -> int:
        """Pages with a record of their content: pages = written + dropped + failed + skipped."""
        return self.pages - self.failed - self.skipped - sum(self.dropped.values())

    def add_count(self, other: Self) -> None:
        """Add the counts of another slice."""
        _add_numbers(self, other, "pages failed skipped size_before size_after seconds damaged")
        self.causes = dict(Counter(self.causes) + Counter(other.causes))
        self.dropped = dict(Counter(self.dropped) + Counter(other.dropped))
        self._add_slow(other.slowest)
        self._add_damaged(other.most_damaged)
        self._add_messages(other.messages)

    def _add_slow(self, pages: Iterable[list[Any]]) -> None:
        if len(self.slowest) < MOST_SLOW or any(page[0] > self.slowest[-1][0] for page in pages):
            self.slowest = nlargest(MOST_SLOW, [*self.slowest, *pages])

    def _add_damaged(self, pages: Iterable[list[Any]]) -> None:
        self.most_damaged = nlargest(MOST_DAMAGED, [*self.most_damaged, *pages])

    def _add_messages(self, messages: Iterable[str]) -> None:
        self.messages = [*self.messages, *messages][:MOST_MESSAGES]


def _add_numbers(count: object, other: object, names: str) -> None:
    for name in names.split():
        setattr(count, name, getattr(count, name) + getattr(other, name))


class Heartbeat:
    """Writes the counts of a slice to a file now and then, for the progress display."""

    def __init__(self, storage: Storage, name: str) -> None:
        self._storage, self._name = storage, name
        self._last = 0.0

    def beat(self, count: BatchCount) -> None:
        now = time.monotonic()
        if now - self._last >= self._storage.seconds_between_beats:
            self._last = now
            write_json(self._storage, self._name, {"pages": count.pages, "failed": count.failed})
