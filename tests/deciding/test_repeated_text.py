"""Copies of text that is kept above them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from single_rules import dropped_by

from dehusk.blocks.segmentation import segment
from dehusk.deciding.rules import RULES
from dehusk.page.page_reading import read_page

CLAIM = "The lid is cast in one piece, and the handle stays cold on any hob."
PARTS = ("MATERIAL", "Copper and brass", "WEIGHT", "900 g with lid")


def dropped(texts: Sequence[str], kept: Sequence[bool] | None = None) -> list[int]:
    """Indexes of the paragraphs that are dropped as copies."""
    blocks = segment(read_page("".join(f"<p>{text}</p>" for text in texts)))
    keep = ~blocks.hidden if kept is None else ~blocks.hidden & kept
    copies = dropped_by("repeated-text", blocks, keep, "product")
    return [index for index, is_copy in enumerate(copies) if is_copy]


def copies_in(html: str) -> list[int]:
    """Indexes of the blocks that are dropped as copies."""
    blocks = segment(read_page(html))
    return np.flatnonzero(dropped_by("repeated-text", blocks, ~blocks.hidden, "product")).tolist()


def test_a_copy_goes_and_the_first_stays() -> None:
    assert dropped([CLAIM, "Tea", CLAIM, CLAIM.upper()]) == [2, 3]


def test_short_texts_go_where_they_are_repeated_together() -> None:
    assert dropped([*PARTS, "In red", *PARTS]) == [5, 6, 7, 8]
    assert dropped([*PARTS, "In red", PARTS[0], "Steel", PARTS[2], "1 kg"]) == []


def test_the_order_must_be_the_same() -> None:
    assert dropped([*PARTS, *reversed(PARTS)]) == []


def test_a_table_is_a_copy_as_a_whole_or_not_at_all() -> None:
    row = "<tr><td>{}<td>" + CLAIM
    table = f"<table>{row.format('Small lid')}{row.format('Large lid')}</table>"
    other = f"<table>{row.format('Small lid')}{row.format('Another lid')}</table>"
    assert copies_in(f"{table}<p>Tea</p>{other}") == []
    assert copies_in(f"{table}<p>Tea</p>{table}") == [5, 6, 7, 8]


def test_what_is_not_kept_above_is_no_reason_to_drop_a_copy() -> None:
    assert dropped([CLAIM, "Tea", CLAIM], [False, True, True]) == []


@pytest.mark.parametrize(
    ("page_type", "drops"), [("product", True), ("service", True), ("forum", False), ("listing", False)]
)
def test_posts_are_quoted_and_items_recur(page_type: str, drops: bool) -> None:
    assert RULES["repeated-text"].applies(page_type, is_agreed=False) == drops


@pytest.mark.parametrize(("quote", "drops"), [("“The lid is cast in one piece”", True), ("Copper is warm.", False)])
def test_a_pull_quote_from_the_text_goes_with_its_speaker(quote: str, drops: bool) -> None:
    blocks = segment(read_page(f"<p>{CLAIM}</p><aside class=pullquote><p>{quote}</p><p>A smith</p></aside>"))
    copies = dropped_by("repeated-quotes", blocks, ~blocks.hidden, "article")
    assert copies.tolist() == [False, drops, drops]
