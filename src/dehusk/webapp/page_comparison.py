"""Compare two ways to clean the same page."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from dehusk.cleaning import CleanedPage, find_method
from dehusk.errors import DehuskError
from dehusk.lab.evaluation.other_tools import decoded_html, find_tool
from dehusk.lab.evaluation.text_scores import count_words, score_words
from dehusk.page.characters import encodable
from dehusk.webapp.api_errors import invalid
from dehusk.webapp.site_service import SiteService
from dehusk.webapp.word_differences import differences
from dehusk.webapp.workspace_records import PageRecord, Settings


@dataclass(frozen=True, slots=True)
class Side:
    """The text that one way makes of the page."""

    name: str
    text: str
    ms: float
    error: str | None = None

    def as_dict(self, words: int, gold: str | None) -> dict[str, Any]:
        """The side as JSON; with scores if there is gold text."""
        score = None if gold is None else score_words(count_words(self.text), count_words(gold))
        return {
            "name": self.name,
            "text": self.text,
            "words": words,
            "ms": self.ms,
            "error": self.error,
            "score": score
            and {"precision": round(score.precision, 4), "recall": round(score.recall, 4), "f1": round(score.f1, 4)},
        }


def compare(service: SiteService, page: PageRecord, left: str, right: str) -> dict[str, Any]:
    """Both texts, their differences, and their scores if there is gold text."""
    gold = service.workspace.gold(page) if page.gold else None
    sides = [_side(service, page, name) for name in (left, right)]
    found = differences(sides[0].text, sides[1].text)
    return {
        "left": sides[0].as_dict(found.counts["same"] + found.counts["left"], gold),
        "right": sides[1].as_dict(found.counts["same"] + found.counts["right"], gold),
        "segments": [{"kind": kind, "text": text} for kind, text in found.segments],
        "same": found.counts["same"],
        "only_left": found.counts["left"],
        "only_right": found.counts["right"],
        "cut": found.cut,
    }


def _side(service: SiteService, page: PageRecord, name: str) -> Side:
    kind, _, chosen = name.partition(":")
    ways = {"method": _by_method, "tool": _by_tool, "gold": _gold_text}
    if kind not in ways or (kind != "gold" and not chosen):
        raise invalid("left and right must be method:NAME, tool:NAME or gold")
    prepare = ways[kind](service, page, chosen)
    begun = time.perf_counter()
    try:
        text, error = encodable(prepare()), None
    except DehuskError as failed:
        text, error = "", f"{failed.subject}: {failed.cause}"
    return Side(name, text, round(1000 * (time.perf_counter() - begun), 2), error)


def _by_method(service: SiteService, page: PageRecord, name: str) -> Any:
    """One of dehusk's methods; the site is learnt first if necessary."""
    site = service.workspace.site(page.site)
    learns = find_method(name).learns
    if learns and not service.elimination.is_current(site, name):
        service.elimination.learn(site, name)
        site = service.workspace.site(page.site)
    settings = site.settings if site.settings.method == name else Settings(name)
    raw = service.workspace.raw(page)
    service.judged_pages.model(site, name)  # load it before the timing starts
    return lambda: CleanedPage(service.judged_pages.labelled_uncached(raw, page, site, settings)).text


def _by_tool(service: SiteService, page: PageRecord, name: str) -> Any:
    tool = find_tool(name)
    html = decoded_html(service.workspace.raw(page).body)
    return lambda: tool(html)


def _gold_text(service: SiteService, page: PageRecord, name: str) -> Any:
    text = service.workspace.gold(page)
    return lambda: text
