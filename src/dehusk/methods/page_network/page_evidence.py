"""Page evidence: a small network reads the blocks of a page in their order.

Per block it sees how long the text is, how much of it is links, how it is marked and what it is in, where it stands,
what repeats, what the classes around it are called and with which words it begins and ends; convolutions bring in the
neighbours, and means the parts of the page around. It was trained on pages of many kinds and sites, and is run with
numpy alone.

    >>> import dehusk
    >>> html = "<nav><a href=/>Home</a> <a href=/n>News</a></nav><h1>Tea</h1><p>" + "Steep it for three minutes. " * 9
    >>> dehusk.clean(html, dehusk.PageEvidence().fit()).text.splitlines()[0]
    'Tea'

Gold of different makers differs in what it calls content (titles, dates, captions, comments). The network knows whose
policy a training page follows; what it is asked for here is that of strangers, which it learnt from all of them.

Scores are probabilities. From which one on blocks are kept is decided for each page (`network.cutting`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from dehusk.blocks.block_columns import Blocks
from dehusk.errors import InvalidSetting
from dehusk.methods.base import Judgement, Reasons, Scores
from dehusk.methods.page_network.network_inputs import page_inputs
from dehusk.methods.page_network.page_judging import judge_page, page_effects, reasons_in_words
from dehusk.methods.page_network.trained_weights import Trained, load_trained
from dehusk.page.page_columns import Page


@dataclass(frozen=True, slots=True)
class PageEvidence:
    """Settings."""

    name: ClassVar[str] = "page-evidence"
    learns: ClassVar[bool] = False

    threshold: float | None = None
    """Blocks that are content with less probability are dropped. None chooses for each page what is best for F1."""
    trained: str = ""
    """A file that `dehusk train hybrid` wrote, instead of the training that comes with dehusk."""

    def __post_init__(self) -> None:
        if self.threshold is not None and not 0 <= self.threshold <= 1:
            raise InvalidSetting("threshold", f"{self.threshold} is outside 0 to 1", "see PageEvidence")

    def fit(self, pages: Iterable[Page] = ()) -> PageEvidenceModel:
        """The network; pages without gold teach it nothing."""
        return PageEvidenceModel(self, load_trained(self.trained))


@dataclass(frozen=True, eq=False)
class PageEvidenceModel:
    """A network, ready to score."""

    settings: PageEvidence
    trained: Trained

    @property
    def method(self) -> str:
        return self.settings.name

    @property
    def threshold(self) -> float:
        return 0.5 if self.settings.threshold is None else self.settings.threshold

    def score_blocks(self, blocks: Blocks) -> Scores:
        """How likely each block is content. Hidden text may be: some forums hold all posts where no script runs."""
        return self.judge(blocks).scores

    def judge(self, blocks: Blocks) -> Judgement:
        """Probabilities, the threshold for this page, comments, and its type."""
        return judge_page(blocks, self.trained.network.read_blocks(blocks), self.trained, self.settings.threshold)

    def confidence(self, expected_f1: float) -> float:
        """The F1 to believe in where this one is expected."""
        return self.trained.confidence(expected_f1)

    def explain_blocks(self, blocks: Blocks) -> Reasons:
        """How likely it is content, and what speaks most for that or against."""
        if not len(blocks):
            return ()
        judged, network, inputs = self.judge(blocks), self.trained.network, page_inputs(blocks)
        effects = page_effects(network, inputs, network.logits_of_inputs(inputs))
        return tuple(reasons_in_words(blocks, index, judged, effects) for index in range(len(blocks)))
