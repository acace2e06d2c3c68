"""Calls of the compiled part: arrays in, arrays out, and failures as errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, Generic, Protocol, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import NativeError
from dehusk.native.library import ffi, lib

_TYPES: Final = tuple(np.dtype(name) for name in ("uint8", "uint16", "int32", "int64", "float32", "float64"))
"""Types of entries; their numbers are those of `native/src/abi.rs`."""
_CODES: Final = tuple(dtype.str for dtype in _TYPES)
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

    def bytes(self, number: int) -> bytes:
        """A copy of a column of bytes."""
        array = lib.dehusk_outcome_column(self.pointer, number)
        return bytes(ffi.buffer(array.data, array.length)) if array.length else b""

    def columns(self, count: int) -> list[NDArray[Any]]:
        """The first columns of the result, as from `column`."""
        return [self.column(number) for number in range(count)]

    def text(self, number: int) -> str:
        """A column of UTF-8, decoded."""
        array = lib.dehusk_outcome_column(self.pointer, number)
        return str(ffi.buffer(array.data, array.length), "utf-8") if array.length else ""

    def texts(self, number: int) -> list[str]:
        """The texts of a column that has a NUL after each."""
        return self.text(number).split("\0")[:-1]

    def column(self, number: int) -> NDArray[Any]:
        """A column of the result, one-dimensional, read-only and not copied."""
        array = lib.dehusk_outcome_column(self.pointer, number)
        return np.asarray(_Lent(self, int(ffi.cast("uintptr_t", array.data)), array.length, _CODES[array.kind]))


class _Lent:
    """The memory of a column, for numpy: the array made of it refers to this, and this to the owner."""

    __slots__ = ("__array_interface__", "owner")

    def __init__(self, owner: Outcome, address: int, length: int, code: str) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "version": 3,
            "shape": (length,),
            "typestr": code,
            "data": (address, True),  # read-only
        }


class HasColumns(Protocol):
    """What the compiled part keeps, and Python sees column by column."""

    @property
    def native(self) -> Outcome:
        """The owner of the columns."""


T = TypeVar("T", bound=np.generic)


class Column(Generic[T]):
    """A column of something the compiled part keeps: an attribute that becomes an array when it is first asked for."""

    def __init__(self, dtype: type[T], number: int) -> None:
        self._dtype = np.dtype(dtype)
        self._number = number
        self._name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: HasColumns, owner: type) -> NDArray[T]: ...

    def __get__(self, instance: HasColumns | None, owner: type) -> Self | NDArray[T]:
        if instance is None:
            return self
        column = instance.native.column(self._number)
        if column.dtype != self._dtype:  # booleans are bytes to the compiled part
            column = column.view(self._dtype)
        vars(instance)[self._name] = column
        return column


def _free(pointer: Any, library: Any = lib) -> None:
    # The default keeps the library open: at exit an outcome may be the last to go, after this module.
    library.dehusk_outcome_free(pointer)


Lendable = NDArray[Any] | bytes
"""What a call can be given: an array, or bytes."""


def call(function: Callable[..., Any], arrays: Sequence[Lendable], subject: str, *first: Any) -> Outcome:
    """Call a function with arrays, which it must not keep, after other arguments. Failures name the subject."""
    # `described` and `lent` own what the function reads, until it returns.
    described = [_described(array) for array in arrays]
    lent = _new_arrays(described)
    return Outcome(function(*first, lent, len(described)), subject)


_new_arrays: Final = partial(ffi.new, ffi.typeof("Array[]"))


def _described(array: Lendable) -> tuple[Any, int, int]:
    """Where an array begins, how many entries it has, and the number of their type."""
    if isinstance(array, bytes):
        return ffi.from_buffer(array), len(array), 0
    return ffi.from_buffer(np.ascontiguousarray(array)), array.size, _KINDS[array.dtype]
