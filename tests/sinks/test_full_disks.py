"""Sinks where there is no room, or that are killed: an error with a way out, and no half of a file."""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import pytest
from killed_forks import files_in, killed_at_renames
from small_disks import CRAMPED, LOCKED, cramped, locked
from test_sinks import FILES, RECORDS, WRITTEN_AT

import dehusk

SINKS = ["out", *(f"a{suffix}" for suffix in FILES)]
ELSEWHERE = "or choose another place to write to"


def text(number: int) -> str:
    """4,000 characters that no compression makes much shorter."""
    return " ".join(sha256(f"{number} {part}".encode()).hexdigest() for part in range(62))


LARGE = [RECORDS[0] | {"url": f"https://tea.example/{number}", "text": text(number)} for number in range(120)]


def write(path: Path) -> Path:
    with dehusk.open_sink(path, written_at=WRITTEN_AT) as sink:
        for record in LARGE:
            sink.write(record)
    return path


@pytest.mark.parametrize("kind", CRAMPED)
@pytest.mark.parametrize("name", SINKS)
def test_without_room_there_is_an_error_and_no_half_of_a_file(kind: str, name: str, tmp_path: Path) -> None:
    with cramped(kind, tmp_path / "disk") as disk:
        with pytest.raises(dehusk.OutputError, match=f"{disk.cause}; {disk.advice}.*, {ELSEWHERE}"):
            write(disk.folder / name)
        left = files_in(disk.folder)
        disk.make_room()
        whole = files_in(write(disk.folder / name).parent)
    assert left.items() < whole.items()
    assert name == "out" or not left


@pytest.mark.parametrize("kind", CRAMPED)
@pytest.mark.parametrize("name", SINKS[1:])
def test_what_was_there_before_stays(kind: str, name: str, tmp_path: Path) -> None:
    with cramped(kind, tmp_path / "disk") as disk:
        (disk.folder / name).write_bytes(b"before")
        with pytest.raises(dehusk.OutputError, match=disk.cause):
            write(disk.folder / name)
        assert files_in(disk.folder) == {name: b"before"}


@pytest.mark.parametrize("kind", CRAMPED)
@pytest.mark.parametrize("name", [name for name in SINKS[1:] if not name.endswith(".parquet")])
def test_a_file_that_lacks_a_record_is_not_finished(kind: str, name: str, tmp_path: Path) -> None:
    """Whoever goes on after an error, once there is room, must not get a file that half of a record is in."""
    with cramped(kind, tmp_path / "disk") as disk:

        def go_on() -> None:
            with dehusk.open_sink(disk.folder / name) as sink:
                for record in LARGE:
                    try:
                        sink.write(record)
                    except dehusk.OutputError:
                        disk.make_room()

        with pytest.raises(dehusk.OutputError, match=disk.cause):
            go_on()
        assert files_in(disk.folder) == {}


@pytest.mark.parametrize("name", SINKS[1:])
def test_the_first_error_is_the_one_that_is_raised(name: str, tmp_path: Path) -> None:
    """Although closing what could not be written fails as well."""

    def stop(path: Path) -> None:
        with dehusk.open_sink(path) as sink:
            for record in LARGE:
                with suppress(dehusk.OutputError):
                    sink.write(record)
            raise KeyError("stop")

    with cramped("largest file", tmp_path / "disk") as disk:
        with pytest.raises(KeyError, match="stop"):
            stop(disk.folder / name)
        assert files_in(disk.folder) == {}


@pytest.mark.parametrize("kind", LOCKED)
@pytest.mark.parametrize("name", SINKS)
def test_a_folder_that_takes_nothing(kind: str, name: str, tmp_path: Path) -> None:
    with (
        locked(kind, tmp_path / "disk") as folder,
        pytest.raises(dehusk.OutputError, match=f"make it writable, {ELSEWHERE}"),
    ):
        write(folder / name)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forks")
@pytest.mark.parametrize("name", ["out", "a.jsonl", "a.csv.gz", "a.parquet", "a.warc.gz"])
def test_killed_at_any_rename_a_file_is_whole_or_not_there_and_nothing_else_stays(name: str, tmp_path: Path) -> None:
    places = killed_at_renames("write_sink", tmp_path, name)
    whole = files_in(places["never"])
    assert len(places) == 1 + 2 * len(whole)
    assert {moment: place for moment, place in places.items() if files_in(place) != whole} == {}
