"""Rules on what readers write: comments below an article, posts in a forum.

Comments are found in two ways: the network classifies most of the kept text as comments, and an article remains without
them; or a line such as `12 Comments` announces them, and they follow in the same element. In forums, signatures below
posts are dropped.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import BlockMask, Blocks, Kind
from dehusk.deciding.situations import DROP, FEWEST_CHARACTERS, Situation, Verdicts
from dehusk.page.tags import ATTRIBUTES

COMMENT: Final = 0.15
"""Probability from which a block counts as a comment. Few pages have comments, and the network is careful: of held-out
pages of dragnet-2012 with comments it finds them with a mean word F1 of 0.74 from here, and of 0.45 from 0.5."""
_SURELY_COMMENT: Final = 0.5
"""The same where comments are dropped that scored as content: with 0.15, news-90minutos loses 0.10 of its word F1."""
_MOSTLY_COMMENTS: Final = 0.6
"""Share of the kept text from which comments bury an article. In a forum everything, or nearly so, is a comment."""
_SURELY_FORUM: Final = 0.95
"""Probability from which a page is certainly a forum, whose posts are all kept. An article with much discussion below
it also resembles a forum, but with less certainty."""
_MOST_LINES: Final = 2
"""Announcing lines on a page with one comment section, which may have parts from two comment services."""
_DISCUSSION: Final = 2.0
"""Announced text this many times as long as the rest is a discussion, and kept: its replies are posts."""
_SHORTEST_SECTION: Final = 40
"""Characters that must follow in the same element; otherwise the section is the element around it."""

_SIGNATURE: Final = re.compile(r"signatures?(?![a-z])|(?<![a-z])sig(?![a-z])")
"""Matches `message-signature`, `userSignature` and `post_sig` in lower case, but not `assigned` or `designed`."""
_IN_SIGNATURES: Final = "sig"
"""Part of all these names."""
_IS_NAME: NDArray[np.bool_] = np.isin(ATTRIBUTES, ["class", "id"])
"""bool, one entry per known attribute: whether it names elements."""
_MOST_IN_SIGNATURES: Final = 0.5
"""Largest share of the kept text that signatures may have: BODY can have the class `with-signatures`, too."""


def comments_on_an_article(situation: Situation) -> Verdicts:
    """Drop comments, as classified by the network, that make up most of the page, if enough other text is left."""
    judgement = situation.judgement
    comments = judgement.comments >= _SURELY_COMMENT
    if not comments.any():
        return situation.no_verdicts()
    kept, commenting = situation.kept_characters(np.ones_like(comments)), situation.kept_characters(comments)
    is_buried = commenting >= _MOSTLY_COMMENTS * kept and kept - commenting >= FEWEST_CHARACTERS
    is_forum = judgement.page_type == "forum" and judgement.type_certainty >= _SURELY_FORUM
    dropped = situation.keep & comments & (is_buried and not is_forum)
    return dropped * np.int8(DROP)


def find_announced_comments(blocks: Blocks, keep: BlockMask) -> BlockMask:
    """bool: kept blocks that a line announces as comments, and the line itself."""
    kept_before = np.concatenate(([0], np.cumsum(np.where(keep, blocks.length, 0))))
    follows = (kept_before[:-1] >= FEWEST_CHARACTERS) & (kept_before[:-1] < kept_before[-1])
    is_control = blocks.of_kind(Kind.FORM) | blocks.of_kind(Kind.LIST_ITEM)  # buttons and tabs
    announcing = blocks.announcing[(follows & ~is_control)[blocks.announcing]].tolist()
    announced = np.zeros(len(blocks), dtype=bool)
    # More lines than that: answers with comments of their own, and the answers are the content.
    if len(announcing) <= _MOST_LINES:
        for first in announcing:
            announced[first : _end_of_section(blocks, first)] = True
    found = keep & announced
    is_discussion = blocks.length[found].sum() > _DISCUSSION * blocks.length[keep & ~found].sum()
    return np.zeros_like(found) if is_discussion else found


def _end_of_section(blocks: Blocks, first: int) -> int:
    """The end of the closest element around a block in which enough text follows it."""
    page, row = blocks.page, int(blocks.owner[first])
    before = np.concatenate(([0], np.cumsum(blocks.length)))
    while True:
        end = int(np.searchsorted(blocks.first_row, page.subtree_end[row]))
        if row <= 0 or before[end] - before[first + 1] >= _SHORTEST_SECTION:
            return end
        row = int(page.parent[row])


def find_signatures(blocks: Blocks, keep: BlockMask) -> BlockMask:
    """bool: kept blocks in elements whose class or id names a signature."""
    page, values = blocks.page, blocks.page.attribute_value
    possible = values.distinct.containing(_IN_SIGNATURES)
    naming = [number for number in possible if _SIGNATURE.search(values.distinct[number].lower())]
    if not naming:
        return np.zeros_like(keep)
    is_signature = np.zeros(len(page), dtype=bool)
    is_signature[page.attribute_row[_IS_NAME[page.attribute_name] & np.isin(values.number, naming)]] = True
    found = keep & (page.covered(is_signature)[blocks.first_row] > 0)
    few = blocks.length[found].sum() <= _MOST_IN_SIGNATURES * blocks.length[keep].sum()
    return np.asarray(found & few)
