"""What docs/integrations.md shows works as shown."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

import dehusk

REPOSITORY = Path(__file__).parent.parent.parent
DOCUMENT = (REPOSITORY / "docs" / "integrations.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", DOCUMENT, re.DOTALL)
LIBRARIES = {
    "pandas": "pandas",
    "datatrove": "datatrove",
    "scikit_learn": "sklearn",
    "langchain": "langchain_core",
    "llama_index": "llama_index",
}
"""By adapter: what it needs."""


# datatrove forks a process for its pages; Python 3.12 and later remark on it if whoever runs the tests has threads.
pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


@pytest.fixture
def folder(tmp_path: Path, sample_site: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the document takes for granted: pages in a folder and in JSON lines, and a model of them."""
    shutil.copytree(sample_site / "magazine", tmp_path / "site")
    pages = list(dehusk.open_source(tmp_path / "site"))
    dehusk.learn(map(dehusk.read_page, pages)).save(tmp_path / "site.dehusk")
    (tmp_path / "pages").mkdir()
    lines = [json.dumps({"id": str(number), "text": page.body.decode()}) for number, page in enumerate(pages)]
    (tmp_path / "pages" / "site.jsonl").write_text("\n".join(lines), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def adapter_of(code: str) -> str:
    return re.findall(r"dehusk\.integrations\.(\w+)", code)[0]


def test_every_adapter_has_an_example() -> None:
    assert [adapter_of(code) for code, _ in EXAMPLES] == list(LIBRARIES)
    assert DOCUMENT.count("```python") == len(EXAMPLES)


@pytest.mark.parametrize(("code", "printed"), EXAMPLES, ids=[adapter_of(code) for code, _ in EXAMPLES])
def test_examples_print_what_they_show(
    code: str, printed: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip(LIBRARIES[adapter_of(code)])
    exec(compile(code, "integrations.md", "exec"), {})
    assert capsys.readouterr().out == printed


def test_every_extra_exists() -> None:
    project = (REPOSITORY / "pyproject.toml").read_text("utf-8")
    extras = re.findall(r"pip install 'dehusk\[([\w-]+)\]'", DOCUMENT)
    assert len(extras) == len(LIBRARIES)
    assert all(re.search(rf"^{extra} = \[", project, re.MULTILINE) for extra in extras)
