"""Every golden page renders, in every format, as the files beside it say."""

from __future__ import annotations

from difflib import unified_diff

import pytest
import turbohtml
from generate import EXPECTED, FOLDER, SOURCE, render, slugs
from markdown_it import MarkdownIt


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
def test_formats_say_the_same(slug: str) -> None:
    """Whoever blesses a golden file may overlook a lost word; the formats do not lose the same one."""
    assert _words_of_markdown(slug) == _words_of_html(slug) == _words_of_text(slug)


def _words_of_text(slug: str) -> str:
    lines = (FOLDER / slug / EXPECTED["text"]).read_text("utf-8").splitlines()
    return _without_blanks("".join(line.lstrip().removeprefix("- ") for line in lines))


def _words_of_markdown(slug: str) -> str:
    tokens = MarkdownIt("commonmark").enable("table").parse((FOLDER / slug / EXPECTED["markdown"]).read_text("utf-8"))
    pieces = (piece for token in tokens for piece in token.children or [token])
    # An image's text is no text of the page.
    shown = (piece.content for piece in pieces if piece.type not in {"image", "html_inline"})
    return _without_blanks("".join(shown))


def _words_of_html(slug: str) -> str:
    body = turbohtml.parse((FOLDER / slug / EXPECTED["html"]).read_text("utf-8")).select_one("body")
    return _without_blanks(body.text if body else "")


def _without_blanks(text: str) -> str:
    # Quotation marks are an element in html.
    return "".join(text.split()).translate({ord(mark): None for mark in "“”"})


@pytest.mark.parametrize("slug", slugs())
def test_folder_is_complete(slug: str) -> None:
    """A missing file would be a behaviour nobody checks, a stray one a check nobody runs."""
    assert {path.name for path in (FOLDER / slug).iterdir()} == {SOURCE, *EXPECTED.values()}


def test_there_are_golden_pages() -> None:
    assert len(slugs()) >= 14


def test_no_stray_files_beside_the_pages() -> None:
    files = {path.name for path in FOLDER.iterdir() if path.is_file()}
    assert files == {"generate.py", "test_golden.py"}
