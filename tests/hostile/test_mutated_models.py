"""Model files with a few bytes changed: loading and using them gives a result or an error of ours.

Bytes of the archive mostly break a checksum. So members are changed, too, and packed again with checksums that fit.
"""

from __future__ import annotations

import io
import json
import random
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import pytest

import dehusk
from dehusk.methods import METHODS
from dehusk.methods.page_network.inference import REQUIRED, PageNetwork
from dehusk.methods.page_network.trained_weights import Trained, load_trained

_SEED: Final = 20
_MUTATIONS: Final = 100
"""Of each kind, for each file: some seconds in all."""
_PAGE: Final = dehusk.read_page(
    "<title>Tea</title><nav><a href=/>Home</a></nav><h1>Tea</h1><div class=post><p>Steep it.<p>Pour it.</div>"
)
_SITE: Final = [
    dehusk.read_page(f"<nav><p>Department 1</p><p>Department 2</p></nav><div><p>story {n} of {n + 50}</p></div>")
    for n in range(4)
]
_LEARNING: Final = sorted(name for name, method in METHODS.items() if method.learns)

Members = dict[str, bytes]
Value = TypeVar("Value")


@pytest.fixture(scope="module", params=[*_LEARNING, "sequence-labels", "page-network"])
def model_file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A sound file of each kind."""
    if request.param == "sequence-labels":
        return (files("dehusk") / "models" / "sequence-labels.dehusk").read_bytes()
    path = tmp_path_factory.mktemp("models") / "a.dehusk"
    if request.param == "page-network":
        small_network().save(path)
    else:
        METHODS[request.param]().fit(_SITE).save(path)
    return path.read_bytes()


def small_network() -> Trained:
    """All that training gives, of the network that comes with dehusk a few channels only."""
    trained = load_trained()
    arrays = trained.network.arrays
    width, channels = len(arrays["input_bias"]), 2
    small = {}
    for name, array in arrays.items():
        # Axes of the width are cut, so are those of several times the width.
        parts = [size // width * channels if size % width == 0 and size < 1_000 else size for size in array.shape]
        small[name] = array[tuple(map(slice, parts))]
    return replace(trained, network=PageNetwork.from_arrays(small, trained.network.policies))


def unpacked(content: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(members: Members) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, member in members.items():
            archive.writestr(name, member)
    return content.getvalue()


def changed(content: bytes, chooser: random.Random, most: int = 1 << 30) -> bytes:
    """With some bytes flipped, inserted, deleted or cut off, among the first `most`."""
    data = bytearray(content)
    for _ in range(chooser.randint(1, 3)):
        at = chooser.randrange(max(min(len(data), most), 1))
        match chooser.randrange(4):
            case 0:
                data[at : at + 1] = bytes([chooser.randrange(256)])
            case 1:
                data[at:at] = chooser.randbytes(chooser.randint(1, 8))
            case 2:
                del data[at : at + chooser.randint(1, 8)]
            case _:
                data[at : at + 1] = chooser.choice(
                    [b"'", b"(", b"[" * 300, b"9" * 30, b"-", b"\\", b"\n", b"e", b"\xff"]
                )
    return bytes(data)


def chosen(values: list[Value], most: int) -> list[Value]:
    return random.Random(_SEED).sample(values, min(len(values), most))


def used(path: Path, content: bytes) -> str:
    """What becomes of a file: the text of a page that is cleaned with it, or the error."""
    path.write_bytes(content)
    try:
        cleaned = dehusk.clean(_PAGE, dehusk.load_model(path))
        return cleaned.text + str([block.reasons for block in cleaned])
    except dehusk.DehuskError as error:
        return str(error)


def archives(content: bytes, chooser: random.Random) -> Iterator[bytes]:
    # A large file is changed where it says what it is: at its ends.
    for _ in range(_MUTATIONS):
        end = len(content) - 2_000 if chooser.random() < 0.5 else 0
        cut = max(end, 0)
        yield content[:cut] + changed(content[cut:], chooser, 2_000)


def members_changed(content: bytes, chooser: random.Random) -> Iterator[bytes]:
    members = unpacked(content)
    names = sorted(members)
    for _ in range(_MUTATIONS):
        name = chooser.choice([*names, "header.json", "header.json"])
        yield packed({**members, name: changed(members[name], chooser, chooser.choice([128, 1 << 30]))})


@pytest.mark.parametrize("mutated", [archives, members_changed])
def test_nothing_but_errors_of_ours(
    model_file: bytes, mutated: Callable[[bytes, random.Random], Iterator[bytes]], tmp_path: Path
) -> None:
    path = tmp_path / "a.dehusk"
    sound = used(path, model_file)
    chooser = random.Random(_SEED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # weights may be as large as they like
        results = [used(path, content) for content in mutated(model_file, chooser)]
    # Some must have been refused, or nothing was tried.
    assert any(result != sound for result in results)


_VALUES: Final[tuple[Any, ...]] = (*(None, -1, 1 << 70, float("nan"), float("inf"), "x", [], [1], {}, {"a": 1}),)


def _settings_changed(header: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for value in _VALUES:
        yield from ({**header, name: value} for name in header)
        settings = header["settings"]
        yield from ({**header, "settings": {**settings, name: value}} for name in [*settings, "unknown"])
        for name, inner in settings.items():
            if isinstance(inner, dict):
                yield from ({**header, "settings": {**settings, name: {**inner, key: value}}} for key in inner)


def test_any_value_in_the_header(model_file: bytes, tmp_path: Path) -> None:
    members = unpacked(model_file)
    header = json.loads(members["header.json"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        for changed_header in chosen(list(_settings_changed(header)), _MUTATIONS):
            used(tmp_path / "a.dehusk", packed({**members, "header.json": json.dumps(changed_header).encode()}))


def _arrays_like(array: np.ndarray[Any, Any]) -> Iterator[np.ndarray[Any, Any]]:
    """Of other shapes, types and values."""
    yield from (array[:0], array[:-1], np.concatenate([array, array]), array[None], array.reshape(-1), array[..., :1])
    yield from (array.astype(dtype) for dtype in (np.uint8, np.int32, np.float64))
    if array.dtype.kind == "f":
        yield from (np.full_like(array, value) for value in (np.nan, np.inf, np.finfo(array.dtype).max))
    else:
        limits = np.iinfo(array.dtype)
        yield from (np.full_like(array, value) for value in (0, limits.max, limits.min, limits.max // 2))
        yield from (array[::-1], np.roll(array, 1))


def test_any_array(model_file: bytes, tmp_path: Path) -> None:
    members = unpacked(model_file)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        for name in chosen(sorted(set(members) - {"header.json"}), 12):
            for array in _arrays_like(np.load(io.BytesIO(members[name]))):
                content = io.BytesIO()
                np.save(content, array)
                used(tmp_path / "a.dehusk", packed({**members, name: content.getvalue()}))


@pytest.mark.parametrize("name", REQUIRED)
def test_a_network_of_other_shapes_is_refused(name: str) -> None:
    arrays = {**small_network().network.arrays, name: np.ones((3, 5), dtype=np.float16)}
    with pytest.raises(dehusk.ModelError, match="is wanted"):
        PageNetwork.from_arrays(arrays, small_network().network.policies)


HEADERS: Final = {
    "unterminated": b"{'descr': '<u8', 'fortran_order': False, 'shape': (3, 3",
    "nested": b"[" * 5_000,
    "not text": b"\xff" * 100,
    "an expression": b"{'descr': '<u8', 'fortran_order': False, 'shape': (2**99, 3), }\n",
    "objects": b"{'descr': '|O', 'fortran_order': False, 'shape': (3,), }\n",
    "too large": b"{'descr': '<u8', 'fortran_order': False, 'shape': (9999999999, 9999999999), }\n",
    "negative": b"{'descr': '<u8', 'fortran_order': False, 'shape': (-1,), }\n",
    "of no such type": b"{'descr': '<u3', 'fortran_order': False, 'shape': (1,), }\n",
    "one byte floats": b"{'descr': '<f1', 'fortran_order': False, 'shape': (1,), }\n",
}


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
def test_headers_of_arrays(header: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.dehusk"
    dehusk.StyleTree().fit(_SITE).save(path)
    member = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + b"\0" * 8
    path.write_bytes(packed({**unpacked(path.read_bytes()), "places_keys.npy": member}))
    tracemalloc.start()
    with pytest.raises(dehusk.ModelError, match="not a sound model file"):
        dehusk.load_model(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10_000_000


def test_a_member_is_unpacked_no_further_than_it_says(tmp_path: Path) -> None:
    path = tmp_path / "a.dehusk"
    dehusk.StyleTree().fit(_SITE).save(path)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, member in {**unpacked(path.read_bytes()), "bomb.npy": b"\0" * 100_000_000}.items():
            archive.writestr(name, member)
    # It says that it has 4 bytes.
    path.write_bytes(content.getvalue().replace((100_000_000).to_bytes(4, "little"), (4).to_bytes(4, "little")))
    tracemalloc.start()
    with pytest.raises(dehusk.ModelError, match="not a sound model file"):
        dehusk.load_model(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 20_000_000
