"""The table of the API: one line a route. What is served and what `/api/openapi.json` says both come from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dehusk.webapp import job_routes, page_routes
from dehusk.webapp.calls import Handler


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
    ApiRoute("GET", "/api/jobs", job_routes.list_jobs, "Jobs, the newest first"),
    ApiRoute("GET", "/api/jobs/{job}", job_routes.show_job, "A job", ("after",)),
    ApiRoute("DELETE", "/api/jobs/{job}", job_routes.cancel_job, "Ask a job to stop"),
)
