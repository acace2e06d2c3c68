"""Responses: JSON that is always valid UTF-8, errors, and downloads."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

from starlette.responses import Response, StreamingResponse

from dehusk.outputs.block_json import json_text
from dehusk.webapp.api_errors import ApiError

Member = tuple[str, bytes]
"""Name and content of a file in an archive."""
_FIXED_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""A fixed date, so that the same pages give the same bytes."""


def json_response(value: Mapping[str, Any], status: int = 200) -> Response:
    """A JSON object. Lone surrogates of hostile pages are escaped; NaN raises."""
    return Response(json_text(value).encode("utf-8"), status, media_type="application/json")


def error_response(error: ApiError) -> Response:
    """An error as JSON, with its status."""
    return json_response(error.as_dict(), error.status)


def attachment(name: str) -> dict[str, str]:
    """The header that makes browsers save a response under a name."""
    encoded = quote(name.encode("utf-8", "replace"), safe="")
    return {"Content-Disposition": f"attachment; filename=\"{plain_name(name)}\"; filename*=UTF-8''{encoded}"}


def plain_name(name: str) -> str:
    """A file name with only the signs that every header and file system takes."""
    return "".join(sign if sign.isascii() and (sign.isalnum() or sign in "._-") else "_" for sign in name)


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


def zip_response(name: str, members: Iterable[Member]) -> Response:
    """A zip file to save under a name, written while it is sent, with only one page of it in memory."""
    return StreamingResponse(_zip_chunks(members), headers=attachment(name), media_type="application/zip")


def _zip_chunks(members: Iterable[Member]) -> Iterator[bytes]:
    outbox = _Outbox()
    with zipfile.ZipFile(outbox, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]  # it can write
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name, _FIXED_TIME), content, zipfile.ZIP_DEFLATED)
            yield outbox.taken()
    yield outbox.taken()
