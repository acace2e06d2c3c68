"""Extras of the package: they are complete, and pip 23.2 can install them.

That pip ships with Python 3.11. It finds conflicts where extras refer to extras; it crashes if two packages in one run
ask for one extra in two spellings, which lxml[html_clean] and lxml[html-clean] are; and it overlooks the first of them.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

import pytest

_PROJECT: Final = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: Final[dict[str, list[str]]] = _PROJECT["optional-dependencies"]
UNDERSCORE: Final = {"justext", "trafilatura"}
"""They need lxml[html_clean], trafilatura through jusText."""
HYPHEN: Final = {"readability-lxml", "newspaper4k"}
"""They need lxml[html-clean]."""
_ALL: Final = "parquet warc zstd remote crawl mining crf metadata selectors ray web"
SUMS: Final = {
    "all": _ALL,
    "dev": f"{_ALL} pandas datatrove scikit-learn langchain llama-index mcp",
    "eval": "parquet mining crf",
    "train": "parquet crf",
}
"""Extra -> the extras that it must have all of."""


def packages(*extras: str) -> set[str]:
    return {re.split(r"[\[<>=!~;\s]", one)[0].lower() for extra in extras for one in EXTRAS[extra]}


@pytest.mark.parametrize("extra", SUMS)
def test_extras_are_the_sum_of_their_parts(extra: str) -> None:
    for part in SUMS[extra].split():
        assert set(EXTRAS[part]) <= set(EXTRAS[extra]), part


@pytest.mark.parametrize("extra", EXTRAS)
def test_no_extra_refers_to_another(extra: str) -> None:
    assert "dehusk" not in packages(extra)


@pytest.mark.parametrize("together", [("all", "eval"), ("all", "dev", "train"), ("eval-more",)])
def test_no_install_has_both_spellings(together: tuple[str, ...]) -> None:
    found = packages(*together)
    assert not (found & UNDERSCORE and found & HYPHEN)
    assert "lxml-html-clean" in found or not found & UNDERSCORE
