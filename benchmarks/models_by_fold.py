"""The models that a training leaves, each trained without one fold of sites."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import dehusk
from dehusk.errors import GoldError
from dehusk.lab.gold.corpora import GoldPage, file_without_fold, fold_of, site_of_labelled
from dehusk.methods.base import Model

OPTION_HELP = "folder with without-fold-0.dehusk and so on, as `dehusk train hybrid --keep` leaves it"


def models_by_fold(folder: Path | None) -> list[Model]:
    """For each fold of sites the model trained without it; without a folder, one model for all."""
    if folder is None:
        return [dehusk.PageEvidence().fit()]
    return [dehusk.PageEvidence(trained=str(path)).fit() for path in files_by_fold(folder)]


def files_by_fold(folder: Path) -> list[Path]:
    """For each fold of sites the file of the model trained without it."""
    count = len(list(folder.glob("without-fold-*.dehusk")))
    if not count:
        raise GoldError(str(folder), "has no without-fold-0.dehusk", "give the folder of `dehusk train hybrid --keep`")
    return [file_without_fold(folder, fold) for fold in range(count)]


def model_without_site(models: Sequence[Model], page: GoldPage) -> Model:
    """The one that was trained without the site of a page."""
    return models[fold_of(site_of_labelled(page), len(models))]
