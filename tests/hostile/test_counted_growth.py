"""Markup repeated: counted work grows in step with the page, in every output, in metadata and in learning."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import product

import pytest
from counted_growth import WORKS, growth_of
from counting_process import CountingProcess
from repeated_markup import REPEATED
from thoroughness import spread

_FEWEST = 32
"""Repetitions on the smallest page. So many that what odd sizes cost does not count as growth."""
_SMALLEST = 8_000
"""Bytes of the smallest page, of which the largest has four times as many."""
_STEP = 61
"""Of all pairs of markup and work a default run tries so few. A prime number, so that all works are among them."""

_MARKED = ("markdown", "html")
_WRITTEN = ("text", *_MARKED)
_ONCE_FASTER: dict[str, tuple[str, ...]] = {
    "callouts": ("clean",),
    "formatting opened again": _MARKED,
    "footnotes": _WRITTEN,
    "footnotes of one id": _WRITTEN,
    "cards of other pages": _MARKED,
    "deleted and inserted": _MARKED,
    "nested MathML": ("clean",),
    "nested folding": ("clean",),
    "powers": _WRITTEN,
    "formulas in a formula": ("clean",),
    "formulas in a description": ("clean",),
    "headings for listeners": ("text",),
    "headings below a menu": ("markdown",),
    "numbers beside code": _WRITTEN,
    "blanks before raised numbers": _WRITTEN,
    "many classes around images": _MARKED,
}
"""Markup by name, and the works that once took more than in step with it: these are always tried."""


def _pairs() -> list[tuple[str, str]]:
    """Markup and work to count, by their names."""
    once_faster = [(name, work) for name, works in _ONCE_FASTER.items() for work in works]
    return list(dict.fromkeys([*once_faster, *spread(product(REPEATED, WORKS), _STEP)]))


@pytest.fixture(scope="module")
def process() -> Iterator[CountingProcess]:
    if shutil.which("cargo") is None:
        pytest.skip("cargo, which builds the counted library, is not installed")
    with CountingProcess() as process:
        yield process


@pytest.mark.parametrize(("name", "work"), _pairs())
def test_work_grows_in_step_with_the_page(process: CountingProcess, name: str, work: str) -> None:
    markup = REPEATED[name]
    growth = process.growth(markup, work, max(_FEWEST, markup.repetitions(_SMALLEST)))
    assert growth.in_step, growth


def test_markup_is_of_a_hundred_kinds_and_grows() -> None:
    assert len(REPEATED) >= 100
    for name, markup in REPEATED.items():
        lengths = [len(markup.page(size)) for size in (100, 200, 300)]
        assert 0 < lengths[1] - lengths[0] <= lengths[2] - lengths[1], name
        assert len(set(markup.site(10))) == 3, name


def test_a_square_shows() -> None:
    linear = {1: 50_000, "text.py:write": 3_000}
    square = [{part: size * work for part, work in linear.items()} | {2: 100 * size**2} for size in (100, 200, 400)]
    growth = growth_of(square, repetitions=100)
    assert growth.part == "2"
    assert growth.part_exponent > 1.9
    assert not growth.in_step


def test_work_in_step_with_the_page_is_told_as_such() -> None:
    counts = [{1: 50_000 * size, "text.py:write": 3_000 * size + 900} for size in (100, 200, 400)]
    growth = growth_of(counts, repetitions=100)
    assert growth.in_step
    assert 0.99 < growth.exponent < 1.01
    assert 0.99 < growth.part_exponent < 1.01
