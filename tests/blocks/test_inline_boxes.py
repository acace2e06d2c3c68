"""Inline elements that a browser shows as boxes of their own: their texts are not joined."""

from __future__ import annotations

import pytest

import dehusk


def text_of(html: str) -> list[str]:
    return list(dehusk.segment(dehusk.read_page(html)).texts)


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<p><span style='display:block'>45</span><span>30 days</span>", id="style of the first"),
        pytest.param("<p><span>45</span><span style='color:red; DISPLAY: inline-block'>30 days</span>", id="second"),
        pytest.param("<style>.price{display:block}</style><p><b class='big price'>45</b>30 days", id="class"),
        pytest.param("<style>#price{display:table-cell}</style><p><b id=price>45</b>30 days", id="id"),
        pytest.param("<style>a, em {display:block}</style><p><em>45</em>30 days", id="tag"),
        pytest.param("<p style='display:flex'><span>45</span><span>30 days</span>", id="flex box"),
        pytest.param("<style>.row{display:grid}</style><div class=row><b>45</b><b>30 days</b></div>", id="grid"),
        pytest.param("<div class='flex gap-2'><span>45</span><span>30 days</span></div>", id="Tailwind"),
        pytest.param("<p><span class='d-block'>45</span>30 days", id="Bootstrap"),
        pytest.param("<p><span>45</span> <span style='display:block'>30 days</span>", id="blank once"),
    ],
)
def test_boxes_are_apart(html: str) -> None:
    assert text_of(html) == ["45 30 days"]


@pytest.mark.parametrize(
    "html",
    [
        "<p><span>un</span><b>do</b>",
        "<style>@media print {b {display:block}} p b{display:block} b:hover{display:block}</style><p>un<b>do</b>",
        "<style>b{display:block}</style><p>un<b style='display:inline'>do</b>",
        "<p>un<b class=flexible>do</b>",
        "<p>un<i style='display:contents'>do</i>",
    ],
)
def test_others_are_joined(html: str) -> None:
    assert text_of(html) == ["undo"]


def test_exact_white_space_stays() -> None:
    assert text_of("<pre><span style='display:block'>a</span><span class=block>b</span></pre>") == ["ab"]


@pytest.mark.parametrize(
    "sheet", ["{" * 9_999, "}" * 9_999, ".a{" * 9_999, "display:block" * 9_999, "\x00{display:\xff"]
)
def test_any_sheet_is_read(sheet: str) -> None:
    assert text_of(f"<style>{sheet}</style><p>un<b>do</b>") == ["undo"]
