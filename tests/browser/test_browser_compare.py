"""Compare: two ways to clean a page, side by side."""

from __future__ import annotations

from typing import Any

import pytest
from driving import expect, open_page

LEFT, RIGHT = "section[aria-label='Left']", "section[aria-label='Right']"


@pytest.fixture
def compared(sample_tab: Any) -> Any:
    open_page(sample_tab, "magazine/hard-water-soft-tea")
    sample_tab.get_by_role("link", name="Compare").click()
    expect(sample_tab.locator(LEFT)).to_be_visible()
    return sample_tab


def test_the_whole_site_is_scored_on_labelled_pages(sample_tab: Any, sample_app: Any) -> None:
    pages = [page["id"] for page in sample_app.call("GET", "/api/workspace")["pages"][:3]]
    for page in pages:
        label = sample_app.call("GET", f"/api/pages/{page}/label")
        sample_app.call("PUT", f"/api/pages/{page}/label", {**label, "checked": True})
    sample_tab.goto(f"{sample_app.origin}/#/compare/{pages[0]}")
    expect(sample_tab.locator(".whole")).to_contain_text("3 pages with gold text or a checked label")
    sample_tab.click("#score-site")
    expect(sample_tab.locator(".scores caption")).to_have_text("Means of 3 labelled pages")
    # What was proposed was checked as it is: the method that proposed it is right.
    expect(sample_tab.locator(".scores tbody tr").first).to_contain_text("dehusk, hybrid1.001.001.00")
    sample_tab.select_option("#side-right", "gold")
    expect(sample_tab.locator(".figures-line")).to_contain_text("No difference")


def test_differences_are_marked_and_not_by_colour_alone(compared: Any) -> None:
    compared.select_option("#side-left", "method:hybrid")
    compared.select_option("#side-right", "method:style-tree")
    expect(compared.locator(".compared")).not_to_have_attribute("aria-busy", "true")
    noise = compared.locator(f"{RIGHT} mark").first
    expect(noise).to_be_visible()
    expect(noise).to_have_css("border-bottom-style", "dashed")
    expect(compared.locator(f"{LEFT} .gap").first).to_be_visible()
    expect(compared.locator(f"{LEFT} .text")).to_contain_text("What hardness is")
    compared.click("#next-difference")
    expect(compared.locator("mark.current")).to_be_focused()
    compared.select_option("#side-right", "method:hybrid")
    expect(compared.locator(".figures-line")).to_contain_text("No difference")
    expect(compared.locator("mark")).to_have_count(0)


def test_another_extractor_is_compared(compared: Any) -> None:
    compared.select_option("#side-left", "method:hybrid")
    compared.select_option("#side-right", "tool:trafilatura")
    expect(compared.locator(f"{RIGHT} .text")).to_contain_text("That bottle explained everything")
    expect(compared.locator(f"{RIGHT} .hint")).to_contain_text("words")


def test_gold_text_gives_scores(compared: Any) -> None:
    compared.select_option("#side-right", "method:style-tree")
    expect(compared.locator(".score")).to_have_count(0)
    gold = compared.locator(f"{LEFT} .text").inner_text()
    compared.locator("details.gold summary").click()
    compared.fill("#gold", gold)
    compared.click("#gold-save")
    expect(compared.locator(f"{LEFT} .score")).to_contain_text("F1 1.00")
    expect(compared.locator(f"{RIGHT} .score")).to_contain_text("F1 0.")
    compared.select_option("#side-right", "gold")
    expect(compared.locator(f"{RIGHT} .text")).to_contain_text("What hardness is")
    compared.reload()
    compared.locator("details.gold summary").click()
    expect(compared.locator("#gold")).not_to_have_value("")
    compared.click("#gold-remove")
    expect(compared.locator(".score")).to_have_count(0)
