"""Compare two ways to clean the same page."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from dehusk.cleaning import CleanedPage
from dehusk.errors import DehuskError
from dehusk.lab.evaluation.other_tools import decoded_html, find_tool
from dehusk.lab.evaluation.text_scores import count_words, score_words
from dehusk.methods import find_method
from dehusk.page.characters import encodable
from dehusk.webapp.api_errors import invalid, not_found
from dehusk.webapp.page_labels import gold_text
from dehusk.webapp.site_service import SiteService
from dehusk.webapp.word_differences import differences
from dehusk.webapp.workspace_records import PageRecord, Settings

_MOST_SCORED: Final = 50
"""Pages that a site is scored on: some tools take a tenth of a second each."""


def compare(service: SiteService, page: PageRecord, left: str, right: str) -> dict[str, Any]:
    """Both texts, their differences, and their scores if there is gold text."""
    gold = gold_text(service, page)
    sides = [_side(service, page, name) for name in (left, right)]
    found = differences(sides[0]["text"], sides[1]["text"])
    for kind, side in zip(("left", "right"), sides, strict=True):
        side["words"] = found.counts["same"] + found.counts[kind]
        side["score"] = None if gold is None else _score(side["text"], gold)
    return {
        "left": sides[0],
        "right": sides[1],
        "segments": [{"kind": kind, "text": text} for kind, text in found.segments],
        "same": found.counts["same"],
        "only_left": found.counts["left"],
        "only_right": found.counts["right"],
        "cut": found.cut,
    }


def score_site(service: SiteService, pages: Sequence[PageRecord], sides: Sequence[str]) -> dict[str, Any]:
    """The mean scores of several ways to clean pages that have gold text, and how long they take."""
    gold = [(page, text) for page in pages if (text := gold_text(service, page)) is not None][:_MOST_SCORED]
    scored = []
    for name in sides:
        found = [(_side(service, page, name), text) for page, text in gold]
        scores = [_score(side["text"], text) for side, text in found]
        means = {kind: _mean(score[kind] for score in scores) for kind in ("precision", "recall", "f1")}
        failed = sum(side["error"] is not None for side, _ in found)
        scored.append({"name": name, **means, "ms": _mean(side["ms"] for side, _ in found), "failed": failed})
    return {"pages": len(gold), "sides": scored}


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return round(sum(found) / len(found), 4) if found else None


def _score(text: str, gold: str) -> dict[str, float]:
    score = score_words(count_words(text), count_words(gold))
    return {name: round(getattr(score, name), 4) for name in ("precision", "recall", "f1")}


def _side(service: SiteService, page: PageRecord, name: str) -> dict[str, Any]:
    """The text that one way makes of the page, and how long it took."""
    kind, _, chosen = name.partition(":")
    ways = {"method": _by_method, "untaught": _by_untaught_method, "tool": _by_tool, "gold": _gold_text}
    if kind not in ways or (kind != "gold" and not chosen):
        raise invalid("left and right must be method:NAME, untaught:NAME, tool:NAME or gold")
    taught = _corrected_blocks(service, page) if kind == "method" else 0
    prepare = ways[kind](service, page, chosen)
    begun = time.perf_counter()
    try:
        text, error = encodable(prepare()), None
    except DehuskError as failed:
        text, error = "", f"{failed.subject}: {failed.cause}"
    milliseconds = round(1000 * (time.perf_counter() - begun), 2)
    return {"name": name, "text": text, "ms": milliseconds, "error": error, "corrected": taught}


def _corrected_blocks(service: SiteService, page: PageRecord) -> int:
    """Blocks of the page that a person decided on: an advantage that no other tool has."""
    verdicts = service.judged_pages.verdicts(page, service.workspace.site(page.site).taught)
    return 0 if verdicts is None else int((verdicts != 0).sum())


def _by_untaught_method(service: SiteService, page: PageRecord, name: str) -> Any:
    return _by_method(service, page, name, is_taught=False)


def _by_method(service: SiteService, page: PageRecord, name: str, is_taught: bool = True) -> Any:
    """One of dehusk's methods; the site is learnt first if necessary."""
    site = service.workspace.site(page.site)
    learns = find_method(name).learns
    if learns and not service.elimination.is_current(site, name):
        service.elimination.learn(site, name)
        site = service.workspace.site(page.site)
    site = site if is_taught else replace(site, corrections=())
    settings = site.settings if site.settings.method == name else Settings(name)
    raw = service.workspace.raw(page)
    service.judged_pages.model(site, name)  # load it before the timing starts
    return lambda: CleanedPage(service.judged_pages.labelled_uncached(raw, page, site, settings)).text


def _by_tool(service: SiteService, page: PageRecord, name: str) -> Any:
    tool = find_tool(name)
    html = decoded_html(service.workspace.raw(page).body)
    return lambda: tool(html)


def _gold_text(service: SiteService, page: PageRecord, name: str) -> Any:
    text = gold_text(service, page)
    if text is None:
        raise not_found("gold text")
    return lambda: text or ""
