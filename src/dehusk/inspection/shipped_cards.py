"""The cards of the models that come with dehusk: the data they were trained on, and what they reach on other sites."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

SHIPPED_MODELS: Final = ("page-network", "sequence-labels")
"""The models in the package; each has a card beside it."""


def read_card(name: str) -> str:
    """The card of a shipped model, as Markdown."""
    return files("dehusk").joinpath("models", f"{name}.md").read_text("utf-8")
