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
    "callouts": lambda n: "<div class='note warning'><p class=title>Note</p><p>Body</p></div>" * n,
    "formatting opened again": lambda n: "<b><i><u><p></b>x</i></p>" * n,
    "footnotes with links back": lambda n: (
        "".join(f"<p>x<sup><a id=r{i} href=#n{i}>{i}</a></sup>" for i in range(n))
        + "".join(f"<p id=n{i}>note {i} <a href=#r{i}>back</a>" for i in range(n))
    ),
    "footnotes of one id": lambda n: "<p>x<sup><a href=#n>1</a></sup>" * n + "<p id=n>note" * n,
    "cards": lambda n: "<div class=card><a href=/p><img src=/i.jpg><h3>Title</h3></a><p>Text.</p></div>" * n,
    "changes": lambda n: "<p><del>one</del><ins>two</ins>" * n,
    "nested MathML": lambda n: "<p><math>" + "<mrow><mi>x</mi>" * n,
    "powers": lambda n: "<p>" + "<sup>2</sup>x" * n,
    "formulas in a formula": lambda n: "<p>x<span class=katex>" + "<math alttext='x^2'></math>" * n,
    "formulas in a description": lambda n: "<dl><dd><span class=katex>" + "<math alttext='x^2'></math>" * n,
    "headings for listeners": lambda n: "<h1 class=sr-only>Title</h1>" * n,
    "headings below a menu": lambda n: "<li><a href=/x>Menu</a>" * n + f"<p>{KEPT}</p>" + "<h2>Title</h2>" * n,
    "numbers beside code": lambda n: "<table class=highlighttable>" + "<tr><td>x" * n + "<tr><td><pre>1</pre>" * n,
    "blanks before raised numbers": lambda n: "<p>" + " " * 60 * n + "<sup>1</sup> " * n + "<p>x",
    "many classes around images": lambda n: f"<div class='{'x ' * 40 * n}'>" + "<img src=/i.jpg alt=y><p>x</p>" * n,
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
