"""The compiled part as a build that counts its own work: blocks of code that run, and memory that is moved.

The compiler puts the counting everywhere (`native/counted.toml`), so no loop is forgotten. Only code of the standard
library that is compiled already, such as the search for a byte, is not seen.
"""

from __future__ import annotations

import ctypes
import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

_REPOSITORY = Path(__file__).parents[2]
_NATIVE = _REPOSITORY / "native"
_DECLARATIONS = _REPOSITORY / "src" / "dehusk" / "_native" / "ffi.py"
_NAMES = {"linux": "libdehusk_native.so", "darwin": "libdehusk_native.dylib", "win32": "dehusk_native.dll"}


def build_counted_library() -> Path:
    """The library, compiled if its sources have changed: about 80 seconds of one processor at first. Needs cargo."""
    manifest, config = str(_NATIVE / "Cargo.toml"), str(_NATIVE / "counted.toml")
    options = ["--quiet", "--config", config, "--profile", "counted", "--manifest-path", manifest]
    subprocess.run(["cargo", "build", *options], check=True)
    return _NATIVE / "target" / "counted" / _NAMES[sys.platform]


def use_counted_library() -> Callable[[], int]:
    """Have dehusk use this library, in a process that has not imported it yet. Returns a count of the work so far."""
    if "dehusk" in sys.modules:
        raise RuntimeError("dehusk is imported already, with the ordinary library: call use_counted_library() before")
    path = build_counted_library()
    ffi = _declarations()
    native: Any = ModuleType("dehusk._native")
    native.ffi, native.lib = ffi, ffi.dlopen(str(path))
    sys.modules["dehusk._native"] = native
    work = ctypes.CDLL(str(path)).dehusk_counted_work
    work.restype = ctypes.c_uint64
    return work  # type: ignore[no-any-return]


def _declarations() -> Any:
    """cffi's declarations of the interface, as maturin made them, without importing dehusk."""
    spec = importlib.util.spec_from_file_location("dehusk_declarations", _DECLARATIONS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.ffi
