"""Pages that scripts fill: a shell has little text, and a root for an application or a request to enable JavaScript.

What such a page says to a reader is not in its html, so no method can extract it. It is reported as `JS_REQUIRED`, with
low confidence; `--render` fetches it with a browser.

Of 2,864 labelled pages with content, one is taken for a shell, and is one (`benchmarks/shells.py --pages 300`).
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from dehusk.blocks.block_columns import Blocks, Kind
from dehusk.deciding.verdicts import FEWEST_CHARACTERS
from dehusk.page.page_columns import Page

JS_REQUIRED: Final = "js-required"
LOW_CONFIDENCE: Final = 0.1
"""Most confidence in what was extracted from a shell."""

_ROOTS: Final = frozenset(
    "root app __next __nuxt ___gatsby app-root react-root main-app q-app svelte ember-application mount "
    "application root-app app-container spa-root vue-app angular-app".split()
)
"""Ids that frameworks and their starters give to the element they fill."""
_ROOT_TAGS: Final = frozenset({"app-root", "ng-app", "my-app", "ion-app", "app-shell"})
_ENABLE: Final = "enabl|turn on|activ|aktivier|allow|requir|need|disabl|turned off|without|habilit|включ|启用|有効"
"""How requests to enable JavaScript begin, in some languages."""
_ASKS: Final = re.compile(
    rf"(?:{_ENABLE})\w{{0,10}}\W.{{0,60}}java ?script|java ?script.{{0,60}}(?:{_ENABLE})", re.IGNORECASE | re.DOTALL
)
_READ: Final = 20_000
"""Characters of hidden and shown text that are searched."""


def needs_script(blocks: Blocks) -> bool:
    """Whether a page is a shell: its text comes from scripts that were not run."""
    shown = ~blocks.hidden & (blocks.markup_kind != Kind.TITLE)
    if int(blocks.length[shown].sum()) >= FEWEST_CHARACTERS:
        return False
    return _has_root(blocks.page) or _ASKS.search(_text(blocks)) is not None


def _text(blocks: Blocks) -> str:
    """The text of the body, shown or not; that of `<noscript>` is among it."""
    texts = (blocks.texts[index] for index in np.flatnonzero(blocks.markup_kind != Kind.TITLE).tolist())
    return "\n".join(texts)[:_READ]


def _has_root(page: Page) -> bool:
    """Whether there is an element for an application, with little in it."""
    if _ROOT_TAGS & set(page.other_tags):
        return True
    rows = [row for row, value in page.with_attribute("id") if value.strip().lower() in _ROOTS]
    lengths = page.text_end[rows] - page.text_start[rows] if rows else np.zeros(0)
    return bool((lengths < FEWEST_CHARACTERS).any())
