"""Batches that drop duplicates: interrupted between phases they go on, in several shards they find the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hostile_pages import PATIENT, page, write_pages
from test_batches import results

from dehusk.batch import comparing_pages
from dehusk.batch.batch_running import Batch, BatchDone, run_batch
from dehusk.batch.batch_settings import BatchSettings
from dehusk.filtering.page_filters import Filters

FILTERS = Filters(drop_duplicates=True)


class Here:
    """Runs steps in this process, and is interrupted before one of them."""

    def __init__(self, interrupted_before: str = "") -> None:
        self._interrupted_before = interrupted_before
        self.run_steps: list[str] = []

    def run(self, step: Callable[[Any], Any], tasks: Iterable[Any], lost: Callable[[Any], Any]) -> Iterator[Any]:
        for task in tasks:
            if step.__name__ == self._interrupted_before:
                raise KeyboardInterrupt
            self.run_steps.append(step.__name__)
            yield step(task)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages of two sites, and copies of some on a third."""
    folder = tmp_path_factory.mktemp("duplicates") / "source"
    write_pages(folder, 2, 8)
    for number in (1, 2, 5):
        (folder / f"copy-{number}.html").write_bytes(page(number % 2, number).replace(b"site-", b"mirror-"))
    return folder


def run(source: Path, out: Path, engine: Here, **settings: Any) -> BatchDone:
    chosen = BatchSettings(buckets=2, limits=PATIENT, filters=FILTERS, **settings)
    return run_batch(Batch((str(source),), out, chosen), engine)


def test_an_interrupted_batch_goes_on_where_it_was(source: Path, tmp_path: Path) -> None:
    whole = run(source, tmp_path / "whole", Here()).total.count
    assert (whole.pages, whole.written, whole.dropped) == (11, 8, {"duplicates": 3})
    for phase in ("compare_band", "write_slice"):
        with pytest.raises(KeyboardInterrupt):
            run(source, tmp_path / "parts", Here(phase))
    engine = Here()
    run(source, tmp_path / "parts", engine)
    assert set(engine.run_steps) == {"write_slice"}, "what was cleaned and compared is not done again"
    assert results(tmp_path / "parts") == results(tmp_path / "whole")
    assert not list((tmp_path / "parts" / ".work").glob("*/*.signatures"))
    assert run(source, tmp_path / "parts", Here()).was_complete


def test_shards_find_the_same(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(source, tmp_path / "one", Here(), format_name="parquet")
    monkeypatch.setattr(comparing_pages, "MOST_KEYS", 3)
    monkeypatch.setattr(comparing_pages, "_TOGETHER", 1)
    engine = Here()
    run(source, tmp_path / "many", engine, format_name="parquet")
    assert engine.run_steps.count("compare_band") == 4 * 30
    assert results(tmp_path / "many") == results(tmp_path / "one")
