"""The version. It is written once, in `native/Cargo.toml`: packaging reads it there, and the compiled part knows it."""

from __future__ import annotations

from dehusk.native.library import library_version

__version__ = library_version()
