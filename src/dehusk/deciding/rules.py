"""Every rule that overrides a score, in one table.

A score judges one block; a rule knows something about the page that a score cannot. REPAIR rules mend what the
threshold kept. HIDE rules drop text that no reader can see. REMOVE rules drop the rest of what is clearly unwanted;
`favour="recall"`, which keeps doubtful text, skips them. Within a stage no rule sees another's result, and where two
disagree the later one wins.

The rules apply to models that judge whole pages. One more rule overrides scores, the votes of regions in the style
tree (`style_tree_scoring.keep_by_regions`). It must run inside that model, because the model decides by its result
whether a page is an index of the site, and scores an index differently.

`benchmarks/rules.py` measures each rule alone on labelled pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

import numpy as np

from dehusk.blocks.block_columns import BlockMask, Blocks, Kind
from dehusk.deciding.hidden_text import find_never_shown
from dehusk.deciding.kept_together import (
    code_between_text,
    figure_captions,
    formulas_between_text,
    section_headings,
    whole_listings,
)
from dehusk.deciding.other_articles import find_further_articles, find_teasers
from dehusk.deciding.reader_posts import comments_on_an_article, find_announced_comments, find_signatures
from dehusk.deciding.situations import DROP, FEWEST_CHARACTERS, Sign, Situation, Verdicts
from dehusk.page.tags import TAG_CODES


class Stage(Enum):
    """When a rule is applied."""

    REPAIR = auto()
    HIDE = auto()
    REMOVE = auto()


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its name, its reason, where it applies, and how it decides."""

    name: str
    stage: Stage
    reason: str
    """Why a block was kept or dropped, as shown by `--explain`."""
    decide: Callable[[Situation], Verdicts]
    measured: str
    """Pages that are better and worse with the rule alone than without any: of 1,074 pages labelled by the content
    policy, and of every sixth page of eight sets of gold, all of sites that the network was not trained on
    (`benchmarks/rules.py`)."""
    page_types: frozenset[str] = frozenset()
    """Page types it applies to; empty for all. If the evidence on the type disagrees, the rule does not apply: with the
    wrong type it could drop half of the page."""
    finds_comments: bool = False
    """Whether it drops readers' comments, which the user can ask for."""
    sign: Sign | None = None
    """What must be on the page; None if the rule always has to look closer."""

    def applies(self, situation: Situation) -> bool:
        """Whether the page is of its types, and has what the rule is about."""
        if self.sign is not None and not situation.signs[self.sign]:
            return False
        judgement = situation.judgement
        return not self.page_types or (judgement.type_agreed and judgement.page_type in self.page_types)


def _drop(find: Callable[[Blocks, BlockMask], BlockMask]) -> Callable[[Situation], Verdicts]:
    """A rule that drops the kept blocks found by a function."""

    def decide(situation: Situation) -> Verdicts:
        return find(situation.blocks, situation.keep) * np.int8(DROP)

    return decide


def _drop_form_fields(situation: Situation) -> Verdicts:
    """Drop text inside form fields, unless little else is left: `<textarea>` may hold code to copy."""
    blocks = situation.blocks
    is_field = blocks.of_kind(Kind.FORM) & (blocks.page.tag[blocks.kind_row] == TAG_CODES["textarea"])
    if situation.kept_characters(~is_field) < FEWEST_CHARACTERS:
        return situation.no_verdicts()
    return np.asarray((situation.keep & is_field) * np.int8(DROP))


_ARTICLE: Final = frozenset({"article"})
_FORUM: Final = frozenset({"forum"})
_WITH_SECTIONS: Final = frozenset({"article", "documentation", "forum", "service", "product", "data"})
"""In listings a heading is an item, and its text need not follow it."""

_TABLE: Final = (
    Rule(
        "section-headings",
        Stage.REPAIR,
        "with the section below it",
        section_headings,
        "72 better, 70 worse; 91 better, 45 worse of 869 gold pages",
        _WITH_SECTIONS,
    ),
    Rule(
        "figure-captions",
        Stage.REPAIR,
        "with the text around its figure",
        figure_captions,
        "6 better, 1 worse; 3 better, 11 worse of 869 gold pages",
        sign=Sign.CAPTION,
    ),
    Rule(
        "code-between-text",
        Stage.REPAIR,
        "as code within the text",
        code_between_text,
        "2 better, 0 worse",
        sign=Sign.CODE,
    ),
    Rule(
        "whole-listings",
        Stage.REPAIR,
        "with the rest of the listing",
        whole_listings,
        "0 better, 0 worse",
        sign=Sign.CODE,
    ),
    Rule(
        "formulas-between-text",
        Stage.REPAIR,
        "as a formula within the text",
        formulas_between_text,
        "0 better, 0 worse",
        sign=Sign.FORMULA,
    ),
    Rule(
        "hidden-text",
        Stage.HIDE,
        "because it is hidden and nothing on the page shows it",
        _drop(find_never_shown),
        "8 better, 0 worse; 1 better, 1 worse of 869 gold pages",
        sign=Sign.HIDDEN,
    ),
    Rule(
        "comments-on-an-article",
        Stage.REMOVE,
        "as a reader's comment",
        comments_on_an_article,
        "0 better, 0 worse; 1 better, 0 worse of 869 gold pages",
        _ARTICLE | _FORUM,
        finds_comments=True,
    ),
    Rule(
        "signatures",
        Stage.REMOVE,
        "as the signature below a post",
        _drop(find_signatures),
        "3 better, 1 worse; 3 better, 0 worse of 869 gold pages",
        _FORUM,
    ),
    Rule(
        "announced-comments",
        Stage.REMOVE,
        "as a reader's comment",
        _drop(find_announced_comments),
        "0 better, 2 worse; 2 better, 1 worse of 869 gold pages",
        _ARTICLE,
        finds_comments=True,
        sign=Sign.ANNOUNCEMENT,
    ),
    Rule(
        "further-articles",
        Stage.REMOVE,
        "as part of another article",
        _drop(find_further_articles),
        "3 better, 0 worse; 0 better, 0 worse of 869 gold pages",
        _ARTICLE,
        sign=Sign.TITLES,
    ),
    Rule(
        "teasers",
        Stage.REMOVE,
        "as a teaser for another page of the site",
        _drop(find_teasers),
        "0 better, 0 worse; 3 better, 0 worse of 869 gold pages",
        _ARTICLE,
        sign=Sign.TEASERS,
    ),
    Rule(
        "form-fields",
        Stage.REMOVE,
        "as text inside a form field",
        _drop_form_fields,
        "2 better, 0 worse; 1 better, 0 worse of 869 gold pages",
        sign=Sign.TEXT_FIELD,
    ),
)

RULES: Final[Mapping[str, Rule]] = {rule.name: rule for rule in _TABLE}
"""By name, in the order in which they are applied."""
