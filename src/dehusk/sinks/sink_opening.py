"""Open a sink by name or by suffix: a line in SINKS for each kind."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, TypeAlias

from dehusk.arguments import checked
from dehusk.errors import InvalidSetting, UnknownName
from dehusk.sinks.folder_sink import open_folder
from dehusk.sinks.line_sinks import open_csv, open_jsonl
from dehusk.sinks.parquet_sink import open_parquet
from dehusk.sinks.sink import CONTENTS, Content, Sink, Write, whole_file
from dehusk.sinks.warc_sink import open_warc

Opened: TypeAlias = AbstractContextManager[Write]


@dataclass(frozen=True, slots=True)
class SinkKind:
    """How to open one, and what its files are called."""

    opened: Callable[[Path, Content, datetime | None], Opened]
    suffixes: tuple[str, ...]


def _lines(opener: Callable[[Path, str], Opened], path: Path) -> Opened:
    return whole_file(path, lambda temporary: opener(temporary, path.suffix.lower()))


def _warc(path: Path, content: Content, written_at: datetime | None) -> Opened:
    return whole_file(path, lambda temporary: open_warc(temporary, path.suffix.lower(), content, written_at))


SINKS: Final = {
    "jsonl": SinkKind(lambda path, *_: _lines(open_jsonl, path), (".jsonl", ".jsonl.gz", ".jsonl.zst")),
    "csv": SinkKind(lambda path, *_: _lines(open_csv, path), (".csv", ".csv.gz", ".csv.zst")),
    "parquet": SinkKind(lambda path, *_: whole_file(path, open_parquet), (".parquet",)),
    "warc": SinkKind(_warc, (".warc", ".warc.gz", ".warc.zst", ".warc.lz4")),
    "folder": SinkKind(lambda path, content, _: open_folder(path, content), ()),
}


@checked
def open_sink(
    path: str | os.PathLike[str],
    *,
    format: str = "",
    content: str = "text",
    written_at: datetime | None = None,
) -> Sink:
    r"""A sink for records, chosen by the suffix of the path or named by `format`.

    Files are written whole or not at all, in a folder that is made if need be.

    Arguments:
        path: a `.jsonl`, `.csv`, `.parquet` or `.warc.gz` file; without suffix a folder, with one file per page.
        format: `jsonl`, `csv`, `parquet`, `warc` or `folder`, if the suffix does not tell.
        content: what the field `text` of the records holds: `text`, `markdown` or `html`.
        written_at: the date of WARC records, by default now.

    Returns:
        A context whose `write` takes records (`CleanedPage.to_record`).

    Raises:
        UnknownName: neither the suffix nor `format` is known.
        InvalidSetting: `content` is none of the three.
        OutputError: it cannot be written; raised by the context.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with dehusk.open_sink(f"{folder}/pages.jsonl") as sink:
    ...         sink.write(dehusk.clean("<p>Tea.").to_record())
    ...     Path(folder, "pages.jsonl").read_text().count("\n")
    1
    """
    target = Path(path)
    return Sink(target, opened_sink(target, format, content, written_at))


def opened_sink(
    target: Path, format: str = "", content: str = "text", written_at: datetime | None = None
) -> AbstractContextManager[Write]:
    """The same as a context of the function that writes a record; errors of the system are raised as they are."""
    if content not in CONTENTS:
        raise InvalidSetting("content", f"{content!r} must be one of {', '.join(CONTENTS)}")
    name = format or _name_of(target)
    if name not in SINKS:
        raise UnknownName(name or str(target), "not a format for records", f"choose from: {', '.join(SINKS)}")
    return SINKS[name].opened(target, CONTENTS[content], written_at)


def _name_of(target: Path) -> str:
    """Empty for an unknown suffix: a folder of that name is more likely a mistake."""
    lower = target.name.lower()
    known = (name for name, kind in SINKS.items() if kind.suffixes and lower.endswith(kind.suffixes))
    return next(known, "folder" if target.is_dir() or not target.suffix else "")
