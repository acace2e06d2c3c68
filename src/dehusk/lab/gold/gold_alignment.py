"""Gold text -> labels of the pieces of a page.

Gold says what the content is, not where it stands. Its words are found again among the words of the page's pieces, in
order (`matching`); a piece is content if at least half of its words are in gold.

CleanEval's gold is marked: `<h>`, `<p>` and `<l>` begin a header, a paragraph and a list item. The first piece of such
a segment gets its label; the pieces that go on with it are continuations. Text runs without a word (a comma between two
links) go on with a segment if the pieces on both sides are of it.

Gold that does not fit its page teaches nonsense: `verdict` says whether it may be used, and callers count and name what
they leave out.
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
from dehusk.page.characters import words_of_each
from dehusk.page.page_columns import make_read_only

LEAST_CONTENT_SHARE: Final = 0.5
"""Share of its words in gold that makes a piece content: people leave out or mend a word, seldom half of them."""
LEAST_ALIGNED_SHARE: Final = 0.5
"""Share of the gold's words that must be found on the page for the gold to be of that page. Gold fits or does not: of
6,738 pages of 13 data sets 726 are below, and only 78 between 0.5 and 0.8."""

_LABEL_OF_TAG: Final = {"h": RunLabel.HEADER, "p": RunLabel.PARAGRAPH, "l": RunLabel.LIST}
_TAG: Final = re.compile(r"<([hpl])>|^[ \t]*<([hpl])[<.]", re.IGNORECASE | re.MULTILINE)
"""At the beginning of a line the annotators' slips `<h<` and `<l.` are tags, too (7 in 456 files)."""
_CLOSING_TAG: Final = re.compile(r"</[hpl]>", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"\A\s*URL:[^\n]*")
"""The first line of most files."""

Labels = NDArray[np.uint8]
"""uint8, one entry a piece: its `RunLabel`."""


class Verdict(StrEnum):
    """Whether labels derived from gold may be used, or why not."""

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
class AlignedPieces:
    """Which pieces are in gold. Arrays are read-only, one entry a piece."""

    shares: NDArray[np.float32]
    """float32: share of the words that are in gold; 0 for pieces without words."""
    content: NDArray[np.bool_]
    """bool: the piece is in gold."""
    aligned_share: float
    """Share of the gold's words that were found in content pieces; 0 if gold has none."""
    verdict: Verdict

    def __post_init__(self) -> None:
        make_read_only(self)

    def __len__(self) -> int:
        return len(self.shares)

    @property
    def usable(self) -> bool:
        """Whether the gold is of this page."""
        return self.verdict is Verdict.USABLE


@dataclass(frozen=True, eq=False)
class LabelledPieces(AlignedPieces):
    """Which pieces are in marked gold, and as what."""

    labels: Labels


def read_marked(text: str) -> tuple[Segment, ...]:
    """The segments of CleanEval's marked text, without its line with the address.

    `<h>`, `<p>` and `<l>`, in either case, begin a segment; their closing tags mean nothing, all other tags are text.
    What stands before the first tag is a paragraph. White space is folded; segments without text are left out.
    """
    before, *parts = _TAG.split(_CLOSING_TAG.sub(" ", _ADDRESS.sub("", text)))
    found = [(RunLabel.PARAGRAPH, before)]
    for tag, slip, segment in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        found.append((_LABEL_OF_TAG[(tag or slip).lower()], segment))
    return tuple(Segment(label, folded) for label, raw in found if (folded := " ".join(raw.split())))


def align_text(pieces: Sequence[str], gold: str) -> AlignedPieces:
    """Which pieces of a page are in plain gold."""
    found = _Found(pieces, [gold])
    return AlignedPieces(found.shares, found.content(found.segment >= 0), found.aligned_share, found.verdict)


def align_marked(pieces: Sequence[str], segments: Sequence[Segment]) -> LabelledPieces:
    """The labels of the pieces of a page after marked gold."""
    found = _Found(pieces, [segment.text for segment in segments])
    content = found.content(found.segment)
    labels: Labels = np.where(content, RunLabel.CONTINUATION, RunLabel.OTHER).astype(np.uint8)
    begun, first = np.unique(found.segment, return_index=True)
    label_of = np.array([segment.label for segment in segments], np.uint8)
    labels[first[begun >= 0]] = label_of[begun[begun >= 0]]
    return LabelledPieces(found.shares, content, found.aligned_share, found.verdict, labels)


class _Found:
    """The words of gold segments among those of pieces."""

    def __init__(self, pieces: Sequence[str], segments: Sequence[str]) -> None:
        words, lengths = words_of_each(pieces)
        gold, gold_lengths = words_of_each(segments)
        self._length = np.array(lengths, np.int64)
        match = match_words(*number_words(words, gold))
        piece = np.repeat(np.arange(len(pieces)), self._length)[match >= 0]
        matched = np.bincount(piece, minlength=len(pieces))
        self.shares = (matched / np.maximum(self._length, 1)).astype(np.float32)
        is_content = (matched > 0) & (self.shares >= LEAST_CONTENT_SHARE)
        of_segment = np.repeat(np.arange(len(segments)), np.array(gold_lengths, np.int64))[match[match >= 0]]
        self.segment: Numbers = np.where(is_content, _most_frequent(piece, of_segment, len(pieces)), -1)
        """int64, one entry a piece: the segment that most of its words are in; -1 if it is no content."""
        self.aligned_share = float(matched[is_content].sum() / len(gold)) if gold else 0.0
        self.verdict = _judge(len(words), len(gold), self.aligned_share)

    def content(self, kind: NDArray[np.generic]) -> NDArray[np.bool_]:
        """bool, one entry a piece: it is in gold, or has no words and stands between content of one kind."""
        is_content = self.segment >= 0
        with_words = np.flatnonzero(self._length)
        wordless = np.flatnonzero(self._length == 0)
        after = np.searchsorted(with_words, wordless)
        inner = (after > 0) & (after < len(with_words))
        before, after = with_words[after[inner] - 1], with_words[after[inner]]
        is_content[wordless[inner]] = is_content[before] & is_content[after] & (kind[before] == kind[after])
        return is_content


def _most_frequent(piece: Numbers, segment: Numbers, pieces: int) -> Numbers:
    """int64, one entry a piece: the segment it occurs with most often, the first of several; -1 if with none."""
    pairs, counts = np.unique(np.stack([piece, segment], axis=1), axis=0, return_counts=True)
    order = np.lexsort((-pairs[:, 1], counts))  # the last of a piece is written last and stays
    found = np.full(pieces, -1, np.int64)
    found[pairs[order, 0]] = pairs[order, 1]
    return found


def _judge(words: int, gold_words: int, aligned_share: float) -> Verdict:
    if not gold_words:
        return Verdict.NO_GOLD
    if not words:
        return Verdict.NO_TEXT
    return Verdict.USABLE if aligned_share >= LEAST_ALIGNED_SHARE else Verdict.NOT_FOUND
