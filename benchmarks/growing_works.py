"""Works beside cleaning that hostile input could make slow, each of any size: for `growth.py`."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

Work = Callable[[], object]


def _aligning(first: Callable[[int], list[str]], second: Callable[[int], list[str]], size: int) -> Work:
    from dehusk.lab.gold.gold_alignment import align_text  # here and below: growth.py chooses a library first

    runs, gold = first(size), " ".join(second(size))
    return lambda: align_text(runs, gold)


def _scoring(size: int) -> Work:
    from dehusk.lab.evaluation.cleaneval_score import score_segments
    from dehusk.lab.gold.gold_alignment import Segment
    from dehusk.methods.sequence_labels.text_runs import RunLabel

    chance = random.Random(0)
    texts = [
        [Segment(RunLabel.PARAGRAPH, " ".join(chance.choices("abcde", k=10))) for _ in range(size // 16)] for _ in "12"
    ]
    return lambda: score_segments(*texts)


def _reading_sitemap(text: str, size: int) -> Work:
    from dehusk.sites.sitemaps import locations

    whole = text * size
    return lambda: locations(whole)


def _reading_robots(size: int) -> Work:
    from dehusk.sites.robots import Rules, parse

    text = "User-agent: *\n" + "Disallow: /a*a*a*a*a*b$\n" * (size // 8)
    return lambda: Rules(parse(text)).allow("https://a.example/" + "a" * 1000)


def _sending(size: int) -> Work:
    from dehusk.workers.worker_process import Worker, WorkerLimits

    def work() -> None:
        with Worker(WorkerLimits(seconds=60)) as worker:
            for _ in range(size // 200):
                worker.run(len, b"x" * 100_000, "page")

    return work


GROWING_WORKS: dict[str, Callable[[int], Work]] = {
    "align: one word": partial(_aligning, lambda size: ["a"] * size, lambda size: ["a"] * size),
    "align: periods": partial(_aligning, lambda size: ["a", "b"] * (size // 2), lambda size: list("abc") * (size // 3)),
    "align: turned round": partial(
        _aligning,
        lambda size: [f"u{number}" for number in range(size)],
        lambda size: [f"u{number}" for number in reversed(range(size))],
    ),
    "CleanEval score": _scoring,
    "sitemap: <loc>": partial(_reading_sitemap, "<loc>"),
    "sitemap: blanks": partial(_reading_sitemap, "<loc>" + " " * 100),
    "sitemap: CDATA": partial(_reading_sitemap, "<loc><![CDATA["),
    "sitemap: names": partial(_reading_sitemap, "<a:"),
    "robots.txt: stars": _reading_robots,
    "pages sent to a worker": _sending,
}
"""Work by name, prepared by a call with a size."""
