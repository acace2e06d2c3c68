"""Quality floors: what a method is known to reach, pinned in the repository with the digest of the corpus.

A floor holds for the very file it was measured on. It is raised by `dehusk evaluate gold ... --write-floors` and never
lowered by it; lowering one is an edit by hand that a reviewer sees.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from importlib.resources import files

from dehusk.errors import GoldError

TOLERANCE = 0.0005
"""Scores are exact on one machine; this forgives the last digit, nothing more."""


@dataclass(frozen=True, slots=True)
class Floor:
    """What a method reached on a corpus."""

    method: str
    corpus: str
    digest: str
    pages: int
    f1: float


def load_floors() -> list[Floor]:
    """The floors of this version."""
    text = files("dehusk.evaluation").joinpath("floors.json").read_text("utf-8")
    return [Floor(**entry) for entry in json.loads(text)]


def find_floor(floors: Iterable[Floor], method: str, corpus: str) -> Floor | None:
    """The floor of a method on a corpus, if one is pinned."""
    return next((floor for floor in floors if (floor.method, floor.corpus) == (method, corpus)), None)


def check_floor(floor: Floor, reached: Floor) -> None:
    """Raise if the floor does not hold, or was measured on other pages."""
    subject = f"{reached.method} on {reached.corpus}"
    if (floor.digest, floor.pages) != (reached.digest, reached.pages):
        raise GoldError(subject, "the corpus is not the one the floor was measured on", "measure again: --write-floors")
    if reached.f1 < floor.f1 - TOLERANCE:
        cause = f"F1 {reached.f1:.4f} is below the floor of {floor.f1:.4f}"
        raise GoldError(subject, cause, "find what made it worse; floors are not lowered silently")


def raise_floors(floors: Iterable[Floor], reached: Iterable[Floor]) -> list[Floor]:
    """Floors with those replaced that were exceeded, or whose corpus changed; none gets lower on the same corpus."""
    raised = {(floor.method, floor.corpus): floor for floor in floors}
    for new in reached:
        old = raised.get((new.method, new.corpus))
        if old is None or old.digest != new.digest or new.f1 > old.f1:
            raised[new.method, new.corpus] = new
    return [raised[key] for key in sorted(raised)]


def floors_to_json(floors: Iterable[Floor]) -> str:
    """The text of floors.json."""
    return json.dumps([{**asdict(floor), "f1": round(floor.f1, 4)} for floor in floors], indent=1) + "\n"
