"""What every sink is: a context that records are written to.

At the end of the context the file takes its name. If the context ends with an exception, nothing of it is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Protocol, Self, TypeAlias

from dehusk.outputs import OUTPUTS
from dehusk.workers.whole_files import digest_name, written_whole
from dehusk.workers.whole_files import output_errors as errors_in_writing

Record: TypeAlias = Mapping[str, object]
"""A page as `dehusk.outputs.page_records.record_of` describes it; sinks need `name`, `url` and `text` at least."""


class Sink(Protocol):
    """Takes records one by one."""

    def write(self, record: Record) -> None:
        """Take one record."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None: ...


@dataclass(frozen=True, slots=True)
class Content:
    """What kind of text the records hold."""

    media_type: str
    suffix: str


_MEDIA_TYPES: Final = {"text": "text/plain", "markdown": "text/markdown", "html": "text/html"}

CONTENTS: Final = {
    name: Content(f"{media_type}; charset=utf-8", OUTPUTS[name].suffix) for name, media_type in _MEDIA_TYPES.items()
}
"""By the names of `RecordOptions.content`."""


class FileSink:
    """A sink that is one file. Those that inherit from it say in `_open` what is to be closed at the end."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        with output_errors(self._target), ExitStack() as stack:
            self._target.parent.mkdir(parents=True, exist_ok=True)
            self._open(stack.enter_context(written_whole(self._target)), stack)
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        if kind is not None:
            return self._stack.__exit__(kind, error, trace)
        with output_errors(self._target), self._stack:
            self._finish()
        return None

    def _open(self, temporary: Path, stack: ExitStack) -> None:
        raise NotImplementedError

    def _finish(self) -> None:
        """Write what is still held back."""


def output_errors(target: Path) -> AbstractContextManager[None]:
    """As for the command line, which is not the only one that opens sinks."""
    return errors_in_writing(target, "choose another place to write to")


def text_of(record: Record, field: str) -> str:
    """A field as text, empty if there is none."""
    value = record.get(field)
    return "" if value is None else str(value)


def digest_of(record: Record) -> str:
    """A name for a page made of its address and its name in the source, as an archive may hold an address often."""
    return digest_name(text_of(record, "url"), text_of(record, "name"))
