"""The documentation: every page has its place, the reference is complete, and the site loads nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
import typer

import dehusk
from dehusk.cli import app

REPOSITORY = Path(__file__).parents[1]
DOCUMENTS = REPOSITORY / "docs"
CONFIGURATION = (REPOSITORY / "mkdocs.yml").read_text("utf-8")
MADE = {
    "contributing.md",
    "changelog.md",
    "security.md",
    "measuring.md",
    "reference/library.md",
    "reference/commands.md",
}
_LINK = re.compile(r"\]\(([^()\s#:]+)(?:#[\w-]+)?\)")
_LOADED = re.compile(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"?(https?:)?//|<link\b[^>]*\bhref=\"?(https?:)?//")


def _options(command: Any) -> Iterator[str]:
    """The options of a command and of those below it. Any: what a command is differs between versions of typer."""
    for parameter in command.params:
        yield from (*parameter.opts, *parameter.secondary_opts)
    for child in getattr(command, "commands", {}).values():
        yield from _options(child)


OPTIONS = {"--help", *_options(typer.main.get_command(app))}


def test_every_page_is_in_the_navigation_once() -> None:
    named = re.findall(r": (\S+\.md)$", CONFIGURATION, re.MULTILINE)
    written = {path.relative_to(DOCUMENTS).as_posix() for path in DOCUMENTS.rglob("*.md")}
    cards = {f"cards/{name}.md" for name in ("page-network", "sequence-labels")}
    assert sorted(named) == sorted(written | MADE | cards)


@pytest.mark.parametrize("path", sorted(DOCUMENTS.rglob("*.md")), ids=lambda path: path.stem)
def test_links_lead_somewhere(path: Path) -> None:
    """In the repository as well as on the site, for which the pages of the reference are made."""
    for target in _LINK.findall(path.read_text("utf-8")):
        place = (path.parent / target).resolve()
        assert place.exists() or place.relative_to(DOCUMENTS).as_posix() in MADE, target


@pytest.mark.parametrize(
    "path", [REPOSITORY / "README.md", *sorted(DOCUMENTS.rglob("*.md"))], ids=lambda path: path.stem
)
def test_names_and_options_exist(path: Path) -> None:
    text = path.read_text("utf-8")
    names = set(re.findall(r"`dehusk\.(\w+)", text))
    assert [name for name in names if name not in dehusk.__all__ and find_spec(f"dehusk.{name}") is None] == []
    shown = re.findall(r"^(?:\$ |    )dehusk (.*)$|`dehusk ([a-z][^`]*)`", text, re.MULTILINE)
    options = {option for line in shown for option in re.findall(r"(?<=\s)(--[a-z-]+)", " ".join(line))}
    assert options - OPTIONS == set()


@pytest.mark.parametrize(
    "path", [*sorted(REPOSITORY.glob("*.md")), *sorted(DOCUMENTS.rglob("*.md"))], ids=lambda path: path.stem
)
def test_named_files_exist(path: Path) -> None:
    named = re.findall(
        r"`((?:src|tests|native|benchmarks|labels|constraints|\.github)/[\w./-]+)`", path.read_text("utf-8")
    )
    places = (REPOSITORY, REPOSITORY / "src" / "dehusk")
    # What the build makes is not there before it.
    there = [name for name in named if "_native" in name or any((place / name).exists() for place in places)]
    assert sorted(set(named) - set(there)) == []


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site, if what builds it is installed."""
    pytest.importorskip("mkdocs", reason="needs dehusk[docs]")
    pytest.importorskip("mkdocstrings_handlers.python", reason="needs dehusk[docs]")
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(target)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return target


def test_the_site_loads_nothing_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 30
    assert [page.name for page in pages if _LOADED.search(page.read_text("utf-8"))] == []


def test_the_reference_has_every_name_and_command(site: Path) -> None:
    library = (site / "reference" / "library.html").read_text("utf-8")
    missing = [name for name in dehusk.__all__ if not name.startswith("_") and f'.{name}"' not in library]
    assert missing == []
    commands = (site / "reference" / "commands.html").read_text("utf-8")
    for command in ("clean", "crawl", "batch", "evaluate benchmark", "train hybrid"):
        assert f">dehusk {command}<" in commands
    assert "--drop-duplicates" in commands


def test_docstrings_are_shown_as_lists_and_code(site: Path) -> None:
    library = (site / "reference" / "library.html").read_text("utf-8")
    assert "<strong>Arguments</strong>" in library
    assert "<blockquote>" not in library, "what >>> is in Markdown"


def test_links_of_the_repository_become_links_of_the_site(site: Path) -> None:
    hybrid = (site / "hybrid.html").read_text("utf-8")
    assert 'href="cards/page-network.html"' in hybrid
    assert 'href="docs/' not in (site / "changelog.html").read_text("utf-8")


def test_the_model_card_has_scores_by_type_and_language(site: Path) -> None:
    card = (site / "model-card.html").read_text("utf-8")
    assert all(f"<td>{name}</td>" in card for name in dehusk.PAGE_TYPES)
    assert "<td>en</td>" in card
    assert "<!-- scores" not in card


def _loaded(name: str) -> Any:
    """A module of the documentation's own."""
    pytest.importorskip("mkdocs", reason="needs dehusk[docs]")
    spec = spec_from_file_location(name, DOCUMENTS / f"{name}.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_sections_become_lists_and_examples_code() -> None:
    docstring = (
        "Brew.\n\nArguments:\n    cups: how many,\n        at most.\n\nReturns:\n    Tea.\n\n>>> brew(1)\n['tea']"
    )
    assert _loaded("docstring_markdown").as_markdown(docstring) == (
        "Brew.\n\n**Arguments**\n\n* `cups`: how many,\n  at most.\n\n"
        "**Returns**\n\nTea.\n\n```pycon\n>>> brew(1)\n['tea']\n```"
    )


def test_a_wrong_link_is_noticed() -> None:
    building = _loaded("site_building")
    match = building._LINK.search("[x](../nothing.md)")
    with pytest.raises(AssertionError, match=r"no such file: \.\./nothing\.md"):
        building._link(match, "docs", "index.md", None)
