"""Signals as a terminal leaves them: what runs in the background may ignore some, and its children inherit that."""

from __future__ import annotations

import signal


def usual_signals() -> None:
    """For `preexec_fn` of processes that are to be interrupted."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
