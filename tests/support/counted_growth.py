"""How work grows with a page: the works that are counted, and the exponents of what is counted.

Exponents are of growth from one size to twice and four times as much: 1 is work in step with the page, 2 its square.
"""

from __future__ import annotations

import contextlib
import gc
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import _lru_cache_wrapper, partial
from math import log2
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from counted_work import count_lines_of_functions

if TYPE_CHECKING:
    from counted_library import CountedLibrary

    import dehusk

Work = Callable[[], object]
Parts = Mapping[int | str, int]
"""Work by the function that does it: one of the compiled part by its number there, one of Python by its name."""

SIZES = (1, 2, 4)
URL = "https://a.example/2024/05/growth.html"

BLOCKS_OF_A_LINE = 20
"""A line of Python takes about as long as so many blocks of compiled code."""
LARGEST_EXPONENT = 1.1
"""Of all work together. What is sorted takes a little more than 1."""
LARGEST_EXPONENT_OF_A_PART = 1.5
"""Of what one function does. Its work may be little as yet, beside that of the network at every block; but if it grows
with the square of the page, it will not stay so."""
_SLACK = 1_000
_SLACK_OF_A_PART = 200
"""Blocks of code for each repetition that an exponent does not tell: what odd sizes, hash tables and limits cost."""

_PREPARING = 16
"""Repetitions of work that is done only so that nothing is done for the first time later."""
_MOST = 1_000_000_000
_TIMES = (1, 4, 16)
"""The smallest size times so much, where work does not grow in step."""


class Growth(NamedTuple):
    """How work grows."""

    exponent: float
    part_exponent: float
    """The exponent of the function whose work grows fastest."""
    part: str
    limit: float = LARGEST_EXPONENT

    @property
    def in_step(self) -> bool:
        """Whether it grows in step with the page."""
        return self.exponent <= self.limit and self.part_exponent <= LARGEST_EXPONENT_OF_A_PART


def growth_of(counts: Sequence[Parts], repetitions: int) -> Growth:
    """The growth of what was counted at three sizes, of which the first has so many repetitions."""
    slack = _SLACK_OF_A_PART * repetitions
    parts = {part: _exponent([each.get(part, 0) for each in counts], slack) for part in counts[-1]}
    part = max(parts, key=lambda part: parts[part], default="")
    exponent = _exponent([sum(each.values()) for each in counts], _SLACK * repetitions)
    return Growth(exponent, parts.get(part, 1.0), str(part))


def _exponent(counts: Sequence[int], slack: int) -> float:
    """Of differences, so that what every size takes does not hide how the rest grows."""
    first, second, third = counts
    return log2((max(third - second, 0) + 2 * slack) / (max(second - first, 0) + slack))


def growth_of_works(library: CountedLibrary, prepare: Callable[[int], Work], smallest: int) -> Growth:
    """How work grows with its size.

    Where a limit of the code is reached between two sizes, work grows faster once: growth shows at larger sizes, too.
    """
    attempt(prepare(min(smallest, _PREPARING)))  # whatever is imported or prepared once
    for times in _TIMES:
        growth = _growth_from(library, prepare, times * smallest)
        if growth.in_step:
            break
    named = growth.in_step or not growth.part.isdigit()  # to find a name takes longer than to count
    return growth if named else growth._replace(part=library.describe(int(growth.part)))


def _growth_from(library: CountedLibrary, prepare: Callable[[int], Work], smallest: int) -> Growth:
    prepared = [prepare(times * smallest) for times in SIZES]
    return growth_of([_count_parts(work, library) for work in prepared], smallest)


def _count_parts(work: Work, library: CountedLibrary) -> Parts:
    """What each function does of some work, in blocks of code, with nothing remembered of other pages."""
    _forget_pages()
    before = library.work_of_functions()
    lines = count_lines_of_functions(partial(attempt, work))
    done = (library.work_of_functions() - before).tolist()
    parts: Counter[int | str] = Counter({function: count for function, count in enumerate(done) if count})
    for code, count in lines.items():
        parts[f"{Path(code.co_filename).name}:{code.co_name}"] += BLOCKS_OF_A_LINE * count
    return parts


def _forget_pages() -> None:
    """Empty what is remembered of pages: the caches that are bounded. Those of models and tables are not."""
    for found in gc.get_objects():
        if isinstance(found, _lru_cache_wrapper) and found.cache_parameters()["maxsize"]:
            found.cache_clear()


def attempt(work: Work) -> None:
    """Do some work. Errors of dehusk are results, too."""
    from dehusk import DehuskError

    with contextlib.suppress(DehuskError):
        work()


def _limits(depth: int) -> dehusk.Limits:
    """Of depth alone: larger pages are refused, which is no growth."""
    import dehusk

    return dehusk.Limits(bytes=_MOST, tags=_MOST, nodes=_MOST, attributes=_MOST, depth=depth)


def _read(pages: Sequence[str], depth: int) -> list[dehusk.Page]:
    import dehusk

    return [dehusk.read_page(page, URL, limits=_limits(depth)) for page in pages]


def _reading(pages: Sequence[str], depth: int) -> Work:
    return lambda: _read(pages[:1], depth)


def _cleaning(pages: Sequence[str], depth: int) -> Work:
    import dehusk

    return lambda: dehusk.clean(pages[0], url=URL, limits=_limits(depth))


def _cleaning_learnt(pages: Sequence[str], depth: int) -> Work:
    import dehusk

    read = _read(pages, depth)
    model = dehusk.learn(read)
    return lambda: dehusk.clean(read[0], model)


def _rendering(name: str, pages: Sequence[str], depth: int) -> Work:
    """With all that is visible kept, so that there is work to do."""
    from keep_visible import KeepVisible

    import dehusk

    cleaned = dehusk.clean(_read(pages[:1], depth)[0], KeepVisible())
    cleaned.metadata  # noqa: B018 - found before work is counted
    return lambda: cleaned.render(name)


def _finding_metadata(pages: Sequence[str], depth: int) -> Work:
    import dehusk

    page = _read(pages[:1], depth)[0]
    return lambda: dehusk.find_metadata(page)


def _explaining(pages: Sequence[str], depth: int) -> Work:
    import dehusk

    cleaned = dehusk.clean(_read(pages[:1], depth)[0])
    return lambda: list(cleaned)


def _learning(method: str, pages: Sequence[str], depth: int) -> Work:
    import dehusk

    read = _read(pages, depth)
    return lambda: dehusk.learn(read, dehusk.METHODS[method]())  # type: ignore[arg-type]


OUTPUTS = ("text", "markdown", "html", "xml", "tei", "jsonl", "csv", "chunks", "json", "words", "cleaneval")
LEARNING = ("hybrid", "style-tree", "pagelet-templates", "structure-weights")

WORKS: dict[str, Callable[[Sequence[str], int], Work]] = {
    "read": _reading,
    "clean": _cleaning,
    "clean, learnt": _cleaning_learnt,
    **{name: partial(_rendering, name) for name in OUTPUTS},
    "metadata": _finding_metadata,
    "explain": _explaining,
    **{f"learn {name}": partial(_learning, name) for name in LEARNING},
}
"""Work by name, prepared by a call: of a page, or of several pages of its site, read with a limit on depth."""
