"""What the README and the recipes show works as shown."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import dehusk as dehusk_command
from reading_here import batch_here
from stored_pages import small_archive

import dehusk

REPOSITORY = Path(__file__).parent.parent
README = (REPOSITORY / "README.md").read_text("utf-8")

SHOWN = README + (REPOSITORY / "docs" / "recipes.md").read_text("utf-8")

PYTHON = re.findall(r"```python\n(.*?)```", SHOWN, re.DOTALL)
_LINES = [line for block in re.findall(r"```console\n(.*?)```", SHOWN, re.DOTALL) for line in block.splitlines()]
COMMANDS = list(dict.fromkeys(_LINES))
_EXPLAINED = re.compile(r"^ *([-+]) (\d\.\d\d) (.+)\n +\d+% content; (.+) · (\S+)$", re.MULTILINE)
"""Mark, score, kind and text, reasons, path of a block."""


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the README takes for granted: pages, a model of them, labelled ones in a file and in a folder."""
    tmp_path, sample_site = tmp_path_factory.mktemp("readme"), REPOSITORY / "src" / "dehusk" / "sample_site"
    shutil.copytree(sample_site / "magazine", tmp_path / "site")
    shutil.copy(sample_site / "help" / "delivery.html", tmp_path / "page.html")
    (tmp_path / "site.warc.gz").write_bytes(small_archive(".gz"))
    gold = {"gold": ["Delivery"], "gold_marked": ["<h>Delivery"]}
    table = pa.table({"html": [(tmp_path / "page.html").read_bytes()], **gold})
    pq.write_table(table, tmp_path / "labelled.parquet")
    own = tmp_path / "my-pages"
    own.mkdir()
    shutil.copy(tmp_path / "page.html", own / "page.html")
    (own / "page.txt").write_text(dehusk.clean((own / "page.html").read_bytes()).text)
    dehusk.learn(map(dehusk.read_page, dehusk.open_source(tmp_path / "site"))).save(tmp_path / "site.dehusk")
    return tmp_path


@pytest.fixture
def folder(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it to work in."""
    shutil.copytree(prepared, tmp_path / "copy")
    monkeypatch.chdir(tmp_path / "copy")
    return tmp_path / "copy"


def test_there_are_examples() -> None:
    assert len(PYTHON) >= 4
    assert len(COMMANDS) >= 25


def test_the_explanation_is_that_of_a_page(folder: Path) -> None:
    """Scores may move a little when the network is trained again; the rest is what `--explain` prints."""
    printed = dehusk_command("clean", "page.html", "--explain").stdout.decode()
    real = {(mark, block, path): float(score) for mark, score, block, _, path in _EXPLAINED.findall(printed)}
    shown = _EXPLAINED.findall(README)
    assert len(shown) == 2
    for mark, score, block, reasons, path in shown:
        assert abs(real[mark, block, path] - float(score)) < 0.1, block
        assert all(reason in printed for reason in reasons.split("; "))


@pytest.mark.parametrize("code", PYTHON)
def test_python_examples_run(code: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_run(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batch_here(monkeypatch)
    assert line.startswith("$ dehusk ")
    arguments = shlex.split(line.removeprefix("$ dehusk "))
    result = dehusk_command(*arguments)
    assert result.returncode == 0, result.stderr.decode()


def test_the_first_lines_are_the_two_commands() -> None:
    assert README.splitlines()[2:4] == [
        "    make demo    # cleans a bundled sample site of 31 pages, and explains one of them",
        "    make test    # runs all checks and tests",
    ]
    assert len(list((REPOSITORY / "src" / "dehusk" / "sample_site").rglob("*.html"))) == 31


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (REPOSITORY / target).exists(), target


def test_the_citation_is_of_this_version() -> None:
    citation = (REPOSITORY / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {dehusk.__version__}\n" in citation
