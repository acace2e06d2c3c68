"""What people do must do what they see: sliders stay under the pointer, keys act on what is held, all can be undone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from driving import block_with, cleaned, expect, open_page, original
from running_app import RunningApp
from written_sites import zipped_site

PAGE = "magazine/hard-water-soft-tea"
CONTENT, NOISE = "That bottle explained everything", "The Kettle & Quill magazine on tea"
ROWS = "table.pages tbody tr"


def test_the_threshold_is_dragged(sample_tab: Any) -> None:
    sample_tab.set_viewport_size({"width": 1440, "height": 900})
    open_page(sample_tab, PAGE)
    slider = sample_tab.locator("#trial")
    expect(slider).not_to_have_value("0.5")  # the threshold of the page is known
    before, start = slider.bounding_box(), float(slider.input_value())
    x, y = before["x"] + 8 + start * (before["width"] - 16), before["y"] + before["height"] / 2
    sample_tab.mouse.move(x, y)
    sample_tab.mouse.down()
    for step in range(1, 9):
        sample_tab.mouse.move(x - 5 * step, y)
        sample_tab.wait_for_timeout(30)
    expect(sample_tab.locator(".trial output")).to_contain_text("kept")
    assert slider.bounding_box() == before
    sample_tab.mouse.up()
    assert 0.02 < start - float(slider.input_value()) < 0.5
    expect(cleaned(sample_tab).locator("body")).to_contain_text(CONTENT)


def test_keys_correct_the_block_that_is_held(sample_tab: Any) -> None:
    open_page(sample_tab, PAGE)
    block_with(sample_tab, CONTENT).click()
    block_with(sample_tab, "What hardness is").hover()
    expect(sample_tab.locator(".panel blockquote")).to_contain_text(CONTENT)
    sample_tab.keyboard.press("d")
    expect(block_with(sample_tab, CONTENT)).to_have_class(
        re.compile("dehusk-noise.*dehusk-taught|dehusk-taught.*dehusk-noise")
    )
    expect(block_with(sample_tab, "What hardness is")).to_have_class("dehusk-kept")
    # Let go, the panel follows the pointer again.
    sample_tab.get_by_label("Close").first.click()
    block_with(sample_tab, "What hardness is").hover()
    expect(sample_tab.locator(".panel blockquote")).to_contain_text("What hardness is")


def test_teaching_is_undone_in_the_message_and_by_keyboard(sample_tab: Any) -> None:
    open_page(sample_tab, PAGE)
    for undo in (
        lambda: sample_tab.locator(".notice").get_by_text("Undo").click(),
        lambda: original(sample_tab).locator(".dehusk-active").first.press("Control+z"),
        lambda: sample_tab.keyboard.press("Control+z"),
    ):
        block_with(sample_tab, NOISE).click()
        sample_tab.keyboard.press("k")
        expect(sample_tab.locator(".notice").last).to_contain_text("Kept 9 blocks on 9 pages")
        expect(cleaned(sample_tab).locator("body")).to_contain_text(NOISE)
        undo()
        expect(cleaned(sample_tab).locator("body")).not_to_contain_text(NOISE)
        expect(sample_tab.locator(".notice").last).to_contain_text("Undone: keep")


def test_removing_is_undone(tab: Any) -> None:
    tab.set_input_files(
        "#files", {"name": "a.zip", "mimeType": "application/zip", "buffer": zipped_site("a.example", 5)}
    )
    expect(tab.locator(ROWS)).to_have_count(5)
    tab.locator(f"{ROWS} input").nth(0).check()
    tab.locator(f"{ROWS} input").nth(1).check()
    tab.click("#remove-selected")
    expect(tab.locator(".notice").last).to_contain_text("2 pages removed")
    expect(tab.locator(ROWS)).to_have_count(3)
    tab.locator(".notice").get_by_text("Undo").click()
    expect(tab.locator(ROWS)).to_have_count(5)
    tab.get_by_text("Remove site").click()
    tab.click("#confirm")
    expect(tab.locator("#sample")).to_be_visible()
    expect(tab.locator(ROWS)).to_have_count(0)
    tab.keyboard.press("Control+z")
    expect(tab.locator(".notice").last).to_contain_text("Undone: remove a.example")
    expect(tab.locator(ROWS)).to_have_count(5)


def test_a_job_of_another_tab_is_shown_and_not_started_twice(tab: Any, app: RunningApp) -> None:
    # Long pages, so that the job takes longer than a tab waits before it asks for news.
    packed = zipped_site("large.example", 300, length=200)
    tab.set_input_files("#files", {"name": "large.zip", "mimeType": "application/zip", "buffer": packed})
    expect(tab.locator(ROWS)).to_have_count(300)
    job = app.call("POST", "/api/eliminate", {})["job"]["id"]
    expect(tab.locator("#job")).to_be_visible()
    expect(tab.locator("#job .figures")).to_contain_text(re.compile(r"page \d+ of \d+"))
    expect(tab.locator("#eliminate")).to_be_disabled()
    second = app.call("POST", "/api/eliminate", {})["job"]["id"]
    assert second == job or app.call("GET", f"/api/jobs/{job}")["state"] == "done"
    expect(tab.locator("#job")).to_be_hidden(timeout=300_000)  # all of it has to be cleaned, on a busy machine, too
    expect(tab.locator("td.removed .kept-bar")).to_have_count(300)


def test_waiting_is_shown_and_nothing_fails_silently(sample_tab: Any, complaints: Any) -> None:
    held: list[Any] = []
    sample_tab.route(re.compile(r"/view/.*/styled|/api/pages/.*/result"), lambda route: held.append(route))
    sample_tab.click(f"table.pages th:has(.file:text-is('{PAGE}')) a")
    expect(sample_tab.get_by_text("Loading the page …")).to_be_visible()
    expect(sample_tab.get_by_text("Cleaning the page …")).to_be_visible()
    while held:
        held.pop().continue_()
    sample_tab.unroute(re.compile(r"/view/.*/styled|/api/pages/.*/result"))
    expect(sample_tab.get_by_text("Loading the page …")).to_be_hidden()
    sample_tab.get_by_role("link", name="Teach").click()
    sample_tab.click("#export-zip")
    expect(sample_tab.get_by_role("alert")).to_contain_text("no labelled pages")
    complaints.expect("409")


def test_comparing_tells_what_was_taught(sample_tab: Any) -> None:
    open_page(sample_tab, PAGE)
    block_with(sample_tab, NOISE).click()
    sample_tab.keyboard.press("k")
    expect(sample_tab.locator(".panel")).to_contain_text("taught: keep")
    sample_tab.get_by_role("link", name="Compare").click()
    expect(sample_tab.locator(".compared .pane").first.locator(".caution")).to_contain_text(
        "1 block of this page is as you taught"
    )
    sample_tab.select_option("#side-left", "untaught:hybrid")
    expect(sample_tab.locator(".caution")).to_have_count(0)
    expect(sample_tab.locator(".compared .text").first).not_to_contain_text(NOISE)


def test_phones_reach_keep_and_drop_without_scrolling(sample_app: RunningApp, open_tab: Callable[..., Any]) -> None:
    phone = open_tab(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True, device_scale_factor=2)
    phone.goto(sample_app.address)
    open_page(phone, PAGE)
    expect(phone.locator(".for-keyboards")).to_be_hidden()
    original(phone).locator("[data-block]:visible").nth(3).tap()
    for button in ("#keep", "#drop"):
        expect(phone.locator(button)).to_be_in_viewport(ratio=1)
    phone.get_by_text("Select several").scroll_into_view_if_needed()
    phone.locator("#several").tap()
    original(phone).locator("[data-block]:visible").nth(4).tap()
    expect(phone.locator(".panel h2")).to_have_text("2 blocks")
    expect(phone.locator("#drop")).to_be_in_viewport(ratio=1)


def test_images_say_where_they_come_from(sample_tab: Any) -> None:
    asked: list[str] = []
    sample_tab.route(
        re.compile(r"^https?://(?!127\.0\.0\.1)"), lambda route: (asked.append(route.request.url), route.abort())
    )
    open_page(sample_tab, PAGE)
    expect(sample_tab.locator("#images-note")).to_contain_text("servers see it")
    expect(sample_tab.get_by_label("Images from the web")).not_to_be_checked()
    assert asked == []
