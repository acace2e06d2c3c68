"""How much memory a column of a Parquet file takes to decode, found before decoding it.

A column is stored in pages of the format, each compressed as a whole and decompressed as a whole: a few kilobytes can
make gigabytes. pyarrow does not expose the headers of these pages, and its metadata of a damaged file can end the
process. So this module reads the columns in the file's footer and the header of each page. They are structs of
Thrift's compact protocol (https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift).
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, TypeAlias

DELTA_LENGTH_BYTE_ARRAY: Final = 6
DELTA_BYTE_ARRAY: Final = 7
"""Encodings that cannot be decoded into a dictionary."""

_LARGEST_STRUCT: Final = 1 << 24
"""Bytes of a footer or of a page header, which has values in its statistics."""
_DEEPEST: Final = 16
"""Levels of nested structs; the format has half as many."""
_HIGHEST_FIELD: Final = 100
_LONGEST_LIST: Final = 100
"""More are ignored: the format has twenty fields in a struct, and its long lists do not matter here."""
_END: Final = b"PAR1"

# Fields of structs, by their numbers in the format.
_ROW_GROUPS, _COLUMNS, _META_DATA = 4, 1, 3
_ENCODINGS, _COMPRESSED, _DATA_OFFSET, _DICTIONARY_OFFSET = 2, 7, 9, 11
_PAGE_DECOMPRESSED, _PAGE_COMPRESSED, _PAGE_VALUES = 2, 3, 1
_DATA_PAGES: Final = (5, 8)
"""Headers of data pages, of version 1 and 2."""

Struct: TypeAlias = dict[int, Any]
"""Field number -> a number, bytes, a struct, or a list of numbers or bytes."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A column of a row group: its full path, and its position in the file."""

    path: str
    encodings: frozenset[int]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PageSize:
    """The sizes of a page of the format in bytes, and its number of values."""

    compressed: int
    decompressed: int
    values: int


def column_chunks(stream: BinaryIO, columns: Mapping[int, str]) -> list[list[Chunk]]:
    """These columns (number -> path) in each row group. Raises ValueError if the footer is damaged.

    The paths stored with columns are ignored: readers go by the number.
    """
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - 8))
    end = stream.read(8)
    length = int.from_bytes(end[:4], "little")
    if end[4:] != _END or length > size - 8 or length > _LARGEST_STRUCT:
        raise ValueError("no footer, or one that is too large")
    stream.seek(size - 8 - length)
    reader = _Compact(io.BytesIO(stream.read(length)))
    groups = []
    for _ in _within(reader, _ROW_GROUPS):
        structs = ((number, reader.struct()) for number, _ in enumerate(_within(reader, _COLUMNS)))
        groups.append([_chunk(struct, columns[number]) for number, struct in structs if number in columns])
    return groups


def page_sizes(stream: BinaryIO, chunk: Chunk) -> Iterator[PageSize]:
    """The pages of a column of a row group. Raises ValueError if they are not where they should be."""
    start = chunk.start
    while start < chunk.end:
        stream.seek(start)
        reader = _Compact(stream)
        header = reader.struct()
        compressed, decompressed = _number(header, _PAGE_COMPRESSED), _number(header, _PAGE_DECOMPRESSED)
        if compressed < 0 or decompressed < 0:
            raise ValueError("a page with a negative size")
        data_pages = (header.get(field) for field in _DATA_PAGES)
        values = sum(_number(page, _PAGE_VALUES) for page in data_pages if isinstance(page, dict))
        yield PageSize(compressed, decompressed, values)
        start += reader.size + compressed


def _within(reader: _Compact, wanted: int) -> Iterator[None]:
    """Stop at each struct of a list that is a field of the current struct."""
    for field, kind in reader.fields():
        if field == wanted:
            for _ in range(reader.list_header()[0]):
                yield
        else:
            reader.value(kind)


def _chunk(column: Struct, path: str) -> Chunk:
    found = column.get(_META_DATA)
    if not isinstance(found, dict):
        raise ValueError("a column without a position")
    start, dictionary = _number(found, _DATA_OFFSET), found.get(_DICTIONARY_OFFSET)
    if isinstance(dictionary, int) and 0 < dictionary < start:
        start = dictionary
    return Chunk(path, frozenset(found.get(_ENCODINGS) or ()), start, start + _number(found, _COMPRESSED))


def _number(struct: Struct, field: int) -> int:
    number = struct.get(field)
    if not isinstance(number, int):
        raise ValueError("a missing size or position")
    return number


class _Compact:
    """Reads structs from the current position of a stream."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.size = 0
        """Bytes read so far."""
        self._kinds: dict[int, Callable[[int], object]] = {
            3: lambda depth: self._byte(),
            **dict.fromkeys((4, 5, 6), lambda depth: self._integer()),
            7: lambda depth: self._take(8),
            8: lambda depth: self._take(self._variable()),
            9: self._list,
            10: self._list,
            11: self._map,
            12: self.struct,
        }

    def struct(self, depth: int = 0) -> Struct:
        """All that is in it, but for lists that are long or of structs."""
        if depth > _DEEPEST:
            raise ValueError("too many structs within structs")
        found: Struct = {}
        for field, kind in self.fields():
            value = self.value(kind, depth + 1)
            if field <= _HIGHEST_FIELD:
                found[field] = value
        return found

    def fields(self) -> Iterator[tuple[int, int]]:
        """Number and type of each field; whoever asks reads its value before the next."""
        field = 0
        while byte := self._byte():
            field = field + (byte >> 4) if byte >> 4 else self._integer()
            yield field, byte & 15

    def value(self, kind: int, depth: int = 0) -> object:
        """Read a value of this type."""
        if kind in (1, 2):
            return kind == 1  # the type of a boolean field is its value
        if kind not in self._kinds:
            raise ValueError("unknown types")
        return self._kinds[kind](depth)

    def list_header(self) -> tuple[int, int]:
        """The length of a list, and the type of its elements."""
        byte = self._byte()
        return byte >> 4 if byte >> 4 < 15 else self._variable(), byte & 15

    def _list(self, depth: int) -> list[object]:
        count, kind = self.list_header()
        kept: list[object] = []
        for _ in range(count):
            value = self._element(kind, depth)
            if len(kept) < _LONGEST_LIST and isinstance(value, int | bytes):
                kept.append(value)
        return kept

    def _map(self, depth: int) -> None:
        count = self._variable()
        kinds = self._byte() if count else 0
        for _ in range(count):
            self._element(kinds >> 4, depth)
            self._element(kinds & 15, depth)

    def _element(self, kind: int, depth: int) -> object:
        return self._byte() if kind in (1, 2) else self.value(kind, depth + 1)

    def _integer(self) -> int:
        zigzag = self._variable()
        return (zigzag >> 1) ^ -(zigzag & 1)

    def _variable(self) -> int:
        """Seven bits per byte, low bits first."""
        number = 0
        for shift in range(0, 70, 7):
            byte = self._byte()
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                return number
        raise ValueError("an endless number")

    def _byte(self) -> int:
        return self._take(1)[0]

    def _take(self, size: int) -> bytes:
        self.size += size
        if self.size > _LARGEST_STRUCT:
            raise ValueError("an endless struct")
        taken = self._stream.read(size)
        if len(taken) < size:
            raise ValueError("a struct that is cut off")
        return taken
