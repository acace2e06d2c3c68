"""What the outputs make of blocks must not depend on how a method chooses them: all that is visible is kept."""

from __future__ import annotations

from typing import Any

import pytest
from keep_visible import Clean, Render, clean_visible


def _renderer(format_name: str) -> Render:
    def render(html: str | bytes, options: Any = None, **how: str) -> str:
        return clean_visible(html, **how).render(format_name, options)

    return render


# For the whole session, so that hypothesis may use them: they hold no state.
@pytest.fixture(scope="session")
def clean() -> Clean:
    """Clean a page with the model that keeps what is visible."""
    return clean_visible


@pytest.fixture(scope="session")
def text() -> Render:
    return _renderer("text")


@pytest.fixture(scope="session")
def markdown() -> Render:
    return _renderer("markdown")


@pytest.fixture(scope="session")
def html_output() -> Render:
    return _renderer("html")


@pytest.fixture(scope="session")
def json_output() -> Render:
    return _renderer("json")


@pytest.fixture(scope="session")
def xml_output() -> Render:
    return _renderer("xml")


@pytest.fixture(scope="session")
def tei_output() -> Render:
    return _renderer("tei")
