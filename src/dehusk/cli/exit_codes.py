"""Exit codes of the command line."""

from __future__ import annotations

from typing import Final

DONE: Final = 0
SOME_FAILED: Final = 1
"""Some pages could not be cleaned; the rest were."""
USAGE: Final = 2
"""Nothing could be done: wrong arguments, no pages, unreadable input. (Also what typer itself uses.)"""
FLOORS_BROKEN: Final = 3
"""Quality fell below a pinned floor."""
INTERRUPTED: Final = 130
TERMINATED: Final = 143
"""By SIGTERM. Both follow the shells' convention: 128 plus the number of the signal."""
