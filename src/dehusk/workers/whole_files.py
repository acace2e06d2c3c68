"""Files are written whole or not at all, under names that are safe."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dehusk.errors import OutputError


@contextmanager
def output_errors(target: str | Path, remedy: str = "choose another --output") -> Iterator[None]:
    """What the system refuses becomes an error of ours."""
    try:
        yield
    except OSError as error:
        raise OutputError(str(target), (error.strerror or str(error)).lower(), remedy) from error


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """A temporary file beside the target, which takes its name at the end; if writing fails, nothing of it is left."""
    temporary = target.with_name(f".dehusk-{os.getpid()}-{target.name[:100]}")
    try:
        yield temporary
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def digest_name(*described: str) -> str:
    """A name for a file that is safe anywhere: 32 hexadecimal digits of what tells its content from others."""
    return hashlib.sha256("\n".join(described).encode("utf-8", "surrogatepass")).hexdigest()[:32]
