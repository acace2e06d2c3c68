"""Labelled blocks -> str. OUTPUTS: one line per format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from dehusk.deciding.decisions import LabelledBlocks
from dehusk.errors import InvalidSetting, UnknownName
from dehusk.outputs.block_json import JsonOptions, json_parts, render_json
from dehusk.outputs.chunks import ChunkOptions, render_chunks
from dehusk.outputs.cleaneval_text import CleanEvalOptions, render_cleaneval
from dehusk.outputs.document.output_options import WITH_LINKS_AND_IMAGES
from dehusk.outputs.html import render_html
from dehusk.outputs.markdown import MarkdownOptions, render_markdown
from dehusk.outputs.page_records import RecordOptions, render_csv, render_jsonl
from dehusk.outputs.tei import render_tei
from dehusk.outputs.text import TextOptions, render_text
from dehusk.outputs.words import WordsOptions, render_words
from dehusk.outputs.xml import render_xml


@dataclass(frozen=True, slots=True)
class Output:
    """A format: its render function, default options and file suffix."""

    render: Callable[..., str]
    options: Any
    suffix: str
    render_parts: Callable[..., Iterator[str]] | None = None
    """Renders part by part, for output that can be many times the size of the page."""

    def parts(self, labelled: LabelledBlocks, options: Any) -> Iterable[str]:
        """The output, in one or more parts."""
        return self.render_parts(labelled, options) if self.render_parts else [self.render(labelled, options)]


OUTPUTS: Final[dict[str, Output]] = {
    "text": Output(render_text, TextOptions(), ".txt"),
    "markdown": Output(render_markdown, MarkdownOptions(), ".md"),
    "html": Output(render_html, WITH_LINKS_AND_IMAGES, ".html"),
    "xml": Output(render_xml, WITH_LINKS_AND_IMAGES, ".xml"),
    "tei": Output(render_tei, WITH_LINKS_AND_IMAGES, ".tei.xml"),
    "jsonl": Output(render_jsonl, RecordOptions(), ".jsonl"),
    "csv": Output(render_csv, RecordOptions(), ".csv"),
    "chunks": Output(render_chunks, ChunkOptions(), ".chunks.jsonl"),
    "json": Output(render_json, JsonOptions(), ".json", json_parts),
    "words": Output(render_words, WordsOptions(), ".words.txt"),
    "cleaneval": Output(render_cleaneval, CleanEvalOptions(), ".cleaneval.txt"),
}


def find_output(name: str) -> Output:
    """A format by its name."""
    if name not in OUTPUTS:
        raise UnknownName(name, "no such format", f"choose one of {', '.join(OUTPUTS)}")
    return OUTPUTS[name]


def options_with(options: Any, changes: Mapping[str, Any]) -> Any:
    """The options of a format with these changes. What the document in a record or chunk shows is among them."""
    own = {name: value for name, value in changes.items() if name in _names(options)}
    further = {name: value for name, value in changes.items() if name not in own}
    changed = replace(options, **own)
    if not further:
        return changed
    if isinstance(options, RecordOptions | ChunkOptions):
        content = changed.content if isinstance(changed, RecordOptions) else "markdown"
        return replace(changed, document=options_with(changed.document or OUTPUTS[content].options, further))
    raise InvalidSetting(next(iter(further)), "no such option", f"choose from {', '.join(_names(options))}")


def _names(options: Any) -> list[str]:
    return [field.name for field in fields(options)]
