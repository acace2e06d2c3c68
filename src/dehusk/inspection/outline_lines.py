"""An outline: facts about a model, and the lines of its listing.

Lines are in display order, each with its level: a tree without recursion, however deep it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

_MOST_LABELS: Final = 5
"""Elements of a chain that are named; of longer chains the first and last two."""


class Mark(StrEnum):
    """The kinds of elements in section 3.4 of Yi, Liu & Li (2003)."""

    NOISY = "noisy"
    MEANINGFUL = "meaningful"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True)
class Line:
    """A template position, several similar ones, or a chain in which each is the only child of the one before."""

    level: int
    labels: tuple[str, ...]
    """Tag and classes of every element in the chain."""
    count: int
    """Similar template positions in this line."""
    mark: Mark
    importance: tuple[float, float] | None
    """(smallest, largest); None for methods without importance."""
    pages: tuple[int, int]
    """(fewest, most)."""
    samples: tuple[str, ...]
    hidden: int
    """Template positions inside these that have no line of their own."""

    @property
    def positions(self) -> int:
        """The number of template positions in the line."""
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
    """Everything that is shown about a model."""

    title: str
    facts: tuple[tuple[str, str], ...]
    """(name, value): the model's origin, settings and results."""
    lines: tuple[Line, ...]
    notes: tuple[str, ...]
    """What is not shown, and why."""


def value_range(values: tuple[float, float] | None) -> str:
    """`0.05`, `0.00–0.05`, or an empty string."""
    if values is None:
        return ""
    low, high = (f"{value:.2f}" for value in values)
    return low if low == high else f"{low}–{high}"


def page_range(pages: tuple[int, int]) -> str:
    """`60`, or `3–60`."""
    low, high = pages
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"
