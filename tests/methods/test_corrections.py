"""Corrections decide over scores, travel in model files, and survive learning more pages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dehusk
from dehusk.blocks.segmentation import segment
from dehusk.errors import ModelError
from dehusk.learning import load_model
from dehusk.methods.block_keys import keys_of_blocks
from dehusk.methods.corrections import NO_CORRECTIONS, Corrections, Scope, keys_in_scope
from dehusk.methods.model_files import ModelFile, read_model_file, write_model_file
from dehusk.methods.page_network.hybrid import Hybrid
from dehusk.methods.site_trees.pagelet_templates import PageletTemplates
from dehusk.methods.site_trees.structure_weights import StructureWeights
from dehusk.methods.site_trees.style_tree import StyleTree

METHODS = [Hybrid, StyleTree, PageletTemplates, StructureWeights]


def page(number: int) -> str:
    words = " ".join(f"word{number}x{place}" for place in range(40))
    return (
        "<nav><ul><li><a href=/a>Home page</a></li><li><a href=/b>Our shop of teas</a></li></ul></nav>"
        f"<main><h1>Story {number}</h1><p>It begins here. {words}.</p><p>And goes on. {words[::-1]}.</p></main>"
        "<footer><p>Free delivery on all orders</p><p>All rights reserved</p></footer>"
    )


PAGES = [dehusk.read_page(page(number)) for number in range(5)]


def keys(text: str, scope: Scope, number: int = 0) -> tuple[str, int]:
    blocks = segment(PAGES[number])
    index = next(index for index, found in enumerate(blocks.texts) if text in found)
    return scope, int(keys_in_scope(keys_of_blocks(blocks), scope)[index])


def container(text: str, size: int) -> tuple[str, int]:
    """The element of that many blocks around a block."""
    blocks = segment(PAGES[0])
    index = next(index for index, found in enumerate(blocks.texts) if text in found)
    found = keys_of_blocks(blocks).containers
    around = (found.first <= index) & (found.end > index) & (found.end - found.first == size)
    return Scope.CONTAINER, int(found.key[np.flatnonzero(around)[0]])


def taught(*given: tuple[tuple[str, int], bool]) -> Corrections:
    return Corrections.of((scope, key, keep) for (scope, key), keep in given)


@pytest.mark.parametrize("method", METHODS)
def test_the_taught_result_comes_out_of_the_model_file(method: type, tmp_path: Path) -> None:
    corrections = taught((keys("Free delivery", Scope.PLACE), True), (keys("It begins", Scope.PLACE), False))
    model = dehusk.learn(PAGES[:3], method()).with_corrections(corrections)
    model.save(tmp_path / "site.dehusk")
    for read in (model, load_model(tmp_path / "site.dehusk"), model.update(PAGES[3:])):
        text = dehusk.clean(PAGES[4], read).text
        assert "Free delivery" in text
        assert "It begins here" not in text
        assert "kept by a manual correction" in str([block.reasons for block in dehusk.clean(PAGES[4], read)])


def test_without_corrections_a_file_has_no_trace_of_them(tmp_path: Path) -> None:
    dehusk.learn(PAGES).save(tmp_path / "a")
    assert not [name for name in read_model_file(tmp_path / "a").arrays if "corrections" in name]
    assert len(load_model(tmp_path / "a").corrections) == 0  # type: ignore[attr-defined]


def test_the_special_wins_over_the_general() -> None:
    footer, rights = container("Free delivery", 2), keys("All rights", Scope.PLACE)
    look, here = keys("And goes on", Scope.LOOK), keys("It begins", Scope.BLOCK)
    model = dehusk.learn(PAGES).with_corrections(taught((here, True), (rights, False), (footer, True), (look, False)))
    first, second = (dehusk.clean(PAGES[number], model).text for number in (0, 1))
    assert "Free delivery" in first
    assert "Free delivery" in second
    assert "All rights" not in first + second
    assert "And goes on" not in first + second, "everything that looks like it"
    assert "It begins" in first, "one block of one page"
    assert "It begins" not in second


def test_an_inner_container_wins() -> None:
    blocks = keys_of_blocks(segment(PAGES[0]))
    found = blocks.containers
    outer, inner = int(found.key[0]), int(found.key[np.flatnonzero(found.end - found.first == 1)[0]])
    verdicts = Corrections.of([("container", inner, True), ("container", outer, False)]).verdicts(blocks)
    assert (verdicts == 1).sum() == 1
    assert (verdicts == -1).sum() == len(verdicts) - 1


def test_later_corrections_replace_earlier_ones() -> None:
    one, other = (keys(text, Scope.PLACE) for text in ("Home page", "Our shop"))
    added = taught((one, True), (other, True)) + taught((one, False))
    assert sorted(added) == sorted([(*one, False), (*other, True)])
    assert len(NO_CORRECTIONS + NO_CORRECTIONS) == 0


@pytest.mark.parametrize(
    ("keys", "values"),
    [
        (np.zeros(2, dtype=np.uint64), np.zeros((1, 2), dtype=np.int8)),
        (np.zeros(1, dtype=np.int64), np.ones((1, 2), dtype=np.int8)),
        (np.zeros(1, dtype=np.uint64), np.array([[9, 1]], dtype=np.int8)),
        (np.zeros(1, dtype=np.uint64), np.array([[0, 0]], dtype=np.int8)),
        (np.zeros((1, 1), dtype=np.uint64), np.array([[0, 1]], dtype=np.int8)),
        (np.arange(20_000, dtype=np.uint64), np.ones((20_000, 2), dtype=np.int8)),
    ],
)
def test_damaged_corrections_are_refused(keys: np.ndarray, values: np.ndarray, tmp_path: Path) -> None:  # type: ignore[type-arg]
    dehusk.learn(PAGES).save(tmp_path / "a")
    file = read_model_file(tmp_path / "a")
    arrays = {**file.arrays, "corrections_keys": keys, "corrections_values": values}
    write_model_file(tmp_path / "b", ModelFile(file.method, file.settings, file.pages, "", "", arrays))
    with pytest.raises(ModelError, match="corrections"):
        load_model(tmp_path / "b")
