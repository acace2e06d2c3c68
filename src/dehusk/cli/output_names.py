"""The format of an output, by its name."""

from __future__ import annotations

from pathlib import Path

from dehusk.outputs import OUTPUTS


def format_for(output: Path | None) -> str:
    """The format that fits the name of the output, if it is none of a folder; otherwise text."""
    return "text" if output is None or output.is_dir() else format_of(output) or "text"


def format_of(output: Path) -> str:
    """The format that fits a suffix; empty if none does."""
    suffixes = {output_format.suffix: name for name, output_format in OUTPUTS.items()}
    suffixes |= {
        ".parquet": "parquet",
        ".jsonl.gz": "jsonl",
        ".jsonl.zst": "jsonl",
        ".csv.gz": "csv",
        ".csv.zst": "csv",
    }
    fitting = [suffix for suffix in suffixes if output.name.lower().endswith(suffix)]
    return suffixes[max(fitting, key=len)] if fitting else ""
