"""Counts come back from arrays as they were, and nothing else is believed."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.lib import format as array_format
from numpy.typing import NDArray
from small_sites import sites
from thoroughness import examples

import dehusk
from dehusk.methods import site_models
from dehusk.methods.key_samples import SAMPLE_LENGTH
from dehusk.methods.model_files import ModelFile
from dehusk.methods.site_trees.site_counts import MOST_FEATURES, SiteCounts
from dehusk.methods.site_trees.style_tree import StyleTree, StyleTreeModel
from dehusk.methods.site_trees.template_positions import Matching
from dehusk.page.page_columns import Page

Array = NDArray[Any]

TALLIES = ["places", "styles", "children", "features", "overlaps", "texts", "targets", "contents"]
SAMPLES = ["sample_texts", "labels"]


@cache
def counts() -> SiteCounts:
    """A small site with something in every table."""
    menu = "<ul><li><a href=/a>Home</a></li><li><a href=/b>Shop</a></li></ul>"
    bodies = [f"<nav>{menu}</nav><div><p>story {number} of home</p></div>" for number in range(4)]
    return StyleTree(matching=Matching.EXACT).fit(dehusk.read_page(f"<body>{body}") for body in bodies).counts


@settings(max_examples=examples(60))
@given(sites, st.sampled_from(Matching), st.booleans())
def test_what_is_stored_comes_back(pages: list[Page], matching: Matching, virtual_leaves: bool) -> None:
    counts = StyleTree(matching=matching, virtual_leaves=virtual_leaves).fit(pages).counts
    assert SiteCounts.from_arrays(counts.pages, counts.as_arrays()) == counts


@settings(max_examples=examples(15))
@given(sites)
def test_what_is_saved_is_loaded(tmp_path_factory: pytest.TempPathFactory, pages: list[Page]) -> None:
    path = tmp_path_factory.mktemp("models") / "a.dehusk"
    model = StyleTree(threshold=0.25).fit(pages)
    model.save(path)
    loaded = dehusk.load_model(path)
    assert isinstance(loaded, StyleTreeModel)
    assert (loaded.settings, loaded.counts) == (model.settings, model.counts)


def load(pages: int = 4, **arrays: Array | None) -> StyleTreeModel:
    """The model of the small site, with other arrays in some places; None takes one away."""
    all_arrays: Mapping[str, Array | None] = {**counts().as_arrays(), **arrays}
    given = {name: array for name, array in all_arrays.items() if array is not None}
    return StyleTreeModel.from_file(ModelFile("style-tree", {}, pages, "", "", given))


def test_the_small_site_has_something_in_every_table() -> None:
    assert load().counts == counts()
    assert all(len(array) for array in counts().as_arrays().values())


DAMAGES: dict[str, Callable[[Array], Array | None]] = {
    "missing": lambda array: None,
    "floats": lambda array: array.astype(np.float64),
    "smaller numbers": lambda array: array.astype(np.int32),
    "texts": lambda array: array.astype(str),
    "one row less": lambda array: array[:-1],
    "one row more": lambda array: np.concatenate([array, array[-1:]]),
    "one dimension more": lambda array: array[None],
    "a number": lambda array: array.ravel()[0],
    "empty": lambda array: array[:0],
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize(
    "name", sorted(f"{table}_{part}" for table in TALLIES + SAMPLES for part in ("keys", "values"))
)
def test_a_table_that_is_damaged_is_refused(name: str, damage: str) -> None:
    damaged = DAMAGES[damage](counts().as_arrays()[name])
    with pytest.raises(dehusk.ModelError, match="does not hold a style tree"):
        load(**{name: damaged})


@pytest.mark.parametrize("name", TALLIES)
@pytest.mark.parametrize("column", [0, -1])
def test_negative_counts_are_refused(name: str, column: int) -> None:
    values = counts().as_arrays()[f"{name}_values"].copy()
    values[0, column] = -1
    with pytest.raises(dehusk.ModelError, match="impossible counts"):
        load(**{f"{name}_values": values})


@pytest.mark.parametrize("name", TALLIES)
def test_a_table_with_a_column_more_is_refused(name: str) -> None:
    for array_name in (f"{name}_keys", f"{name}_values"):
        array = counts().as_arrays()[array_name]
        with pytest.raises(dehusk.ModelError, match="wrong shape"):
            load(**{array_name: np.concatenate([array, array[:, :1]], axis=1)})


@pytest.mark.parametrize("name", TALLIES)
def test_keys_that_come_twice_are_refused(name: str) -> None:
    keys, values = (counts().as_arrays()[f"{name}_{part}"] for part in ("keys", "values"))
    twice = {f"{name}_keys": np.concatenate([keys, keys]), f"{name}_values": np.concatenate([values, values])}
    with pytest.raises(dehusk.ModelError, match="duplicate keys"):
        load(**twice)


@pytest.mark.parametrize("name", TALLIES)
def test_rows_in_another_order_are_the_same_table(name: str) -> None:
    keys, values = (counts().as_arrays()[f"{name}_{part}"] for part in ("keys", "values"))
    assert load(**{f"{name}_keys": keys[::-1], f"{name}_values": values[::-1]}).counts == counts()


@pytest.mark.parametrize("name", TALLIES)
def test_more_rows_than_a_table_may_have_are_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    most = len(counts().as_arrays()[f"{name}_keys"]) - 1
    monkeypatch.setattr(site_models, "MOST_KEYS", most)
    monkeypatch.setitem(SiteCounts.largest, "features", most if name == "features" else MOST_FEATURES)
    with pytest.raises(dehusk.ModelError, match="tables are too large"):
        load()


def test_more_samples_than_there_may_be_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_models, "MOST_SAMPLES", 2)
    with pytest.raises(dehusk.ModelError, match="wrong shape"):
        load()


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize(
    "sample",
    [b"\xff", b"\xed\xa0\x80", b"x" * (SAMPLE_LENGTH + 1), b"two\nlines"],
    ids=["bytes", "surrogate", "long", "two"],
)
def test_samples_that_are_none_are_refused(name: str, sample: bytes) -> None:
    lines = counts().as_arrays()[f"{name}_values"].tobytes().split(b"\n")
    encoded = np.frombuffer(b"\n".join([sample, *lines[1:]]), dtype=np.uint8)
    with pytest.raises(dehusk.ModelError, match="does not hold a style tree"):
        load(**{f"{name}_values": encoded})


@pytest.mark.parametrize("pages", [-1, 0, 3, 10**17, 10**30])
def test_a_number_of_pages_that_cannot_be_is_refused(pages: int) -> None:
    with pytest.raises(dehusk.ModelError, match="page counts are impossible"):
        load(pages)


@pytest.mark.parametrize("name", TALLIES)
def test_more_pages_with_something_than_pages_are_refused(name: str) -> None:
    values = counts().as_arrays()[f"{name}_values"].copy()
    values[0, 2 if name == "features" else 0] = 5
    with pytest.raises(dehusk.ModelError, match="page counts are impossible"):
        load(**{f"{name}_values": values})


def test_positions_that_are_leaves_where_they_are_not_are_refused() -> None:
    values = counts().as_arrays()["places_values"].copy()
    values[0] = [2, 3]
    with pytest.raises(dehusk.ModelError, match="leaves on more pages than contain them"):
        load(places_values=values)


@pytest.fixture
def members(tmp_path: Path) -> dict[str, bytes]:
    """What is in a good file."""
    StyleTreeModel(StyleTree(), counts()).save(tmp_path / "good.dehusk")
    with zipfile.ZipFile(tmp_path / "good.dehusk") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(path: Path, members: Mapping[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


@pytest.mark.parametrize("pages", [float("inf"), float("nan"), None, "many", [], 10**30, -1])
def test_a_header_with_pages_that_are_no_number_is_refused(
    members: dict[str, bytes], pages: object, tmp_path: Path
) -> None:
    members["header.json"] = json.dumps({**json.loads(members["header.json"]), "pages": pages}).encode()
    with pytest.raises(dehusk.ModelError):
        dehusk.load_model(write(tmp_path / "bad.dehusk", members))


def test_an_array_that_claims_to_be_giant_is_refused(members: dict[str, bytes], tmp_path: Path) -> None:
    content = io.BytesIO()
    array_format.write_array_header_1_0(content, {"descr": "<u8", "fortran_order": False, "shape": (10**13, 1)})
    members["targets_keys.npy"] = content.getvalue()
    with pytest.raises(dehusk.ModelError, match="not a sound model file"):
        dehusk.load_model(write(tmp_path / "bad.dehusk", members))


def test_a_file_with_any_byte_changed_is_refused_or_harmless(tmp_path: Path) -> None:
    path = tmp_path / "a.dehusk"
    StyleTreeModel(StyleTree(), counts()).save(path)
    good = path.read_bytes()
    refused = 0
    for position in range(0, len(good), 7):
        path.write_bytes(good[:position] + bytes([good[position] ^ 0x5A]) + good[position + 1 :])
        try:
            dehusk.load_model(path)
        except dehusk.ModelError:
            refused += 1
    assert refused > len(good) / 7 / 2
