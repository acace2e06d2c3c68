"""Documents of hostile sizes: every format takes work in step with the page, and no stack."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from counted_work import assert_grows_in_step, count_lines
from growing_pages import GROWING_DOCUMENTS, counted
from keep_visible import clean_visible

import dehusk
from dehusk.metadata.values import Metadata
from dehusk.outputs import page_metadata

FORMATS = ("markdown", "html", "tei")
"""The dearest of each kind: the others are written in the same ways."""


@pytest.mark.parametrize("name", GROWING_DOCUMENTS)
def test_rendering_takes_work_in_step_with_the_page(name: str) -> None:
    generate, size = GROWING_DOCUMENTS[name]

    def make_work(format_name: str, size: int) -> Callable[[], object]:
        page = clean_visible(generate(size))
        page.metadata  # noqa: B018 - found before work is counted
        return lambda: page.render(format_name)

    for format_name in FORMATS:
        assert_grows_in_step(partial(make_work, format_name), counted(size) // 2)


@pytest.mark.parametrize("format_name", ["text", "markdown", "html", "xml", "tei"])
def test_python_does_no_more_for_a_longer_page(format_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiled part writes all of it: in Python, html, XML and TEI took twenty times as long as Markdown."""
    monkeypatch.setattr(page_metadata, "metadata_of", lambda labelled: Metadata())

    def lines_of(cells: int) -> int:
        page = clean_visible(GROWING_DOCUMENTS["cells"][0](cells))
        page.render(format_name)  # whatever is imported or found once
        return count_lines(lambda: page.render(format_name))

    assert lines_of(1_000) == lines_of(100)


@pytest.mark.parametrize("name", ["nested lists", "nested quotes", "nested figures", "nested definitions"])
@pytest.mark.parametrize("format_name", dehusk.OUTPUTS)
def test_depth_costs_no_stack(name: str, format_name: str) -> None:
    assert clean_visible(GROWING_DOCUMENTS[name][0](1_000)).render(format_name)
