"""The command line: `main`, and `app`, which has all commands."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from dehusk.cli.reporting import SOME_FAILED, discard_output, errors_reported

if TYPE_CHECKING:
    from dehusk.cli.application import app as app


def __getattr__(name: str) -> Any:
    """`app`, imported on first use: cleaning pages with all defaults needs no parser of options."""
    if name != "app":
        raise AttributeError(f"module 'dehusk.cli' has no attribute {name!r}")
    from dehusk.cli.application import app

    return app


def main() -> None:
    """Run the command line; exit quietly when the reader closes the pipe (`| head`)."""
    try:
        _clean_only(sys.argv[2:]) if _is_plain(sys.argv[1:]) else _run()
    except BrokenPipeError:
        discard_output()
        sys.exit(141)
    except MemoryError:
        # Not from a page: each page is guarded. Rich would need memory to print this.
        sys.stderr.write("dehusk: out of memory; try fewer pages at once\n")
        sys.exit(SOME_FAILED)


def _run() -> None:
    from dehusk.cli.application import app

    app()


def _is_plain(arguments: list[str]) -> bool:
    """Whether the command is `dehusk clean` with pages alone: no options, so nothing to parse."""
    command, *pages = arguments or [""]
    return command == "clean" and bool(pages) and not any(page.startswith("-") and page != "-" for page in pages)


def _clean_only(pages: list[str]) -> None:
    """Clean pages with all defaults. Without typer, which takes as long as the cleaning to read a command's options."""
    from dehusk.cli.clean_running import CleanRequest, clean_pages

    with errors_reported():
        clean_pages(CleanRequest(tuple(pages)))
