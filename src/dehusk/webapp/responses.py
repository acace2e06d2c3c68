"""Responses: JSON that is always valid UTF-8, views of pages, errors, and downloads."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any, Final
from urllib.parse import quote

from starlette.responses import HTMLResponse, Response, StreamingResponse

from dehusk.outputs.block_json import json_text
from dehusk.page.characters import encodable
from dehusk.webapp.api_errors import ApiError

Member = tuple[str, bytes]
"""Name and content of a file in an archive."""
_FIXED_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""A fixed date, so that the same pages give the same bytes."""

_VIEW_POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src {images}; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'; sandbox allow-same-origin"
)


def json_response(value: Mapping[str, Any], status: int = 200) -> Response:
    """A JSON object. Lone surrogates of hostile pages are escaped; NaN raises."""
    return Response(json_text(value).encode("utf-8"), status, media_type="application/json")


def error_response(error: ApiError) -> Response:
    """An error as JSON, with its status."""
    return json_response(error.as_dict(), error.status)


def view_policy(images: bool) -> dict[str, str]:
    """The header that keeps a view from running or loading anything but our style sheets, and images if wanted."""
    return {"Content-Security-Policy": _VIEW_POLICY.format(images="http: https: data:" if images else "'none'")}


def view_response(html: str, images: bool, status: int = 200) -> Response:
    """A view of a page, for a sandboxed frame."""
    return HTMLResponse(encodable(html), status, view_policy(images))


def error_view(error: ApiError) -> Response:
    """An error as a page, with its status: it is shown in the frame where the view would be."""
    lines = "".join(f"<p>{escape(line)}</p>\n" for line in (error.message, error.remedy) if line)
    html = (
        '<!doctype html>\n<html lang="en" data-view="error">\n<head><meta charset="utf-8"><title>Error</title>'
        f'<link rel="stylesheet" href="/static/view.css"></head>\n<body>\n<h1>This view cannot be shown</h1>\n{lines}'
        "</body>\n</html>\n"
    )
    return view_response(html, images=False, status=error.status)


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
