"""The columns of the mining experiments: names, the cleaner behind each, and what it is in words.

The style tree and structure weights come in both matchings: `style-tree-words` is aligned, `style-tree-exact-words` is
exact, as published. Every cleaner has a column that ends in `-telling`: what it leaves, without the words that are
common on the site. That step is ours, and `none-telling` is the step alone, so that its gain is not credited to a
cleaner.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from dehusk.errors import UnknownName
from dehusk.lab.evaluation.other_tools import OTHER_TOOLS, find_tool, installed_tools
from dehusk.methods import METHODS, find_method
from dehusk.methods.base import Method
from dehusk.methods.site_trees.template_positions import Matching
from dehusk.outputs.words import WordsOptions

UNCLEANED: Final = "none"
EXACT: Final = "-exact"
"""Suffix of a method with exact matching."""
TELLING: Final = "-telling"
"""Suffix of columns without the words that are common on the site, see `telling_words`."""
MATCHED: Final = ("style-tree", "structure-weights")
"""Methods that find template positions by a matching."""
LOOK_INTO_BLOCKS: Final = ("style-tree",)
"""Methods that also drop words inside kept blocks; shown with (`-words`) and without (`-blocks`) that."""
WEIGHS_WORDS: Final = ("structure-weights",)
"""Methods whose column has weights; shown a second time with the words they would keep, counted (`-words`)."""
COMPARED_TOOLS: Final = ("trafilatura", "resiliparse", "readability", "justext")
"""The default columns of other tools, where installed."""

_ALIGNED: Final = "aligned matching and what it adds are ours"
_DESCRIPTIONS: Final = {
    UNCLEANED: "all visible words",
    "pagelet-templates": "blocks that pagelet templates keep; published as the baseline of the style tree",
    "satisfiable-subtree": "blocks that the satisfiable sub-tree keeps; published",
    "sequence-labels": "blocks that sequence labels keep; the published features, trained on other pages",
    "style-tree-exact-words": "blocks that the style tree keeps, without words that all pages have at one position; "
    "published, but for the threshold, which its authors chose by eye and a rule chooses here",
    "style-tree-exact-blocks": "blocks that the published style tree keeps, whole",
    "style-tree-words": f"blocks that the style tree keeps, without words on all pages; {_ALIGNED}",
    "style-tree-blocks": f"blocks that the style tree keeps, whole; {_ALIGNED}",
    "structure-weights-exact": "every word with its structure weight; as published",
    "structure-weights": f"every word with its structure weight; {_ALIGNED}",
    "structure-weights-exact-words": "words with a structure weight of at least 0.2, in blocks with a mean of at least "
    "0.1, counted; these bounds are ours",
    "structure-weights-words": f"the same, counted; {_ALIGNED}, and so are the bounds",
    "page-evidence": "blocks that the page network keeps; ours",
    "hybrid": "blocks that page network and site evidence keep; ours",
}
"""Column -> what is left of a page."""


def default_columns(matching: Matching | None = None) -> tuple[str, ...]:
    """No cleaning, all our methods, installed other tools, and telling words for methods that learn."""
    tools = set(installed_tools())
    learning = [UNCLEANED, *(name for name in method_names() if method_of(name).learns)]
    telling = (name + TELLING for name in learning)
    columns = (UNCLEANED, *_method_columns(), *telling, *(name for name in COMPARED_TOOLS if name in tools))
    return with_matching(columns, matching)


def with_matching(columns: Sequence[str], matching: Matching | None) -> tuple[str, ...]:
    """The columns, each method in this matching alone; None leaves all as they are named."""
    if matching is None:
        return tuple(dict.fromkeys(columns))
    return tuple(dict.fromkeys(_in_matching(column, matching) for column in columns))


def _in_matching(column: str, matching: Matching) -> str:
    for method in MATCHED:
        if column.startswith(method):
            rest = column.removeprefix(method).removeprefix(EXACT)
            return method + (EXACT if matching is Matching.EXACT else "") + rest
    return column


def check_columns(names: Sequence[str]) -> tuple[str, ...]:
    """Check that each name is a column whose tool is installed; return them without duplicates."""
    known = (UNCLEANED, *_method_columns(), *OTHER_TOOLS)
    for name in names:
        cleaner = cleaner_of(name)
        if name not in known and (name == cleaner or cleaner not in (UNCLEANED, *method_names(), *OTHER_TOOLS)):
            raise UnknownName(name, "no such column", f"choose from {', '.join(known)}, or a cleaner and {TELLING}")
        if cleaner in OTHER_TOOLS:
            find_tool(cleaner)
    return tuple(dict.fromkeys(names))


def method_names() -> Iterator[str]:
    """Our methods; those with a matching a second time, as exact."""
    for name in METHODS:
        yield name
        if name in MATCHED:
            yield name + EXACT


def method_of(name: str) -> Method:
    """A method by one of `method_names`, with its default settings otherwise."""
    base = name.removesuffix(EXACT)
    if base == name:
        return find_method(name)
    return cast(Method, replace(cast(Any, find_method(base)), matching=Matching.EXACT))


def _method_columns() -> dict[str, str]:
    """Column -> method."""
    return {column: name for name in method_names() for column in columns_of_method(name)}


def columns_of_method(name: str) -> dict[str, WordsOptions]:
    """The columns of a method, and the options with which each takes words."""
    words, base = {f"{name}-words": WordsOptions()}, name.removesuffix(EXACT)
    if base in LOOK_INTO_BLOCKS:
        return {**words, f"{name}-blocks": WordsOptions(drop_noisy=False)}
    return {name: WordsOptions(), **(words if base in WEIGHS_WORDS else {})}


def cleaner_of(column: str) -> str:
    """The cleaner whose words a column has."""
    return _method_columns().get(column, column.removesuffix(TELLING))


def describe_column(column: str) -> str:
    """What is left of a page, and whose idea it is."""
    if column in _DESCRIPTIONS:
        return _DESCRIPTIONS[column]
    if column.endswith(TELLING):
        cleaner = column.removesuffix(TELLING)
        source = "all visible words" if cleaner == UNCLEANED else f"the words that {cleaner} keeps"
        return f"{source}, without those that are common on the site; ours"
    return "the text that the tool extracts" if column in OTHER_TOOLS else "the blocks that the method keeps"
