"""Quality floors: the F1 that a method is known to reach, pinned in the repository with the digest of the corpus.

A floor holds for exactly the file it was measured on: for all its pages, or for those of one page type (`type:forum`)
or one language (`language:de`), because a mean over all pages hides that forums got worse while articles got better.
`dehusk evaluate gold ... --write-floors` raises floors and never lowers them; lowering one is a manual edit that a
reviewer sees.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from statistics import fmean
from typing import Final

from dehusk.errors import GoldError
from dehusk.lab.evaluation.tool_comparison import Comparison

LEAST_PAGES: Final = 20
"""Fewest pages of a part with a floor of its own: the mean over fewer moves with every change."""
TOLERANCE = 0.0005
"""Scores are exact on one machine; this allows for the last digit only."""


@dataclass(frozen=True, slots=True)
class Floor:
    """The F1 of a method on a corpus or a part of it."""

    method: str
    corpus: str
    digest: str
    pages: int
    f1: float
    part: str = ""
    """Empty for all pages, or one of `part_names`."""

    @property
    def key(self) -> tuple[str, str, str]:
        """Identifies a floor."""
        return self.method, self.corpus, self.part

    @property
    def subject(self) -> str:
        """Its name in messages."""
        return f"{self.method} on {self.corpus}" + (f" ({self.part})" if self.part else "")


def load_floors() -> list[Floor]:
    """The floors of this version."""
    text = files("dehusk.lab.evaluation").joinpath("floors.json").read_text("utf-8")
    return [Floor(**entry) for entry in json.loads(text)]


def part_names(page_type: str, language: str) -> list[str]:
    """The parts of a corpus that a page belongs to; the first is the whole corpus."""
    return ["", *([f"type:{page_type}"] if page_type else []), *([f"language:{language}"] if language else [])]


def find_floor(floors: Iterable[Floor], method: str, corpus: str, part: str = "") -> Floor | None:
    """The floor of a method on a corpus or a part of it, if one is pinned."""
    return next((floor for floor in floors if floor.key == (method, corpus, part)), None)


def reached_floors(comparison: Comparison, methods: Iterable[str], digests: Mapping[str, str]) -> list[Floor]:
    """What methods reached on each data set and each part of it; `digests` has the digest of each data set."""
    members: dict[tuple[str, str], list[int]] = {}
    for number, page in enumerate(comparison.pages):
        for part in part_names(page.page_type, page.language):
            members.setdefault((page.corpus, part), []).append(number)
    return [
        Floor(method, corpus, digests[corpus], len(numbers), _mean_f1(comparison, method, numbers), part)
        for method in methods
        for (corpus, part), numbers in members.items()
    ]


def _mean_f1(comparison: Comparison, method: str, numbers: Iterable[int]) -> float:
    return fmean(comparison.scores[method][number].words.f1 for number in numbers)


def worth_pinning(reached: Iterable[Floor]) -> list[Floor]:
    """All floors except those of small parts."""
    return [floor for floor in reached if not floor.part or floor.pages >= LEAST_PAGES]


def check_floor(floor: Floor, reached: Floor) -> None:
    """Raise if the floor does not hold, or was measured on other pages."""
    if (floor.digest, floor.pages) != (reached.digest, reached.pages):
        cause = "the corpus is not the one the floor was measured on"
        raise GoldError(reached.subject, cause, "measure again: --write-floors")
    if reached.f1 < floor.f1 - TOLERANCE:
        cause = f"F1 {reached.f1:.4f} is below the floor of {floor.f1:.4f}"
        raise GoldError(reached.subject, cause, "find the regression; floors are not lowered silently")


def raise_floors(floors: Iterable[Floor], reached: Iterable[Floor]) -> list[Floor]:
    """Replace the floors that were exceeded or whose corpus changed; none gets lower on the same corpus."""
    measured = list(reached)
    digests = {(new.method, new.corpus): new.digest for new in measured}
    raised = {
        floor.key: floor
        for floor in floors
        # Floors of a corpus that changed are void, those of its parts included.
        if digests.get((floor.method, floor.corpus), floor.digest) == floor.digest
    }
    for new in measured:
        old = raised.get(new.key)
        if old is None or new.f1 > old.f1:
            raised[new.key] = new
    return [raised[key] for key in sorted(raised)]


def floors_to_json(floors: Iterable[Floor]) -> str:
    """The text of floors.json."""
    return json.dumps(list(map(_entry, floors)), indent=1) + "\n"


def _entry(floor: Floor) -> dict[str, object]:
    """A floor for all pages is written without a part."""
    entry = {**asdict(floor), "f1": round(floor.f1, 4)}
    return entry if floor.part else {name: value for name, value in entry.items() if name != "part"}
