"""The table of the API: one line a route. What is served and what `/api/openapi.json` says both come from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dehusk.webapp import job_routes, page_routes, program_routes, result_routes, site_routes
from dehusk.webapp.api_request import Handler


@dataclass(frozen=True, slots=True)
class ApiRoute:
    """A route, and what is to be said of it."""

    verb: str
    path: str
    handler: Handler
    summary: str
    query: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    """Fields of the JSON object that is sent."""
    status: int = 200
    answers: str = "application/json"
    takes: str = "application/json"
    is_light: bool = False
    """Takes no time, and is answered even if all threads are at work: what tells that they are."""


_ASKED: Final = ("value", "favour", "comments", "method")
"""What may be asked for beside the settings of the site."""

ROUTES: Final = (
    ApiRoute("GET", "/api/workspace", page_routes.show_workspace, "Pages and sites", ("since",)),
    ApiRoute("GET", "/api/choices", page_routes.show_choices, "Methods, tools and formats"),
    ApiRoute(
        "POST", "/api/pages", page_routes.add_pages, "Add files", body=("file", "site"), takes="multipart/form-data"
    ),
    ApiRoute("POST", "/api/pages/sample", page_routes.add_sample, "Add the sample site"),
    ApiRoute("POST", "/api/pages/fetch", page_routes.fetch_pages, "Fetch pages", body=("url", "pages"), status=202),
    ApiRoute("POST", "/api/pages/remove", page_routes.remove_pages, "Remove pages", body=("pages",)),
    ApiRoute("PATCH", "/api/pages/{page}", page_routes.change_page, "Move a page to a site", body=("site",)),
    ApiRoute("DELETE", "/api/pages/{page}", page_routes.remove_page, "Remove a page"),
    ApiRoute("DELETE", "/api/sites/{site}", page_routes.remove_site, "Remove a site"),
    ApiRoute("GET", "/api/pages/{page}/gold", page_routes.show_gold, "The gold text of a page"),
    ApiRoute("PUT", "/api/pages/{page}/gold", page_routes.set_gold, "Give a page gold text", body=("text",)),
    ApiRoute("DELETE", "/api/pages/{page}/gold", page_routes.remove_gold, "Forget the gold text of a page"),
    ApiRoute(
        "POST", "/api/eliminate", result_routes.eliminate, "Learn and clean", body=("sites", "learn_again"), status=202
    ),
    ApiRoute(
        "PUT",
        "/api/sites/{site}/settings",
        result_routes.change_settings,
        "Change how a site is cleaned",
        body=("method", "threshold", "favour", "comments"),
    ),
    ApiRoute("GET", "/api/sites/{site}/threshold", result_routes.try_threshold, "Try a threshold on 20 pages", _ASKED),
    ApiRoute("GET", "/api/pages/{page}/decision", result_routes.show_decision, "What is kept, by block", _ASKED),
    ApiRoute(
        "GET", "/api/pages/{page}/result", result_routes.show_result, "What is kept", ("format", "metadata", *_ASKED)
    ),
    ApiRoute("GET", "/api/pages/{page}/blocks", result_routes.list_blocks, "All blocks of a page", _ASKED),
    ApiRoute("GET", "/api/pages/{page}/blocks/{index}", result_routes.show_block, "A block, and why", _ASKED),
    ApiRoute(
        "GET",
        "/api/pages/{page}/download",
        result_routes.download_page,
        "What is kept, as a file",
        ("format", *_ASKED),
        answers="application/octet-stream",
    ),
    ApiRoute(
        "GET",
        "/api/download.zip",
        result_routes.download_all,
        "What is kept of all pages",
        ("format", "site"),
        answers="application/zip",
    ),
    ApiRoute(
        "GET",
        "/view/{page}/original",
        result_routes.view_original,
        "A page with its blocks marked",
        ("images", *_ASKED),
        answers="text/html",
    ),
    ApiRoute(
        "GET",
        "/view/{page}/cleaned",
        result_routes.view_cleaned,
        "What is kept of a page",
        ("images", *_ASKED),
        answers="text/html",
    ),
    ApiRoute("GET", "/api/sites/{site}/tree", site_routes.show_tree, "The root of the style tree"),
    ApiRoute("GET", "/api/sites/{site}/tree/{node}", site_routes.show_node, "A node of it", ("offset",)),
    ApiRoute("GET", "/api/sites/{site}/tree/{node}/blocks", site_routes.list_node_blocks, "Blocks under a node"),
    ApiRoute("GET", "/api/sites/{site}/corrections", site_routes.list_corrections, "What people said of a site"),
    ApiRoute(
        "POST",
        "/api/sites/{site}/corrections",
        site_routes.add_correction,
        "Keep or drop a block",
        body=("page", "block", "keep", "scope"),
    ),
    ApiRoute("POST", "/api/sites/{site}/corrections/undo", site_routes.undo_correction, "Take the last one back"),
    ApiRoute("DELETE", "/api/sites/{site}/corrections/{correction}", site_routes.remove_correction, "Take one back"),
    ApiRoute(
        "GET",
        "/api/sites/{site}/model",
        site_routes.download_model,
        "What was learnt, as a file",
        answers="application/octet-stream",
    ),
    ApiRoute(
        "GET",
        "/api/labelled.zip",
        site_routes.download_labelled_folder,
        "Labelled pages as a folder",
        ("site",),
        answers="application/zip",
    ),
    ApiRoute(
        "GET",
        "/api/labelled.parquet",
        site_routes.download_labelled_table,
        "Labelled pages as a table",
        ("site",),
        answers="application/vnd.apache.parquet",
    ),
    ApiRoute(
        "GET", "/api/pages/{page}/compare", program_routes.compare_sides, "Two ways to clean a page", ("left", "right")
    ),
    ApiRoute(
        "POST",
        "/api/clean",
        program_routes.clean_page,
        "Clean a page that is not kept",
        body=("html", "url", "format", "method", "threshold", "favour", "comments", "site", "metadata"),
    ),
    ApiRoute("POST", "/api/learn", program_routes.learn_site, "Learn a site", body=("site", "method", "pages")),
    ApiRoute("GET", "/api/jobs", job_routes.list_jobs, "Jobs, the newest first", is_light=True),
    ApiRoute("GET", "/api/jobs/{job}", job_routes.show_job, "A job", ("after",), is_light=True),
    ApiRoute("DELETE", "/api/jobs/{job}", job_routes.cancel_job, "Ask a job to stop", is_light=True),
)
