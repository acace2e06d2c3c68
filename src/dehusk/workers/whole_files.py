"""Write files whole or not at all, under safe names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dehusk.errors import OutputError


@contextmanager
def output_errors(target: str | Path, remedy: str = "choose another --output") -> Iterator[None]:
    """Turn errors of the operating system into an `OutputError`."""
    try:
        yield
    except OSError as error:
        raise OutputError(str(target), (error.strerror or str(error)).lower(), remedy) from error


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """A temporary file beside the target, renamed to it at the end; removed if writing fails."""
    temporary = target.with_name(f".dehusk-{os.getpid()}-{target.name[:100]}")
    try:
        yield temporary
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def write_whole(target: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    with written_whole(target) as temporary:
        temporary.write_bytes(data)


def digest_name(*described: str) -> str:
    """A file name that is safe anywhere: 32 hexadecimal digits of a hash."""
    from hashlib import sha256  # loads OpenSSL, which few runs need

    return sha256("\n".join(described).encode("utf-8", "surrogatepass")).hexdigest()[:32]
