"""What publishes files, for `killed_forks`: each step takes a folder, and goes on from what it finds there."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet  # noqa: F401 - here, so that no fork has to
from hostile_pages import PATIENT, page, write_pages
from hostile_steps import clean_or_misbehave
from reading_here import Forwards, ReadsHere

import dehusk
from dehusk.batch import page_steps
from dehusk.batch.batch_running import Batch, run_batch
from dehusk.batch.batch_settings import BatchSettings
from dehusk.filtering.page_filters import Filters
from dehusk.sinks.page_keeping import keeper_for
from dehusk.sinks.resumed_records import RecordFile
from dehusk.sources.raw_page import RawPage
from dehusk.webapp.workspace import Workspace
from dehusk.webapp.workspace_folder import NewPage
from dehusk.workers.whole_files import RESUMED_OUTPUT

WRITTEN_AT = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
PAGES = [RawPage(page(0, number), f"https://site-0.example/{number}", f"{number}.html") for number in range(3)]
RECORDS = [dehusk.clean(raw).to_record() for raw in PAGES]


def write_sink(folder: Path, name: str) -> None:
    """Records into a sink of any kind."""
    with dehusk.open_sink(folder / name, written_at=WRITTEN_AT) as sink:
        for record in RECORDS:
            sink.write(record)


def write_records(folder: Path, name: str) -> None:
    """Records into a file that can be resumed."""
    kind = name.split(".")[1]
    with RecordFile(folder / name, kind, RESUMED_OUTPUT, resume=True) as records:
        for record in RECORDS:
            if not records.has(str(record["name"])):
                records.add(json.dumps(record) + "\n")


def keep_pages(folder: Path, name: str) -> None:
    """The pages of a crawl."""
    keeper = keeper_for(folder / name, resume=True)
    known = {raw.label for raw in keeper.pages()}
    for raw in PAGES:
        if raw.label not in known:
            keeper.keep(raw)
    keeper.finish()


def run_small_batch(folder: Path, format_name: str, drops_duplicates: str = "") -> None:
    """A batch in this process."""
    source = folder.parent / "source"
    if not source.exists():
        write_pages(source, 2, 6)
    page_steps.Worker = ReadsHere  # type: ignore[misc]
    filters = Filters(drop_duplicates=bool(drops_duplicates))
    settings = BatchSettings(buckets=2, limits=PATIENT, format_name=format_name, filters=filters)
    run_batch(Batch((str(source),), folder / "out", settings, clean_or_misbehave), Forwards())


def change_workspace(folder: Path) -> None:
    """Add, label, remove and restore pages, unless that is done, and leave the workspace in the same state."""
    workspace = Workspace(folder / "work")
    workspace.add(NewPage(raw, "site-0.example") for raw in PAGES)
    first, second, _ = workspace.state.pages.values()
    workspace.set_gold(first.id, "what is to be kept")
    if removed := workspace.remove([second.id]):
        workspace.restore(removed.action)
    workspace.close()
