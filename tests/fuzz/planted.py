"""Targets with faults of every kind, to show that the fuzzer sees them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Hashable
from pathlib import Path

from fuzzing import Target
from mutations import mutate_bytes


def raises(data: bytes, folder: Path) -> Hashable:
    """An index that some inputs are out of."""
    return len(data), data[10]


def behaves_deeper(data: bytes, folder: Path) -> Hashable:
    """Only who keeps what gets further ever gets to the fault: three bytes by chance are one in millions."""
    wanted = b"\x00\xff\x80"
    right = next((number for number, byte in enumerate(wanted) if data[number : number + 1] != bytes([byte])), 3)
    assert right < 3, "got through"
    return right


def loops(data: bytes, folder: Path) -> Hashable:
    while True:
        pass


def hangs(data: bytes, folder: Path) -> Hashable:
    """As native code does, which no exception reaches: here, signals are blocked."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPROF])
    time.sleep(1000)
    return None


def fills_memory(data: bytes, folder: Path) -> Hashable:
    return len(b"x" * 300_000_000)


def asks_for_memory(data: bytes, folder: Path) -> Hashable:
    return len(bytearray(1 << 40))


def dies(data: bytes, folder: Path) -> Hashable:
    os.kill(os.getpid(), 9)
    return None


def is_sound(data: bytes, folder: Path) -> Hashable:
    return len(data) % 7


def _seeds() -> tuple[bytes, ...]:
    return (b"abcdefghijklmnopqrstuvwxyz",)


def _patience(function: Callable[[bytes, Path], Hashable]) -> float:
    """What hangs is waited for by the clock; on a busy machine others need their second of processor time first."""
    return 1.0 if function is hangs else Target.patience


TARGETS: dict[str, Target] = {
    function.__name__: Target(
        function,
        _seeds,
        mutate_bytes,
        seconds=1.0,
        seconds_per_byte=0,
        megabytes=100,
        patience=_patience(function),
    )
    for function in (raises, behaves_deeper, loops, hangs, fills_memory, asks_for_memory, dies, is_sound)
}
