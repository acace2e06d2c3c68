"""Handlers: the tree of a site, what people say of its blocks, and labelled data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from starlette.responses import FileResponse, Response, StreamingResponse

from dehusk.webapp.api_errors import Refusal, invalid, not_found
from dehusk.webapp.api_request import Call, text_field, whole_number, yes_or_no
from dehusk.webapp.labelled_data import labelled_members, labelled_pages, labelled_table
from dehusk.webapp.responses import attachment
from dehusk.webapp.safe_names import member_name
from dehusk.webapp.workspace_records import Correction, PageRecord, SiteRecord
from dehusk.webapp.zip_streaming import streamed_zip

_SCOPES: Final = ("place", "look")
_LONGEST_TEXT: Final = 300
"""Characters of a block in the list of those at a place."""


def show_tree(call: Call) -> Mapping[str, Any]:
    """The root of the tree, and what is known of all of it."""
    site = call.desk.workspace.site(call.path["site"])
    view = call.desk.studio.tree_view(site)
    return {
        "version": call.desk.workspace.state.version,
        "learnt": view.model.pages,
        "threshold": round(float(view.model.cut), 4),
        "places": view.places,
        "root": view.root(),
    }


def show_node(call: Call) -> Mapping[str, Any]:
    """A node with its children."""
    view = call.desk.studio.tree_view(call.desk.workspace.site(call.path["site"]))
    position = view.find(call.path["node"])
    node = view.node(position, levels=1, offset=call.number("offset", 0))
    return {**node, "ancestors": view.ancestors(position)}


def list_node_blocks(call: Call) -> Mapping[str, Any]:
    """Pages and blocks under a node."""
    site = call.desk.workspace.site(call.path["site"])
    view = call.desk.studio.tree_view(site)
    position = view.find(call.path["node"])
    pages = [
        {
            "page": page.id,
            "name": page.name,
            "blocks": [
                {
                    "index": block,
                    "text": labelled.blocks.texts[block][:_LONGEST_TEXT],
                    "kept": bool(labelled.keep[block]),
                }
                for block in blocks
            ],
        }
        for page, blocks, labelled in call.desk.studio.blocks_at(site, call.path["node"])
    ]
    return {"pages_total": int(view.model.tree.pages[position]), "pages": pages}


def list_corrections(call: Call) -> Mapping[str, Any]:
    """What people said of a site."""
    site = call.desk.workspace.site(call.path["site"])
    return {"corrections": [_correction_dict(call, site, correction) for correction in site.corrections]}


def _correction_dict(call: Call, site: SiteRecord, correction: Correction) -> dict[str, Any]:
    told = asdict(correction)
    del told["key"]
    return {**told, "pages": call.desk.studio.pages_touched(site, correction)}


def add_correction(call: Call) -> Mapping[str, Any]:
    """Keep or drop a block, and whatever shares its place or look."""
    body, workspace = call.json(), call.desk.workspace
    site, page = workspace.site(call.path["site"]), workspace.page(text_field(body, "page"))
    scope = text_field(body, "scope", "place")
    if scope not in _SCOPES:
        raise invalid(f"scope is none of {', '.join(_SCOPES)}")
    block = whole_number(body, "block", None, 0, 10**9)
    correction = call.desk.studio.teach(site, page, block, yes_or_no(body, "keep"), scope)
    told = _correction_dict(call, site, correction)
    return {"version": workspace.state.version, "correction": told, "pages": told["pages"]}


def remove_correction(call: Call) -> Mapping[str, Any]:
    """Take one back."""
    call.desk.workspace.take_back(call.path["site"], call.index("correction"))
    return {"version": call.desk.workspace.state.version}


def undo_correction(call: Call) -> Mapping[str, Any]:
    """Take the last one back."""
    call.desk.workspace.take_back(call.path["site"])
    return {"version": call.desk.workspace.state.version}


def download_model(call: Call) -> Response:
    """What was learnt of a site, as a file."""
    site = call.desk.workspace.site(call.path["site"])
    path = call.desk.workspace.model_path(site.id, site.settings.method)
    if site.model_of(site.settings.method) is None or not path.exists():
        raise not_found("model; eliminate first")
    name = member_name(site.name, ".dehusk", {}).replace("/", "-")
    return FileResponse(path, headers=attachment(name), media_type="application/octet-stream")


def download_labelled_folder(call: Call) -> Response:
    """Labelled pages as a folder."""
    members = labelled_members(labelled_pages(call.desk.studio, _labelled_by_someone(call)))
    return StreamingResponse(streamed_zip(members), headers=attachment("labelled.zip"), media_type="application/zip")


def download_labelled_table(call: Call) -> Response:
    """Labelled pages as a table."""
    table = labelled_table(labelled_pages(call.desk.studio, _labelled_by_someone(call)))
    return Response(table, headers=attachment("labelled.parquet"), media_type="application/vnd.apache.parquet")


def _labelled_by_someone(call: Call) -> list[PageRecord]:
    """Pages that may have something to teach; it is said at once if there are none."""
    workspace, site = call.desk.workspace, call.query.get("site", "")
    pages = workspace.pages_of(workspace.site(site).id) if site else list(workspace.state.pages.values())
    sites = workspace.state.sites
    pages = [page for page in pages if page.gold or (page.site in sites and sites[page.site].corrections)]
    if not pages:
        raise Refusal(409, "conflict", "nothing is labelled", "correct some blocks, or give pages gold text")
    return pages
