"""Pages without content keep one message, or their title."""

from __future__ import annotations

import numpy as np
import pytest

import dehusk
from dehusk.blocks.segmentation import segment
from dehusk.deciding.decisions import Decision, JudgedBlocks, decide
from dehusk.deciding.rules import RULES
from dehusk.methods.base import Judgement
from dehusk.page.page_reading import read_page


def kept_of(
    html: str, scores: list[float], rules: tuple[str, ...] = ("one-message",), threshold: float = 0.5
) -> list[int]:
    """Indexes of the blocks that are kept on a page without content."""
    blocks = segment(read_page(html))
    columns = np.array(scores, dtype=np.float32)
    judgement = Judgement(columns, threshold, np.zeros_like(columns), "empty", 1.0, True)
    judged = JudgedBlocks(blocks, dehusk.Hybrid().fit(), columns, threshold, judgement)
    return list(decide(judged, Decision(rules=rules)).kept)


def kept(scores: list[float], text: str = "Message") -> list[int]:
    """The same for a page of paragraphs."""
    return kept_of("".join(f"<p>{text} {number}</p>" for number in range(len(scores))), scores)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([0.1, 0.9, 0.1, 0.1, 0.8], [1]),
        ([0.6, 0.1, 0.9, 0.1, 0.8], [0, 2, 4]),
        ([0.6, 0.1, 0.1, 0.9, 0.8, 0.1, 0.1, 0.7], [3, 4]),
        ([0.9, 0.1, 0.1, 0.9], [0]),
        ([0.9], [0]),
        ([0.1, 0.1], []),
        ([], []),
    ],
    ids=["alone", "with gaps of one block", "from the middle", "the first of two", "one", "nothing kept", "no blocks"],
)
def test_the_best_block_stays_with_what_is_around_it(scores: list[float], expected: list[int]) -> None:
    assert kept(scores) == expected


def test_a_page_with_a_long_text_has_content() -> None:
    assert kept([0.9, 0.1, 0.1, 0.8], "x" * 196) == [0]
    assert kept([0.9, 0.1, 0.1, 0.8], "x" * 198) == [0, 3]


def test_tags_of_templates_are_no_message() -> None:
    assert kept_of("<h1>Members</h1><p>[members form=12]</p>", [0.9, 0.8]) == [0]


def test_a_doubt_about_the_type_drops_nothing() -> None:
    assert RULES["one-message"].applies("empty", is_agreed=True)
    assert not RULES["one-message"].applies("empty", is_agreed=False)


TITLE = "<title>Seven kettles compared – Tea House</title>"
BOTH = ("one-message", "title-alone")


@pytest.mark.parametrize(
    ("body", "scores", "expected"),
    [
        ("<p>All rights reserved by Tea House<p>12", [0.9, 0.8, 0.95], [0]),
        ("<h2>Poll</h2><p>Tea", [0.9, 0.95, 0.1], [0, 1]),
        ("<p>Sorry, these kettles could not be found.", [0.6, 0.9], [0, 1]),
        (f"<p>{'The first kettle is of copper. ' * 17}", [0.9, 0.8], [0, 1]),
        ("<p>March 2021<p>Share", [0.1, 0.2, 0.1], [0]),
        ("<h2>Seven kettles compared</h2><p>March 2021", [0.1, 0.1, 0.2], [1]),
        (f"<p>{'The first kettle is of copper. ' * 7}", [0.1, 0.3], [1]),
        ("<p>March 2021<p><p>Share<p>Tweet<p>Like", [0.1, 0.2, 0.1, 0.1, 0.6], [4]),
    ],
    ids=[
        "only numbers score higher",
        "a heading scores higher",
        "a sentence scores higher",
        "beside a long text",
        "nothing is likely",
        "nothing is likely, and a heading has the title",
        "nothing is likely, and a text",
        "something is likely",
    ],
)
def test_the_title_stays_alone_where_nothing_says_more(body: str, scores: list[float], expected: list[int]) -> None:
    assert kept_of(TITLE + body, scores, BOTH, threshold=0.15) == expected


def test_the_title_stays_alone_even_if_the_type_is_in_doubt() -> None:
    assert RULES["title-alone"].applies("empty", is_agreed=False)
    assert not RULES["title-alone"].applies("article", is_agreed=True)


MISSING = (
    "<title>Tea</title><h1>Page not found</h1><p>{sentence}</p><ul><li>Check the address</ul><p>Browse our kettles"
)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (MISSING.format(sentence="The page you are looking for has moved."), [1, 2]),
        (MISSING.format(sentence="This site is an archive of the shop.</p><p>No such page here, sorry."), [1, 3]),
        ("<h2>Oops, that went wrong</h2><h1>404</h1><p>We have lost this one, so sorry.</p><p>Go home", [0, 1, 2]),
        ("<h1>404</h1><h2>Page not found</h2><p>We have lost this one, so sorry.</p><p>Go home", [0, 1, 2]),
        ("<title>404 Not Found</title><p>Not Found: 404</p><p>The address was not found.</p><p>Server", [1, 2]),
        ("<title>Page not found | Tea</title><p>Tea for two, and two for tea.</p><p>Home", [0, 1]),
    ],
    ids=["with its sentence", "the sentence with its word", "below a heading", "two lines", "no heading", "title only"],
)
def test_a_page_that_is_not_there_keeps_what_says_so(html: str, expected: list[int]) -> None:
    count = len(segment(read_page(html)))
    assert kept_of(html, [0.9] * count, BOTH) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h1>Events in May</h1><p>Mon<p>Tue<p>There are no upcoming events.<p>Wed", [0, 3]),
        ("<title>Kettles – Tea</title><p>Filter<p>No kettles found.<p>Price", [0, 2]),
        ("<h1>Copper kettle</h1><p>39 €<p>x<p>y<p>There are no reviews yet.", [0, 1, 2, 3, 4]),
        (f"<h1>Kettles</h1><p>{'Tea needs hot water. ' * 10}<p>There are no upcoming events.", [0, 1, 2]),
    ],
    ids=["below a heading", "below a title", "beside a product", "beside a text"],
)
def test_a_page_that_says_that_there_is_nothing_keeps_that(html: str, expected: list[int]) -> None:
    assert kept_of(html, [0.9] * len(segment(read_page(html)))) == expected


def judged_type(html: str) -> str:
    return dehusk.clean(html).page_type


def test_a_page_that_is_not_there_is_empty() -> None:
    note = "<p>Sorry, the page you are looking for is not here. It may have moved.</p>"
    assert judged_type(f"<title>Page not found – Tea</title><h1>Page not found</h1>{note}") == "empty"
    tips = "<p>Say that the page was not found, and show readers the way to what they were looking for. " * 40
    assert judged_type(f"<title>Page not found – Tea</title><h1>Page not found</h1>{tips}") != "empty"


@pytest.mark.parametrize("rule", ["one-message", "title-alone"])
def test_a_page_of_links_to_other_sites_keeps_them(rule: str) -> None:
    links = "".join(f"<p><a href=https://{name}.example/>{name}</a></p>" for name in ("tea", "pots", "cups"))
    page = f"<title>Nora</title><h1>Nora N.</h1><p>I make pots.</p>{links}<footer><a href=/terms>Terms</a></footer>"
    assert kept_of(page, [0.9, 0.4, 0.2, 0.1, 0.1, 0.1, 0.1], (rule,)) == [1, 2, 3, 4, 5]
    menu = page.replace("https://tea.example/", "/tea").replace("https://pots.example/", "/pots")
    assert 3 not in kept_of(menu, [0.9, 0.4, 0.2, 0.1, 0.1, 0.1, 0.1], (rule,))
