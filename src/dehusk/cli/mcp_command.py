"""`dehusk mcp`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dehusk.cli import shared_options as options


def mcp_command(
    folder: Annotated[
        Path, typer.Option("--folder", metavar="DIR", help="Files below this folder may be read, and no others.")
    ] = Path(),
    allow_private: options.AllowPrivate = False,
    render: options.RenderOption = False,
    delay: options.DelayOption = 1.0,
    contact: options.ContactOption = "",
) -> None:
    """Serve tools for language models over standard input and output (Model Context Protocol).

    The tools clean an address, a file, html or a site, search within a page, and explain decisions. Needs
    dehusk[mcp]. Addresses are fetched as `dehusk crawl` does: where robots.txt allows it, one at a time, and never from
    this machine or private networks, unless --allow-private is given. Errors have a kind; see docs/machines.md.

    Clients start the server themselves. Put the command into their configuration:

      {"mcpServers": {"dehusk": {"command": "dehusk", "args": ["mcp", "--folder", "pages"]}}}

    Examples:

      dehusk mcp

      dehusk mcp --folder pages --contact you@example.org
    """
    from dehusk.cli.reporting import fail

    if not folder.is_dir():
        fail(f"{folder}: no such folder; name one with --folder")
    from dehusk.integrations.kept_pages import Access
    from dehusk.integrations.mcp_server import serve

    serve(Access(folder, allow_private, render, contact, delay))
