"""Result: a page before and after cleaning, with reasons."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from driving import block_with, cleaned, expect, hold_answer, link_to, open_page, original

from dehusk.outputs import OUTPUTS

PAGE = "magazine/hard-water-soft-tea"
CONTENT, NOISE = "That bottle explained everything", "The Kettle & Quill magazine on tea"


def test_noise_is_shaded_and_content_outlined(sample_tab: Any) -> None:
    open_page(sample_tab, PAGE)
    expect(block_with(sample_tab, CONTENT)).to_have_css("outline-style", "solid")
    expect(block_with(sample_tab, NOISE)).to_have_css("background-image", re.compile("gradient"))
    expect(cleaned(sample_tab).locator("body")).to_contain_text(CONTENT)
    expect(cleaned(sample_tab).locator("body")).not_to_contain_text(NOISE)
    sample_tab.select_option("#shade", "kept")
    expect(block_with(sample_tab, NOISE)).to_be_hidden()
    expect(block_with(sample_tab, CONTENT)).to_be_visible()
    sample_tab.select_option("#shade", "plain")
    expect(block_with(sample_tab, NOISE)).to_have_css("background-image", "none")


def test_a_block_shows_its_reasons_and_repeats(sample_tab: Any) -> None:
    open_page(sample_tab, PAGE)
    panel = sample_tab.locator(".panel")
    block_with(sample_tab, NOISE).hover()
    expect(panel.locator(".sign")).to_have_text("noise")
    expect(panel).to_contain_text("on 8 other pages")
    expect(panel).to_contain_text(re.compile(r"Score\s*0\.\d\d"))
    expect(panel).to_contain_text(re.compile(r"Importance\s*0\.00"))
    expect(panel.locator("h3").first).to_have_text("Reasons")
    expect(panel.locator(".where a")).to_have_count(8)
    block_with(sample_tab, CONTENT).click()
    expect(panel.locator(".sign")).to_have_text("kept")
    # A selected block stays when the pointer leaves the frame.
    block_with(sample_tab, NOISE).click()
    panel.get_by_role("link", name="Choosing a kettle").click()
    expect(sample_tab.locator("h1")).to_contain_text("Choosing a kettle")
    expect(original(sample_tab).locator(".dehusk-active")).to_have_text(re.compile(NOISE))
    expect(panel.locator("blockquote")).to_contain_text(NOISE)


def test_the_panel_steps_through_blocks(sample_tab: Any) -> None:
    sample_tab.mouse.move(1, 1)
    let_page_go = hold_answer(sample_tab, "**/view/*/styled*")
    let_blocks_go = hold_answer(sample_tab, "**/api/pages/*/blocks")
    sample_tab.click(link_to(PAGE))
    panel = sample_tab.locator(".panel")
    expect(panel).to_contain_text("Select a block")
    # Pressed while the page and its blocks are loading: the step happens once they are loaded.
    panel.get_by_text("Start with the first block").click()
    expect(panel.locator("h2")).to_have_text("Why?")
    let_page_go()
    expect(original(sample_tab).locator("[data-block]").first).to_be_attached()
    expect(panel.locator("h2")).to_have_text("Why?")
    let_blocks_go()
    expect(panel.locator("h2")).to_have_text("Block 1 of 138")
    panel.get_by_label("Next block").click()
    expect(panel.locator("h2")).to_have_text("Block 2 of 138")
    panel.get_by_label("Previous block").click()
    expect(panel.locator("h2")).to_have_text("Block 1 of 138")


def test_a_block_is_held_and_corrected_before_the_list_of_blocks_has_come(sample_tab: Any) -> None:
    let_blocks_go = hold_answer(sample_tab, "**/api/pages/*/blocks")
    open_page(sample_tab, PAGE)
    block_with(sample_tab, NOISE).click()
    sample_tab.keyboard.press("k")
    expect(original(sample_tab).locator(".dehusk-active")).to_have_text(re.compile(NOISE))
    expect(sample_tab.locator(".panel h2")).to_have_text("Why?")
    let_blocks_go()
    expect(sample_tab.locator(".panel blockquote")).to_contain_text(NOISE)
    expect(sample_tab.locator(".panel")).to_contain_text("taught: keep")
    expect(cleaned(sample_tab).locator("body")).to_contain_text(NOISE)


def test_the_page_is_shown_with_its_own_style_and_both_sides_scroll_together(sample_tab: Any) -> None:
    open_page(sample_tab, PAGE)
    page = original(sample_tab)
    expect(page.locator("html")).to_have_attribute("data-view", "styled")
    expect(page.locator(".entry-content p").first).to_have_css("font-family", re.compile("Georgia|serif"))
    expect(page.locator(".ad-unit").first).to_have_css("background-color", "rgb(242, 242, 242)")
    # Made for 820 pixels at least, and scaled to fit.
    assert page.locator("body").evaluate("element => element.ownerDocument.defaultView.innerWidth") == 820
    reading = cleaned(sample_tab).locator("html")
    expect(reading).to_contain_text("What hardness is")
    sample_tab.click("#jump")
    expect(page.locator("html")).not_to_have_js_property("scrollTop", 0)
    middle = page.locator("html").evaluate(
        "element => (element.scrollTo(0, element.scrollHeight / 2), element.scrollTop)"
    )
    expect(reading).not_to_have_js_property("scrollTop", 0)
    sample_tab.wait_for_timeout(400)  # until a scroll event is the reader's again
    reading.evaluate("element => element.scrollTo(0, 0)")
    expect(page.locator("html")).not_to_have_js_property("scrollTop", middle)
    assert page.locator("html").evaluate("element => element.scrollTop") < middle
    sample_tab.select_option("#look", "original")
    expect(page.locator("html")).to_have_attribute("data-view", "original")
    expect(page.locator("[class*='entry-content']")).to_have_count(0)
    sample_tab.select_option("#look", "styled")


def test_blocks_are_found_by_their_words(sample_tab: Any) -> None:
    open_page(sample_tab, PAGE)
    sample_tab.fill("#find-block", "bottle explained")
    sample_tab.press("#find-block", "Enter")
    expect(sample_tab.locator(".panel blockquote")).to_contain_text(CONTENT)


def test_blocks_are_filtered_and_those_the_site_changed_are_shown(sample_tab: Any) -> None:
    open_page(sample_tab, "de/magazin/wasserkocher-entkalken")
    sample_tab.select_option("#block-filter", "site")
    expect(sample_tab.locator("#blocks-found")).to_have_text("1")
    found = original(sample_tab).locator(".dehusk-found")
    expect(found.first).not_to_have_css("opacity", "0.25")
    expect(original(sample_tab).locator("[data-block]:not(.dehusk-found)").first).to_have_css("opacity", "0.25")
    sample_tab.click("#find-next")
    expect(sample_tab.locator(".panel .sign.site")).to_contain_text("because of the site")
    first = sample_tab.locator(".panel h2").inner_text()
    sample_tab.select_option("#look", "original")
    expect(original(sample_tab).locator(".dehusk-found").first).to_contain_text("Kräutertee selbst mischen")
    sample_tab.select_option("#block-filter", "all")
    expect(original(sample_tab).locator(".dehusk-found")).to_have_count(0)
    sample_tab.fill("#find-block", "von links")
    expect(sample_tab.locator("#blocks-found")).to_have_text("1")
    sample_tab.press("#find-block", "Enter")
    expect(sample_tab.locator(".panel h2")).not_to_have_text(first)
    sample_tab.fill("#find-block", "")
    sample_tab.select_option("#look", "styled")


@pytest.mark.skipif("chunks" not in OUTPUTS, reason="no output in chunks")
def test_chunks_have_their_headings_and_words(sample_tab: Any) -> None:
    open_page(sample_tab, PAGE)
    sample_tab.get_by_role("tab", name="Chunks").click()
    chunks = sample_tab.locator(".chunks li")
    expect(chunks.first).to_contain_text(re.compile(r"\d+ words"))
    assert chunks.count() > 1
    expect(chunks.filter(has_text=CONTENT).first).to_be_visible()
    assert chunks.locator("strong").all_inner_texts()
    sample_tab.get_by_role("tab", name="Reading").click()


def test_the_view_survives_a_reload(sample_tab: Any) -> None:
    open_page(sample_tab, PAGE)
    block_with(sample_tab, CONTENT).click()
    sample_tab.reload()
    expect(sample_tab.locator(".panel blockquote")).to_contain_text(CONTENT)
    expect(original(sample_tab).locator(".dehusk-active")).to_contain_text(CONTENT)


def test_formats_are_copied_and_downloaded(sample_tab: Any, tmp_path: Path) -> None:
    open_page(sample_tab, PAGE)
    output = sample_tab.locator("#output")
    sample_tab.get_by_role("tab", name="Text").click()
    expect(output).to_contain_text("What hardness is")
    sample_tab.get_by_role("tab", name="Markdown").click()
    expect(output).to_contain_text("## What hardness is")
    sample_tab.get_by_role("tab", name="HTML").click()
    expect(output).to_contain_text("<h2>What hardness is</h2>")
    sample_tab.get_by_role("tab", name="JSON").click()
    expect(output).to_contain_text('"blocks"')
    assert json.loads(output.inner_text())
    sample_tab.get_by_role("tab", name="Markdown").click()
    expect(output).to_contain_text("## What hardness is")

    sample_tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    sample_tab.click("#copy")
    expect(sample_tab.locator(".notice").last).to_contain_text("Copied")
    assert "## What hardness is" in sample_tab.evaluate("navigator.clipboard.readText()")

    with sample_tab.expect_download() as one:
        sample_tab.click("#download")
    assert one.value.suggested_filename.endswith(".md")
    assert "## What hardness is" in Path(one.value.path()).read_text("utf-8")
    with sample_tab.expect_download() as everything:
        sample_tab.click("#download-all")
    with zipfile.ZipFile(io.BytesIO(Path(everything.value.path()).read_bytes())) as archive:
        assert len([name for name in archive.namelist() if name.endswith(".md")]) == 31


def test_going_from_page_to_page(sample_tab: Any) -> None:
    open_page(sample_tab, PAGE)
    sample_tab.click("#next")
    expect(sample_tab.locator("h1")).to_have_text("All articles")
    sample_tab.click("#previous")
    expect(sample_tab.locator("h1")).to_have_text("Hard water, soft tea")
    sample_tab.go_back()
    expect(sample_tab.locator("h1")).to_have_text("All articles")
    sample_tab.select_option("#page-choice", label="Smoked Pine Black Tea")
    expect(sample_tab.locator("h1")).to_have_text("Smoked Pine Black Tea")


def test_another_threshold_is_tried_on_the_page_and_used(sample_tab: Any) -> None:
    open_page(sample_tab, PAGE)
    kept = original(sample_tab).locator(".dehusk-kept")
    before = kept.count()
    sample_tab.fill("#trial", "0.97")
    expect(sample_tab.locator(".trial output")).to_contain_text("0.97")
    expect(kept).not_to_have_count(before)
    sample_tab.get_by_text("Back", exact=True).click()
    expect(kept).to_have_count(before)
    sample_tab.fill("#trial", "0.97")
    expect(kept).not_to_have_count(before)
    sample_tab.get_by_text("Use for the site").click()
    expect(sample_tab.locator(".notice").last).to_contain_text("whole site")
    sample_tab.get_by_role("link", name="Eliminate", exact=True).click()
    expect(sample_tab.locator("#threshold-value")).to_have_text("0.97")
    expect(sample_tab.locator("#job")).to_be_hidden()
    expect(sample_tab.locator(".lead")).not_to_contain_text("older")


def test_a_missing_page_is_reported(sample_tab: Any) -> None:
    sample_tab.evaluate("location.hash = '#/result/ffffffffffffffffffff'")
    expect(sample_tab.locator("main")).to_contain_text("That page no longer exists")
    sample_tab.evaluate("location.hash = '#/nonsense'")
    expect(sample_tab.locator("h1")).to_have_text("Pages")
