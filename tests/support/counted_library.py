"""The compiled part as a build that counts its own work: how often blocks of code run, and memory that is moved.

The compiler puts the counting everywhere (`native/counted.toml`), so no loop is forgotten. Only code of the standard
library that is compiled already, such as the search for a byte, is not seen.
"""

from __future__ import annotations

import ctypes
import importlib.util
import subprocess
import sys
from bisect import bisect_right
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

_REPOSITORY = Path(__file__).parents[2]
_NATIVE = _REPOSITORY / "native"
_DECLARATIONS = _REPOSITORY / "src" / "dehusk" / "_native" / "ffi.py"
_NAMES = {"linux": "libdehusk_native.so", "darwin": "libdehusk_native.dylib", "win32": "dehusk_native.dll"}


class CountedLibrary:
    """The library in this process, and the work that its functions have done."""

    def __init__(self, path: Path) -> None:
        import numpy as np  # here, not above: a program that wants text does without it

        self._path = path
        self._library = ctypes.CDLL(str(path))
        blocks = int(self._library.dehusk_counted_blocks())
        self._work: NDArray[Any] = self._array("dehusk_work_of_blocks", blocks)
        places = self._array("dehusk_places_of_blocks", 2 * blocks).reshape(blocks, 2)
        self._addresses = places[:, 0]
        self._first_blocks = np.flatnonzero(places[:, 1] & 1)
        self._add_up = np.add.reduceat

    def work_of_functions(self) -> NDArray[Any]:
        """By function, each with a number: the work since the library was loaded."""
        return self._add_up(self._work, self._first_blocks)  # type: ignore[no-any-return]

    def describe(self, function: int) -> str:
        """The name of a function, and where in our code it is: many are made of the iterators of the standard library.

        Needs nm and addr2line, which come with linkers.
        """
        blocks = slice(*[*self._first_blocks.tolist(), len(self._work)][function : function + 2])
        places = [hex(int(address) - self._moved) for address in self._addresses[blocks]]
        found = self._run("addr2line", "--inlines", "-e", str(self._path), *places).split()
        ours = next((line for line in found if str(_NATIVE / "src") in line), "")
        starts = [address for address, _ in self._symbols]
        name = self._symbols[bisect_right(starts, int(places[0], 16)) - 1][1]
        return f"{name} {ours.removeprefix(str(_REPOSITORY) + '/')}".strip()

    @cached_property
    def _symbols(self) -> list[tuple[int, str]]:
        lines = self._run("nm", "--demangle", "--defined-only", "--numeric-sort", str(self._path)).splitlines()
        return [(int(line[:16], 16), line[19:]) for line in lines if line[17] in "tT"]

    @cached_property
    def _moved(self) -> int:
        """How far the library has been moved to where it is in memory."""
        symbol = "dehusk_counted_blocks"
        own = next(address for address, name in self._symbols if name == symbol)
        return (ctypes.cast(getattr(self._library, symbol), ctypes.c_void_p).value or 0) - own

    @staticmethod
    def _run(*command: str) -> str:
        return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout

    def _array(self, function: str, length: int) -> NDArray[Any]:
        import numpy as np

        call = getattr(self._library, function)
        call.restype = ctypes.POINTER(ctypes.c_uint64)
        return np.ctypeslib.as_array(call(), (length,))


def build_counted_library() -> Path:
    """The library, compiled if its sources have changed: about 80 seconds of one processor at first. Needs cargo."""
    manifest, config = str(_NATIVE / "Cargo.toml"), str(_NATIVE / "counted.toml")
    options = ["--quiet", "--config", config, "--profile", "counted", "--manifest-path", manifest]
    subprocess.run(["cargo", "build", *options], check=True)
    return _NATIVE / "target" / "counted" / _NAMES[sys.platform]


def use_counted_library() -> CountedLibrary:
    """Have dehusk use this library, in a process that has not imported it yet."""
    if "dehusk" in sys.modules:
        raise RuntimeError("dehusk is imported already, with the ordinary library: call use_counted_library() before")
    path = build_counted_library()
    ffi = _declarations()
    native: Any = ModuleType("dehusk._native")
    native.ffi, native.lib = ffi, ffi.dlopen(str(path))
    sys.modules["dehusk._native"] = native
    return CountedLibrary(path)


def _declarations() -> Any:
    """cffi's declarations of the interface, as maturin made them, without importing dehusk."""
    spec = importlib.util.spec_from_file_location("dehusk_declarations", _DECLARATIONS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.ffi
