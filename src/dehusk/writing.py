"""Files are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """A temporary file beside the target, which takes its name at the end; if writing fails, nothing of it is left."""
    temporary = target.with_name(f".dehusk-{os.getpid()}-{target.name[:100]}")
    try:
        yield temporary
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
