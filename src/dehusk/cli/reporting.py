"""Output of commands: progress and summaries on standard error, results on standard output, exit codes."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn, TypeVar

from dehusk.errors import DehuskError, OutputError
from dehusk.workers.whole_files import (
    ANOTHER_OUTPUT,
    Remedies,
    cause_of,
    output_errors,
    remedies,
    remedy_of,
    written_whole,
)

# Rich is imported when there is something to show: cleaning one page writes only the result.
if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from dehusk.lab.evaluation.report_parts import TextTable

Item = TypeVar("Item")

SOME_FAILED: Final = 1
"""Some pages could not be cleaned; the rest were."""
USAGE: Final = 2
"""Nothing could be done: wrong arguments, no pages, unreadable input. (Also what typer itself uses.)"""
FLOORS_BROKEN: Final = 3
"""Quality fell below a pinned floor."""
INTERRUPTED: Final = 130
TERMINATED: Final = 143
"""By SIGTERM. Both follow the shells' convention: 128 plus the number of the signal."""

_ANOTHER_PLACE: Final = remedies("another place to write to")
_WIDE: Final = 100
"""Columns of a screen from which on tables have blanks around their cells."""
_WIDTH_OF_PIPES: Final = 160
"""Columns of tables that go to a file or a pipe: the widest one, of all cleaners, fits."""
_MOST_SHOWN: Final = 20
"""Messages of a kind that are listed; the others are counted."""


def errors() -> Console:
    """Standard error, with colours where it is a terminal."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def tell(message: str) -> None:
    """Print a line on standard error, as it is."""
    errors().print(message, markup=False, soft_wrap=True)


def warn(message: str, style: str = "yellow") -> None:
    """Print a warning and go on."""
    from rich.text import Text

    errors().print(Text(f"dehusk: {printable(message)}", style=style), soft_wrap=True)


def fail(message: str, code: int = USAGE) -> NoReturn:
    """Print an error and exit."""
    warn(message, style="red")
    raise SystemExit(code)


@contextmanager
def errors_reported() -> Iterator[None]:
    """Exit with dehusk's own errors as messages, without a traceback."""
    try:
        yield
    except DehuskError as error:
        fail(str(error))


def printable(text: str) -> str:
    """Text without terminal escapes: control characters become U+FFFD."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text)


def counted(number: int, noun: str) -> str:
    """A number with its noun, in the plural unless it is one."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def write_out(text: str) -> None:
    """Write a result to standard output as UTF-8, whatever the locale."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise  # the reader has enough, which is no error
    except OSError as error:
        discard_output()
        raise OutputError("standard output", cause_of(error), remedy_of(error, _ANOTHER_PLACE)) from error


def discard_output() -> None:
    """Keep Python from reporting at exit that buffered output could not be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_whole(path: str, text: str, remedies: Remedies = ANOTHER_OUTPUT) -> None:
    """Write text as UTF-8, completely or not at all; creates the folder if needed."""
    write_parts(path, [text], remedies)


def write_json(path: Path | None, document: object) -> None:
    """Write a document as JSON to the file that was asked for, if any."""
    import json

    if path is not None:
        write_whole(str(path), json.dumps(document, indent=1) + "\n")


def show_tables(tables: Iterable[TextTable], remark: str = "") -> None:
    """Print tables on standard output, and a remark below them."""
    from rich.console import Console
    from rich.text import Text

    from dehusk.lab.evaluation.report_parts import terminal_table

    # Files and pipes have no width, so nothing is cut off there.
    console = Console(highlight=False, width=None if sys.stdout.isatty() else _WIDTH_OF_PIPES)
    for table in tables:
        console.print(terminal_table(table))
    if remark:
        console.print(Text(remark, style="dim"))


def write_parts(path: str, parts: Iterable[str], remedies: Remedies = ANOTHER_OUTPUT) -> int:
    """Write text like `write_whole`, part by part; returns the size in bytes."""
    target = Path(path)
    with output_errors(path, remedies):
        target.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(target) as temporary, temporary.open("wb") as stream:
            return sum(stream.write(part.encode("utf-8", "replace")) for part in parts)


def tracked(items: Iterable[Item], total: int | None, what: str = "cleaning") -> Iterator[Item]:
    """The items, with a progress bar on standard error if that is a terminal; `total` is None if unknown."""
    if not sys.stderr.isatty():
        yield from items
        return
    with progress_bars() as bars:
        yield from bars.track(items, total=total, description=what)


def progress_bars() -> Progress:
    """Progress bars on standard error, shown only if that is a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=errors(), transient=True, disable=not sys.stderr.isatty())


@contextmanager
def progress_of(total: int | None, what: str) -> Iterator[Callable[[], None]]:
    """A progress bar for work that reports each step by a call."""
    with progress_bars() as bars:
        task = bars.add_task(what, total=total)
        yield lambda: bars.advance(task)


@dataclass(frozen=True, slots=True)
class FileCleaned:
    """The result for one file. Sizes are in bytes."""

    name: str
    size_before: int = 0
    size_after: int = 0
    seconds: float = 0.0
    text: str = ""
    failure: str = ""
    ends_run: bool = False
    """Whether no other page can be written either: the disk is full, say."""
    skipped: str = ""
    """Why the file was skipped, which is no failure."""
    strange: str = ""
    """A warning if the page does not seem to belong to the model's site."""
    visible: int = 0
    """Characters of visible text."""
    kept: int = 0
    """Characters of kept text: output is not compared with html, which is mostly markup."""
    dropped: str = ""
    """Why a filter left the page out, which is no failure."""
    target: str = ""
    """The file for the text; written already, unless there is a text."""
    signature: bytes = b""
    """If the page is to be compared with others; then its text is not written yet."""


@dataclass
class Messages:
    """A count of messages, and the text of the first ones."""

    first: list[str] = field(default_factory=list)
    count: int = 0

    def add(self, message: str) -> None:
        self.count += 1
        if self.count <= _MOST_SHOWN:
            self.first.append(message)

    def lines(self) -> list[str]:
        more = self.count - len(self.first)
        return [*self.first, *([f"and {more:,} more"] if more else [])]


@dataclass
class Summary:
    """The totals of a run: pages, bytes read and written, characters shown and kept, failures."""

    failures: Messages = field(default_factory=Messages)
    strange: Messages = field(default_factory=Messages)
    """Warnings about pages that do not seem to belong to the model's site."""
    nothing_there: Messages = field(default_factory=Messages)
    """Input that was skipped because it is empty or not HTML."""
    skipped: int = 0
    """Pages whose result already existed."""
    dropped: Counter[str] = field(default_factory=Counter)
    """Pages that filters left out, by reason."""
    pages: int = 0
    size_before: int = 0
    size_after: int = 0
    visible: int = 0
    kept: int = 0

    def add(self, result: FileCleaned) -> None:
        if result.failure:
            self.failures.add(result.failure)
        elif result.skipped:
            self.nothing_there.add(result.skipped)
        elif result.dropped:
            self.dropped[result.dropped] += 1
        else:
            if result.strange:
                self.strange.add(result.strange)
            self.pages += 1
            self.size_before += result.size_before
            self.size_after += result.size_after
            self.visible += result.visible
            self.kept += result.kept

    def show(self, seconds: float | None, failed: int | None = None, pages_now: int | None = None) -> None:
        """Print the summary table.

        `failed` overrides the number of failures where they are not listed here; `pages_now` is the number of pages
        cleaned in these seconds, if others were done before. Without seconds no speed is shown.
        """
        from rich.table import Table

        timed = self.pages if pages_now is None else pages_now
        console = errors()
        # On a narrow screen without blanks, so that no heading collapses.
        table = Table(show_header=True, header_style="bold", padding=(0, int(console.width >= _WIDE)))
        row = {
            "pages": f"{self.pages:,}",
            "bytes before": f"{self.size_before:,}",
            "bytes after": f"{self.size_after:,}",
            **({"text removed": f"{1 - self.kept / self.visible:.1%}"} if self.visible else {}),
            "seconds": "-" if seconds is None else f"{seconds:.1f}",
            "pages/s": f"{timed / seconds:,.0f}" if seconds else "-",
            "failures": f"{self.failures.count if failed is None else failed:,}",
        }
        if self.dropped:
            row["dropped"] = f"{self.dropped.total():,}"
        if self.nothing_there.count:
            row["skipped"] = f"{self.nothing_there.count:,}"
        if self.skipped:
            row["already there"] = f"{self.skipped:,}"
        for heading in row:
            table.add_column(heading, justify="right", min_width=max(map(len, heading.split())))
        table.add_row(*row.values())
        console.print(table)
        if self.dropped:
            tell(self._balance(self.failures.count if failed is None else failed))
        if self.failures.count > 1:
            warn("\n  ".join(["not cleaned:", *self.failures.lines()]))
        if self.strange.count:
            warn("\n  ".join(["cleaned with doubts:", *self.strange.lines()]))

    def _balance(self, failed: int) -> str:
        """What was dropped and why, and that nothing is missing: read = written + dropped + failed + skipped."""
        reasons = ", ".join(f"{pages:,} {reason}" for reason, pages in sorted(self.dropped.items()))
        parts = {
            "written": self.pages,
            "dropped": self.dropped.total(),
            "failed": failed,
            "skipped": self.nothing_there.count,
        }
        read = sum(parts.values())
        return f"dropped: {reasons}\nread {read:,} = {' + '.join(f'{pages:,} {name}' for name, pages in parts.items())}"
