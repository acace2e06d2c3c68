"""Settings that a request asks for, beside those of the site."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dehusk.errors import InvalidSetting
from dehusk.webapp.api_errors import invalid
from dehusk.webapp.api_request import Call
from dehusk.webapp.judged_pages import judges_pages
from dehusk.webapp.workspace_records import Settings


def changed(settings: Settings, given: Mapping[str, Any]) -> Settings:
    """The settings with those given. Another method begins with its own defaults: a threshold means something else."""
    unknown = set(given) - set(Settings.__dataclass_fields__)
    if unknown:
        raise invalid(f"no such setting: {', '.join(sorted(unknown))[:100]}")
    if "method" in given and given["method"] != settings.method:
        settings = Settings()
    asked = replace(settings, **given)
    if (asked.favour, asked.comments) != ("balanced", False) and not judges_pages(asked.method):
        cause = f"the method {asked.method} knows neither comments nor how sure it is"
        raise InvalidSetting("favour and comments", cause, "choose the default method")
    return asked


def asked_settings(call: Call, settings: Settings) -> Settings:
    """The settings with those of the query: `value`, `favour`, `comments`, `method`."""
    query, given = call.query, dict[str, Any]()
    if query.get("method"):
        given["method"] = query["method"]
    if query.get("value"):
        given["threshold"] = _threshold(query["value"])
    if query.get("favour"):
        given["favour"] = query["favour"]
    if query.get("comments"):
        given["comments"] = call.flag("comments")
    return changed(settings, given)


def _threshold(value: str) -> float | None:
    if value == "auto":
        return None
    try:
        number = float(value)
    except ValueError as error:
        raise invalid("value is neither a number nor auto") from error
    if not math.isfinite(number):
        raise invalid("value is neither a number nor auto")
    return number
