"""Handlers: cleaning, thresholds, results, blocks, views and downloads."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final

from starlette.responses import Response

from dehusk.blocks.block_columns import Kind
from dehusk.cleaning import CleanedPage
from dehusk.deciding.decisions import LabelledBlocks
from dehusk.errors import DehuskError
from dehusk.methods.site_trees.style_tree import StyleTree, StyleTreeModel
from dehusk.outputs import OUTPUTS
from dehusk.page.characters import encodable
from dehusk.page.stable_hashing import combine
from dehusk.webapp.api_descriptions import site_dict
from dehusk.webapp.api_errors import ApiError, invalid, not_found
from dehusk.webapp.api_request import ApiRequest, changed_settings, query_settings, text_list, yes_or_no
from dehusk.webapp.elimination import Wanted, result_of, sizes_of
from dehusk.webapp.judged_pages import judges_pages
from dehusk.webapp.page_views import cleaned_view, original_view
from dehusk.webapp.responses import Member, attachment, view_policy, view_response, zip_response
from dehusk.webapp.safe_names import member_name
from dehusk.webapp.site_service import IndexedSite, SiteService
from dehusk.webapp.styled_views import style_sheet, styled_view
from dehusk.webapp.teaching import containers_around
from dehusk.webapp.workspace_records import PageRecord, Settings, SiteRecord
from dehusk.workers.guard import guarded

_MOST_SHOWN: Final = 2_000
"""Characters of a block's text in a list."""
_MOST_REPEATS: Final = 50
"""Other pages with the same text that are listed."""
_MEANINGS: Final = {
    "importance": "template positions up to this importance are noise; 0 is the same on all pages, 1 different on each",
    "probability": "blocks less likely to be content are noise; by default each page has its own threshold",
    "score": "blocks with a lower score are noise",
}
_MEDIA_TYPES: Final = {
    **dict.fromkeys(("text", "markdown", "html", "words", "cleaneval"), "text/plain"),
    "json": "application/json",
    "jsonl": "application/jsonl",
    "chunks": "application/jsonl",
    "csv": "text/csv",
    "xml": "application/xml",
    "tei": "application/xml",
}


def eliminate(request: ApiRequest) -> Mapping[str, Any]:
    """Start a job that learns sites and cleans their pages."""
    wanted, workspace = _wanted(request), request.app.workspace
    run = request.app.service.elimination.run
    basis = (wanted, tuple(workspace.wishes(workspace.site(site)) for site in wanted.sites))
    return {"job": request.app.jobs.start("eliminate", lambda job: run(job, wanted), basis).as_dict()}


def _wanted(request: ApiRequest) -> Wanted:
    """The sites of a request; with `pages`, only these pages and their sites."""
    body, workspace = request.json(), request.app.workspace
    sites, pages = text_list(body, "sites"), text_list(body, "pages")
    again = yes_or_no(body, "learn_again", False)
    if pages is not None:
        of_pages = dict.fromkeys(workspace.page(page).site for page in pages)
        return Wanted(tuple(of_pages), frozenset(pages), again)
    chosen = list(workspace.state.sites) if sites is None else sites
    return Wanted(tuple(workspace.site(site).id for site in chosen), learn_again=again)


def change_settings(request: ApiRequest) -> Mapping[str, Any]:
    """Change the settings of a site."""
    workspace, given = request.app.workspace, request.json()
    site = workspace.change_settings(request.path["site"], lambda settings: changed_settings(settings, given))
    return {"version": workspace.state.version, "site": site_dict(workspace, site)}


def try_threshold(request: ApiRequest) -> Mapping[str, Any]:
    """What a threshold keeps, on a sample of pages."""
    begun = time.perf_counter()
    service, site = request.app.service, request.app.workspace.site(request.path["site"])
    settings = query_settings(request, site.settings)
    tried = [(page, service.labelled(page, settings)) for page in service.sampled(site)]
    pages = [{"page": page.id, "name": page.name, **_kept_counts(labelled)} for page, labelled in tried]
    total = {name: sum(row[name] for row in pages) for name in ("characters", "characters_kept")}
    share = total["characters_kept"] / total["characters"] if total["characters"] else 0.0
    kind = _kind_of_threshold(settings.method)
    return {
        "version": request.app.workspace.state.version,
        "method": settings.method,
        "learnt": service.is_learnt(site, settings.method),
        "kind": kind,
        "meaning": _MEANINGS[kind],
        "minimum": 0.0,
        "maximum": 1.0,
        "automatic": _automatic(request, site, settings.method),
        "value": settings.threshold,
        "favour": settings.favour,
        "comments": settings.comments,
        "without_rules": settings.without_rules,
        "of": len(request.app.workspace.pages_of(site.id)),
        "pages": pages,
        "total": {**total, "kept": round(share, 4), "emptied": sum(not row["blocks_kept"] for row in pages)},
        "ms": round(1000 * (time.perf_counter() - begun), 1),
    }


def _kind_of_threshold(method: str) -> str:
    if method == StyleTree.name:
        return "importance"
    return "probability" if judges_pages(method) else "score"


def _automatic(request: ApiRequest, site: SiteRecord, method: str) -> float | None:
    """The default threshold; None if it differs from page to page."""
    if judges_pages(method):
        return None
    _, model = request.app.service.judged_pages.model(site, method)
    cut = model.with_threshold(None).cut if isinstance(model, StyleTreeModel) else model.threshold
    return round(float(cut), 4)


def _kept_counts(labelled: LabelledBlocks) -> dict[str, Any]:
    characters, characters_kept = sizes_of(labelled)
    return {
        "threshold": round(float(labelled.threshold), 4),
        "blocks": len(labelled.blocks),
        "blocks_kept": int(labelled.keep.sum()),
        "characters": characters,
        "characters_kept": characters_kept,
    }


def show_decision(request: ApiRequest) -> Mapping[str, Any]:
    """Which blocks of a page are kept, and nothing else."""
    _, _, labelled = _requested(request)
    return {**_kept_counts(labelled), "kept": "".join("01"[kept] for kept in labelled.keep.tolist())}


def _requested(request: ApiRequest) -> tuple[PageRecord, Settings, LabelledBlocks]:
    """The page in the path, labelled with the settings of its site or of the query."""
    page = request.app.workspace.page(request.path["page"])
    settings = query_settings(request, request.app.workspace.site(page.site).settings)
    return page, settings, request.app.service.labelled(page, settings)


def _format(request: ApiRequest, default: str = "text") -> str:
    name = request.query.get("format") or default
    if name not in OUTPUTS:
        raise invalid(f"unknown format: {name[:50]}", f"choose one of {', '.join(OUTPUTS)}")
    return name


def show_result(request: ApiRequest) -> Mapping[str, Any]:
    """The cleaned page in a format."""
    begun = time.perf_counter()
    name = _format(request)
    page, settings, labelled = _requested(request)
    site = request.app.workspace.site(page.site)
    learnt = request.app.service.is_learnt(site, settings.method)
    result = result_dict(labelled, name, page.size, begun)
    metadata = CleanedPage(labelled).metadata.to_dict() if request.flag("metadata") else None
    return {"page": page.id, "learnt": learnt, **result, "metadata": metadata}


def result_dict(labelled: LabelledBlocks, format_name: str, size: int, begun: float) -> dict[str, Any]:
    """A cleaned page as JSON, without metadata: extracting that takes longer than all the rest."""
    cleaned = CleanedPage(labelled)
    content = cleaned.render(format_name)
    result = result_of(labelled, size, cleaned.text)
    names = ("page_type", "confidence", "bytes_before", "bytes_after", "blocks", "blocks_kept")
    return {
        "format": format_name,
        "content": content,
        "method": labelled.model.method,
        "threshold": round(float(labelled.threshold), 4),
        **{name: getattr(result, name) for name in names},
        "removed": round(result.removed, 4),
        "ms": round(1000 * (time.perf_counter() - begun), 2),
    }


def list_blocks(request: ApiRequest) -> Mapping[str, Any]:
    """All blocks of a page."""
    page, settings, labelled = _requested(request)
    site = request.app.workspace.site(page.site)
    described = _BlockDescriptions(request.app.service, page, settings, labelled)
    return {
        "page": page.id,
        "method": settings.method,
        "learnt": request.app.service.is_learnt(site, settings.method),
        "threshold": round(float(labelled.threshold), 4),
        "blocks": [described.block(index, described.is_site_read) for index in range(len(labelled.blocks))],
    }


def show_block(request: ApiRequest) -> Mapping[str, Any]:
    """A block with its reasons and the other pages that repeat it."""
    page, settings, labelled = _requested(request)
    index = request.index("index")
    if index >= len(labelled.blocks):
        raise not_found("block")
    described = _BlockDescriptions(request.app.service, page, settings, labelled)
    return {**described.block(index, True), **described.details(index)}


class _BlockDescriptions:
    """Describes the blocks of a page, with counts over the site."""

    def __init__(self, service: SiteService, page: PageRecord, settings: Settings, labelled: LabelledBlocks) -> None:
        self._service, site = service, service.workspace.site(page.site)
        self._page, self._site, self._labelled = page, site, labelled
        self._changed = self._service.judged_pages.changed_by_site(page, site, settings)
        self._keys = self._service.judged_pages.block_keys(page)
        self._repeat_keys = combine(self._keys.text, self._keys.position)
        self._node, self._importance = self._tree_positions()

    @cached_property
    def _site_blocks(self) -> IndexedSite:
        return self._service.indexed(self._site)

    @cached_property
    def _repeats(self) -> list[int]:
        found: list[int] = self._site_blocks.index.repeats.pages_with(self._repeat_keys).tolist()
        return found

    @cached_property
    def _text_pages(self) -> list[int]:
        found: list[int] = self._site_blocks.index.texts.pages_with(self._keys.text).tolist()
        return found

    @cached_property
    def is_site_read(self) -> bool:
        """Whether comparing with the other pages takes no time: their blocks are known."""
        return self._service.judged_pages.has_block_keys(self._service.workspace.pages_of(self._site.id))

    def _tree_positions(self) -> tuple[list[int], list[float]]:
        """Position and importance of each block in the style tree; 0 and NaN where no tree is learnt yet."""
        if self._site.model_of(StyleTree.name) is None:
            size = len(self._labelled.blocks)
            return [0] * size, [math.nan] * size
        key, tree = self._service.known_tree(self._site)
        position, importance = self._service.judged_pages.importance(self._page, key, tree)
        return position.tolist(), importance.tolist()

    def block(self, index: int, is_compared: bool) -> dict[str, Any]:
        """A Block of docs/webapp.md; with `is_compared`, compared with the other pages."""
        labelled, blocks = self._labelled, self._labelled.blocks
        text = blocks.texts[index]
        taught = labelled.corrected is not None and bool(labelled.corrected[index])
        return {
            "index": index,
            "text": text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]} …",
            "kept": bool(labelled.keep[index]),
            "score": _number(float(labelled.scores[index])),
            "kind": Kind(blocks.kind[index]).label,
            "level": int(blocks.level[index]),
            "path": blocks.path(index),
            "link_share": round(float(blocks.link_share[index]), 4),
            "hidden": bool(blocks.hidden[index]),
            "comment": bool(labelled.comments[index]),
            "importance": _number(self._importance[index]),
            "repeats": max(0, self._repeats[index] - 1) if is_compared else None,
            "text_pages": self._text_pages[index] if is_compared else None,
            "changed_by_site": None if self._changed is None else bool(self._changed[index]),
            "taught": ("keep" if labelled.keep[index] else "drop") if taught else None,
        }

    def details(self, index: int) -> dict[str, Any]:
        """Expensive fields, computed on demand."""
        found = self._site_blocks.index.repeats.find(self._repeat_keys[index])
        others = [(self._site_blocks.pages[page], block) for page, block in found]
        where = [(page, block) for page, block in others if page.id != self._page.id]
        shared = {
            "place": int(self._site_blocks.index.positions.pages_with(self._keys.position[index : index + 1])[0]),
            "look": int(self._site_blocks.index.styles.pages_with(self._keys.style[index : index + 1])[0]),
        }
        return {
            "reasons": list(self._service.judged_pages.reasons(self._page, self._site, self._labelled)[index]),
            "where": [{"page": page.id, "name": page.name, "block": block} for page, block in where[:_MOST_REPEATS]],
            "shared": shared,
            "containers": containers_around(self._service, self._site, self._page, index),
            "node": f"{self._node[index]:016x}" if self._node[index] else None,
        }


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 4)


def view_original(request: ApiRequest) -> Response:
    """The original page, its blocks marked."""
    page, _, labelled = _requested(request)
    return view_response(original_view(labelled, page.id, request.flag("images")), request.flag("images"))


def view_styled(request: ApiRequest) -> Response:
    """The original page with its own style, its blocks marked; without a style sheet, as `original` shows it."""
    page, _, labelled = _requested(request)
    images = request.flag("images")
    is_styled = bool(style_sheet(labelled.blocks.page, page.name, request.app.workspace.database.style))
    return view_response((styled_view if is_styled else original_view)(labelled, page.id, images), images)


def view_style(request: ApiRequest) -> Response:
    """The style sheets that came with a page, made harmless."""
    page = request.app.workspace.page(request.path["page"])
    blocks = request.app.service.judged_pages.blocks(page)
    css = style_sheet(blocks.page, page.name, request.app.workspace.database.style)
    return Response(encodable(css).encode("utf-8"), headers=view_policy(False), media_type="text/css; charset=utf-8")


def view_cleaned(request: ApiRequest) -> Response:
    """The cleaned page as HTML."""
    page, _, labelled = _requested(request)
    return view_response(cleaned_view(labelled, page.id, request.flag("images")), request.flag("images"))


def download_page(request: ApiRequest) -> Response:
    """The cleaned page as a file."""
    name = _format(request)
    page, _, labelled = _requested(request)
    content = encodable(CleanedPage(labelled).render(name)).encode("utf-8")
    file = member_name(page.name, OUTPUTS[name].suffix, {}).rpartition("/")[2]
    return Response(content, headers=attachment(file), media_type=f"{_MEDIA_TYPES[name]}; charset=utf-8")


def download_all(request: ApiRequest) -> Response:
    """All cleaned pages, or those of a site, as a zip file."""
    name = _format(request)
    workspace = request.app.workspace
    site = request.query.get("site", "")
    pages = workspace.pages_of(workspace.site(site).id) if site else list(workspace.state.pages.values())
    if not pages:
        raise ApiError(409, "conflict", "no pages to download")
    label = "dehusk" if not site else member_name(workspace.site(site).name, "", {}).replace("/", "-")
    return zip_response(f"{label}-{name}.zip", _cleaned_members(request, pages, name))


def _cleaned_members(request: ApiRequest, pages: list[PageRecord], format_name: str) -> Iterator[Member]:
    taken: dict[str, int] = {}
    several = len({page.site for page in pages}) > 1
    failed: list[str] = []
    for page in pages:
        content = guarded(
            lambda page: CleanedPage(request.app.service.labelled(page)).render(format_name), page, page.name
        )
        if isinstance(content, DehuskError):
            failed.append(str(content))
            continue
        site = request.app.workspace.state.sites.get(page.site)
        folder = f"{site.name.replace('/', '-')}/" if several and site else ""
        name = member_name(folder + page.name, OUTPUTS[format_name].suffix, taken)
        yield name, encodable(content).encode("utf-8")
    if failed:
        yield "not-cleaned.txt", encodable("\n".join(failed) + "\n").encode("utf-8")
