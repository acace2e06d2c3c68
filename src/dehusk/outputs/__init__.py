"""Labelled blocks -> str. OUTPUTS: one line per format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib import import_module
from typing import Any, Final

from dehusk.deciding.cleaning_at_once import CleanedAtOnce
from dehusk.deciding.decisions import LabelledBlocks
from dehusk.errors import InvalidSetting, UnknownName, WrongType
from dehusk.outputs.document.output_options import OutputOptions


@dataclass(frozen=True, slots=True)
class Output:
    """A format: its module, imported on first use, the names of its render function and options there, its suffix."""

    module: str
    function: str
    options_name: str
    """A class, whose defaults are used, or a constant."""
    suffix: str
    function_of_parts: str = ""
    """Renders part by part, for output that can be many times the size of the page."""
    takes_cleaned: bool = False
    """Whether it takes a `CleanedAtOnce`, too: what the compiled part writes needs no blocks in Python."""

    @property
    def options(self) -> Any:
        """The default options."""
        return _default_options(self.module, self.options_name)

    def options_or_default(self, options: Any) -> Any:
        """These options, which must be of this format, or the default for None."""
        if options is None:
            return self.options
        default = type(self.options)
        kind = OutputOptions if issubclass(default, OutputOptions) else default
        if not isinstance(options, kind):
            cause = f"{type(options).__name__} is not of this format ({self.module})"
            raise WrongType("options", cause, f"pass dehusk.{default.__name__}")
        return options

    def render(self, labelled: LabelledBlocks | CleanedAtOnce, options: Any = None) -> str:
        """The whole output."""
        return str(_named(self.module, self.function)(labelled, options))

    def parts(self, labelled: LabelledBlocks | CleanedAtOnce, options: Any) -> Iterable[str]:
        """The output, in one or more parts."""
        if not self.function_of_parts:
            return [self.render(labelled, options)]
        found: Iterable[str] = _named(self.module, self.function_of_parts)(labelled, options)
        return found


@cache
def _named(module: str, name: str) -> Any:
    return getattr(import_module(f"dehusk.outputs.{module}"), name)


@cache
def _default_options(module: str, name: str) -> Any:
    """Made once: options are frozen."""
    found = _named(module, name)
    return found() if isinstance(found, type) else found


_WITH_LINKS: Final = "WITH_LINKS_AND_IMAGES"
OUTPUTS: Final[dict[str, Output]] = {
    "text": Output("text", "render_text", "TextOptions", ".txt", takes_cleaned=True),
    "markdown": Output("markdown", "render_markdown", "MarkdownOptions", ".md", takes_cleaned=True),
    "html": Output("html", "render_html", _WITH_LINKS, ".html", takes_cleaned=True),
    "xml": Output("xml", "render_xml", _WITH_LINKS, ".xml", takes_cleaned=True),
    "tei": Output("tei", "render_tei", _WITH_LINKS, ".tei.xml", takes_cleaned=True),
    "jsonl": Output("page_records", "render_jsonl", "RecordOptions", ".jsonl", takes_cleaned=True),
    "csv": Output("page_records", "render_csv", "RecordOptions", ".csv", takes_cleaned=True),
    "chunks": Output("chunks", "render_chunks", "ChunkOptions", ".chunks.jsonl"),
    "json": Output("block_json", "render_json", "JsonOptions", ".json", "json_parts"),
    "words": Output("words", "render_words", "WordsOptions", ".words.txt"),
    "cleaneval": Output("cleaneval_text", "render_cleaneval", "CleanEvalOptions", ".cleaneval.txt"),
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
    if "document" in _names(options):
        content = getattr(changed, "content", "markdown")
        return replace(changed, document=options_with(changed.document or OUTPUTS[content].options, further))
    raise InvalidSetting(next(iter(further)), "no such option", f"choose from {', '.join(_names(options))}")


def _names(options: Any) -> list[str]:
    return [field.name for field in fields(options)]
