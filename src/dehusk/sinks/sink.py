"""What every sink is: a context that takes records.

A file gets its name at the end of the context. If the context ends with an exception, or a record could not be
written, nothing of the file is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeAlias

from dehusk.arguments import checked
from dehusk.outputs import OUTPUTS
from dehusk.workers.whole_files import digest_name, remedies, remove_incomplete, written_whole
from dehusk.workers.whole_files import output_errors as errors_in_writing

Record: TypeAlias = Mapping[str, object]
"""A page as `dehusk.outputs.page_records.record_of` describes it; sinks need `name`, `url` and `text` at least."""

Write: TypeAlias = Callable[[Record], object]
"""Writes one record."""


@dataclass(frozen=True, slots=True)
class Content:
    """What kind of text the records hold."""

    media_type: str
    suffix: str


_REMEDIES: Final = remedies("another place to write to")
_MEDIA_TYPES: Final = {"text": "text/plain", "markdown": "text/markdown", "html": "text/html"}

CONTENTS: Final = {
    name: Content(f"{media_type}; charset=utf-8", OUTPUTS[name].suffix) for name, media_type in _MEDIA_TYPES.items()
}
"""By the names of `RecordOptions.content`."""


class Sink:
    """Takes records one by one."""

    _write: Write

    def __init__(self, target: Path, opened: AbstractContextManager[Write]) -> None:
        self._target, self._opened = target, opened

    def __enter__(self) -> Self:
        with output_errors(self._target):
            self._write = self._opened.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        # After an error, closing what could not be written fails again: the first error is the one to raise.
        with suppress(OSError) if kind else output_errors(self._target):
            return self._opened.__exit__(kind, error, trace)
        return None

    @checked
    def write(self, record: Record) -> None:
        """Write one record, now or with those that follow."""
        with output_errors(self._target):
            self._write(record)


@contextmanager
def whole_file(target: Path, opener: Callable[[Path], AbstractContextManager[Write]]) -> Iterator[Write]:
    """What writes to a temporary file beside the target; its folder is made if need be.

    After a record that could not be written nothing more is, even if the caller goes on: half of it may be there.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    remove_incomplete(target.parent, target.name)
    failures: list[OSError] = []
    with written_whole(target) as temporary, opener(temporary) as write:

        def write_if_whole(record: Record) -> None:
            try:
                if not failures:
                    write(record)
            except OSError as error:
                failures.append(error)
            if failures:
                raise failures[0]

        yield write_if_whole
        if failures:
            raise failures[0]


def output_errors(target: Path) -> AbstractContextManager[None]:
    """Turn what the system refuses into an error that fits the library as well as the command line."""
    return errors_in_writing(target, _REMEDIES)


def text_of(record: Record, field: str) -> str:
    """A field as text; empty if it is missing."""
    value = record.get(field)
    return "" if value is None else str(value)


def digest_of(record: Record) -> str:
    """A name for a page from its URL and its name in the source: an archive may hold a URL several times."""
    return digest_name(text_of(record, "url"), text_of(record, "name"))
