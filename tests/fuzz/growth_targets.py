"""A target that looks for markup whose work grows faster than the page: constructs that repeat, in new combinations."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache
from pathlib import Path

from counted_growth import WORKS
from counting_process import CountingProcess
from mutations import Chance, mutate_html
from page_targets import pick
from repeated_markup import REPEATED, Repeated, fragment

LARGEST_MARKUP = 1_500
"""Bytes of an input: some ten constructs."""
_PAGE = 8_000
"""Bytes of the smallest page; the largest has four times as many."""
_FEWEST = 16
"""Repetitions on it, at least."""
_BEHAVIOUR = 0.25
"""Exponents that differ less are the same behaviour."""
_PLAIN = 0.3
"""How often the markup itself is changed, and not only combined."""
_BETWEEN = "\f"
"""What stands between the start and the units of an input."""


def seeds() -> Sequence[bytes]:
    """Each construct by itself."""
    return [_written(markup) for markup in REPEATED.values()]


def growing(data: bytes, folder: Path) -> Hashable:
    """Every work grows in step with the page; the input decides which one is counted besides cleaning."""
    markup = _read(data)
    if markup is None:
        return None
    repetitions = max(_FEWEST, markup.repetitions(_PAGE))
    chosen = list(WORKS)[pick(data, len(WORKS))]
    growths = {work: _process().growth(markup, work, repetitions) for work in {"clean", chosen}}
    for work, growth in growths.items():
        assert growth.in_step, f"{work} grows faster than the page: {growth.part or growth.exponent}"
    return tuple((work, growth.part, growth.part_exponent // _BEHAVIOUR) for work, growth in growths.items())


@cache
def _process() -> CountingProcess:
    return CountingProcess().__enter__()  # it ends with this process, which closes its input


def _written(markup: Repeated) -> bytes:
    return _BETWEEN.join((markup.start, *markup.units)).encode("utf-8", "replace")


def _read(data: bytes) -> Repeated | None:
    """The markup that an input stands for, if it has any."""
    start, *units = data[:LARGEST_MARKUP].decode("utf-8", "replace").split(_BETWEEN)
    units = [unit for unit in units if unit]
    return Repeated(tuple(units), start) if units else None


def mutate_markup(data: bytes, chance: Chance) -> bytes:
    """The markup combined with other markup: nested, one after the other, or in turn; or with changes of its own."""
    if chance.random.random() < _PLAIN:
        return mutate_html(data, chance)[:LARGEST_MARKUP]
    first, second = _read(data), _read(chance.random.choice(chance.others))
    if first is None or second is None:
        return chance.random.choice(chance.others)
    if chance.random.random() < 1 / 2:
        first, second = second, first
    return _written(chance.random.choice(_COMBINATIONS)(first, second))[:LARGEST_MARKUP]


def _nested(outer: Repeated, inner: Repeated) -> Repeated:
    """Each unit with those of another where its text would be; or after it, if it has none."""
    within = "".join(inner.units)
    units = (unit.replace("~", within, 1) if "~" in unit else unit + within for unit in outer.units)
    return Repeated(tuple(units), outer.start + inner.start)


def _within(outer: Repeated, inner: Repeated) -> Repeated:
    """All repetitions in one unit of another, which stays open."""
    return Repeated(inner.units, outer.start + fragment(outer.units[0].partition("~")[0], 0) + inner.start)


def _one_after_the_other(first: Repeated, second: Repeated) -> Repeated:
    return Repeated((*first.units, *second.units), first.start + second.start)


def _in_turn(first: Repeated, second: Repeated) -> Repeated:
    return Repeated(("".join((*first.units, *second.units)),), first.start + second.start)


_COMBINATIONS = (_nested, _within, _one_after_the_other, _in_turn)
