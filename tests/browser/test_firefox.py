"""The app in Firefox: what differs most between browsers, by pointer and keyboard. Chromium runs all other tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

import pytest
from attack_pages import ATTACKS
from firefox_driving import CONTROL, Firefox, installed_firefox, running_firefox
from running_app import RunningApp, running_app

pytestmark = pytest.mark.firefox

FRAME = "iframe[title^='The original page']"
SHOWN = f'document.querySelector("{FRAME}")?.contentDocument?.querySelector("[data-block][tabindex]") != null'
CONTENT = "That bottle explained everything"
RAN = "(top.document.documentElement.dataset.ran = 1)"


@pytest.fixture(scope="module")
def app() -> Iterator[RunningApp]:
    with running_app() as running:
        yield running


@pytest.fixture(scope="module")
def firefox() -> Iterator[Firefox]:
    if installed_firefox() is None:
        pytest.skip("no Firefox: apt-get install firefox-esr")
    with running_firefox() as running:
        yield running


def test_the_sample_site_is_added_and_cleaned(app: RunningApp, firefox: Firefox) -> None:
    firefox.goto(app.address)
    firefox.click("#sample")
    firefox.wait("document.querySelectorAll('table.pages tbody tr').length === 31")
    firefox.click("#eliminate")
    firefox.wait("document.querySelectorAll('td.removed .kept-bar').length === 31")
    firefox.wait("document.querySelector('#job').hidden")
    firefox.click("#views [data-view=eliminate]")
    assert "%" in firefox.wait("document.querySelector('.totals strong')?.textContent")


def test_a_block_is_held_corrected_and_the_correction_undone(app: RunningApp, firefox: Firefox) -> None:
    app.clean_sample()
    pages = app.call("GET", "/api/workspace")["pages"]
    page = next(page["id"] for page in pages if "hard-water" in page["name"])
    firefox.goto(f"{app.origin}/#/result/{page}")
    firefox.wait(SHOWN)
    blocks = app.call("GET", f"/api/pages/{page}/blocks")["blocks"]
    index = next(block["index"] for block in blocks if CONTENT in block["text"])
    block = f"[data-block='{index}']"
    style = f'getComputedStyle(document.querySelector("{block}"))'
    with firefox.inside(FRAME):
        assert firefox.value("document.documentElement.dataset.view") == "styled"
        firefox.wait(f'document.querySelector("{block}").getAttribute("aria-description")')  # blocks are listed
        firefox.click(block)
    firefox.wait(f"document.querySelector('.panel blockquote')?.textContent.includes('{CONTENT}')")
    with firefox.inside(FRAME):
        assert firefox.value(f"{style}.outlineStyle") == "solid"
        firefox.press("d")
        firefox.wait(f'document.querySelector("{block}").matches(".dehusk-noise.dehusk-taught")')
        firefox.press(CONTROL, "z")
        firefox.wait(f'document.querySelector("{block}").matches(".dehusk-kept:not(.dehusk-taught)")')
    assert app.call("GET", f"/api/pages/{page}/blocks/{index}")["taught"] is None


def test_nothing_of_a_page_runs(app: RunningApp, firefox: Firefox) -> None:
    app.clear()
    firefox.goto(app.address)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for number, page in enumerate(ATTACKS.values()):
            archive.writestr(f"{number}.html", page.replace("evil()", RAN))
    pages = app.send("a.zip", written.getvalue())["added"]
    addresses = [f"/view/{page['id']}/{view}" for page in pages for view in ("original", "styled", "cleaned")]
    firefox.value(
        f"""{addresses}.forEach((address) => {{
             const frame = document.createElement("iframe");
             frame.sandbox = "allow-same-origin";
             frame.className = "attack";
             frame.onload = () => (frame.dataset.isLoaded = 1);
             frame.src = address;
             document.body.append(frame); }})"""
    )
    firefox.wait(f"document.querySelectorAll('iframe.attack[data-is-loaded]').length === {len(addresses)}")
    frames = "[...document.querySelectorAll('iframe.attack')]"
    assert firefox.value(f"{frames}.map(frame => frame.contentDocument.location.pathname)") == addresses
    assert firefox.value(f"{frames}.filter(frame => frame.contentDocument.body.innerText).length") > len(pages)
    assert firefox.value("document.documentElement.dataset.ran ?? null") is None
    assert firefox.value("location.href").startswith(app.origin)
