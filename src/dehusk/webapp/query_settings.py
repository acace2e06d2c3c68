"""Settings of a request, which override those of the site."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dehusk.errors import InvalidSetting
from dehusk.webapp.api_errors import invalid
from dehusk.webapp.api_request import ApiRequest
from dehusk.webapp.judged_pages import judges_pages
from dehusk.webapp.workspace_records import Settings


def changed_settings(settings: Settings, given: Mapping[str, Any]) -> Settings:
    """Apply changes to settings. Another method starts from its defaults: thresholds mean different things."""
    unknown = set(given) - set(Settings.__dataclass_fields__)
    if unknown:
        raise invalid(f"unknown setting: {', '.join(sorted(unknown))[:100]}")
    if "method" in given and given["method"] != settings.method:
        settings = Settings()
    new = replace(settings, **given)
    if (new.favour, new.comments) != ("balanced", False) and not judges_pages(new.method):
        cause = f"not supported by method {new.method}"
        raise InvalidSetting("favour and comments", cause, "use the default method")
    return new


def query_settings(request: ApiRequest, settings: Settings) -> Settings:
    """The settings, overridden by the query's `value`, `favour`, `comments` and `method`."""
    query, given = request.query, dict[str, Any]()
    if query.get("method"):
        given["method"] = query["method"]
    if query.get("value"):
        given["threshold"] = _threshold(query["value"])
    if query.get("favour"):
        given["favour"] = query["favour"]
    if query.get("comments"):
        given["comments"] = request.flag("comments")
    return changed_settings(settings, given)


def _threshold(value: str) -> float | None:
    if value == "auto":
        return None
    try:
        number = float(value)
    except ValueError as error:
        raise invalid("value must be a number or auto") from error
    if not math.isfinite(number):
        raise invalid("value must be a number or auto")
    return number
