"""Handlers: the workspace and its pages."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any, cast

from starlette.datastructures import UploadFile

from dehusk.deciding.rules import RULES
from dehusk.errors import DehuskError
from dehusk.lab.evaluation.other_tools import OTHER_TOOLS, installed_tools
from dehusk.lab.gold.policy_labels import LABELLED_TYPES
from dehusk.methods import DEFAULT_METHOD, METHODS
from dehusk.methods.base import Favour, JudgesPages
from dehusk.outputs import OUTPUTS
from dehusk.sites.crawling import crawl
from dehusk.sites.politeness import Pace, PoliteFetcher
from dehusk.sources.fetching import Fetcher
from dehusk.sources.raw_page import RawPage
from dehusk.webapp.api_descriptions import page_dict, workspace_dict
from dehusk.webapp.api_errors import ApiError, invalid
from dehusk.webapp.api_request import ApiRequest, text_field, text_list, whole_number
from dehusk.webapp.app_state import AppState
from dehusk.webapp.fetched_styles import WantedSheets
from dehusk.webapp.incoming import SentFile, Skipped, described, pages_of_files, sample_pages
from dehusk.webapp.jobs import Job
from dehusk.webapp.workspace import Added, Removal
from dehusk.webapp.workspace_records import PageRecord

_MOST_FETCHED = 200
"""Pages of a crawl: as many as a site is learnt from."""


def show_workspace(request: ApiRequest) -> Mapping[str, Any]:
    """Everything a tab needs to start."""
    version, job = request.app.workspace.state.version, request.app.jobs.unfinished()
    if request.query.get("since") == str(version):
        return {"version": version, "changed": False, "job": job}
    return {**workspace_dict(request.app.workspace, request.app.bounds, request.app.allow_fetch), "job": job}


def show_choices(request: ApiRequest) -> Mapping[str, Any]:
    """The methods, tools and formats to choose from."""
    methods = [
        {
            "name": name,
            "learns": method.learns,
            "judges_pages": isinstance(method().fit(), JudgesPages),
            "default": name == DEFAULT_METHOD,
            "summary": _summary(method),
        }
        for name, method in METHODS.items()
    ]
    return {
        "methods": methods,
        "tools": installed_tools(),
        "missing_tools": [name for name, tool in OTHER_TOOLS.items() if not tool.installed],
        "formats": list(OUTPUTS),
        "favours": list(Favour),
        "page_types": list(LABELLED_TYPES),
        "rules": {rule.name: rule.reason for rule in RULES.values()},
    }


def _summary(method: type) -> str:
    """The first docstring line of the method's module."""
    docstring = sys.modules[method.__module__].__doc__ or ""
    return docstring.partition("\n")[0]


def add_pages(request: ApiRequest) -> Mapping[str, Any]:
    """Add the pages in uploaded files."""
    if request.form is None:
        raise invalid("not a form", "send multipart/form-data with parts named file")
    sent = [part for part in request.form.getlist("file") if isinstance(part, UploadFile)]
    site = request.form.get("site", "")
    if not sent:
        raise invalid("no files in the form", "name each part file, and give it a file name")
    skipped = Skipped()
    files = cast("list[SentFile]", sent)
    new = pages_of_files(files, request.app.bounds, skipped, site if isinstance(site, str) else "")
    added = request.app.workspace.add(new)
    request.app.workspace.database.store_styles(skipped.styles)
    return _added_dict(request.app, added, skipped)


def add_sample(request: ApiRequest) -> Mapping[str, Any]:
    """Add the bundled sample site."""
    skipped = Skipped()
    added = request.app.workspace.add(sample_pages(request.app.bounds, skipped))
    return _added_dict(request.app, added, skipped)


def _added_dict(app: AppState, added: Added, skipped: Skipped) -> dict[str, Any]:
    return {
        "version": app.workspace.state.version,
        "added": [page_dict(app.workspace, page) for page in added.pages],
        "known": list(added.known),
        "skipped": skipped.as_list(),
    }


def fetch_pages(request: ApiRequest) -> Mapping[str, Any]:
    """Fetch a page, or crawl a site."""
    if not request.app.allow_fetch:
        raise ApiError(403, "fetch-off", "fetching is off", "start the server with --allow-fetch")
    body = request.json()
    url, number = text_field(body, "url"), whole_number(body, "pages", 1, 1, _MOST_FETCHED)
    return {"job": request.app.jobs.start("fetch", lambda job: _fetch(request.app, job, url, number)).as_dict()}


def _fetch(app: AppState, job: Job, url: str, number: int) -> dict[str, Any]:
    skipped, pace, styles = Skipped(), Pace(), app.workspace.database
    job.total = number
    kept: list[Added] = []
    sheets = WantedSheets(lambda address: styles.style(address) is not None)
    with app.open_fetcher() as fetcher:
        for raw in _fetched(fetcher, pace, job, url, number, skipped):
            kept.append(app.workspace.add([described(raw)]))
            sheets.add(raw)
            job.advance()
        _fetch_styles(PoliteFetcher(fetcher, pace), job, sheets, skipped)
    styles.store_styles(skipped.styles)
    pages = tuple(page for added in kept for page in added.pages)
    return _added_dict(app, Added(pages, tuple(known for added in kept for known in added.known)), skipped)


def _fetch_styles(fetcher: PoliteFetcher, job: Job, sheets: WantedSheets, skipped: Skipped) -> None:
    job.total = job.done + len(sheets.addresses)
    job.begin("fetching style sheets", len(sheets.addresses))
    for address, css in sheets.fetch(fetcher, lambda error: skipped.add(error.subject, error.cause)):
        if css:
            skipped.add_style(address, css)
        job.advance()


def _fetched(fetcher: Fetcher, pace: Pace, job: Job, url: str, number: int, skipped: Skipped) -> Iterator[RawPage]:
    def note(error: DehuskError) -> None:
        skipped.add(error.subject, error.cause)
        job.check()

    job.begin(f"fetching {url[:200]}")
    if number == 1:
        yield PoliteFetcher(fetcher, pace).fetch(url)
    else:
        yield from crawl(url, number, delay=pace, fetcher=fetcher, on_failure=note)


def change_page(request: ApiRequest) -> Mapping[str, Any]:
    """Move a page to another site."""
    page = request.app.workspace.move(request.path["page"], text_field(request.json(), "site"))
    return _changed(request.app, page)


def _changed(app: AppState, page: PageRecord) -> dict[str, Any]:
    return {"version": app.workspace.state.version, "page": page_dict(app.workspace, page)}


def remove_page(request: ApiRequest) -> Mapping[str, Any]:
    """Remove a page."""
    request.app.workspace.page(request.path["page"])
    return _removed(request.app, request.app.workspace.remove([request.path["page"]]))


def remove_pages(request: ApiRequest) -> Mapping[str, Any]:
    """Remove several pages."""
    given = text_list(request.json(), "pages")
    if given is None:
        raise invalid("pages must be a list of strings")
    return _removed(request.app, request.app.workspace.remove(given))


def remove_site(request: ApiRequest) -> Mapping[str, Any]:
    """Remove a site with its pages, model, settings and corrections."""
    return _removed(request.app, request.app.workspace.remove_site(request.path["site"]))


def _removed(app: AppState, removal: Removal | None) -> dict[str, Any]:
    removed, action = (len(removal.pages), removal.action) if removal else (0, None)
    return {"version": app.workspace.state.version, "removed": removed, "action": action}


def show_gold(request: ApiRequest) -> Mapping[str, Any]:
    """The gold text of a page: what a person would keep."""
    workspace = request.app.workspace
    return {"text": workspace.gold(workspace.page(request.path["page"]))}


def set_gold(request: ApiRequest) -> Mapping[str, Any]:
    """Set the gold text of a page."""
    text = text_field(request.json(), "text")
    return _changed(request.app, request.app.workspace.set_gold(request.path["page"], text))


def remove_gold(request: ApiRequest) -> Mapping[str, Any]:
    """Remove the gold text of a page."""
    return _changed(request.app, request.app.workspace.set_gold(request.path["page"], None))
