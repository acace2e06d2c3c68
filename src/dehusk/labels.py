"""Scores -> keep or drop. The only place that decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.belonging import keep_together
from dehusk.blocks.columns import BlockMask, Blocks, Kind
from dehusk.blocks.comment_sections import find_announced_comments
from dehusk.blocks.further_articles import first_of_further_articles
from dehusk.blocks.hidden_text import find_never_shown
from dehusk.blocks.repeating import find_repeated
from dehusk.blocks.signatures import find_signatures
from dehusk.blocks.teasers import find_teasers
from dehusk.errors import InvalidSetting
from dehusk.methods.base import Favour, Judgement, JudgesPages, LabelsPieces, Model, Reasons, Scores, TellsNoisyWords
from dehusk.network.cutting import expected_f1, raised
from dehusk.page.characters import words_of
from dehusk.page.tags import TAG_CODES

_COMMENT: Final = 0.5
"""Probability from which a block counts as a comment."""
_AS_HIDDEN: Final = "because it is hidden and nothing on the page shows it"
_AS_COMMENT: Final = "as a comment on what else the page says"
_AS_OTHER_ARTICLE: Final = "as part of another article"
_AS_INPUT: Final = "because readers write there"
_AS_TEASER: Final = "because it leads to another page of the site"
_AS_REPETITION: Final = "because it repeats what stands above"
_AS_SIGNATURE: Final = "as the signature below a post"
_STANDS_FOR_DAMAGE: Final = "\ua7a9"
"""A letter, so that it is part of words, and one of no living language."""
_SURELY_FORUM: Final = 0.95
"""How likely a page is a forum, of which all posts are kept; an article below which much is said looks like one."""
_MOSTLY_COMMENTS: Final = 0.6
_FEWEST_CHARACTERS: Final = 200
"""What must be left of an article. In forums everything is a comment, or too little else."""
_STEPS: Final = {Favour.PRECISION: 1.5, Favour.BALANCED: 0.0, Favour.RECALL: -1.5}
"""By how much the log-odds of the threshold are moved."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What users can ask for. Both need a model that judges pages; for others the defaults alone make sense."""

    favour: Favour | str = Favour.BALANCED
    """Whether to keep what is doubtful: `recall` does, `precision` does not."""
    comments: bool = False
    """Whether readers' comments are kept."""

    def __post_init__(self) -> None:
        if self.favour not in list(Favour):
            raise InvalidSetting("favour", f"{self.favour!r} is none of {', '.join(Favour)}", "see Decision")
        object.__setattr__(self, "favour", Favour(self.favour))


DEFAULT_DECISION: Final = Decision()


@dataclass(frozen=True, eq=False)
class LabelledBlocks:
    """Blocks with what a model thinks of them and the decision that follows. Arrays are read-only."""

    blocks: Blocks
    model: Model
    scores: Scores
    keep: BlockMask
    threshold: float
    """What a block had to score; see `keep_together` for what is decided otherwise."""
    comments: BlockMask
    """bool: readers' comments, kept or not; none where the model does not know them."""
    page_type: str = ""
    """What kind of page it is; empty if the model does not say."""
    confidence: float | None = None
    """From 0 to 1: how good the result is likely to be (word F1); None if the model does not know."""
    ruled_out: Mapping[str, BlockMask] = field(default_factory=dict)
    """Why -> bool: blocks that are dropped whatever they score."""
    corrected: BlockMask | None = None
    """bool: blocks on which a person decided; None if nobody was asked."""

    @cached_property
    def reasons(self) -> Reasons:
        """Why each block scored as it did, and why that did not decide where it did not, in words."""
        return self.with_moves(self.model.explain_blocks(self.blocks))

    def with_moves(self, reasons: Reasons) -> Reasons:
        """The reasons of the model, and for each block that its score did not decide on, what did."""
        scored = np.isnan(self.scores) | (self.scores >= np.float32(self.threshold))
        moved = scored != self.keep
        told = list(reasons)
        for index in np.flatnonzero(moved if self.corrected is None else moved | self.corrected).tolist():
            told[index] = (*told[index], self._why_moved(index))
        return tuple(told)

    def _why_moved(self, index: int) -> str:
        if self.corrected is not None and self.corrected[index]:
            return "kept because somebody said so" if self.keep[index] else "dropped because somebody said so"
        if self.keep[index]:
            return "kept as a comment" if self.comments[index] else "kept with what it belongs to"
        ruled_out = (f"dropped {why}" for why, blocks in self.ruled_out.items() if blocks[index])
        return next(ruled_out, "dropped with what it belongs to")

    @cached_property
    def noisy_words(self) -> Mapping[int, frozenset[str]]:
        """By block: its words that the site has there on every page; empty if the model knows nothing of the kind."""
        return self.model.noisy_words(self.blocks) if isinstance(self.model, TellsNoisyWords) else {}

    @cached_property
    def kept(self) -> tuple[int, ...]:
        """Indexes of the blocks that are kept."""
        return tuple(np.flatnonzero(self.keep).tolist())


@dataclass(frozen=True, eq=False)
class JudgedBlocks:
    """What a model thinks of blocks, before anything is decided: to decide once more is cheap."""

    blocks: Blocks
    model: Model
    scores: Scores
    threshold: float
    """What a block has to score if nobody asks for another threshold."""
    judgement: Judgement | None = None
    """What else a model says that judges pages."""


def label_blocks(blocks: Blocks, model: Model, decision: Decision = DEFAULT_DECISION) -> LabelledBlocks:
    """Keep what scores at least the threshold, and what the model has no opinion on (NaN): doubt never deletes."""
    _check(model, decision)
    return decide(judge_blocks(blocks, model), decision)


def judge_blocks(blocks: Blocks, model: Model) -> JudgedBlocks:
    """What a model thinks of blocks."""
    if isinstance(model, JudgesPages):
        judged = model.judge(blocks)
        return JudgedBlocks(blocks, model, judged.scores, judged.threshold, judged)
    scores = model.score_blocks(blocks)
    if isinstance(model, LabelsPieces):
        blocks = model.restructure(blocks)
    return JudgedBlocks(blocks, model, scores, model.threshold)


def decide(
    judged: JudgedBlocks, decision: Decision = DEFAULT_DECISION, threshold: float | None = None
) -> LabelledBlocks:
    """What to keep, with the model's threshold or another one."""
    _check(judged.model, decision)
    asked = judged.threshold if threshold is None else threshold
    if judged.judgement is not None and isinstance(judged.model, JudgesPages):
        return _decide_judged(judged.blocks, judged.model, judged.judgement, asked, decision)
    keep = np.isnan(judged.scores) | (judged.scores >= np.float32(asked))
    comments = np.zeros(len(judged.blocks), dtype=bool)
    _make_read_only(judged.scores, keep, comments)
    return LabelledBlocks(judged.blocks, judged.model, judged.scores, keep, asked, comments)


def correct(labelled: LabelledBlocks, said: NDArray[np.int8]) -> LabelledBlocks:
    """The same blocks, kept (1) or dropped (-1) where a person said so; where it is 0 nobody did."""
    keep = np.where(said == 0, labelled.keep, said > 0)
    corrected = said != 0
    _make_read_only(keep, corrected)
    return replace(labelled, keep=keep, corrected=corrected)


def _check(model: Model, decision: Decision) -> None:
    if decision != DEFAULT_DECISION and not isinstance(model, JudgesPages):
        cause = f"the method {model.method} knows neither comments nor how sure it is"
        raise InvalidSetting("favour and comments", cause, "clean with the default method")


def _decide_judged(
    blocks: Blocks, model: JudgesPages, judged: Judgement, asked: float, decision: Decision
) -> LabelledBlocks:
    scores, threshold = judged.scores, raised(asked, _STEPS[Favour(decision.favour)])
    scored = keep_together(blocks, scores >= np.float32(threshold), scores, threshold)
    likely_comments = judged.comments >= _COMMENT
    # Also where recall is favoured: that is for doubtful text, and there is no doubt about what no reader can see.
    hidden = find_never_shown(blocks, scored | likely_comments if decision.comments else scored)
    shown = scored & ~hidden
    ruled_out = {} if decision.favour is Favour.RECALL else _rule_out(blocks, shown, likely_comments, judged)
    if hidden.any():
        ruled_out[_AS_HIDDEN] = hidden
    out = np.any([*ruled_out.values(), np.zeros(len(blocks), dtype=bool)], axis=0)
    keep = scored & ~out
    confidence = model.confidence(expected_f1(np.where(out, np.float32(0), scores), blocks.length, keep))
    confidence *= 1 - _damaged_words(blocks, keep)
    comments = (likely_comments & ~scored) | ruled_out.get(_AS_COMMENT, False)
    if decision.comments:
        keep = keep | (comments & ~hidden)
    _make_read_only(scores, keep, comments, *ruled_out.values())
    return LabelledBlocks(blocks, model, scores, keep, threshold, comments, judged.page_type, confidence, ruled_out)


def _damaged_words(blocks: Blocks, keep: BlockMask) -> float:
    """Share of the kept words that were not decoded whole: neither precision nor recall has any of them."""
    if not blocks.page.damage:
        return 0.0
    kept = " ".join(blocks.texts[index] for index in np.flatnonzero(keep).tolist())
    words = words_of(kept.replace("\ufffd", _STANDS_FOR_DAMAGE))
    return sum(_STANDS_FOR_DAMAGE in word for word in words) / len(words) if words else blocks.page.damage


def _rule_out(blocks: Blocks, keep: BlockMask, comments: BlockMask, judged: Judgement) -> dict[str, BlockMask]:
    """Why -> bool: kept blocks that are not to be kept after all."""
    out: dict[str, BlockMask] = {}
    # Who is wrong about the type would drop half of the page: where evidence disagrees, scores alone decide.
    kind = judged.page_type if judged.type_agreed else ""
    is_article, is_forum = kind == "article", kind == "forum"
    could_be_article = is_article or (is_forum and judged.type_certainty < _SURELY_FORUM)
    if could_be_article and _is_buried(blocks, keep, comments):
        out[_AS_COMMENT] = keep & comments
    if is_forum:
        out[_AS_REPETITION] = find_repeated(blocks, keep)
        out[_AS_SIGNATURE] = find_signatures(blocks, keep)
    if is_article:
        out[_AS_COMMENT] = find_announced_comments(blocks, keep) | out.get(_AS_COMMENT, False)
        out[_AS_OTHER_ARTICLE] = _in_further_articles(blocks, keep)
        out[_AS_TEASER] = find_teasers(blocks, keep)
    is_input = (blocks.kind == Kind.FORM) & (blocks.page.tag[blocks.kind_row] == TAG_CODES["textarea"])
    if blocks.length[keep & ~is_input].sum() >= _FEWEST_CHARACTERS:
        out[_AS_INPUT] = keep & is_input
    return {why: blocks for why, blocks in out.items() if blocks.any()}


def _in_further_articles(blocks: Blocks, keep: BlockMask) -> BlockMask:
    """bool: kept blocks of a second article and all below it, if anything is left of the first."""
    second = first_of_further_articles(blocks)
    further = np.zeros(len(blocks), dtype=bool)
    if second is not None and blocks.length[:second][keep[:second]].sum() >= _FEWEST_CHARACTERS:
        further[second:] = keep[second:]
    return further


def _is_buried(blocks: Blocks, keep: BlockMask, comments: BlockMask) -> bool:
    """Whether what would be kept is mostly comments, and something that they are about."""
    kept, commenting = int(blocks.length[keep].sum()), int(blocks.length[keep & comments].sum())
    return commenting >= _MOSTLY_COMMENTS * kept and kept - commenting >= _FEWEST_CHARACTERS


def _make_read_only(*columns: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> None:
    for column in columns:
        column.setflags(write=False)
