"""`help()` of public names: what they take, return and raise, and an example that runs."""

from __future__ import annotations

import doctest
import inspect
import pydoc
import sys
from typing import Any

import pytest

import dehusk

CONSTANTS = {"METHODS", "OUTPUTS", "PAGE_TYPES", "RULES", "__version__"}
"""Of these `help()` tells what their type is."""
RESULTS = set("Blocks Chunk CleanedBlock CleanedPage Fetcher Kind Metadata Page WeightedVectors".split())
"""Classes that people get from dehusk, and do not make."""
PUBLIC = sorted(set(dehusk.__all__) - CONSTANTS)
METHODS_WITH_HELP = ("render", "chunks")
"""Of cleaned pages: those that take arguments which are no options of formats."""


def examples_of(value: Any) -> list[doctest.Example]:
    found = doctest.DocTestFinder().find(value, "example", globs={})
    return [example for test in found for example in test.examples]


@pytest.mark.parametrize("name", PUBLIC)
def test_help_has_arguments_and_an_example(name: str) -> None:
    value = getattr(dehusk, name)
    told = pydoc.render_doc(value, renderer=pydoc.plaintext)
    assert ">>> " in told
    assert "Arguments:" in told or name in RESULTS
    if not inspect.isclass(value):
        documented = inspect.getdoc(value) or ""
        assert "Returns:" in documented
        assert "Raises:" in documented
        section = documented.partition("Arguments:\n")[2].partition("\n\n")[0]
        listed = [line.strip().partition(":")[0] for line in section.splitlines() if line[4:5] not in ("", " ")]
        assert listed == list(inspect.signature(value).parameters)


@pytest.mark.parametrize("name", METHODS_WITH_HELP)
def test_methods_of_cleaned_pages_have_help(name: str) -> None:
    documented = inspect.getdoc(getattr(dehusk.CleanedPage, name)) or ""
    assert all(section in documented for section in ("Arguments:", "Returns:", "Raises:", ">>> "))


@pytest.mark.parametrize("name", [name for name in PUBLIC if not name.endswith("Error") or name == "DehuskError"])
def test_arguments_of_settings_are_their_fields(name: str) -> None:
    value = getattr(dehusk, name)
    documented = inspect.getdoc(value) or ""
    if not inspect.isclass(value) or "Arguments:" not in documented or issubclass(value, Exception):
        return
    section = documented.partition("Arguments:\n")[2].partition("\n\n")[0]
    listed = [line.strip().partition(":")[0] for line in section.splitlines() if line[4:5] not in ("", " ")]
    fields = list(inspect.signature(value).parameters)
    # Options of a format say which ones they share.
    assert listed == (fields if "`OutputOptions`" not in section else [one for one in fields if one in listed])


@pytest.mark.parametrize("name", [name for name in PUBLIC if examples_of(getattr(dehusk, name))])
def test_examples_run(name: str) -> None:
    value = getattr(dehusk, name)
    names = vars(sys.modules[value.__module__]) | {"dehusk": dehusk}
    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder(exclude_empty=True).find(value, name, globs=names):
        runner.run(test, clear_globs=False)
    assert runner.summarize(verbose=False).failed == 0


def test_every_function_and_class_has_examples() -> None:
    without = [name for name in PUBLIC if not examples_of(getattr(dehusk, name))]
    assert all(issubclass(getattr(dehusk, name), dehusk.DehuskError) for name in without)
