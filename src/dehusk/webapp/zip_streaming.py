"""Write a zip file while it is sent, with only one page of it in memory."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

_FIXED_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""A fixed date, so that the same pages give the same bytes."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file in the archive."""

    name: str
    content: bytes


class _Outbox:
    """A write-only file for `zipfile`; `taken` empties it."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._chunks.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing is buffered here."""

    def taken(self) -> bytes:
        """The bytes written since the last call."""
        together = b"".join(self._chunks)
        self._chunks.clear()
        return together


def streamed_zip(members: Iterable[Member]) -> Iterator[bytes]:
    """The archive in chunks of bytes."""
    outbox = _Outbox()
    with zipfile.ZipFile(outbox, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]  # it can write
        for member in members:
            archive.writestr(zipfile.ZipInfo(member.name, _FIXED_TIME), member.content, zipfile.ZIP_DEFLATED)
            yield outbox.taken()
    yield outbox.taken()
