"""Handlers: corrections, what they would change, and undoing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from dehusk.methods.corrections import Scope
from dehusk.webapp.api_errors import ApiError, invalid
from dehusk.webapp.api_request import ApiRequest, text_field, whole_number, yes_or_no
from dehusk.webapp.teaching import Wish, preview, wanted_corrections
from dehusk.webapp.workspace import Removal
from dehusk.webapp.workspace_records import Correction, SiteRecord

_MOST_BLOCKS: Final = 500
"""Blocks that are corrected at once."""
_MOST_HISTORY: Final = 100
"""Entries of the history."""


def list_corrections(request: ApiRequest) -> Mapping[str, Any]:
    """The corrections of a site."""
    site = request.app.workspace.site(request.path["site"])
    return {"corrections": [_correction_dict(request, site, correction) for correction in site.in_force]}


def _correction_dict(request: ApiRequest, site: SiteRecord, correction: Correction) -> dict[str, Any]:
    fields = asdict(correction)
    key = fields.pop("key")
    blocks, pages = request.app.service.touched(site, correction)
    return {
        **fields,
        "container": key if correction.scope == Scope.CONTAINER else None,
        "blocks": blocks,
        "pages": pages,
    }


def _wish(request: ApiRequest) -> tuple[SiteRecord, Wish]:
    body, workspace = request.json(), request.app.workspace
    site, page = workspace.site(request.path["site"]), workspace.page(text_field(body, "page"))
    scope = text_field(body, "scope", "place")
    if scope not in list(Scope):
        raise invalid(f"scope must be one of {', '.join(Scope)}")
    return site, Wish(page, _blocks(body), yes_or_no(body, "keep"), Scope(scope), text_field(body, "container", ""))


def _blocks(body: Mapping[str, Any]) -> tuple[int, ...]:
    """The blocks of a request: `blocks`, or one `block`."""
    if "blocks" not in body:
        return (whole_number(body, "block", None, 0, 10**9),)
    given = body["blocks"]
    if not isinstance(given, list) or not 0 < len(given) <= _MOST_BLOCKS:
        raise invalid(f"blocks must be a list of 1 to {_MOST_BLOCKS} numbers")
    return tuple(whole_number({"blocks": block}, "blocks", None, 0, 10**9) for block in given)


def preview_correction(request: ApiRequest) -> Mapping[str, Any]:
    """What a correction would apply to and change."""
    site, wish = _wish(request)
    return preview(request.app.service, site, wanted_corrections(request.app.service, site, wish))


def add_correction(request: ApiRequest) -> Mapping[str, Any]:
    """Keep or drop blocks, and all that are like them in a scope."""
    site, wish = _wish(request)
    wanted = wanted_corrections(request.app.service, site, wish)
    effect = preview(request.app.service, site, wanted)
    made = request.app.workspace.add_corrections(site.id, wanted)
    site = request.app.workspace.site(site.id)
    return {
        "version": request.app.workspace.state.version,
        "action": made[0].action,
        "correction": _correction_dict(request, site, made[-1]),
        **{name: effect[name] for name in ("blocks", "pages", "changed")},
    }


def remove_correction(request: ApiRequest) -> Mapping[str, Any]:
    """Remove a correction, and those that it replaced."""
    number, site = request.index("correction"), request.app.workspace.site(request.path["site"])
    gone = next((one for one in site.corrections if one.id == number), None)
    target = gone and (gone.scope, gone.key)
    request.app.workspace.remove_corrections(site.id, lambda one: (one.scope, one.key) == target)
    return {"version": request.app.workspace.state.version}


def undo_correction(request: ApiRequest) -> Mapping[str, Any]:
    """Undo the last correction of a site."""
    site = request.app.workspace.site(request.path["site"])
    if not site.corrections:
        raise ApiError(409, "conflict", "nothing to undo")
    return _undo(request, max(_action(one) for one in site.corrections))


def show_history(request: ApiRequest) -> Mapping[str, Any]:
    """What can be undone, newest first."""
    return {"version": request.app.workspace.state.version, "history": _history(request)[:_MOST_HISTORY]}


def undo(request: ApiRequest) -> Mapping[str, Any]:
    """Undo the last action, or the given one."""
    body, history = request.json(), _history(request)
    if not history:
        raise ApiError(409, "conflict", "nothing to undo")
    return _undo(request, whole_number(body, "action", history[0]["action"], 0, 10**12))


def _action(correction: Correction) -> int:
    """The action of a correction; in workspaces of earlier versions each was one by itself."""
    return correction.action or correction.id


def _history(request: ApiRequest) -> list[dict[str, Any]]:
    entries = [_removal_entry(removal) for removal in request.app.workspace.removals]
    for site in request.app.workspace.state.sites.values():
        actions: dict[int, list[Correction]] = {}
        for correction in site.corrections:
            actions.setdefault(_action(correction), []).append(correction)
        entries += [_correction_entry(site, action, made) for action, made in actions.items()]
    return sorted(entries, key=lambda entry: -entry["action"])


def _removal_entry(removal: Removal) -> dict[str, Any]:
    name = removal.site.name if removal.site else removal.pages[0].title or removal.pages[0].name
    kind = "remove-site" if removal.site else "remove"
    return {"action": removal.action, "kind": kind, "text": name, "count": len(removal.pages), "site": None}


def _correction_entry(site: SiteRecord, action: int, made: list[Correction]) -> dict[str, Any]:
    kind = "keep" if made[0].keep else "drop"
    return {"action": action, "kind": kind, "text": made[0].text, "count": len(made), "site": site.id}


def _undo(request: ApiRequest, action: int) -> Mapping[str, Any]:
    entry = next((entry for entry in _history(request) if entry["action"] == action), None)
    if entry is None:
        raise ApiError(409, "conflict", "this is undone already")
    workspace = request.app.workspace
    if entry["site"]:
        workspace.remove_corrections(entry["site"], lambda one: _action(one) == action)
    else:
        workspace.restore(action)
    return {"version": workspace.state.version, "undone": entry}
