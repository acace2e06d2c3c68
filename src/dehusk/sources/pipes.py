"""Named pipes, which block whoever opens them until somebody writes to them."""

from __future__ import annotations

import os
import select
from typing import BinaryIO, Final

from dehusk.errors import SourceUnreadable

PIPE_SECONDS: Final = 30.0
"""How long a pipe may have no writer: programs that are started together open it within moments."""


def open_pipe(path: str) -> BinaryIO:
    """Open a named pipe once somebody writes to it, and raise `SourceUnreadable` if nobody does within some time."""
    stream = open(path, "rb", opener=_open_at_once)  # noqa: SIM115 - the caller closes it
    if not _has_writer(path, stream.fileno()):
        stream.close()
        cause = f"is a pipe that nobody has opened to write to it within {PIPE_SECONDS:g} seconds"
        raise SourceUnreadable(path, cause, "start the program that writes to it first, or give a file")
    os.set_blocking(stream.fileno(), True)
    return stream


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)


def _has_writer(path: str, descriptor: int) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    if poll.poll(1000 * PIPE_SECONDS):
        return True  # there are bytes, or a writer has come and gone
    # A writer may be silent for as long as it likes. To tell, be one for a moment: without another, that is the end.
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
    except OSError:
        return False
    return not any(state & select.POLLHUP and not state & select.POLLIN for _, state in poll.poll(0))
