"""Fixtures: a browser, servers, and tabs that collect their errors."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import finding_browser
import pytest
from cleaned_sample import CleanedSample
from running_app import RunningApp, running_app

LATE = os.environ.get("DEHUSK_LATE")
"""Milliseconds that answers come late, at most: this shows tests that do not wait, and clicks that the app loses."""
LATE_ANSWERS = Path(__file__).parent / "late_answers.js"


@pytest.fixture(scope="session")
def needed() -> None:
    """Skip without a browser; on CI fail instead."""
    missing = finding_browser.missing()
    if missing and os.environ.get("CI") == "true":
        pytest.fail(f"{missing}; on CI the browser tests must run")
    if missing:
        pytest.skip(missing)


@dataclass
class SharedBrowser:
    """The browser that tests share, and how to close it."""

    launched: Any
    closing: ExitStack


_BROWSER = pytest.StashKey[SharedBrowser]()


@pytest.fixture
def browser(needed: None, request: pytest.FixtureRequest) -> Any:
    """The same for all tests that follow each other."""
    stash = request.config.stash
    if _BROWSER not in stash:
        closing = ExitStack()
        stash[_BROWSER] = SharedBrowser(closing.enter_context(finding_browser.launched_browser()), closing)
    return stash[_BROWSER].launched


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Close the browser before a test without it: while Playwright runs, none can run an event loop."""
    if _BROWSER in item.config.stash and "browser" not in getattr(nextitem, "fixturenames", ()):
        item.config.stash[_BROWSER].closing.close()
        del item.config.stash[_BROWSER]


@pytest.fixture(scope="session")
def server(needed: None) -> Iterator[RunningApp]:
    with running_app() as running:
        yield running


@pytest.fixture(scope="session")
def sample_server(needed: None) -> Iterator[RunningApp]:
    with running_app() as running:
        yield running


@pytest.fixture(scope="session")
def cleaned_sample(sample_server: RunningApp) -> CleanedSample:
    """The sample site as it is after cleaning, which tests are given."""
    return CleanedSample(sample_server)


@pytest.fixture
def app(server: RunningApp) -> RunningApp:
    """A server with an empty workspace."""
    server.clear()
    return server


@pytest.fixture
def sample_app(sample_server: RunningApp, cleaned_sample: CleanedSample) -> RunningApp:
    """A server with the sample site, cleaned, and without anything that a test before did."""
    cleaned_sample.restore()
    return sample_server


@dataclass
class Complaints:
    """Errors logged by tabs. Tests that provoke an error remove it with `expect`."""

    said: list[str] = field(default_factory=list)

    def expect(self, part: str) -> None:
        """Remove errors that the test provoked."""
        left = [text for text in self.said if part not in text]
        assert len(left) < len(self.said), f"no error with {part!r}"
        self.said[:] = left


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    """Script and console errors; a test fails if any is left."""
    found = Complaints()
    yield found
    assert found.said == []


@pytest.fixture
def open_tab(browser: Any, complaints: Complaints) -> Iterator[Callable[..., Any]]:
    """Open a tab in a new browser context; options are Playwright's."""
    contexts = []

    def open_one(**options: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        contexts.append(context)
        if LATE:
            context.add_init_script(f"const MOST = {int(LATE)};\n{LATE_ANSWERS.read_text()}")
        context.set_default_timeout(15_000)
        tab = context.new_page()
        listen_to(tab, complaints)
        return tab

    yield open_one
    for context in contexts:
        context.close()


def listen_to(tab: Any, complaints: Complaints) -> None:
    """Collect the errors of a tab."""
    tab.on("pageerror", lambda error: complaints.said.append(f"script: {error}"))
    tab.on("dialog", lambda dialog: (complaints.said.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    tab.on("console", lambda message: message.type in {"error", "warning"} and complaints.said.append(message.text))


@pytest.fixture
def tab(app: RunningApp, open_tab: Callable[..., Any]) -> Any:
    """A logged-in tab with an empty workspace."""
    opened = open_tab()
    opened.goto(app.address)
    opened.wait_for_selector("#sample")
    return opened


@pytest.fixture
def sample_tab(sample_app: RunningApp, open_tab: Callable[..., Any]) -> Any:
    """A logged-in tab with the sample site, cleaned."""
    opened = open_tab()
    opened.goto(sample_app.address)
    opened.wait_for_selector("td.removed .kept-bar")
    return opened
