"""Rules on what readers write: comments below an article, posts in a forum.

Comments are found in two ways: the network classifies most of the kept text as comments, and an article remains without
them; or a line such as `12 Comments` announces them, and they follow in the same element. In forums, signatures below
posts are dropped.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from dehusk.blocks.block_columns import BlockMask, Blocks, Kind
from dehusk.deciding.situations import DROP, FEWEST_CHARACTERS, Situation, Verdicts

COMMENT: Final = 0.5
"""Probability from which a block counts as a comment."""
_MOSTLY_COMMENTS: Final = 0.6
"""Share of the kept text from which comments bury an article. In a forum everything, or nearly so, is a comment."""
_SURELY_FORUM: Final = 0.95
"""Probability from which a page is certainly a forum, whose posts are all kept. An article with much discussion below
it also resembles a forum, but with less certainty."""
_LONGEST_LINE: Final = 160
"""Characters of an announcing line, which may repeat the title: `3 responses to "How to..."`."""
_MOST_LINES: Final = 2
"""Announcing lines on a page with one comment section, which may have parts from two comment services."""
_MOST_LINKED: Final = 0.5
"""Share of link text: beside the title of an article, `12 Comments` is a link to them."""
_DISCUSSION: Final = 2.0
"""Announced text this many times as long as the rest is a discussion, and kept: its replies are posts."""
_SHORTEST_SECTION: Final = 40
"""Characters that must follow in the same element; otherwise the section is the element around it."""

_NAMES: Final = frozenset(
    ", ".join(
        (
            "comments, reader comments, user comments, all comments, latest comments, comments so far, responses",
            "replies, reactions, kommentare, leserkommentare, kommentarer, kommentit, reacties, commentaires",
            "réactions, commenti, comentarios, comentários, komentarze, opinie, komentáře, komentari, hozzászólások",
            "yorumlar, комментарии, отзывы, коментарі, коментари, σχόλια, 评论, 网友评论, 網友評論, 评论区, 最新评论",
            "热门评论, 留言, 回應, コメント, 댓글, bình luận, تعليقات, التعليقات",
        )
    ).split(", ")
)
"""Announcing lines in many languages, without numbers and punctuation."""
_NAMES_OF_NUMBERS: Final = frozenset(
    ", ".join(
        (
            "comment, response, reply, thought, thoughts, kommentar, commentaire, comentario, comentário, commento",
            "reactie, komentarz, komentář, комментарий, комментария, комментариев, коментар, σχόλιο, yorum",
            "条评论, 条留言, 則留言, 件のコメント",
        )
    ).split(", ")
)
"""Words that announce comments only with a number."""
_ABOUT: Final = re.compile(r"(?:comment|response|repl(?:y|ie)|reaction|thought)s? (?:on|to|for) ")
"""How announcing lines with a number and the title begin."""
_NO_LETTERS: Final = re.compile(r"[\W\d_]+")
_NONE: Final = re.compile(r"(?<!\d)0(?!\d)")

_SIGNATURE: Final = re.compile(r"signatures?(?![a-z])|(?<![a-z])sig(?![a-z])")
"""Matches `message-signature`, `userSignature` and `post_sig` in lower case, but not `assigned` or `designed`."""
_MOST_IN_SIGNATURES: Final = 0.5
"""Largest share of the kept text that signatures may have: BODY can have the class `with-signatures`, too."""


def comments_on_an_article(situation: Situation) -> Verdicts:
    """Drop comments, as classified by the network, that make up most of the page, if enough other text is left."""
    judgement = situation.judgement
    comments = judgement.comments >= COMMENT
    kept, commenting = situation.kept_characters(np.ones_like(comments)), situation.kept_characters(comments)
    is_buried = commenting >= _MOSTLY_COMMENTS * kept and kept - commenting >= FEWEST_CHARACTERS
    is_forum = judgement.page_type == "forum" and judgement.type_certainty >= _SURELY_FORUM
    dropped = situation.keep & comments & (is_buried and not is_forum)
    return np.where(dropped, np.int8(DROP), np.int8(0))


def find_announced_comments(blocks: Blocks, keep: BlockMask) -> BlockMask:
    """bool: kept blocks that a line announces as comments, and the line itself."""
    kept_before = np.concatenate(([0], np.cumsum(np.where(keep, blocks.length, 0))))
    follows = (kept_before[:-1] >= FEWEST_CHARACTERS) & (kept_before[:-1] < kept_before[-1])
    is_line = ~blocks.hidden & (blocks.length <= _LONGEST_LINE) & (blocks.link_share < _MOST_LINKED)
    is_control = (blocks.kind == Kind.FORM) | (blocks.kind == Kind.LIST_ITEM)  # buttons and tabs
    candidates = np.flatnonzero(follows & is_line & ~is_control).tolist()
    announcing = [index for index in candidates if _announces(blocks.texts[index])]
    announced = np.zeros(len(blocks), dtype=bool)
    # More lines than that: answers with comments of their own, and the answers are the content.
    if len(announcing) <= _MOST_LINES:
        for first in announcing:
            announced[first : _end_of_section(blocks, first)] = True
    found = keep & announced
    is_discussion = blocks.length[found].sum() > _DISCUSSION * blocks.length[keep & ~found].sum()
    return np.zeros_like(found) if is_discussion else found


def _announces(text: str) -> bool:
    """Whether a line announces comments.

    >>> [_announces(text) for text in ("12 Comments", "Комментарии (3)", "3 thoughts on “Tea”")]
    [True, True, True]
    >>> [_announces(text) for text in ("Comments: 0", "Comment", "Leave a comment")]
    [False, False, False]
    """
    words = _NO_LETTERS.sub(" ", text).strip().casefold()
    names = words in _NAMES
    if not names and words not in _NAMES_OF_NUMBERS and _ABOUT.match(words) is None:
        return False
    return (names or any(map(str.isdigit, text))) and not _NONE.search(text)


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
    page = blocks.page
    is_signature = np.zeros(len(page), dtype=bool)
    for attribute in ("class", "id"):
        for row, value in page.with_attribute(attribute):
            is_signature[row] |= _SIGNATURE.search(value.lower()) is not None
    found = keep & (page.covered(is_signature)[blocks.first_row] > 0)
    few = blocks.length[found].sum() <= _MOST_IN_SIGNATURES * blocks.length[keep].sum()
    return np.asarray(found & few)
