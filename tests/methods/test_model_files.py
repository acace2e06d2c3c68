"""Model files: what is saved comes back, and nothing else is believed."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dehusk
from dehusk.methods.model_files import VERSION
from dehusk.methods.site_trees.style_tree import StyleTreeModel


@pytest.fixture
def pages() -> list[dehusk.Page]:
    menu = "".join(f"<p>Department number {n}</p>" for n in range(6))
    return [dehusk.read_page(f"<nav>{menu}</nav><div><p>story {n} of {n + 50}</p></div>") for n in range(8)]


@pytest.fixture
def saved(pages: list[dehusk.Page], tmp_path: Path) -> Path:
    dehusk.StyleTree().fit(pages).save(tmp_path / "a.dehusk", site="a.example", created="2026-11-15")
    return tmp_path / "a.dehusk"


def rewrite(path: Path, **members: bytes | None) -> None:
    """Change or remove members of the archive."""
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    content.update({name.replace("__", "."): data for name, data in members.items() if data is not None})
    for name in [name.replace("__", ".") for name, data in members.items() if data is None]:
        del content[name]
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)


def header_with(path: Path, **changes: Any) -> bytes:
    with zipfile.ZipFile(path) as archive:
        return json.dumps({**json.loads(archive.read("header.json")), **changes}).encode()


def test_what_is_saved_comes_back(pages: list[dehusk.Page], saved: Path) -> None:
    model = dehusk.load_model(saved)
    assert isinstance(model, StyleTreeModel)
    assert model.counts == dehusk.StyleTree().fit(pages).counts
    assert dehusk.clean(pages[2], model).text == "story 2 of 52\n"


def test_learning_in_parts_gives_the_same_model(pages: list[dehusk.Page]) -> None:
    whole = dehusk.StyleTree().fit(pages)
    assert dehusk.StyleTree().fit(pages[:3]).update(pages[3:]).counts == whole.counts
    assert (dehusk.StyleTree().fit(pages[5:]) + dehusk.StyleTree().fit(pages[:5])).counts == whole.counts
    np.testing.assert_array_equal(dehusk.StyleTree().fit(pages[::-1]).tree.composite, whole.tree.composite)


def test_models_of_other_settings_do_not_add_up(pages: list[dehusk.Page]) -> None:
    with pytest.raises(dehusk.ModelError, match="other settings"):
        dehusk.StyleTree(threshold=0.4).fit(pages) + dehusk.StyleTree().fit(pages)


def array_bytes(array: np.ndarray[Any, Any], **options: Any) -> bytes:
    content = io.BytesIO()
    np.save(content, array, **options)
    return content.getvalue()


def test_foreign_and_damaged_files_are_refused(saved: Path, tmp_path: Path) -> None:
    good = saved.read_bytes()
    cases: list[tuple[str, dict[str, bytes | None]]] = [
        ("not a dehusk model", {"header__json": header_with(saved, format="other")}),
        (f"version {VERSION + 1} of the format", {"header__json": header_with(saved, version=VERSION + 1)}),
        ("version one of the format", {"header__json": header_with(saved, version="one")}),
        ("not a sound model file", {"header__json": b"{"}),
        ("not a sound model file", {"header__json": None}),
        ("unknown method 'magic'", {"header__json": header_with(saved, method="magic")}),
        ("does not hold a style tree", {"header__json": header_with(saved, settings={"matching": "vague"})}),
        ("does not hold a style tree", {"places_keys__npy": None}),
        ("wrong shape", {"places_keys__npy": array_bytes(np.zeros((3, 1), dtype=np.uint64))}),
        ("keys are not uint64", {"places_keys__npy": array_bytes(np.zeros((3, 3), dtype=np.float64))}),
        ("samples have the wrong type", {"labels_values__npy": array_bytes(np.zeros(3, dtype=np.int64))}),
        ("samples have the wrong shape", {"labels_values__npy": array_bytes(np.zeros(3, dtype=np.uint8))}),
        (
            "impossible counts",
            {
                "targets_keys__npy": array_bytes(np.ones((1, 1), dtype=np.uint64)),
                "targets_values__npy": array_bytes(np.zeros((1, 1), dtype=np.int64)),
            },
        ),
        (
            "duplicate keys",
            {
                "targets_keys__npy": array_bytes(np.ones((2, 1), dtype=np.uint64)),
                "targets_values__npy": array_bytes(np.ones((2, 1), dtype=np.int64)),
            },
        ),
        ("does not hold a style tree", {"header__json": header_with(saved, settings={"threshold": 7})}),
        ("not a sound model file", {"places_keys__npy": b"garbage"}),
        ("not a sound model file", {"evil__npy": array_bytes(np.array([{}], dtype=object), allow_pickle=True)}),
    ]
    for message, members in cases:
        saved.write_bytes(good)
        rewrite(saved, **members)
        with pytest.raises(dehusk.ModelError, match=message):
            dehusk.load_model(saved)
    for content in (b"", b"PK\x03\x04", pickle.dumps({}), good[: len(good) // 2]):
        saved.write_bytes(content)
        with pytest.raises(dehusk.ModelError, match="not a sound model file"):
            dehusk.load_model(saved)
    with pytest.raises(dehusk.ModelError, match="cannot be read"):
        dehusk.load_model(tmp_path / "absent.dehusk")


def test_messages_on_damaged_files_are_short_and_can_be_written(saved: Path) -> None:
    good = saved.read_bytes()
    shape = b"{'descr': '<i8', 'fortran_order': False, 'shape': '%s'}" % (b"x" * 5000)
    for members in (
        {"places_keys__npy": b"\x93NUMPY\x01\x00" + len(shape).to_bytes(2, "little") + shape},
        {"header__json": header_with(saved, version="\ud800" * 5000)},
        {"header__json": header_with(saved, method="\ud800" * 5000)},
        {"header__json": header_with(saved, settings={"matching": "x" * 5000})},
    ):
        rewrite(saved, **members)
        with pytest.raises(dehusk.ModelError) as caught:
            dehusk.load_model(saved)
        assert len(str(caught.value).encode()) < 2000
        saved.write_bytes(good)


def test_loading_executes_nothing(saved: Path, tmp_path: Path) -> None:
    witness = tmp_path / "executed"

    class Evil:
        def __reduce__(self) -> tuple[Any, ...]:
            return (witness.touch, ())

    rewrite(saved, evil__npy=array_bytes(np.array([Evil()], dtype=object), allow_pickle=True))
    with pytest.raises(dehusk.ModelError):
        dehusk.load_model(saved)
    assert not witness.exists()


def test_sampling_is_even_and_repeatable() -> None:
    assert dehusk.sample(range(5), n=10) == [0, 1, 2, 3, 4]
    chosen = dehusk.sample(range(1000), n=10, seed=7)
    assert chosen == sorted(set(chosen)) == dehusk.sample(iter(range(1000)), n=10, seed=7)
    assert len(chosen) == 10
    assert chosen != dehusk.sample(range(1000), n=10, seed=8)
    assert max(chosen) > 500
