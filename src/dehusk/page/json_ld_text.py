"""Text in JSON-LD that the page does not show.

Pages rendered by script or behind a paywall often still hold their text for search engines, as the body of an article
or the description of a product in JSON-LD. Text there that the page does not show is added to the page.
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
"""Letters that must be missing: fewer may be a caption, or a sentence edited in only one of the two."""
_LEAST_SHARE: Final = 0.5
"""Share of the text that must be missing. If less is, the page shows the text, slightly different."""
_MOST_STORED: Final = 400_000
"""Characters: a long book."""
_MOST_SHOWN: Final = 1_000_000
"""Characters of a page beyond which nothing is searched: each sentence is looked for in all of them."""
_MOST_LOOKED_FOR: Final = 1000
"""Sentences to look for; those that follow are treated like the last of them."""
_LOOKED_FOR: Final = 40
"""Letters that identify a sentence."""
_FEWEST_LOOKED_FOR: Final = 12
"""Letters of a sentence to look for: shorter ones are treated like the one before."""

_NO_LETTER = re.compile(r"[\W_]+")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_LINE_END = re.compile(r"[\n\r\v\f\u2028\u2029]+")
_SENTENCE_END = re.compile(r"(?<=[.!?…])(?=\s)|(?<=[。！？])")


def unshown_paragraphs(page: Page) -> list[str]:
    """The JSON-LD text that the page does not show, if that is most of it; empty for nearly all pages."""
    stored = max(_stored_texts(page), key=len, default="")
    if not _FEWEST_LETTERS <= len(stored) <= _MOST_STORED or len(page.text) > _MOST_SHOWN:
        return []
    # Twice: templates escape what was escaped before.
    paragraphs = _LINE_END.split(_TAG.sub("\n", html.unescape(html.unescape(stored))))
    missing = list(_missing(paragraphs, _letters(page.text)))
    letters = len(_letters("".join(missing)))
    if letters < max(_FEWEST_LETTERS, _LEAST_SHARE * len(_letters("".join(paragraphs)))):
        return []
    return [paragraph for paragraph in missing if paragraph]


def _stored_texts(page: Page) -> Iterator[str]:
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
    """Letters and digits in lower case: spaces and punctuation often differ between JSON-LD and page."""
    return _NO_LETTER.sub("", text).lower()
