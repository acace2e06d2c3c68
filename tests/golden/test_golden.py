"""Every golden page renders, in every format, as the files beside it say."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from difflib import unified_diff
from typing import Final

import pytest
import turbohtml
from generate import EXPECTED, FOLDER, SOURCE, render, slugs
from lxml import etree
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin


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
    compared = {name: words_of for name, words_of in _WORDS.items() if (slug, name) not in _OTHER_WORDS}
    found = {name: _comparable(words_of(_expected(slug, name))) for name, words_of in compared.items()}
    assert found == dict.fromkeys(compared, found["text"])


@pytest.mark.parametrize("slug", slugs())
def test_formats_of_blocks_say_the_same(slug: str) -> None:
    """CleanEval's format knows neither footnotes nor formulas: it tells the blocks as they stand on the page."""
    blocks = json.loads(_expected(slug, "json"))["blocks"]
    kept = [" ".join(block["text"].split()) for block in blocks if block["label"] == "content"]
    assert [line[len("<p>") :] for line in _expected(slug, "cleaneval").splitlines()] == kept


def _expected(slug: str, format_name: str) -> str:
    return (FOLDER / slug / EXPECTED[format_name]).read_bytes().decode()


def _words_of_text(text: str) -> str:
    return text


def _words_of_markdown(text: str) -> str:
    tokens = MarkdownIt("commonmark").enable("table").use(footnote_plugin).parse(text)
    return "".join(map(_words_of_token, tokens)).replace(r"\lt", "<")


def _words_of_token(token: Token) -> str:
    if token.type == "inline":
        return "".join(map(_words_of_token, token.children or ()))
    # An image's text is no text of the page.
    if token.type in {"image", "html_inline", "footnote_anchor"}:
        return ""
    return str(token.meta["label"]) if token.type in {"footnote_ref", "footnote_open"} else token.content


def _words_of_html(text: str) -> str:
    body = turbohtml.parse(text).select_one("body")
    return body.text if body else ""


def _words_of_xml(text: str) -> str:
    root = etree.fromstring(text.encode())
    for labelled in root.iter("noteref", "note"):
        labelled.text = labelled.get("label") + (labelled.text or "")
    return "".join(word for part in root.iter("body", "notes") for word in part.itertext())


def _words_of_tei(text: str) -> str:
    namespace = "{http://www.tei-c.org/ns/1.0}"
    (content,) = etree.fromstring(text.encode()).iter(f"{namespace}text")
    for description in list(content.iter(f"{namespace}desc")):
        description.text = ""
    for note in content.iter(f"{namespace}note"):
        note.text = (note.get("n") or "") + (note.text or "")
    return "".join(content.itertext())


_WORDS: Final[dict[str, Callable[[str], str]]] = {
    "text": _words_of_text,
    "markdown": _words_of_markdown,
    "html": _words_of_html,
    "xml": _words_of_xml,
    "tei": _words_of_tei,
    "json": lambda text: str(json.loads(text)["text"]),
    "jsonl": lambda text: str(json.loads(text)["text"]),
    "csv": lambda text: next(csv.DictReader(io.StringIO(text, newline="")))["text"],
}
_CALLOUTS: Final = ("callouts", "documentation-tools", "office-tools", "writing-tools")
_OTHER_WORDS: Final = {(slug, "markdown") for slug in _CALLOUTS}
"""Markdown says the kind of a callout in its own words, and leaves out a title that says the same."""
_SIGNS: Final = dict.fromkeys(map(ord, "“”()[]^$\\-💡"))
"""What some formats write, and others say by an element: quotes, readings, footnotes, powers, formulas, bullets,
callouts."""


def _comparable(text: str) -> str:
    return "".join(text.split()).translate(_SIGNS)


@pytest.mark.parametrize("slug", slugs())
def test_folder_is_complete(slug: str) -> None:
    """A missing file would be a behaviour nobody checks, a stray one a check nobody runs."""
    assert {path.name for path in (FOLDER / slug).iterdir()} == {SOURCE, *EXPECTED.values()}


def test_there_are_golden_pages() -> None:
    assert len(slugs()) >= 23


def test_no_stray_files_beside_the_pages() -> None:
    files = {path.name for path in FOLDER.iterdir() if path.is_file()}
    assert files == {"generate.py", "test_golden.py", "test_golden_validity.py"}
