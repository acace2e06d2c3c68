"""Calls of the compiled part: arrays in, arrays out, and failures as errors."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, Self, TypeAlias, TypeVar, overload

from dehusk.errors import NativeError
from dehusk.native.lazy_numpy import np
from dehusk.native.library import ffi, lib
from dehusk.native.stopping import summary_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ORDER: Final = "<" if sys.byteorder == "little" else ">"
_CODES: Final = ("|u1", *(f"{_ORDER}{code}" for code in ("u2", "i4", "i8", "f4", "f8")))
"""Types of entries, as numpy writes them; their numbers are those of `native/src/abi.rs`."""
_KINDS: Final = {code: number for number, code in enumerate(_CODES)} | {"|b1": 0, f"{_ORDER}u8": 3}
"""Booleans are bytes to the compiled part, and keys have a sign."""
_KINDS_OF_LISTS: Final = {"H": 1, "i": 2, "q": 3, "f": 4, "d": 5}
"""The same for arrays of the standard library."""
_C_TYPES: Final = ("uint8_t *", "uint16_t *", "int32_t *", "int64_t *", "float *", "double *")
_DONE, _REFUSED, _PANICKED, _OUT_OF_MEMORY, _STOPPED = range(5)
"""What became of a call, as in `native/src/abi.rs`."""


Made = TypeVar("Made")
Class = TypeVar("Class")

_free: Final = partial(lib.dehusk_outcome_free)
"""Frees an outcome. Not a function of Python, which would take longer than to free."""
_free.library = lib  # type: ignore[attr-defined] # stays open: at exit an outcome may be the last to go, after this module


class Labelled(Protocol):
    """Something that has a name in messages. It is asked for where there is one: few pages need theirs."""

    @property
    def label(self) -> str:
        """The name."""


class Outcome:
    """What a call returned. Its memory is freed with it, or with the last of its arrays."""

    def __init__(self, summary: Any, subject: str | Labelled) -> None:
        self.pointer = ffi.gc(summary.outcome, _free)
        self.summary = summary
        """Single numbers, `first` to `fourth`, and the number of `parts`, among others: see `native/src/abi.rs`."""
        if summary.status != _DONE:
            raise _failure(self.pointer, summary.status, subject)

    def described(self, number: int) -> Any:
        """Where a column begins, and so on; of the first without another call."""
        return lib.dehusk_outcome_column(self.pointer, number) if number else self.summary.column

    def bytes(self, number: int) -> bytes:
        """A copy of a column of bytes."""
        column = self.described(number)
        return bytes(ffi.buffer(column.data, column.length)) if column.length else b""

    def columns(self, count: int) -> list[NDArray[Any]]:
        """The first columns of the result, as from `column`."""
        return [self.column(number) for number in range(count)]

    def text(self, number: int) -> str:
        """A column of UTF-8, decoded."""
        column = self.described(number) if number else self.summary.column
        return str(ffi.buffer(column.data, column.length), "utf-8") if column.length else ""

    def texts(self, number: int) -> list[str]:
        """The texts of a column that has a NUL after each."""
        return self.text(number).split("\0")[:-1]

    def length(self, number: int) -> int:
        """How many entries a column has."""
        return int(self.described(number).length)

    def entries(self, number: int) -> list[Any]:
        """A copy of a column of numbers."""
        column = self.described(number)
        return list(ffi.unpack(ffi.cast(_C_TYPES[column.kind], column.data), column.length)) if column.length else []

    def column(self, number: int) -> NDArray[Any]:
        """A column of the result, one-dimensional, read-only and not copied."""
        column = self.described(number)
        return np.asarray(_Lent(self, int(ffi.cast("uintptr_t", column.data)), column.length, _CODES[column.kind]))


def _failure(pointer: Any, status: int, subject: str | Labelled) -> Exception:
    """The error for a call that failed."""
    if status == _OUT_OF_MEMORY:
        return MemoryError()
    subject = subject if isinstance(subject, str) else subject.label
    message = lib.dehusk_outcome_message(pointer)
    cause = ffi.buffer(message.data, message.length)[:].decode("utf-8", "replace")
    if status == _STOPPED:
        return NativeError(subject, "the call was stopped", "clean the page again")
    return NativeError(subject, f"the compiled part failed ({cause})", "this is a bug: report it with the page")


class Part(Outcome):
    """A part of an outcome, whose memory it shares."""

    def __init__(self, whole: Outcome, number: int) -> None:
        self.whole: Final = whole
        self.summary = lib.dehusk_outcome_part(whole.pointer, number)
        self.pointer = self.summary.outcome


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


class Deferred(Generic[Made]):
    """A value that is made when it is first asked for."""

    def __init__(self, make: Callable[[], Made]) -> None:
        self.make = make

    def __reduce__(self) -> tuple[Any, ...]:
        """What is copied or pickled is the value: what makes it may be of this process."""
        return _itself, (self.make(),)


def made(value: Made | Deferred[Made]) -> Made:
    """A value that may be deferred."""
    return value.make() if isinstance(value, Deferred) else value


class LentColumn(Deferred["NDArray[Any]"]):
    """A column that is no array yet: calls take it as it is."""

    def __init__(self, owner: Outcome, number: int, *, seen_as: str = "") -> None:
        self.owner = owner
        self.number = number
        self._seen_as = seen_as

    def make(self) -> NDArray[Any]:
        """The column as an array: read-only, not copied, and of another type of the same size if that is given."""
        column = self.owner.column(self.number)
        return column.view(self._seen_as) if self._seen_as else column

    def tobytes(self) -> bytes:
        """A copy of a column of bytes or booleans."""
        return self.owner.bytes(self.number)


def _itself(value: Any) -> Any:
    return value


def with_deferred(*names: str) -> Callable[[type[Class]], type[Class]]:
    """Let some fields of a dataclass be given as a `Deferred`. Each is made when it is first asked for."""

    def decorate(decorated: type[Class]) -> type[Class]:
        for name in names:
            setattr(decorated, name, _DeferredField(name))
        return decorated

    return decorate


def as_given(instance: object, name: str) -> Any:
    """A field of such a dataclass as it is now: perhaps a `Deferred`, which is not made."""
    return vars(instance)[name]


class _DeferredField:
    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type) -> Any:
        if instance is None:
            raise AttributeError(self._name)
        value = vars(instance)[self._name]
        if isinstance(value, Deferred):
            value = vars(instance)[self._name] = value.make()
        return value

    def __set__(self, instance: object, value: Any) -> None:
        vars(instance)[self._name] = value


class HasColumns(Protocol):
    """What the compiled part keeps, and Python sees column by column."""

    @property
    def native(self) -> Outcome:
        """The owner of the columns."""


T = TypeVar("T", bound="np.generic")


class Column(Generic[T]):
    """A column of something the compiled part keeps: an attribute that becomes an array when it is first asked for."""

    def __init__(self, number: int, *, seen_as: str = "") -> None:
        self._number = number
        self._seen_as = seen_as
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
        column = LentColumn(instance.native, self._number, seen_as=self._seen_as).make()
        vars(instance)[self._name] = column
        return column


# By the type of entries, which a type checker cannot know from a number.


def column_of_bytes(number: int) -> Column[np.uint8]:
    """A column of uint8."""
    return Column(number)


def column_of_flags(number: int) -> Column[np.uint16]:
    """A column of uint16."""
    return Column(number)


def column_of_numbers(number: int) -> Column[np.int32]:
    """A column of int32."""
    return Column(number)


def column_of_booleans(number: int) -> Column[np.bool_]:
    """A column of booleans."""
    return Column(number, seen_as="bool")


class DescribedArray:
    """An array that is given to many calls, and described once. Nothing may write to it."""

    __slots__ = ("_given", "described")

    def __init__(self, given: NDArray[Any]) -> None:
        self._given = given
        self.described = _described(given)

    def __reduce__(self) -> tuple[Any, ...]:
        """What is copied or pickled is the array: where it lies is another place then."""
        return DescribedArray, (self._given,)

    def tobytes(self) -> bytes:
        """A copy."""
        return bytes(ffi.buffer(self.described[0]))


Lendable: TypeAlias = "NDArray[Any] | array[Any] | bytes | LentColumn | DescribedArray"
"""What a call can be given: an array of numpy or of the standard library, bytes, or a column of an earlier outcome."""


def call(function: Callable[..., Any], arrays: Sequence[Lendable], subject: str, *first: Any) -> Outcome:
    """Call a function with arrays, which it must not keep, after other arguments. Failures name the subject."""
    lent = LentArrays(arrays)
    return Outcome(summary_of(function, lent.size, *first, *lent.arguments), subject)


def call_about(page: Outcome, function: Callable[..., Any], subject: str | Labelled, *arguments: Any) -> Outcome:
    """Call a function that works on a page; what arrays refer to has to live as long. Failures name the subject."""
    return Outcome(summary_of(function, page.summary.fourth, *arguments), subject)


class LentArrays:
    """Arrays as calls take them: for one call, or for many if nothing writes to them."""

    __slots__ = ("_described", "arguments", "arrays")

    def __init__(self, arrays: Sequence[Lendable]) -> None:
        self.arrays = arrays
        self._described = [_described(given) for given in arrays]  # owns what calls read
        self.arguments: Final = (_new_arrays(self._described), len(self._described))
        """The last two arguments of a call."""

    @property
    def size(self) -> int:
        """How many entries they have, all together."""
        return sum(length for _, length, _ in self._described)


_new_arrays: Final = partial(ffi.new, ffi.typeof("Array[]"))


def _described(given: Lendable) -> tuple[Any, int, int]:
    """Where an array begins, how many entries it has, and the number of their type."""
    if isinstance(given, bytes):
        return ffi.from_buffer(given), len(given), 0
    if isinstance(given, DescribedArray):
        return given.described
    if isinstance(given, LentColumn):
        column = given.owner.described(given.number)
        return column.data, column.length, column.kind
    if isinstance(given, array):
        return ffi.from_buffer(given), len(given), _KINDS_OF_LISTS[given.typecode]
    return ffi.from_buffer(np.ascontiguousarray(given)), given.size, _KINDS[given.dtype.str]


def joined(parts: Sequence[bytes]) -> tuple[bytes, array[int]]:
    """Byte strings as one, and where each of them ends in it."""
    return b"".join(parts), array("q", accumulate(map(len, parts)))


def bytes_of(given: Lendable) -> bytes:
    """A copy of what could be lent."""
    return given if isinstance(given, bytes) else given.tobytes()
