"""Waiting for what another process does."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_for(happened: Callable[[], bool], seconds: float, interval: float = 0.002) -> bool:
    """Whether it happens in time. Looks often, as files that are being written are soon there as a whole."""
    until = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > until:
            return False
        time.sleep(interval)
    return True
