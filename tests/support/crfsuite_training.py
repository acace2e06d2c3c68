"""Chains fitted by crfsuite: what our own training is compared with."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pycrfsuite
from numpy.typing import NDArray

from dehusk.lab.training.chain_training import ChainWeights, TrainingSettings
from dehusk.methods.sequence_labels.feature_templates import Attributes


def fit_by_crfsuite(
    pages: Sequence[tuple[Attributes, NDArray[np.uint8]]], attributes: int, settings: TrainingSettings, **options: Any
) -> ChainWeights:
    """The weights that crfsuite learns; `options` are its own, such as when to stop."""
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    same = {"c1": 0.0, "c2": settings.square_penalty, "max_iterations": settings.iterations}
    trainer.set_params({**same, "feature.possible_transitions": True, **options})
    for page, labels in pages:
        trainer.append([list(map(str, row)) for row in page.tolist()], list(map(str, labels.tolist())))
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "weights")
        trainer.train(path)
        tagger = pycrfsuite.Tagger()
        with tagger.open(path):
            learnt = tagger.info()
    weights = ChainWeights.zeros(attributes)
    for (attribute, label), weight in learnt.state_features.items():
        weights.attributes[int(attribute), int(label)] = weight
    for (label, following), weight in learnt.transitions.items():
        weights.transitions[int(label), int(following)] = weight
    return weights
