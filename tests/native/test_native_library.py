"""The compiled part: it is there, and one that does not fit is refused with what to do."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

import dehusk
from dehusk.native import library

MANIFEST = Path(__file__).parents[2] / "native" / "Cargo.toml"


def test_the_version_is_written_once() -> None:
    assert library.library_version() == tomllib.loads(MANIFEST.read_text("utf-8"))["package"]["version"]


def test_a_library_of_another_interface_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    other = SimpleNamespace(lib=SimpleNamespace(dehusk_interface=lambda: 0), ffi=None)
    monkeypatch.setitem(sys.modules, "dehusk._native", other)
    with pytest.raises(dehusk.NativeError, match=r"has interface 0, .* needs \d+; build it again"):
        library._load()


def test_a_missing_library_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dehusk._native", None)
    with pytest.raises(dehusk.NativeError, match=r"cannot be loaded .*; build it again"):
        library._load()
