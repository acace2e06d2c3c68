"""CSS selectors on columns match what lxml's selectors match, and pruned pages are as if parsed without elements."""

from __future__ import annotations

import numpy as np
import pytest
from counted_work import assert_grows_in_step
from hypothesis import given
from hypothesis import strategies as st
from tag_soup import tag_soup

import dehusk
from dehusk.page.page_columns import Page
from dehusk.page.pruning import without_elements
from dehusk.page.selectors import matching_rows

HTML = """<!DOCTYPE html><html lang=en><head><title>T</title></head><body id=top>
<nav class="menu main"><ul><li class=a><a href=/x rel="nofollow noopener">one</a></li><li>two</li><li></li></ul></nav>
<main><h1 id=t>Tea</h1><p class=lead lang=en-GB>First</p><p>Second <b>bold</b></p><div><p>Third</p></div>
<custom-part>Own</custom-part></main><aside class="related box"><p>Related</p></aside></body></html>"""


@pytest.fixture(scope="module")
def page() -> Page:
    return dehusk.read_page(HTML)


def names(page: Page, selector: str) -> list[str]:
    rows = np.flatnonzero(matching_rows(page, selector)).tolist()
    return [
        f"{page.tag_name(row)}:{' '.join(page.text[page.text_start[row] : page.text_end[row]].split())}" for row in rows
    ]


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        ("h1", ["h1:Tea"]),
        ("H1, b", ["h1:Tea", "b:bold"]),
        ("custom-part", ["custom-part:Own"]),
        (".menu.main > ul > .a", ["li:one"]),
        ("#t", ["h1:Tea"]),
        ("main p", ["p:First", "p:Second bold", "p:Third"]),
        ("main > p", ["p:First", "p:Second bold"]),
        ("h1 + p", ["p:First"]),
        ("h1 ~ p", ["p:First", "p:Second bold"]),
        ("h1 ~ p ~ div p", ["p:Third"]),
        ("p:not(.lead):not(main > p)", ["p:Third", "p:Related"]),
        (":is(h1, b)", ["h1:Tea", "b:bold"]),
        (":where(aside) p", ["p:Related"]),
        ("p:has(b)", ["p:Second bold"]),
        ("div:has(> p)", ["div:Third"]),
        ("h1:has(+ .lead)", ["h1:Tea"]),
        ("p:has(~ custom-part)", ["p:First", "p:Second bold"]),
        ("[rel]", ["a:one"]),
        ("[rel~=noopener]", ["a:one"]),
        ("[rel=noopener]", []),
        ("[lang|=en]", ["html:T onetwo TeaFirstSecond boldThird OwnRelated", "p:First"]),
        ("p[lang^=en]", ["p:First"]),
        ("[lang$=GB]", ["p:First"]),
        ("p[lang*='N-g' i]", ["p:First"]),
        ("[class*=x]", ["aside:Related"]),
        ("li:first-child", ["li:one"]),
        ("li:last-child", ["li:"]),
        ("li:empty", ["li:"]),
        ("li:nth-child(2n+1)", ["li:one", "li:"]),
        ("li:nth-child(-n+2)", ["li:one", "li:two"]),
        ("li:nth-last-child(2)", ["li:two"]),
        ("main > :nth-of-type(2)", ["p:Second bold"]),
        ("main > p:first-of-type", ["p:First"]),
        ("main > p:last-of-type", ["p:Second bold"]),
        ("div > :only-child", ["p:Third"]),
        (":root > body > aside", ["aside:Related"]),
        ("main *", ["h1:Tea", "p:First", "p:Second bold", "b:bold", "div:Third", "p:Third", "custom-part:Own"]),
    ],
)
def test_selectors_match(page: Page, selector: str, found: list[str]) -> None:
    assert names(page, selector) == found


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        ("p >", "not a CSS selector"),
        ("", "not a CSS selector"),
        ("p::before", "pseudo-elements"),
        ("p:hover", ":hover is not supported"),
        ("p:nth-child(x)", "not with these arguments"),
        ("[data-own]", "pages keep no attribute 'data-own'"),
        (":has(a b)", "combinators within :has"),
        ("p" * 3000, "more than 2,000 characters"),
        (":not(" * 40 + "p" + ")" * 40, "more than 20 brackets"),
    ],
)
def test_what_is_refused(page: Page, selector: str, message: str) -> None:
    with pytest.raises(dehusk.InvalidSetting, match=message.replace("(", r"\(")):
        matching_rows(page, selector)


def test_time_is_in_step_with_the_page() -> None:
    def work(size: int) -> object:
        page = dehusk.read_page("<p class=a>x</p>" * size + "<div>" * size)
        return lambda: matching_rows(page, "p ~ p.a:nth-child(2n):not(:has(b)), div div > div")

    assert_grows_in_step(work, 4000)  # type: ignore[arg-type]


COLUMNS = (
    *"tag flags parent subtree_end depth text_start text_end text_length hidden attribute_start".split(),
    *"attribute_name embedded_row".split(),
)


def same(one: Page, other: Page) -> bool:
    columns = all(np.array_equal(getattr(one, name), getattr(other, name)) for name in COLUMNS)
    return columns and one.text == other.text and list(one.attribute_value) == list(other.attribute_value)


def test_a_pruned_page_is_the_page_without_these_elements(page: Page) -> None:
    pruned = without_elements(page, ["nav", "aside p", "custom-part, b"])
    nav = HTML[HTML.index("<nav") : HTML.index("</nav>") + 6]
    without = HTML.replace(nav, "").replace("<p>Related</p>", "").replace("<custom-part>Own</custom-part>", "")
    expected = dehusk.read_page(without.replace("<b>bold</b>", ""))
    assert pruned.text.split() == expected.text.split()
    texts = pruned.is_text
    assert [pruned.text[start:end] for start, end in zip(pruned.text_start[texts], pruned.text_end[texts], strict=True)]
    assert [name for name in pruned.tag_names if name != "#text"] == [
        name for name in expected.tag_names if name != "#text"
    ]
    assert [(one.selector, one.name, one.text) for one in pruned.removed] == [
        ("nav", "nav.menu.main", "onetwo"),
        ("custom-part, b", "b", "bold"),
        ("custom-part, b", "custom-part", "Own"),
        ("aside p", "p", "Related"),
    ]
    assert without_elements(page, ["video"]) is page
    assert without_elements(page, ["li:empty"]).text == page.text
    assert len(without_elements(page, ["html"])) == 3


@given(tag_soup, st.sampled_from(["p", "div", "*", "a, b", ":first-child", "table *", "li + li"]))
def test_any_page_can_be_pruned(html: str, selector: str) -> None:
    page = dehusk.read_page(html)
    pruned = without_elements(page, [selector])
    if pruned is page:
        return
    rows = np.arange(len(pruned))
    assert (pruned.parent < rows).all()
    assert (pruned.subtree_end > rows).all()
    assert pruned.text_end.max(initial=0) <= len(pruned.text)
    kept = dehusk.clean(pruned)
    assert sum(len(block.text) for block in kept) <= len(page.text) + len(page)
