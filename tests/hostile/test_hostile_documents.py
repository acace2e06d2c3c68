"""Documents of hostile sizes: every format takes work in step with the page, and no stack."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from counted_work import assert_grows_in_step
from growing_pages import GROWING_DOCUMENTS, counted
from keep_visible import clean_visible

import dehusk

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


@pytest.mark.parametrize("name", ["nested lists", "nested quotes", "nested figures", "nested definitions"])
@pytest.mark.parametrize("format_name", dehusk.OUTPUTS)
def test_depth_costs_no_stack(name: str, format_name: str) -> None:
    assert clean_visible(GROWING_DOCUMENTS[name][0](1_000)).render(format_name)
