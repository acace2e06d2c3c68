"""A request as handlers see it: the app's state, and validated parameters and settings."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from starlette.datastructures import FormData
from starlette.responses import Response

from dehusk.deciding.decisions import DEFAULT_DECISION
from dehusk.errors import InvalidSetting
from dehusk.webapp.api_errors import invalid
from dehusk.webapp.app_state import AppState
from dehusk.webapp.judged_pages import judges_pages
from dehusk.webapp.workspace_records import Settings


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """A request: path, query and body, with the app's state."""

    app: AppState
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: bytes = b""
    content_type: str = ""
    form: FormData | None = None

    def json(self) -> dict[str, Any]:
        """The body as a JSON object; an empty body is an empty object."""
        if not self.body:
            return {}
        try:
            value = json.loads(self.body)
        except (ValueError, RecursionError) as error:
            raise invalid("the body is not JSON") from error
        if not isinstance(value, dict):
            raise invalid("the body is not a JSON object")
        return value

    def number(self, name: str, default: int) -> int:
        """A non-negative integer from the query."""
        given = self.query.get(name, "")
        return _integer(name, given) if given else default

    def index(self, name: str) -> int:
        """A non-negative integer from the path."""
        return _integer(name, self.path[name])

    def flag(self, name: str) -> bool:
        """Whether a query parameter is 1, true or yes."""
        return self.query.get(name, "") in {"1", "true", "yes"}


def _integer(name: str, given: str) -> int:
    if not (given.isascii() and given.isdigit() and len(given) < 10):
        raise invalid(f"{name} must be a number")
    return int(given)


Handler: TypeAlias = Callable[[ApiRequest], Mapping[str, Any] | Response]


def text_field(body: Mapping[str, Any], name: str, default: str | None = None) -> str:
    """A string field of a JSON object."""
    value = body.get(name, default)
    if not isinstance(value, str):
        raise invalid(f"{name} must be a string")
    return value


def text_list(body: Mapping[str, Any], name: str) -> list[str] | None:
    """A list of strings in a JSON object, or None if missing."""
    value = body.get(name)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise invalid(f"{name} must be a list of strings")
    return value


def whole_number(body: Mapping[str, Any], name: str, default: int | None, least: int, most: int) -> int:
    """An integer field of a JSON object."""
    value = body.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise invalid(f"{name} must be an integer from {least} to {most}")
    return value


def yes_or_no(body: Mapping[str, Any], name: str, default: bool | None = None) -> bool:
    """A boolean field of a JSON object."""
    value = body.get(name, default)
    if not isinstance(value, bool):
        raise invalid(f"{name} must be true or false")
    return value


def changed_settings(settings: Settings, given: Mapping[str, Any]) -> Settings:
    """Apply changes to settings. Another method starts from its defaults: thresholds mean different things."""
    unknown = set(given) - set(Settings.__dataclass_fields__)
    if unknown:
        raise invalid(f"unknown setting: {', '.join(sorted(unknown))[:100]}")
    if "method" in given and given["method"] != settings.method:
        settings = Settings()
    new = replace(settings, **given)
    if new.decision != DEFAULT_DECISION and not judges_pages(new.method):
        cause = f"not supported by the method {new.method}"
        raise InvalidSetting("favour, comments and without_rules", cause, "use the default method")
    return new


def query_settings(request: ApiRequest, settings: Settings) -> Settings:
    """The settings, overridden by the query's `value`, `favour`, `comments`, `without_rules` and `method`."""
    query, given = request.query, dict[str, Any]()
    if query.get("method"):
        given["method"] = query["method"]
    if query.get("value"):
        given["threshold"] = _threshold(query["value"])
    if query.get("favour"):
        given["favour"] = query["favour"]
    if query.get("comments"):
        given["comments"] = request.flag("comments")
    if "without_rules" in query:
        given["without_rules"] = list(filter(None, query["without_rules"].split(",")))
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
