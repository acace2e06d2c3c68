"""Every rule that overrides a score, in one table.

A score judges one block; a rule knows something about the page that a score cannot. REPAIR rules mend what the
threshold kept. HIDE rules drop text that no reader can see. REMOVE rules drop the rest of what is clearly unwanted;
`favour="recall"`, which keeps doubtful text, skips them. Within a stage no rule sees another's result, and where two
disagree the later one wins.

The rules apply to models that judge whole pages. One more rule overrides scores, the votes of regions in the style
tree (`style_tree_scoring.keep_by_regions`). It must run inside that model, because the model decides by its result
whether a page is an index of the site, and scores an index differently.

The compiled part applies them: `native/src/deciding/decision.rs` lists the functions in the order of this table, and
their constants are beside them.

`benchmarks/rules.py` measures each rule alone on labelled pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import chain
from typing import Final


class Stage(IntEnum):
    """When a rule is applied, by the numbers of `native/src/deciding/decision.rs`."""

    REPAIR = 0
    HIDE = 1
    REMOVE = 2


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its name, its reason and where it applies."""

    name: str
    stage: Stage
    reason: str
    """Why a block was kept or dropped, as shown by `--explain`."""
    measured: str
    """Pages that are better and worse with the rule alone than without any: of 1,726 pages labelled by the content
    policy, and of all gold pages, all of sites that the network was not trained on (`benchmarks/rules.py`)."""
    page_types: frozenset[str] = frozenset()
    """Page types it applies to; empty for all."""
    if_disputed: bool = False
    """Whether it applies even if the evidence on the type disagrees. Most rules do not: with the wrong type they could
    drop half of the page. A copy, or what a line announces as another product, is unwanted on most pages."""
    finds_comments: bool = False
    """Whether it drops readers' comments, which the user can ask for."""

    def applies(self, page_type: str, is_agreed: bool) -> bool:
        """Whether pages of a type may need it, given whether the type is agreed on."""
        return not self.page_types or (page_type in self.page_types and (is_agreed or self.if_disputed))


_ARTICLE: Final = frozenset({"article"})
_FORUM: Final = frozenset({"forum"})
_PRODUCT: Final = frozenset({"product"})
_SERVICE: Final = frozenset({"service"})
_DOCUMENTATION: Final = frozenset({"documentation"})
_LISTING: Final = frozenset({"listing"})
_EMPTY: Final = frozenset({"empty"})
_WITH_SECTIONS: Final = frozenset({"article", "documentation", "forum", "service", "product", "data"})
"""In listings a heading is an item, and its text need not follow it."""

_TABLE: Final = (
    Rule(
        "tables-between-text",
        Stage.REPAIR,
        "as a table within the text",
        "2 better, 0 worse; 9 better, 3 worse of 6,738 gold pages",
        _ARTICLE | _DOCUMENTATION,
    ),
    Rule(
        "section-headings",
        Stage.REPAIR,
        "with the section below it",
        "123 better, 130 worse; 624 better, 480 worse of 6,738 gold pages",
        _WITH_SECTIONS,
    ),
    Rule(
        "figure-captions",
        Stage.REPAIR,
        "with the text around its figure",
        "8 better, 3 worse; 13 better, 85 worse of 6,738 gold pages",
    ),
    Rule(
        "code-between-text",
        Stage.REPAIR,
        "as code within the text",
        "8 better, 0 worse; 7 better, 1 worse of 6,738 gold pages",
    ),
    Rule(
        "whole-listings",
        Stage.REPAIR,
        "with the rest of the listing",
        "0 better, 0 worse; 1 better, 0 worse of 6,738 gold pages",
    ),
    Rule(
        "formulas-between-text",
        Stage.REPAIR,
        "as a formula within the text",
        "0 better, 0 worse; 0 better, 0 worse of 6,738 gold pages",
    ),
    Rule(
        "parts-set-apart",
        Stage.REPAIR,
        "as a callout, post or card within the text",
        "24 better, 26 worse; 47 better, 91 worse of 6,738 gold pages",
    ),
    Rule(
        "notes-of-text",
        Stage.REPAIR,
        "as a note that kept text refers to",
        "7 better, 1 worse; 2 better, 10 worse of 6,738 gold pages",
    ),
    Rule(
        "cells-of-tables",
        Stage.REPAIR,
        "with the rest of the table",
        "13 better, 9 worse; 13 better, 14 worse of 6,738 gold pages",
        _WITH_SECTIONS | _LISTING,
    ),
    Rule(
        "body-of-article",
        Stage.REPAIR,
        "as the page's own data call it the text of the article",
        "1 better, 0 worse; 2 better, 0 worse of 6,738 gold pages",
    ),
    Rule(
        "labels-of-tabs",
        Stage.REPAIR,
        "as the label of a tab that is kept",
        "0 better, 0 worse; 0 better, 0 worse of 6,738 gold pages",
        _DOCUMENTATION,
    ),
    Rule(
        "hidden-text",
        Stage.HIDE,
        "because it is hidden and nothing on the page shows it",
        "14 better, 1 worse; 7 better, 4 worse of 6,738 gold pages",
    ),
    Rule(
        "comments-on-an-article",
        Stage.REMOVE,
        "as a reader's comment",
        "1 better, 1 worse; 7 better, 2 worse of 6,738 gold pages",
        _ARTICLE | _FORUM,
        finds_comments=True,
    ),
    Rule(
        "signatures",
        Stage.REMOVE,
        "as the signature below a post",
        "9 better, 1 worse; 8 better, 2 worse of 6,738 gold pages",
        _FORUM,
    ),
    Rule(
        "announced-comments",
        Stage.REMOVE,
        "as a reader's comment",
        "0 better, 2 worse; 15 better, 3 worse of 6,738 gold pages",
        _ARTICLE,
        finds_comments=True,
    ),
    Rule(
        "further-articles",
        Stage.REMOVE,
        "as part of another article",
        "3 better, 0 worse; 0 better, 0 worse of 6,738 gold pages",
        _ARTICLE,
    ),
    Rule(
        "teasers",
        Stage.REMOVE,
        "as a teaser for another page of the site",
        "2 better, 0 worse; 33 better, 0 worse of 6,738 gold pages",
        _ARTICLE,
    ),
    Rule(
        "form-fields",
        Stage.REMOVE,
        "as text inside a form field",
        "0 better, 0 worse; 0 better, 3 worse of 6,738 gold pages",
    ),
    Rule(
        "reviews-of-a-product",
        Stage.REMOVE,
        "as a reader's review",
        "12 better, 3 worse; 2 better, 5 worse of 6,738 gold pages",
        _PRODUCT,
        if_disputed=True,
        finds_comments=True,
    ),
    Rule(
        "other-products",
        Stage.REMOVE,
        "as part of another product",
        "26 better, 1 worse; 7 better, 2 worse of 6,738 gold pages",
        _PRODUCT,
        if_disputed=True,
    ),
    Rule(
        "stock-and-delivery",
        Stage.REMOVE,
        "as a line about stock, delivery or baskets",
        "47 better, 2 worse; 14 better, 8 worse of 6,738 gold pages",
        _PRODUCT,
        if_disputed=True,
    ),
    Rule(
        "repeated-text",
        Stage.REMOVE,
        "as a copy of text above it",
        "85 better, 37 worse; 75 better, 32 worse of 6,738 gold pages",
        _PRODUCT | _SERVICE,
        if_disputed=True,
    ),
    Rule(
        "repeated-quotes",
        Stage.REMOVE,
        "as a pull quote from the text",
        "2 better, 0 worse; 4 better, 4 worse of 6,738 gold pages",
    ),
    Rule(
        "one-message",
        Stage.REMOVE,
        "as text apart from the one message of a page without content",
        "18 better, 10 worse; 8 better, 55 worse of 6,738 gold pages",
        _EMPTY,
    ),
    Rule(
        "title-alone",
        Stage.REMOVE,
        "as the title of a page without content, or text beside it",
        "9 better, 2 worse; 13 better, 29 worse of 6,738 gold pages",
        _EMPTY,
        if_disputed=True,
    ),
)

RULES: Final[Mapping[str, Rule]] = {rule.name: rule for rule in _TABLE}
"""By name, in the order in which they are applied."""

NAMES: Final = tuple(RULES)
"""The names of the rules, by their numbers in the compiled part."""


@lru_cache(maxsize=128)  # types, agreed or not, x the few sets of rules that a program uses
def planned(names: Sequence[str], page_type: str, is_agreed: bool, with_removal: bool) -> bytes:
    """For the compiled part: number, stage, and whether it finds comments, of each rule that may apply.

    Names are a tuple. The type is agreed on unless the evidence on it disagrees.
    """
    plan = [
        (number, rule.stage, rule.finds_comments)
        for number, rule in enumerate(RULES.values())
        if rule.name in names
        and rule.applies(page_type, is_agreed)
        and (with_removal or rule.stage is not Stage.REMOVE)
    ]
    return bytes(chain.from_iterable(plan))
