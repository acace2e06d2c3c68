"""The network: the same as in numpy, shapes, policies, files."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from numpy_network import numpy_reading
from written_pages import WRITTEN, blocks_of

from dehusk.errors import ModelError
from dehusk.methods.model_files import ModelFile, write_model_file
from dehusk.methods.page_network.inference import KERNEL, LAYERS, PageNetwork
from dehusk.methods.page_network.network_inputs import LEVELS, PARTS, TABLE_SIZE, feature_names, page_inputs
from dehusk.methods.page_network.page_types import PAGE_TYPES
from dehusk.methods.page_network.trained_weights import load_trained

WIDTH, EMBEDDING = 8, 4


def random_arrays(seed: int = 1) -> dict[str, NDArray[np.float32]]:
    random = np.random.default_rng(seed)
    inputs = {"convolution": WIDTH, "parts": (PARTS + 1) * WIDTH, "types": 2 * WIDTH}
    shapes: dict[str, tuple[int, ...]] = {
        "names": (TABLE_SIZE, EMBEDDING),
        "words": (TABLE_SIZE, EMBEDDING),
        "level_weights": (LEVELS,),
        "policies": (2, WIDTH),
        "input_dense": (len(feature_names()), WIDTH),
        "input_names": (EMBEDDING, WIDTH),
        "input_words": (EMBEDDING, WIDTH),
        "input_heading": (EMBEDDING, WIDTH),
        "input_bias": (WIDTH,),
        "output_hidden": (WIDTH, WIDTH),
        "output_hidden_bias": (WIDTH,),
        "output": (WIDTH, 2),
        "output_bias": (2,),
        "telling": (WIDTH,),
        "type_weights": (2 * WIDTH, len(PAGE_TYPES)),
        "type_bias": (len(PAGE_TYPES),),
        "type_table": (len(PAGE_TYPES), WIDTH),
    }
    for number, (kind, _) in enumerate(LAYERS):
        shapes |= {f"layer_{number}": (inputs[kind], WIDTH), f"layer_{number}_bias": (WIDTH,)}
        shapes |= {f"layer_{number}_taps": (KERNEL, WIDTH)} if kind == "convolution" else {}
    return {name: random.normal(0, 0.2, shape).astype(np.float32) for name, shape in shapes.items()}


@pytest.fixture(scope="module")
def network() -> PageNetwork:
    return PageNetwork.from_arrays(random_arrays(), ("stranger", "news"))


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_one_finite_logit_a_block(network: PageNetwork, name: str) -> None:
    blocks = blocks_of(WRITTEN[name])
    logits = network.logits(blocks)
    assert logits.shape == (len(blocks),)
    assert logits.dtype == np.float32
    assert np.isfinite(logits).all()
    assert np.array_equal(logits, network.logits(blocks))


def test_a_reading(network: PageNetwork) -> None:
    blocks = blocks_of(WRITTEN["article"])
    reading = network.read(page_inputs(blocks), "news")
    assert np.array_equal(reading.content, network.logits(blocks, "news"))
    assert reading.comment.shape == (len(blocks),)
    assert reading.comment.dtype == reading.page_type.dtype == np.float32
    assert reading.page_type.shape == (len(PAGE_TYPES),)
    assert reading.page_type.sum() == pytest.approx(1)


@pytest.mark.parametrize("name", sorted(name for name in WRITTEN if len(blocks_of(WRITTEN[name]))))
@pytest.mark.parametrize("policy", ["stranger", "news"])
def test_as_in_numpy(network: PageNetwork, name: str, policy: str) -> None:
    inputs = page_inputs(blocks_of(WRITTEN[name]))
    for one in (network, load_trained().network):
        found, expected = one.read(inputs, policy), numpy_reading(one, inputs, policy)
        assert found.content == pytest.approx(expected.content, abs=1e-4)
        assert found.comment == pytest.approx(expected.comment, abs=1e-4)
        assert found.page_type == pytest.approx(expected.page_type, abs=1e-5)


@pytest.mark.parametrize("blocks", [1, 2, 3, 4, 5, 9, 17, 500])
def test_as_in_numpy_for_any_number_of_blocks(blocks: int) -> None:
    parts = [
        f"<div class=part{n // 7}><p class=c{n % 5}>Text {n} of <a href=/{n}>many</a> words.</div>"
        for n in range(blocks)
    ]
    inputs = page_inputs(blocks_of("".join(parts)))
    assert len(inputs) == blocks
    network = load_trained().network
    found, expected = network.read(inputs), numpy_reading(network, inputs)
    assert found.content == pytest.approx(expected.content, abs=1e-4)
    assert found.comment == pytest.approx(expected.comment, abs=1e-4)
    assert found.page_type == pytest.approx(expected.page_type, abs=1e-5)


def test_a_network_that_has_read_can_be_pickled(network: PageNetwork) -> None:
    blocks = blocks_of(WRITTEN["article"])
    expected = network.logits(blocks)
    assert np.array_equal(pickle.loads(pickle.dumps(network)).logits(blocks), expected)


def test_policies_differ(network: PageNetwork) -> None:
    blocks = blocks_of(WRITTEN["article"])
    assert np.array_equal(network.logits(blocks), network.logits(blocks, "stranger"))
    assert not np.allclose(network.logits(blocks), network.logits(blocks, "news"))


def test_saved_and_loaded(network: PageNetwork, tmp_path: Path) -> None:
    network.save(tmp_path / "network.dehusk", pages=3)
    loaded = PageNetwork.load(tmp_path / "network.dehusk")
    blocks = blocks_of(WRITTEN["article"])
    assert loaded.policies == network.policies
    assert loaded.logits(blocks) == pytest.approx(network.logits(blocks), abs=0.02)


def test_another_model_is_refused(tmp_path: Path) -> None:
    write_model_file(tmp_path / "other.dehusk", ModelFile("style-tree", {}, 1, "", "", {}))
    with pytest.raises(ModelError, match="style-tree"):
        PageNetwork.load(tmp_path / "other.dehusk")
    with pytest.raises(ModelError, match="output_bias"):
        PageNetwork.from_arrays({})
