"""Write files whole or not at all, under safe names, and say what to do if that fails."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import Final, TypeAlias

from dehusk.errors import DehuskError, OutputError

Remedies: TypeAlias = Mapping[int, str]
"""What to do about an error of the operating system, by its number; 0 stands for all others."""
INCOMPLETE: Final = ".dehusk-"
"""Prefix of the names of incomplete files; the number of the process that writes one follows."""
_LONGEST_NAME: Final = 100
"""Characters of the target's name in that of an incomplete file: file systems take 255 bytes."""
_OF_THE_WHOLE_DISK: Final = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO}
    # Not where files have a largest size: others may be smaller.
)


def remedies(place: str, resume: str = "") -> Remedies:
    """The remedies for output that has another place to go, such as "another --output".

    `resume` is how to go on once there is room, such as "run the same command again"; empty if nothing is left to
    go on from.
    """
    room = f"free some space and {resume}" if resume else f"free some space, or choose {place}"
    writable = f"make it writable, or choose {place}"
    taken = f"choose {place}: there is a file of that name"
    return {
        **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), room),
        **dict.fromkeys((errno.EROFS, errno.EACCES, errno.EPERM), writable),
        **dict.fromkeys((errno.EEXIST, errno.ENOTDIR), taken),
        errno.ENOENT: f"make its folder, or choose {place}",
        errno.EFBIG: f"allow larger files (ulimit -f), or choose {place}",
        0: f"check the disk, or choose {place}",
    }


ANOTHER_OUTPUT: Final = remedies("another --output")
RESUMED_OUTPUT: Final = remedies("another --output", "run the same command again with --resume")
"""The same where `--resume` goes on from the files that are there."""
TEMPORARY_FILES: Final = remedies("another folder for temporary files with TMPDIR")


@contextmanager
def output_errors(target: str | Path, remedies: Remedies = ANOTHER_OUTPUT) -> Iterator[None]:
    """Turn errors of the operating system into an `OutputError` that says what to do."""
    try:
        yield
    except OSError as error:
        raise OutputError(str(target), cause_of(error), remedy_of(error, remedies)) from error


def cause_of(error: OSError) -> str:
    """An error in the system's words. By its number: pyarrow wraps the message in much text of its own."""
    return (os.strerror(error.errno) if error.errno else str(error)).lower()


def remedy_of(error: OSError, remedies: Remedies) -> str:
    """What to do about an error."""
    return remedies.get(error.errno or 0, remedies[0])


def ends_writing(error: DehuskError) -> bool:
    """Whether no other file can be written either: the disk is full, or the folder cannot be written to."""
    cause = error.__cause__
    return isinstance(error, OutputError) and isinstance(cause, OSError) and cause.errno in _OF_THE_WHOLE_DISK


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """A temporary file beside the target, renamed to it at the end; removed if writing fails."""
    temporary = target.with_name(f"{INCOMPLETE}{os.getpid()}-{target.name[:_LONGEST_NAME]}")
    try:
        yield temporary
        os.replace(temporary, target)
    finally:
        with suppress(OSError):  # a folder that cannot be written to has said so already
            temporary.unlink(missing_ok=True)


def write_whole(target: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    with written_whole(target) as temporary:
        temporary.write_bytes(data)


def remove_incomplete(folder: Path, name: str = "") -> None:
    """Remove what killed processes left in a folder, of one target or of all."""
    for leftover in list(folder.glob(f"{INCOMPLETE}*-{escape(name[:_LONGEST_NAME]) or '*'}")):
        if not _is_running(leftover.name.removeprefix(INCOMPLETE).partition("-")[0]):
            with suppress(OSError):  # the next write will say what is wrong
                leftover.unlink(missing_ok=True)


def _is_running(process: str) -> bool:
    """Whether a process of that number runs, as far as the system tells."""
    if not process.isdecimal() or os.name != "posix":  # elsewhere, asking for a process ends it
        return True
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # of another user
    return int(process) != os.getpid()  # in a container, the process before this one may have had its number


def digest_name(*described: str) -> str:
    """A file name that is safe anywhere: 32 hexadecimal digits of a hash."""
    from hashlib import sha256  # loads OpenSSL, which few runs need

    return sha256("\n".join(described).encode("utf-8", "surrogatepass")).hexdigest()[:32]
