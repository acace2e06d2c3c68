"""Text that a page tells search engines but does not show.

Pages that fill themselves by script, or stand behind a wall, often hold their article all the same: as the body of an
article, or the description of a product, in JSON-LD. What of it the page does not show is text of the page.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Final

from dehusk.page.characters import encodable
from dehusk.page.json_ld import Node, json_ld_nodes
from dehusk.page.page_columns import Page

_FEWEST_LETTERS: Final = 200
"""Of what is not shown: less may be a caption, or a sentence that was mended in one place alone."""
_LEAST_SHARE: Final = 0.5
"""Of the text that must be missing. Where it is less, the page shows the text, in other words or with other breaks."""
_MOST_TOLD: Final = 400_000
"""Characters: a long book."""
_MOST_SHOWN: Final = 1_000_000
"""Characters of a page that shows enough: each sentence is looked for in all of them."""
_MOST_LOOKED_FOR: Final = 1000
"""Sentences; all that follow go with the last of them."""
_LOOKED_FOR: Final = 40
"""Letters of a sentence that tell it from all others."""
_FEWEST_LOOKED_FOR: Final = 12
"""Letters of a sentence that is looked for: shorter ones go with the one before."""

_NO_LETTER = re.compile(r"[\W_]+")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_LINE_END = re.compile(r"[\n\r\v\f\u2028\u2029]+")
_SENTENCE_END = re.compile(r"(?<=[.!?…])(?=\s)|(?<=[。！？])")


def unshown_paragraphs(page: Page) -> list[str]:
    """What the page tells of its text and does not show, if that is most of it; none for nearly all pages."""
    told = max(_told(page), key=len, default="")
    if not _FEWEST_LETTERS <= len(told) <= _MOST_TOLD or len(page.text) > _MOST_SHOWN:
        return []
    # Twice: templates escape what was escaped before.
    paragraphs = _LINE_END.split(_TAG.sub("\n", html.unescape(html.unescape(told))))
    missing = list(_missing(paragraphs, _letters(page.text)))
    letters = len(_letters("".join(missing)))
    if letters < max(_FEWEST_LETTERS, _LEAST_SHARE * len(_letters("".join(paragraphs)))):
        return []
    return [paragraph for paragraph in missing if paragraph]


def _told(page: Page) -> Iterator[str]:
    """Bodies of articles and descriptions of products."""
    if not any("articleBody" in script or "Product" in script for _, script in page.embedded):
        return
    for node in json_ld_nodes(page):
        for text in (node.get("articleBody"), node.get("description") if _is_product(node) else None):
            if isinstance(text, str):
                yield encodable(text).replace("\0", "")


def _is_product(node: Node) -> bool:
    types = node.get("@type")
    return any(str(one).rpartition("/")[2] == "Product" for one in (types if isinstance(types, list) else [types]))


def _missing(paragraphs: list[str], shown: str) -> Iterator[str]:
    """Of each paragraph, the sentences that are not shown."""
    looked_for, is_missing = 0, False
    for paragraph in paragraphs:
        kept = []
        for sentence in _SENTENCE_END.split(paragraph):
            letters = _letters(sentence)[:_LOOKED_FOR]
            if len(letters) >= _FEWEST_LOOKED_FOR and looked_for < _MOST_LOOKED_FOR:
                looked_for, is_missing = looked_for + 1, letters not in shown
            if is_missing:
                kept.append(sentence)
        yield "".join(kept).strip()


def _letters(text: str) -> str:
    """Letters and digits alone, in lower case: blanks and marks differ between what is told and what is shown."""
    return _NO_LETTER.sub("", text).lower()
