"""What docs/corpus.md shows works as shown: from a crawl of a local server to pandas."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from command_line import dehusk
from local_server import Answer, serving

from dehusk.cleaning import clean
from dehusk.cli import shared_options

pytest.importorskip("pandas")

REPOSITORY = Path(__file__).parent.parent
DOCUMENT = (REPOSITORY / "docs" / "corpus.md").read_text("utf-8")
COMMANDS = re.findall(r"```console\n\$ dehusk (.*?)\n```", DOCUMENT)
PRINTED = re.findall(r"```text\n(.*?)```", DOCUMENT, re.DOTALL)
PYTHON = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
ADDRESS = "https://kettleandquill.example"


def mirrored(html: bytes) -> str:
    """An article as another site shows it."""
    page = clean(html)
    title = page.metadata.title
    body = "".join(f"<p>{block.text}</p>" for block in page if block.kept)
    head = f"<title>{title.value if title else ''}</title><link rel=canonical href=https://mirror.example/{len(body)}>"
    menu = "<nav><ul><li><a href=/>All that we copied</a></ul></nav>"
    return f"{head}{menu}<div class=copy>{body}</div><footer>Copied in 2024.</footer>"


def test_the_tutorial(
    tmp_path: Path, sample_site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    pages = {f"/{path.relative_to(sample_site).as_posix()}": path.read_bytes() for path in sample_site.rglob("*.html")}
    pages["/"] = pages["/index.html"]
    Path("mirror").mkdir()
    for path in sorted(name for name in pages if re.fullmatch(r"/magazine/[a-h].*-.*", name))[:3]:
        Path("mirror", path.rpartition("/")[2]).write_text(mirrored(pages[path]))
    crawl, batch = COMMANDS
    with serving(lambda path: Answer(pages[path]) if path in pages else None) as site:
        own = crawl.replace(ADDRESS, site.url)
        assert dehusk(*shlex.split(own), "--allow-private", "--delay", "0").returncode == 0
    result = dehusk(*shlex.split(batch))
    assert result.returncode == 0, result.stderr
    assert PRINTED[0] in result.stderr.decode()
    for code, printed in zip(PYTHON, PRINTED[1:], strict=True):
        capsys.readouterr()
        exec(compile(code, "corpus.md", "exec"), {})
        assert capsys.readouterr().out == printed


def test_every_filter_is_in_the_table() -> None:
    source = Path(shared_options.__file__).read_text("utf-8").split("# Which cleaned pages")[1].split("# Fetching")[0]
    names = set(re.findall(r'"(--[a-z-]+)"', source))
    assert [name for name in sorted(names) if name not in DOCUMENT] == []


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", DOCUMENT):
        assert (REPOSITORY / "docs" / target).exists(), target
