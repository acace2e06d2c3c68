"""How much it takes to decode a column of a Parquet file, before any of it is.

A column is stored in pages of the format, each compressed as a whole and decompressed as a whole: a few kilobytes can
make gigabytes. pyarrow does not show the headers of these pages, so they are read here: a struct of Thrift's compact
protocol before each page, which says how many bytes the page has, packed and unpacked, and how many values.
(https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, TypeAlias

_LARGEST_HEADER: Final = 1 << 24
"""Bytes of a page's header, which has statistics with values in it; pyarrow reads no larger ones either."""
_DEEPEST: Final = 8
"""Structs within structs; the format has three."""
_UNPACKED, _PACKED, _VALUES = 2, 3, 1
_HEADERS_WITH_VALUES: Final = (5, 8)
"""Fields of a page's header: data pages of version 1 and 2."""

Struct: TypeAlias = dict[int, Any]
"""Numbers and structs by the number of their field. What else there is, is passed over."""


@dataclass(frozen=True, slots=True)
class PageSize:
    """A page of the format, in bytes, and how many values are in it."""

    packed: int
    unpacked: int
    values: int


def page_sizes(stream: BinaryIO, chunk: Any) -> Iterator[PageSize]:
    """The pages of a column chunk (as pyarrow's metadata has it). Raises ValueError if they are not to be found."""
    start = chunk.data_page_offset
    if chunk.dictionary_page_offset is not None and 0 < chunk.dictionary_page_offset < start:
        start = chunk.dictionary_page_offset
    end = start + chunk.total_compressed_size
    while start < end:
        stream.seek(start)
        reader = _Compact(stream)
        header = reader.struct()
        packed, unpacked = header.get(_PACKED), header.get(_UNPACKED)
        if not isinstance(packed, int) or not isinstance(unpacked, int) or packed < 0 or unpacked < 0:
            raise ValueError("a page without its size")
        yield PageSize(packed, unpacked, sum(map(_values, map(header.get, _HEADERS_WITH_VALUES))))
        start += reader.size + packed


def _values(header: object) -> int:
    values = header.get(_VALUES) if isinstance(header, dict) else 0
    return values if isinstance(values, int) else 0


class _Compact:
    """Reads one struct from where the stream stands."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.size = 0
        self._kinds: dict[int, Callable[[int], object]] = {
            3: lambda depth: self._take(1),
            **dict.fromkeys((4, 5, 6), lambda depth: self._number()),
            7: lambda depth: self._take(8),
            8: lambda depth: self._take(self._length()),
            9: self._list,
            10: self._list,
            11: self._map,
            12: self.struct,
        }

    def struct(self, depth: int = 0) -> Struct:
        if depth > _DEEPEST:
            raise ValueError("a header of structs within structs")
        found: Struct = {}
        field = 0
        while byte := self._byte():
            field = field + (byte >> 4) if byte >> 4 else self._number()
            kind = byte & 15
            if kind not in (1, 2):  # which are true and false, and have no bytes of their own
                found[field] = self._value(kind, depth + 1)
        return found

    def _value(self, kind: int, depth: int) -> object:
        if kind not in self._kinds:
            raise ValueError("a header of unknown types")
        return self._kinds[kind](depth)

    def _list(self, depth: int) -> None:
        byte = self._byte()
        for _ in range(byte >> 4 if byte >> 4 < 15 else self._length()):
            self._element(byte & 15, depth)

    def _map(self, depth: int) -> None:
        size = self._length()
        kinds = self._byte() if size else 0
        for _ in range(size):
            self._element(kinds >> 4, depth)
            self._element(kinds & 15, depth)

    def _element(self, kind: int, depth: int) -> None:
        if kind in (1, 2):
            self._byte()
        else:
            self._value(kind, depth + 1)

    def _length(self) -> int:
        return self._variable()

    def _number(self) -> int:
        zigzag = self._variable()
        return (zigzag >> 1) ^ -(zigzag & 1)

    def _variable(self) -> int:
        """Seven bits a byte, the low ones first."""
        number = 0
        for shift in range(0, 70, 7):
            byte = self._byte()
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                return number
        raise ValueError("a number without end")

    def _byte(self) -> int:
        return self._take(1)[0]

    def _take(self, size: int) -> bytes:
        self.size += size
        if self.size > _LARGEST_HEADER:
            raise ValueError("a header without end")
        taken = self._stream.read(size)
        if len(taken) < size:
            raise ValueError("it ends within a header")
        return taken
