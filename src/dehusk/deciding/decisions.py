"""Scores -> keep or drop: the threshold, then the rules of `deciding.rules`. Nothing else decides."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import BlockMask, Blocks
from dehusk.deciding.reader_posts import COMMENT
from dehusk.deciding.rules import RULES, Stage
from dehusk.deciding.shells import LOW_CONFIDENCE, problem_of
from dehusk.deciding.situations import DROP, KEEP, Situation, Verdicts, find_signs
from dehusk.errors import InvalidSetting
from dehusk.methods.base import (
    Favour,
    Judgement,
    JudgesPages,
    Model,
    Reasons,
    Scores,
    TellsNoisyWords,
    judges_pages,
)
from dehusk.methods.corrections import Corrected
from dehusk.methods.page_network.calibration import expected_f1, shift_log_odds
from dehusk.methods.sequence_labels.sequence_labels import SequenceLabelsModel
from dehusk.page.characters import words_of

_STEPS: Final = {Favour.PRECISION: 0.6, Favour.BALANCED: 0.0, Favour.RECALL: -0.8}
"""Shift of the threshold in log-odds. On pages of unseen sites labelled by the content policy, 0.6 raises precision
from 0.844 to 0.872 for a recall of 0.872 instead of 0.909, and -0.8 raises recall to 0.944 for a precision of 0.810
(`benchmarks/rules.py`)."""
_LEAST_LEFT: Final = 0.25
"""Share of the text kept by default that stays when precision is favoured: no page is emptied by it."""
_EMPTY: Final = "empty"
_MOST_ON_EMPTY: Final = 0.4
"""Most confidence on a page without content, however certain its title is: a third of the pages taken for one have some
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
        return replace(self, keep=(), drop=()) != DEFAULT_DECISION


def _check_selector(selector: str) -> None:
    from dehusk.page.selectors import parse_selectors  # few need it

    parse_selectors(selector)


DEFAULT_DECISION: Final = Decision()


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

    @cached_property
    def problem(self) -> str:
        """What is wrong with the page as a whole: `js-required` or `blocked`, otherwise empty; see `shells`."""
        return problem_of(self.blocks, self.keep)

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
        return tuple(np.flatnonzero(self.keep).tolist())


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
    _check(model, decision)
    labelled = decide(judge_blocks(blocks, model), decision)
    if not isinstance(model, Corrected) or not len(model.corrections):
        return labelled
    # Most models carry none, and need nothing of this.
    from dehusk.methods.block_keys import keys_of_blocks

    return correct(labelled, model.corrections.verdicts(keys_of_blocks(labelled.blocks)))


def judge_blocks(blocks: Blocks, model: Model) -> JudgedBlocks:
    """Score blocks with a model."""
    if judges_pages(model):
        judged = model.judge(blocks)
        return JudgedBlocks(blocks, model, judged.scores, judged.threshold, judged)
    scores = model.score_blocks(blocks)
    if isinstance(model, SequenceLabelsModel):
        blocks = model.restructure(blocks)
    return JudgedBlocks(blocks, model, scores, model.threshold)


def decide(
    judged: JudgedBlocks, decision: Decision = DEFAULT_DECISION, threshold: float | None = None
) -> LabelledBlocks:
    """Decide what to keep, with the model's threshold or another one."""
    _check(judged.model, decision)
    chosen = judged.threshold if threshold is None else threshold
    selected = _selected(judged.blocks, decision.keep)
    if judged.judgement is not None and judges_pages(judged.model):
        return _decide_judged(judged.model, judged, chosen, decision, selected)
    keep = np.isnan(judged.scores) | (judged.scores >= np.float32(chosen)) | _union(selected, len(judged.blocks))
    comments = np.zeros(len(judged.blocks), dtype=bool)
    _make_read_only(judged.scores, keep, comments)
    return LabelledBlocks(judged.blocks, judged.model, judged.scores, keep, chosen, comments, selected=selected)


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
    if decision.needs_judgement and not judges_pages(model):
        cause = f"the method {model.method} supports none of these"
        raise InvalidSetting("favour, comments and rules", cause, "use the default method")


def _decide_judged(
    model: JudgesPages,
    page: JudgedBlocks,
    chosen: float,
    decision: Decision,
    selected: Mapping[str, BlockMask],
) -> LabelledBlocks:
    assert page.judgement is not None
    blocks, judged, by_selector = page.blocks, page.judgement, _union(selected, len(page.blocks))
    scores, threshold = judged.scores, _favoured(judged.scores, blocks, chosen, Favour(decision.favour))
    kept, comments = scores >= np.float32(threshold), judged.comments >= COMMENT
    kept = kept | by_selector if selected else kept
    situation = Situation(blocks, kept, scores, threshold, judged, comments, find_signs(blocks))
    repairing = _apply(Stage.REPAIR, situation, kept, decision)
    repaired = _moved_mask(kept, repairing)
    hiding = _apply(Stage.HIDE, situation, repaired | comments if decision.comments else repaired, decision)
    shown = _moved_mask(repaired, hiding)
    removing = _apply(Stage.REMOVE, situation, shown, decision)
    keep = _moved_mask(shown, removing) | by_selector
    likely = _without_moved(scores, repaired & ~keep, hiding) if hiding or removing else scores
    likely = np.where(by_selector, np.float32(1), likely) if selected else likely
    confidence = model.confidence(expected_f1(likely, blocks.length, keep)) * (1 - _damaged_words(blocks, keep))
    if judged.page_type == _EMPTY:
        confidence = min(confidence, _MOST_ON_EMPTY)
    if problem_of(blocks, keep):
        confidence = min(confidence, LOW_CONFIDENCE)
    comments = comments & ~repaired
    for name, verdicts in removing.items():
        if RULES[name].finds_comments:
            comments |= verdicts == DROP
    comments &= ~by_selector
    if decision.comments:
        keep = _moved_mask(keep | comments, hiding) | by_selector
    moved = repairing | hiding | removing
    _make_read_only(scores, keep, comments, *moved.values())
    return LabelledBlocks(
        blocks, model, scores, keep, threshold, comments, judged.page_type, confidence, moved, None, selected
    )


def _without_moved(scores: Scores, dropped: BlockMask, hiding: Mapping[str, Verdicts]) -> Scores:
    """float32: the scores, 0 for blocks that rules dropped or hid."""
    out = dropped | ~_moved_mask(np.ones_like(dropped), hiding)
    return np.where(out, np.float32(0), scores)


def _favoured(scores: Scores, blocks: Blocks, chosen: float, favour: Favour) -> float:
    """The threshold, shifted towards precision or recall, but not so far that hardly anything is left."""
    shifted = shift_log_odds(chosen, _STEPS[favour])
    if favour is not Favour.PRECISION or shifted <= chosen:
        return shifted
    kept = np.sort(scores[scores >= np.float32(chosen)])[::-1]
    if not len(kept):
        return shifted
    order = np.argsort(-scores, kind="stable")[: len(kept)]
    length = np.cumsum(blocks.length[order])
    needed = int(np.searchsorted(length, _LEAST_LEFT * length[-1]))
    return min(shifted, float(kept[needed]))


def _damaged_words(blocks: Blocks, keep: BlockMask) -> float:
    """Share of the kept words with undecodable characters: they count for neither precision nor recall."""
    if not blocks.page.damage:
        return 0.0
    kept = " ".join(blocks.texts[index] for index in np.flatnonzero(keep).tolist())
    words = words_of(kept.replace("\ufffd", _STANDS_FOR_DAMAGE))
    return sum(_STANDS_FOR_DAMAGE in word for word in words) / len(words) if words else blocks.page.damage


def _apply(stage: Stage, situation: Situation, keep: BlockMask, decision: Decision) -> dict[str, Verdicts]:
    """Name -> verdicts of each rule of a stage that has any; rules of a stage do not see each other's verdicts."""
    if stage is Stage.REMOVE and decision.favour is Favour.RECALL:
        return {}
    rules = [rule for name in decision.rules if (rule := RULES[name]).stage is stage and rule.applies(situation)]
    if not rules:
        return {}
    seen = situation if keep is situation.keep else replace(situation, keep=keep)
    return {rule.name: verdicts for rule in rules if (verdicts := rule.decide(seen)).any()}


def _moved_mask(keep: BlockMask, moved: Mapping[str, Verdicts]) -> BlockMask:
    """bool: the mask after all verdicts; of two that disagree, the later one wins."""
    for verdicts in moved.values():
        keep = np.where(verdicts == 0, keep, verdicts == KEEP)
    return keep


def _make_read_only(*columns: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> None:
    for column in columns:
        column.setflags(write=False)
