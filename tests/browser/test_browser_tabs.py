"""Two tabs at once, a restart, and keyboard-only use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from driving import cleaned, eliminate, expect, link_to, open_page, original, wait_for_original
from running_app import running_app

ROWS = "table.pages tbody tr"
NOISE = "The Kettle & Quill magazine on tea"


def test_what_one_tab_does_the_other_shows(sample_tab: Any) -> None:
    address = sample_tab.locator(link_to("magazine/hard-water-soft-tea")).get_attribute("href")
    other = sample_tab.context.new_page()
    other.goto(sample_tab.url.partition("#")[0] + address)
    expect(cleaned(other).locator("body")).to_contain_text("What hardness is")
    expect(cleaned(other).locator("body")).not_to_contain_text(NOISE)

    sample_tab.goto(sample_tab.url.partition("#")[0] + address)
    wait_for_original(sample_tab)
    original(sample_tab).locator("[data-block='5']").click()
    sample_tab.click("#keep")
    expect(cleaned(other).locator("body")).to_contain_text(NOISE)
    expect(original(other).locator(".dehusk-taught")).to_contain_text(NOISE)

    sample_tab.get_by_role("link", name="Pages").click()
    sample_tab.get_by_text("Remove site").click()
    sample_tab.click("#confirm")
    expect(other.locator("main")).to_contain_text("There are no pages yet")


def test_a_restart_keeps_the_work(open_tab: Callable[..., Any], complaints: Any, tmp_path: Path) -> None:
    folder = str(tmp_path / "work")
    with running_app("--workdir", folder) as first:
        tab = open_tab()
        tab.goto(first.address)
        tab.click("#sample")
        eliminate(tab, 31)
        open_page(tab, "magazine/hard-water-soft-tea")
        original(tab).locator("[data-block='5']").click()
        tab.click("#keep")
        expect(tab.locator(".panel")).to_contain_text("taught: keep")
        tab.goto("about:blank")
    with running_app("--workdir", folder) as second:
        tab.goto(second.address)
        expect(tab.locator(ROWS)).to_have_count(31)
        expect(tab.locator("td.removed .kept-bar")).to_have_count(31)
        tab.get_by_role("link", name="Teach").click()
        expect(tab.locator(".corrections li")).to_contain_text(NOISE)
        # The old server's cookie is invalid here, and so is a URL without a token.
        stranger = open_tab()
        stranger.goto(f"{second.origin}/", wait_until="load")
        expect(stranger.locator("h1")).to_have_text("Not logged in")
        complaints.expect("401")
        tab.goto("about:blank")
    assert "Traceback" not in second.log[0]


def test_everything_without_a_mouse(tab: Any) -> None:
    _tab_to(tab, "#sample")
    tab.keyboard.press("Enter")
    expect(tab.locator(ROWS)).to_have_count(31)
    tab.evaluate("document.activeElement.blur()")
    _tab_to(tab, "#eliminate")
    tab.keyboard.press("Enter")
    expect(tab.locator("td.removed .kept-bar")).to_have_count(31)
    expect(tab.locator("#job")).to_be_hidden()
    _tab_to(tab, link_to("community/copper-kettle-limescale"))
    tab.keyboard.press("Enter")
    expect(tab.locator("h1")).to_be_focused()
    wait_for_original(tab)

    # Into the frame, from block to block, correct one, and out again.
    for _ in range(40):
        tab.keyboard.press("Tab")
        if tab.evaluate("document.activeElement.tagName") == "IFRAME":
            break
    expect(original(tab).locator("[data-block]:focus")).to_be_attached()
    for _ in range(3):
        tab.keyboard.press("ArrowDown")
    number = original(tab).locator(".dehusk-active").first.get_attribute("data-block")
    expect(tab.locator(".panel h2")).to_contain_text(f"Block {int(number or 0) + 1}")
    tab.keyboard.press("k")
    expect(tab.locator(".panel")).to_contain_text("taught: keep")
    # Key presses are lost while the frame is redrawn.
    for _ in range(20):
        tab.keyboard.press("Escape")
        tab.wait_for_timeout(300)
        if tab.evaluate("document.activeElement.id") == "keep":
            break
    expect(tab.locator("#keep")).to_be_focused()

    _tab_to(tab, "#tab-reading", backwards=True)
    tab.keyboard.press("ArrowRight")
    expect(tab.locator("#tab-text")).to_be_focused()
    expect(tab.locator("#output pre")).not_to_be_empty()
    _tab_to(tab, "nav a:text-is('Teach')", backwards=True)
    tab.keyboard.press("Enter")
    expect(tab.locator(".corrections li")).to_have_count(1)


def _tab_to(tab: Any, selector: str, backwards: bool = False) -> None:
    """Press the tab key until an element has the focus; the focus must be visible."""
    for _ in range(120):
        tab.keyboard.press("Shift+Tab" if backwards else "Tab")
        if tab.evaluate("selector => document.activeElement === document.querySelector(selector)", _css(selector)):
            assert tab.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
            return
        if ":text-is(" in selector and tab.locator(f"{selector}:focus").count():
            return
    raise AssertionError(f"{selector} cannot be reached")


def _css(selector: str) -> str:
    return "unreachable" if ":text-is(" in selector else selector
