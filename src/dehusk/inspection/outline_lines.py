"""An outline: what is said about a model on top, and the lines of its listing.

Lines come in the order in which they are shown, each with its level: a tree, but one that no loop has to descend into,
however deep it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

_MOST_LABELS: Final = 5
"""Elements of a chain that are named; of longer ones the first and the last, which say most."""


class Mark(StrEnum):
    """What section 3.4 of Yi, Liu & Li (2003) makes of an element."""

    NOISY = "noisy"
    MEANINGFUL = "meaningful"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True)
class Line:
    """One place, several that look alike, or a chain of places each of which is all that the one before has."""

    level: int
    labels: tuple[str, ...]
    """Tag and classes, of every element of the chain."""
    count: int
    """Places that look alike and are in this line."""
    mark: Mark
    importance: tuple[float, float] | None
    """The smallest and the largest; None where a method knows no importance."""
    pages: tuple[int, int]
    """The fewest and the most."""
    samples: tuple[str, ...]
    hidden: int
    """Places in these that have no line of their own."""

    @property
    def places(self) -> int:
        """Places that the line stands for."""
        return self.count * len(self.labels)

    @property
    def chain(self) -> str:
        """`div.wrapper > div.row > div.cell`."""
        labels = self.labels
        if len(labels) > _MOST_LABELS:
            labels = (*labels[:2], f"({len(labels) - 4} more)", *labels[-2:])
        return " > ".join(labels)


@dataclass(frozen=True, slots=True)
class Outline:
    """All that is shown of a model."""

    title: str
    facts: tuple[tuple[str, str], ...]
    """(name, value): where it is from, how it was learnt, and what came of it."""
    lines: tuple[Line, ...]
    notes: tuple[str, ...]
    """What is not shown, and why."""


def value_range(values: tuple[float, float] | None) -> str:
    """`0.05`, `0.00–0.05`, or nothing."""
    if values is None:
        return ""
    low, high = (f"{value:.2f}" for value in values)
    return low if low == high else f"{low}–{high}"


def page_range(pages: tuple[int, int]) -> str:
    """`60`, or `3–60`."""
    low, high = pages
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"
