"""Other tools behind one call. Those that are not installed are skipped: dehusk never needs them."""

from __future__ import annotations

import logging
import subprocess
import sys

import pytest

from dehusk.errors import MissingExtra, PageError, UnknownName
from dehusk.lab.evaluation.other_tools import (
    OTHER_TOOLS,
    OtherTool,
    OtherToolFailed,
    decoded_html,
    find_tool,
    installed_tools,
)

SENTENCE = "The kettle was on the stove when the letter came, and it was still there when she had read it twice."
# Long enough for every tool: jusText wants a paragraph of more than 200 characters.
PARAGRAPH = f"<p>{SENTENCE} So it went on for a while, and there was more of it than any of them would have thought, "
PARAGRAPH += (
    "because nobody had told them what to do with a letter like that, or with a kettle that had no water in it.</p>"
)
ARTICLE = f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A letter</title></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/shop">Shop</a></li></ul></nav>
<article><h1>A letter</h1>{PARAGRAPH * 4}</article>
<footer><a href="/imprint">Imprint</a></footer></body></html>"""

# What other packages warn of at import is not ours to mend.
pytestmark = pytest.mark.filterwarnings("ignore")

absent = OtherTool("absent", "no_such_module_anywhere", "no-such-package", lambda html, language: html)


@pytest.mark.parametrize("language", ["en", "", "xx"])
@pytest.mark.parametrize("name", OTHER_TOOLS)
def test_an_installed_tool_finds_the_article(name: str, language: str) -> None:
    if name not in installed_tools():
        pytest.skip(f"{name} is not installed")
    assert SENTENCE in " ".join(find_tool(name)(ARTICLE, language).split())


@pytest.mark.parametrize("name", OTHER_TOOLS)
def test_no_tool_reaches_for_the_network(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name not in installed_tools():
        pytest.skip(f"{name} is not installed")
    asked: list[object] = []
    monkeypatch.setattr("socket.getaddrinfo", lambda *address, **_: asked.append(address))
    monkeypatch.setattr("socket.socket.connect", lambda _, address: asked.append(address))
    refresh = '<head><meta http-equiv="refresh" content="0; url=https://tea.example/next">'
    image = '<article><img src="https://tea.example/kettle.jpg" width="800" height="600">'
    find_tool(name)(ARTICLE.replace("<head>", refresh).replace("<article>", image), "en")
    assert asked == []


def test_names_are_those_of_the_table() -> None:
    assert all(name == tool.name for name, tool in OTHER_TOOLS.items())
    assert "turbohtml" in installed_tools()


def test_finding_out_what_is_installed_imports_nothing() -> None:
    program = (
        "import sys; from dehusk.lab.evaluation.other_tools import OTHER_TOOLS, installed_tools; installed_tools();"
        "print(*[tool.module for tool in OTHER_TOOLS.values() if tool.module in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_an_unknown_tool_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match="trafilatura"):
        find_tool("no-such-tool")


def test_a_tool_that_is_not_installed_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OTHER_TOOLS, "absent", absent)
    assert "absent" not in installed_tools()
    with pytest.raises(MissingExtra, match="pip install no-such-package"):
        find_tool("absent")


def test_what_a_tool_logs_is_not_shown(caplog: pytest.LogCaptureFixture) -> None:
    find_tool("turbohtml")
    logging.getLogger("turbohtml.parser").warning("odd markup")
    assert caplog.records == []


def test_whatever_a_tool_raises_becomes_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fall_over(html: str) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr("turbohtml.parse", fall_over)
    with pytest.raises(OtherToolFailed, match=r"turbohtml: .*RecursionError: too deep") as caught:
        find_tool("turbohtml")(ARTICLE)
    assert isinstance(caught.value, PageError)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ('<meta charset="iso-8859-1"><p>Käse'.encode(), '<meta charset="utf-8"><p>Käse'),
        (b"<?xml version='1.0' encoding='latin-1'?>\n<p>Tee", "\n<p>Tee"),
        (
            b"<meta http-equiv=a content='text/html; charset=gb2312'>",
            "<meta http-equiv=a content='text/html; charset=utf-8'>",
        ),
        (b"<p>charset=gb2312", "<p>charset=gb2312"),
    ],
)
def test_decoded_html_claims_no_other_encoding(body: bytes, text: str) -> None:
    assert decoded_html(body) == text
