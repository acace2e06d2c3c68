"""Responses: JSON that is always valid UTF-8, errors, and headers for downloads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from starlette.responses import Response

from dehusk.outputs.block_json import json_text
from dehusk.webapp.api_errors import ApiError


def json_response(value: Mapping[str, Any], status: int = 200) -> Response:
    """A JSON object. Lone surrogates of hostile pages are escaped; NaN raises."""
    return Response(json_text(value).encode("utf-8"), status, media_type="application/json")


def error_response(error: ApiError) -> Response:
    """An error as JSON, with its status."""
    return json_response(error.as_dict(), error.status)


def attachment(name: str) -> dict[str, str]:
    """The header that makes browsers save a response under a name."""
    plain = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "._-") else "_" for sign in name)
    encoded = quote(name.encode("utf-8", "replace"), safe="")
    return {"Content-Disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{encoded}"}
