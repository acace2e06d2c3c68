"""Modules of other libraries, imported by the first test that uses them: every worker collects all tests, and would
take seconds longer with them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest


@dataclass(frozen=True)
class LateModule:
    """Has what the module has, while a test runs."""

    name: str

    def __getattr__(self, attribute: str) -> Any:
        if "PYTEST_CURRENT_TEST" not in os.environ:  # pytest asks all that a file has whether it is a test
            raise AttributeError(attribute)
        return getattr(import_module(self.name), attribute)


def late_import(name: str, library: str = "") -> Any:
    """A module; without its library, or the one named, all tests of the file are skipped."""
    if find_spec(library or name.partition(".")[0]) is None:
        pytest.skip(f"no {library or name}", allow_module_level=True)
    return LateModule(name)
