"""Handlers: the style tree of a site, and its model."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from starlette.responses import Response

from dehusk.webapp.api_errors import ApiError
from dehusk.webapp.api_request import ApiRequest
from dehusk.webapp.responses import attachment
from dehusk.webapp.safe_names import member_name

_LONGEST_TEXT: Final = 300
"""Characters of a block in the list of blocks under a node."""


def show_tree(request: ApiRequest) -> Mapping[str, Any]:
    """The root of the style tree, and its totals."""
    site = request.app.workspace.site(request.path["site"])
    view = request.app.service.tree_view(site)
    return {
        "version": request.app.workspace.state.version,
        "learnt": view.model.pages,
        "threshold": round(float(view.model.cut), 4),
        "places": view.positions,
        "root": view.root(),
    }


def show_node(request: ApiRequest) -> Mapping[str, Any]:
    """A node with its children."""
    view = request.app.service.tree_view(request.app.workspace.site(request.path["site"]))
    position = view.find(request.path["node"])
    node = view.node(position, levels=1, offset=request.number("offset", 0))
    return {**node, "ancestors": view.ancestors(position)}


def list_node_blocks(request: ApiRequest) -> Mapping[str, Any]:
    """Pages and blocks under a node."""
    site = request.app.workspace.site(request.path["site"])
    view = request.app.service.tree_view(site)
    position = view.find(request.path["node"])
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
        for page, blocks, labelled in request.app.service.blocks_at(site, request.path["node"])
    ]
    return {"pages_total": int(view.model.tree.pages[position]), "pages": pages}


def download_model(request: ApiRequest) -> Response:
    """The learnt model of a site with its threshold and corrections, as a file."""
    site = request.app.workspace.site(request.path["site"])
    model = request.app.service.taught_model(site)
    if model is None:
        raise ApiError(404, "not-found", "no model learnt yet", "eliminate first")
    name = member_name(site.name, ".dehusk", {}).replace("/", "-")
    with TemporaryDirectory(prefix="dehusk-") as folder:
        model.save(os.path.join(folder, "model"), site=site.name)
        content = Path(folder, "model").read_bytes()
    return Response(content, headers=attachment(name), media_type="application/octet-stream")
