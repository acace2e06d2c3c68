"""Steps shared by browser tests."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

try:
    from playwright.sync_api import expect

    expect.set_options(timeout=20_000)  # test machines are often busy
except ModuleNotFoundError:  # tests are skipped, or fail, before they use it
    expect = None  # type: ignore[assignment]


def eliminate(tab: Any, pages: int) -> None:
    """Press the button and wait for the result of every page."""
    expect(tab.locator("table.pages tbody tr")).to_have_count(pages)
    tab.click("#eliminate")
    expect(tab.locator("td.removed .kept-bar")).to_have_count(pages, timeout=30_000)
    expect(tab.locator("#job")).to_be_hidden()


def open_page(tab: Any, name: str) -> None:
    """Open the result of a page from the list of pages."""
    tab.click(link_to(name))
    wait_for_original(tab)


def link_to(name: str) -> str:
    """The selector of a page in the list, by its file name; it is shown by its title."""
    return f"table.pages th:has(.file:text-is('{name}')) a"


def wait_for_original(tab: Any) -> None:
    """Wait until the page view is ready: one block is then a tab stop."""
    expect(original(tab).locator("[data-block][tabindex='0']")).to_have_count(1)


def hold_answer(tab: Any, address: str) -> Callable[[], None]:
    """Hold back the answer to the next request to an address, until the returned function is called."""
    held: list[Any] = []
    tab.route(address, lambda route: route.continue_() if held else held.append(route))

    def let_go() -> None:
        until = time.monotonic() + 20
        while not held and time.monotonic() < until:
            tab.wait_for_timeout(20)
        held[0].continue_()

    return let_go


def original(tab: Any) -> Any:
    """The frame with the original page."""
    return tab.frame_locator("iframe[title^='The original page']")


def cleaned(tab: Any) -> Any:
    """The frame with the cleaned page."""
    return tab.frame_locator("iframe[title='The cleaned page']")


def block_with(tab: Any, text: str) -> Any:
    """The block of the original page with this text."""
    return original(tab).locator("[data-block]", has_text=text).first
