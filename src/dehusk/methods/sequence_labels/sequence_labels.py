"""Sequence labels: what a piece of text is depends on what stands before and after it.

Marek, Pecina & Spousta, "Web Page Cleaning with Conditional Random Fields", CleanEval 2007.

The text between two tags is a *piece*. Each has 46 features of markup, content and document (`pieces.features`), and a
conditional random field gives it one of five labels: header, paragraph, list, continuation, or other, which is noise.

    >>> import dehusk
    >>> page = dehusk.clean("<h1>Tea</h1><p>Steep the leaves for three minutes.</p>", dehusk.SequenceLabels().fit())
    >>> page.render("cleaneval")
    '<h>Tea\\n<p>Steep the leaves for three minutes.\\n'

Readings and differences:

* A label is the one that is most likely for the piece itself, given the page (its marginal), where CRF++ gives the most
  likely sequence. It is right more often, and the same numbers serve as scores.
* A block is as much content as its pieces are on average, by their length. Blocks are kept or dropped whole; only
  CleanEval's format follows the labels of the pieces.
* Only training needs python-crfsuite. A model is two matrices of weights, and the marginals are computed here.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.resources import as_file, files
from typing import Any, ClassVar, Final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.errors import InvalidSetting, ModelError
from dehusk.methods.base import Reasons, Scores
from dehusk.methods.model_files import ModelFile, read_model_file, write_model_file
from dehusk.methods.sequence_labels.chain_marginals import marginals
from dehusk.methods.sequence_labels.feature_templates import Attributes, AttributeTable, observations
from dehusk.methods.sequence_labels.run_features import FEATURE_NAMES
from dehusk.methods.sequence_labels.text_runs import PieceLabel, Pieces, find_pieces
from dehusk.page.page_columns import Page

_SHIPPED: Final = "sequence-labels.dehusk"
_SURE: Final = 0.5
"""How likely a heading or list item must be that only the words tell."""
_MOST_REASONS: Final = 2
"""Attributes that are named as reasons: the strongest say most."""

Weights = NDArray[np.float32]
Probabilities = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SequenceLabels:
    """Settings: what a piece is judged by."""

    name: ClassVar[str] = "sequence-labels"
    learns: ClassVar[bool] = False

    features: tuple[str, ...] = FEATURE_NAMES
    """Names of the features that are switched on."""
    threshold: float = 0.5
    """Blocks that are content with less probability are dropped."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", tuple(self.features))
        if unknown := [name for name in self.features if name not in FEATURE_NAMES]:
            raise InvalidSetting("features", f"there is no {', '.join(unknown)}", "see FEATURE_NAMES")
        if not self.features:
            raise InvalidSetting("features", "none is left", "switch some on")
        if not 0 <= self.threshold <= 1:
            raise InvalidSetting("threshold", f"{self.threshold} is outside 0 to 1", "see SequenceLabels")

    def fit(self, pages: Iterable[Page] = ()) -> SequenceLabelsModel:
        """The model that comes with dehusk; pages without gold teach it nothing. See `dehusk train`."""
        model = _shipped()
        if self.features != model.settings.features:
            raise InvalidSetting("features", "the model that comes with dehusk has others", "train one of your own")
        return SequenceLabelsModel(self, model.weights, model.transitions, model.pages)


@dataclass(frozen=True, eq=False)
class SequenceLabelsModel:
    """The weights of a conditional random field."""

    settings: SequenceLabels
    weights: Weights
    """float32, attributes x labels: how much an attribute of a piece speaks for a label."""
    transitions: Weights
    """float32, label x next label."""
    pages: int = 0
    """Pages it was trained on."""

    @property
    def method(self) -> str:
        return self.settings.name

    @property
    def threshold(self) -> float:
        return self.settings.threshold

    @cached_property
    def table(self) -> AttributeTable:
        """What the rows of the weights stand for."""
        return AttributeTable(self.settings.features)

    def score_blocks(self, blocks: Blocks) -> Scores:
        """How likely each block is content; hidden ones score 0."""
        pieces, likely = self.pieces_of(blocks), self.probabilities_of(blocks)
        length = np.array(list(map(len, pieces.texts)), dtype=np.float64)
        content = 1 - likely[:, PieceLabel.OTHER]
        total = np.bincount(pieces.block, weights=content * length, minlength=len(blocks))
        scores = total / np.maximum(np.bincount(pieces.block, weights=length, minlength=len(blocks)), 1)
        return np.where(blocks.hidden, 0.0, scores).astype(np.float32)

    def explain_blocks(self, blocks: Blocks) -> Reasons:
        """The label of each block's first piece, how likely it is, and what speaks for it most."""
        scores, attributes = self.score_blocks(blocks), observations(self.pieces_of(blocks), self.table)
        likely, first = self.probabilities_of(blocks), self._first_piece(blocks).tolist()
        return tuple(
            self._reasons(float(score), likely[piece], attributes[piece])
            if piece >= 0
            else ("hidden text is not labelled",)
            for score, piece in zip(scores.tolist(), first, strict=True)
        )

    def restructure(self, blocks: Blocks) -> Blocks:
        """Headings and list items that the markup does not show: texts that are read as such and marked as nothing."""
        first = self._first_piece(blocks)
        # Blocks without pieces have position -1: the row of zeros at the end.
        likely = np.append(self.probabilities_of(blocks), np.zeros((1, len(PieceLabel))), axis=0)[first]
        sure, label = likely.max(axis=1, initial=0) >= _SURE, likely.argmax(axis=1)
        other = blocks.with_kinds(sure & (label == PieceLabel.HEADER), sure & (label == PieceLabel.LIST))
        self._known[other] = self._read(blocks)
        return other

    def pieces_of(self, blocks: Blocks) -> Pieces:
        """The pieces of a page."""
        return self._read(blocks)[0]

    def labels_of(self, blocks: Blocks) -> NDArray[np.uint8]:
        """uint8, one entry a piece: its `PieceLabel`, the most likely one."""
        return np.asarray(self.probabilities_of(blocks).argmax(axis=1), dtype=np.uint8)

    def probabilities_of(self, blocks: Blocks) -> Probabilities:
        """float64, pieces x labels: how likely each label is."""
        return self._read(blocks)[1]

    def _read(self, blocks: Blocks) -> tuple[Pieces, Probabilities]:
        """Scores, reasons and structure all ask for the same; pages are read once."""
        if blocks not in self._known:
            pieces = find_pieces(blocks)
            self._known[blocks] = (pieces, self.probabilities(observations(pieces, self.table)))
        return self._known[blocks]

    @cached_property
    def _known(self) -> WeakKeyDictionary[Blocks, tuple[Pieces, Probabilities]]:
        """What was found of pages that are still in somebody's hands."""
        return WeakKeyDictionary()

    def _first_piece(self, blocks: Blocks) -> NDArray[np.intp]:
        """One entry a block: the number of its first piece; -1 for those that have none."""
        first = np.full(len(blocks), -1, dtype=np.intp)
        found, position = np.unique(self.pieces_of(blocks).block, return_index=True)
        first[found] = position
        return first

    def probabilities(self, attributes: Attributes) -> Probabilities:
        """float64, pieces x labels, for the attributes of the pieces of a page."""
        emissions = np.zeros((len(attributes), len(PieceLabel)))
        for column in attributes.T:  # a column at a time: gathering all at once would take a hundred times the memory
            emissions += self.weights[column]
        return marginals(emissions, self.transitions.astype(np.float64))

    def save(self, path: str | os.PathLike[str], *, site: str = "", created: str = "") -> None:
        """Write the model to a file; `site` names what it was trained on, `created` is a date for its header."""
        settings = {
            "features": list(self.settings.features),
            "threshold": self.settings.threshold,
            "attributes": _digest(self.table.names),
        }
        arrays: dict[str, NDArray[Any]] = {
            "weights": self.weights.astype(np.float16),
            "transitions": self.transitions.astype(np.float16),
        }
        write_model_file(path, ModelFile(self.method, settings, self.pages, site, created, arrays))

    @classmethod
    def from_file(cls, file: ModelFile) -> SequenceLabelsModel:
        """The model that was saved; refused if its features are not ours."""
        try:
            settings = SequenceLabels(tuple(map(str, file.settings["features"])), float(file.settings["threshold"]))
            weights, transitions = (_weights(file.arrays[name]) for name in ("weights", "transitions"))
            model = cls(settings, weights, transitions, file.pages)
            _check(model, str(file.settings["attributes"]))
        except (InvalidSetting, KeyError, TypeError, ValueError) as error:
            cause = f"does not hold sequence labels that this dehusk knows ({error})"
            raise ModelError("the model file", cause, "train it again with `dehusk train sequence-labels`") from error
        return model

    def _reasons(self, score: float, likely: NDArray[np.float64], attributes: NDArray[np.int32]) -> tuple[str, ...]:
        label = PieceLabel(int(likely.argmax()))
        spoken = f"read as {label.name.lower()}, {score:.0%} content"
        against = PieceLabel.OTHER if label else PieceLabel(int(likely[1:].argmax()) + 1)
        speaks = self.weights[attributes, label] - self.weights[attributes, against]
        strongest = np.argsort(-speaks, kind="stable")[:_MOST_REASONS]
        return spoken, *(f"because of {self.table.names[attributes[at]]}" for at in strongest if speaks[at] > 0)


@lru_cache(maxsize=1)
def _shipped() -> SequenceLabelsModel:
    with as_file(files("dehusk") / "models" / _SHIPPED) as path:
        return SequenceLabelsModel.from_file(read_model_file(path))


def _digest(names: Sequence[str]) -> str:
    """Features may keep their names and change their values: weights are for these values."""
    return sha256("\n".join(names).encode()).hexdigest()[:16]


def _weights(array: NDArray[Any]) -> Weights:
    if array.dtype not in (np.float16, np.float32) or array.ndim != 2 or not np.isfinite(array).all():
        raise ValueError("weights are not numbers")
    return array.astype(np.float32)


def _check(model: SequenceLabelsModel, attributes: str) -> None:
    labels = len(PieceLabel)
    if attributes != _digest(model.table.names):
        raise ValueError(f"the features {', '.join(model.settings.features)} have other values now")
    if model.weights.shape != (len(model.table), labels) or model.transitions.shape != (labels, labels):
        raise ValueError("there are more or fewer weights than the features need")
