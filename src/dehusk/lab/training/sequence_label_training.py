"""Train sequence labels on labelled pages.

Marked gold (CleanEval's) labels each text run. Plain gold says only what is content: there, the first content run of a
block gets the label of the block's kind (heading, list item, else paragraph), and the following ones are continuations.

Gold that does not fit its page is not used; such pages are counted and named.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Kind
from dehusk.blocks.segmentation import segment
from dehusk.errors import DehuskError, needed
from dehusk.lab.gold.corpora import GoldPage
from dehusk.lab.gold.gold_alignment import Labels, Verdict, align_marked, align_text, read_marked
from dehusk.methods.sequence_labels.feature_templates import Attributes, AttributeTable, discretise
from dehusk.methods.sequence_labels.run_features import FEATURE_NAMES, raw_features
from dehusk.methods.sequence_labels.sequence_labels import SequenceLabels, SequenceLabelsModel
from dehusk.methods.sequence_labels.text_runs import RunLabel, TextRuns, find_text_runs
from dehusk.page.page_reading import read_page
from dehusk.workers.guard import guarded

_LABEL_OF_KIND: Final = {
    Kind.TITLE: RunLabel.HEADER,
    Kind.HEADING: RunLabel.HEADER,
    Kind.LIST_ITEM: RunLabel.LIST,
}
_LABELS: Final = tuple(label.name.lower() for label in RunLabel)


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """Settings of L-BFGS on the likelihood, with regularisation."""

    absolute_penalty: float = 0.0
    """L1 penalty: makes most weights 0."""
    square_penalty: float = 500.0
    """L2 penalty. Features overlap and pages of a site are alike, so it takes much to keep weights small: with more,
    content and noise are separated a little better on unseen sites, and headers and lists less well."""
    iterations: int = 100


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """A training page: the feature values and labels of its text runs."""

    identifier: str
    site: str
    values: NDArray[np.uint8]
    """uint8, runs x features, in the order of `FEATURE_NAMES`."""
    labels: Labels


@dataclass(frozen=True, slots=True)
class Unusable:
    """A page that cannot be trained on, and why."""

    identifier: str
    cause: str


def label_page(page: GoldPage) -> LabelledPage | Unusable:
    """Read a page and label its text runs by its gold."""
    runs = read_runs(page)
    return runs if isinstance(runs, Unusable) else label_runs(runs, page)


def read_runs(page: GoldPage) -> TextRuns | Unusable:
    """The text runs of a page, if it can be read."""
    runs = guarded(lambda raw: find_text_runs(segment(read_page(raw))), page.raw, page.raw.label)
    return Unusable(page.raw.label, str(runs)) if isinstance(runs, DehuskError) else runs


def label_runs(runs: TextRuns, page: GoldPage) -> LabelledPage | Unusable:
    """Label the text runs of a page by its gold."""
    labels, verdict = labels_of(runs, page)
    if verdict is not Verdict.USABLE:
        return Unusable(page.raw.label, verdict.value)
    return LabelledPage(page.raw.label, page.site or page.raw.label, discretise(raw_features(runs)), labels)


def labels_of(runs: TextRuns, page: GoldPage) -> tuple[Labels, Verdict]:
    """The labels of a page's text runs by its gold, and whether they are usable."""
    if page.gold_marked:
        marked = align_marked(runs.texts, read_marked(page.gold_marked))
        return marked.labels, marked.verdict
    plain = align_text(runs.texts, page.gold)
    return labels_by_kind(runs, plain.content), plain.verdict


def labels_by_kind(runs: TextRuns, content: NDArray[np.bool_]) -> Labels:
    """uint8, one entry per run: labels from content and the kind of block."""
    labels = np.where(content, np.uint8(RunLabel.CONTINUATION), np.uint8(RunLabel.OTHER))
    rows = np.flatnonzero(content)
    blocks, first = np.unique(runs.block[rows], return_index=True)
    kinds = runs.blocks.kind[blocks].tolist()
    labels[rows[first]] = [_LABEL_OF_KIND.get(Kind(kind), RunLabel.PARAGRAPH) for kind in kinds]
    return labels


def train(
    pages: Iterable[LabelledPage],
    method: SequenceLabels | None = None,
    settings: TrainingSettings | None = None,
    on_iteration: Callable[[int, float], None] = lambda number, loss: None,
) -> SequenceLabelsModel:
    """Train on labelled pages. `on_iteration` is called with the number and loss of each iteration."""
    method, settings = method or SequenceLabels(), settings or TrainingSettings()
    table = AttributeTable(method.features)
    trainer = _trainer(settings, on_iteration)
    number = 0
    for page in pages:
        labels = [_LABELS[label] for label in page.labels.tolist()]
        trainer.append(table.keys_of(_observe(page, table)), labels)
        number += 1
    weights = np.zeros((len(table), len(RunLabel)), dtype=np.float32)
    transitions = np.zeros((len(RunLabel), len(RunLabel)), dtype=np.float32)
    row_of = {key: row for row, key in enumerate(table.keys)}
    learnt = _learnt(trainer)
    for (key, label), weight in learnt.state_features.items():
        weights[row_of[key], _LABELS.index(label)] = weight
    for (label, following), weight in learnt.transitions.items():
        transitions[_LABELS.index(label), _LABELS.index(following)] = weight
    return SequenceLabelsModel(method, weights, transitions, number)


def _trainer(settings: TrainingSettings, on_iteration: Callable[[int, float], None]) -> Any:
    """A `pycrfsuite.Trainer`; Any because it has no types."""
    with needed("python-crfsuite", "to train sequence labels", "crf"):
        import pycrfsuite

    class Trainer(pycrfsuite.Trainer):  # type: ignore[misc]
        """Calls `on_iteration` instead of printing."""

        def message(self, message: str) -> None:
            if self.logparser.feed(message) == "iteration":
                last = self.logparser.last_iteration
                on_iteration(int(last["num"]), float(last["loss"]))

    trainer = Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(
        {
            "c1": settings.absolute_penalty,
            "c2": settings.square_penalty,
            "max_iterations": settings.iterations,
            # Allow transitions that training pages do not have; their weights decide.
            "feature.possible_transitions": True,
        }
    )
    return trainer


def _learnt(trainer: Any) -> Any:
    """Train and return the weights, which crfsuite writes to a file."""
    import pycrfsuite

    with tempfile.TemporaryDirectory(prefix="dehusk-") as folder:
        path = str(Path(folder) / "weights")
        trainer.train(path)
        tagger = pycrfsuite.Tagger()
        with tagger.open(path):
            return tagger.info()


def guess_labels(model: SequenceLabelsModel, page: LabelledPage) -> Labels:
    """The labels that a model predicts for the text runs of a page."""
    return np.asarray(model.probabilities(_observe(page, model.table)).argmax(axis=1), dtype=np.uint8)


def _observe(page: LabelledPage, table: AttributeTable) -> Attributes:
    return table.observe(page.values[:, [FEATURE_NAMES.index(name) for name in table.features]])


def accuracy(model: SequenceLabelsModel, pages: Sequence[LabelledPage]) -> tuple[float, float]:
    """The share of text runs with the right label, of all labels and of content and noise."""
    labels = np.concatenate([page.labels for page in pages])
    guessed = np.concatenate([guess_labels(model, page) for page in pages])
    is_content = (guessed != RunLabel.OTHER) == (labels != RunLabel.OTHER)
    return float((guessed == labels).mean()), float(is_content.mean())


def folds_by_site(sites: Sequence[str], folds: int, seed: int) -> Iterator[NDArray[np.bool_]]:
    """One mask of test pages per fold: sites are assigned to folds at random, with all their pages."""
    names = sorted(set(sites))
    order = np.random.default_rng(seed).permutation(len(names))
    fold_of = {names[position]: number % folds for number, position in enumerate(order.tolist())}
    number = np.array([fold_of[site] for site in sites])
    for fold in range(folds):
        yield number == fold
