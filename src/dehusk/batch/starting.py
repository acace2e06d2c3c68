"""Check what OUT holds when a batch starts: nothing, a batch to resume or to delete, or files that are not ours."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from dehusk.batch import batch_files
from dehusk.batch.batch_inputs import InputFile
from dehusk.batch.batch_settings import BatchSettings
from dehusk.batch.batch_storage import Storage, read_json, write_json
from dehusk.errors import DehuskError, OutputError
from dehusk.version import __version__

_WORK: Final = (
    batch_files.CLEANED,
    batch_files.LEARNT,
    batch_files.BUCKETED,
    batch_files.BUCKETS,
    batch_files.PROGRESS,
    batch_files.RECORDS,
    batch_files.PAIRS,
    batch_files.DUPLICATES,
    batch_files.WRITTEN,
)
_OURS: Final = {
    batch_files.PAGES: re.compile(r"[0-9]{5,}-[0-9]{5,}\.(jsonl|parquet)"),
    batch_files.MODELS: re.compile(r"[0-9a-f]{32}\.dehusk"),
}
"""How a batch names its files (see `batch_files`)."""
_REPORTS: Final = {
    batch_files.SITES: re.compile(rb'\{"site": ?"'),
    batch_files.REPORT: re.compile(rb'\{\s*"dehusk"'),
    batch_files.READABLE_REPORT: re.compile(rb"<!DOCTYPE html>\n(?s:.{0,1000})<title>A batch of pages</title>"),
}
"""How a batch's files begin whose names anybody may use."""


def plan_of(settings: BatchSettings, inputs: Sequence[InputFile]) -> dict[str, Any]:
    """Everything the output depends on, as read back from JSON."""
    files = [[found.file.path, found.file.relative, found.size, found.state] for found in inputs]
    # JSON turns tuples into lists, and the plan is compared with one read from a file.
    return {"dehusk": __version__, "settings": json.loads(json.dumps(asdict(settings))), "files": files}


def begin(storage: Storage, plan: dict[str, Any], fresh: bool) -> None:
    """Check that everything in the folder belongs to this batch."""
    if fresh:
        _throw_away(storage)
    before = read_json(storage, batch_files.PLAN)
    if before is None:
        _check_empty(storage)
        write_json(storage, batch_files.PLAN, plan)
    elif before != plan:
        changed = ", ".join(sorted(name for name in plan if before.get(name) != plan[name]))
        cause = f"holds a batch that differs in {changed}"
        raise OutputError(storage.address, cause, "choose another folder, or start anew with --fresh")
    for folder in batch_files.SWEPT:
        storage.sweep(folder)


def check_plan(storage: Storage, error: DehuskError | None = None) -> None:
    """Raise if OUT, or the plan in it, was removed; `error` is how that was noticed."""
    if storage.read(batch_files.PLAN) is not None:
        return
    if storage.names("") or _known(storage):
        cause, remedy = "was emptied while the batch was running", "start anew with --fresh"
    else:
        cause, remedy = "was removed while the batch was running", "run the same command again to start anew"
    raise OutputError(storage.address, cause, remedy) from error


def _check_empty(storage: Storage) -> None:
    """Refuse a folder without a plan that has files this batch would overwrite or mistake for its own."""
    if foreign := _foreign(storage):
        raise OutputError(f"{storage.address}/{foreign[0]}", "no batch wrote this", "choose another folder for OUT")
    if _known(storage):
        cause = "holds part of a batch, but not its plan"
        raise OutputError(storage.address, cause, "start anew with --fresh, or choose another folder")


def _throw_away(storage: Storage) -> None:
    """Delete all files of a batch and nothing else. The plan goes last: it shows that the rest is ours."""
    has_plan = storage.read(batch_files.PLAN) is not None
    if not has_plan and (foreign := _foreign(storage)):
        raise OutputError(f"{storage.address}/{foreign[0]}", "no batch wrote this", "choose another folder for OUT")
    for name in (batch_files.FINISHED, batch_files.COMPARED, *_known(storage)):
        storage.remove(name)
    for folder in (*_WORK, *(_OURS if has_plan else ())):
        storage.remove_folder(folder)
    storage.remove(batch_files.PLAN)


def _known(storage: Storage) -> list[str]:
    """Files in OUT with names that a batch uses, whoever wrote them."""
    results = [name for folder in _OURS for name in storage.names(folder)]
    return [*results, *(name for name in _REPORTS if storage.read(name) is not None)]


def _foreign(storage: Storage) -> list[str]:
    """Those of `_known` that no batch wrote."""
    names = [name for folder, ours in _OURS.items() for name in storage.names(folder) if not _is_named(name, ours)]
    return names + [name for name in _REPORTS if not _begins_like_ours(storage, name)]


def _is_named(name: str, pattern: re.Pattern[str]) -> bool:
    return pattern.fullmatch(name.rpartition("/")[2]) is not None


def _begins_like_ours(storage: Storage, name: str) -> bool:
    content = storage.read(name)
    return not content or _REPORTS[name].match(content) is not None
