"""The table of API routes, and the OpenAPI description made from it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from dehusk.version import __version__
from dehusk.webapp import label_routes as labels
from dehusk.webapp import page_routes as pages
from dehusk.webapp import program_routes as programs
from dehusk.webapp import result_routes as results
from dehusk.webapp import site_routes as sites
from dehusk.webapp import teaching_routes as teaching
from dehusk.webapp import training_routes as training
from dehusk.webapp.api_request import ApiRequest, Handler
from dehusk.webapp.workspace_records import Settings


@dataclass(frozen=True, slots=True)
class ApiRoute:
    """A route. The first line of its handler's docstring describes it."""

    verb: str
    path: str
    handler: Handler
    query: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    """Fields of the JSON body."""
    status: int = 200
    response_type: str = "application/json"
    request_type: str = "application/json"
    is_light: bool = False
    """Fast, and run outside the thread pool: progress must be visible even when all threads are busy."""

    @property
    def summary(self) -> str:
        """What the route does."""
        return (self.handler.__doc__ or "").partition("\n")[0].removesuffix(".")


def describe(request: ApiRequest) -> Mapping[str, Any]:
    """This description."""
    return openapi_description(ROUTES)


FORM: Final = "multipart/form-data"
_BYTES: Final = "application/octet-stream"
_ZIP: Final = "application/zip"
_PARQUET: Final = "application/vnd.apache.parquet"
_HTML: Final = "text/html"
_QUERY: Final = ("value", "favour", "comments", "without_rules", "method")
"""Query parameters that override the settings of the site."""
_JSON_LINES: Final = "application/jsonl"
_LABEL: Final = ("page_type", "content", "comments", "doubtful", "checked", "note")
_WISH: Final = ("page", "block", "blocks", "keep", "scope", "container")
"""What to keep or drop."""
_SETTINGS: Final = tuple(field.name for field in fields(Settings))

ROUTES: Final = (
    ApiRoute("GET", "/api/workspace", pages.show_workspace, ("since",)),
    ApiRoute("GET", "/api/choices", pages.show_choices),
    ApiRoute("POST", "/api/pages", pages.add_pages, body=("file", "site"), request_type=FORM),
    ApiRoute("POST", "/api/pages/sample", pages.add_sample),
    ApiRoute("POST", "/api/pages/fetch", pages.fetch_pages, body=("url", "pages"), status=202),
    ApiRoute("POST", "/api/pages/remove", pages.remove_pages, body=("pages",)),
    ApiRoute("PATCH", "/api/pages/{page}", pages.change_page, body=("site",)),
    ApiRoute("DELETE", "/api/pages/{page}", pages.remove_page),
    ApiRoute("DELETE", "/api/sites/{site}", pages.remove_site),
    ApiRoute("GET", "/api/pages/{page}/gold", pages.show_gold),
    ApiRoute("PUT", "/api/pages/{page}/gold", pages.set_gold, body=("text",)),
    ApiRoute("DELETE", "/api/pages/{page}/gold", pages.remove_gold),
    ApiRoute("POST", "/api/eliminate", results.eliminate, body=("sites", "pages", "learn_again"), status=202),
    ApiRoute("PUT", "/api/sites/{site}/settings", results.change_settings, body=_SETTINGS),
    ApiRoute("GET", "/api/sites/{site}/threshold", results.try_threshold, _QUERY),
    ApiRoute("GET", "/api/pages/{page}/decision", results.show_decision, _QUERY),
    ApiRoute("GET", "/api/pages/{page}/result", results.show_result, ("format", "metadata", *_QUERY)),
    ApiRoute("GET", "/api/pages/{page}/blocks", results.list_blocks, _QUERY),
    ApiRoute("GET", "/api/pages/{page}/blocks/{index}", results.show_block, _QUERY),
    ApiRoute("GET", "/api/pages/{page}/download", results.download_page, ("format", *_QUERY), response_type=_BYTES),
    ApiRoute("GET", "/api/download.zip", results.download_all, ("format", "site"), response_type=_ZIP),
    ApiRoute("GET", "/view/{page}/original", results.view_original, ("images", *_QUERY), response_type=_HTML),
    ApiRoute("GET", "/view/{page}/styled", results.view_styled, ("images", *_QUERY), response_type=_HTML),
    ApiRoute("GET", "/view/{page}/style.css", results.view_style, response_type="text/css"),
    ApiRoute("GET", "/view/{page}/cleaned", results.view_cleaned, ("images", *_QUERY), response_type=_HTML),
    ApiRoute("GET", "/api/sites/{site}/tree", sites.show_tree),
    ApiRoute("GET", "/api/sites/{site}/tree/{node}", sites.show_node, ("offset",)),
    ApiRoute("GET", "/api/sites/{site}/tree/{node}/blocks", sites.list_node_blocks),
    ApiRoute("GET", "/api/sites/{site}/corrections", teaching.list_corrections),
    ApiRoute("POST", "/api/sites/{site}/corrections", teaching.add_correction, body=_WISH),
    ApiRoute("POST", "/api/sites/{site}/corrections/preview", teaching.preview_correction, body=_WISH),
    ApiRoute("POST", "/api/sites/{site}/corrections/undo", teaching.undo_correction),
    ApiRoute("DELETE", "/api/sites/{site}/corrections/{correction}", teaching.remove_correction),
    ApiRoute("GET", "/api/history", teaching.show_history),
    ApiRoute("POST", "/api/history/undo", teaching.undo, body=("action",)),
    ApiRoute("GET", "/api/sites/{site}/model", sites.download_model, response_type=_BYTES),
    ApiRoute("GET", "/api/labelled.zip", labels.download_labelled_folder, ("site",), response_type=_ZIP),
    ApiRoute("GET", "/api/labelled.parquet", labels.download_labelled_table, ("site",), response_type=_PARQUET),
    ApiRoute("GET", "/api/labels.jsonl", labels.download_labels, ("site",), response_type=_JSON_LINES),
    ApiRoute("POST", "/api/labels", labels.import_labels, request_type=_JSON_LINES),
    ApiRoute("POST", "/api/train", training.train_model, ("site",), status=202),
    ApiRoute("GET", "/api/trained", training.download_trained, response_type=_BYTES),
    ApiRoute("GET", "/api/pages/{page}/label", labels.show_label),
    ApiRoute("PUT", "/api/pages/{page}/label", labels.set_label, body=_LABEL),
    ApiRoute("DELETE", "/api/pages/{page}/label", labels.remove_label),
    ApiRoute("GET", "/api/pages/{page}/compare", programs.compare_sides, ("left", "right")),
    ApiRoute("GET", "/api/sites/{site}/scores", programs.score_sides, ("sides",)),
    ApiRoute("POST", "/api/clean", programs.clean_page, body=("html", "url", "format", *_SETTINGS, "site", "metadata")),
    ApiRoute("POST", "/api/learn", programs.learn_site, body=("site", "method", "pages")),
    ApiRoute("GET", "/api/jobs", programs.list_jobs, is_light=True),
    ApiRoute("GET", "/api/jobs/{job}", programs.show_job, ("after",), is_light=True),
    ApiRoute("DELETE", "/api/jobs/{job}", programs.cancel_job, is_light=True),
    ApiRoute("GET", "/api/openapi.json", describe),
)
"""All routes but the start page and the static files."""

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
