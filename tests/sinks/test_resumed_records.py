"""Files of records that are resumed: after a full disk, after being killed, and beside the result of an earlier run."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from killed_forks import files_in, killed_at_renames
from small_disks import CRAMPED, LOCKED, cramped, locked
from test_full_disks import LARGE

from dehusk.errors import OutputError
from dehusk.sinks.resumed_records import RecordFile
from dehusk.workers.whole_files import RESUMED_OUTPUT

RESUME = "free some space and run the same command again with --resume"
LINES = {str(number): json.dumps(record | {"name": str(number)}) + "\n" for number, record in enumerate(LARGE)}
CHUNKS = {
    name: "".join(f"{json.dumps({'name': name, 'order': order, 'text': line[:900]})}\n" for order in range(3))
    for name, line in LINES.items()
}
"""Some pages with three chunks each."""
NAMES = ("a.jsonl", "a.jsonl.gz", "a.csv", "a.parquet")


def write(target: Path, lines: dict[str, str], resume: bool = True) -> int:
    """Write the records that are not there; returns how many these are."""
    added = 0
    with RecordFile(target, target.name.split(".")[1], RESUMED_OUTPUT, resume=resume) as records:
        for name, line in lines.items():
            if not records.has(name):
                records.add(line)
                added += 1
    return added


@pytest.mark.parametrize("kind", CRAMPED)
@pytest.mark.parametrize("name", NAMES)
def test_without_room_the_error_says_how_to_go_on_and_a_run_does(kind: str, name: str, tmp_path: Path) -> None:
    write(tmp_path / name, LINES)
    with cramped(kind, tmp_path / "disk") as disk:
        with pytest.raises(OutputError, match=f"{name}: {disk.cause}; {RESUME if kind == 'full disk' else 'allow'}"):
            write(disk.folder / name, LINES)
        assert not (disk.folder / name).exists()
        disk.make_room()
        added = write(disk.folder / name, LINES)
        assert added < len(LINES) if kind == "full disk" else added <= len(LINES)
        assert files_in(disk.folder) == {name: (tmp_path / name).read_bytes()}


@pytest.mark.parametrize("name", NAMES)
def test_no_room_for_the_file_itself_loses_no_record(name: str, tmp_path: Path) -> None:
    """The records are all there, and only the file that is made of them is not."""
    write(tmp_path / name, LINES)
    with cramped("full disk", tmp_path / "disk", 600) as disk:
        with pytest.raises(OutputError, match=RESUME):
            write(disk.folder / name, LINES)
        disk.make_room()
        assert write(disk.folder / name, LINES) == 0
        assert files_in(disk.folder) == {name: (tmp_path / name).read_bytes()}


def test_of_chunks_the_page_that_may_lack_some_is_done_again(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", CHUNKS)
    with cramped("full disk", tmp_path / "disk") as disk:
        with pytest.raises(OutputError, match=RESUME):
            write(disk.folder / "a.jsonl", CHUNKS)
        disk.make_room()
        assert write(disk.folder / "a.jsonl", CHUNKS) < len(CHUNKS)
        assert files_in(disk.folder) == {"a.jsonl": (tmp_path / "a.jsonl").read_bytes()}


@pytest.mark.parametrize("kind", LOCKED)
@pytest.mark.parametrize("has_begun", [False, True])
def test_a_folder_that_takes_nothing(kind: str, has_begun: bool, tmp_path: Path) -> None:
    def begin(folder: Path) -> None:
        if has_begun:
            (folder / ".a.jsonl.part").write_text(LINES["0"])

    with (
        locked(kind, tmp_path / "disk", begin) as folder,
        pytest.raises(OutputError, match="make it writable, or choose another --output"),
    ):
        write(folder / "a.jsonl", LINES)


def test_a_partial_file_counts_for_more_than_the_result_of_an_earlier_run(tmp_path: Path) -> None:
    """An interrupted run that is resumed would otherwise take all its pages for done, and lose its records."""
    target = tmp_path / "a.jsonl"
    target.write_text("of another run\n")
    (tmp_path / ".a.jsonl.part").write_text(LINES["0"])
    assert write(target, LINES) == len(LINES) - 1
    assert files_in(tmp_path) == {"a.jsonl": "".join(LINES.values()).encode()}


def test_a_result_without_a_partial_file_is_done(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", LINES)
    assert write(tmp_path / "a.jsonl", LINES) == 0
    assert list(tmp_path.iterdir()) == [tmp_path / "a.jsonl"]


@pytest.mark.parametrize("lines", [LINES, CHUNKS], ids=["records", "chunks"])
@pytest.mark.parametrize("cut", [0, 1, 2, 500, 4000])
def test_wherever_the_partial_file_ends(cut: int, lines: dict[str, str], tmp_path: Path) -> None:
    """With 1, all but the end of a line is there, which is no line yet."""
    begun = "".join(list(lines.values())[:3])
    (tmp_path / ".a.jsonl.part").write_text(begun[: len(begun) - cut])
    assert write(tmp_path / "a.jsonl", lines) >= len(lines) - 3
    assert files_in(tmp_path) == {"a.jsonl": "".join(lines.values()).encode()}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forks")
@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.parquet"])
def test_killed_before_or_after_the_rename_the_same_file_comes_of_it(name: str, tmp_path: Path) -> None:
    places = killed_at_renames("write_records", tmp_path, name)
    assert list(places) == [f"0: before {name}", f"1: after {name}", "never"]
    whole = files_in(places["never"])
    assert list(whole) == [name]
    assert all(files_in(place) == whole for place in places.values())
