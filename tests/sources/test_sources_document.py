"""What docs/sources.md shows works as shown, and its tables name what there is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from stored_pages import archive, http, record

from dehusk.sinks.sink_opening import SINKS
from dehusk.sources.files import PAGE_SUFFIXES
from dehusk.sources.source_opening import READERS

REPOSITORY = Path(__file__).parent.parent.parent
DOCUMENT = (REPOSITORY / "docs" / "sources.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", DOCUMENT, re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, sample_site: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the document takes for granted: a small archive, the same cut, and JSON lines with odd names."""
    html = sorted((sample_site / "magazine").rglob("*.html"))[0].read_bytes()
    names = ("autumn", "spring")
    records = [record(http(html), **{"WARC-Target-URI": f"https://tea.example/{name}"}) for name in names]
    whole = archive(records, ".gz")
    (tmp_path / "site.warc.gz").write_bytes(whole)
    (tmp_path / "cut.warc.gz").write_bytes(whole[:-50])
    line = {"text": html.decode(), "where": "https://tea.example/"}
    (tmp_path / "crawl.jsonl").write_text(json.dumps(line) + "\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_example_shows_what_it_prints() -> None:
    assert DOCUMENT.count("```python") == len(EXAMPLES) == 4


@pytest.mark.parametrize(("code", "printed"), EXAMPLES)
def test_examples_print_what_they_show(
    code: str, printed: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(compile(code, "sources.md", "exec"), {})
    assert capsys.readouterr().out == printed


def test_the_tables_name_every_suffix() -> None:
    sources, sinks = DOCUMENT.split("## Results")
    named = set(re.findall(r"`(\.[\w.]+)`", sources))
    for suffixes in (*READERS, tuple(PAGE_SUFFIXES)):
        for suffix in suffixes:
            # `.jsonl`, also `.gz`
            base, _, compression = suffix.rpartition(".")
            assert suffix in named or {base, f".{compression}"} <= named, suffix
    assert all(f"`{suffix}`" in sinks for kind in SINKS.values() for suffix in kind.suffixes)


def test_every_extra_exists() -> None:
    project = (REPOSITORY / "pyproject.toml").read_text("utf-8")
    extras = set(re.findall(r"pip install 'dehusk\[([\w-]+)\]'", DOCUMENT))
    assert extras == {"warc", "parquet", "zstd"}
    assert all(re.search(rf"^{extra} = \[", project, re.MULTILINE) for extra in extras)
