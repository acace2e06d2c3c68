"""Eliminate: progress, results, settings and the threshold."""

from __future__ import annotations

import re
import zipfile
from typing import Any

from driving import eliminate, expect
from written_sites import zipped_site


def test_each_page_and_the_site_have_numbers(sample_tab: Any) -> None:
    row = sample_tab.locator("tr", has_text="magazine/hard-water-soft-tea")
    expect(row.locator("td.before")).to_have_text("18 kB")
    expect(row.locator("td.after")).to_have_text(re.compile(r"^\d\.\d kB$"))
    expect(row.locator("td.removed")).to_contain_text(re.compile(r"^\d\d %$"))
    expect(row.locator("td.confidence")).to_have_text(re.compile(r"^0\.\d\d$"))
    expect(row.locator("td.type")).to_have_text("article")
    expect(row.locator("td.ms")).to_have_text(re.compile(r"^[\d.]+ ms$"))
    sample_tab.get_by_text("Settings and chart").click()
    expect(sample_tab.locator(".totals")).to_contain_text(
        re.compile(r"\d\d % of the text removed.*31 pages.*s for all, learning included.*ms a page.*424 kB → \d\d kB")
    )
    expect(sample_tab.locator("svg.columns rect.removed")).to_have_count(31)
    expect(sample_tab.locator(".first-look li")).to_have_count(8)  # the site changed two pages
    sample_tab.get_by_text("Learnt from 31 pages", exact=True).click()
    expect(sample_tab.locator(".learnt li")).to_have_count(31)


def test_the_site_is_downloaded_in_any_format(sample_tab: Any) -> None:
    sample_tab.get_by_role("link", name="Eliminate").click()
    expect(sample_tab.locator(".first-look h3")).to_have_text(
        ["Lowest confidence", "Most removed", "Most changed by the site"]
    )
    formats = sample_tab.locator("#export-format option").all_inner_texts()
    assert {"text", "markdown", "html", "json", "csv", "tei"} <= set(formats)
    sample_tab.select_option("#export-format", "tei")
    with sample_tab.expect_download() as download:
        sample_tab.click("#export-all")
    assert download.value.suggested_filename == "kettleandquill.example-tei.zip"
    with zipfile.ZipFile(download.value.path()) as archive:
        assert len(archive.namelist()) == 31
        assert b"<TEI" in archive.read(archive.namelist()[0])
    sample_tab.get_by_role("link", name="Pages", exact=True).click()
    expect(sample_tab.locator("#export-format")).to_have_value("tei")


def test_fewer_pages_are_learnt_if_that_is_wanted(sample_tab: Any) -> None:
    sample_tab.get_by_text("Settings and chart").click()
    sample_tab.fill("#learn-from", "10")
    sample_tab.locator("#learn-from").blur()
    expect(sample_tab.locator(".learnt summary")).to_have_text("Learnt from 10 pages")


def test_the_numbers_of_one_page_agree(sample_tab: Any, sample_app: Any) -> None:
    """The share of visible text removed is one number, wherever it is shown."""
    page = next(page for page in sample_app.call("GET", "/api/workspace")["pages"] if "hard-water" in page["name"])
    result = page["result"]
    share = round(100 * (1 - result["characters_kept"] / result["characters"]))
    row = sample_tab.locator("tr", has_text="magazine/hard-water-soft-tea")
    expect(row.locator("td.removed")).to_contain_text(f"{share} %")
    sample_tab.goto(f"{sample_app.origin}/#/result/{page['id']}")
    expect(sample_tab.locator(".figures-line")).to_contain_text(f"{share} % of the text removed")


def test_progress_is_shown_and_work_can_be_cancelled(tab: Any) -> None:
    # Long pages, so that the job takes longer than it takes to cancel it.
    large = {
        "name": "large.zip",
        "mimeType": "application/zip",
        "buffer": zipped_site("large.example", 300, length=300),
    }
    tab.set_input_files("#files", large)
    expect(tab.locator("table.pages tbody tr")).to_have_count(300)
    tab.click("#eliminate")
    expect(tab.get_by_role("progressbar")).to_be_visible()
    expect(tab.locator("#spoken")).not_to_be_empty()
    expect(tab.locator("#eliminate")).to_be_disabled()
    tab.click("#cancel")
    expect(tab.locator(".notice").last).to_contain_text("Stopped")
    expect(tab.locator("#job")).to_be_hidden()
    expect(tab.locator("#eliminate")).to_be_enabled()
    assert tab.locator("td.removed .kept-bar").count() < 300


def test_several_sites_are_charted_together(sample_tab: Any) -> None:
    other = {"name": "other.zip", "mimeType": "application/zip", "buffer": zipped_site("other.example", 6)}
    sample_tab.set_input_files("#files", other)
    eliminate(sample_tab, 37)
    sample_tab.locator("details.site", has_text="other.example").get_by_text("Settings and chart").click()
    expect(sample_tab.locator(".bars a")).to_have_text(["kettleandquill.example", "other.example"])
    sample_tab.select_option(".page-head select", label="kettleandquill.example")
    expect(sample_tab.locator(".lead")).to_contain_text("kettleandquill.example")
    expect(sample_tab.locator("table.pages tbody tr")).to_have_count(31)


def test_methods_and_favours_change_what_is_kept(sample_tab: Any) -> None:
    sample_tab.get_by_text("Settings and chart").click()
    before = _removed(sample_tab)
    sample_tab.select_option("#favour", "precision")
    expect(sample_tab.locator(".totals strong").first).not_to_have_text(before)
    sample_tab.select_option("#method", "style-tree")
    # Only methods that judge whole pages support favour and comments.
    expect(sample_tab.locator("#favour")).to_be_hidden()
    expect(sample_tab.locator("#comments")).to_be_hidden()
    expect(sample_tab.locator("td.type").first).to_be_empty()
    sample_tab.select_option("#method", "hybrid")
    expect(sample_tab.locator("#favour")).to_have_value("balanced")
    expect(sample_tab.locator(".totals strong").first).to_have_text(before)
    sample_tab.check("#comments")
    expect(sample_tab.locator(".totals strong").first).not_to_have_text(before)


def test_moving_the_threshold_cleans_at_once(sample_tab: Any) -> None:
    sample_tab.get_by_text("Settings and chart").click()
    hybrid = _removed(sample_tab)
    sample_tab.select_option("#method", "style-tree")
    expect(sample_tab.locator(".totals strong").first).not_to_have_text(hybrid)
    expect(sample_tab.locator(".threshold")).to_contain_text("0 is the same on all pages")
    expect(sample_tab.locator("#threshold-value")).to_have_text("automatic")
    expect(sample_tab.locator(".samples li")).to_have_count(20)
    expect(sample_tab.locator("#job")).to_be_hidden()
    automatic, total = _share(sample_tab), _removed(sample_tab)

    asked: list[str] = []
    sample_tab.on("request", lambda request: asked.append(request.url))
    _slide(sample_tab, ["0.2", "0.3", "0.4", "0.5"])
    expect(sample_tab.locator("#threshold-value")).to_have_text("0.5")
    assert _share(sample_tab) < automatic
    assert not [url for url in asked if "eliminate" in url], "nothing changes while the slider moves"

    sample_tab.locator("#threshold").dispatch_event("change")
    expect(sample_tab.locator(".totals strong").first).not_to_have_text(total)
    sample_tab.reload()
    expect(sample_tab.locator("#threshold-value")).to_have_text("0.5")
    sample_tab.click("#automatic")
    expect(sample_tab.locator("#threshold-value")).to_have_text("automatic")
    expect(sample_tab.locator(".totals strong").first).to_have_text(total)
    assert _share(sample_tab) == automatic


def _slide(tab: Any, values: list[str]) -> None:
    tab.evaluate(
        """values => { const slider = document.getElementById("threshold");
           for (const value of values) { slider.value = value; slider.dispatchEvent(new Event("input")); } }""",
        values,
    )


def _share(tab: Any) -> int:
    return int(tab.inner_text("#kept-share").split(" ")[0])


def _removed(tab: Any) -> str:
    return str(tab.locator(".totals strong").first.inner_text())
