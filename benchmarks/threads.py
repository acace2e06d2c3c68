"""How far `dehusk.clean_many` scales, and what keeps it from scaling further.

    python benchmarks/threads.py [--threads 2] [--pages 300]

Pages of `$DEHUSK_DATA` are cleaned to text. First on one thread, with the processor time inside of the compiled part
counted apart: there the interpreter lock is free, and everything else is done by one thread at a time. So the share
outside bounds the speed-up (Amdahl). Then by `clean_many` on one thread and on several, in turns, by the clock: run
nothing else meanwhile.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

from labelled_pages import gold_corpora, positive, run

from dehusk.native import library

ROUNDS = 3
"""The best of these counts."""


class TimedLibrary:
    """The compiled part, with the processor time of this thread inside of it added up."""

    def __init__(self, lib: Any) -> None:
        self._lib = lib
        self.seconds = 0.0

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = getattr(self._lib, name)

        def timed(*arguments: Any) -> Any:
            begun = time.thread_time()
            result = function(*arguments)
            self.seconds += time.thread_time() - begun
            return result

        setattr(self, name, timed)
        return timed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=positive, default=2)
    parser.add_argument("--pages", type=positive, default=300)
    arguments = parser.parse_args()
    timed = library.lib = TimedLibrary(library.lib)  # before any module takes it from there
    pages = some_pages(arguments.pages)
    outside, total = locked_share(pages, timed)
    bound = 1 / (outside / total + (1 - outside / total) / arguments.threads)
    print(f"{len(pages)} pages, {total / len(pages) * 1000:.2f} ms of processor time each, {outside / total:.0%} of it")
    print(f"outside of the compiled part: at most {bound:.2f} times as fast on {arguments.threads} threads")
    one, several = seconds_on_threads(pages, 1), seconds_on_threads(pages, arguments.threads)
    print(f"by the clock: {one / several:.2f} times as fast ({one:.2f} s, {several:.2f} s)")
    return 0


def some_pages(most: int) -> list[bytes]:
    """As many pages of each data set."""
    corpora = gold_corpora([])
    each = -(-most // len(corpora))
    return [page.raw.body for corpus in corpora for page, _ in zip(corpus, range(each), strict=False)][:most]


def locked_share(pages: list[bytes], timed: TimedLibrary) -> tuple[float, float]:
    """Seconds of processor time outside of the compiled part, and in all, on one thread."""
    rounds = []
    for _ in range(ROUNDS + 1):  # the first loads everything
        timed.seconds, begun = 0.0, time.thread_time()
        clean_all(pages, 1)
        total = time.thread_time() - begun
        rounds.append((total - timed.seconds, total))
    return min(rounds[1:], key=lambda found: found[1])


def seconds_on_threads(pages: list[bytes], threads: int) -> float:
    """Seconds by the clock, the best of some rounds."""
    found = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        clean_all(pages, threads)
        found.append(time.perf_counter() - begun)
    return min(found)


def clean_all(pages: list[bytes], threads: int) -> None:
    """Clean pages to text; those that cannot be cleaned are passed over."""
    from dehusk.cleaning import CleanedPage, clean_many  # here: they take the compiled part when they are imported

    for cleaned in clean_many(pages, threads=threads):
        if isinstance(cleaned, CleanedPage):
            assert cleaned.text is not None


if __name__ == "__main__":
    run(main)
