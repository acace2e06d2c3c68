"""Open anything that holds pages. Later readers (WARC, Parquet, URLs) join here by suffix."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from dehusk.errors import SourceError
from dehusk.limits import DEFAULT_LIMITS, Limits
from dehusk.sources.files import find_pages, read_file
from dehusk.sources.raw_page import RawPage


def open_source(
    path: str | os.PathLike[str],
    *,
    on_error: Callable[[SourceError], None] | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Iterator[RawPage]:
    """Stream the pages of a file or folder (`-` is standard input).

    A page that cannot be read goes to `on_error` and the stream goes on; without `on_error` it raises.
    """
    for file in find_pages(os.fspath(path)):
        try:
            raw_page = read_file(file, limits)
        except SourceError as error:
            if on_error is None:
                raise
            on_error(error)
        else:
            yield raw_page
