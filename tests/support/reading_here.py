"""A worker that runs its steps in this process, so that what a test patches is what they call."""

from __future__ import annotations

from typing import Any

from dehusk.workers.guard import guarded
from dehusk.workers.worker_process import Worker


class ReadsHere(Worker):
    """In place of the process that reads archives for a batch."""

    def run(self, step: Any, task: Any, label: str, seconds: float | None = None) -> Any:
        return guarded(step, task, label)
