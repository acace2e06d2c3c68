"""Train sequence labels on labelled pages.

Marked gold (CleanEval's) labels each text run. Plain gold says only what is content: there, the first content run of a
block gets the label of the block's kind (heading, list item, else paragraph), and the following ones are continuations.

Gold that does not fit its page is not used; such pages are counted and named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Kind
from dehusk.blocks.segmentation import segment
from dehusk.errors import DehuskError
from dehusk.lab.gold.corpora import GoldPage
from dehusk.lab.gold.gold_alignment import Labels, Verdict, align_marked, align_text, read_marked
from dehusk.lab.training.chain_training import ChainWeights, TrainingSettings, fit_chains, join_pages
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
    observed = [(observe(page, table), page.labels) for page in pages]
    weights = fit_chains(join_pages(observed, len(table)), settings, on_iteration=on_iteration)
    return model_with(weights, method, len(observed))


def model_with(weights: ChainWeights, method: SequenceLabels, pages: int = 0) -> SequenceLabelsModel:
    """Weights, learnt from so many pages, as a model."""
    attributes, transitions = weights.attributes.astype(np.float32), weights.transitions.astype(np.float32)
    return SequenceLabelsModel(method, attributes, transitions, pages)


def guess_labels(model: SequenceLabelsModel, page: LabelledPage) -> Labels:
    """The labels that a model predicts for the text runs of a page."""
    return np.asarray(model.probabilities(observe(page, model.table)).argmax(axis=1), dtype=np.uint8)


def observe(page: LabelledPage, table: AttributeTable) -> Attributes:
    """int32, runs x columns of the table: the attributes of each text run."""
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
