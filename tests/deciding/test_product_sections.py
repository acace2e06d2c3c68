"""What stands beside a product: reviews and other products."""

from __future__ import annotations

import numpy as np
import pytest
from single_rules import dropped_by

import dehusk
from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.deciding.decisions import Decision, JudgedBlocks, decide
from dehusk.deciding.rules import RULES
from dehusk.methods.base import Judgement
from dehusk.page.page_reading import read_page

REVIEWS, OTHERS = "reviews-of-a-product", "other-products"
PRODUCT = "<h1>Copper kettle</h1><p>39.00 €</p><p>Holds one litre and boils it in four minutes on any hob.</p>"
CARD = "<li><a href=/pan><h2>Iron pan</h2></a><p>19.00 €, with a lid that fits</p></li>"
REVIEW = "<div><h3>Boils fast</h3><p>We have had ours for nine years and use it every day.</p></div>"
AFTER = "<h2>Specification</h2><p>Weight: 900 g without the lid, 1.1 kg with it</p>"


def page(section: str, after: str = AFTER) -> Blocks:
    return segment(read_page(f"<main><div>{PRODUCT}</div>{section}<div>{after}</div></main>"))


def found(rule: str, blocks: Blocks) -> list[str]:
    """The texts that a rule drops, if everything is kept."""
    dropped = dropped_by(rule, blocks, ~blocks.hidden, "product")
    return [text for text, is_dropped in zip(blocks.texts, dropped, strict=True) if is_dropped]


@pytest.mark.parametrize(
    "line",
    ["Related products", "YOU MAY ALSO LIKE:", "Frequently bought together", "Ähnliche Produkte", "Sản phẩm liên quan"],
)
def test_other_products_go_with_the_line_above_them(line: str) -> None:
    blocks = page(f"<section><h2>{line}</h2><ul>{CARD * 2}</ul></section>")
    card = ["Iron pan", "19.00 €, with a lid that fits"]
    assert found(OTHERS, blocks) == [line, *card, *card]
    assert found(REVIEWS, blocks) == []


@pytest.mark.parametrize("line", ["Customer reviews (2)", "12 Reviews", "Ratings & Reviews", "Отзывы", "レビュー"])
def test_reviews_go_with_the_line_above_them(line: str) -> None:
    blocks = page(f"<section><h2>{line}</h2>{REVIEW * 2}</section>")
    assert found(REVIEWS, blocks)[0] == line
    assert len(found(REVIEWS, blocks)) == 5
    assert found(OTHERS, blocks) == []


def test_a_section_ends_at_the_next_heading_of_its_level() -> None:
    blocks = page(f"<div><h2>Reviews</h2>{REVIEW}{AFTER}</div>", after="")
    assert found(REVIEWS, blocks)[-1].startswith("We have had ours")


def test_a_heading_within_an_element_announces_up_to_the_next_heading() -> None:
    blocks = page(f"<div><p>A kettle for life.</p><h2>Reviews</h2>{REVIEW}{AFTER}</div>", after="")
    assert found(REVIEWS, blocks) == ["Reviews", "Boils fast", "We have had ours for nine years and use it every day."]


def test_a_line_above_nothing_takes_nothing_with_it() -> None:
    """Scripts fill such a section; what follows it in the element around is the product."""
    blocks = page(f"<div><div><h2>Related products</h2></div>{AFTER}</div>", after="")
    assert found(OTHERS, blocks) == ["Related products"]


@pytest.mark.parametrize(
    "section",
    [
        f"<section><p>A kettle for life.</p><div><b>Reviews</b></div>{REVIEW}</section>",
        f"<section><p>A kettle for life.</p><h2>Reviews</h2>{REVIEW}</section>",
        f"<section><h2><a href=#r>Reviews</a></h2>{REVIEW}</section>",
        f"<section><h2>Reviews of our kettles</h2>{REVIEW}</section>",
        f"<section><h2 hidden>Reviews</h2>{REVIEW}</section>",
    ],
    ids=["not the first in its element", "a heading without a next one", "a link", "more words", "hidden"],
)
def test_other_lines_announce_nothing(section: str) -> None:
    assert found(REVIEWS, page(section)) == []


def test_the_title_of_a_page_announces_nothing() -> None:
    blocks = segment(read_page(f"<main><h1>Featured products</h1><ul>{CARD * 3}</ul></main>"))
    assert found(OTHERS, blocks) == []


@pytest.mark.parametrize(("page_type", "drops"), [("product", True), ("listing", False), ("article", False)])
@pytest.mark.parametrize("is_agreed", [True, False])
def test_only_products_have_something_beside_them(page_type: str, drops: bool, is_agreed: bool) -> None:
    assert RULES[OTHERS].applies(page_type, is_agreed) == drops


def test_reviews_are_comments_that_can_be_kept() -> None:
    blocks = page(f"<section><h2>Reviews</h2>{REVIEW}</section>")
    scores = np.ones(len(blocks), dtype=np.float32)
    judgement = Judgement(scores, 0.5, np.zeros_like(scores), "product", 1.0, False)
    judged = JudgedBlocks(blocks, dehusk.Hybrid().fit(), scores, 0.5, judgement)
    assert "Boils fast" not in [blocks.texts[index] for index in decide(judged).kept]
    with_comments = decide(judged, Decision(comments=True))
    assert "Boils fast" in [blocks.texts[index] for index in with_comments.kept]
    assert with_comments.comments.sum() == 3
