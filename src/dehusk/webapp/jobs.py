"""Background jobs: run one after the other in a thread, and polled by clients."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

from dehusk.errors import DehuskError
from dehusk.webapp.api_errors import ApiError, not_found
from dehusk.workers.guard import guarded

_MOST_REMEMBERED: Final = 10
"""Finished jobs that are kept, with up to 5,000 rows each."""
_MOST_UNFINISHED: Final = 20
"""Unfinished jobs. A client that starts more has lost track."""


class Cancelled(DehuskError):
    """The job was cancelled."""


@dataclass(slots=True)
class Job:
    """A job. Only its thread writes: each field is replaced as a whole, and rows are only appended."""

    kind: str
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    state: str = "waiting"
    step: str = ""
    step_done: int = 0
    step_total: int = 0
    """Pages of the step."""
    done: int = 0
    total: int = 0
    began: float = 0.0
    """When it began to run, by the monotonic clock."""
    seconds: float = 0.0
    """How long it ran, once it is over."""
    rows: list[dict[str, Any]] = field(default_factory=list)
    result: dict[str, Any] | None = None
    error: str | None = None
    wanted: Hashable = None
    """What it was started for."""
    is_cancelled: threading.Event = field(default_factory=threading.Event)

    def begin(self, step: str, total: int = 0) -> None:
        """Start a step of so many pages, unless the job is cancelled."""
        self.check()
        self.step, self.step_done, self.step_total = step, 0, total

    def advance(self) -> None:
        """Count one item as done, unless the job is cancelled."""
        self.check()
        self.done += 1
        self.step_done += 1

    def check(self) -> None:
        """Raise `Cancelled` if the job is cancelled."""
        if self.is_cancelled.is_set():
            raise Cancelled(self.kind, "cancelled")

    @property
    def is_over(self) -> bool:
        return self.state in {"done", "failed", "cancelled"}

    def as_dict(self, after: int | None = None) -> dict[str, Any]:
        """The job as JSON, with rows from `after` on, or without rows."""
        rows = [] if after is None else self.rows[after:]
        names = ("id", "kind", "state", "step", "step_done", "step_total", "done", "total", "result", "error")
        described = {name: getattr(self, name) for name in names}
        seconds = self.seconds or (time.monotonic() - self.began if self.began else 0.0)
        remaining = seconds * (self.total - self.done) / self.done if self.done and not self.is_over else None
        times = {"seconds": round(seconds, 2), "remaining": None if remaining is None else round(remaining, 1)}
        return {**described, **times, "rows": rows, "rows_from": after or 0}


class Jobs:
    """The jobs of a server."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="dehusk-job")
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()

    def start(self, kind: str, work: Callable[[Job], dict[str, Any]], wanted: Hashable = None) -> Job:
        """Queue a job. The return value of `work` becomes its result.

        If a job that was started for an equal `wanted` is not over yet, this is it: two tabs want the same.
        """
        job = Job(kind, wanted=wanted)
        with self._lock:
            same = [other for other in self._jobs.values() if wanted is not None and other.wanted == wanted]
            for other in same:
                if not other.is_over and not other.is_cancelled.is_set():
                    return other
            if sum(not other.is_over for other in self._jobs.values()) >= _MOST_UNFINISHED:
                raise ApiError(409, "conflict", "too many jobs are running", "wait, or cancel one")
            over = [other.id for other in self._jobs.values() if other.is_over]
            for identifier in over[: max(0, len(self._jobs) - _MOST_REMEMBERED)]:
                del self._jobs[identifier]
            self._jobs[job.id] = job
        self._pool.submit(_run, job, work)
        return job

    def find(self, identifier: str) -> Job:
        """A job by its id."""
        job = self._jobs.get(identifier)
        if job is None:
            raise not_found("job")
        return job

    def unfinished(self) -> str | None:
        """The id of the oldest job that is not over."""
        return next((job.id for job in list(self._jobs.values()) if not job.is_over), None)

    def newest_first(self) -> list[Job]:
        """All jobs that are kept."""
        return list(self._jobs.values())[::-1]

    def close(self) -> None:
        """Cancel all jobs, and wait for the running one."""
        for job in list(self._jobs.values()):
            job.is_cancelled.set()
        self._pool.shutdown(wait=True, cancel_futures=True)


def _run(job: Job, work: Callable[[Job], dict[str, Any]]) -> None:
    def working(job: Job) -> dict[str, Any]:
        job.check()
        job.began, job.state = time.monotonic(), "running"
        return work(job)

    outcome = guarded(working, job, job.kind)
    job.seconds = time.monotonic() - job.began if job.began else 0.0
    if isinstance(outcome, Cancelled):
        job.state = "cancelled"
    elif isinstance(outcome, DehuskError):
        job.error, job.state = str(outcome), "failed"
    else:
        job.result, job.state = outcome, "done"
