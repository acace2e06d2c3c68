"""Page evidence: a small network reads the blocks of a page in their order. The default for single pages.

Per block it sees how long the text is, how much of it is links, how it is marked and what it is in, where it stands,
what repeats, what the classes around it are called and with which words it begins and ends; convolutions bring in the
neighbours, and means the parts of the page around (`dehusk.network`). It was trained on pages of many kinds and sites,
and is run with numpy alone.

    >>> import dehusk
    >>> html = "<nav><a href=/>Home</a> <a href=/n>News</a></nav><h1>Tea</h1><p>" + "Steep it for three minutes. " * 9
    >>> dehusk.clean(html, dehusk.PageEvidence().fit()).text.splitlines()[0]
    'Tea'

Gold of different makers differs in what it calls content (titles, dates, captions, comments). The network knows whose
policy a training page follows; what it is asked for here is that of strangers, which it learnt from all of them.

What a block scores depends on the page as a whole: a half is where the expected word F1 of the page is highest
(`network.cutting`). On pages that the network understands, that is the probability of being content.

Reasons are found by leaving out: what would the block score if the network did not see this kind of evidence?
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import as_file, files
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.columns import Blocks, Kind
from dehusk.errors import InvalidSetting
from dehusk.methods.base import Reasons, Scores
from dehusk.network.cutting import best_cut
from dehusk.network.features import feature_groups
from dehusk.network.inference import Logits, PageNetwork
from dehusk.network.inputs import PageInputs, page_inputs
from dehusk.page.columns import Page

_SHIPPED: Final = "page-network.dehusk"
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
}
"""Kind of evidence -> what people call it."""


@dataclass(frozen=True, slots=True)
class PageEvidence:
    """Settings."""

    name: ClassVar[str] = "page-evidence"
    learns: ClassVar[bool] = False

    threshold: float = 0.5
    """Blocks that score less are dropped. Lower keeps more: what is lost then matters more than what is too much."""

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise InvalidSetting("threshold", f"{self.threshold} is outside 0 to 1", "see PageEvidence")

    def fit(self, pages: Iterable[Page] = ()) -> PageEvidenceModel:
        """The network that comes with dehusk; pages without gold teach it nothing."""
        return PageEvidenceModel(self, _shipped())


@dataclass(frozen=True, eq=False)
class PageEvidenceModel:
    """A network, ready to score."""

    settings: PageEvidence
    network: PageNetwork

    @property
    def method(self) -> str:
        return self.settings.name

    @property
    def threshold(self) -> float:
        return self.settings.threshold

    def score_blocks(self, blocks: Blocks) -> Scores:
        """How likely each block is content. Hidden text may be: some forums hold all posts where no script runs."""
        return _scores(blocks, self.network.logits(blocks))

    def explain_blocks(self, blocks: Blocks) -> Reasons:
        """How likely it is content, and what speaks most for that or against."""
        if not len(blocks):
            return ()
        inputs = page_inputs(blocks)
        logits = self.network.logits_of_inputs(inputs)
        effects = {name: logits - self.network.logits_of_inputs(without) for name, without in _leaving_out(inputs)}
        scores = _scores(blocks, logits).tolist()
        return tuple(_reasons(blocks, index, score, effects) for index, score in enumerate(scores))


def _scores(blocks: Blocks, logits: Logits) -> Scores:
    above = logits - best_cut(logits, blocks.length)
    return np.asarray(1 / (1 + np.exp(-np.clip(above, -50, 50))), dtype=np.float32)


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


def _reasons(blocks: Blocks, index: int, score: float, effects: dict[str, NDArray[np.float32]]) -> tuple[str, ...]:
    side = 1 if score >= 0.5 else -1
    strongest = sorted(effects, key=lambda name: -side * float(effects[name][index]))[:_MOST_REASONS]
    facts = {
        "words": len(blocks.texts[index].split()),
        "links": float(blocks.link_share[index]),
        "kind": _kind(blocks, index),
    }
    told = [
        f"because of {_SPOKEN[name].format(**facts)}"
        for name in strongest
        if side * float(effects[name][index]) >= _SLIGHT
    ]
    return f"{score:.0%} content" + (", hidden text" if blocks.hidden[index] else ""), *told


def _kind(blocks: Blocks, index: int) -> str:
    return Kind(blocks.kind[index]).label


@lru_cache(maxsize=1)
def _shipped() -> PageNetwork:
    with as_file(files("dehusk") / "models" / _SHIPPED) as path:
        return PageNetwork.load(path)
