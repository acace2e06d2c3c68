"""What docs/corpus.md shows works as shown: from a crawl of a local server to pandas."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from command_line import dehusk
from reading_here import batch_here

from dehusk.cli.shared_options import FilterOptions

pytestmark = pytest.mark.skipif(find_spec("pandas") is None, reason="no pandas")

REPOSITORY = Path(__file__).parent.parent
DOCUMENT = (REPOSITORY / "docs" / "corpus.md").read_text("utf-8")
COMMANDS = re.findall(r"```console\n\$ dehusk (.*?)\n```", DOCUMENT)
PRINTED = re.findall(r"```text\n(.*?)```", DOCUMENT, re.DOTALL)
PYTHON = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
ADDRESS = "http://127.0.0.1:8000/"


class Quiet(SimpleHTTPRequestHandler):
    """What `python -m http.server` answers with, without its log."""

    def log_message(self, *arguments: Any) -> None:
        pass


@contextmanager
def served(folder: str) -> Iterator[str]:
    """The address of a server like `python -m http.server`, on any free port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def test_the_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    batch_here(monkeypatch)
    prepare, *programs = PYTHON
    exec(compile(prepare, "corpus.md", "exec"), {})
    crawl, batch = COMMANDS
    assert ADDRESS in crawl
    with served("site") as address:
        result = dehusk(*shlex.split(crawl.replace(ADDRESS, address)))
        assert result.returncode == 0, result.stderr
    result = dehusk(*shlex.split(batch))
    assert result.returncode == 0, result.stderr
    assert PRINTED[0] in result.stderr.decode()
    for code, printed in zip(programs, PRINTED[1:], strict=True):
        capsys.readouterr()
        exec(compile(code, "corpus.md", "exec"), {})
        assert capsys.readouterr().out == printed


def test_every_filter_is_in_the_table() -> None:
    names = {f"--{field.name.replace('_', '-')}" for field in fields(FilterOptions)}
    assert [name for name in sorted(names) if name not in DOCUMENT] == []


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", DOCUMENT):
        assert (REPOSITORY / "docs" / target).exists(), target
