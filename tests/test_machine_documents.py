"""What the documents for programs show works as shown."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

DOCUMENTS = Path(__file__).parent.parent / "docs"
EXAMPLE = re.compile(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```)?", re.DOTALL)
EXAMPLES = [
    pytest.param(code, printed, id=f"{name}-{number}")
    for name in ("machines.md", "coming-from-trafilatura.md")
    for number, (code, printed) in enumerate(EXAMPLE.findall((DOCUMENTS / name).read_text("utf-8")))
]


@pytest.fixture
def folder(tmp_path: Path, sample_site: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the documents take for granted: a page."""
    shutil.copy(sample_site / "magazine" / "hard-water-soft-tea.html", tmp_path / "page.html")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("code", "printed"), EXAMPLES)
def test_examples_print_what_they_show(
    code: str, printed: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if "import trafilatura" in code:
        pytest.importorskip("trafilatura")
    exec(compile(code, "example", "exec"), {})
    assert capsys.readouterr().out == printed
