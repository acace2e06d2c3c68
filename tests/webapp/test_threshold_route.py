"""The threshold slider: a new threshold only needs a new decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from app_tab import Tab

import dehusk
from dehusk.webapp import judged_pages


def site_of(tab: Tab) -> str:
    return str(next(site["id"] for site in tab.workspace()["sites"] if site["name"] == "kettleandquill.example"))


@pytest.fixture(scope="module")
def learnt(cleaned_sample: Tab) -> Tab:
    """The sample site, learnt by every method that learns."""
    page = cleaned_sample.workspace()["pages"][0]["id"]
    for name, method in dehusk.METHODS.items():
        if method.learns:
            cleaned_sample.get(f"/api/pages/{page}/compare", left=f"method:{name}", right="method:hybrid")
    return cleaned_sample


@pytest.mark.parametrize("method", list(dehusk.METHODS))
def test_a_higher_threshold_keeps_less(learnt: Tab, method: str) -> None:
    address = f"/api/sites/{site_of(learnt)}/threshold"
    kept = [
        learnt.get(address, method=method, value=value)["total"]["characters_kept"] for value in (0, 0.05, 0.3, 0.7, 1)
    ]
    assert kept == sorted(kept, reverse=True)
    assert kept[0] > kept[-1]


@pytest.mark.parametrize("method", list(dehusk.METHODS))
def test_automatic_is_what_the_method_does_by_itself(learnt: Tab, method: str) -> None:
    address = f"/api/sites/{site_of(learnt)}/threshold"
    told = learnt.get(address, method=method, value="auto")
    assert told["value"] is None
    kinds = {"style-tree": "importance", "hybrid": "probability", "page-evidence": "probability"}
    assert told["kind"] == kinds.get(method, "score")
    assert (told["automatic"] is None) == (told["kind"] == "probability")
    assert told["learnt"] == dehusk.METHODS[method].learns
    assert (len(told["pages"]), told["of"]) == (20, 31)
    if told["automatic"] is not None:
        again = learnt.get(address, method=method, value=told["automatic"])
        assert again["total"] == told["total"]


def test_the_style_tree_at_a_threshold_is_that_of_the_library(learnt: Tab, sample_site: object) -> None:
    files = sorted(learnt.state.workspace.pages_of(site_of(learnt)), key=lambda page: page.name)
    pages = [dehusk.read_page(learnt.state.workspace.raw(page)) for page in files]
    model = dehusk.learn(pages, dehusk.StyleTree(threshold=0.25))
    for record, page in list(zip(files, pages, strict=True))[::6]:
        told = learnt.get(f"/api/pages/{record.id}/decision", method="style-tree", value=0.25)
        kept = "".join(str(int(block.kept)) for block in dehusk.clean(page, model))
        assert told["kept"] == kept


def test_favour_moves_what_is_doubtful(learnt: Tab) -> None:
    address = f"/api/sites/{site_of(learnt)}/threshold"
    kept = [
        learnt.get(address, favour=name)["total"]["characters_kept"] for name in ("precision", "balanced", "recall")
    ]
    assert kept == sorted(kept)
    assert kept[0] < kept[2]
    comments = learnt.get(address, comments="true")
    assert comments["comments"] is True
    assert comments["total"]["characters_kept"] >= kept[1]


@pytest.mark.parametrize("method", ["hybrid", "style-tree"])
def test_the_slider_reads_and_judges_nothing_again(learnt: Tab, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it takes well under 100 ms for 20 pages."""
    address = f"/api/sites/{site_of(learnt)}/threshold"
    learnt.get(address, method=method, value=0.5)
    again: list[str] = []
    for name in ("read_page", "segment", "judge_blocks", "load_model"):
        function = getattr(judged_pages, name)

        def noted(*arguments: Any, name: str = name, function: Callable[..., Any] = function, **options: Any) -> Any:
            again.append(name)
            return function(*arguments, **options)

        monkeypatch.setattr(judged_pages, name, noted)
    for step in range(10):
        learnt.get(address, method=method, value=step / 10)
    assert again == []


def test_a_threshold_for_all_pages(tab: Tab) -> None:
    tab.post("/api/pages/sample")
    tab.eliminate()
    site = site_of(tab)
    before = tab.workspace()["sites"][0]["totals"]
    tab.put(f"/api/sites/{site}/settings", {"threshold": 0.95})
    assert tab.get(f"/api/sites/{site}/threshold")["value"] == 0.95
    tab.eliminate()
    after = tab.workspace()["sites"][0]["totals"]
    assert after["bytes_after"] < before["bytes_after"]
    assert after["stale"] == 0
