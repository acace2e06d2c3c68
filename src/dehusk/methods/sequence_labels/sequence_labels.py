"""Sequence labels: label each text run by itself and its neighbours with a conditional random field.

Marek, Pecina & Spousta, "Web Page Cleaning with Conditional Random Fields", CleanEval 2007.

A *text run* is the text between two tags. Each has 46 features of markup, content and document (`run_features`), and
the CRF gives it one of five labels: header, paragraph, list, continuation, or other, which is noise.

    >>> import dehusk
    >>> page = dehusk.clean("<h1>Tea</h1><p>Steep the leaves for three minutes.</p>", dehusk.SequenceLabels().fit())
    >>> page.render("cleaneval")
    '<h>Tea\\n<p>Steep the leaves for three minutes.\\n'

Readings and differences:

* Each text run gets the label with the highest marginal probability, where CRF++ outputs the most likely sequence. That
  is right more often, and the same probabilities serve as scores.
* A block's score is the mean content probability of its text runs, weighted by length. Blocks are kept or dropped
  whole; only CleanEval's format follows the labels of the text runs.
* A model is two weight matrices. Labelling needs numpy alone, training scipy (`lab/training/chain_training.py`).
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

from dehusk.arguments import checked
from dehusk.blocks.block_columns import Blocks
from dehusk.errors import InvalidSetting, ModelError
from dehusk.methods.base import Reasons, Scores, check_range
from dehusk.methods.model_files import ModelFile, excerpt, read_model_file, write_model_file
from dehusk.methods.sequence_labels.chain_marginals import marginals
from dehusk.methods.sequence_labels.feature_templates import Attributes, AttributeTable, observations
from dehusk.methods.sequence_labels.run_features import FEATURE_NAMES
from dehusk.methods.sequence_labels.text_runs import RunLabel, TextRuns, find_text_runs
from dehusk.page.page_columns import Page

_SHIPPED: Final = "sequence-labels.dehusk"
_SURE: Final = 0.5
"""Least probability for a heading or list item that the markup does not show."""
_MOST_REASONS: Final = 2
"""Attributes named as reasons, the strongest first."""

Weights = NDArray[np.float32]
Probabilities = NDArray[np.float64]


@checked
@dataclass(frozen=True, slots=True)
class SequenceLabels:
    """Labels for the texts of a page as a sequence, by a conditional random field. Settings:

    Arguments:
        features: names of the enabled features.
        threshold: blocks with a lower content probability are dropped.

    >>> dehusk.SequenceLabels(threshold=0.3).name
    'sequence-labels'
    """

    name: ClassVar[str] = "sequence-labels"
    learns: ClassVar[bool] = False

    features: tuple[str, ...] = FEATURE_NAMES
    threshold: float = 0.5

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", tuple(self.features))
        if unknown := [name for name in self.features if name not in FEATURE_NAMES]:
            raise InvalidSetting("features", f"unknown: {', '.join(unknown)}", "see FEATURE_NAMES")
        if not self.features:
            raise InvalidSetting("features", "no feature is enabled", "enable at least one")
        check_range(self, 0, 1, "threshold")

    def fit(self, pages: Iterable[Page] = ()) -> SequenceLabelsModel:
        """Load the shipped model; it learns nothing from unlabelled pages. See `dehusk train`."""
        model = _shipped()
        if self.features != model.settings.features:
            raise InvalidSetting("features", "the shipped model has other features", "train a model with these")
        return SequenceLabelsModel(self, model.weights, model.transitions, model.pages)


@dataclass(frozen=True, eq=False)
class SequenceLabelsModel:
    """The weights of a conditional random field."""

    settings: SequenceLabels
    weights: Weights
    """float32, attributes x labels: the weight of an attribute for a label."""
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
        """The attributes that the rows of `weights` stand for."""
        return AttributeTable(self.settings.features)

    def score_blocks(self, blocks: Blocks) -> Scores:
        """Content probability of each block; hidden blocks score 0."""
        runs, likely = self.text_runs_of(blocks), self.probabilities_of(blocks)
        length = np.array(list(map(len, runs.texts)), dtype=np.float64)
        content = 1 - likely[:, RunLabel.OTHER]
        total = np.bincount(runs.block, weights=content * length, minlength=len(blocks))
        scores = total / np.maximum(np.bincount(runs.block, weights=length, minlength=len(blocks)), 1)
        return np.where(blocks.hidden, 0.0, scores).astype(np.float32)

    def explain_blocks(self, blocks: Blocks) -> Reasons:
        """The label of each block's first text run, the block's score, and the strongest attributes."""
        scores, attributes = self.score_blocks(blocks), observations(self.text_runs_of(blocks), self.table)
        likely, first = self.probabilities_of(blocks), self._first_run(blocks).tolist()
        return tuple(
            self._reasons(float(score), likely[run], attributes[run]) if run >= 0 else ("hidden text: not labelled",)
            for score, run in zip(scores.tolist(), first, strict=True)
        )

    def restructure(self, blocks: Blocks) -> Blocks:
        """Mark blocks as headings or list items that are labelled so but have no such markup."""
        first = self._first_run(blocks)
        # Blocks without text runs have index -1: the row of zeros at the end.
        likely = np.append(self.probabilities_of(blocks), np.zeros((1, len(RunLabel))), axis=0)[first]
        sure, label = likely.max(axis=1, initial=0) >= _SURE, likely.argmax(axis=1)
        other = blocks.with_kinds(sure & (label == RunLabel.HEADER), sure & (label == RunLabel.LIST))
        self._known[other] = self._read(blocks)
        return other

    def text_runs_of(self, blocks: Blocks) -> TextRuns:
        """The text runs of a page."""
        return self._read(blocks)[0]

    def labels_of(self, blocks: Blocks) -> NDArray[np.uint8]:
        """uint8, one entry per text run: its most likely `RunLabel`."""
        return np.asarray(self.probabilities_of(blocks).argmax(axis=1), dtype=np.uint8)

    def probabilities_of(self, blocks: Blocks) -> Probabilities:
        """float64, runs x labels: the probability of each label."""
        return self._read(blocks)[1]

    def _read(self, blocks: Blocks) -> tuple[TextRuns, Probabilities]:
        """Text runs and probabilities, computed once for scores, reasons and structure."""
        if blocks not in self._known:
            runs = find_text_runs(blocks)
            self._known[blocks] = (runs, self.probabilities(observations(runs, self.table)))
        return self._known[blocks]

    @cached_property
    def _known(self) -> WeakKeyDictionary[Blocks, tuple[TextRuns, Probabilities]]:
        """Results for blocks that are still referenced elsewhere."""
        return WeakKeyDictionary()

    def _first_run(self, blocks: Blocks) -> NDArray[np.intp]:
        """One entry per block: the index of its first text run; -1 if it has none."""
        first = np.full(len(blocks), -1, dtype=np.intp)
        found, position = np.unique(self.text_runs_of(blocks).block, return_index=True)
        first[found] = position
        return first

    def probabilities(self, attributes: Attributes) -> Probabilities:
        """float64, runs x labels: label probabilities from the attributes of a page's text runs."""
        emissions = np.zeros((len(attributes), len(RunLabel)))
        for column in attributes.T:  # one column at a time: all at once would take a hundred times the memory
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
        """Load a saved model; refused if it was trained with other feature values."""
        try:
            settings = SequenceLabels(tuple(map(str, file.settings["features"])), float(file.settings["threshold"]))
            weights, transitions = (_weights(file.arrays[name]) for name in ("weights", "transitions"))
            model = cls(settings, weights, transitions, file.pages)
            _check(model, str(file.settings["attributes"]))
        except (InvalidSetting, KeyError, TypeError, ValueError) as error:
            cause = f"does not hold sequence labels for this version of dehusk ({excerpt(error)})"
            raise ModelError("the model file", cause, "train it again with `dehusk train sequence-labels`") from error
        return model

    def _reasons(self, score: float, likely: NDArray[np.float64], attributes: NDArray[np.int32]) -> tuple[str, ...]:
        label = RunLabel(int(likely.argmax()))
        verdict = f"labelled {label.name.lower()}, {score:.0%} content"
        against = RunLabel.OTHER if label else RunLabel(int(likely[1:].argmax()) + 1)
        margin = self.weights[attributes, label] - self.weights[attributes, against]
        strongest = np.argsort(-margin, kind="stable")[:_MOST_REASONS]
        return verdict, *(f"because of {self.table.names[attributes[at]]}" for at in strongest if margin[at] > 0)


@lru_cache(maxsize=1)
def _shipped() -> SequenceLabelsModel:
    with as_file(files("dehusk") / "models" / _SHIPPED) as path:
        return SequenceLabelsModel.from_file(read_model_file(path))


def _digest(names: Sequence[str]) -> str:
    """Digest of attribute names: a feature may keep its name but change its values, and weights belong to values."""
    return sha256("\n".join(names).encode()).hexdigest()[:16]


def _weights(array: NDArray[Any]) -> Weights:
    if array.dtype not in (np.float16, np.float32) or array.ndim != 2 or not np.isfinite(array).all():
        raise ValueError("weights are not a finite matrix of numbers")
    return array.astype(np.float32)


def _check(model: SequenceLabelsModel, attributes: str) -> None:
    labels = len(RunLabel)
    if attributes != _digest(model.table.names):
        raise ValueError(f"different values in this version: {', '.join(model.settings.features)}")
    if model.weights.shape != (len(model.table), labels) or model.transitions.shape != (labels, labels):
        raise ValueError("the weights do not match the features in number")
