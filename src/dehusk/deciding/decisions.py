"""Scores -> keep or drop: the threshold, then the rules of `deciding.rules`. Nothing else decides.

The compiled part does it, `native/src/deciding`; here are the user's options, and the result.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import compress, count
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dehusk.blocks.block_columns import BlockMask, Blocks
from dehusk.deciding.rules import NAMES, RULES, planned
from dehusk.deciding.shells import LOW_CONFIDENCE, MOST_SHOWN, problem_of
from dehusk.deciding.verdicts import DROP, KEEP, Verdicts
from dehusk.errors import InvalidSetting
from dehusk.methods.base import (
    Favour,
    Judgement,
    JudgesPages,
    Model,
    ReadsKinds,
    Reasons,
    Scores,
    TellsNoisyWords,
    judges_pages,
)
from dehusk.methods.keeping_all import PlainTextModel, model_for
from dehusk.native.calls import (
    Deferred,
    Lendable,
    LentArrays,
    LentColumn,
    Outcome,
    as_given,
    bytes_of,
    call_about,
    with_deferred,
)
from dehusk.native.lazy_numpy import np
from dehusk.native.library import lib
from dehusk.page.characters import as_utf8, words_of
from dehusk.page.page_columns import Page

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dehusk.methods.corrections import Corrections

STEPS: Final[dict[str, float]] = {Favour.PRECISION: 0.65, Favour.BALANCED: 0.0, Favour.RECALL: -0.8}
"""Shift of the threshold in log-odds. On pages of unseen sites labelled by the content policy, 0.65 raises precision
from 0.888 to 0.908 for a recall of 0.881 instead of 0.920, and -0.8 raises recall to 0.951 for a precision of 0.831
(`benchmarks/rules.py`)."""
_EMPTY: Final = "empty"
_FORUM: Final = "forum"
_MOST_ON_EMPTY: Final = 0.4
"""Most confidence on a page without content, however certain its title is: a fifth of the pages taken for one have some
content, and readers of the others look for what is not there."""
_STANDS_FOR_DAMAGE: Final = "\ua7a9"
"""Replaces U+FFFD while counting words: a letter, so that it is part of words, but of no living language."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The user's options for deciding. Models that do not judge whole pages support only the defaults."""

    favour: Favour | str = Favour.BALANCED
    """Whether to keep doubtful text: `recall` does, `precision` does not."""
    comments: bool = False
    """Whether readers' comments are kept."""
    rules: Collection[str] = tuple(RULES)
    """Names of the rules to apply."""
    keep: Collection[str] = ()
    """CSS selectors: text in these elements is kept whatever its score, and counts as content for all rules."""
    drop: Collection[str] = ()
    """CSS selectors: elements that are taken out of a page when it is read, before anything is judged."""

    def __post_init__(self) -> None:
        if self.favour not in list(Favour):
            raise InvalidSetting("favour", f"{self.favour!r} is unknown", f"choose one of {', '.join(Favour)}")
        if unknown := [name for name in self.rules if name not in RULES]:
            raise InvalidSetting("rules", f"{unknown[0]!r} is unknown", f"choose from {', '.join(RULES)}")
        object.__setattr__(self, "favour", Favour(self.favour))
        object.__setattr__(self, "rules", tuple(name for name in RULES if name in self.rules))
        for name in ("keep", "drop"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
            for selector in getattr(self, name):
                _check_selector(selector)

    @property
    def needs_judgement(self) -> bool:
        """Whether only models that judge whole pages can decide so."""
        default = DEFAULT_DECISION
        return (self.favour, self.comments, self.rules) != (default.favour, default.comments, default.rules)


def _check_selector(selector: str) -> None:
    from dehusk.page.selectors import parse_selectors  # few need it

    parse_selectors(selector)


DEFAULT_DECISION: Final = Decision()


@with_deferred("scores", "keep", "comments", "moved")
@dataclass(frozen=True, eq=False, repr=False)
class LabelledBlocks:
    """Blocks with their scores and the decision. Arrays are read-only."""

    blocks: Blocks
    model: Model
    scores: Scores
    keep: BlockMask
    threshold: float
    """The threshold used; `moved` holds the rules that overrode it."""
    comments: BlockMask
    """bool: readers' comments, kept or not; all false if the model does not classify them."""
    page_type: str = ""
    """The page type; empty if the model does not classify pages."""
    confidence: float | None = None
    """From 0 to 1: the likely quality of the result (word F1); None if the model gives none."""
    moved: dict[str, Verdicts] = field(default_factory=dict)
    """Name of a rule -> int8: the blocks it kept (1) or dropped (-1) regardless of their scores."""
    corrected: BlockMask | None = None
    """bool: blocks that a person decided on; None without manual corrections."""
    selected: Mapping[str, BlockMask] = field(default_factory=dict)
    """Selector -> bool: blocks that it keeps."""

    def __repr__(self) -> str:
        return f"<LabelledBlocks of {self.blocks.page.label}: {len(self.kept)} of {len(self.blocks)} kept>"

    @property
    def page(self) -> Page:
        """Their page."""
        return self.blocks.page

    @property
    def verdict(self) -> Verdict:
        """What is said of the page as a whole."""
        return Verdict(self.page_type, self.confidence, self.problem)

    @cached_property
    def problem(self) -> str:
        """What is wrong with the page as a whole: one of `PROBLEMS`, otherwise empty; see `shells`."""
        return problem_of(self.blocks, bytes_of(as_given(self, "keep"))) or self.page.problem

    @cached_property
    def reasons(self) -> Reasons:
        """For each block: the evidence for its score, and what overrode the score, in words."""
        return self.with_moves(self.model.explain_blocks(self.blocks))

    def with_moves(self, reasons: Reasons) -> Reasons:
        """Add to the model's reasons what overrode the score of a block."""
        scored = np.isnan(self.scores) | (self.scores >= np.float32(self.threshold))
        moved = scored != self.keep
        extended = list(reasons)
        for selector, mask in self.selected.items():
            for index in np.flatnonzero(mask).tolist():
                extended[index] = (*extended[index], f"kept by the selector {selector}")
        moved &= ~_union(self.selected, len(self.blocks))
        for index in np.flatnonzero(moved if self.corrected is None else moved | self.corrected).tolist():
            extended[index] = (*extended[index], self._why_moved(index))
        return tuple(extended)

    def _why_moved(self, index: int) -> str:
        verdict = KEEP if self.keep[index] else DROP
        done = "kept" if self.keep[index] else "dropped"
        if self.corrected is not None and self.corrected[index]:
            return f"{done} by a manual correction"
        if self.keep[index] and self.comments[index]:
            return "kept as a reader's comment"
        name = next(name for name, verdicts in reversed(self.moved.items()) if verdicts[index] == verdict)
        return f"{done} {RULES[name].reason} (rule {name})"

    @cached_property
    def noisy_words(self) -> Mapping[int, frozenset[str]]:
        """By block: words that the site repeats there on every page; empty if the model does not find any."""
        return self.model.noisy_words(self.blocks) if isinstance(self.model, TellsNoisyWords) else {}

    @cached_property
    def kept(self) -> tuple[int, ...]:
        """Indexes of the blocks that are kept."""
        return tuple(compress(count(), bytes_of(as_given(self, "keep"))))


@with_deferred("scores")
@dataclass(frozen=True, eq=False)
class JudgedBlocks:
    """Blocks with their scores, before any decision: deciding again is cheap."""

    blocks: Blocks
    model: Model
    scores: Scores
    threshold: float
    """The default threshold."""
    judgement: Judgement | None = None
    """The judgement of a model that judges whole pages."""


def label_blocks(blocks: Blocks, model: Model, decision: Decision = DEFAULT_DECISION) -> LabelledBlocks:
    """Keep blocks that score at least the threshold, and blocks the model has no opinion on (NaN).

    Corrections in the model override everything else.
    """
    if blocks.page.is_plain_text:
        return decide(judge_blocks(blocks, model), decision)
    _check(model, decision)
    labelled = decide(judge_blocks(blocks, model), decision)
    # As `isinstance(model, Corrected)`, which takes longer than deciding.
    corrections: Corrections | None = getattr(model, "corrections", None)
    if not corrections:
        return labelled
    # Most models carry none, and need nothing of this.
    from dehusk.methods.block_keys import keys_of_blocks

    return correct(labelled, corrections.verdicts(keys_of_blocks(labelled.blocks)))


def judge_blocks(blocks: Blocks, model: Model) -> JudgedBlocks:
    """Score blocks with a model; those of plain text with one that keeps them."""
    model = model_for(blocks, model)
    if judges_pages(model):
        judged = model.judge(blocks)
        return JudgedBlocks(blocks, model, as_given(judged, "scores"), judged.threshold, judged)
    scores = model.score_blocks(blocks)
    if isinstance(model, ReadsKinds):
        blocks = model.restructure(blocks)
    return JudgedBlocks(blocks, model, scores, model.threshold)


def decide(
    judged: JudgedBlocks, decision: Decision = DEFAULT_DECISION, threshold: float | None = None
) -> LabelledBlocks:
    """Decide what to keep, with the model's threshold or another one."""
    _check(judged.model, decision)
    chosen = judged.threshold if threshold is None else threshold
    selected = _selected(judged.blocks, decision.keep)
    outcome = _decided(judged, chosen, decision, selected)
    if judged.judgement is None or not judges_pages(judged.model):
        scores: Any = as_given(judged, "scores")
        keep, comments = _kept_and_comments(outcome)
        return LabelledBlocks(judged.blocks, judged.model, scores, keep, chosen, comments, selected=selected)
    about = judged.blocks, judged.model, as_given(judged, "scores")
    return as_decided(*about, judged.judgement.page_type, outcome, selected)


def as_decided(
    blocks: Blocks,
    model: JudgesPages,
    scores: Any,
    page_type: str,
    outcome: Outcome,
    selected: Mapping[str, BlockMask],
) -> LabelledBlocks:
    """What the compiled part decided on a page that was judged as a whole."""
    keep, comments = _kept_and_comments(outcome)
    verdict = verdict_on(model, page_type, outcome, blocks.page, lambda: blocks)
    moved: Any = Deferred(partial(_moved, outcome, len(blocks))) if outcome.length(2) else {}
    before = blocks, model, scores, keep, outcome.summary.first, comments
    labelled = LabelledBlocks(*before, page_type, verdict.confidence, moved, None, selected)
    vars(labelled)["problem"] = verdict.problem  # as if it were asked for: it is known already
    return labelled


class Verdict(NamedTuple):
    """What is said of a page as a whole."""

    page_type: str
    confidence: float | None
    problem: str


def verdict_on(
    model: JudgesPages, page_type: str, outcome: Outcome, page: Page, find_blocks: Callable[[], Blocks]
) -> Verdict:
    """The verdict on a page of a type after a decision of the compiled part. Few pages need their blocks for it."""
    numbers, problem = outcome.summary, ""
    confidence = model.confidence(numbers.second)
    if page.damage:
        confidence *= 1 - _damaged_words(find_blocks(), outcome.bytes(0))
    if page_type == _EMPTY:
        confidence = min(confidence, _MOST_ON_EMPTY)
    # A page that shows more has its content.
    if numbers.third <= MOST_SHOWN and (problem := problem_of(find_blocks(), outcome.bytes(0))):
        confidence = min(confidence, LOW_CONFIDENCE)
    return Verdict(page_type, confidence, problem or page.problem)


def _kept_and_comments(outcome: Outcome) -> tuple[Any, Any]:
    """Whether each block is kept, and whether it is a reader's comment: columns of a decision."""
    return LentColumn(outcome, 0, seen_as="bool"), LentColumn(outcome, 1, seen_as="bool")


_NOTHING: Final = b""
_NO_SCORES: Final = array("f")


def _decided(judged: JudgedBlocks, threshold: float, decision: Decision, selected: Mapping[str, BlockMask]) -> Outcome:
    """The decision in the compiled part."""
    blocks, judgement, favour = judged.blocks, judged.judgement, decision.favour
    kinds = _NOTHING if blocks.read_kind is None else blocks.read_kind
    by_selector = _union(selected, len(blocks)) if selected else _NOTHING
    comments: Lendable = _NO_SCORES
    plan, forum = _NOTHING, 0.0
    if judgement is not None and judges_pages(judged.model):
        comments = as_given(judgement, "comments")
        of_type = judgement.page_type, judgement.type_agreed
        plan = planned(tuple(decision.rules), *of_type, favour is not Favour.RECALL)
        forum = judgement.type_certainty if judgement.page_type == _FORUM else 0.0
    scores: Lendable = as_given(judged, "scores")
    if not isinstance(scores, LentColumn):
        _make_read_only(judged.scores)
    page = blocks.page
    lent = LentArrays((scores, comments, by_selector, kinds, plan, as_utf8(page.url)))
    pointers = page.native.pointer, blocks.native.pointer
    wishes = threshold, STEPS[favour], forum, decision.comments
    return call_about(page.native, lib.dehusk_page_decide, page.label, *pointers, *wishes, *lent.arguments)


def _moved(outcome: Outcome, size: int) -> dict[str, Verdicts]:
    """Name of a rule -> its verdicts."""
    verdicts = outcome.column(3).view(np.int8).reshape(-1, size)
    return {NAMES[number]: of_rule for number, of_rule in zip(outcome.bytes(2), verdicts, strict=True)}


def _selected(blocks: Blocks, selectors: Collection[str]) -> dict[str, BlockMask]:
    """Selector -> the blocks in elements that match it."""
    if not selectors:
        return {}
    from dehusk.page.selectors import matching_rows

    page = blocks.page
    return {selector: page.covered(matching_rows(page, selector))[blocks.first_row] > 0 for selector in selectors}


def _union(selected: Mapping[str, BlockMask], size: int) -> BlockMask:
    return np.asarray(np.logical_or.reduce([np.zeros(size, dtype=bool), *selected.values()]))


def correct(labelled: LabelledBlocks, corrections: NDArray[np.int8]) -> LabelledBlocks:
    """Apply manual corrections: 1 keeps a block, -1 drops it, 0 leaves the decision."""
    keep = np.where(corrections == 0, labelled.keep, corrections > 0)
    corrected = corrections != 0
    _make_read_only(keep, corrected)
    return replace(labelled, keep=keep, corrected=corrected)


def _check(model: Model, decision: Decision) -> None:
    if isinstance(model, PlainTextModel):
        return  # whatever the user wants of other pages
    if decision is not DEFAULT_DECISION and decision.needs_judgement and not judges_pages(model):
        cause = f"the method {model.method} supports none of these"
        raise InvalidSetting("favour, comments and rules", cause, "use the default method")


def _damaged_words(blocks: Blocks, keep: bytes) -> float:
    """Share of the kept words with undecodable characters: they count for neither precision nor recall."""
    kept = " ".join(compress(blocks.texts, keep))
    words = words_of(kept.replace("\ufffd", _STANDS_FOR_DAMAGE))
    return sum(_STANDS_FOR_DAMAGE in word for word in words) / len(words) if words else blocks.page.damage


def _make_read_only(*columns: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> None:
    for column in columns:
        column.setflags(write=False)
