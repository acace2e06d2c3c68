"""Counts of a batch: what the progress shows while it runs, and the report when it is done."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from heapq import nlargest
from typing import Any, Final, Self

from dehusk.batch.batch_storage import Storage, write_json
from dehusk.batch.causes import SKIPPED

MOST_SLOW: Final = 20
MOST_DAMAGED: Final = 20
MOST_MESSAGES: Final = 20
"""Failures that the report quotes; all are in the output."""


@dataclass(frozen=True, slots=True)
class PageCount:
    """One page."""

    label: str
    size_before: int
    size_after: int
    seconds: float
    cause: str = ""
    """Why it was not cleaned, in two words."""
    message: str = ""
    """The same in full."""
    damage: tuple[float, str] = (0.0, "")
    """Share of the text that could not be decoded, and the encoding."""

    @property
    def is_skipped(self) -> bool:
        """Whether there was nothing to clean, which is no failure."""
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
    """Empty, or not html: there was nothing to clean, and nothing failed."""
    size_before: int = 0
    """Bytes of the pages that were cleaned."""
    size_after: int = 0
    """Bytes of their content."""
    sampled: int = 0
    different: int = 0
    """Of the sampled pages, those that do not repeat others."""
    model: str = ""
    """The file below `models/`, if the site was learnt."""
    learning_failed: str = ""
    """Why the site was not learnt although it has enough pages."""

    def add(self, page: PageCount) -> None:
        self.pages += 1
        self.failed += page.is_failed
        self.skipped += page.is_skipped
        if not page.cause:
            self.size_before += page.size_before
            self.size_after += page.size_after

    def add_count(self, other: Self) -> None:
        """Of the same site in another slice; what was learnt of it is the same."""
        for name in ("pages", "failed", "skipped", "size_before", "size_after"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(slots=True)
class BatchCount:
    """All pages of a slice, or of several."""

    pages: int = 0
    failed: int = 0
    skipped: int = 0
    """Empty, or not html: there was nothing to clean, and nothing failed."""
    size_before: int = 0
    size_after: int = 0
    seconds: float = 0.0
    """Of all processes together."""
    causes: dict[str, int] = field(default_factory=dict)
    slowest: list[list[Any]] = field(default_factory=list)
    """[seconds, bytes, page], the slowest first."""
    damaged: int = 0
    """Pages of whose text something could not be decoded."""
    most_damaged: list[list[Any]] = field(default_factory=list)
    """[share, encoding, page], the worst first."""
    messages: list[str] = field(default_factory=list)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Self:
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def add_page(self, page: PageCount) -> None:
        self.pages += 1
        self.failed += page.is_failed
        self.skipped += page.is_skipped
        if not page.cause:
            self.size_before += page.size_before
            self.size_after += page.size_after
        self._add_slow([[round(page.seconds, 3), page.size_before, page.label]])
        if page.damage[0]:
            self.damaged += 1
            self._add_damaged([[*page.damage, page.label]])
        if page.cause:
            self.causes[page.cause] = self.causes.get(page.cause, 0) + 1
        if page.is_failed:  # what was skipped would leave no room, in a folder with as many PDFs as pages
            self._add_messages([page.message])

    def add_count(self, other: Self) -> None:
        """Those of another slice."""
        for name in ("pages", "failed", "skipped", "size_before", "size_after", "seconds", "damaged"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.causes = dict(Counter(self.causes) + Counter(other.causes))
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


class Heartbeat:
    """Leaves the counts of a slice in a file now and then, for whoever watches."""

    def __init__(self, storage: Storage, name: str) -> None:
        self._storage, self._name = storage, name
        self._last = 0.0

    def beat(self, count: BatchCount) -> None:
        now = time.monotonic()
        if now - self._last >= self._storage.seconds_between_beats:
            self._last = now
            write_json(self._storage, self._name, {"pages": count.pages, "failed": count.failed})
