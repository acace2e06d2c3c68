"""Handlers: the workspace and its pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from starlette.datastructures import UploadFile

from dehusk.errors import DehuskError
from dehusk.lab.evaluation.other_tools import installed_tools
from dehusk.methods import DEFAULT_METHOD, METHODS
from dehusk.methods.base import Favour, JudgesPages
from dehusk.outputs import OUTPUTS
from dehusk.sites.crawling import crawl
from dehusk.sites.politeness import Pace, PoliteFetcher
from dehusk.sources.fetching import Fetcher
from dehusk.sources.raw_page import RawPage
from dehusk.webapp.api_descriptions import page_dict, workspace_dict
from dehusk.webapp.api_errors import Refusal, invalid
from dehusk.webapp.api_request import Call, text_field, text_list, whole_number
from dehusk.webapp.app_state import Desk
from dehusk.webapp.incoming import SentFile, Skipped, pages_of_files, sample_pages, site_for
from dehusk.webapp.jobs import Job
from dehusk.webapp.workspace import Added, NewPage

_MOST_FETCHED = 200
"""Pages of a crawl: what a site is learnt from."""


def show_workspace(call: Call) -> Mapping[str, Any]:
    """Everything a tab needs to begin."""
    version = call.desk.workspace.state.version
    if call.query.get("since") == str(version):
        return {"version": version, "changed": False}
    return workspace_dict(call.desk.workspace, call.desk.bounds, call.desk.allow_fetch)


def show_choices(call: Call) -> Mapping[str, Any]:
    """Methods, tools and formats."""
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
    return {"methods": methods, "tools": installed_tools(), "formats": list(OUTPUTS), "favours": list(Favour)}


def _summary(method: type) -> str:
    """The first sentence of the module that a method is in."""
    import sys

    said = sys.modules[method.__module__].__doc__ or ""
    return said.partition("\n")[0]


def add_pages(call: Call) -> Mapping[str, Any]:
    """Keep the pages of files that were sent."""
    if call.form is None:
        raise invalid("not a form", "send multipart/form-data with parts called file")
    sent = [part for part in call.form.getlist("file") if isinstance(part, UploadFile)]
    site = call.form.get("site", "")
    if not sent:
        raise invalid("no files in it", "call each part file, and give it a file name")
    skipped = Skipped()
    files = cast("list[SentFile]", sent)
    new = pages_of_files(files, call.desk.bounds, skipped, site if isinstance(site, str) else "")
    return _kept(call.desk, new, skipped)


def add_sample(call: Call) -> Mapping[str, Any]:
    """Keep the bundled sample site."""
    skipped = Skipped()
    return _kept(call.desk, sample_pages(call.desk.bounds, skipped), skipped)


def _kept(desk: Desk, new: Iterable[NewPage], skipped: Skipped) -> dict[str, Any]:
    return added_dict(desk, desk.workspace.add(new), skipped)


def added_dict(desk: Desk, added: Added, skipped: Skipped) -> dict[str, Any]:
    """What became of new pages, for an answer."""
    return {
        "version": desk.workspace.state.version,
        "added": [page_dict(desk.workspace, page) for page in added.pages],
        "known": list(added.known),
        "skipped": skipped.as_list(),
    }


def fetch_pages(call: Call) -> Mapping[str, Any]:
    """Fetch a page, or crawl a site."""
    if not call.desk.allow_fetch:
        raise Refusal(403, "fetch-off", "fetching is off", "start the server with --allow-fetch")
    body = call.json()
    url, number = text_field(body, "url"), whole_number(body, "pages", 1, 1, _MOST_FETCHED)
    return {"job": call.desk.jobs.start("fetch", lambda job: _fetch(call.desk, job, url, number)).as_dict()}


def _fetch(desk: Desk, job: Job, url: str, number: int) -> dict[str, Any]:
    skipped = Skipped()
    job.total = number
    kept: list[Added] = []
    with desk.open_fetcher() as fetcher:
        for raw in _fetched(fetcher, job, url, number, skipped):
            kept.append(desk.workspace.add([NewPage(raw, site_for(raw))]))
            job.advance()
    pages = tuple(page for added in kept for page in added.pages)
    return added_dict(desk, Added(pages, tuple(known for added in kept for known in added.known)), skipped)


def _fetched(fetcher: Fetcher, job: Job, url: str, number: int, skipped: Skipped) -> Iterator[RawPage]:
    def note(error: DehuskError) -> None:
        skipped.add(error.subject, error.cause)
        job.check()

    job.begin(f"fetching {url[:200]}")
    if number == 1:
        yield PoliteFetcher(fetcher, Pace()).fetch(url)
    else:
        yield from crawl(url, number, fetcher=fetcher, on_failure=note)


def change_page(call: Call) -> Mapping[str, Any]:
    """Put a page into another site."""
    workspace = call.desk.workspace
    page = workspace.move(call.path["page"], text_field(call.json(), "site"))
    return {"version": workspace.state.version, "page": page_dict(workspace, page)}


def remove_page(call: Call) -> Mapping[str, Any]:
    """Forget a page."""
    call.desk.workspace.page(call.path["page"])
    return _removed(call.desk, call.desk.workspace.remove([call.path["page"]]))


def remove_pages(call: Call) -> Mapping[str, Any]:
    """Forget many."""
    given = text_list(call.json(), "pages")
    if given is None:
        raise invalid("pages is not a list of texts")
    return _removed(call.desk, call.desk.workspace.remove(given))


def remove_site(call: Call) -> Mapping[str, Any]:
    """Forget a site with all that belongs to it."""
    return _removed(call.desk, call.desk.workspace.remove_site(call.path["site"]))


def _removed(desk: Desk, number: int) -> dict[str, Any]:
    return {"version": desk.workspace.state.version, "removed": number}


def show_gold(call: Call) -> Mapping[str, Any]:
    """The text a person would keep."""
    workspace = call.desk.workspace
    return {"text": workspace.gold(workspace.page(call.path["page"]))}


def set_gold(call: Call) -> Mapping[str, Any]:
    """Remember it."""
    workspace = call.desk.workspace
    page = workspace.set_gold(call.path["page"], text_field(call.json(), "text"))
    return {"version": workspace.state.version, "page": page_dict(workspace, page)}


def remove_gold(call: Call) -> Mapping[str, Any]:
    """Forget it."""
    workspace = call.desk.workspace
    page = workspace.set_gold(call.path["page"], None)
    return {"version": workspace.state.version, "page": page_dict(workspace, page)}
