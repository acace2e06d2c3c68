"""What shops write beside every product: stock, delivery, returns."""

from __future__ import annotations

import pytest
from single_rules import dropped_by

from dehusk.blocks.segmentation import segment
from dehusk.deciding.rules import RULES
from dehusk.page.page_reading import read_page

RULE = "stock-and-delivery"


def dropped(line: str, page_type: str = "product") -> bool:
    blocks = segment(read_page(f"<h1>Copper kettle</h1><p>{line}</p><p>Holds one litre.</p>"))
    found = dropped_by(RULE, blocks, ~blocks.hidden, page_type)
    assert not found[0]
    assert not found[-1]
    return bool(found[1])


@pytest.mark.parametrize(
    "line",
    [
        "In stock",
        "Availability: 2 to 3 days",
        "Only 4 left in stock - order soon",
        "FREE SHIPPING on orders over $50",
        "Add to cart",
        "Auf Lager, Lieferzeit 2 Tage",
        "Livraison offerte dès 59 €",
        "Товар в наличии",
        "在庫あり",
    ],
)
def test_lines_of_the_shop_go(line: str) -> None:
    assert dropped(line)


@pytest.mark.parametrize(
    "line",
    [
        "$39.00, free shipping",
        "Shipping weight: 900 g",
        "Water-resistant, in stockinette",
        "Made in Stockholm",
        "In stock " + "since 1950, and still made by hand in the same small workshop by the river. " * 2,
    ],
    ids=["a price", "a fact", "a part of a word", "another word", "a long text"],
)
def test_other_lines_stay(line: str) -> None:
    assert not dropped(line)


@pytest.mark.parametrize(("page_type", "drops"), [("product", True), ("listing", False), ("article", False)])
def test_only_products_have_them(page_type: str, drops: bool) -> None:
    assert RULES[RULE].applies(page_type, is_agreed=False) == drops
    assert dropped("In stock", page_type) == drops
