"""A zip file that is made while it is sent: no more of it is in memory than a page."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

_FIXED_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""The same pages give the same bytes."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file of the archive."""

    name: str
    content: bytes


class _Outbox:
    """What zipfile writes into, without going back: what is written is taken away."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._chunks.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing waits here."""

    def taken(self) -> bytes:
        """What was written since the last time."""
        together = b"".join(self._chunks)
        self._chunks.clear()
        return together


def streamed_zip(members: Iterable[Member]) -> Iterator[bytes]:
    """The bytes of the archive, piece by piece."""
    outbox = _Outbox()
    with zipfile.ZipFile(outbox, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]  # it can write
        for member in members:
            archive.writestr(zipfile.ZipInfo(member.name, _FIXED_TIME), member.content, zipfile.ZIP_DEFLATED)
            yield outbox.taken()
    yield outbox.taken()
