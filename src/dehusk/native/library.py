"""The compiled library, loaded. Light on purpose: `dehusk --version` loads it, too."""

from __future__ import annotations

from typing import Any, Final

from dehusk.errors import NativeError

_INTERFACE: Final = 24
"""Number of the interface that this code calls, as in `native/src/abi.rs`."""
_REMEDY: Final = "build it again: pip install --editable . (needs cargo), or install a wheel"


def _load() -> tuple[Any, Any]:
    """The functions of the library, and cffi's tools for its types."""
    try:
        from dehusk._native import ffi, lib
    except (ImportError, OSError) as error:
        raise NativeError("the compiled part of dehusk", f"cannot be loaded ({error})", _REMEDY) from error
    if (found := lib.dehusk_interface()) != _INTERFACE:
        cause = f"has interface {found}, and this version of dehusk needs {_INTERFACE}"
        raise NativeError("the compiled part of dehusk", cause, _REMEDY)
    return lib, ffi


lib, ffi = _load()
"""Functions that `native/src/abi.rs` exports, and cffi's tools; calls release the interpreter lock."""


def library_version() -> str:
    """The version that the library was built as."""
    return str(ffi.string(lib.dehusk_version()).decode("ascii"))
