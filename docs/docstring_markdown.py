"""Docstrings as Markdown, for the reference: sections as lists, examples as code.

mkdocstrings takes docstrings for Markdown, in which `>>>` is a quotation, `[0]` a link, and a list of arguments one
paragraph.
"""

from __future__ import annotations

import re
from typing import Any, Final

from griffe import Extension

_SECTION: Final = re.compile(r"(Arguments|Returns|Raises):")
_ENTRY: Final = re.compile(r" {4}(\w+): (.*)")
_PROMPT: Final = ">>> "


class SectionsAndExamples(Extension):
    """Rewrites the docstring of every object that is loaded."""

    def on_instance(self, *, obj: Any, **_: Any) -> None:
        """Called for each module, class, function and attribute."""
        if obj.docstring:
            obj.docstring.value = as_markdown(obj.docstring.value)


def as_markdown(docstring: str) -> str:
    """The docstring, paragraph by paragraph."""
    return "\n\n".join(map(_paragraph, docstring.split("\n\n")))


def _paragraph(text: str) -> str:
    if text.startswith(_PROMPT):
        return f"```pycon\n{text}\n```"
    title, _, rest = text.partition("\n")
    if rest and (section := _SECTION.fullmatch(title)):
        return "\n".join([f"**{section[1]}**", "", *map(_entry, rest.splitlines())])
    return text


def _entry(line: str) -> str:
    if found := _ENTRY.fullmatch(line):
        return f"* `{found[1]}`: {found[2]}"
    # The rest of an entry is indented as far as its text; a sentence instead of entries is not indented at all.
    return "  " + line.strip() if line.startswith(" " * 8) else line.strip()
