"""`dehusk mcp`, asked by the client of the official package over standard input and output."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from command_line import dehusk
from late_imports import late_import
from local_server import Answer, serving
from small_web_site import answer

from dehusk.errors import InvalidSetting
from dehusk.integrations.kept_pages import Access, KeptPages
from dehusk.integrations.page_tools import PageTools

mcp = late_import("mcp")
mcp_server = late_import("dehusk.integrations.mcp_server", "mcp")

Ask = Callable[[str, dict[str, Any]], Awaitable[Any]]
STORY = "Steep the leaves for three minutes, then pour the tea into a warm cup. " * 9


def over_stdio(folder: Path, *options: str) -> Any:
    arguments = ["-m", "dehusk", "mcp", "--folder", str(folder), "--delay", "0", *options]
    return mcp.StdioServerParameters(command=sys.executable, args=arguments)


def with_client(server: Any, work: Callable[[Any], Awaitable[None]]) -> None:
    async def run() -> None:
        async with mcp.Client(server, read_timeout_seconds=120) as client:
            await work(client)

    anyio.run(run)


def kind_of(result: Any) -> str:
    assert result.is_error
    error = result.structured_content["error"]
    assert result.content[0].text == f"{error['kind']}: {error['message']}"
    return str(error["kind"])


def test_every_tool_over_standard_input_and_output(tmp_path: Path) -> None:
    (tmp_path / "tea.html").write_text(f"<title>Tea</title><h1>Tea</h1><p>{STORY}")

    async def work(client: Any) -> None:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == list(mcp_server.TOOLS)
        assert all(tool.description and tool.annotations and tool.annotations.read_only_hint for tool in tools)
        schema = tools[0].input_schema["properties"]
        assert schema["format"]["enum"] == ["markdown", "text"]

        file = (await client.call_tool("clean_file", {"path": "tea.html"})).structured_content
        assert file["text"].startswith("# Tea\n\nSteep")
        html = await client.call_tool("clean_html", {"html": f"<p>{STORY}", "format": "text"})
        assert json.loads(html.content[0].text) == html.structured_content
        assert html.structured_content["text"].startswith("Steep")

        site = (await client.call_tool("clean_site", {"url": server.url, "pages": 4})).structured_content
        assert len(site["pages"]) == 4
        url = site["pages"][1]["url"]
        assert (await client.call_tool("clean_url", {"url": url})).structured_content["text"]
        found = (await client.call_tool("search_page", {"query": "leaves", "source": "tea.html"})).structured_content
        assert found["results"][0]["headings"] == ["Tea"]
        listed = (await client.call_tool("explain", {"source": url})).structured_content
        assert listed["listed"]

        for tool, arguments, kind in (
            ("clean_file", {"path": "../x.html"}, "not-followed"),
            ("clean_file", {"path": "x.html"}, "not-found"),
            ("clean_url", {"url": f"{server.url}/pdf"}, "not-html"),
            ("clean_url", {"url": f"{server.url}/login"}, "blocked"),
            ("clean_url", {"url": "ftp://a.example/"}, "address-refused"),
            ("clean_site", {"url": server.url, "pages": 99}, "invalid-setting"),
            ("search_page", {"query": "tea"}, "invalid-setting"),
        ):
            assert kind_of(await client.call_tool(tool, arguments)) == kind, (tool, arguments)
        assert (await client.call_tool("clean_url", {"url": 1, "format": "pdf"})).is_error

    special = {"/pdf": Answer(b"%PDF-1.4", content_type="application/pdf"), "/login": Answer(b"no", 401)}
    with serving(lambda path: special.get(path) or answer(path)) as server:
        with_client(over_stdio(tmp_path, "--allow-private"), work)


def test_private_addresses_need_leave(tmp_path: Path) -> None:
    async def work(client: Any) -> None:
        assert kind_of(await client.call_tool("clean_url", {"url": server.url})) == "private-address"
        assert kind_of(await client.call_tool("clean_site", {"url": server.url})) == "private-address"

    with serving(answer) as server:
        with_client(over_stdio(tmp_path), work)
        assert server.asked == []


def test_what_goes_wrong_unexpectedly_is_an_answer_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(html: str, **_: Any) -> None:
        raise ZeroDivisionError(html) if html == "a" else InvalidSetting("html", "is odd")

    async def work(client: Any) -> None:
        assert kind_of(await client.call_tool("clean_html", {"html": "a"})) == "not-cleaned"
        assert kind_of(await client.call_tool("clean_html", {"html": "b"})) == "invalid-setting"

    monkeypatch.setattr("dehusk.integrations.page_tools.clean", fails)
    with KeptPages(Access(tmp_path)) as pages:
        with_client(mcp_server.build_server(PageTools(pages)), work)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    result = dehusk("mcp", "--folder", str(tmp_path / "nowhere"))
    assert result.returncode == 2
    assert b"no such folder" in result.stderr
