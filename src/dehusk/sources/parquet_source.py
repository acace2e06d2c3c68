"""Parquet -> RawPage: a column of pages, as bytes or text, and one of addresses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from dehusk.errors import MissingExtra, SourceUnreadable
from dehusk.sources.field_names import Fields, find_fields, header_pairs
from dehusk.sources.http_bodies import LARGEST_HEAD, Headers
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_options import ALREADY_DECODED, Found, SourceOptions, open_binary, too_large, unreadable

_BATCH: Final = 32
"""Rows decoded at a time. Web pages have 0.1 MB on average, so that this is a few megabytes; more is no faster."""
_BUFFER: Final = 1 << 20
"""Bytes read at a time; otherwise a column of a row group is read whole, and that may be as large as the file. What is
decompressed whole in any case is a page of the format, of a thousand rows as most writers have it."""


def read_parquet(path: str, options: SourceOptions) -> Iterator[Found]:
    """The pages of the file, one row group after the other; one that cannot be decoded is a fault."""
    pyarrow = import_pyarrow()
    # ValueError and the like: what pyarrow raises of damaged files is not always one of its own exceptions.
    faults = (pyarrow.ArrowException, OSError, ValueError, TypeError, KeyError, OverflowError, MemoryError)
    with open_binary(path) as stream:
        try:
            file = pyarrow.parquet.ParquetFile(stream, pre_buffer=False, buffer_size=_BUFFER)
            fields = find_fields(file.schema_arrow.names, options, path)
        except SourceUnreadable as error:
            yield error
            return
        except faults as error:
            yield unreadable(path, f"not a readable Parquet file ({error})")
            return
        number = 0
        for group in range(file.num_row_groups):
            end = number + file.metadata.row_group(group).num_rows
            try:
                for found in _pages(file, group, fields, path, number, options):
                    number += 1
                    yield found
            except faults as error:
                yield unreadable(f"{path}#row {number + 1}", error, "the rest of its row group is not read")
            number = end


def _pages(file: Any, group: int, fields: Fields, path: str, before: int, options: SourceOptions) -> Iterator[Found]:
    number = before
    columns = [name for name in (fields.html, fields.url, fields.time, fields.headers) if name]
    for batch in file.iter_batches(batch_size=_BATCH, row_groups=[group], columns=columns, use_threads=False):
        htmls, is_text = _as_bytes(batch, fields.html)
        urls, times, heads = _texts(batch, fields.url), _texts(batch, fields.time), _heads(batch, fields.headers)
        for html, url, time, headers in zip(htmls, urls, times, heads, strict=True):
            number += 1
            label = f"{path}#row {number}"
            body = html.as_py() if html.is_valid and _size(html) <= options.limits.bytes else None
            if body is not None:
                yield RawPage(body, url, label, (ALREADY_DECODED if is_text else ()) + headers, time)
            elif html.is_valid:
                yield too_large(label, options.limits)
            else:
                yield SourceUnreadable(label, f"nothing in its column {fields.html}", "leave it out")


def _size(value: Any) -> int:
    buffer = value.as_buffer()
    return 0 if buffer is None else int(buffer.size)


def _as_bytes(batch: Any, name: str) -> tuple[Any, bool]:
    """A column as bytes, and whether it is one of text. Text that is not UTF-8 stays what it is that way."""
    import pyarrow

    column = batch.column(name)
    if pyarrow.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    is_text = not (pyarrow.types.is_binary(column.type) or pyarrow.types.is_large_binary(column.type))
    if is_text and not (pyarrow.types.is_string(column.type) or pyarrow.types.is_large_string(column.type)):
        raise TypeError(f"column {name} holds {column.type} and no html")
    return column.cast(pyarrow.large_binary()), is_text


def _texts(batch: Any, name: str) -> list[str]:
    """A column as text, whatever it holds; empty where there is nothing."""
    import pyarrow

    if not name:
        return [""] * len(batch)
    column = batch.column(name)
    if pyarrow.types.is_timestamp(column.type) or pyarrow.types.is_date(column.type):
        column = column.cast(pyarrow.string())
    try:
        values = _as_bytes(batch.set_column(batch.schema.get_field_index(name), name, column), name)[0]
    except TypeError:
        return [""] * len(batch)
    return [value.as_py().decode("utf-8", "replace") if value.is_valid else "" for value in values]


def _heads(batch: Any, name: str) -> list[Headers]:
    """A column of response headers: lists of names and values, or maps. Nothing where it holds something else."""
    return [_head(value) for value in batch.column(name)] if name else [()] * len(batch)


def _head(value: Any) -> Headers:
    import pyarrow

    is_list = isinstance(value, pyarrow.ListScalar) and value.is_valid  # maps are lists of entries
    try:
        return header_pairs(value.as_py()) if is_list and value.values.nbytes <= LARGEST_HEAD else ()
    except (pyarrow.ArrowException, ValueError):
        return ()  # not UTF-8, or a name twice


def import_pyarrow() -> Any:
    """The library, with what it has for Parquet; Any because it has no types."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra("pyarrow", "needed for Parquet files", "pip install 'dehusk[parquet]'") from error
    return pyarrow
