"""A process that uses the counted library and says how work grows: other tests keep the ordinary library."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from counted_growth import WORKS, Growth, Work, growth_of_works
from repeated_markup import Repeated

DEPTH = 64
"""Levels of the tree of a page. Work may grow by one for each of them; at this depth, that ends soon."""


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

    def growth(self, markup: Repeated, what: str, repetitions: int) -> Growth:
        """How one of `WORKS` grows with the repetitions of markup."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([markup, what, repetitions]), file=self._process.stdin, flush=True)
        return Growth(*json.loads(self._process.stdout.readline()))


def _answer(requests: Iterable[str]) -> None:
    from counted_library import use_counted_library

    library = use_counted_library()
    for request in requests:
        markup, what, repetitions = json.loads(request)
        growth = growth_of_works(library, partial(_prepared, Repeated(*markup), what), repetitions)
        print(json.dumps(growth), flush=True)


def _prepared(markup: Repeated, what: str, repetitions: int) -> Work:
    return WORKS[what](markup.site(repetitions), DEPTH)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    _answer(sys.stdin)
