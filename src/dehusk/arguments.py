"""Check what callers pass to public functions and classes, against the types that their parameters are annotated with.

    >>> import dehusk
    >>> dehusk.RawPage(b"<p>Tea.", None)
    Traceback (most recent call last):
    dehusk.errors.WrongType: RawPage: url must be str, not None; see help(dehusk.RawPage)

Public functions and classes carry `@checked`, and what they call relies on it. Checked is what a caller gets wrong:
None, another type, a string for a list of strings. What numbers and names mean is judged by whoever uses them, and
streams (`Iterable`) item by item, by `each`: they may be endless.

An annotation is looked up when an argument is first compared with it. Types that were accepted are remembered, so that
a call takes less than a microsecond more.
"""

from __future__ import annotations

import builtins
import os
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import wraps
from importlib import import_module
from typing import Any, Final, TypeAlias, TypeVar, Union, get_args, get_origin

from dehusk.errors import WrongType

Public = TypeVar("Public", bound=Callable[..., Any])
Item = TypeVar("Item")
Test: TypeAlias = Callable[[Any], bool]

_TEXTS: Final = (str, bytes, bytearray)
"""Types that can be iterated, and never hold the items that a parameter is for."""
_LIKE: Final = {int: "__index__", float: "__float__"}
"""Type -> a method of what passes for it: numbers of numpy, and whole numbers for others."""
_BOOLEANS: Final = frozenset({"bool", "bool_"})
"""Names of the type of numpy's booleans."""
_ROWS: Final = (tuple, list)
"""Lists pass for tuples: what was JSON is one."""
_BYTES: Final = (bytes, bytearray, memoryview)


def checked(public: Public) -> Public:
    """A function, or a class, that refuses arguments of other types than its annotations name."""
    return checked_but()(public)


def checked_but(*judged: str) -> Callable[[Public], Public]:
    """The same, but for parameters that the function judges by itself."""

    def decorate(public: Public) -> Public:
        if isinstance(public, type):
            made = vars(public)["__init__"]  # its own: each class is checked for itself
            public.__init__ = _checked_call(made, public.__qualname__, judged)  # type: ignore[misc]
            return public
        call: Public = _checked_call(public, public.__qualname__, judged)
        return call

    return decorate


def each(items: Iterable[Item], kind: type, name: str) -> Iterator[Item]:
    """The items of an argument, each of which must be of this type."""
    for item in items:
        if not isinstance(item, kind):
            raise WrongType(name, f"{_type_of(item)} among them; all must be {kind.__name__}", "leave it out")
        yield item


def _checked_call(function: Any, called: str, judged: Collection[str]) -> Any:
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    known = {name: _Parameter(function, called, name) for name in names if name not in judged}
    positional = [known.get(name) for name in names[: code.co_argcount]]

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        for value, parameter in zip(given, positional, strict=False):  # too many are refused by the call
            if parameter is not None and type(value) not in parameter.accepted:
                parameter.check(value)
        for name, value in named.items():
            parameter = known.get(name)
            if parameter is not None and type(value) not in parameter.accepted:
                parameter.check(value)
        return function(*given, **named)

    return call


class _Parameter:
    """A parameter, and the types whose values need no further look."""

    __slots__ = ("_called", "_function", "_name", "_test", "accepted")

    def __init__(self, function: Any, called: str, name: str) -> None:
        self._function, self._called, self._name = function, called, name
        self._test: Test | None = None
        self.accepted: set[type] = set()

    def check(self, value: object) -> None:
        if self._test is None:
            self._test = _test_of(self._kind)
        if not self._test(value):
            cause = f"{self._name} must be {_described(self._kind)}, not {_type_of(value)}"
            wants_list = isinstance(value, _TEXTS) and self._test([value])
            raise WrongType(
                self._called, cause, "put it in a list" if wants_list else f"see help(dehusk.{self._called})"
            )
        # Of an iterable the next may hold anything, and of whole numbers only two are booleans.
        if not isinstance(value, Iterable | int) or isinstance(value, (*_TEXTS, bool)):
            self.accepted.add(type(value))

    @property
    def _kind(self) -> Any:
        """The type that it is annotated with."""
        return _meaning(self._function.__annotations__.get(self._name), self._function.__globals__)


class _Names(dict[str, Any]):
    """The names that an annotation is made of: those of its module, and what it imports for type checkers alone, which
    are public names and other libraries."""

    def __missing__(self, name: str) -> Any:
        import dehusk

        if name in dir(dehusk):
            return getattr(dehusk, name)
        with suppress(ImportError):
            return import_module(name)
        return Any


def _meaning(annotation: str | None, module: Mapping[str, Any]) -> Any:
    """The type that an annotation stands for; Any if that is not known at run time."""
    if annotation is None:  # of `self`
        return Any
    try:
        return eval(annotation, {}, _Names({**vars(builtins), **module}))
    except (AttributeError, TypeError):  # of a library that is not installed
        return Any


def _parts(kind: Any) -> tuple[Any, ...]:
    """The types of which a value may be any one."""
    return get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)


def _test_of(kind: Any) -> Test:
    """What tells whether a value is of this type. Made once: values with many items, such as headers, come by the
    thousand."""
    tests = tuple(map(_test_of_one, _parts(kind)))
    return tests[0] if len(tests) == 1 else lambda value: any(test(value) for test in tests)


def _test_of_one(kind: Any) -> Test:
    origin, arguments = get_origin(kind), get_args(kind)
    if kind in (Any, object) or isinstance(kind, TypeVar | str):
        return lambda value: True
    if origin is None:
        return _test_of_class(kind)
    if origin is Callable:
        return callable
    if origin is tuple:
        return _test_of_tuple(arguments)
    if issubclass(origin, Collection) and not issubclass(origin, Mapping):
        item = _test_of(arguments[0])
        return lambda value: isinstance(value, origin) and not isinstance(value, _TEXTS) and all(map(item, value))
    # Neither the items of streams, which are read once, nor those of mappings.
    return lambda value: isinstance(value, origin) and not isinstance(value, _TEXTS)


def _test_of_tuple(arguments: tuple[Any, ...]) -> Test:
    tests = tuple(_test_of(one) for one in arguments if one is not ...)
    if arguments[1:] == (...,):
        return lambda value: isinstance(value, _ROWS) and all(map(tests[0], value))
    number = len(tests)
    return lambda value: isinstance(value, _ROWS) and len(value) == number and all(map(_pass, tests, value))


def _pass(test: Test, value: object) -> bool:
    return test(value)


def _test_of_class(kind: Any) -> Test:
    if kind in (None, type(None)):
        return lambda value: value is None
    if kind is bool:
        return lambda value: (isinstance(value, int) and value in (0, 1)) or type(value).__name__ in _BOOLEANS
    if kind in _LIKE:
        return lambda value: hasattr(type(value), _LIKE[kind])
    if getattr(kind, "_is_protocol", False):
        members = tuple(_members(kind))
        return lambda value: not isinstance(value, type) and all(_has(value, name) for name in members)
    # Of an enumeration of names any name: which there are is judged by whoever takes one.
    accepted = _BYTES if kind is bytes else str if issubclass(kind, str) else kind
    return lambda value: isinstance(value, accepted)


def _has(value: object, name: str) -> bool:
    return hasattr(type(value), name) or hasattr(value, name)  # in this order: a property may take long to compute


def _members(protocol: type) -> Iterator[str]:
    for parent in protocol.__mro__:
        if getattr(parent, "_is_protocol", False):
            names = (*vars(parent), *vars(parent).get("__annotations__", ()))
            yield from (name for name in names if not name.startswith("_"))


_DESCRIBED: Final = {
    Callable: "a function",
    Mapping: "a mapping",
    os.PathLike: "a path",
}


def _described(kind: Any) -> str:
    """A type in words."""
    *others, last = [_in_words(part) for part in _parts(kind)]
    return f"{', '.join(others)} or {last}" if others else last


def _in_words(kind: Any) -> str:
    origin = get_origin(kind) or kind
    if kind in (None, type(None)):
        return "None"
    if origin in _DESCRIBED:
        return _DESCRIBED[origin]
    if get_args(kind) and issubclass(origin, Iterable):
        inside = [one for one in get_args(kind) if one is not ...]
        items = " and ".join(map(_described, inside))
        return f"{'an iterable' if origin is Iterable else 'a list'} of {items}"
    return str(getattr(origin, "__name__", origin))


def _type_of(value: object) -> str:
    if value is None:
        return "None"
    if isinstance(value, list | tuple | set | frozenset) and value:
        return f"a {type(value).__name__} of {', '.join(sorted({_type_of(one) for one in value}))}"
    return type(value).__name__
