"""Filters of cleaned pages, the same for `clean`, `batch`, `crawl --clean` and the library.

`Filters` says what to keep; `reason_to_drop` says why a page is not kept, in the words that reports count.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import Final

import numpy as np

from dehusk.arguments import checked
from dehusk.deciding.decisions import LabelledBlocks
from dehusk.errors import InvalidSetting
from dehusk.metadata.languages import detect_language, language_tag, need_language_detection
from dehusk.methods.page_network.page_types import PAGE_TYPES
from dehusk.outputs.page_metadata import metadata_of
from dehusk.outputs.page_records import FIELDS
from dehusk.page.characters import words_of

TOO_SHORT: Final = "too short"
TOO_LONG: Final = "too long"
OTHER_LANGUAGE: Final = "other language"
LOW_CONFIDENCE: Final = "low confidence"
OTHER_TYPE: Final = "other type"
DUPLICATES: Final = "duplicates"

LANGUAGE_CONFIDENCE: Final = 0.5
"""Probability from which a detected language counts. The detector is seldom in doubt on whole paragraphs: below, a page
mixes languages, or is a list of names."""
SIMILARITY: Final = 0.7
"""Share of the word shingles that two texts have in common to be near-duplicates. Texts of which 3 % of the words
differ have 0.75, those of which a quarter is cut off as much; FineWeb's bands find most pairs above 0.72."""

REQUIRABLE: Final = tuple(
    name
    for name in FIELDS
    if name
    not in {"name", "page_type", "confidence", "problem", "method", "encoding", "encoding_reason", "damage", "text"}
)
"""Fields of a record that a page may lack."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A page that a filter left out."""

    reason: str
    """As reports count it: `too short`, `other language`, `no title`, ..."""


@checked
@dataclass(frozen=True, slots=True)
class Filters:
    """Which pages to keep. The default keeps all.

    Arguments:
        languages: codes; only pages whose text is in one of them.
        language_confidence: minimum probability of the detected language.
        min_words: fewest words of kept text. In scripts without blanks, each letter is a word.
        max_words: most words of content; None for any number.
        min_confidence: minimum confidence.
        only_types: page types to keep, of `PAGE_TYPES`; empty for all.
        require: metadata that a page must have, by the names of record fields: `title`, `published`.
        drop_duplicates: keep only the first of pages with (nearly) the same content.
        similarity: share of common five-word runs that makes duplicates.

    >>> dehusk.Filters(min_words=50, require=["title"]).min_words
    50
    """

    languages: Collection[str] = ()
    """BCP 47 codes (`de`, `en`); empty for all. The language is that of the kept text, as detected."""
    language_confidence: float = LANGUAGE_CONFIDENCE
    min_words: int = 0
    max_words: int | None = None
    min_confidence: float = 0.0
    """Least confidence (expected word F1), from 0 to 1; pages without one are kept."""
    only_types: Collection[str] = ()
    require: Collection[str] = ()
    drop_duplicates: bool = False
    similarity: float = SIMILARITY
    """From which share of common word shingles on two texts count as duplicates; see `text_signatures`."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "languages", tuple(map(_primary_language, self.languages)))
        for name in ("only_types", "require"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        _check_choices("only_types", self.only_types, PAGE_TYPES)
        _check_choices("require", self.require, REQUIRABLE)
        for name, least in (("language_confidence", 0.0), ("min_confidence", 0.0), ("similarity", 0.01)):
            value = getattr(self, name)
            if not least <= value <= 1:
                raise InvalidSetting(name, f"{value} is outside {least:g} to 1", "choose a share")
        if self.max_words is not None and self.max_words < self.min_words:
            raise InvalidSetting("max_words", f"{self.max_words} is less than min_words", "choose more")
        if self.languages:
            need_language_detection()

    @property
    def are_any(self) -> bool:
        """Whether any page could be dropped."""
        return self != NO_FILTERS


def _primary_language(code: str) -> str:
    tag = language_tag(code)
    if not tag:
        raise InvalidSetting("languages", f"{code!r} is no language code", "choose codes such as de,en")
    return tag.partition("-")[0]


def _check_choices(name: str, values: Collection[str], choices: Collection[str]) -> None:
    if unknown := [value for value in values if value not in choices]:
        raise InvalidSetting(name, f"{unknown[0]!r} is unknown", f"choose from {', '.join(choices)}")


NO_FILTERS: Final = Filters()
FILTER_NAMES: Final = tuple(field.name for field in fields(Filters))


def reason_to_drop(labelled: LabelledBlocks, filters: Filters) -> str:
    """Why the filters leave this page out, empty if they do not. Duplicates need other pages: see `near_duplicates`.

    What is cheap to find out comes first. A page counts once, for the first reason that holds.
    """
    if not filters.are_any:
        return ""
    return (
        _by_type(labelled, filters)
        or _by_confidence(labelled, filters)
        or _by_length(labelled, filters)
        or _by_language(labelled, filters)
        or _by_metadata(labelled, filters)
    )


def kept_text(labelled: LabelledBlocks) -> str:
    """The kept blocks as lines, without any markup: what filters and signatures read."""
    return "\n".join(labelled.blocks.texts[index] for index in np.flatnonzero(labelled.keep).tolist())


def _by_type(labelled: LabelledBlocks, filters: Filters) -> str:
    return OTHER_TYPE if filters.only_types and labelled.page_type not in filters.only_types else ""


def _by_confidence(labelled: LabelledBlocks, filters: Filters) -> str:
    confidence = labelled.confidence
    if confidence is None or confidence >= filters.min_confidence:
        return ""
    return labelled.problem or LOW_CONFIDENCE


def _by_length(labelled: LabelledBlocks, filters: Filters) -> str:
    if not filters.min_words and filters.max_words is None:
        return ""
    words = len(words_of(kept_text(labelled)))
    if words < filters.min_words:
        return TOO_SHORT
    return TOO_LONG if filters.max_words is not None and words > filters.max_words else ""


def _by_language(labelled: LabelledBlocks, filters: Filters) -> str:
    if not filters.languages:
        return ""
    language, confidence = detect_language(kept_text(labelled))
    if not language and (declared := metadata_of(labelled).language):
        language, confidence = declared.partition("-")[0], 1.0  # too short to tell: what the page says counts
    is_wanted = language in filters.languages and confidence >= filters.language_confidence
    return "" if is_wanted else OTHER_LANGUAGE


def _by_metadata(labelled: LabelledBlocks, filters: Filters) -> str:
    if not filters.require:
        return ""
    found = metadata_of(labelled).to_dict()
    known = found | {"canonical": found["url"], "url": labelled.blocks.page.url}
    return next((f"no {name.replace('_', ' ')}" for name in filters.require if not known[name]), "")
