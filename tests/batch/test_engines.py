"""Engines: any order, nothing lost, processes that die, and errors that are raised as they are."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hostile_pages import IMPATIENT, EngineOf, page, write_pages
from small_steps import die_once, double, double_or_die, lost, misbehave, note_and_sleep, refuse
from test_batches import SPELLS, records, results, run, run_here

from dehusk.batch.engines import Engine, open_engine
from dehusk.errors import EngineError, InvalidSetting, PageError
from dehusk.filtering.page_filters import Filters


def lost_name(name: str) -> str:
    return f"lost {name}"


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_task_has_its_result(engine_of: EngineOf, jobs: int) -> None:
    assert sorted(engine_of(jobs).run(double, range(20), lost)) == list(range(0, 40, 2))


def test_a_task_that_kills_its_process_costs_only_itself(engine_of: EngineOf) -> None:
    expected = [-13, 20, 22, 24, 28, 30, 32, 34]
    assert sorted(engine_of(2).run(double_or_die, range(10, 18), lost)) == expected


def test_a_task_whose_process_died_is_tried_again(engine_of: EngineOf, tmp_path: Path) -> None:
    assert list(engine_of(1).run(die_once, [str(tmp_path / "note")], lost_name)) == ["alive"]


def test_tasks_are_not_all_taken_at_once(engine_of: EngineOf) -> None:
    taken = 0

    def tasks() -> Iterator[int]:
        nonlocal taken
        for number in range(1000):
            taken += 1
            yield number

    results = engine_of(2).run(double, tasks(), lost)
    next(results)
    assert taken < 20
    results.close()  # type: ignore[attr-defined]


def test_errors_of_a_step_are_raised_as_they_are(engine_of: EngineOf) -> None:
    with pytest.raises(PageError) as caught:
        list(engine_of(1).run(refuse, [5], lost))
    assert type(caught.value) is PageError
    assert str(caught.value) == "page 5: is refused; nothing"
    with pytest.raises(ZeroDivisionError):
        list(engine_of(1).run(misbehave, ["RAISE"], lost_name))


def test_an_interrupt_does_not_wait_for_tasks(engine_of: EngineOf, tmp_path: Path) -> None:
    note = tmp_path / "note"

    def tasks() -> Iterator[str]:
        yield str(note)
        until = time.monotonic() + 60
        while not note.exists():
            assert time.monotonic() < until, "the task was never begun"
            time.sleep(0.01)
        nonlocal begun
        begun = time.monotonic()
        raise KeyboardInterrupt

    begun = 0.0
    with pytest.raises(KeyboardInterrupt):
        list(engine_of(2).run(note_and_sleep, tasks(), lost_name))
    assert time.monotonic() - begun < 30


def test_no_jobs_no_engine(engine_of: EngineOf) -> None:
    with pytest.raises(InvalidSetting, match="jobs"):
        engine_of(0)


def test_local_processes_have_no_address() -> None:
    with pytest.raises(InvalidSetting, match="ray-address"), open_engine("local", 1, "127.0.0.1:6379"):
        pass


# On the Ray that the tests above have started: it takes some seconds.


def test_hostile_pages_give_the_same_bytes(private_ray: Engine, tmp_path: Path) -> None:
    source = tmp_path / "source"
    spells = {38: SPELLS[38], 59: SPELLS[59]}  # those that kill and bloat; what raises takes the same way
    write_pages(source, 5, 80, spells)
    run_here(source, tmp_path / "here", buckets=2)
    run(source, tmp_path / "ray", engine=private_ray, buckets=2)
    errors = [record["error"] for record in records(tmp_path / "ray") if record["error"]]
    assert len(errors) == len(spells), errors
    assert results(tmp_path / "ray") == results(tmp_path / "here")


def test_a_page_stuck_in_native_code_costs_itself_alone(private_ray: Engine, tmp_path: Path) -> None:
    """The local engine meets one in `test_batches`."""
    write_pages(tmp_path / "source", 2, 8, {5: SPELLS[17]})
    total = run(tmp_path / "source", tmp_path / "out", engine=private_ray, buckets=2, limits=IMPATIENT).total.count
    assert (total.pages, total.failed, total.causes) == (8, 1, {"timeout": 1})
    errors = {Path(record["name"]).name: record["error"] for record in records(tmp_path / "out") if record["error"]}
    assert list(errors) == ["0005.html"]
    assert "took longer than 5 seconds" in errors["0005.html"]


def test_filters_and_duplicates_give_the_same_bytes(private_ray: Engine, tmp_path: Path) -> None:
    source, filters = tmp_path / "source", Filters(min_words=20, drop_duplicates=True)
    write_pages(source, 4, 12)
    for copy, number in (("a", 1), ("b", 6)):  # of one site, and in another bucket
        (source / f"copy-{copy}.html").write_bytes(page(number % 4, number).replace(b"site-", b"mirror-"))
    (source / "short.html").write_bytes(b"<p>Of amber.")
    (source / "none.html").write_bytes(b"")
    total = run_here(source, tmp_path / "here", filters=filters).total.count
    run(source, tmp_path / "ray", engine=private_ray, filters=filters)
    assert (total.pages, total.written, total.failed, total.skipped) == (16, 12, 0, 1)
    assert total.dropped == {"too short": 1, "duplicates": 2}
    assert len([record for record in records(tmp_path / "here") if not record["error"]]) == 12
    assert results(tmp_path / "ray") == results(tmp_path / "here")


def test_a_process_has_one_ray(private_ray: Engine) -> None:
    with pytest.raises(EngineError, match="connected to one already"), open_engine("ray", 1):
        pass


def test_nobody_else_can_connect_to_ours(private_ray: Engine) -> None:
    """It listens on loopback alone, and asks for a token there."""
    import ray

    address = ray.get_runtime_context().gcs_address
    assert address.startswith("127.0.0.1:")
    with_token, without = (connect(address, token) for token in (os.environ["RAY_AUTH_TOKEN"], "0" * 64))
    try:
        assert with_token.wait(60) == 0
        with suppress(subprocess.TimeoutExpired):  # Ray may go on trying, longer than who has the token needs
            assert without.wait(2) != 0
    finally:
        without.kill()
        without.wait()


def connect(address: str, token: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "import sys, ray; ray.init(sys.argv[1])", address]
    environment = os.environ | {"RAY_AUTH_TOKEN": token}
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
