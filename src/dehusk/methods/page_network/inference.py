"""The network. Its arithmetic is in the compiled part, `native/src/network`; here are its weights, files and results.

    dense features ─┐
    names of the elements above ─┤ sum ─> 4 dilated convolutions over the blocks in order, 2 layers that bring in the
    first and last words ─┤              means of the parts of the page around each block, and 1 that asks what type
    those of the heading above ─┤        the page is of ─> two logits: content, and a reader's comment
    policy ─┘

Every layer adds to its input (a residual network). Data sets differ in what their gold counts as content: each has an
annotation policy, a vector added at the input. Other pages get the default policy, 0, which training gives to many
pages of every set.

What is content also depends on the page type: links are the content of a listing, but not of an article. Halfway, the
network pools the blocks it finds most telling, predicts the page type, and adds an embedding of the types, weighted by
their probabilities, to every block.

At the end, blocks with the same style signature share half of their log-odds (`similar_blocks.rs`); training does not.
"""

from __future__ import annotations

import math
import os
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from dehusk.blocks.block_columns import Blocks, Kind
from dehusk.errors import ModelError
from dehusk.methods.model_files import ModelFile, read_model_file, write_model_file
from dehusk.methods.page_network.network_inputs import LEVELS, PARTS, TABLE_SIZE, PageInputs, feature_names
from dehusk.methods.page_network.page_types import PAGE_TYPES
from dehusk.methods.page_network.weight_arrays import Floats, WeightArrays, weights_in
from dehusk.native.calls import LentColumn, Outcome, call, call_about, with_deferred
from dehusk.native.lazy_numpy import np
from dehusk.native.library import lib
from dehusk.page.page_columns import make_read_only

if TYPE_CHECKING:
    from numpy.typing import NDArray

Logits: TypeAlias = "NDArray[np.float32]"
"""float32, one entry per block: log-odds of being content."""

METHOD: Final = "page-network"
KERNEL: Final = 5
LAYERS: Final = (
    ("convolution", 1),
    ("convolution", 2),
    ("parts", 0),
    ("convolution", 4),
    ("types", 0),
    ("convolution", 8),
    ("parts", 1),
)
"""What is added to the hidden state, in order: convolutions with their dilations, means of parts, and types of pages.

A convolution first blends each channel over the neighbours, then the channels with each other (depthwise separable): a
fifth of the arithmetic of a full one.
"""
_KINDS: Final = ("convolution", "parts", "types")
"""The kinds of layers; their numbers are those of `native/src/network/weights.rs`."""
_UNNAMED: Final = "<page>"
HEADING: Final = feature_names().index(Kind.HEADING.label)
"""The feature that says that a block is a heading; `native/src/features/block_features.rs` has the same."""
_IN_COMPILED_PART: Final = frozenset({"_handed_over", "_for_pages"})
"""Attributes of a network that belong to this process."""
DEFAULT_POLICY: Final = 0
"""Index of the default annotation policy, for pages of no known data set."""

REQUIRED: Final = (
    *("names", "words", "level_weights", "policies"),
    *("input_dense", "input_names", "input_words", "input_heading", "input_bias"),
    *("output_hidden", "output_hidden_bias"),
    *("output", "output_bias", "telling", "type_weights", "type_bias", "type_table"),
    *(
        f"layer_{number}{part}"
        for number, (kind, _) in enumerate(LAYERS)
        for part in ("", "_bias", *(["_taps"] if kind == "convolution" else []))
    ),
)
"""The arrays of a network, by name, in the order in which the compiled part takes them."""

CONTENT, COMMENT = range(2)
"""Columns of the output."""


@with_deferred("content", "comment", "page_type")
@dataclass(frozen=True, eq=False)
class NetworkReading:
    """The output of the network for a page of m blocks. Arrays are read-only."""

    content: Logits
    """float32, m entries: log-odds of being content."""
    comment: Logits
    """float32, m entries: log-odds of being a reader's comment below the content."""
    page_type: Floats
    """float32: the probability of each of `PAGE_TYPES`."""

    def __post_init__(self) -> None:
        make_read_only(self)

    @property
    def article(self) -> float:
        """The probability of the page being an article."""
        return float(self.page_type[PAGE_TYPES.index("article")])


@dataclass(frozen=True, eq=False)
class PageNetwork:
    """Weights, ready to score."""

    arrays: WeightArrays
    policies: tuple[str, ...]
    """Names of the annotation policies; the first is the default."""

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], policies: tuple[str, ...] = ("stranger",)) -> PageNetwork:
        """A network from named arrays of any float type."""
        if missing := sorted(set(REQUIRED) - set(arrays)):
            raise ModelError(METHOD, f"has no array {', '.join(missing)}", "train the network again")
        weights = {name: weights_in(arrays, name) for name in REQUIRED}
        found = {name: of_name.shape for name, of_name in weights.items()}
        for name, shape in _shapes(found, len(policies)).items():
            if found[name] != shape or 0 in shape or not weights[name].are_finite:
                cause = f"{name} has the shape {found[name]}, or numbers that are none; {shape} is wanted"
                raise ModelError(METHOD, cause, "train the network again")
        return cls(WeightArrays(weights), policies)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> PageNetwork:
        """Read a file written by `save`."""
        return cls.from_file(read_model_file(path), os.fspath(path))

    @classmethod
    def from_file(cls, file: ModelFile, label: str = "the model file") -> PageNetwork:
        """The network in a file."""
        if file.method != METHOD:
            raise ModelError(label, f"a model of {file.method}, not of {METHOD}", "give a page network")
        policies = file.settings.get("policies")
        if not isinstance(policies, list) or not all(isinstance(policy, str) for policy in policies):
            raise ModelError(label, "does not name its policies", "train the network again")
        return cls.from_arrays(file.arrays, tuple(policies))

    def save(self, path: str | os.PathLike[str], *, pages: int = 0, created: str = "") -> None:
        """Write the weights in half precision: the loss of a logit is below 0.01."""
        arrays = {name: single.astype(np.float16) for name, single in self.arrays.items()}
        write_model_file(path, ModelFile(METHOD, {"policies": list(self.policies)}, pages, "", created, arrays))

    def logits(self, blocks: Blocks, policy: str | None = None) -> Logits:
        """float32, one entry per block: log-odds of being content under a policy, or the default one."""
        return self.read_blocks(blocks, policy).content

    def read_blocks(self, blocks: Blocks, policy: str | None = None) -> NetworkReading:
        """The output for a page, under a policy, or the default one."""
        self._check_features(len(feature_names()))
        page = blocks.page
        about = *self._under(policy), page.native.pointer, blocks.native.pointer
        return reading_in(call_about(page.native, lib.dehusk_network_judge, page.label, *about))

    def measure_blocks(self, blocks: Blocks) -> Outcome:
        """The output for a page under the default policy (`reading_in`), and what its site counts (`readings_in`)."""
        page = blocks.page
        about = self.for_pages(), page.native.pointer, blocks.native.pointer
        return call_about(page.native, lib.dehusk_page_measure, page.label, *about)

    def logits_of_inputs(self, inputs: PageInputs, policy: str | None = None) -> Logits:
        """The log-odds of being content for inputs that are already computed."""
        return self.read(inputs, policy).content

    def read(self, inputs: PageInputs, policy: str | None = None, label: str = _UNNAMED) -> NetworkReading:
        """The output for inputs that are already computed; errors name the page by its label."""
        self._check_features(inputs.dense.shape[1])
        return reading_in(call(lib.dehusk_network_read, _arguments(inputs), label, *self._under(policy)))

    def _check_features(self, found: int) -> None:
        """Refuse to read pages with another number of features than the network was trained on."""
        if found != (features := self.arrays.weights["input_dense"].shape[0]):
            cause = f"trained on {features} features, of which there are {found} now"
            raise ModelError(METHOD, cause, "train the network again")

    def _under(self, policy: str | None) -> tuple[Any, int]:
        """The network in the compiled part, and the number of a policy."""
        number = DEFAULT_POLICY if policy is None else self.policies.index(policy)
        return lib.dehusk_outcome_network(self._handed_over.pointer), number

    def for_pages(self) -> Any:
        """The network in the compiled part, to read pages with. It lives as long as this."""
        return self._for_pages

    @cached_property
    def _for_pages(self) -> Any:
        self._check_features(len(feature_names()))
        return lib.dehusk_outcome_network(self._handed_over.pointer)

    @cached_property
    def _handed_over(self) -> Outcome:
        """The network in the compiled part."""
        layers = array("i", chain.from_iterable((_KINDS.index(kind), dilation) for kind, dilation in LAYERS))
        weights = [self.arrays.weights[name].values for name in REQUIRED]
        return call(lib.dehusk_network_new, [layers, *weights], METHOD)

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled: everything but what the compiled part has."""
        return {name: value for name, value in vars(self).items() if name not in _IN_COMPILED_PART}


def reading_in(outcome: Outcome) -> NetworkReading:
    """The output of the network that the compiled part returned."""
    columns: Any = (LentColumn(outcome, number) for number in range(3))
    return NetworkReading(*columns)


def _arguments(inputs: PageInputs) -> tuple[NDArray[Any], ...]:
    """The arrays of a page in the order in which the compiled part takes them."""
    tokens = inputs.tokens
    return (
        inputs.dense.astype(np.float32, copy=False),
        *(tokens.element_tokens, tokens.element_start, tokens.levels, tokens.word_tokens, tokens.word_start),
        *(inputs.part_first, inputs.part_last),
    )


def _shapes(found: Mapping[str, tuple[int, ...]], policies: int) -> dict[str, tuple[int, ...]]:
    """The shape that each array must have. Training chooses the width of the hidden state and the embeddings.

    The number of features is checked at the first page: listing them takes longer than loading a network.
    """
    width, embedding, types = math.prod(found["input_bias"]), found["names"][-1:], len(PAGE_TYPES)
    inputs = {"convolution": width, "parts": (PARTS + 1) * width, "types": 2 * width}
    of_layers: dict[str, tuple[int, ...]] = {}
    for number, (kind, _) in enumerate(LAYERS):
        of_layers[f"layer_{number}"], of_layers[f"layer_{number}_bias"] = (inputs[kind], width), (width,)
        if kind == "convolution":
            of_layers[f"layer_{number}_taps"] = (KERNEL, width)
    return of_layers | {
        "names": (TABLE_SIZE, *embedding),
        "words": (TABLE_SIZE, *embedding),
        "level_weights": (LEVELS,),
        "policies": (policies, width),
        "input_dense": (*found["input_dense"][:1], width),
        "input_names": (*embedding, width),
        "input_words": (*embedding, width),
        "input_heading": (*embedding, width),
        "input_bias": (width,),
        "output_hidden": (width, width),
        "output_hidden_bias": (width,),
        "output": (width, 2),
        "output_bias": (2,),
        "telling": (width,),
        "type_weights": (2 * width, types),
        "type_bias": (types,),
        "type_table": (types, width),
    }
