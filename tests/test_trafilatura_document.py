"""docs/coming-from-trafilatura.md names every option of trafilatura that there is, and only options that exist."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("trafilatura")

import trafilatura
import typer

import dehusk
from dehusk.cli import app

DOCUMENT = (Path(__file__).parent.parent / "docs" / "coming-from-trafilatura.md").read_text("utf-8")
of_that_version = pytest.mark.skipif(
    not trafilatura.__version__.startswith("2.3."), reason="the document is about trafilatura 2.3"
)
STORY = "Steep the leaves for three minutes, then pour the tea into a warm cup and wait a little longer. "
PAGE = f"""<html lang=en><head><title>Green tea</title></head><body><article><h1>Green tea</h1><p>{STORY * 6}
<b>Then</b> drink it, <a href="https://a.example/milk">without milk</a>, from a cup that you like very much.</p>
<table><tr><th>Tea<th>Minutes</tr><tr><td>Green<td>three</tr><tr><td>Black<td>five</tr></table><p>{STORY * 6}</p>
</article></body></html>"""


def table(heading: str) -> list[list[str]]:
    section = DOCUMENT.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def codes(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


@of_that_version
def test_every_function_is_there() -> None:
    named = {code.partition("(")[0] for row in table("Functions") for code in codes(row[0])}
    public = {
        name
        for name, value in vars(trafilatura).items()
        if inspect.isfunction(value) and value.__module__.startswith("trafilatura") and not name.startswith("_")
    }
    assert named == public


def test_the_functions_of_dehusk_do_what_is_told() -> None:
    names: dict[str, Any] = {"dehusk": dehusk, "html": PAGE, "url": "https://a.example/"}
    for row in table("Functions"):
        calls = [code for code in codes(row[1]) if "html" in code]
        for call in calls:
            assert eval(call, names)


@of_that_version
def test_every_argument_is_there_with_its_default() -> None:
    rows = table("Arguments of `extract`")
    parameters = inspect.signature(trafilatura.extract).parameters
    assert [codes(row[0])[0] for row in rows] == list(parameters)
    for row in rows:
        told = codes(row[1])
        default = parameters[codes(row[0])[0]].default
        assert told == [] or told == [repr(default)]
        assert told or default is inspect.Parameter.empty or row[0] == "`config`"


def test_the_arguments_of_dehusk_work() -> None:
    names = {"dehusk": dehusk, "html": PAGE}
    for row in table("Arguments of `extract`"):
        for code in codes(row[2]):
            if "=" in code:
                assert isinstance(eval(f"dehusk.extract(html, {code})", names), str)
            else:
                assert code in inspect.signature(dehusk.extract).parameters
        for code in codes(row[3]):
            if code.startswith("dehusk.Filters("):
                assert eval(code, names)


def test_formats_are_named_as_they_are_there() -> None:
    help_text = trafilatura.extract.__doc__ or ""
    for name, ours in {"txt": "text", "xmltei": "tei", "json": "jsonl"}.items():
        assert f'"{name}"' in help_text
        assert ours in dehusk.OUTPUTS
    assert {"csv", "html", "markdown", "xml", "chunks", "words", "cleaneval"} <= set(dehusk.OUTPUTS)


@pytest.mark.parametrize(
    ("theirs", "ours", "sign"),
    [
        ({"include_links": True}, {"links": True}, "](https://a.example/milk)"),
        ({"include_formatting": True}, {}, "**Then**"),
        ({"with_metadata": True}, {"front_matter": True}, "---\ntitle: "),
        ({}, {}, "| Green | three |"),
    ],
)
def test_both_do_the_same(theirs: dict[str, Any], ours: dict[str, Any], sign: str) -> None:
    assert sign in trafilatura.extract(PAGE, output_format="markdown", **theirs)
    assert sign in dehusk.extract(PAGE, **ours)


def test_what_differs_differs_as_told() -> None:
    assert trafilatura.extract("<html><body></body></html>") is None
    assert dehusk.extract("<html><body></body></html>") == ""
    assert "three" not in trafilatura.extract(PAGE, include_tables=False).replace("three minutes", "")
    assert "three" in dehusk.extract(PAGE, tables=False).replace("three minutes", "")
    assert "| Green" not in dehusk.extract(PAGE, tables=False)
    assert "five" not in dehusk.extract(PAGE, drop=["table"])


def options_of(*command: str) -> set[str]:
    group: Any = typer.main.get_command(app)
    found = group.commands[command[0]]
    return {option for parameter in found.params for option in (*parameter.opts, *parameter.secondary_opts)}


@of_that_version
def test_every_option_of_the_command_line_is_there() -> None:
    command = [sys.executable, "-m", "trafilatura.cli", "--help"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    theirs = set(re.findall(r"^  (?:-\w(?: [A-Z_]+)?, )?(--[A-Za-z-]+)", told, re.MULTILINE)) - {"--help", "--version"}
    named = {code.split()[0] for row in table("Command line") for code in codes(row[0])}
    assert named == theirs


def test_the_options_of_dehusk_exist() -> None:
    for row in table("Command line"):
        command = ""
        for code in codes(row[1]):
            if code.startswith("dehusk "):
                command = code.split()[1]
            for option in re.findall(r"--[a-z-]+", code):
                assert option in options_of(command), (row[0], option)


def test_settings_named_in_remarks_exist() -> None:
    known = {field.name for field in (*fields(dehusk.Filters), *fields(dehusk.Limits), *fields(dehusk.RawPage))}
    known |= set(inspect.signature(dehusk.clean).parameters) | {"format", "favour"}
    known |= {field.name for field in fields(dehusk.MarkdownOptions)}
    for word in re.findall(r"(\w+)=", "".join(row[2] + row[3] for row in table("Arguments of `extract`"))):
        assert word in known
