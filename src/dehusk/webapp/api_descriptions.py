"""Records -> JSON objects of the API."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from dehusk.webapp.server_limits import Bounds
from dehusk.webapp.workspace import Workspace
from dehusk.webapp.workspace_records import PageRecord, SiteRecord, digest_of

_LIMITS: Final = ("request_bytes", "page_bytes", "files", "pages", "zip_bytes", "zip_ratio")
"""Bounds that clients can check before they send files."""


def page_dict(workspace: Workspace, page: PageRecord, now: str | None = None) -> dict[str, Any]:
    """A Page of docs/webapp.md; `now` is the digest of its site (`Workspace.now`), if already computed."""
    if now is None:
        now = workspace.now(workspace.site(page.site))
    row = page.result.as_row(page.id, now) if page.result else None
    names = ("id", "name", "title", "url", "site", "gold")
    label = {"checked": page.is_checked, "page_type": page.label.page_type if page.label else ""}
    return {**{name: getattr(page, name) for name in names}, **label, "bytes": page.size, "result": row}


def site_dict(workspace: Workspace, site: SiteRecord) -> dict[str, Any]:
    """A Site of docs/webapp.md."""
    pages = workspace.pages_of(site.id)
    learnt = site.model_of(site.settings.method)
    return {
        "id": site.id,
        "name": site.name,
        "pages": len(pages),
        "bytes": sum(page.size for page in pages),
        "settings": asdict(site.settings),
        "learnt": learnt
        and {
            "method": learnt.method,
            "pages": learnt.pages,
            "knows_a_template": learnt.knows_a_template,
            "distrust": learnt.distrust,
            "current": learnt.made_from == workspace.learnt_digest(site),
            "from": list(learnt.ids),
        },
        "corrections": len(site.in_force),
        "taught": digest_of([repr(site.in_force)]),
        "seconds": site.seconds,
        "totals": _totals(pages, workspace.now(site)),
    }


def _totals(pages: Sequence[PageRecord], now: str) -> dict[str, Any] | None:
    results = [page.result for page in pages if page.result]
    if not results:
        return None
    good = [result for result in results if not result.error]
    summed = ("bytes_before", "bytes_after", "characters", "characters_kept")
    sums = {name: sum(getattr(result, name) for result in good) for name in summed}
    share = 1 - sums["characters_kept"] / sums["characters"] if sums["characters"] else 0.0
    return {
        "pages": len(results),
        "failed": len(results) - len(good),
        "stale": sum(result.made_with != now for result in results),
        **sums,
        "removed": round(max(0.0, share), 4),
        "ms": round(sum(result.ms for result in results), 1),
    }


def workspace_dict(workspace: Workspace, bounds: Bounds, allow_fetch: bool) -> dict[str, Any]:
    """Everything a tab needs to start. Sites without pages are kept, but not shown."""
    state = workspace.state
    with_pages = {page.site for page in state.pages.values()}
    sites = [site for site in state.sites.values() if site.id in with_pages]
    now = {site.id: workspace.now(site) for site in sites}
    return {
        "version": state.version,
        "allow_fetch": allow_fetch,
        "sites": [site_dict(workspace, site) for site in sites],
        "pages": [page_dict(workspace, page, now.get(page.site, "")) for page in state.pages.values()],
        "limits": {name: getattr(bounds, name) for name in _LIMITS},
    }
