"""Align gold text with a page: label its text runs, or find the share of each block's words that is in gold.

Gold says what the content is, not where it is. Its words are matched with the words of the page's text runs, in order
(`word_matching`); a run is content if at least half of its words are in gold.

CleanEval's gold is marked: `<h>`, `<p>` and `<l>` begin a header, a paragraph and a list item. The first run of such a
segment gets its label; the runs that follow in it are continuations. Runs without a word (a comma between two links)
belong to a segment if the runs on both sides do.

Some gold has its parts in another order than the page, for example the facts of a product before its description.
`shares_in_any_order` aligns the words that were not found with the text that is not in gold yet, round after round.
Later rounds ask for a better match: a menu has most words of any text in some order.

Gold that does not fit its page teaches nonsense: `verdict` says whether it may be used, and callers count and name the
pages they leave out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.lab.gold.word_matching import Numbers, match_words, number_words
from dehusk.methods.sequence_labels.text_runs import RunLabel
from dehusk.page.characters import words_of, words_of_each
from dehusk.page.page_columns import make_read_only

LEAST_CONTENT_SHARE: Final = 0.5
"""A run is content if this share of its words is in gold: annotators drop or correct a word, rarely half of them."""
LEAST_ALIGNED_SHARE: Final = 0.5
"""Gold is usable if at least this share of its words is found on the page. It fits or does not: of 6,738 pages of 13
data sets 726 are below, and only 78 between 0.5 and 0.8."""

_LABEL_OF_TAG: Final = {"h": RunLabel.HEADER, "p": RunLabel.PARAGRAPH, "l": RunLabel.LIST}
_TAG: Final = re.compile(r"<([hpl])>|^[ \t]*<([hpl])[<.]", re.IGNORECASE | re.MULTILINE)
"""At the start of a line, the annotators' typos `<h<` and `<l.` count as tags (7 in 456 files)."""
_CLOSING_TAG: Final = re.compile(r"</[hpl]>", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"\A\s*URL:[^\n]*")
"""The first line of most files."""

Labels = NDArray[np.uint8]
"""uint8, one entry per run: its `RunLabel`."""


class Verdict(StrEnum):
    """Whether labels derived from gold are usable, or why not."""

    USABLE = "usable"
    NO_GOLD = "the gold has no words"
    NO_TEXT = "the page has no words"
    NOT_FOUND = "too little of the gold is on the page"


@dataclass(frozen=True, slots=True)
class Segment:
    """A header, paragraph or list item of marked gold."""

    label: RunLabel
    text: str


@dataclass(frozen=True, eq=False)
class AlignedRuns:
    """Which text runs are in gold. Arrays are read-only, with one entry per run."""

    shares: NDArray[np.float32]
    """float32: the share of the run's words that are in gold; 0 for runs without words."""
    content: NDArray[np.bool_]
    """bool: the run is in gold."""
    aligned_share: float
    """The share of the gold's words found in content runs; 0 if gold has no words."""
    verdict: Verdict

    def __post_init__(self) -> None:
        make_read_only(self)

    def __len__(self) -> int:
        return len(self.shares)

    @property
    def usable(self) -> bool:
        """Whether the gold fits the page."""
        return self.verdict is Verdict.USABLE


@dataclass(frozen=True, eq=False)
class LabelledRuns(AlignedRuns):
    """Which text runs are in marked gold, and their labels."""

    labels: Labels


def read_marked(text: str) -> tuple[Segment, ...]:
    """The segments of CleanEval's marked text, without its URL line.

    `<h>`, `<p>` and `<l>`, in either case, begin a segment; their closing tags are ignored, all other tags are text.
    Text before the first tag is a paragraph. White space is folded; segments without text are dropped.
    """
    before, *parts = _TAG.split(_CLOSING_TAG.sub(" ", _ADDRESS.sub("", text)))
    found = [(RunLabel.PARAGRAPH, before)]
    for tag, slip, segment in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        found.append((_LABEL_OF_TAG[(tag or slip).lower()], segment))
    return tuple(Segment(label, folded) for label, raw in found if (folded := " ".join(raw.split())))


def align_text(runs: Sequence[str], gold: str) -> AlignedRuns:
    """Find the text runs of a page that are in plain gold."""
    found = _MatchedWords(runs, [gold])
    return AlignedRuns(found.shares, found.content(found.segment >= 0), found.aligned_share, found.verdict)


def align_marked(runs: Sequence[str], segments: Sequence[Segment]) -> LabelledRuns:
    """Label the text runs of a page by marked gold."""
    found = _MatchedWords(runs, [segment.text for segment in segments])
    content = found.content(found.segment)
    labels: Labels = np.where(content, RunLabel.CONTINUATION, RunLabel.OTHER).astype(np.uint8)
    begun, first = np.unique(found.segment, return_index=True)
    label_of = np.array([segment.label for segment in segments], np.uint8)
    labels[first[begun >= 0]] = label_of[begun[begun >= 0]]
    return LabelledRuns(found.shares, content, found.aligned_share, found.verdict, labels)


class _MatchedWords:
    """The words of gold segments, matched with the words of text runs."""

    def __init__(self, runs: Sequence[str], segments: Sequence[str]) -> None:
        words, lengths = words_of_each(runs)
        gold, gold_lengths = words_of_each(segments)
        self._length = np.array(lengths, np.int64)
        match = match_words(*number_words(words, gold))
        run = np.repeat(np.arange(len(runs)), self._length)[match >= 0]
        matched = np.bincount(run, minlength=len(runs))
        self.shares = (matched / np.maximum(self._length, 1)).astype(np.float32)
        is_content = (matched > 0) & (self.shares >= LEAST_CONTENT_SHARE)
        of_segment = np.repeat(np.arange(len(segments)), np.array(gold_lengths, np.int64))[match[match >= 0]]
        self.segment: Numbers = np.where(is_content, _most_frequent(run, of_segment, len(runs)), -1)
        """int64, one entry per run: the segment of most of its words; -1 if it is not content."""
        self.aligned_share = float(matched[is_content].sum() / len(gold)) if gold else 0.0
        self.verdict = _judge(len(words), len(gold), self.aligned_share)

    def content(self, kind: NDArray[np.generic]) -> NDArray[np.bool_]:
        """bool, one entry per run: it is in gold, or has no words and is between content of one kind."""
        is_content = self.segment >= 0
        with_words = np.flatnonzero(self._length)
        wordless = np.flatnonzero(self._length == 0)
        after = np.searchsorted(with_words, wordless)
        inner = (after > 0) & (after < len(with_words))
        before, after = with_words[after[inner] - 1], with_words[after[inner]]
        is_content[wordless[inner]] = is_content[before] & is_content[after] & (kind[before] == kind[after])
        return is_content


def _most_frequent(run: Numbers, segment: Numbers, runs: int) -> Numbers:
    """int64, one entry per run: its most frequent segment, the first on a tie; -1 for none."""
    pairs, counts = np.unique(np.stack([run, segment], axis=1), axis=0, return_counts=True)
    order = np.lexsort((-pairs[:, 1], counts))  # the last entry of a run overwrites the others
    found = np.full(runs, -1, np.int64)
    found[pairs[order, 0]] = pairs[order, 1]
    return found


def _judge(words: int, gold_words: int, aligned_share: float) -> Verdict:
    if not gold_words:
        return Verdict.NO_GOLD
    if not words:
        return Verdict.NO_TEXT
    return Verdict.USABLE if aligned_share >= LEAST_ALIGNED_SHARE else Verdict.NOT_FOUND


_FEWEST_WORDS: Final = 5
"""Shorter runs match anywhere by accident."""
_LEAST_SHARE: Final = 0.8
"""In later rounds, a run is found if this share of its words is in the rest of the gold."""
_MOST_ROUNDS: Final = 6
_LITTLE_LEFT: Final = 0.03
"""A rest of this share of the gold is not worth another round."""


def shares_in_any_order(runs: Sequence[str], gold: str) -> tuple[NDArray[np.float32], float]:
    """float32, one entry per run: the share of its words in gold; and the share of the gold that was found."""
    words, lengths = words_of_each(runs)
    numbers, gold_numbers = number_words(words, words_of(gold))
    length = np.array(lengths, np.int64)
    shares = np.zeros(len(runs), dtype=np.float32)
    seeking, left = length > 0, np.ones(len(gold_numbers), dtype=bool)
    for number in range(_MOST_ROUNDS):
        least = _LEAST_SHARE if number else LEAST_CONTENT_SHARE
        found, matched = _one_round(numbers, np.repeat(np.arange(len(runs)), length), gold_numbers, seeking, left)
        of_round = (found / np.maximum(length, 1)).astype(np.float32)
        is_found = (of_round >= least) & (found > 0)
        shares = np.where(is_found | (number == 0), np.maximum(shares, of_round), shares)
        left[matched[1][is_found[matched[0]]]] = False
        seeking = ~is_found & seeking & (length >= _FEWEST_WORDS)
        if not is_found.any() or not seeking.any() or left.mean() <= _LITTLE_LEFT:
            break
    return shares, float(1 - left.mean()) if len(left) else 0.0


def _one_round(
    words: Numbers, run: Numbers, gold: Numbers, seeking: NDArray[np.bool_], left: NDArray[np.bool_]
) -> tuple[Numbers, tuple[Numbers, Numbers]]:
    """The number of words found in each run, and for each found word its run and its position in gold."""
    taken = seeking[run]
    match = match_words(words[taken], gold[left])
    of_run = run[taken][match >= 0]
    return np.bincount(of_run, minlength=len(seeking)), (of_run, np.flatnonzero(left)[match[match >= 0]])
