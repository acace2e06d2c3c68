"""One request as handlers see it: who they work for, and parameters that are checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from starlette.datastructures import FormData
from starlette.responses import Response

from dehusk.webapp.api_errors import invalid
from dehusk.webapp.app_state import Desk


@dataclass(frozen=True, slots=True)
class Call:
    """A request: path, query and body."""

    desk: Desk
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: bytes = b""
    content_type: str = ""
    form: FormData | None = None

    def json(self) -> dict[str, Any]:
        """The body, which has to be a JSON object; an empty one is an empty object."""
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
        """A whole number of the query, not negative."""
        given = self.query.get(name, "")
        if not given:
            return default
        if not (given.isascii() and given.isdigit() and len(given) < 10):
            raise invalid(f"{name} is not a number")
        return int(given)

    def index(self, name: str) -> int:
        """A whole number of the path."""
        given = self.path[name]
        if not (given.isascii() and given.isdigit() and len(given) < 10):
            raise invalid(f"{name} is not a number")
        return int(given)

    def flag(self, name: str) -> bool:
        """Whether a parameter of the query says yes."""
        return self.query.get(name, "") in {"1", "true", "yes"}


Handler: TypeAlias = Callable[[Call], Mapping[str, Any] | Response]


def text_field(body: Mapping[str, Any], name: str, default: str | None = None) -> str:
    """A text in a JSON object."""
    value = body.get(name, default)
    if not isinstance(value, str):
        raise invalid(f"{name} is not a text")
    return value


def text_list(body: Mapping[str, Any], name: str) -> list[str] | None:
    """A list of texts in a JSON object, or None if it is not there."""
    value = body.get(name)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise invalid(f"{name} is not a list of texts")
    return value


def whole_number(body: Mapping[str, Any], name: str, default: int | None, least: int, most: int) -> int:
    """A whole number in a JSON object."""
    value = body.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise invalid(f"{name} is not a whole number from {least} to {most}")
    return value


def yes_or_no(body: Mapping[str, Any], name: str, default: bool | None = None) -> bool:
    """A boolean in a JSON object."""
    value = body.get(name, default)
    if not isinstance(value, bool):
        raise invalid(f"{name} is neither true nor false")
    return value
