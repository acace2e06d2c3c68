"""`dehusk` as a program whose large pages are stuck in native code for hours, if they say so."""

from __future__ import annotations

from pathlib import Path

from small_steps import stall_in_native_code

from dehusk.cli import clean_running, main
from dehusk.cli.clean_step import CleanFile, clean_file
from dehusk.cli.reporting import FileCleaned

STALL = "<!-- stall -->"
NOTE = ".begun"
"""Ends the name of a file that is there once the page is being cleaned."""


def clean_or_stall(task: CleanFile) -> FileCleaned:
    if STALL.encode() in task.given.read().body:
        Path(task.given.label + NOTE).touch()
        stall_in_native_code()
    return clean_file(task)


if __name__ == "__main__":
    import clean_or_stall as importable  # functions of __main__ have another name in other processes

    clean_running.clean_file = importable.clean_or_stall  # type: ignore[attr-defined]
    main()
