"""Views of collected pages in a real browser, and errors where a view should be."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from collected_pages import FOLDERS, files_of, sampled_pages
from driving import expect, original, wait_for_original

from dehusk.page.page_reading import read_page
from dehusk.sources.raw_page import RawPage


def page_with_an_unlisted_source(data_folder: Path) -> RawPage:
    """A page that loads its images by a script which nobody has listed."""
    pages = sampled_pages(files_of(data_folder, "more-pages")[-2], 100)
    return next(page for page in pages if read_page(page).has_attribute("*src", "*srcset").any())


@pytest.mark.data
def test_collected_pages_are_shown_and_their_blocks_selected(tab: Any, app: Any, data_folder: Path) -> None:
    pages = [next(sampled_pages(files_of(data_folder, folder)[0], 1)) for folder in FOLDERS]
    for raw in [*pages, page_with_an_unlisted_source(data_folder)]:
        (page,) = app.send(raw.name, raw.body)["added"]
        tab.reload()
        tab.evaluate("id => { location.hash = `#/result/${id}` }", page["id"])
        for look in ("styled", "original"):
            tab.select_option("#look", look)
            wait_for_original(tab)
            original(tab).locator("[data-block][tabindex='0']").press("ArrowDown")
            expect(original(tab).locator(".dehusk-active").first).to_be_attached()
            expect(tab.locator(".panel h2")).to_have_text(re.compile(r"Block \d+ of \d+"))


def test_an_error_is_shown_where_the_view_should_be(tab: Any, app: Any, complaints: Any) -> None:
    (page,) = app.send("many.html", b"<a>" * 2_000_001)["added"]
    tab.reload()
    tab.evaluate("id => { location.hash = `#/result/${id}` }", page["id"])
    expect(original(tab).locator("h1")).to_have_text("This view cannot be shown")
    expect(original(tab).locator("body")).to_contain_text("many.html: 2,000,001 tags, 2,000,000 allowed")
    complaints.expect("413")
