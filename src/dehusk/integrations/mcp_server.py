"""A server of the Model Context Protocol over `page_tools`, with the official package: `dehusk mcp`.

An error is an answer with `isError` whose structured content is `{"error": {"kind", "message", "remedy"}}`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from dehusk.errors import DehuskError, needed
from dehusk.integrations.kept_pages import Access, KeptPages
from dehusk.integrations.page_tools import PageTools
from dehusk.version import __version__
from dehusk.workers.guard import guarded

with needed("mcp", "for the MCP server (version 2)", "mcp"):
    from mcp.server.mcpserver import MCPServer
    from mcp.types import CallToolResult, TextContent, ToolAnnotations

_INSTRUCTIONS: Final = (
    "Clean web pages: main content as Markdown, without navigation, ads and other boilerplate. Long texts are in parts "
    "(next_start). Errors have a kind: private-address, robots, blocked, timeout, too-large, not-html, not-found, ..."
)

TOOLS: Final = {
    "clean_url": True,
    "clean_file": False,
    "clean_html": False,
    "clean_site": True,
    "search_page": True,
    "explain": True,
}
"""Methods of `PageTools` -> whether they may ask the web."""


def serve(access: Access) -> None:
    """Serve over standard input and output until the client leaves."""
    with KeptPages(access) as pages:
        build_server(PageTools(pages)).run("stdio")


def build_server(tools: PageTools) -> Any:
    """The server with its tools."""
    server = MCPServer("dehusk", instructions=_INSTRUCTIONS, version=__version__, log_level="ERROR")
    for name, reaches_out in TOOLS.items():
        annotations = ToolAnnotations(read_only_hint=True, open_world_hint=reaches_out)
        server.add_tool(_answering(getattr(tools, name)), annotations=annotations)
    return server


def _answering(tool: Callable[..., dict[str, Any]]) -> Callable[..., Any]:
    """The tool, with errors as answers."""

    @wraps(tool)
    def answer(**arguments: Any) -> Any:
        found = guarded(lambda given: tool(**given), arguments, tool.__name__)
        return _as_answer(found) if isinstance(found, DehuskError) else found

    return answer


def _as_answer(error: DehuskError) -> Any:
    told = {"kind": error.kind, "message": str(error), "remedy": error.remedy}
    return CallToolResult(
        content=[TextContent(type="text", text=f"{error.kind}: {error}")],
        structured_content={"error": told},
        is_error=True,
    )
