"""Open a place for records: SINKS says by name what there is, and by suffix which of it is meant."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from dehusk.errors import InvalidSetting, UnknownName
from dehusk.sinks.folder_sink import FolderSink
from dehusk.sinks.jsonl_sink import JsonlSink
from dehusk.sinks.parquet_sink import ParquetSink
from dehusk.sinks.sink import CONTENTS, Content, Sink
from dehusk.sinks.warc_sink import WarcSink


@dataclass(frozen=True, slots=True)
class SinkKind:
    """How to make one, and what its files are called."""

    make: Callable[[Path, Content, datetime | None], Sink]
    suffixes: tuple[str, ...]


SINKS: Final = {
    "jsonl": SinkKind(lambda path, content, written_at: JsonlSink(path), (".jsonl", ".jsonl.gz", ".jsonl.zst")),
    "parquet": SinkKind(lambda path, content, written_at: ParquetSink(path), (".parquet",)),
    "warc": SinkKind(WarcSink, (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")),
    "folder": SinkKind(lambda path, content, written_at: FolderSink(path, content), ()),
}


def open_sink(
    path: str | os.PathLike[str],
    *,
    format: str = "",
    content: str = "text",
    written_at: datetime | None = None,
) -> Sink:
    """A place to write records to, chosen by the suffix of the path or named by `format`.

    JSON lines, Parquet and WARC files are written whole or not at all, in a folder that is made if need be; a path
    without suffix is a folder, with one file a page. `content` says what the field `text` of the records holds
    (`text`, `markdown` or `html`); `written_at` is the date of WARC records, by default now.
    """
    target = Path(path)
    if content not in CONTENTS:
        raise InvalidSetting("content", f"{content!r} is none of {', '.join(CONTENTS)}", "choose one of these")
    name = format or _name_of(target)
    if name not in SINKS:
        raise UnknownName(name or str(target), "no such place for records", f"choose from: {', '.join(SINKS)}")
    return SINKS[name].make(target, CONTENTS[content], written_at)


def _name_of(target: Path) -> str:
    """Empty for a suffix that nobody knows: a folder of that name is rather a mistake."""
    lower = target.name.lower()
    known = (name for name, kind in SINKS.items() if kind.suffixes and lower.endswith(kind.suffixes))
    return next(known, "folder" if target.is_dir() or not target.suffix else "")
