"""Documents of hostile sizes: every format takes time in step with the page, and no stack."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator

import pytest
from keep_visible import clean_visible

import dehusk

LARGE: dict[str, tuple[Callable[[int], str], int]] = {
    "list items": (lambda n: "<ol>" + "<li>one" * n, 2_500),
    "items of one paragraph and a list each": (lambda n: "<ul>" + "<li>one<ol><li>two</ol>" * n, 1_500),
    "nested lists": (lambda n: "<ul><li>one" * n, 2_500),
    "lists beside items, nested": (lambda n: "<ul><li>one</li>" * n, 2_500),
    "nested quotes": (lambda n: "<blockquote>one" * n, 2_500),
    "nested definitions": (lambda n: "<dl><dt>one<dd>two" * n, 2_500),
    "nested figures": (lambda n: "<figure><img src=x>one<figcaption>two</figcaption>" * n, 2_500),
    "definitions": (lambda n: "<dl>" + "<dt>one<dd>two" * n, 1_500),
    "marks of one footnote": (lambda n: "<p>" + "x<sup><a href=#n>1</a></sup> " * n + "<p id=n>note", 2_500),
    "marks of a footnote each": (
        lambda n: (
            "".join(f"<p>x<sup><a href=#n{number}>1</a></sup>" for number in range(n))
            + "".join(f"<p id=n{number}>note" for number in range(n))
        ),
        2_500,
    ),
    "marks of stars": (
        lambda n: (
            "<p>"
            + "".join(f"x<sup><a href=#n{number}>*</a></sup> " for number in range(n))
            + "".join(f"<p id=n{number}>*" for number in range(n))
        ),
        2_500,
    ),
    "cells": (lambda n: "<table>" + f"<tr>{'<td>one' * 10}" * (n // 10), 2_500),
    "cells of one row": (lambda n: "<table><tr>" + "<td>one" * n + "<tr><td>one<td>two", 2_500),
    "cells that span": (lambda n: "<table>" + f"<tr>{'<td colspan=3 rowspan=2>one' * 5}" * (n // 5), 2_500),
    "formulas in scripts": (lambda n: "<p>x" + "<script type=math/tex>a^2</script> y " * n, 2_500),
    "formulas in paragraphs": (lambda n: "<p><script type=math/tex>a^2</script>y" * n, 2_500),
    "formulas alone": (lambda n: "<p>x</p><script type=math/tex>a^2</script>" * n, 1_500),
    "formulas beside hidden text": (lambda n: "<p><i hidden>h</i>x <img class=latex src=i alt='a^2'>" * n, 1_500),
    "formulas in elements": (
        lambda n: "<p>x" + "<math><mi>a</mi><annotation encoding=tex>a^2</annotation></math> y " * n,
        2_500,
    ),
    "readings": (lambda n: "<p>" + "<ruby>x<rt>y</rt></ruby>" * n, 2_500),
    "marks in turn": (lambda n: "<p>" + "<b>x</b><i>y</i><code>z</code> " * n, 2_500),
    "headings ever deeper": (
        lambda n: "".join(f"<h{number % 6 + 1}>one</h{number % 6 + 1}>two" for number in range(n)),
        1_500,
    ),
}
FORMATS = ("markdown", "html", "tei")
"""The dearest of each kind: the others are written in the same ways."""


@pytest.fixture
def no_cycle_collector() -> Iterator[None]:
    """It runs whenever it likes, and takes longer the more the other tests have left behind."""
    gc.disable()
    yield
    gc.enable()


def _seconds(html: str) -> dict[str, float]:
    page = clean_visible(html)
    page.metadata  # noqa: B018 - found before the clock runs
    taken = {}
    for name in FORMATS:
        started = time.process_time()
        assert page.render(name)
        taken[name] = time.process_time() - started
    return taken


@pytest.mark.usefixtures("no_cycle_collector")
@pytest.mark.parametrize("name", LARGE)
def test_rendering_takes_time_in_step_with_the_page(name: str) -> None:
    generate, size = LARGE[name]
    small, large = _seconds(generate(size // 4)), _seconds(generate(size))
    # Four times the page: linear work is 4, quadratic 16. Below some hundredths of a second clocks say nothing.
    assert [name for name in FORMATS if large[name] > 8 * max(small[name], 0.03)] == []


@pytest.mark.parametrize("name", ["nested lists", "nested quotes", "nested figures", "nested definitions"])
@pytest.mark.parametrize("format_name", dehusk.OUTPUTS)
def test_depth_costs_no_stack(name: str, format_name: str) -> None:
    assert clean_visible(LARGE[name][0](1_000)).render(format_name)
