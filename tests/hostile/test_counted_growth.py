"""Markup repeated: the compiled part, which counts its own work, takes work in step with the page in every output."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import pytest
from counting_process import CountingProcess
from growing_pages import KEPT

_LINEAR = 2.1
"""Twice the input adds twice the work, four times if it is quadratic."""
_SLACK = 100_000
"""Blocks of code; what odd sizes and limits cost once."""

MARKUP: dict[str, Callable[[int], str]] = {
    "paragraphs": lambda n: f"<p>{KEPT}</p>" * n,
}


@pytest.fixture(scope="module")
def process() -> Iterator[CountingProcess]:
    if shutil.which("cargo") is None:
        pytest.skip("cargo, which builds the counted library, is not installed")
    with CountingProcess() as process:
        yield process


@pytest.mark.parametrize("what", ["clean", "text", "markdown", "html"])
@pytest.mark.parametrize("name", MARKUP)
def test_native_work_grows_in_step(process: CountingProcess, name: str, what: str) -> None:
    quarter, half, whole = (process.count(MARKUP[name](size), what).native for size in (500, 1_000, 2_000))
    assert half > quarter + 1_000
    assert whole - half <= _LINEAR * (half - quarter) + _SLACK, (quarter, half, whole)
