"""Handlers: comparing, and what programs ask for that have pages of their own."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from dehusk.blocks.segmentation import segment
from dehusk.cleaning import CleanedPage, find_method
from dehusk.deciding.decisions import decide, judge_blocks
from dehusk.methods.base import Model
from dehusk.methods.site_trees.style_tree import StyleTreeModel
from dehusk.outputs import OUTPUTS
from dehusk.page.page_reading import read_page
from dehusk.sources.file_types import is_html_type
from dehusk.sources.raw_page import RawPage
from dehusk.webapp.api_descriptions import site_dict
from dehusk.webapp.api_errors import Refusal, invalid, not_found, too_large
from dehusk.webapp.api_request import Call, text_field, yes_or_no
from dehusk.webapp.app_state import Desk
from dehusk.webapp.page_comparison import compare
from dehusk.webapp.query_settings import asked_settings, changed
from dehusk.webapp.result_routes import result_dict
from dehusk.webapp.safe_names import site_id, site_name
from dehusk.webapp.workspace import NewPage
from dehusk.webapp.workspace_records import Settings, SiteRecord


def compare_sides(call: Call) -> Mapping[str, Any]:
    """Two ways to clean a page."""
    page = call.desk.workspace.page(call.path["page"])
    return compare(call.desk.studio, page, call.query.get("left", ""), call.query.get("right", ""))


def clean_page(call: Call) -> Mapping[str, Any]:
    """Clean a page that is not kept."""
    begun = time.perf_counter()
    is_page = is_html_type(call.content_type)
    asked = dict(call.query) if is_page else call.json()
    site = _known_site(call.desk, asked)
    settings = _settings(call, site, asked, is_page)
    format_name = asked.get("format") or "text"
    if format_name not in OUTPUTS:
        raise invalid("no such format", f"choose one of {', '.join(OUTPUTS)}")
    raw = _sent_page(call, asked, is_page)
    blocks = segment(read_page(raw, limits=call.desk.bounds.page_limits))
    judged = judge_blocks(blocks, _model(call.desk, site, settings))
    threshold = None if isinstance(judged.model, StyleTreeModel) else settings.threshold
    labelled = decide(judged, settings.decision, threshold)
    learnt = site is not None and call.desk.studio.is_learnt(site, settings.method)
    told = result_dict(labelled, format_name, len(raw.body), begun)
    wanted = call.flag("metadata") if is_page else yes_or_no(asked, "metadata", False)
    return {"learnt": learnt, **told, "metadata": CleanedPage(labelled).metadata.to_dict() if wanted else None}


def _known_site(desk: Desk, asked: Mapping[str, Any]) -> SiteRecord | None:
    name = asked.get("site")
    if not name:
        return None
    if not isinstance(name, str):
        raise invalid("site is not a text")
    sites = desk.workspace.state.sites
    found = sites.get(name) or sites.get(site_id(site_name(name)))
    if found is None:
        raise not_found("site")
    return found


def _settings(call: Call, site: SiteRecord | None, asked: Mapping[str, Any], is_page: bool) -> Settings:
    settings = site.settings if site else Settings()
    if is_page:
        return asked_settings(call, settings)
    given = {name: asked[name] for name in Settings.__dataclass_fields__ if name in asked}
    return changed(settings, given)


def _sent_page(call: Call, asked: Mapping[str, Any], is_page: bool) -> RawPage:
    url = text_field(asked, "url", "")
    body = call.body if is_page else text_field(asked, "html").encode("utf-8", "surrogatepass")
    if len(body) > call.desk.bounds.page_bytes:
        raise too_large(f"a page of more than {call.desk.bounds.page_bytes:,} bytes")
    # Text in JSON is decoded already, whatever the page says; a page itself may come with its own charset.
    content_type = call.content_type if is_page else "text/html; charset=utf-8"
    return RawPage(body, url, "", (("Content-Type", content_type),))


def _model(desk: Desk, site: SiteRecord | None, settings: Settings) -> Model:
    model = desk.studio.judging.model(site, settings.method)[1] if site else find_method(settings.method).fit()
    if isinstance(model, StyleTreeModel) and settings.threshold is not None:
        return model.with_threshold(settings.threshold)
    return model


def learn_site(call: Call) -> Mapping[str, Any]:
    """Add pages to a site, and learn it."""
    body, desk = call.json(), call.desk
    name = site_name(text_field(body, "site"))
    added = desk.workspace.add(_sent_pages(body, desk, name))
    identifier = site_id(name)
    site = desk.workspace.site(identifier)
    if "method" in body:
        given = {"method": text_field(body, "method")}
        site = desk.workspace.change_settings(identifier, lambda settings: changed(settings, given))
    if not find_method(site.settings.method).learns:
        raise Refusal(422, "refused", f"{site.settings.method} does not learn sites", "choose another method")
    desk.studio.eliminating.learn(site, site.settings.method)
    version = desk.workspace.state.version
    return {
        "version": version,
        "site": site_dict(desk.workspace, desk.workspace.site(identifier)),
        "added": len(added.pages),
    }


def _sent_pages(body: Mapping[str, Any], desk: Desk, site: str) -> list[NewPage]:
    given = body.get("pages", [])
    if not isinstance(given, list) or not all(isinstance(page, dict) for page in given):
        raise invalid("pages is not a list of objects")
    pages = []
    for number, page in enumerate(given):
        content = text_field(page, "html").encode("utf-8", "surrogatepass")
        if len(content) > desk.bounds.page_bytes:
            raise too_large(f"a page of more than {desk.bounds.page_bytes:,} bytes")
        url = text_field(page, "url", "")
        name = text_field(page, "name", "") or url.partition("://")[2] or f"{number}.html"
        pages.append(NewPage(RawPage(content, url, name, (("Content-Type", "text/html; charset=utf-8"),)), site))
    return pages
