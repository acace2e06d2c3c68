"""Lists of URLs: text files with one per line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dehusk.sources.decompression import DECOMPRESSION_FAULTS, open_compressed
from dehusk.sources.source_options import unreadable

_LONGEST: Final = 8_192
"""Bytes of a line. Servers and browsers refuse URLs beyond eight thousand characters."""


def read_urls(path: str) -> Iterator[str]:
    """The URLs in a file (also .gz, .bz2, .xz, .zst), without blank lines and those that begin with `#`.

    Lines that are too long are skipped. URLs are not checked: the fetcher does that.
    """
    with open_compressed(path) as stream:
        is_start = True
        try:
            while piece := stream.readline(_LONGEST + 1):
                is_end = piece.endswith(b"\n")
                line = piece.decode("utf-8", "replace").removeprefix("\ufeff").strip()
                if is_start and line and not line.startswith("#") and len(piece) <= _LONGEST:
                    yield line
                is_start = is_end
        except DECOMPRESSION_FAULTS as error:
            raise unreadable(path, error, "check that it is whole") from error
