"""Page evidence: a small network reads the blocks of a page in order.

For each block it sees the length of the text, the share of links, its tags and the elements it is in, its position,
what repeats, the class names around it and its first and last words; convolutions bring in its neighbours, and means
the parts of the page around it. It was trained on many kinds of pages and sites, and runs without PyTorch.

    >>> import dehusk
    >>> html = "<nav><a href=/>Home</a> <a href=/n>News</a></nav><h1>Tea</h1><p>" + "Steep it for three minutes. " * 9
    >>> dehusk.clean(html, dehusk.PageEvidence().fit()).text.splitlines()[0]
    'Tea'

Annotators differ in what they call content (titles, dates, captions, comments). Training tells the network whose
annotation policy a page follows; here it uses the default policy, learnt from all of them.

Scores are probabilities. The threshold is chosen for each page (`calibration`). `hybrid` extends this model with
evidence from the site.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias

from dehusk.arguments import checked
from dehusk.blocks.block_columns import Blocks, Kind
from dehusk.errors import InvalidSetting
from dehusk.methods.base import Judgement, Reasons, Scores, check_range
from dehusk.methods.page_network.inference import Logits, NetworkReading, PageNetwork
from dehusk.methods.page_network.network_inputs import PageInputs, feature_groups, page_inputs
from dehusk.methods.page_network.page_types import PAGE_TYPES
from dehusk.methods.page_network.site_weights import NO_WEIGHTS
from dehusk.methods.page_network.trained_weights import Trained, load_trained
from dehusk.native.calls import Lendable, LentArrays, LentColumn, Outcome, as_given, call_about
from dehusk.native.lazy_numpy import np
from dehusk.native.library import ffi, lib
from dehusk.page.characters import as_utf8
from dehusk.page.page_columns import Page

if TYPE_CHECKING:
    from numpy.typing import NDArray

Effects: TypeAlias = "Mapping[str, NDArray[np.generic]]"
"""Kind of evidence -> by how much it shifts the log-odds of each block."""

_MOST_REASONS: Final = 2
_SLIGHT: Final = 0.3
"""Evidence that shifts the log-odds by less is not worth reporting."""
_DESCRIPTIONS: Final = {
    "text": "its text ({words}, {links:.0%} links)",
    "title": "the words it shares with the title",
    "kind": "its markup ({kind})",
    "enclosing": "the elements it is in",
    "position": "its position on the page",
    "repetition": "similar blocks on the page",
    "part": "the parts of the page around it",
    "centre": "its distance from most of the text",
    "page": "the kind of page",
    "names": "the class names around it",
    "words": "its first and last words",
    "signature": "other blocks of the same style, which hold less",
    "template signature": "how much text of the same style other pages share",
    "same text": "how many pages of the site have the same text",
    "same sentence": "its text, which nearly every page of the site has",
    "same link": "its links, which other pages of the site also have",
    "own text around": "how few pages of the site have the text around it",
}
"""Kind of evidence -> the words for it in a reason."""


@checked
@dataclass(frozen=True, slots=True)
class PageEvidence:
    """The network of the hybrid alone, without the site. Settings:

    Arguments:
        threshold: drop blocks less likely than this to be content; None picks one for each page.
        trained: a file written by `dehusk train hybrid`, instead of the network shipped with dehusk.

    >>> dehusk.clean("<p>" + "Steep the leaves. " * 9, dehusk.PageEvidence().fit()).labelled.model.method
    'page-evidence'
    """

    name: ClassVar[str] = "page-evidence"
    learns: ClassVar[bool] = False

    threshold: float | None = None
    """Drop blocks less likely than this to be content. None picks the threshold with the best expected F1."""
    trained: str = ""
    """A file written by `dehusk train hybrid`, instead of the network shipped with dehusk."""

    def __post_init__(self) -> None:
        if not isinstance(self.trained, str):
            raise InvalidSetting("trained", f"{self.trained!r} is not a path", f"see {type(self).__name__}")
        if self.threshold is not None:
            check_range(self, 0, 1, "threshold")

    def fit(self, pages: Iterable[Page] = ()) -> PageEvidenceModel:
        """Load the network; it learns nothing from pages without gold."""
        return PageEvidenceModel(self, load_trained(self.trained))


class UnknownSite(PageEvidence):
    """Settings of the hybrid for pages of a site of which nothing is known: page evidence alone.

    Such a model has the results of `Hybrid().fit()`, without loading what learns sites.
    """

    name: ClassVar[str] = "hybrid"
    __slots__ = ()


@dataclass(frozen=True, eq=False)
class PageEvidenceModel:
    """A network, ready to score. A subclass adds evidence from the site by overriding the `_site_` methods."""

    settings: PageEvidence
    training: Trained | None = None
    """Used instead of the training that the settings name."""

    @property
    def method(self) -> str:
        return self.settings.name

    @property
    def threshold(self) -> float:
        return 0.5 if self.settings.threshold is None else self.settings.threshold

    @cached_property
    def trained(self) -> Trained:
        """The network and its calibration."""
        return self.training or load_trained(self.settings.trained)

    def score_blocks(self, blocks: Blocks) -> Scores:
        """The probability of each block being content. Hidden text can be: some forums put all posts in NOSCRIPT."""
        return self.judge(blocks).scores

    def judge(self, blocks: Blocks) -> Judgement:
        """Probabilities, the threshold for this page, comments, and the page type."""
        if not self._knows_site:
            return judge_page(blocks, self.trained.known_reading(blocks), self.trained, self.settings.threshold)
        return self._judge(blocks, self.trained.read_blocks(blocks))

    @property
    def site_arrays(self) -> tuple[Lendable, ...]:
        """What the compiled part takes the site of a page into account with: here nothing."""
        return (NO_WEIGHTS,)

    @property
    def _knows_site(self) -> bool:
        """Whether anything is known about the site: only then readings are needed again."""
        return False

    def _judge(self, blocks: Blocks, reading: NetworkReading) -> Judgement:
        site_logits = self._site_logits(blocks, reading)
        return judge_page(blocks, reading, self.trained, self.settings.threshold, site_logits)

    def confidence(self, expected_f1: float) -> float:
        """The F1 that pages with this expected F1 reach."""
        return self.trained.confidence(expected_f1)

    def explain_blocks(self, blocks: Blocks) -> Reasons:
        """The probability of each block, the strongest evidence, and what the site adds."""
        if not len(blocks):
            return ()
        network, inputs = self.trained.network, page_inputs(blocks)
        reading = network.read(inputs)
        judged = self._judge(blocks, reading)
        effects = {**page_effects(network, inputs, reading.content), **self._site_effects(blocks)}
        site_reasons = self._site_reasons(blocks)
        return tuple(
            (*reasons_in_words(blocks, index, judged, effects), *site_reasons.get(index, ()))
            for index in range(len(blocks))
        )

    def _site_logits(self, blocks: Blocks, reading: NetworkReading) -> Logits | None:
        """Log-odds that take the site into account; None if nothing is known about it."""
        return None

    def _site_effects(self, blocks: Blocks) -> Effects:
        """By how much the site shifts the log-odds of each block."""
        return {}

    def _site_reasons(self, blocks: Blocks) -> Mapping[int, tuple[str, ...]]:
        """By block: further reasons."""
        return {}


def judge_page(
    blocks: Blocks,
    reading: NetworkReading | None,
    trained: Trained,
    threshold: float | None,
    site_logits: Logits | None = None,
) -> Judgement:
    """Turn a reading of a page, or log-odds that take its site into account, into a judgement.

    Without a reading, the network reads the page. The threshold is the one given, or the best for the page.
    """
    calibration = trained.calibration
    network: Any = ffi.NULL
    arrays: list[Lendable] = [as_utf8(blocks.page.url)]
    if reading is None:
        network = trained.network.for_pages()
    else:
        content = as_given(reading, "content") if site_logits is None else site_logits
        given = (content, as_given(reading, "comment"), as_given(reading, "page_type"))
        arrays += [one if isinstance(one, LentColumn) else one.astype(np.float32, copy=False) for one in given]
    page, lent = blocks.page, LentArrays(arrays)
    about = network, trained.types.native.pointer, page.native.pointer, blocks.native.pointer
    numbers = calibration.scale, calibration.offset, math.nan if threshold is None else threshold
    arguments = *about, *numbers, *lent.arguments
    return judgement_of(call_about(page.native, lib.dehusk_page_judge, page.label, *arguments))


def judgement_of(judged: Outcome) -> Judgement:
    """The judgement that the compiled part made."""
    scores: Any = LentColumn(judged, 0)
    comments: Any = LentColumn(judged, 1)
    found = judged.summary
    return Judgement(scores, found.first, comments, page_type_of(judged), found.third, bool(found.fourth))


def page_type_of(judged: Outcome) -> str:
    """The page type in a judgement that the compiled part made; empty for a page without blocks."""
    return PAGE_TYPES[int(judged.summary.second)] if judged.length(0) else ""


def page_effects(network: PageNetwork, inputs: PageInputs, logits: Logits) -> Effects:
    """By how much the log-odds change if the network does not see each kind of page evidence."""
    return {name: logits - network.logits_of_inputs(without) for name, without in _leaving_out(inputs)}


def _leaving_out(inputs: PageInputs) -> Iterator[tuple[str, PageInputs]]:
    """(kind of evidence, inputs without it): numbers replaced by their mean over the page, tokens removed."""
    for name, columns in feature_groups().items():
        dense = inputs.dense.copy()
        dense[:, columns] = dense[:, columns].mean(axis=0)
        yield name, replace(inputs, dense=dense)
    tokens = inputs.tokens
    nothing = np.zeros_like(tokens.element_start), np.zeros_like(tokens.word_start)
    yield "names", replace(inputs, tokens=replace(tokens, element_start=nothing[0]))
    yield "words", replace(inputs, tokens=replace(tokens, word_start=nothing[1]))


def reasons_in_words(blocks: Blocks, index: int, judged: Judgement, effects: Effects) -> tuple[str, ...]:
    """The probability of a block, and the strongest evidence for the side of the threshold it is on."""
    score = float(judged.scores[index])
    side = 1 if score >= judged.threshold else -1
    strongest = sorted(effects, key=lambda name: -side * float(effects[name][index]))[:_MOST_REASONS]
    words = len(blocks.texts[index].split())
    facts = {
        "words": f"{words:,} {'word' if words == 1 else 'words'}",
        "links": float(blocks.link_share[index]),
        "kind": Kind(blocks.kind[index]).label,
    }
    evidence = [
        f"because of {_DESCRIPTIONS[name].format(**facts)}"
        for name in strongest
        if side * float(effects[name][index]) >= _SLIGHT
    ]
    return f"{score:.0%} content" + (", hidden text" if blocks.hidden[index] else ""), *evidence
