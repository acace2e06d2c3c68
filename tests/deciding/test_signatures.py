"""Signatures below posts."""

from __future__ import annotations

import numpy as np
import pytest
from single_rules import dropped_by

from dehusk.blocks.segmentation import segment
from dehusk.page.page_reading import read_page

POST = "<p>Mine takes three minutes, but then our water is softer than most, and I descale it every month."
SIGNATURE = "Kettles: two of steel, one of glass."


def found(html: str, keep: bool = True) -> list[str]:
    blocks = segment(read_page(html))
    signatures = dropped_by("signatures", blocks, np.full(len(blocks), keep), "forum")
    return [blocks.texts[index] for index in np.flatnonzero(signatures).tolist()]


@pytest.mark.parametrize(
    "name",
    [
        "class=signature",
        'class="post message-signature"',
        "class=userSignature",
        "class=SIG",
        "id=post_sig_12",
        "class=signatures",
    ],
)
def test_elements_that_are_called_signatures(name: str) -> None:
    assert found(f"<div>{POST}</div><aside {name}><div>{SIGNATURE}</div></aside>") == [SIGNATURE]


@pytest.mark.parametrize("name", ["class=sign-in", "class=design", "class=signal", "class=significant", "id=assigned"])
def test_names_that_only_begin_alike(name: str) -> None:
    assert found(f"<div>{POST}</div><aside {name}>{SIGNATURE}</aside>") == []


def test_what_is_dropped_is_no_news() -> None:
    assert found(f"<div>{POST}</div><p class=signature>{SIGNATURE}", keep=False) == []


def test_a_page_that_is_called_so_as_a_whole() -> None:
    assert found(f"<body class=with-signatures>{POST}<p class=signature>{SIGNATURE}") == []
    assert found("") == []
