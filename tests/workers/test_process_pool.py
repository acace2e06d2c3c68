"""Running steps in processes: order, limits, and workers that die."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from small_steps import double, double_or_die, double_or_hang, lost

from dehusk.cli.clean_step import CleanFile, clean_file
from dehusk.cli.given_pages import GivenPage
from dehusk.cli.reporting import write_whole
from dehusk.errors import OutputError, PageError, SourceNotFound
from dehusk.sources.files import PageFile
from dehusk.workers.guard import guarded
from dehusk.workers.process_pool import run_step


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_tasks(jobs: int) -> None:
    assert list(run_step(double, range(50), jobs, lost)) == list(range(0, 100, 2))


def test_a_task_that_kills_its_worker_costs_only_itself() -> None:
    expected = [-13 if number == 13 else 2 * number for number in range(10, 18)]
    assert list(run_step(double_or_die, range(10, 18), 2, lost)) == expected


def test_a_worker_that_is_stuck_ends_itself() -> None:
    expected = [-13 if number == 13 else 2 * number for number in range(10, 18)]
    assert list(run_step(double_or_hang, range(10, 18), 2, lost)) == expected


def test_time_is_limited_even_for_those_who_catch_everything() -> None:
    def deaf(seconds: float) -> str:
        for _ in range(3):
            with suppress(Exception):
                time.sleep(seconds)
        return "done"

    outcome = guarded(deaf, 60, "page", most_seconds=0.2)
    assert isinstance(outcome, PageError)
    assert "took longer than 0.2 seconds" in str(outcome)
    assert guarded(deaf, 0, "page", most_seconds=5) == "done"


def test_a_limit_holds_through_guards_within() -> None:
    outcome = guarded(lambda seconds: guarded(time.sleep, seconds, "inner"), 60, "outer", most_seconds=0.2)
    assert isinstance(outcome, PageError)
    assert outcome.subject == "outer"


def test_tasks_are_not_all_taken_at_once() -> None:
    taken = 0

    def tasks() -> Iterator[int]:
        nonlocal taken
        for number in range(1000):
            taken += 1
            yield number

    results = run_step(double, tasks(), 2, lost)
    assert next(results) == 0
    assert taken < 20
    results.close()  # type: ignore[attr-defined]


def test_the_guard_turns_everything_into_an_error_of_ours() -> None:
    def fault(task: str) -> str:
        raise ZeroDivisionError("oops")

    def refuse(task: str) -> str:
        raise SourceNotFound(task, "gone")

    failed = guarded(fault, "page.html", "page.html")
    assert isinstance(failed, PageError)
    assert "page.html: unexpected ZeroDivisionError: oops" in str(failed)
    assert isinstance(guarded(refuse, "page.html", "page.html"), SourceNotFound)
    assert guarded(len, "four", "x") == 4


def test_cleaning_a_file_never_raises(tmp_path: Path) -> None:
    def given(name: str) -> GivenPage:
        path = str(tmp_path / name)
        return GivenPage(path, name, str(tmp_path), PageFile(path, name))

    absent = clean_file(CleanFile(given("absent"), "satisfiable-subtree", "text"))
    assert "no such file or directory" in absent.failure
    page = tmp_path / "page.html"
    page.write_text("<p>x")
    odd = clean_file(CleanFile(given("page.html"), "magic", "text"))
    assert "magic: no such method" in odd.failure


def test_files_are_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "result.txt"
    target.write_text("before")

    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full_disk)
    with pytest.raises(OutputError, match="no space left on device"):
        write_whole(str(target), "after")
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target], "the temporary file is gone"
