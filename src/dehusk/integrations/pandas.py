"""Adds `DataFrame.dehusk` and `Series.dehusk` when imported.

import dehusk.integrations.pandas

frame.dehusk.clean()                # the frame, with columns for text, confidence, page type and error
frame["html"].dehusk.clean()        # only these columns
frame.dehusk.chunks(max_words=200)  # a frame with a row for each chunk
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any, Final, NamedTuple

from dehusk.errors import InvalidSetting, PageError, needed
from dehusk.integrations.page_cleaner import ModelOrFile, PageCleaner, find_model
from dehusk.learning import learn as learn_site
from dehusk.learning import sample
from dehusk.methods.base import Favour
from dehusk.outputs.chunks import MAX_WORDS, Chunk, ChunkOptions, chunks_of
from dehusk.page.characters import encodable
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import read_page
from dehusk.sites.site_of import site_of

with needed("pandas", "for DataFrame.dehusk", "pandas"):
    import pandas as pd

_ERRORS: Final = ("keep", "raise")
_CHUNK_COLUMNS: Final = [*(field.name for field in fields(Chunk)), "error"]
_CHUNK_KINDS: Final = dict.fromkeys(("order", "start", "end", "words"), "int64") | dict.fromkeys(
    ("id", "text", "error"), str
)
_COLUMNS_NAMED: Final = 20
"""Columns that a message lists; more would hide its point."""


class _Row(NamedTuple):
    """A page in a frame: its row label, HTML and URL."""

    label: str
    html: Any
    url: str

    def read(self) -> Page:
        """Read the page. Errors name the row."""
        html = bytes(self.html) if isinstance(self.html, bytearray | memoryview) else self.html
        if not isinstance(html, bytes | str):
            cause = "no html" if _is_missing(html) else f"{type(html).__name__} is not html"
            raise PageError(self.label, cause, "pass str or bytes")
        try:
            return read_page(html, self.url)
        except PageError as error:
            raise type(error)(self.label, error.cause, error.remedy) from error


class _Result(NamedTuple):
    """The columns that cleaning adds."""

    text: str
    confidence: float | None = None
    page_type: str = ""
    error: str = ""


@pd.api.extensions.register_dataframe_accessor("dehusk")
class FrameAccessor:
    """Methods of `DataFrame.dehusk`."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def clean(
        self,
        html: Hashable | None = None,
        url: Hashable | None = None,
        *,
        learn: bool = False,
        model: ModelOrFile = None,
        favour: str = Favour.BALANCED,
        comments: bool = False,
        rules: Collection[str] | None = None,
        format: str = "text",
        prefix: str = "",
        errors: str = "keep",
    ) -> Any:
        """A copy of the frame with the columns text, confidence, page_type and error, each named with the prefix.

        `html` and `url` are column names; by default, the columns called so, or the only ones whose names contain it.
        With `learn`, sites with several pages in the frame are learnt first; the site of a page is that of its URL, or
        of the URL it declares. `model` is a model to use instead, or a model file.

        A page that is missing or cannot be cleaned has no text, and the reason in `error`; with `errors="raise"` it
        raises. Other settings are those of `dehusk.clean`; `format` is one of `dehusk.OUTPUTS`.
        """
        _check_errors(errors)
        if learn and model is not None:
            raise InvalidSetting("learn", "excludes model", "leave out one of the two")
        _check_free(self._frame, [prefix + name for name in _Result._fields])
        rows = _rows(self._frame, html, url)
        cleaner = PageCleaner(favour, comments, format, find_model(model), rules)
        results = _learn_and_clean(rows, cleaner, errors) if learn else [_clean(row, cleaner, errors) for row in rows]
        return self._frame.assign(**_as_columns(results, self._frame.index).add_prefix(prefix))

    def chunks(
        self,
        html: Hashable | None = None,
        url: Hashable | None = None,
        *,
        max_words: int = MAX_WORDS,
        overlap: int = 0,
        model: ModelOrFile = None,
        favour: str = Favour.BALANCED,
        comments: bool = False,
        rules: Collection[str] | None = None,
        errors: str = "keep",
    ) -> Any:
        """A new frame with a row for each chunk (see `CleanedPage.chunks`), under the index of its page.

        The columns are the fields of `Chunk` and `error`. A page that is missing or cannot be cleaned is a row without
        text, with the reason in `error`; with `errors="raise"` it raises. A page without content has no row.
        """
        _check_errors(errors)
        sizes = ChunkOptions(max_words, overlap)
        cleaner = PageCleaner(favour, comments, "markdown", find_model(model), rules)
        found = [
            (label, *row)
            for label, page in zip(self._frame.index, _rows(self._frame, html, url), strict=True)
            for row in _chunk_rows(page, cleaner, sizes, errors)
        ]
        labels = pd.Index([row[0] for row in found], name=self._frame.index.name)
        return pd.DataFrame([row[1:] for row in found], columns=_CHUNK_COLUMNS, index=labels).astype(_CHUNK_KINDS)


@pd.api.extensions.register_series_accessor("dehusk")
class SeriesAccessor:
    """Methods of `Series.dehusk`."""

    def __init__(self, series: Any) -> None:
        self._series = series

    def clean(self, **settings: Any) -> Any:
        """A frame with the same index, and the columns and settings of `DataFrame.dehusk.clean`."""
        cleaned = self._series.to_frame("html").dehusk.clean("html", **settings)
        return cleaned.drop(columns="html")

    def chunks(self, **settings: Any) -> Any:
        """A frame with a row for each chunk; settings as in `DataFrame.dehusk.chunks`."""
        return self._series.to_frame("html").dehusk.chunks("html", **settings)


# Which columns


def _rows(frame: Any, html: Hashable | None, url: Hashable | None) -> list[_Row]:
    pages = _column(frame, "html", html)
    if pages is None:
        raise _no_column(frame, "html", "no column has this name")
    addresses = _column(frame, "url", url)
    urls = [""] * len(frame) if addresses is None else ["" if _is_missing(url) else str(url) for url in addresses]
    labels = [url or f"row {label}" for url, label in zip(urls, frame.index, strict=True)]
    return [_Row(*row) for row in zip(labels, pages, urls, strict=True)]


def _column(frame: Any, role: str, given: Hashable | None) -> list[Any] | None:
    """The values of the column, given or guessed; None if there is no candidate."""
    if given is None:
        candidates = _candidates(frame, role)
        if len(candidates) > 1:
            raise _no_column(frame, role, f"{_named(candidates)} could be meant")
        if not candidates:
            return None
        given = candidates[0]
    if (count := list(frame.columns).count(given)) != 1:
        raise _no_column(frame, role, f"{count or 'none'} of them {'are' if count else 'is'} named {given!r}")
    return frame[given].tolist()  # type: ignore[no-any-return]


def _candidates(frame: Any, role: str) -> list[Hashable]:
    """Columns called like the role; otherwise those whose names contain it, but not numeric ones like `html_length`."""
    names = {name: str(name).lower() for name in frame.columns}
    if same := [name for name, lowered in names.items() if lowered == role]:
        return same
    is_numeric = dict(zip(frame.columns, map(pd.api.types.is_numeric_dtype, frame.dtypes), strict=True))
    return [name for name, lowered in names.items() if role in lowered and not is_numeric[name]]


def _no_column(frame: Any, role: str, cause: str) -> InvalidSetting:
    columns = _named(list(frame.columns)) or "none"
    return InvalidSetting(f"the column of {role}", f"{cause}; the columns are {columns}", f"name it: {role}=...")


def _named(columns: Sequence[Hashable]) -> str:
    names = [repr(name) for name in columns[:_COLUMNS_NAMED]]
    return ", ".join([*names, "..."] if len(columns) > _COLUMNS_NAMED else names)


def _check_errors(errors: str) -> None:
    if errors not in _ERRORS:
        raise InvalidSetting("errors", f"{errors!r} must be one of {', '.join(_ERRORS)}")


def _check_free(frame: Any, names: Sequence[str]) -> None:
    if taken := [name for name in names if name in frame.columns]:
        raise InvalidSetting("prefix", f"the frame already has {_named(taken)}", 'choose another: prefix="clean_"')


def _is_missing(value: Any) -> bool:
    return bool(pd.api.types.is_scalar(value) and pd.isna(value))


# Cleaning


def _clean(row: _Row, cleaner: PageCleaner, errors: str) -> _Result:
    try:
        page = cleaner.clean(row.read())
    except PageError as error:
        if errors == "raise":
            raise
        return _Result("", error=encodable(str(error)))
    return _Result(cleaner.render(page), page.confidence, page.page_type)


def _chunk_rows(row: _Row, cleaner: PageCleaner, sizes: ChunkOptions, errors: str) -> Iterator[tuple[Any, ...]]:
    """The rows of a page: values in the order of the columns."""
    try:
        page = cleaner.clean(row.read())
    except PageError as error:
        if errors == "raise":
            raise
        empty = Chunk("", 0, (), 0, 0, 0, (), "")
        yield (*empty.to_dict().values(), encodable(str(error)))
        return
    for chunk in chunks_of(page.labelled, sizes):
        yield (*replace(chunk, text=encodable(chunk.text)).to_dict().values(), "")


def _learn_and_clean(rows: Sequence[_Row], cleaner: PageCleaner, errors: str) -> list[_Result]:
    """Learn each site and clean its pages, one site at a time. Results are in the order of the rows."""
    results: dict[int, _Result] = {}
    for positions in _group_by_site(rows):
        members = [rows[position] for position in positions]
        of_site = replace(cleaner, model=learn_site(_readable(sample(members)))) if len(members) > 1 else cleaner
        results.update((position, _clean(rows[position], of_site, errors)) for position in positions)
    return [results[position] for position in range(len(rows))]


def _group_by_site(rows: Sequence[_Row]) -> Iterator[list[int]]:
    """Positions of the rows of each site; a page without a known site is a group of its own."""
    groups: dict[str, list[int]] = {}
    for position, row in enumerate(rows):
        site = next(map(site_of, _readable([row])), "")
        if site:
            groups.setdefault(site, []).append(position)
        else:
            yield [position]
    yield from groups.values()


def _readable(rows: Sequence[_Row]) -> Iterator[Page]:
    """The pages that can be read; the others are reported when they are cleaned."""
    for row in rows:
        try:
            yield row.read()
        except PageError:
            continue


def _as_columns(results: Sequence[_Result], index: Any) -> Any:
    """Results as a frame with fixed column types, even without pages."""
    kinds = {"text": str, "confidence": "float64", "page_type": str, "error": str}
    return pd.DataFrame(results, columns=_Result._fields, index=index).astype(kinds)
