"""Find the installed browser for the tests. None is ever downloaded."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_NAMES = ("chromium", "chromium-browser", "google-chrome")


def missing() -> str | None:
    """What is missing to run the browser tests, or None."""
    try:
        import playwright  # noqa: F401
    except ModuleNotFoundError:
        return "no playwright: pip install playwright"
    if installed_browser() is None:
        return f"no browser: install one of {', '.join(_NAMES)}"
    return None


def installed_browser() -> str | None:
    """Path of the first installed browser."""
    return next((path for path in map(shutil.which, _NAMES) if path), None)


@contextmanager
def launched_browser() -> Iterator[Browser]:
    """A headless browser."""
    from playwright.sync_api import sync_playwright

    # Chromium's own sandbox does not work as root, and tests in containers run as root.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed_browser(), args=options)
        try:
            yield browser
        finally:
            browser.close()
