"""Kinds of failure, as reports count them: messages name pages and figures, and so are all different."""

from __future__ import annotations

from typing import Final

from dehusk.errors import (
    DehuskError,
    EmptyPage,
    NoPages,
    NotFollowed,
    NotHtml,
    OutOfMemory,
    PageTooLarge,
    SourceError,
)
from dehusk.workers.guard import OutOfTime
from dehusk.workers.worker_process import WorkerDied

SKIPS: Final[tuple[tuple[type[DehuskError], str], ...]] = (
    (NotHtml, "not html"),
    (EmptyPage, "empty"),
    (NoPages, "no pages in it"),
    (NotFollowed, "not followed"),
)
"""Causes that are no failures: there was nothing to clean."""
SKIPPED: Final = frozenset(cause for _, cause in SKIPS)
_CAUSES: Final[tuple[tuple[type[DehuskError], str], ...]] = (
    (OutOfTime, "out of time"),
    (OutOfMemory, "out of memory"),
    (WorkerDied, "process died"),
    (PageTooLarge, "too large"),
    *SKIPS,
    (SourceError, "not readable"),
)
_OTHER: Final = "not cleaned"


def task_died(bucket: int) -> str:
    """Why a whole task of a bucket has no result."""
    cause = "its process died, perhaps for want of memory: run the same command again, with fewer --jobs"
    return f"bucket {bucket}: {cause}"


def cause_of(error: DehuskError) -> str:
    """In two or three words."""
    return next((cause for kind, cause in _CAUSES if isinstance(error, kind)), _OTHER)
