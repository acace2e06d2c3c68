"""Markup repeated: the compiled part, which counts its own work, takes work in step with the page in every output."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from counting_process import CountingProcess
from growing_pages import KEPT

_LINEAR = 2.1
"""Twice the input adds twice the work, four times if it is quadratic."""
_SLACK = 20_000
"""Blocks of code; what odd sizes and limits cost once."""


class Repeated(NamedTuple):
    """Markup of any size, the size of the smallest page, and what takes more work than it should if it takes any."""

    generate: Callable[[int], str]
    size: int = 500
    works: tuple[str, ...] = ("clean", "text", "markdown", "html")


_ALL_MARKED = ("text", "markdown", "html")
_MARKED = ("markdown", "html")

MARKUP: dict[str, Repeated] = {
    "paragraphs": Repeated(lambda n: f"<p>{KEPT}</p>" * n),
    "callouts": Repeated(
        lambda n: "<div class='note warning'><p class=title>Note</p><p>Body</p></div>" * n, 1_000, ("clean",)
    ),
    "formatting opened again": Repeated(lambda n: "<b><i><u><p></b>x</i></p>" * n, works=_MARKED),
    "footnotes with links back": Repeated(
        lambda n: (
            "".join(f"<p>x<sup><a id=r{i} href=#n{i}>{i}</a></sup>" for i in range(n))
            + "".join(f"<p id=n{i}>note {i} <a href=#r{i}>back</a>" for i in range(n))
        ),
        works=_ALL_MARKED,
    ),
    "footnotes of one id": Repeated(
        lambda n: "<p>x<sup><a href=#n>1</a></sup>" * n + "<p id=n>note" * n, works=_ALL_MARKED
    ),
    "cards": Repeated(
        lambda n: "<div class=card><a href=/p><img src=/i.jpg><h3>Title</h3></a><p>Text.</p></div>" * n, 2_000, _MARKED
    ),
    "changes": Repeated(lambda n: "<p><del>one</del><ins>two</ins>" * n, works=_MARKED),
    "nested MathML": Repeated(lambda n: "<p><math>" + "<mrow><mi>x</mi>" * n, works=("clean",)),
    "powers": Repeated(lambda n: "<p>" + "<sup>2</sup>x" * n, works=_ALL_MARKED),
    "formulas in a formula": Repeated(
        lambda n: "<p>x<span class=katex>" + "<math alttext='x^2'></math>" * n, works=("clean",)
    ),
    "formulas in a description": Repeated(
        lambda n: "<dl><dd><span class=katex>" + "<math alttext='x^2'></math>" * n, works=("clean",)
    ),
    "headings for listeners": Repeated(lambda n: "<h1 class=sr-only>Title</h1>" * n, 2_000, ("text",)),
    "headings below a menu": Repeated(
        lambda n: "<li><a href=/x>Menu</a>" * n + f"<p>{KEPT}</p>" + "<h2>Title</h2>" * n, 2_000, ("markdown",)
    ),
    "numbers beside code": Repeated(
        lambda n: "<table class=highlighttable>" + "<tr><td>x" * n + "<tr><td><pre>1</pre>" * n, works=_ALL_MARKED
    ),
    "blanks before raised numbers": Repeated(
        lambda n: "<p>" + " " * 60 * n + "<sup>1</sup> " * n + "<p>x", works=_ALL_MARKED
    ),
    "many classes around images": Repeated(
        lambda n: f"<div class='{'x ' * 40 * n}'>" + "<img src=/i.jpg alt=y><p>x</p>" * n, works=_MARKED
    ),
}


@pytest.fixture(scope="module")
def process() -> Iterator[CountingProcess]:
    if shutil.which("cargo") is None:
        pytest.skip("cargo, which builds the counted library, is not installed")
    with CountingProcess() as process:
        yield process


@pytest.mark.parametrize(
    ("name", "work"), [(name, work) for name, repeated in MARKUP.items() for work in repeated.works]
)
def test_native_work_grows_in_step(process: CountingProcess, name: str, work: str) -> None:
    generate, size, _ = MARKUP[name]
    quarter, half, whole = (process.count(generate(times * size), work).native for times in (1, 2, 4))
    assert half > quarter + 1_000
    assert whole - half <= _LINEAR * (half - quarter) + _SLACK, (quarter, half, whole)
