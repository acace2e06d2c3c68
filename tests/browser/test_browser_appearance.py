"""Phones, dark mode, contrast, and names for screen readers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from driving import expect, original, wait_for_original

VIEWS = ("pages", "eliminate", "result", "template", "teach", "label", "compare")
READY = {
    "pages": "table.pages tbody tr",
    "eliminate": ".samples li",
    "result": "#output iframe",
    "template": "[role=tree] .node",
    "teach": ".doubtful li",
    "label": ".now .quoted",
    "compare": ".compared mark",
}

CONTRASTS, UNNAMED = (
    Path(__file__).with_name(name).read_text("utf-8") for name in ("weak_contrasts.js", "unnamed_controls.js")
)


def show(tab: Any, view: str) -> None:
    """Open a view and wait for its content."""
    tab.click(f"#views [data-view={view}]")
    expect(tab.locator(READY[view]).first).to_be_attached()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_and_controls_have_names(scheme: str, sample_tab: Any) -> None:
    sample_tab.emulate_media(color_scheme=scheme)
    light = sample_tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (light == "rgb(250, 247, 241)") == (scheme == "light")
    for view in VIEWS:
        show(sample_tab, view)
        assert sample_tab.evaluate(CONTRASTS) == [], view
        assert sample_tab.evaluate(UNNAMED) == [], view
        assert sample_tab.locator("h1").count() == 1, view
        assert sample_tab.locator("main, nav, header, footer").count() >= 4, view


def test_page_views_follow_dark_mode(sample_tab: Any) -> None:
    sample_tab.emulate_media(color_scheme="dark")
    show(sample_tab, "result")
    sample_tab.select_option("#look", "original")
    expect(original(sample_tab).locator("html")).to_have_css("background-color", "rgb(31, 28, 24)")


def test_a_phone_never_scrolls_sideways(app: Any, open_tab: Callable[..., Any]) -> None:
    phone = open_tab(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True, device_scale_factor=2)
    phone.goto(app.address)
    phone.wait_for_selector("#sample")
    assert _fits(phone)
    phone.tap("#sample")
    expect(phone.locator("table.pages tbody tr")).to_have_count(31)
    phone.tap("#eliminate")
    expect(phone.locator("td.removed .kept-bar")).to_have_count(31)
    for view in VIEWS:
        show(phone, view)
        assert _fits(phone), view
    show(phone, "template")
    phone.tap(".node >> nth=2")
    expect(phone.locator("#node h3")).to_be_visible()
    assert _fits(phone)
    show(phone, "result")
    wait_for_original(phone)
    original(phone).locator("[data-block]:visible").first.tap()
    expect(phone.locator(".panel h2")).to_contain_text("Block")
    assert _fits(phone)
    phone.tap("#keep")
    expect(phone.locator(".panel")).to_contain_text("taught: keep")


def _fits(tab: Any) -> bool:
    return bool(tab.evaluate("document.documentElement.scrollWidth <= innerWidth && innerWidth <= 360"))
