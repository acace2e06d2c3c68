"""Parquet -> RawPage: a column of pages, as bytes or text, and one of URLs.

A few kilobytes of Parquet can expand to gigabytes: a dictionary holds a value once for any number of rows, values are
stored as differences from the previous one, and all of it is compressed. So the sizes of a row group's pages (those of
the format) are checked before any is decoded, and determine how many rows are decoded at a time; values of lists stay
in their dictionary.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, BinaryIO, Final

from dehusk.errors import SourceUnreadable, needed
from dehusk.sources.field_names import Fields, find_fields, header_pairs, looks_like_html, no_html
from dehusk.sources.http_bodies import LARGEST_HEAD
from dehusk.sources.parquet_sizes import (
    DELTA_BYTE_ARRAY,
    DELTA_LENGTH_BYTE_ARRAY,
    Chunk,
    column_chunks,
    page_sizes,
)
from dehusk.sources.raw_page import Headers, RawPage
from dehusk.sources.source_options import (
    ALREADY_DECODED,
    Found,
    SourceOptions,
    as_paragraphs,
    open_binary,
    page_of_text,
    too_large,
    unreadable,
)

_BATCH: Final = 32
"""Rows decoded at a time; more is not faster, and one by one costs 0.3 ms each."""
_BATCH_BYTES: Final = 64_000_000
"""Most bytes of these rows, unless it is one row: no value is larger than the page of the format it is in, but a
dictionary or a shared prefix can make every value as large."""
_BUFFER: Final = 1 << 20
"""Bytes read at a time; otherwise a whole column of a row group is read, which may be as large as the file. A page of
the format, usually a thousand rows, is always decompressed whole."""
_LARGEST_ROWS: Final = 4
"""A page of the format may always be as large as so many of the largest web pages allowed."""
_LIKELY_RATIO: Final = 100
"""A page of the format may be larger if it is at most so many times its compressed size; for HTML it is 5 to 30."""
_LARGEST_PAGE: Final = 1_000_000_000
"""Most bytes of such a page. A thousand web pages of 0.1 MB make a tenth of it."""
_MOST_NESTED: Final = 32_000_000
"""Most values of a list column in a row group: all may be in one row, and each takes some bytes when decoded."""
_MOST_HEADERS: Final = 1000
"""Most headers of a response; servers and clients refuse more than a hundred or so."""
_HEAD: Final = 5000
"""Bytes in which markup is looked for."""
_WITHOUT_DICTIONARY: Final = frozenset({DELTA_BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY})
"""Encodings that cannot be decoded into a dictionary. Lists with them may grow without bound, and are not read."""


@dataclass(frozen=True, slots=True)
class _Table:
    """A file whose pages can be read."""

    file: Any
    stream: BinaryIO
    """The same file opened again, to read sizes."""
    path: str
    fields: Fields
    groups: list[list[Chunk]]
    """The columns of each row group, as stored."""


def read_parquet(path: str, options: SourceOptions) -> Iterator[Found]:
    """The pages of the file; a row group that cannot be decoded is a fault."""
    pyarrow = import_pyarrow()
    # Damaged files do not always make pyarrow raise its own exceptions.
    faults = (pyarrow.ArrowException, OSError, ValueError, TypeError, KeyError, OverflowError, MemoryError)
    with open_binary(path) as stream, open_binary(path) as beside:
        try:
            table = _opened(stream, beside, path, options)
        except SourceUnreadable as error:
            yield error
            return
        except faults as error:
            yield unreadable(path, f"not a readable Parquet file ({error})")
            return
        yield from _rows(table, options, faults)


def _opened(stream: BinaryIO, beside: BinaryIO, path: str, options: SourceOptions) -> _Table:
    open_file = import_pyarrow().parquet.ParquetFile
    file = open_file(stream, pre_buffer=False, buffer_size=_BUFFER)
    fields = _decodable(find_fields(_paths_in(file.schema_arrow), options, path), file, path)
    groups = column_chunks(beside, _leaves_of(file, _columns(fields)))
    if len(groups) != file.num_row_groups:
        raise ValueError("its footer contradicts itself")
    nested = [path for path in _leaves_of(file, [fields.headers]).values() if path != fields.headers]
    chunks = (chunk for group in groups for chunk in group if chunk.path in nested)
    if any(chunk.encodings & _WITHOUT_DICTIONARY for chunk in chunks):
        fields = replace(fields, headers="")
    elif nested:
        file = open_file(stream, pre_buffer=False, buffer_size=_BUFFER, read_dictionary=nested)
    return _Table(file, beside, path, fields, groups)


def _columns(fields: Fields) -> list[str]:
    return [name for name in (fields.html, fields.url, fields.time, fields.headers) if name]


def _paths_in(schema: Any) -> list[str]:
    """The names of columns, and paths to the fields of those that are structs."""
    import pyarrow

    structs = [column for column in schema if pyarrow.types.is_struct(column.type)]
    return [*schema.names, *(f"{column.name}.{inner.name}" for column in structs for inner in column.type)]


def _type_of(schema: Any, path: str) -> Any:
    if path in schema.names:
        return schema.field(path).type
    outer, _, inner = path.partition(".")
    return schema.field(outer).type.field(inner).type


def _column(batch: Any, path: str) -> Any:
    """A column of a batch, or a field of one that is a struct."""
    import pyarrow.compute

    if path in batch.schema.names:
        return batch.column(path)
    outer, _, inner = path.partition(".")
    return pyarrow.compute.struct_field(batch.column(outer), inner)


def _leaves_of(file: Any, columns: list[str]) -> dict[int, str]:
    """Numbers and paths of the stored columns that make up these columns; nested ones have several."""
    paths = [file.schema.column(number).path for number in range(len(file.schema))]
    wanted = tuple(f"{name}." for name in columns if name)
    return {number: path for number, path in enumerate(paths) if f"{path}.".startswith(wanted)}


def _decodable(fields: Fields, file: Any, path: str) -> Fields:
    """The fields without columns of unsuitable types."""
    import pyarrow

    def flat(name: str) -> str:
        return "" if not name or pyarrow.types.is_nested(_type_of(file.schema_arrow, name)) else name

    if not flat(fields.html):
        kind = _type_of(file.schema_arrow, fields.html)
        raise SourceUnreadable(path, f"column {fields.html} holds {kind}, not html", "name another with html_field")
    return replace(fields, url=flat(fields.url), time=flat(fields.time))


def _rows(table: _Table, options: SourceOptions, faults: tuple[type[Exception], ...]) -> Iterator[Found]:
    number = 0
    for group in range(table.file.num_row_groups):
        end = number + table.file.metadata.row_group(group).num_rows
        if end == number:
            continue  # its columns are not stored at all
        try:
            batch = max(1, min(_BATCH, _BATCH_BYTES // max(1, _largest_page(table, group, options))))
            for found in _pages(table, group, number, batch, options):
                number += 1
                yield found
        except faults as error:
            yield unreadable(f"{table.path}#row {number + 1}", error, "the rest of its row group is not read")
        number = end


def _largest_page(table: _Table, group: int, options: SourceOptions) -> int:
    """Bytes of the largest page of the format; raises ValueError if decoding a row could need too much memory."""
    largest = 0
    for chunk in table.groups[group]:
        values = 0
        for page in page_sizes(table.stream, chunk):
            values += page.values
            largest = max(largest, page.decompressed)
            most = max(_LARGEST_ROWS * options.limits.bytes, min(_LIKELY_RATIO * page.compressed, _LARGEST_PAGE))
            if page.decompressed > most:
                raise ValueError(f"{chunk.path} expands to {page.decompressed:,} bytes at once")
        if values > _MOST_NESTED and "." in chunk.path:
            raise ValueError(f"{chunk.path} has {values:,} values in a row group")
    return largest


def _pages(table: _Table, group: int, number: int, batch_size: int, options: SourceOptions) -> Iterator[Found]:
    fields = table.fields
    batches = table.file.iter_batches(
        batch_size=batch_size, row_groups=[group], columns=_columns(fields), use_threads=False
    )
    for batch in batches:
        htmls, is_text = _as_bytes(batch, fields.html)
        urls, times, heads = _texts(batch, fields.url), _texts(batch, fields.time), _heads(batch, fields.headers)
        for html, url, time, headers in zip(htmls, urls, times, heads, strict=True):
            number += 1
            label = f"{table.path}#row {number}"
            body = html.as_py() if html.is_valid and _size(html) <= options.limits.bytes else None
            if body is not None and fields.is_doubtful and not looks_like_html(body[:_HEAD]):
                yield no_html(label)
            elif body is not None and fields.is_plain:
                yield page_of_text(as_paragraphs(body.decode("utf-8", "replace")), url, label, time, headers)
            elif body is not None:
                yield RawPage(body, url, label, (ALREADY_DECODED if is_text else ()) + headers, time)
            elif html.is_valid:
                yield too_large(label, options.limits)
            else:
                yield SourceUnreadable(label, f"nothing in its column {fields.html}", "leave it out")


def _size(value: Any) -> int:
    buffer = value.as_buffer()
    return 0 if buffer is None else int(buffer.size)


def _as_bytes(batch: Any, name: str) -> tuple[Any, bool]:
    """A column as bytes, and whether it is text. As bytes, text that is not UTF-8 stays unchanged."""
    import pyarrow

    column = _column(batch, name)
    if pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    is_text = not (pyarrow.types.is_binary(column.type) or pyarrow.types.is_large_binary(column.type))
    if is_text and not (pyarrow.types.is_string(column.type) or pyarrow.types.is_large_string(column.type)):
        raise TypeError(f"column {name} holds {column.type}, not html")
    return column.cast(pyarrow.large_binary()), is_text


def _texts(batch: Any, name: str) -> list[str]:
    """A column as text, whatever it holds; empty for missing values."""
    import pyarrow

    if not name:
        return [""] * len(batch)
    column = _column(batch, name)
    if pyarrow.types.is_timestamp(column.type) or pyarrow.types.is_date(column.type):
        column = column.cast(pyarrow.string())
    try:
        values = _as_bytes(pyarrow.record_batch([column], names=[name]), name)[0]
    except TypeError:
        return [""] * len(batch)
    return [value.as_py().decode("utf-8", "replace") if value.is_valid else "" for value in values]


def _heads(batch: Any, name: str) -> list[Headers]:
    """A column of response headers: lists of names and values, or maps. Empty for anything else."""
    return [_head(value) for value in batch.column(name)] if name else [()] * len(batch)


def _head(value: Any) -> Headers:
    import pyarrow

    is_list = isinstance(value, pyarrow.ListScalar) and value.is_valid  # maps are lists of entries
    try:
        return header_pairs(value.as_py()) if is_list and _fits(value.values) else ()
    except (pyarrow.ArrowException, ValueError):
        return ()  # not UTF-8, or a repeated name


def _fits(entries: Any) -> bool:
    """Whether the headers are within the limits, counting repeated values each time."""
    if len(entries) > _MOST_HEADERS:
        return False
    texts = (text for leaf in _leaves(entries) for text in islice(leaf, 2 * _MOST_HEADERS))
    return sum(map(_text_size, texts)) <= LARGEST_HEAD


def _leaves(array: Any) -> Iterator[Any]:
    """The arrays of values in an array of structs or lists."""
    import pyarrow

    if pyarrow.types.is_struct(array.type):
        for child in array.flatten():
            yield from _leaves(child)
    elif pyarrow.types.is_nested(array.type):
        yield from _leaves(array.flatten())
    else:
        yield array


def _text_size(value: Any) -> int:
    """Bytes of a text; more than allowed if it is not text."""
    import pyarrow

    text = value.value if isinstance(value, pyarrow.DictionaryScalar) else value
    if text is None or not text.is_valid:
        return 0
    return _size(text) if isinstance(text, pyarrow.BinaryScalar) else LARGEST_HEAD + 1


def import_pyarrow() -> Any:
    """The library with its module for Parquet; Any because it has no types."""
    with needed("pyarrow", "for Parquet files", "parquet"):
        import pyarrow
        import pyarrow.parquet
    return pyarrow
