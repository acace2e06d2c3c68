"""Teach: corrections apply to the same position on all pages."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

from driving import block_with, cleaned, expect, hold_answer, open_page, original, wait_for_original

NOISE = "The Kettle & Quill magazine on tea"


def test_a_correction_holds_for_the_whole_site_until_it_is_undone(sample_tab: Any) -> None:
    open_page(sample_tab, "magazine/hard-water-soft-tea")
    block_with(sample_tab, NOISE).click()
    expect(sample_tab.locator(".effect")).to_have_text("Keep would apply to 9 blocks on 9 pages, all of which change.")
    sample_tab.click("#keep")
    expect(sample_tab.locator(".notice").last).to_contain_text("Kept 9 blocks on 9 pages")
    expect(sample_tab.locator(".panel .sign").first).to_have_text("kept")
    expect(sample_tab.locator("#keep")).to_have_attribute("aria-pressed", "true")
    expect(original(sample_tab).locator(".dehusk-taught.dehusk-kept")).to_contain_text(NOISE)
    expect(cleaned(sample_tab).locator("body")).to_contain_text(NOISE)

    sample_tab.select_option("#page-choice", label="Choosing a kettle: an honest guide from people who sell them")
    expect(cleaned(sample_tab).locator("body")).to_contain_text(NOISE)

    sample_tab.get_by_role("link", name="Teach").click()
    expect(sample_tab.locator(".corrections li")).to_contain_text(NOISE)
    expect(sample_tab.locator(".corrections li")).to_contain_text("9 pages")
    sample_tab.get_by_role("button", name="Remove: keep").click()
    expect(sample_tab.locator(".corrections li")).to_have_count(0)
    expect(sample_tab.locator("#undo")).to_be_disabled()
    sample_tab.get_by_role("link", name="Result").click()
    expect(cleaned(sample_tab).locator("body")).to_contain_text("kettle")
    expect(cleaned(sample_tab).locator("body")).not_to_contain_text(NOISE)


def open_label(tab: Any) -> None:
    tab.get_by_role("link", name="Label", exact=True).click()
    expect(tab.locator(".now .quoted")).to_be_visible()


def test_pages_are_labelled_by_keyboard_alone(sample_tab: Any) -> None:
    open_page(sample_tab, "magazine/hard-water-soft-tea")
    open_label(sample_tab)
    expect(sample_tab.locator(".figures-line")).to_contain_text("0 of 31 pages checked")
    expect(sample_tab.locator("#page-type")).to_have_value("article")
    title = sample_tab.locator("h1").inner_text()
    expect(original(sample_tab).locator("[data-block]:focus")).to_be_attached()
    sample_tab.keyboard.press("ArrowDown")
    sample_tab.keyboard.press("k")
    expect(sample_tab.locator(".now")).to_contain_text("content")
    sample_tab.keyboard.press("u")
    expect(sample_tab.locator(".now")).to_contain_text("content, unsure")
    sample_tab.keyboard.press("Shift+ArrowDown")
    sample_tab.keyboard.press("c")
    expect(sample_tab.locator(".now")).to_contain_text("2 blocks")
    expect(original(sample_tab).locator(".dehusk-comment").first).to_be_attached()
    sample_tab.keyboard.press("Enter")
    expect(sample_tab.locator("h1")).not_to_have_text(title)
    expect(sample_tab.locator(".figures-line")).to_contain_text("1 of 31 pages checked")
    with sample_tab.expect_download() as download:
        sample_tab.click("#save-labels")
    saved = Path(download.value.path()).read_text("utf-8")
    line = json.loads(saved)
    assert (line["page_type"], len(line["comments"]), len(line["doubtful"])) == ("article", 17, 1)
    sample_tab.set_input_files("#labels-file", {"name": "a.jsonl", "mimeType": "", "buffer": saved.encode()})
    expect(sample_tab.locator(".notice").last).to_contain_text("1 page labelled")


def test_a_page_that_is_checked_before_its_label_has_come_gets_the_proposed_one(
    sample_tab: Any, sample_app: Any
) -> None:
    open_page(sample_tab, "magazine/hard-water-soft-tea")
    page = sample_tab.url.rpartition("/")[2]
    proposed = sample_app.call("GET", f"/api/pages/{page}/label")
    let_label_go = hold_answer(sample_tab, f"**/api/pages/{page}/label")
    sample_tab.get_by_role("link", name="Label", exact=True).click()
    expect(sample_tab.locator("#checked")).to_be_visible()
    wait_for_original(sample_tab)
    block_with(sample_tab, NOISE).click()
    sample_tab.keyboard.press("k")
    sample_tab.keyboard.press("Enter")
    expect(sample_tab.locator(".figures-line")).to_contain_text("0 of 31 pages checked")
    let_label_go()
    expect(sample_tab.locator(".figures-line")).to_contain_text("1 of 31 pages checked")
    saved = sample_app.call("GET", f"/api/pages/{page}/label")
    assert set(saved["content"]) - set(proposed["content"]) == {5}
    assert set(saved["content"]) > set(proposed["content"])


def test_keys_teach_and_the_last_is_undone_and_the_rest_exported(sample_tab: Any) -> None:
    open_page(sample_tab, "magazine/hard-water-soft-tea")
    block_with(sample_tab, "What hardness is").click()
    sample_tab.keyboard.press("d")
    expect(sample_tab.locator(".panel .sign").first).to_have_text("noise")
    sample_tab.keyboard.press("ArrowDown")
    sample_tab.keyboard.press("k")
    expect(sample_tab.locator(".panel")).to_contain_text("taught: keep")
    sample_tab.get_by_role("link", name="Teach").click()
    expect(sample_tab.locator(".corrections li")).to_have_count(2)
    sample_tab.click("#undo")
    expect(sample_tab.locator(".corrections li")).to_have_count(1)
    expect(sample_tab.locator(".corrections li")).to_contain_text("What hardness is")
    sample_tab.get_by_role("link", name="Result").click()
    wait_for_original(sample_tab)
    open_label(sample_tab)
    sample_tab.click("#checked")
    expect(sample_tab.locator(".figures-line")).to_contain_text("1 of 31 pages checked")
    sample_tab.get_by_role("link", name="Teach").click()
    with sample_tab.expect_download() as download:
        sample_tab.click("#export-zip")
    with zipfile.ZipFile(io.BytesIO(Path(download.value.path()).read_bytes())) as archive:
        text = next(name for name in archive.namelist() if "hard-water" in name and name.endswith(".txt"))
        labelled = archive.read(text).decode()
    assert "That bottle explained everything" in labelled
    assert "What hardness is" not in labelled


def test_everything_styled_the_same_is_corrected_at_once(sample_tab: Any) -> None:
    open_page(sample_tab, "magazine/hard-water-soft-tea")
    block_with(sample_tab, "What hardness is").click()
    sample_tab.get_by_label("everything that looks like it").check()
    expect(sample_tab.locator(".effect")).to_contain_text("Drop would apply to 8 blocks on 2 pages")
    sample_tab.click("#drop")
    expect(sample_tab.locator(".notice").last).to_contain_text("Dropped 8 blocks on 2 pages")
    expect(block_with(sample_tab, "Four taps, one tin")).to_have_class("dehusk-noise dehusk-taught")
