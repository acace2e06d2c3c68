"""All that training gives: the network, the weights of site evidence, and what makes probabilities of log-odds.

One file holds it. What is in the file is data: numbers and names.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib.resources import as_file, files
from typing import Any, Final

import numpy as np

from dehusk.errors import ModelError
from dehusk.methods.model_files import ModelFile, read_model_file, write_model_file
from dehusk.methods.page_network.calibration import Calibration
from dehusk.methods.page_network.inference import METHOD, NetworkReading, PageNetwork
from dehusk.methods.page_network.page_types import PAGE_TYPES, Likely, TypeWeights
from dehusk.methods.page_network.site_evidence import COLUMNS, SiteWeights
from dehusk.methods.page_network.type_clues import type_clues
from dehusk.page.page_columns import Page

_SHIPPED: Final = "page-network.dehusk"
_CLUE_WEIGHTS: Final = "clue_weights"


@dataclass(frozen=True, eq=False)
class Trained:
    """A network with what it needs to decide."""

    network: PageNetwork
    weights: SiteWeights = field(default_factory=SiteWeights)
    alone: Calibration = field(default_factory=Calibration)
    """For pages of unknown sites."""
    with_site: Calibration = field(default_factory=Calibration)
    """For pages whose site is known."""
    expected: tuple[float, ...] = (0.0, 1.0)
    reached: tuple[float, ...] = (0.0, 1.0)
    """The F1 that pages reached of which this F1 was expected, on sites that were not trained on."""
    types: TypeWeights = field(default_factory=TypeWeights)
    """What pages say of their type."""

    def likely_types(self, reading: NetworkReading, page: Page) -> Likely:
        """How likely a page is of each of `PAGE_TYPES`, by what the network says and what the page itself says."""
        return self.types.likely(reading.page_type, type_clues(page))

    def confidence(self, expected_f1: float) -> float:
        """From 0 to 1: the F1 to believe in where this one is expected."""
        return float(np.interp(expected_f1, self.expected, self.reached))

    def save(self, path: str | os.PathLike[str], *, pages: int = 0, created: str = "") -> None:
        """Write all to one file, weights of the network in half precision."""
        settings = {
            "policies": list(self.network.policies),
            "weights": asdict(self.weights),
            "alone": asdict(self.alone),
            "with_site": asdict(self.with_site),
            "expected": list(self.expected),
            "reached": list(self.reached),
            "clues": list(self.types.weights),
        }
        clue_weights = np.array([*self.types.weights.values()], dtype=np.float16).reshape(-1, len(PAGE_TYPES))
        arrays = {name: array.astype(np.float16) for name, array in self.network.arrays.items()}
        arrays[_CLUE_WEIGHTS] = clue_weights
        write_model_file(path, ModelFile(METHOD, settings, pages, "", created, arrays))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Trained:
        """Read a file that `save` wrote."""
        return cls.from_file(read_model_file(path))

    @classmethod
    def from_file(cls, file: ModelFile) -> Trained:
        """What a file holds; a file of a network alone has the rest as it is by default."""
        network = PageNetwork.from_file(file)
        try:
            return cls(network, **_settings(file.settings), types=_type_weights(file))
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
            cause = f"does not say how the network decides ({error})"
            raise ModelError("the model file", cause, "train the network again") from error


def _settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    if "weights" not in settings:
        return {}
    weights = settings["weights"]
    columns = {str(name): float(value) for name, value in weights["columns"].items()}
    if unknown := sorted(set(columns) - set(COLUMNS)):
        raise ValueError(f"weighs {', '.join(unknown)}, which this dehusk does not know")
    _check_finite(settings)
    expected, reached = (tuple(map(float, settings[name])) for name in ("expected", "reached"))
    if len(expected) != len(reached) or not expected or list(expected) != sorted(expected):
        raise ValueError("expected and reached F1 do not belong together")
    return {
        "weights": SiteWeights(float(weights["bias"]), float(weights["own"]), columns),
        "alone": Calibration(**{name: float(value) for name, value in settings["alone"].items()}),
        "with_site": Calibration(**{name: float(value) for name, value in settings["with_site"].items()}),
        "expected": expected,
        "reached": reached,
    }


def _check_finite(settings: Mapping[str, Any]) -> None:
    """JSON of Python knows NaN and infinity."""
    weights = settings["weights"]
    numbers = [weights["bias"], weights["own"], *weights["columns"].values()]
    for name in ("alone", "with_site"):
        numbers += settings[name].values()
    if not np.isfinite([float(number) for number in [*numbers, *settings["expected"], *settings["reached"]]]).all():
        raise ValueError("weights that are not finite")


def _type_weights(file: ModelFile) -> TypeWeights:
    names = [str(name) for name in file.settings.get("clues", ())]
    weights = file.arrays.get(_CLUE_WEIGHTS, np.zeros((0, len(PAGE_TYPES)))).astype(np.float32)
    if weights.shape != (len(names), len(PAGE_TYPES)) or not np.isfinite(weights).all():
        raise ValueError("clues and their weights do not belong together")
    return TypeWeights(dict(zip(names, weights, strict=True)))


@lru_cache(maxsize=4)
def load_trained(path: str = "") -> Trained:
    """The training in a file, or the one that comes with dehusk."""
    if path:
        return Trained.load(path)
    with as_file(files("dehusk") / "models" / _SHIPPED) as shipped:
        return Trained.load(shipped)
