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

_ADDRESS_BAR = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup")
"""The list below the address bar is a page of its own, which each window loads at once, though nobody sees it: it takes
as much processor time as opening a tab and loading the app."""
_PLAYWRIGHTS = (
    "AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsUpgrades HttpsFirstBalancedModeAutoEnable "
    "LensOverlay MediaRouter PaintHolding ThirdPartyStoragePartitioning AvoidCorsURLLoaderRestartOnRedirect "
    "OptimizationHints NetworkTimeServiceQuerying AimEnabled PreconnectToSearch"
).split()
"""What Playwright switches off: of several such lists Chromium takes the last, which is ours."""


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
    options = [f"--disable-features={','.join([*_ADDRESS_BAR, *_PLAYWRIGHTS])}"]
    options += ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed_browser(), args=options)
        try:
            yield browser
        finally:
            browser.close()
