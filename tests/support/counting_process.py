"""A process that uses the counted library and says how much work pages take: other tests keep the ordinary library."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

Work = Callable[[], object]


class Counts(NamedTuple):
    """Work: lines of Python that ran, and what the compiled part counted."""

    lines: int
    native: int


class CountingProcess:
    """The process, from `with`."""

    def __enter__(self) -> Self:
        command = [sys.executable, __file__]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def count(self, html: str, what: str) -> Counts:
        """How much work it is to clean a page (`clean`), or to render one in a format, with all visible blocks kept."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([html, what]), file=self._process.stdin, flush=True)
        return Counts(*json.loads(self._process.stdout.readline()))


def _prepared(html: str, what: str) -> Work:
    """What is to be counted, with all done before that is not."""
    from keep_visible import clean_visible

    import dehusk

    if what == "clean":
        return lambda: dehusk.clean(html, url="https://a.example/")
    page = clean_visible(html)
    page.metadata  # noqa: B018 - found before work is counted
    return lambda: page.render(what)


def _answer(requests: Iterable[str]) -> None:
    from counted_library import use_counted_library
    from counted_work import count_lines

    native_work = use_counted_library()
    for request in requests:
        html, what = json.loads(request)
        _prepared("<p>text", what)()  # whatever is imported or prepared once
        work = _prepared(html, what)
        before = native_work()
        lines = count_lines(work)
        print(json.dumps([lines, native_work() - before]), flush=True)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    _answer(sys.stdin)
