"""The result of training, in one file: the network, the weights of site evidence, and the calibration.

The file holds only data: numbers and names.
"""

from __future__ import annotations

import math
import os
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from dehusk.blocks.block_columns import Blocks
from dehusk.errors import ModelError
from dehusk.methods.model_files import ModelFile, excerpt, read_model_file, write_model_file
from dehusk.methods.page_network.calibration import Calibration
from dehusk.methods.page_network.inference import METHOD, NetworkReading, PageNetwork, reading_in
from dehusk.methods.page_network.page_types import PAGE_TYPES, TypeWeights
from dehusk.methods.page_network.site_weights import COLUMNS, SiteWeights
from dehusk.methods.page_network.weight_arrays import weights_in
from dehusk.native.calls import Outcome
from dehusk.native.lazy_numpy import np

if TYPE_CHECKING:
    from dehusk.methods.page_network.site_readings import PageReadings

_SHIPPED: Final = os.path.join(os.path.dirname(__file__), "..", "..", "models", "page-network.dehusk")
_CLUE_WEIGHTS: Final = "clue_weights"
_STORED_CALIBRATION: Final = {"scale": "sureness", "offset": "optimism"}
"""Name in the code -> name in model files, where these differ: files of earlier versions stay readable."""


@dataclass(frozen=True, eq=False)
class Trained:
    """A network with everything it needs to judge a page."""

    network: PageNetwork
    weights: SiteWeights = field(default_factory=SiteWeights)
    calibration: Calibration = field(default_factory=Calibration)
    expected: tuple[float, ...] = (0.0, 1.0)
    reached: tuple[float, ...] = (0.0, 1.0)
    """The F1 that pages with each expected F1 reached, on held-out sites."""
    types: TypeWeights = field(default_factory=TypeWeights)
    """Weights of the clues to the type that a page itself gives."""

    @cached_property
    def _readings(self) -> WeakKeyDictionary[Blocks, NetworkReading]:
        return WeakKeyDictionary()

    @cached_property
    def _measured(self) -> WeakKeyDictionary[Blocks, Outcome]:
        return WeakKeyDictionary()

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the readings, which belong to blocks of this process."""
        return {name: value for name, value in vars(self).items() if name not in {"_readings", "_measured"}}

    def read_blocks(self, blocks: Blocks) -> NetworkReading:
        """The output of the network for a page; it runs once as long as the blocks are in memory.

        So learning a site and then cleaning its pages run it once per page.
        """
        reading = self.known_reading(blocks)
        if reading is None:
            reading = self._readings[blocks] = self.network.read_blocks(blocks)
        return reading

    def known_reading(self, blocks: Blocks) -> NetworkReading | None:
        """What `read_blocks` returned for these blocks, if it was called."""
        return self._readings.get(blocks)

    def site_readings(self, blocks: Blocks) -> PageReadings:
        """What a site counts of a page: found out once, too, as it is asked about the page that it has counted."""
        from dehusk.methods.page_network.site_readings import readings_in  # most pages are cleaned without

        measured = self._measured.get(blocks)
        if measured is None:
            measured = self._measured[blocks] = self.network.measure_blocks(blocks)
            self._readings[blocks] = reading_in(measured)
        return readings_in(measured)

    def measured(self, blocks: Blocks) -> Outcome | None:
        """What the compiled part found out for `site_readings` of these blocks, if it was called."""
        return self._measured.get(blocks)

    def confidence(self, expected_f1: float) -> float:
        """From 0 to 1: the F1 that pages with this expected F1 reach."""
        # As `np.interp`, which takes ten times as long for one number.
        place = bisect_right(self.expected, expected_f1)
        if place in {0, len(self.expected)}:
            return self.reached[min(place, len(self.reached) - 1)]
        (before, after), (low, high) = self.expected[place - 1 : place + 1], self.reached[place - 1 : place + 1]
        return low + (high - low) * (expected_f1 - before) / (after - before)

    def save(self, path: str | os.PathLike[str], *, pages: int = 0, created: str = "") -> None:
        """Write everything to one file, the network in half precision."""
        settings = {
            "policies": list(self.network.policies),
            "weights": asdict(self.weights),
            "alone": _renamed(asdict(self.calibration), _STORED_CALIBRATION),
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
        """Read a file written by `save`."""
        return cls.from_file(read_model_file(path))

    @classmethod
    def from_file(cls, file: ModelFile) -> Trained:
        """The training in a file; a file with only a network gets defaults for the rest."""
        network = PageNetwork.from_file(file)
        try:
            return cls(network, **_settings(file.settings), types=_type_weights(file))
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
            cause = f"has no valid calibration or weights ({excerpt(error)})"
            raise ModelError("the model file", cause, "train the network again") from error


def _settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    if "weights" not in settings:
        return {}
    _check_finite(settings)
    expected, reached = (tuple(map(float, settings[name])) for name in ("expected", "reached"))
    if len(expected) != len(reached) or not expected or list(expected) != sorted(expected):
        raise ValueError("expected and reached F1 do not match")
    return {
        "weights": _site_weights(settings["weights"]),
        "calibration": _calibration(settings["alone"]),
        "expected": expected,
        "reached": reached,
    }


def _site_weights(stored: Mapping[str, Any]) -> SiteWeights:
    # Weights of an earlier formula, which also raised text: page evidence decides alone (`HybridModel.report` says so).
    if "own" in stored:
        return SiteWeights()
    columns = {str(name): float(value) for name, value in stored["columns"].items()}
    if unknown := sorted(set(columns) - set(COLUMNS)):
        raise ValueError(f"unknown columns {', '.join(unknown)}")
    return SiteWeights(float(stored["bias"]), columns)


def _calibration(stored: Mapping[str, Any]) -> Calibration:
    numbers = {name: float(value) for name, value in stored.items()}
    return Calibration(**_renamed(numbers, {old: new for new, old in _STORED_CALIBRATION.items()}))


def _renamed(values: Mapping[str, float], names: Mapping[str, str]) -> dict[str, float]:
    return {names.get(name, name): value for name, value in values.items()}


def _check_finite(settings: Mapping[str, Any]) -> None:
    """Refuse NaN and infinity, which Python's JSON accepts."""
    weights = settings["weights"]
    numbers = [weights["bias"], *weights["columns"].values(), *settings["alone"].values()]
    if not all(math.isfinite(number) for number in [*numbers, *settings["expected"], *settings["reached"]]):
        raise ValueError("numbers that are not finite")


def _type_weights(file: ModelFile) -> TypeWeights:
    names = [str(name) for name in file.settings.get("clues", ())]
    if _CLUE_WEIGHTS not in file.arrays and not names:
        return TypeWeights()
    weights = weights_in(file.arrays, _CLUE_WEIGHTS)
    if weights.shape != (len(names), len(PAGE_TYPES)) or not weights.are_finite:
        raise ValueError("clues and their weights do not match")
    return TypeWeights.of_table(names, weights)


def load_trained(path: str = "") -> Trained:
    """The training in a file, or the one shipped with dehusk. Each is loaded once."""
    return _load(path)


@lru_cache(maxsize=4)
def _load(path: str) -> Trained:
    return Trained.load(path or _SHIPPED)
