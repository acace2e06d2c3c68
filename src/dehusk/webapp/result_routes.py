"""Handlers: eliminate, thresholds, results, blocks, views and downloads."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final

from starlette.responses import HTMLResponse, Response, StreamingResponse

from dehusk.blocks.block_columns import Kind
from dehusk.cleaning import CleanedPage
from dehusk.deciding.decisions import LabelledBlocks
from dehusk.errors import DehuskError
from dehusk.methods.site_trees.style_tree import StyleTree, StyleTreeModel
from dehusk.outputs import OUTPUTS
from dehusk.page.characters import encodable
from dehusk.page.stable_hashing import Keys, combine
from dehusk.webapp.api_descriptions import site_dict
from dehusk.webapp.api_errors import Refusal, invalid, not_found
from dehusk.webapp.api_request import Call, text_list, yes_or_no
from dehusk.webapp.elimination import result_of, sizes_of
from dehusk.webapp.judged_pages import Fingerprint, judges_pages
from dehusk.webapp.page_views import cleaned_view, original_view
from dehusk.webapp.query_settings import asked_settings, changed
from dehusk.webapp.responses import attachment
from dehusk.webapp.safe_names import member_name
from dehusk.webapp.workspace_records import PageRecord, Settings, SiteRecord
from dehusk.webapp.zip_streaming import Member, streamed_zip
from dehusk.workers.guard import guarded

_MOST_SHOWN: Final = 2_000
"""Characters of a block's text in a list."""
_MOST_WHERE: Final = 50
"""Other places with the same text that are named."""
_VIEW_POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src {images}; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'; sandbox allow-same-origin"
)
_MEANINGS: Final = {
    "importance": "places that are no more important are noise; 0 is the same on all pages, 1 different on each",
    "probability": "blocks that are less likely content are noise; by default each page has a threshold of its own",
    "score": "blocks that score less are noise",
}
_MEDIA_TYPES: Final = {
    **dict.fromkeys(("text", "markdown", "html", "words", "cleaneval"), "text/plain"),
    "json": "application/json",
    "jsonl": "application/jsonl",
    "csv": "text/csv",
    "xml": "application/xml",
    "tei": "application/xml",
}


def eliminate(call: Call) -> Mapping[str, Any]:
    """Learn and clean."""
    body, state = call.json(), call.desk.workspace.state
    wanted = text_list(body, "sites")
    sites = list(state.sites) if wanted is None else wanted
    for site in sites:
        call.desk.workspace.site(site)
    again = yes_or_no(body, "learn_again", False)
    run = call.desk.studio.eliminating.run
    return {"job": call.desk.jobs.start("eliminate", lambda job: run(job, sites, again)).as_dict()}


def change_settings(call: Call) -> Mapping[str, Any]:
    """Change how a site is cleaned."""
    workspace, given = call.desk.workspace, call.json()
    site = workspace.change_settings(call.path["site"], lambda settings: changed(settings, given))
    return {"version": workspace.state.version, "site": site_dict(workspace, site)}


def try_threshold(call: Call) -> Mapping[str, Any]:
    """What a threshold keeps, on some pages."""
    begun = time.perf_counter()
    studio, site = call.desk.studio, call.desk.workspace.site(call.path["site"])
    settings = asked_settings(call, site.settings)
    tried = [(page, studio.labelled(page, settings)) for page in studio.sampled(site)]
    pages = [{"page": page.id, "name": page.name, **_kept(labelled)} for page, labelled in tried]
    total = {name: sum(row[name] for row in pages) for name in ("characters", "characters_kept")}
    share = total["characters_kept"] / total["characters"] if total["characters"] else 0.0
    kind = _kind_of_threshold(settings.method)
    return {
        "version": call.desk.workspace.state.version,
        "method": settings.method,
        "learnt": studio.is_learnt(site, settings.method),
        "kind": kind,
        "meaning": _MEANINGS[kind],
        "minimum": 0.0,
        "maximum": 1.0,
        "automatic": _automatic(call, site, settings.method),
        "value": settings.threshold,
        "favour": settings.favour,
        "comments": settings.comments,
        "of": len(call.desk.workspace.pages_of(site.id)),
        "pages": pages,
        "total": {**total, "kept": round(share, 4), "emptied": sum(not row["blocks_kept"] for row in pages)},
        "ms": round(1000 * (time.perf_counter() - begun), 1),
    }


def _kind_of_threshold(method: str) -> str:
    if method == StyleTree.name:
        return "importance"
    return "probability" if judges_pages(method) else "score"


def _automatic(call: Call, site: SiteRecord, method: str) -> float | None:
    """The threshold that is used if none is set; None if that differs from page to page."""
    if judges_pages(method):
        return None
    _, model = call.desk.studio.judging.model(site, method)
    cut = model.with_threshold(None).cut if isinstance(model, StyleTreeModel) else model.threshold
    return round(float(cut), 4)


def _kept(labelled: LabelledBlocks) -> dict[str, Any]:
    characters, characters_kept = sizes_of(labelled)
    return {
        "threshold": round(float(labelled.threshold), 4),
        "blocks": len(labelled.blocks),
        "blocks_kept": int(labelled.keep.sum()),
        "characters": characters,
        "characters_kept": characters_kept,
    }


def show_decision(call: Call) -> Mapping[str, Any]:
    """What is kept of a page, block by block, and nothing else."""
    _, _, labelled = _asked(call)
    return {**_kept(labelled), "kept": "".join("01"[kept] for kept in labelled.keep.tolist())}


def _asked(call: Call) -> tuple[PageRecord, Settings, LabelledBlocks]:
    """The page of the path, with the settings of its site or those of the query."""
    page = call.desk.workspace.page(call.path["page"])
    settings = asked_settings(call, call.desk.workspace.site(page.site).settings)
    return page, settings, call.desk.studio.labelled(page, settings)


def _format(call: Call, default: str = "text") -> str:
    name = call.query.get("format") or default
    if name not in OUTPUTS:
        raise invalid(f"no such format: {name[:50]}", f"choose one of {', '.join(OUTPUTS)}")
    return name


def show_result(call: Call) -> Mapping[str, Any]:
    """What is kept, in a format."""
    begun = time.perf_counter()
    name = _format(call)
    page, settings, labelled = _asked(call)
    site = call.desk.workspace.site(page.site)
    learnt = call.desk.studio.is_learnt(site, settings.method)
    told = result_dict(labelled, name, page.size, begun)
    metadata = CleanedPage(labelled).metadata.to_dict() if call.flag("metadata") else None
    return {"page": page.id, "learnt": learnt, **told, "metadata": metadata}


def result_dict(labelled: LabelledBlocks, format_name: str, size: int, begun: float) -> dict[str, Any]:
    """A cleaned page for an answer, without what is known of it: finding that takes longer than all the rest."""
    cleaned = CleanedPage(labelled)
    content = cleaned.render(format_name)
    result = result_of(labelled, size, cleaned.text)
    return {
        "format": format_name,
        "content": content,
        "method": labelled.model.method,
        "threshold": round(float(labelled.threshold), 4),
        "page_type": result.page_type,
        "confidence": result.confidence,
        "bytes_before": result.bytes_before,
        "bytes_after": result.bytes_after,
        "removed": round(result.removed, 4),
        "blocks": result.blocks,
        "blocks_kept": result.blocks_kept,
        "ms": round(1000 * (time.perf_counter() - begun), 2),
    }


def list_blocks(call: Call) -> Mapping[str, Any]:
    """All blocks of a page."""
    page, settings, labelled = _asked(call)
    site = call.desk.workspace.site(page.site)
    described = _Described(call, page, site, labelled)
    return {
        "page": page.id,
        "method": settings.method,
        "learnt": call.desk.studio.is_learnt(site, settings.method),
        "threshold": round(float(labelled.threshold), 4),
        "blocks": [described.block(index) for index in range(len(labelled.blocks))],
    }


def show_block(call: Call) -> Mapping[str, Any]:
    """One block, with reasons and where else its text stands."""
    page, _, labelled = _asked(call)
    index = call.index("index")
    if index >= len(labelled.blocks):
        raise not_found("block")
    described = _Described(call, page, call.desk.workspace.site(page.site), labelled)
    return {**described.block(index), **described.details(index)}


class _Described:
    """Blocks of a page, with what the site knows of them."""

    def __init__(self, call: Call, page: PageRecord, site: SiteRecord, labelled: LabelledBlocks) -> None:
        self._studio = call.desk.studio
        self._page, self._site, self._labelled = page, site, labelled
        self._known = self._studio.indexed(site)
        self._prints = self._studio.judging.fingerprint(page)
        index = self._known.index
        self._repeats = index.repeats.pages_with(_both(self._prints))
        self._text_pages = index.texts.pages_with(self._prints.text)
        self._node, self._importance = self._places()

    def _places(self) -> tuple[list[int], list[float]]:
        """Place and importance of each block in the style tree; where it was not learnt yet there is none."""
        if self._site.model_of(StyleTree.name) is None:
            size = len(self._labelled.blocks)
            return [0] * size, [math.nan] * size
        key, tree = self._studio.known_tree(self._site)
        place, importance = self._studio.judging.importance(self._page, key, tree)
        return place.tolist(), importance.tolist()

    def block(self, index: int) -> dict[str, Any]:
        """A Block of docs/webapp.md."""
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
            "repeats": max(0, int(self._repeats[index]) - 1),
            "text_pages": int(self._text_pages[index]),
            "taught": ("keep" if labelled.keep[index] else "drop") if taught else None,
        }

    def details(self, index: int) -> dict[str, Any]:
        """What is dear to find out."""
        found = self._known.index.repeats.find(_both(self._prints)[index])
        others = [(self._known.pages[page], block) for page, block in found]
        where = [(page, block) for page, block in others if page.id != self._page.id]
        shared = {
            "place": int(self._known.index.places.pages_with(self._prints.place[index : index + 1])[0]),
            "look": int(self._known.index.looks.pages_with(self._prints.look[index : index + 1])[0]),
        }
        return {
            "reasons": list(self._studio.judging.reasons(self._page, self._site, self._labelled)[index]),
            "where": [{"page": page.id, "name": page.name, "block": block} for page, block in where[:_MOST_WHERE]],
            "shared": shared,
            "node": f"{self._node[index]:016x}" if self._node[index] else None,
        }


def _both(prints: Fingerprint) -> Keys:
    return combine(prints.text, prints.place)


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 4)


def view_original(call: Call) -> Response:
    """The page with its blocks marked."""
    page, _, labelled = _asked(call)
    return _view(original_view(labelled, page.id, call.flag("images")), call.flag("images"))


def view_cleaned(call: Call) -> Response:
    """What is kept of it."""
    page, _, labelled = _asked(call)
    return _view(cleaned_view(labelled, page.id, call.flag("images")), call.flag("images"))


def _view(html: str, images: bool) -> Response:
    policy = _VIEW_POLICY.format(images="http: https: data:" if images else "'none'")
    return HTMLResponse(encodable(html), headers={"Content-Security-Policy": policy})


def download_page(call: Call) -> Response:
    """What is kept, as a file."""
    name = _format(call)
    page, _, labelled = _asked(call)
    content = encodable(CleanedPage(labelled).render(name)).encode("utf-8")
    file = member_name(page.name, OUTPUTS[name].suffix, {}).rpartition("/")[2]
    return Response(content, headers=attachment(file), media_type=f"{_MEDIA_TYPES[name]}; charset=utf-8")


def download_all(call: Call) -> Response:
    """All pages, or those of a site, as they are cleaned."""
    name = _format(call)
    workspace = call.desk.workspace
    site = call.query.get("site", "")
    pages = workspace.pages_of(workspace.site(site).id) if site else list(workspace.state.pages.values())
    if not pages:
        raise Refusal(409, "conflict", "there are no pages")
    label = "dehusk" if not site else member_name(workspace.site(site).name, "", {}).replace("/", "-")
    members = _cleaned_members(call, pages, name)
    return StreamingResponse(
        streamed_zip(members), headers=attachment(f"{label}-{name}.zip"), media_type="application/zip"
    )


def _cleaned_members(call: Call, pages: list[PageRecord], format_name: str) -> Iterator[Member]:
    taken: dict[str, int] = {}
    several = len({page.site for page in pages}) > 1
    failed: list[str] = []
    for page in pages:
        content = guarded(
            lambda page: CleanedPage(call.desk.studio.labelled(page)).render(format_name), page, page.name
        )
        if isinstance(content, DehuskError):
            failed.append(str(content))
            continue
        site = call.desk.workspace.state.sites.get(page.site)
        folder = f"{site.name.replace('/', '-')}/" if several and site else ""
        name = member_name(folder + page.name, OUTPUTS[format_name].suffix, taken)
        yield Member(name, encodable(content).encode("utf-8"))
    if failed:
        yield Member("not-cleaned.txt", encodable("\n".join(failed) + "\n").encode("utf-8"))
