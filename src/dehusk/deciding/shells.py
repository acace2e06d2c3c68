"""Pages without their content: shells that scripts fill, and what a site shows to programs that it blocks.

A shell has little text, and a root for an application or a request to enable JavaScript. What such a page says to a
reader is not in its html, so no method can extract it. It is reported as `JS_REQUIRED`, with low confidence; `--render`
fetches it with a browser. A page that asks whether the reader is a robot, or says that access is denied, is `BLOCKED`.

Of 2,864 labelled pages with content, one is taken for a shell, and is one; none is taken for blocked
(`benchmarks/shells.py --pages 300`).
"""

from __future__ import annotations

import re
from typing import Final

from dehusk.blocks.block_columns import Blocks, Kind
from dehusk.blocks.page_title import title_of
from dehusk.deciding.verdicts import FEWEST_CHARACTERS
from dehusk.native.lazy_numpy import np
from dehusk.page.decoding import GARBLED, PLAIN_TEXT, WRONG_ENCODING
from dehusk.page.page_columns import Page

JS_REQUIRED: Final = "js-required"
BLOCKED: Final = "blocked"
PROBLEMS: Final = {
    JS_REQUIRED: "scripts fill this page, and its html has little text; for one from the web, try --render",
    BLOCKED: "the site shows this to programs that it keeps away, instead of the page",
    WRONG_ENCODING: "it is not in the encoding that it declares, and was read in the one that its bytes look like",
    PLAIN_TEXT: "it has no markup, and is kept whole: blank lines divide its paragraphs",
    GARBLED: "some of its text was encoded twice, and cannot be read",
}
"""What is wrong with a page -> what that means."""
LOW_CONFIDENCE: Final = 0.1
"""Most confidence in what was extracted from such a page."""

_ROOTS: Final = frozenset(
    "root app __next __nuxt ___gatsby app-root react-root main-app q-app svelte ember-application mount "
    "application root-app app-container spa-root vue-app angular-app".split()
)
"""Ids that frameworks and their starters give to the element they fill."""
_ROOT_TAGS: Final = frozenset({"app-root", "ng-app", "my-app", "ion-app", "app-shell"})
# Expressions are compiled where a page is short enough to need them: `re` keeps them.
_ENABLE: Final = "enabl|turn on|activ|aktivier|allow|requir|need|disabl|turned off|without|habilit|включ|启用|有効"
"""How requests to enable JavaScript begin, in some languages."""
_ASKS: Final = rf"(?is)(?:{_ENABLE})\w{{0,10}}\W.{{0,60}}java ?script|java ?script.{{0,60}}(?:{_ENABLE})"
MOST_SHOWN: Final = 1_200
"""Most characters that a page shows instead of its content; the longest known has 900."""
_BLOCKED_TITLES: Final = (
    r"(?i)\W*(?:just a moment|attention required|access (?:to this page has been )?denied|pardon our interruption"
    r"|robot (?:check|or human)|are you a (?:robot|human)|(?:vercel )?security (?:check|checkpoint)|client challenge"
    r"|(?:human|bot) verification|verify(?:ing)? (?:that )?you are (?:a )?human|checking your browser|ddos-guard"
    r"|(?:error )?40[13]\b|forbidden|unauthorized|blocked)\b"
)
"""How the titles of such pages begin."""
_BLOCKED_WORDS: Final = (
    r"(?i)checking (?:if the site connection is secure|your browser before)"
    r"|verify(?:ing)? (?:that )?you are (?:a )?human|unusual traffic from your"
    r"|press (?:&|and) hold to confirm|sorry, you have been blocked"
    r"|incapsula incident id|you don.t have permission to access|enable js and disable any ad blocker"
    r"|complete the (?:security check|captcha) (?:below |above )?to (?:access|continue|proceed)"
)
"""What services that keep programs away write on them."""
_PARTS_OF_WORDS: Final = (
    *("checking ", "verify", "unusual traffic from your", "hold to confirm", "sorry, you have been blocked"),
    *("incapsula incident id", "permission to access", "enable js and disable any ad blocker", "complete the "),
)
"""A part of each alternative: looking for these takes a tenth of the time of the expression, which few pages need."""
_ENOUGH: Final = max(MOST_SHOWN, FEWEST_CHARACTERS)
"""Characters of a page that has its content."""
_READ: Final = 20_000
"""Characters of hidden and shown text that are searched."""


def problem_of(blocks: Blocks, keep: bytes) -> str:
    """`blocked` or `js-required` if the page lacks its content; otherwise empty.

    Text that is kept (one byte a block) counts, shown or not: some forums put all posts into a `<noscript>`.
    """
    of_blocks = zip(blocks.lengths, blocks.hidden_bytes, keep, blocks.markup_kind_bytes, strict=True)
    characters, title = 0, Kind.TITLE.value
    for length, is_hidden, is_kept, kind in of_blocks:
        if kind != title and (is_kept or not is_hidden):
            characters += length
            if characters > _ENOUGH:  # after the first few blocks of most pages
                return ""
    if characters <= MOST_SHOWN and _is_refusal(blocks):
        return BLOCKED
    return JS_REQUIRED if characters < FEWEST_CHARACTERS and _needs_script(blocks) else ""


def _is_refusal(blocks: Blocks) -> bool:
    """Whether a short page is what a site shows to programs that it blocks."""
    return re.match(_BLOCKED_TITLES, title_of(blocks)) is not None or _says_that_it_blocks(_text(blocks))


def _says_that_it_blocks(text: str) -> bool:
    # To an expression that ignores case, the Turkish letters are an i as well.
    folded = text.replace("İ", "i").replace("ı", "i").casefold()
    return any(part in folded for part in _PARTS_OF_WORDS) and re.search(_BLOCKED_WORDS, text) is not None


def _needs_script(blocks: Blocks) -> bool:
    """Whether a page with little text is a shell: its text comes from scripts that were not run."""
    return _has_root(blocks.page) or re.search(_ASKS, _text(blocks)) is not None


def _text(blocks: Blocks) -> str:
    """The text of the body, shown or not; that of `<noscript>` is among it."""
    of_blocks = zip(blocks.texts, blocks.markup_kind_bytes, strict=True)
    return "\n".join(text for text, kind in of_blocks if kind != Kind.TITLE)[:_READ]


def _has_root(page: Page) -> bool:
    """Whether there is an element for an application, with little in it."""
    if _ROOT_TAGS & set(page.other_tags):
        return True
    rows = [row for row, value in page.with_attribute("id") if value.strip().lower() in _ROOTS]
    lengths = page.text_end[rows] - page.text_start[rows] if rows else np.zeros(0)
    return bool((lengths < FEWEST_CHARACTERS).any())
