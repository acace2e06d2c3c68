"""Engines: any order, nothing lost, and processes that die."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hostile_pages import double

from dehusk.batch.engines import LocalEngine
from dehusk.errors import InvalidSetting


def double_or_die(number: int) -> int:
    if number == 3:
        os._exit(1)
    return 2 * number


def lost(number: int) -> int:
    return -number


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_task_has_its_result(jobs: int) -> None:
    assert sorted(LocalEngine(jobs).run(double, range(20), lost)) == list(range(0, 40, 2))


def test_a_task_that_kills_its_process_costs_only_itself() -> None:
    assert sorted(LocalEngine(2).run(double_or_die, range(8), lost)) == [-3, 0, 2, 4, 8, 10, 12, 14]


def test_tasks_are_not_all_taken_at_once() -> None:
    taken = 0

    def tasks() -> Iterator[int]:
        nonlocal taken
        for number in range(1000):
            taken += 1
            yield number

    results = LocalEngine(2).run(double, tasks(), lost)
    next(results)
    assert taken < 20
    results.close()  # type: ignore[attr-defined]


def test_no_jobs_no_engine() -> None:
    with pytest.raises(InvalidSetting, match="jobs"):
        LocalEngine(0)
