"""The format of an output, by its name, and its options, by those of the command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dehusk.errors import InvalidSetting
from dehusk.outputs import OUTPUTS
from dehusk.outputs.document.output_options import OutputOptions

if TYPE_CHECKING:
    from dehusk.outputs.chunks import ChunkOptions


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


def shown_with(format_name: str, shown: Mapping[str, bool]) -> Any:
    """The options of a document format with what was asked for; those of other formats do not change."""
    if shown.get("front_matter") and format_name != "markdown":
        remedy = "add --format markdown, or --content markdown for records"
        raise InvalidSetting("--front-matter", "only Markdown has front matter", remedy)
    options = OUTPUTS[format_name].options if format_name else None
    return replace(options, **shown) if isinstance(options, OutputOptions) else options


def chunk_options(words: int, overlap: int, shown: Mapping[str, bool]) -> ChunkOptions:
    """The options of chunks. They are parts of Markdown without front matter."""
    from dehusk.outputs.chunks import ChunkOptions

    if shown.get("front_matter"):
        raise InvalidSetting("--front-matter", "chunks have none", "leave it out, or choose --format markdown")
    try:
        return ChunkOptions(words, overlap, shown_with("markdown", shown) if shown else None)
    except InvalidSetting as error:
        raise error.about(f"--chunk-{error.subject.removeprefix('max_')}") from error
