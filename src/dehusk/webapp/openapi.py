"""The OpenAPI description, generated from the table of routes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from dehusk.version import __version__
from dehusk.webapp.routes import ApiRoute

_PARAMETER: Final = re.compile(r"\{(\w+)\}")
_ERROR: Final = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "remedy"],
            "properties": {name: {"type": "string"} for name in ("code", "message", "remedy")},
        }
    },
}


def openapi_description(routes: Sequence[ApiRoute]) -> dict[str, Any]:
    """An OpenAPI 3.1 document. Values are described in docs/webapp.md."""
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(route.path, {})[route.verb.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "dehusk", "version": __version__, "description": "See docs/webapp.md for values and rules."},
        "security": [{"token": []}, {"cookie": []}],
        "paths": paths,
        "components": {
            "schemas": {"Error": _ERROR},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "dehusk-PORT"},
            },
        },
    }


def _operation(route: ApiRoute) -> dict[str, Any]:
    in_path = [_parameter(name, "path") for name in _PARAMETER.findall(route.path)]
    operation: dict[str, Any] = {
        "operationId": _identifier(route),
        "summary": route.summary,
        "parameters": in_path + [_parameter(name, "query") for name in route.query],
        "responses": {
            str(route.status): {"description": route.summary, "content": {route.response_type: {}}},
            "default": {
                "description": "An error",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
            },
        },
    }
    if route.body:
        schema = {"type": "object", "properties": {name: {} for name in route.body}}
        operation["requestBody"] = {"content": {route.request_type: {"schema": schema}}}
    return operation


def _identifier(route: ApiRoute) -> str:
    """Operation id, for example `get_pages_page_gold`."""
    return "_".join([route.verb.lower(), *re.findall(r"\w+", route.path.removeprefix("/api"))])


def _parameter(name: str, where: str) -> dict[str, Any]:
    return {"name": name, "in": where, "required": where == "path", "schema": {"type": "string"}}
