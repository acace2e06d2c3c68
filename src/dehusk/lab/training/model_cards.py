"""Model cards: the training data, settings and scores of a model, written beside its file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DataSet:
    """Labelled pages that a model was trained on."""

    name: str
    digest: str
    """SHA-256 of the file."""
    pages: int
    unusable: int
    """Pages not trained on, because their gold is not on them or they cannot be read."""


@dataclass(frozen=True, slots=True)
class Card:
    """The contents of a model card."""

    title: str
    data: tuple[DataSet, ...]
    facts: Mapping[str, str]
    """Settings, date, time: name -> value."""
    scores: Mapping[str, str]
    """Scores on sites that were not trained on."""
    command: str


def card_text(card: Card) -> str:
    """The card as Markdown."""
    lines = [f"# {card.title}", "", "| data set | pages | not usable | SHA-256 |", "|---|---|---|---|"]
    lines += [f"| {data.name} | {data.pages:,} | {data.unusable:,} | `{data.digest[:16]}` |" for data in card.data]
    lines += ["", *_listed(card.facts)]
    if card.scores:
        lines += ["", "On sites that were held back, before the model was trained on all:", "", *_listed(card.scores)]
    return "\n".join([*lines, "", f"    {card.command}", ""])


def _listed(values: Mapping[str, str]) -> Sequence[str]:
    return [f"* {name}: {value}" for name, value in values.items()]
