"""Hostile pages in a real browser: no script runs, and no request leaves."""

from __future__ import annotations

import io
import runpy
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from driving import cleaned, expect, original, wait_for_original

ATTACKS: dict[str, str] = runpy.run_path(str(Path(__file__).parent.parent / "support" / "attack_pages.py"))["ATTACKS"]
NAME = "<img src=x onerror=evil()>\"'><script>evil()</script>"


@pytest.fixture
def asked(tab: Any) -> list[Any]:
    """All requests of the tab and its frames. Requests to other hosts are recorded and aborted."""
    found: list[Any] = []
    tab.context.route(lambda url: not url.startswith("http://127.0.0.1"), lambda route: route.abort())
    tab.on("request", lambda request: found.append(request))
    return found


@pytest.fixture
def attacked(tab: Any, app: Any, asked: list[Any]) -> Any:
    """A tab with all attack pages, under a hostile name; `evil` in every window records an attack."""
    tab.add_init_script("window.attacks = []; window.evil = () => window.attacks.push(location.href)")
    tab.reload()
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for number, page in enumerate(ATTACKS.values()):
            archive.writestr(f"attack-{number:02}{NAME.replace('/', '')}.html", page)
    tab.fill("#site-name", NAME)
    tab.set_input_files("#files", {"name": "a.zip", "mimeType": "application/zip", "buffer": written.getvalue()})
    expect(tab.locator("table.pages tbody tr")).to_have_count(len(ATTACKS))
    return tab


def test_nothing_runs_and_nothing_leaves_in_any_view(attacked: Any, app: Any, asked: list[Any]) -> None:
    attacked.click("#eliminate")
    expect(attacked.locator("td.removed .kept-bar").first).to_be_visible()
    expect(attacked.locator("#job")).to_be_hidden()
    pages = app.call("GET", "/api/workspace")["pages"]
    addresses = [f"/view/{page['id']}/{view}" for page in pages for view in ("original", "cleaned")]
    attacked.evaluate(
        """addresses => Promise.all(addresses.map(address => new Promise(done => {
             const frame = document.createElement("iframe");
             Object.assign(frame, { sandbox: "allow-same-origin", onload: done, src: address });
             document.body.append(frame); })))""",
        addresses,
    )
    assert len(attacked.frames) == 1 + len(addresses)
    site = pages[0]["site"]
    for address in (f"template/{site}", f"teach/{site}", f"eliminate/{site}", f"compare/{pages[0]['id']}"):
        attacked.evaluate("address => { location.hash = `#/${address}` }", address)
        expect(attacked.locator("main h1")).to_be_visible()
    _assert_harmless(attacked, app, asked)


def test_pages_are_clicked_and_named_without_harm(attacked: Any, app: Any, asked: list[Any]) -> None:
    wanted = ("javascript links", "top navigation", "form", "meta refresh", "base", "text that looks like markup")
    names = list(ATTACKS)
    pages = sorted(app.call("GET", "/api/workspace")["pages"], key=lambda page: page["name"])
    for attack in wanted:
        page = pages[names.index(attack)]
        attacked.evaluate("id => { location.hash = `#/result/${id}` }", page["id"])
        expect(attacked.locator(".over")).to_contain_text(NAME)
        frame = original(attacked)
        wait_for_original(attacked)
        for link in frame.locator("a:visible, button:visible, input:visible").all():
            link.click()
        for name in ("Text", "HTML", "JSON"):
            attacked.get_by_role("tab", name=name).click()
            expect(attacked.locator("#output pre")).to_be_visible()
        attacked.get_by_role("tab", name="Reading").click()
        expect(cleaned(attacked).locator("body")).to_be_attached()
    _assert_harmless(attacked, app, asked)


def test_images_are_loaded_only_when_asked_for(attacked: Any, app: Any, asked: list[Any], complaints: Any) -> None:
    pages = sorted(app.call("GET", "/api/workspace")["pages"], key=lambda page: page["name"])
    page = pages[list(ATTACKS).index("images")]
    attacked.evaluate("id => { location.hash = `#/result/${id}` }", page["id"])
    wait_for_original(attacked)
    assert _elsewhere(app, asked) == []
    with attacked.expect_request("https://evil.example/**"):
        attacked.check("#images")
    assert {request.resource_type for request in _elsewhere(app, asked)} == {"image"}
    assert all("referer" not in request.headers for request in _elsewhere(app, asked))
    attacked.uncheck("#images")
    complaints.said[:] = [text for text in complaints.said if "ERR_FAILED" not in text]  # from the aborted images


def _assert_harmless(tab: Any, app: Any, asked: list[Any]) -> None:
    assert _elsewhere(app, asked) == []
    assert tab.url.startswith(app.origin)
    assert len(tab.context.pages) == 1
    for frame in tab.frames:
        assert frame.evaluate("window.attacks ?? []") == []


def _elsewhere(app: Any, asked: list[Any]) -> list[Any]:
    return [
        request for request in asked if f"{urlsplit(request.url).scheme}://{urlsplit(request.url).netloc}" != app.origin
    ]
