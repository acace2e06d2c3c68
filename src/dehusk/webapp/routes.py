"""The table of API routes. The server and `/api/openapi.json` are both built from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dehusk.webapp import page_routes, program_routes, result_routes, site_routes
from dehusk.webapp.api_request import Handler


@dataclass(frozen=True, slots=True)
class ApiRoute:
    """A route and its description."""

    verb: str
    path: str
    handler: Handler
    summary: str
    query: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    """Fields of the JSON body."""
    status: int = 200
    response_type: str = "application/json"
    request_type: str = "application/json"
    is_light: bool = False
    """Fast, and run outside the thread pool: progress must be visible even when all threads are busy."""


_SETTINGS: Final = ("value", "favour", "comments", "method")
"""Query parameters that override the settings of the site."""

ROUTES: Final = (
    ApiRoute("GET", "/api/workspace", page_routes.show_workspace, "Pages and sites", ("since",)),
    ApiRoute("GET", "/api/choices", page_routes.show_choices, "Methods, tools and formats"),
    ApiRoute(
        "POST",
        "/api/pages",
        page_routes.add_pages,
        "Add files",
        body=("file", "site"),
        request_type="multipart/form-data",
    ),
    ApiRoute("POST", "/api/pages/sample", page_routes.add_sample, "Add the sample site"),
    ApiRoute("POST", "/api/pages/fetch", page_routes.fetch_pages, "Fetch pages", body=("url", "pages"), status=202),
    ApiRoute("POST", "/api/pages/remove", page_routes.remove_pages, "Remove pages", body=("pages",)),
    ApiRoute("PATCH", "/api/pages/{page}", page_routes.change_page, "Move a page to another site", body=("site",)),
    ApiRoute("DELETE", "/api/pages/{page}", page_routes.remove_page, "Remove a page"),
    ApiRoute("DELETE", "/api/sites/{site}", page_routes.remove_site, "Remove a site"),
    ApiRoute("GET", "/api/pages/{page}/gold", page_routes.show_gold, "Gold text of a page"),
    ApiRoute("PUT", "/api/pages/{page}/gold", page_routes.set_gold, "Set the gold text of a page", body=("text",)),
    ApiRoute("DELETE", "/api/pages/{page}/gold", page_routes.remove_gold, "Remove the gold text of a page"),
    ApiRoute(
        "POST",
        "/api/eliminate",
        result_routes.eliminate,
        "Learn and clean sites",
        body=("sites", "learn_again"),
        status=202,
    ),
    ApiRoute(
        "PUT",
        "/api/sites/{site}/settings",
        result_routes.change_settings,
        "Change the settings of a site",
        body=("method", "threshold", "favour", "comments"),
    ),
    ApiRoute(
        "GET", "/api/sites/{site}/threshold", result_routes.try_threshold, "Try a threshold on 20 pages", _SETTINGS
    ),
    ApiRoute("GET", "/api/pages/{page}/decision", result_routes.show_decision, "Which blocks are kept", _SETTINGS),
    ApiRoute(
        "GET",
        "/api/pages/{page}/result",
        result_routes.show_result,
        "The cleaned page",
        ("format", "metadata", *_SETTINGS),
    ),
    ApiRoute("GET", "/api/pages/{page}/blocks", result_routes.list_blocks, "All blocks of a page", _SETTINGS),
    ApiRoute("GET", "/api/pages/{page}/blocks/{index}", result_routes.show_block, "A block, with reasons", _SETTINGS),
    ApiRoute(
        "GET",
        "/api/pages/{page}/download",
        result_routes.download_page,
        "Download a cleaned page",
        ("format", *_SETTINGS),
        response_type="application/octet-stream",
    ),
    ApiRoute(
        "GET",
        "/api/download.zip",
        result_routes.download_all,
        "Download all cleaned pages",
        ("format", "site"),
        response_type="application/zip",
    ),
    ApiRoute(
        "GET",
        "/view/{page}/original",
        result_routes.view_original,
        "The original page, blocks marked",
        ("images", *_SETTINGS),
        response_type="text/html",
    ),
    ApiRoute(
        "GET",
        "/view/{page}/cleaned",
        result_routes.view_cleaned,
        "The cleaned page as HTML",
        ("images", *_SETTINGS),
        response_type="text/html",
    ),
    ApiRoute("GET", "/api/sites/{site}/tree", site_routes.show_tree, "The root of the style tree"),
    ApiRoute("GET", "/api/sites/{site}/tree/{node}", site_routes.show_node, "A node of the style tree", ("offset",)),
    ApiRoute("GET", "/api/sites/{site}/tree/{node}/blocks", site_routes.list_node_blocks, "Blocks under a node"),
    ApiRoute("GET", "/api/sites/{site}/corrections", site_routes.list_corrections, "Corrections of a site"),
    ApiRoute(
        "POST",
        "/api/sites/{site}/corrections",
        site_routes.add_correction,
        "Keep or drop a block",
        body=("page", "block", "keep", "scope"),
    ),
    ApiRoute("POST", "/api/sites/{site}/corrections/undo", site_routes.undo_correction, "Undo the last correction"),
    ApiRoute(
        "DELETE", "/api/sites/{site}/corrections/{correction}", site_routes.remove_correction, "Remove a correction"
    ),
    ApiRoute(
        "GET",
        "/api/sites/{site}/model",
        site_routes.download_model,
        "Download the learnt model",
        response_type="application/octet-stream",
    ),
    ApiRoute(
        "GET",
        "/api/labelled.zip",
        site_routes.download_labelled_folder,
        "Labelled pages as a folder",
        ("site",),
        response_type="application/zip",
    ),
    ApiRoute(
        "GET",
        "/api/labelled.parquet",
        site_routes.download_labelled_table,
        "Labelled pages as a table",
        ("site",),
        response_type="application/vnd.apache.parquet",
    ),
    ApiRoute(
        "GET",
        "/api/pages/{page}/compare",
        program_routes.compare_sides,
        "Compare two ways to clean a page",
        ("left", "right"),
    ),
    ApiRoute(
        "POST",
        "/api/clean",
        program_routes.clean_page,
        "Clean a page without storing it",
        body=("html", "url", "format", "method", "threshold", "favour", "comments", "site", "metadata"),
    ),
    ApiRoute("POST", "/api/learn", program_routes.learn_site, "Learn a site", body=("site", "method", "pages")),
    ApiRoute("GET", "/api/jobs", program_routes.list_jobs, "Jobs, newest first", is_light=True),
    ApiRoute("GET", "/api/jobs/{job}", program_routes.show_job, "A job", ("after",), is_light=True),
    ApiRoute("DELETE", "/api/jobs/{job}", program_routes.cancel_job, "Cancel a job", is_light=True),
)
