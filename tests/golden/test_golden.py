"""Every golden page renders, in every format, as the files beside it say."""

from __future__ import annotations

from difflib import unified_diff

import pytest
from generate import EXPECTED, FOLDER, SOURCE, render, slugs


@pytest.mark.parametrize("format_name", EXPECTED)
@pytest.mark.parametrize("slug", slugs())
def test_rendering_is_golden(slug: str, format_name: str) -> None:
    path = FOLDER / slug / EXPECTED[format_name]
    expected, found = path.read_bytes().decode(), render(slug, format_name)
    if found != expected:
        name = f"{slug}/{path.name}"
        difference = unified_diff(expected.splitlines(), found.splitlines(), name, "rendered now", lineterm="", n=2)
        # splitlines hides a difference in the line ends alone; say so instead of showing nothing.
        shown = "\n".join(difference) or f"{name}: only line ends differ"
        pytest.fail(f"{shown}\n\nIf this is better: python tests/golden/generate.py {slug}", pytrace=False)


@pytest.mark.parametrize("slug", slugs())
def test_folder_is_complete(slug: str) -> None:
    """A missing file would be a behaviour nobody checks, a stray one a check nobody runs."""
    assert {path.name for path in (FOLDER / slug).iterdir()} == {SOURCE, *EXPECTED.values()}


def test_there_are_golden_pages() -> None:
    assert len(slugs()) >= 14


def test_no_stray_files_beside_the_pages() -> None:
    files = {path.name for path in FOLDER.iterdir() if path.is_file()}
    assert files == {"generate.py", "test_golden.py"}
