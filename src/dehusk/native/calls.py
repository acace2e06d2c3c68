"""Calls of the compiled part: arrays in, arrays out, and failures as errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import NativeError
from dehusk.native.library import ffi, lib

_TYPES: Final = tuple(np.dtype(name) for name in ("uint8", "uint16", "int32", "int64", "float32"))
"""Types of entries; their numbers are those of `native/src/abi.rs`."""
_KINDS: Final = {dtype: number for number, dtype in enumerate(_TYPES)}
_DONE, _REFUSED, _PANICKED, _OUT_OF_MEMORY = range(4)
"""What became of a call, as in `native/src/abi.rs`."""


class Outcome:
    """What a call returned. Its memory is freed with it, or with the last of its arrays."""

    def __init__(self, pointer: Any, subject: str) -> None:
        self.pointer: Final = ffi.gc(pointer, _free)
        status = lib.dehusk_outcome_status(pointer)
        if status == _OUT_OF_MEMORY:
            raise MemoryError
        if status != _DONE:
            message = lib.dehusk_outcome_message(pointer)
            cause = ffi.buffer(message.data, message.length)[:].decode("utf-8", "replace")
            raise NativeError(subject, f"the compiled part failed ({cause})", "this is a bug: report it with the page")

    def columns(self) -> list[NDArray[Any]]:
        """The columns of the result, one-dimensional, read-only and not copied."""
        return [self._column(number) for number in range(lib.dehusk_outcome_columns(self.pointer))]

    def _column(self, number: int) -> NDArray[Any]:
        array = lib.dehusk_outcome_column(self.pointer, number)
        dtype = _TYPES[array.kind]
        return np.asarray(_Lent(self, int(ffi.cast("uintptr_t", array.data)), array.length, dtype))


class _Lent:
    """The memory of a column, for numpy: the array made of it refers to this, and this to the owner."""

    def __init__(self, owner: Outcome, address: int, length: int, dtype: np.dtype[Any]) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "version": 3,
            "shape": (length,),
            "typestr": dtype.str,
            "data": (address, True),  # read-only
        }


def _free(pointer: Any, library: Any = lib) -> None:
    # The default keeps the library open: at exit an outcome may be the last to go, after this module.
    library.dehusk_outcome_free(pointer)


def call(function: Callable[..., Any], arrays: Sequence[NDArray[Any]], subject: str, *first: Any) -> Outcome:
    """Call a function with arrays, which it must not keep, after other arguments. Failures name the subject."""
    # `buffers` and `lent` own what the function reads, until it returns.
    buffers = [ffi.from_buffer(np.ascontiguousarray(array)) for array in arrays]
    described = [(buffer, array.size, _KINDS[array.dtype]) for buffer, array in zip(buffers, arrays, strict=True)]
    lent = ffi.new("Array[]", described)
    return Outcome(function(*first, lent, len(arrays)), subject)
