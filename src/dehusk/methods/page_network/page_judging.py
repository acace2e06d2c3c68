"""From what the page network says to a judgement, and to reasons in words. Methods with the network share it.

Reasons are found by leaving out: what would the log-odds of a block be if the network did not see a kind of evidence?
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks, Kind
from dehusk.methods.base import Judgement
from dehusk.methods.page_network.block_features import feature_groups
from dehusk.methods.page_network.calibration import Calibration, best_cut
from dehusk.methods.page_network.inference import Logits, NetworkReading, PageNetwork
from dehusk.methods.page_network.network_inputs import PageInputs
from dehusk.methods.page_network.page_types import PAGE_TYPES
from dehusk.methods.page_network.trained_weights import Trained

Effects = Mapping[str, NDArray[np.generic]]
"""Kind of evidence -> by how much it moves the log-odds of each block."""

_MOST_REASONS: Final = 2
_SLIGHT: Final = 0.3
"""Evidence that moves the log-odds by less is not worth a word."""
_SPOKEN: Final = {
    "text": "its text ({words:,} words, {links:.0%} of it links)",
    "title": "words that it has in common with the title",
    "kind": "what it is marked as ({kind})",
    "enclosing": "the elements it is in",
    "position": "where it stands on the page",
    "repetition": "what looks like it on the page",
    "part": "the parts of the page around it",
    "centre": "how near it is to most of the text",
    "page": "what kind of page it is",
    "names": "the names of the classes around it",
    "words": "the words it begins and ends with",
    "look": "what is in places like this on other pages of the site",
    "known look": "whether other pages of the site have places like this",
    "template look": "how much of its surroundings other pages have, too",
    "said of text": "what its text is taken for on other pages of the site",
    "same text": "how many pages of the site have its text",
    "same sentence": "its text, which nearly every page of the site has",
    "same link": "its links, which other pages of the site have, too",
    "link": "how much of it is links ({links:.0%})",
    "own text": "how few pages of the site have its text",
    "own text around": "how few pages of the site have the text around it",
    "own text of part": "how few pages of the site have the text of its part of the page",
    "agreement": "what else is in its part of the page",
}
"""Kind of evidence -> what people call it."""


def judge_page(
    blocks: Blocks,
    reading: NetworkReading,
    trained: Trained,
    threshold: float | None,
    beside_site: Logits | None = None,
) -> Judgement:
    """What a reading means for a page, or log-odds that a site has moved.

    The threshold is the one given, or the best for the page.
    """
    calibration = trained.alone if beside_site is None else trained.with_site
    scores = calibration.probabilities(reading.content if beside_site is None else beside_site)
    comments = Calibration(1.0, 0.0).probabilities(reading.comment)
    likely = trained.likely_types(reading, blocks.page)
    kind = int(likely.argmax())
    return Judgement(
        scores,
        best_cut(scores, blocks.length, reading.article) if threshold is None else threshold,
        comments,
        PAGE_TYPES[kind] if len(blocks) else "",
        float(reading.page_type[kind]),
        kind == int(reading.page_type.argmax()),
    )


def page_effects(network: PageNetwork, inputs: PageInputs, logits: Logits) -> Effects:
    """What the network would not have said without each kind of page evidence."""
    return {name: logits - network.logits_of_inputs(without) for name, without in _leaving_out(inputs)}


def _leaving_out(inputs: PageInputs) -> Iterator[tuple[str, PageInputs]]:
    """(kind of evidence, the inputs without it): numbers as on average over the page, or no tokens."""
    for name, columns in feature_groups().items():
        dense = inputs.dense.copy()
        dense[:, columns] = dense[:, columns].mean(axis=0)
        yield name, replace(inputs, dense=dense)
    tokens = inputs.tokens
    nothing = np.zeros_like(tokens.element_start), np.zeros_like(tokens.word_start)
    yield "names", replace(inputs, tokens=replace(tokens, element_start=nothing[0]))
    yield "words", replace(inputs, tokens=replace(tokens, word_start=nothing[1]))


def reasons_in_words(blocks: Blocks, index: int, judged: Judgement, effects: Effects) -> tuple[str, ...]:
    """How likely a block is content, and what speaks most for the side it is on."""
    score = float(judged.scores[index])
    side = 1 if score >= judged.threshold else -1
    strongest = sorted(effects, key=lambda name: -side * float(effects[name][index]))[:_MOST_REASONS]
    facts = {
        "words": len(blocks.texts[index].split()),
        "links": float(blocks.link_share[index]),
        "kind": Kind(blocks.kind[index]).label,
    }
    told = [
        f"because of {_SPOKEN[name].format(**facts)}"
        for name in strongest
        if side * float(effects[name][index]) >= _SLIGHT
    ]
    return f"{score:.0%} content" + (", hidden text" if blocks.hidden[index] else ""), *told
