"""Blocks that look alike: which those are, and that they share what is said of them.

The network itself does this in the compiled part: `test_inference` compares it with the code that is tested here.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy_network import numpy_reading, share_log_odds, signatures_of
from written_pages import WRITTEN, blocks_of

from dehusk.methods.page_network.network_inputs import page_inputs
from dehusk.methods.page_network.trained_weights import load_trained


def looks(html: str) -> list[int]:
    """The signatures of a page, which the network agrees with."""
    inputs, network = page_inputs(blocks_of(html)), load_trained().network
    assert network.read(inputs).content == pytest.approx(numpy_reading(network, inputs).content, abs=1e-4)
    return signatures_of(inputs.tokens).tolist()


def test_items_look_alike_wherever_they_stand() -> None:
    story, first, other, second = looks(
        "<p class=a>One<div class=b><p>Two</div><p class=c>Three<div class=b><p>Four</div>"
    )
    assert first == second
    assert len({story, first, other}) == 3


def test_names_above_tell_looks_apart() -> None:
    story, comment = looks("<div class=story><p>One</div><div class=comment><p>Two</div>")
    assert story != comment


def test_far_elements_do_not() -> None:
    deep = "<div>" * 8
    one, two = looks(f"<div id=a>{deep}<p>One{'</div>' * 9}<div id=b>{deep}<p>Two{'</div>' * 9}")
    assert one == two


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_looks_are_numbered_without_gaps(name: str) -> None:
    blocks = blocks_of(WRITTEN[name])
    if len(blocks):
        found = signatures_of(page_inputs(blocks).tokens)
        assert len(found) == len(blocks)
        assert sorted(set(found.tolist())) == list(range(found.max() + 1))


def test_what_is_said_is_shared_within_a_look() -> None:
    logits = np.array([2.0, -1.0, 0.5, -3.0], dtype=np.float32)
    shared = share_log_odds(np.array([0, 0, 0, 1]), logits)
    assert shared.dtype == np.float32
    assert shared[:3].mean() == pytest.approx(logits[:3].mean())
    assert shared[:3].std() < logits[:3].std()
    assert shared[:3].argsort().tolist() == logits[:3].argsort().tolist()
    assert shared[3] == logits[3]
