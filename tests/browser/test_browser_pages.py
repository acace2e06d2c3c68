"""Pages: adding, moving and removing them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from driving import eliminate, expect, link_to
from running_app import running_app
from written_sites import folder_site, page_of, zipped_site

ROWS = "table.pages tbody tr"


def test_the_sample_site_is_one_click_away(tab: Any) -> None:
    tab.click("#sample")
    expect(tab.locator(ROWS)).to_have_count(31)
    expect(tab.locator("details.site h2")).to_have_text("kettleandquill.example")
    expect(tab.locator(".notice")).to_contain_text("31 pages added")
    tab.click("#sample")
    expect(tab.locator(".notice").last).to_contain_text("31 were already there")
    expect(tab.locator(ROWS)).to_have_count(31)


def test_files_and_archives_are_chosen_and_belong_to_several_sites(tab: Any) -> None:
    files = [
        {"name": "one.html", "mimeType": "text/html", "buffer": page_of("one.example", 1).encode()},
        {"name": "two.zip", "mimeType": "application/zip", "buffer": zipped_site("two.example", 4)},
        {"name": "notes.txt", "mimeType": "text/plain", "buffer": b"no page"},
    ]
    tab.set_input_files("#files", files)
    expect(tab.locator(ROWS)).to_have_count(5)
    expect(tab.locator("details.site h2")).to_have_text(["one.example", "two.example"])
    expect(tab.locator(".notice")).to_contain_text("1 file skipped")
    expect(tab.locator("details.site", has_text="two.example").locator(ROWS)).to_have_count(4)


def test_a_folder_is_chosen_with_what_is_below_it_and_a_name_given(tab: Any, tmp_path: Path) -> None:
    tab.fill("#site-name", "my own name")
    tab.set_input_files("#folder", folder_site(tmp_path / "folder", "folder.example", 6))
    expect(tab.locator(ROWS)).to_have_count(6)
    expect(tab.locator("details.site h2")).to_have_text("my own name")
    expect(tab.locator(ROWS).first).to_contain_text("below/page-1")


def test_a_folder_is_dropped(tab: Any, tmp_path: Path) -> None:
    folder = folder_site(tmp_path / "dropped", "dropped.example", 5)
    box = tab.locator(".drop").bounding_box()
    session = tab.context.new_cdp_session(tab)
    place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + 20}
    data = {"items": [], "files": [str(folder), str(folder / "page-0.html")], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, **place, "data": data})
    expect(tab.locator(ROWS)).to_have_count(6)
    expect(tab.locator(".drop.over")).to_have_count(0)


def test_pages_are_selected_and_removed(tab: Any) -> None:
    tab.set_input_files("#files", [_zip("one.example", 5), _zip("two.example", 3)])
    expect(tab.locator(ROWS)).to_have_count(8)
    expect(tab.locator(".selection")).to_be_hidden()
    tab.locator(f"{ROWS} input").nth(0).check()
    tab.locator(f"{ROWS} input").nth(2).check()
    expect(tab.locator(".selection")).to_contain_text("2 pages selected")
    tab.click("#remove-selected")
    expect(tab.locator(ROWS)).to_have_count(6)
    tab.locator(f"{ROWS} input").nth(0).check()
    tab.fill("#move-target", "two.example")
    tab.click("#move-selected")
    expect(tab.locator("details.site", has_text="two.example").locator(ROWS)).to_have_count(4)
    tab.get_by_label("Select all pages of two.example").check()
    expect(tab.locator(".selection")).to_contain_text("4 pages selected")
    tab.get_by_text("Clear selection").click()
    tab.locator("details.site", has_text="two.example").get_by_text("Remove site").click()
    tab.get_by_role("dialog").get_by_text("Cancel").click()
    expect(tab.locator(ROWS)).to_have_count(6)
    tab.locator("details.site", has_text="two.example").get_by_text("Remove site").click()
    tab.click("#confirm")
    expect(tab.locator(ROWS)).to_have_count(2)


def test_pages_are_searched_filtered_and_downloaded(sample_tab: Any) -> None:
    sample_tab.fill("#search", "kettle tea")
    expect(sample_tab.locator(ROWS)).not_to_have_count(31)
    found = sample_tab.locator(ROWS).count()
    assert 0 < found < 31
    sample_tab.fill("#search", "no such page")
    expect(sample_tab.locator("details.site")).to_be_hidden()
    sample_tab.fill("#search", "")
    sample_tab.select_option("#filter", "checked")
    expect(sample_tab.locator(ROWS)).to_have_count(0)
    sample_tab.select_option("#filter", "site")
    expect(sample_tab.locator(ROWS)).not_to_have_count(0)
    assert 0 < sample_tab.locator(ROWS).count() < 31
    sample_tab.select_option("#filter", "all")
    expect(sample_tab.locator(ROWS)).to_have_count(31)
    sample_tab.select_option("#export-format", "text")
    with sample_tab.expect_download() as download:
        sample_tab.click("#export-all")
    assert download.value.suggested_filename == "dehusk-text.zip"


def test_some_pages_are_eliminated_alone(tab: Any) -> None:
    expect(tab.locator(".steps li")).to_have_count(3)
    tab.set_input_files("#files", _zip("one.example", 5))
    expect(tab.locator(".steps")).to_be_hidden()
    tab.locator(f"{ROWS} input").nth(1).check()
    tab.click("#eliminate-selected")
    expect(tab.locator("td.removed .kept-bar")).to_have_count(1)


def test_oversized_files_are_refused_with_a_remedy(tab: Any, tmp_path: Path) -> None:
    large = tmp_path / "large.zip"
    with large.open("wb") as file:
        file.truncate(100_000_000)
    tab.set_input_files("#files", large)
    expect(tab.get_by_role("alert")).to_contain_text("large.zip has 100.0 MB")
    expect(tab.get_by_role("alert")).to_contain_text("command line")
    tab.get_by_role("alert").get_by_text("Close").click()
    expect(tab.get_by_role("alert")).to_have_count(0)


def test_server_errors_are_shown_with_a_remedy(tab: Any, complaints: Any) -> None:
    error = {"error": {"code": "refused", "message": "it has no <b>bottom</b>", "remedy": "send another"}}
    tab.route("**/api/pages/sample", lambda route: route.fulfill(status=422, json=error))
    tab.click("#sample")
    expect(tab.get_by_role("alert")).to_contain_text("it has no <b>bottom</b>")
    expect(tab.get_by_role("alert")).to_contain_text("send another")
    complaints.expect("422")
    tab.route("**/api/pages/sample", lambda route: route.abort())
    tab.click("#sample")
    expect(tab.get_by_role("alert").last).to_contain_text("the server does not answer")
    complaints.expect("ERR_FAILED")


def test_fetching_is_offered_only_where_it_is_allowed(tab: Any, open_tab: Callable[..., Any]) -> None:
    expect(tab.locator("form.fetch")).to_be_hidden()
    with running_app("--allow-fetch") as fetching:
        other = open_tab()
        other.goto(fetching.address)
        other.fill("#url", "http://127.0.0.1:9/")
        other.click("form.fetch button")
        # Local addresses are never fetched: an error that needs no network.
        expect(other.get_by_role("alert")).to_contain_text("127.0.0.1")
        other.goto("about:blank")  # or it would ask a server that is gone


def test_three_hundred_pages(tab: Any) -> None:
    tab.set_input_files("#files", _zip("large.example", 300))
    eliminate(tab, 300)
    tab.locator("th.removed button").click()
    expect(tab.locator("th.removed")).to_have_attribute("aria-sort", "ascending")
    shares = [int(text.split(" ")[0]) for text in tab.locator("td.removed").all_inner_texts()]
    assert len(shares) == 300
    assert shares == sorted(shares)
    tab.get_by_text("Settings and chart").click()
    figures = tab.locator(".spread .figures")
    expect(figures).to_have_count(10)
    assert sum(int(text.split()[0]) for text in figures.all_inner_texts() if text) == 300
    expect(tab.locator(".samples li")).to_have_count(20)
    tab.click(link_to("page-299"))
    expect(tab.locator(".over")).to_contain_text("page 300 of 300")


def _zip(host: str, pages: int) -> dict[str, Any]:
    return {"name": f"{host}.zip", "mimeType": "application/zip", "buffer": zipped_site(host, pages)}
