"""Labelled blocks -> str. OUTPUTS: one line per format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from dehusk.deciding.decisions import LabelledBlocks
from dehusk.outputs.block_json import JsonOptions, json_parts, render_json
from dehusk.outputs.cleaneval_text import CleanEvalOptions, render_cleaneval
from dehusk.outputs.document.output_options import WITH_LINKS_AND_IMAGES
from dehusk.outputs.html import render_html
from dehusk.outputs.markdown import render_markdown
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


OUTPUTS: Final = {
    "text": Output(render_text, TextOptions(), ".txt"),
    "markdown": Output(render_markdown, WITH_LINKS_AND_IMAGES, ".md"),
    "html": Output(render_html, WITH_LINKS_AND_IMAGES, ".html"),
    "xml": Output(render_xml, WITH_LINKS_AND_IMAGES, ".xml"),
    "tei": Output(render_tei, WITH_LINKS_AND_IMAGES, ".tei.xml"),
    "jsonl": Output(render_jsonl, RecordOptions(), ".jsonl"),
    "csv": Output(render_csv, RecordOptions(), ".csv"),
    "json": Output(render_json, JsonOptions(), ".json", json_parts),
    "words": Output(render_words, WordsOptions(), ".words.txt"),
    "cleaneval": Output(render_cleaneval, CleanEvalOptions(), ".cleaneval.txt"),
}
