"""Where a batch keeps what. Below OUT: `pages/`, `models/`, `sites.jsonl`, the reports, and `.work/` to go on from."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from dehusk.errors import OutputError
from dehusk.writing import written_whole


@dataclass(frozen=True, slots=True)
class Folders:
    """Paths of one batch."""

    out: Path

    @property
    def work(self) -> Path:
        return self.out / ".work"

    @property
    def pages(self) -> Path:
        return self.out / "pages"

    @property
    def models(self) -> Path:
        return self.out / "models"

    @property
    def sites(self) -> Path:
        """One line of JSON a site: its counts, and the file of its model."""
        return self.out / "sites.jsonl"

    @property
    def report(self) -> Path:
        return self.out / "report.json"

    @property
    def readable_report(self) -> Path:
        return self.out / "report.html"

    @property
    def plan(self) -> Path:
        """What was asked for."""
        return self.work / "plan.json"

    @property
    def finished(self) -> Path:
        """Which buckets there are, once all are cleaned."""
        return self.work / "finished.json"

    @property
    def buckets(self) -> Path:
        return self.work / "buckets"

    @property
    def bucketed(self) -> Path:
        """A marker for each input that is in the buckets."""
        return self.work / "bucketed"

    @property
    def cleaned(self) -> Path:
        """A marker for each bucket that is cleaned."""
        return self.work / "cleaned"

    @property
    def progress(self) -> Path:
        return self.work / "progress"

    def part(self, bucket: int, task: int) -> Path:
        """What an input put into a bucket."""
        return self.buckets / f"{bucket:05}" / f"{task:09}.parquet"

    def parts(self, bucket: int) -> list[tuple[int, Path]]:
        """All of a bucket: number of the input and file, in the order of the inputs."""
        return [(int(path.stem), path) for path in sorted((self.buckets / f"{bucket:05}").glob("[0-9]*.parquet"))]

    def bucketed_marker(self, task: int) -> Path:
        return self.bucketed / f"{task:09}.json"

    def cleaned_marker(self, bucket: int) -> Path:
        return self.cleaned / f"{bucket:05}.json"

    def cleaned_sites(self, bucket: int) -> Path:
        return self.cleaned / f"{bucket:05}.sites.jsonl"

    def output(self, bucket: int, format_name: str) -> Path:
        return self.pages / f"{bucket:05}.{format_name}"

    def progress_of(self, bucket: int) -> Path:
        return self.progress / f"{bucket:05}.json"

    def model(self, site: str) -> Path:
        """Named by a hash: sites name themselves, and may choose any name."""
        return self.models / f"{site_hash(site)}.dehusk"

    def filled_buckets(self) -> list[int]:
        """Buckets that any input put something into."""
        return sorted(int(path.parent.name) for path in self._first_parts())

    def _first_parts(self) -> Iterator[Path]:
        for folder in self.buckets.glob("[0-9]*"):
            yield from list(folder.glob("[0-9]*.parquet"))[:1]


def site_hash(site: str) -> str:
    """32 hexadecimal digits."""
    return blake2b(site.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def bucket_of(site: str, buckets: int) -> int:
    """From 0 to buckets - 1; all pages of a site are in one."""
    return int(site_hash(site)[:16], 16) % buckets


def write_json(path: Path, value: object) -> None:
    """A small file, whole or not at all."""
    write_text(path, json.dumps(value, indent=1) + "\n")


def write_text(path: Path, text: str) -> None:
    """The same for any text."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as temporary:
            temporary.write_bytes(text.encode("utf-8", "replace"))
    except OSError as error:
        raise cannot_write(path, error) from error


def read_json(path: Path) -> Any:
    """What `write_json` wrote, or None if there is no such file."""
    try:
        return json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise OutputError(str(path), f"cannot be read back ({error})", "start anew with --fresh") from error


def cannot_write(path: str | os.PathLike[str], error: OSError) -> OutputError:
    """What to raise when the disk refuses."""
    return OutputError(
        os.fspath(path), (error.strerror or str(error)).lower(), "free some space, or choose another OUT"
    )
