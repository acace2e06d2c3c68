"""Engines and workers that do their work in this process: starting another takes most of the time of a small batch."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from typing import Any, Self

import pytest

from dehusk.batch import engines, page_steps
from dehusk.workers.guard import guarded
from dehusk.workers.worker_process import Worker


class ReadsHere(Worker):
    """In place of the process that reads archives or cleans pages, so that what a test patches is what it calls."""

    def run(self, step: Any, task: Any, label: str, seconds: float | None = None) -> Any:
        return guarded(step, task, label)


class Forwards:
    """An engine that sends tasks and results, as those on other machines do, and does the work in this process."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        """There is no process to end."""

    def run(self, step: Any, tasks: Iterable[Any], lost: Any) -> Iterator[Any]:
        for task in tasks:
            sent_step, sent_task = pickle.loads(pickle.dumps((step, task)))
            yield pickle.loads(pickle.dumps(sent_step(sent_task)))


class Backwards(Forwards):
    """Takes the last task first."""

    def run(self, step: Any, tasks: Iterable[Any], lost: Any) -> Iterator[Any]:
        return super().run(step, reversed(list(tasks)), lost)


def batch_here(patched: pytest.MonkeyPatch) -> None:
    """Make `dehusk batch` start no process."""
    patched.setattr(engines, "LocalEngine", lambda jobs: Forwards())
    patched.setattr(page_steps, "Worker", ReadsHere)
    patched.setattr(page_steps, "_workers", {})
