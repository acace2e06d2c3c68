"""Markdown of dehusk and of other tools, with links, images and formatting, and the parser that reads it."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin

import dehusk
from dehusk.methods.base import Model
from dehusk.sources.raw_page import RawPage


def markdown_parser() -> MarkdownIt:
    """CommonMark with tables and footnotes."""
    return MarkdownIt("commonmark").enable("table").use(footnote_plugin)


def letters(text: str) -> str:
    """What is compared: letters and digits."""
    return "".join(filter(str.isalnum, text))


def by_dehusk(html: str, raw: RawPage, model: Model | None = None) -> str:
    return dehusk.extract(html, url=raw.url, links=True, images=True, model=model)


def by_trafilatura(html: str, raw: RawPage) -> str:
    import trafilatura

    shown = {"include_links": True, "include_images": True, "include_formatting": True, "include_tables": True}
    return trafilatura.extract(html, url=raw.url or None, output_format="markdown", **shown) or ""


def by_html_to_markdown(html: str, raw: RawPage) -> str:
    from html_to_markdown import convert

    return str(convert(html).content)


_ALL_TOOLS: dict[str, tuple[str, Callable[[str, RawPage], str]]] = {
    "dehusk": ("dehusk", by_dehusk),
    "trafilatura": ("trafilatura", by_trafilatura),
    "html-to-markdown": ("html_to_markdown", by_html_to_markdown),
}
"""Names of tools, and of their packages."""
TOOLS = {name: convert for name, (package, convert) in _ALL_TOOLS.items() if find_spec(package)}
"""Those that are installed."""
