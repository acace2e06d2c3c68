"""Pages without content keep one message."""

from __future__ import annotations

import numpy as np
import pytest

import dehusk
from dehusk.blocks.segmentation import segment
from dehusk.deciding.decisions import Decision, JudgedBlocks, decide
from dehusk.deciding.rules import RULES
from dehusk.methods.base import Judgement
from dehusk.page.page_reading import read_page


def kept(scores: list[float], text: str = "Message") -> list[int]:
    """Indexes of the paragraphs that are kept on a page without content; 0.5 is the threshold."""
    blocks = segment(read_page("".join(f"<p>{text} {number}</p>" for number in range(len(scores)))))
    columns = np.array(scores, dtype=np.float32)
    judgement = Judgement(columns, 0.5, np.zeros_like(columns), "empty", 1.0, True)
    judged = JudgedBlocks(blocks, dehusk.Hybrid().fit(), columns, 0.5, judgement)
    return list(decide(judged, Decision(rules=["one-message"])).kept)


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


def test_a_doubt_about_the_type_drops_nothing() -> None:
    assert RULES["one-message"].applies("empty", is_agreed=True)
    assert not RULES["one-message"].applies("empty", is_agreed=False)
