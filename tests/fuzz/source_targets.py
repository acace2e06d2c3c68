"""Targets that take a file of pages, or a folder."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Hashable
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from shutil import rmtree

from page_targets import magnitude, pick

import dehusk
from dehusk import Limits, RawPage
from dehusk.errors import NotHtml, PageError, SourceError

LIMITS = Limits(bytes=1_000_000)
"""Less than what some inputs unpack to."""
_LONGEST_MESSAGE = 3000


def check_message(error: dehusk.DehuskError) -> None:
    """A message is short, and can be written down; the subject is what the caller called it."""
    (error.cause + error.remedy).encode("utf-8")
    assert len(error.cause + error.remedy) < _LONGEST_MESSAGE, "an endless message"
    assert error.cause


def reading(suffix: str, data: bytes, folder: Path) -> Hashable:
    """Pages and faults, all well formed, and the same twice."""
    path = folder / f"input{suffix}"
    path.write_bytes(data)
    return _read(path, data)


def _read(path: Path, data: bytes) -> Hashable:
    first = _found(path, data)
    if pick(data, 8, 7) == 0:
        assert list(map(_comparable, _found(path, data))) == list(map(_comparable, first)), (
            "other pages the second time"
        )
    faults = frozenset(_shape(one) for one in first if not isinstance(one, RawPage))
    pages = [one for one in first if isinstance(one, RawPage)]
    traits = frozenset((bool(page.url), bool(page.fetched_at), len(page.headers)) for page in pages)
    return faults, traits, magnitude(len(pages)), magnitude(max((len(page.body) for page in pages), default=0))


def _found(path: Path, data: bytes) -> list[RawPage | dehusk.DehuskError]:
    found: list[RawPage | dehusk.DehuskError] = []
    options = {"check_digests": True} if pick(data, 2, 8) else {}
    for page in dehusk.open_source(path, on_error=found.append, limits=LIMITS, **options):  # type: ignore[arg-type]
        _check_page(page)
        found.append(page)
    for one in found:
        if isinstance(one, dehusk.DehuskError):
            assert isinstance(one, SourceError | PageError)
            check_message(one)
    return found


def _check_page(page: RawPage) -> None:
    assert type(page.body) is bytes
    assert len(page.body) <= LIMITS.bytes, "more bytes than allowed"
    assert page.name
    assert all(type(text) is str for text in (page.url, page.name, page.fetched_at))
    assert all(type(name) is str and type(value) is str for name, value in page.headers)
    # What comes out of a source goes into the reader, which refuses what is no text.
    with suppress(NotHtml):
        dehusk.read_page(RawPage(page.body[:2000], page.url, page.name, page.headers))


def _comparable(found: RawPage | dehusk.DehuskError) -> object:
    return found if isinstance(found, RawPage) else str(found)


def _shape(error: dehusk.DehuskError) -> str:
    return f"{type(error).__name__} {re.sub(r'[^a-z ]', '', error.cause.lower())[:40]}"


def folder(data: bytes, folder: Path) -> Hashable:
    """The input is a zip file of what is in the folder."""
    root = folder / "pages"
    rmtree(root, ignore_errors=True)
    root.mkdir()
    with suppress(Exception), zipfile.ZipFile(BytesIO(data)) as archive:
        for member in archive.infolist()[:20]:
            # Names as they are, as far as a file can be called that within the folder.
            name = re.sub(r"[/\0]|^\.+$", "_", member.filename)[:100]
            (root / (name or "index.json-lines")).write_bytes(archive.read(member))
    try:
        return _read(root, data)
    except SourceError as error:
        check_message(error)
        return type(error).__name__
