"""Handlers: comparing, jobs, and cleaning and learning for programs that send their own pages."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

from dehusk.blocks.segmentation import segment
from dehusk.cleaning import CleanedPage
from dehusk.deciding.decisions import decide, judge_blocks
from dehusk.methods import find_method
from dehusk.methods.base import Model
from dehusk.methods.site_trees.style_tree import StyleTreeModel
from dehusk.outputs import OUTPUTS
from dehusk.page.page_reading import read_page
from dehusk.sources.file_types import is_html_type
from dehusk.sources.raw_page import RawPage
from dehusk.webapp.api_descriptions import site_dict
from dehusk.webapp.api_errors import ApiError, invalid, not_found, too_large
from dehusk.webapp.api_request import ApiRequest, changed_settings, query_settings, text_field, yes_or_no
from dehusk.webapp.app_state import AppState
from dehusk.webapp.incoming import described
from dehusk.webapp.page_comparison import compare, score_site
from dehusk.webapp.result_routes import result_dict
from dehusk.webapp.safe_names import site_id, site_name
from dehusk.webapp.workspace_folder import NewPage
from dehusk.webapp.workspace_records import Settings, SiteRecord

_MOST_SIDES: Final = 8
"""Ways to clean that are scored at once."""


def compare_sides(request: ApiRequest) -> Mapping[str, Any]:
    """Compare two ways to clean a page."""
    page = request.app.workspace.page(request.path["page"])
    return compare(request.app.service, page, request.query.get("left", ""), request.query.get("right", ""))


def score_sides(request: ApiRequest) -> Mapping[str, Any]:
    """Score several ways to clean the pages of a site that have gold text."""
    site = request.app.workspace.site(request.path["site"])
    sides = [name for name in request.query.get("sides", "").split(",") if name]
    if not 0 < len(sides) <= _MOST_SIDES:
        raise invalid(f"sides must name 1 to {_MOST_SIDES} ways to clean", "separate them by commas")
    return score_site(request.app.service, request.app.workspace.pages_of(site.id), sides)


def clean_page(request: ApiRequest) -> Mapping[str, Any]:
    """Clean a page without storing it."""
    begun = time.perf_counter()
    is_page = is_html_type(request.content_type)
    parameters = dict(request.query) if is_page else request.json()
    site = _known_site(request.app, parameters)
    settings = _settings(request, site, parameters, is_page)
    format_name = parameters.get("format") or "text"
    if format_name not in OUTPUTS:
        raise invalid("unknown format", f"choose one of {', '.join(OUTPUTS)}")
    raw = _sent_page(request, parameters, is_page)
    blocks = segment(read_page(raw, limits=request.app.bounds.page_limits))
    judged = judge_blocks(blocks, _model(request.app, site, settings))
    threshold = None if isinstance(judged.model, StyleTreeModel) else settings.threshold
    labelled = decide(judged, settings.decision, threshold)
    learnt = site is not None and request.app.service.is_learnt(site, settings.method)
    result = result_dict(labelled, format_name, len(raw.body), begun)
    wanted = request.flag("metadata") if is_page else yes_or_no(parameters, "metadata", False)
    return {"learnt": learnt, **result, "metadata": CleanedPage(labelled).metadata.to_dict() if wanted else None}


def _known_site(app: AppState, parameters: Mapping[str, Any]) -> SiteRecord | None:
    name = parameters.get("site")
    if not name:
        return None
    if not isinstance(name, str):
        raise invalid("site must be a string")
    sites = app.workspace.state.sites
    found = sites.get(name) or sites.get(site_id(site_name(name)))
    if found is None:
        raise not_found("site")
    return found


def _settings(request: ApiRequest, site: SiteRecord | None, parameters: Mapping[str, Any], is_page: bool) -> Settings:
    settings = site.settings if site else Settings()
    if is_page:
        return query_settings(request, settings)
    given = {name: parameters[name] for name in Settings.__dataclass_fields__ if name in parameters}
    return changed_settings(settings, given)


def _sent_page(request: ApiRequest, parameters: Mapping[str, Any], is_page: bool) -> RawPage:
    url = text_field(parameters, "url", "")
    body = request.body if is_page else text_field(parameters, "html").encode("utf-8", "surrogatepass")
    if len(body) > request.app.bounds.page_bytes:
        raise too_large(f"page over {request.app.bounds.page_bytes:,} bytes")
    # Text in JSON is already decoded, whatever charset the page declares; a page as body may declare its own.
    content_type = request.content_type if is_page else "text/html; charset=utf-8"
    return RawPage(body, url, "", (("Content-Type", content_type),))


def _model(app: AppState, site: SiteRecord | None, settings: Settings) -> Model:
    model = app.service.judged_pages.model(site, settings.method)[1] if site else find_method(settings.method).fit()
    if isinstance(model, StyleTreeModel) and settings.threshold is not None:
        return model.with_threshold(settings.threshold)
    return model


def learn_site(request: ApiRequest) -> Mapping[str, Any]:
    """Add pages to a site and learn it."""
    body, app = request.json(), request.app
    name = site_name(text_field(body, "site"))
    added = app.workspace.add(_sent_pages(body, app, name))
    identifier = site_id(name)
    site = app.workspace.site(identifier)
    if "method" in body:
        given = {"method": text_field(body, "method")}
        site = app.workspace.change_settings(identifier, lambda settings: changed_settings(settings, given))
    if not find_method(site.settings.method).learns:
        raise ApiError(422, "refused", f"{site.settings.method} does not learn sites", "choose another method")
    app.service.elimination.learn(site, site.settings.method)
    version = app.workspace.state.version
    return {
        "version": version,
        "site": site_dict(app.workspace, app.workspace.site(identifier)),
        "added": len(added.pages),
    }


def _sent_pages(body: Mapping[str, Any], app: AppState, site: str) -> list[NewPage]:
    given = body.get("pages", [])
    if not isinstance(given, list) or not all(isinstance(page, dict) for page in given):
        raise invalid("pages must be a list of objects")
    pages = []
    for number, page in enumerate(given):
        content = text_field(page, "html").encode("utf-8", "surrogatepass")
        if len(content) > app.bounds.page_bytes:
            raise too_large(f"page over {app.bounds.page_bytes:,} bytes")
        url = text_field(page, "url", "")
        name = text_field(page, "name", "") or url.partition("://")[2] or f"{number}.html"
        raw = RawPage(content, url, name, (("Content-Type", "text/html; charset=utf-8"),))
        pages.append(described(raw, site))
    return pages


def list_jobs(request: ApiRequest) -> Mapping[str, Any]:
    """All recent jobs."""
    return {"jobs": [job.as_dict() for job in request.app.jobs.newest_first()]}


def show_job(request: ApiRequest) -> Mapping[str, Any]:
    """A job, with its rows from `after` on."""
    return request.app.jobs.find(request.path["job"]).as_dict(request.number("after", 0))


def cancel_job(request: ApiRequest) -> Mapping[str, Any]:
    """Ask a job to stop."""
    job = request.app.jobs.find(request.path["job"])
    job.is_cancelled.set()
    return job.as_dict()
