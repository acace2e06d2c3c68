"""Hidden text that nothing on the page can show."""

from __future__ import annotations

import numpy as np
import pytest
from single_rules import dropped_by

from dehusk.blocks.segmentation import segment
from dehusk.page.page_reading import read_page

TEXT = "<p>Mine takes three minutes, but then our water is softer than most, and I descale it every month.</p>" * 4
SECRET = "Nobody reads this line."
SCRIPT = "<script src=site.js></script>"


def found(html: str, keep: bool = True) -> list[str]:
    blocks = segment(read_page(html))
    never_shown = dropped_by("hidden-text", blocks, np.full(len(blocks), keep), "article")
    return [blocks.texts[index] for index in np.flatnonzero(never_shown).tolist()]


@pytest.mark.parametrize("script", ["", SCRIPT], ids=["no script", "script"])
@pytest.mark.parametrize(
    "hidden",
    [
        f"<p hidden>{SECRET}</p>",
        f"<p hidden=hidden>{SECRET}</p>",
        f"<p style='display:none'>{SECRET}</p>",
        f"<p style='color: red; DISPLAY : None !important'>{SECRET}</p>",
        f"<p style='visibility: hidden'>{SECRET}</p>",
        f"<div hidden><section><p>{SECRET}</p></section></div>",
        f"<p class='' hidden>{SECRET}</p>",
        f"<p aria-hidden=true hidden>{SECRET}</p>",
        f"<p>A kettle <span hidden>{SECRET}</span> of steel.</p>",
        f"<div style='visibility:visible'><p style='visibility:hidden'>{SECRET}</p></div>",
        f"<p hidden>{SECRET}</p><div class=accordion>{TEXT}</div>",
    ],
)
def test_what_has_no_handle_is_never_shown(hidden: str, script: str) -> None:
    assert found(script + TEXT + hidden + TEXT) == [SECRET]


@pytest.mark.parametrize(
    "shown",
    [
        f"<p aria-hidden=true>{SECRET}</p>",
        f"<p class=sr-only>{SECRET}</p>",
        f"<p hidden=until-found>{SECRET}</p>",
        f"<p hidden style='display: block'>{SECRET}</p>",
        f"<p style='display: none; display: block'>{SECRET}</p>",
        f"<div style='visibility:hidden'><p style='visibility:visible'>{SECRET}</p></div>",
        f"<noscript><p>{SECRET}</p></noscript>",
        f"<details><summary>Water</summary><p>{SECRET}</p></details>",
        f"<p>A kettle <span aria-hidden=true>★ {SECRET}</span><span hidden>er</span> of steel.</p>",
    ],
)
def test_what_a_browser_shows_or_another_rule_hides(shown: str) -> None:
    assert found(TEXT + shown + TEXT) == []


@pytest.mark.parametrize("script", ["", SCRIPT], ids=["no script", "script"])
@pytest.mark.parametrize(
    "shown",
    [
        f"<div role=tabpanel hidden><p>{SECRET}</p></div>",
        f"<div class=tab-content><div hidden><p>{SECRET}</p></div></div>",
        f"<div class=tab__content hidden>{SECRET}</div>",
        f"<div class=accordion><div><h3>Water</h3><div style='display:none'><p>{SECRET}</p></div></div></div>",
        f"<section aria-labelledby=water hidden>{SECRET}</section>",
        f"<h3><button aria-expanded=false>Water</button></h3><div style='display:none'>{SECRET}</div>",
        f"<p>It boils. <a href='#'>Read on</a></p><p style='display:none'>{SECRET}</p>",
        f"<p style='display:none'>{SECRET}</p><p><a href='javascript:on()'>Read on</a></p>",
        f"<p style='display:none'>{SECRET}</p><p hidden>{SECRET}</p><a class=read-more href=/on>On</a>",
        f"<ul><li>Steel<li>Glass<li hidden>{SECRET}</ul><a>All kettles</a>",
        f"<table class=collapsible><tr><th>Water<tr hidden><td><table><tr hidden><td>{SECRET}</table></table>",
        f"<a href='#water'>Water</a>{TEXT}<div id=water hidden>{SECRET}</div>",
        f"<div x-show=open style='display:none'>{SECRET}</div>",
        f"<div hidden data-amp-bind-hidden='!open'>{SECRET}</div>",
        f"<my-notes hidden>{SECRET}</my-notes>",
    ],
)
def test_what_something_on_the_page_can_show(shown: str, script: str) -> None:
    assert found(script + TEXT + shown + TEXT) == []


@pytest.mark.parametrize("name", ["id=water", "class=water"])
@pytest.mark.parametrize(
    ("sign", "never_shown"),
    [
        ("", True),
        ("<script type='application/ld+json'>{}</script>", True),
        ("<form><button>Search</button></form>", True),
        (SCRIPT, False),
        ("<script type='text/javascript'>show()</script>", False),
        ("<noscript>Please switch on scripts.</noscript>", False),
        ("<header><button>Menu</button></header>", False),
    ],
)
def test_a_name_is_a_handle_for_scripts_alone(name: str, sign: str, never_shown: bool) -> None:
    html = f"{sign}{TEXT}<p {name} hidden>{SECRET}</p>{TEXT}"
    assert found(html) == [SECRET] * never_shown


def test_a_page_that_waits_for_its_script_is_not_lost() -> None:
    for whole in (f"<body style='visibility:hidden'>{TEXT}", f"<body><div style='display:none'>{TEXT}</div>"):
        assert found(whole) == found(SCRIPT + whole) == []
    most = f"<h1>Kettles</h1><p>{SECRET}<div hidden>{TEXT}</div>"
    assert found(SCRIPT + most) == found(most) == []
    half = f"{TEXT}<h2>More</h2><div hidden>{TEXT}{TEXT}</div>"
    assert found(SCRIPT + half) == []
    assert len(found(half)) == 8, "no script to wait for"


def test_hidden_within_a_page_that_waits() -> None:
    assert found(f"{SCRIPT}<body style='visibility:hidden'>{TEXT}<p hidden>{SECRET}</p>{TEXT}") == [SECRET]


def test_what_is_dropped_anyway_is_not_found() -> None:
    assert found(f"{TEXT}<p hidden>{SECRET}", keep=False) == []
    assert found("") == []


@pytest.mark.parametrize(
    ("part", "never_shown"),
    [
        ("<a aria-controls=w{0}>x</a><p id=w{0} hidden>a</p>", 0),
        ("<p hidden>a</p>", 1),
        ("<section><div class=x{0}><i style='visibility:hidden'>a</i></div></section>", 1),
        ("<div hidden><i style='visibility:hidden'>a</i>", 1),
        ("<p class=tab style=';;; ;display:none'>a</p>", 0),
    ],
)
def test_tens_of_thousands_of_hidden_elements(part: str, never_shown: int) -> None:
    # Work that grows with the square of the page would not end.
    size = 40_000
    html = TEXT * 200 + "".join(map(part.format, range(size)))
    assert sum(text == "a" for text in found(html)) == size * never_shown
