"""The 46 features of Marek, Pecina & Spousta (2007), "Web Page Cleaning with Conditional Random Fields", section 4.

Each is a small function from `Evidence` to one finite number per text run, under the paper's name.
`feature_templates` maps the numbers to a finite set of values, and says which neighbours' values are used.

Our readings:

* The paper mentions 46 features and prints 45 names. The missing one is `container.li`, which its text mentions. (For
  characters it says "absolute and relative counts" but prints only relative ones; so do we.)
* `container.img`: there is no text inside `<img>`, so the feature would always be 0. We set it where the parent element
  of a text run also contains an image.
* `split.*`: a void element (`<br>`, `<hr>`) is one tag, any other two. The first text run is preceded by all tags since
  the start of the page. Hidden parts are removed first, so their tags do not count.
* Characters: marks count as letters, every Unicode number as a digit, a run of white space as one character.
* Tokens are separated by white space (footnote 5); in scripts without spaces between words every letter is a token.
  A token with letters and no digits is a word, including `end.` and `don't`.
* `sentence.avg-length` of a text run without a sentence end is its number of words.
* `sentence-begin` is called `sentence-start` once in the text.
* `duplicate-count` includes the text run itself: 1 means unique.
* `*-group.word-ratio` is the group's share of all words outside links; 0 for text runs in no group.
* `position` is the number of preceding text runs divided by the total number.
* Exp-2 disables "word-ratio, numeric-count, mixed-count and nonword-count": older names of the token family (its
  classes are "words, numbers, mixture of letters and digits, and other"), so `token.alpha-rel`, `token.num-abs`,
  `token.mix-abs` and `token.other-abs`. The other word-ratio features always carry the name of their group.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.methods.sequence_labels.character_classes import CharacterClass
from dehusk.methods.sequence_labels.run_measurements import Evidence
from dehusk.methods.sequence_labels.text_runs import TextRuns

Column = NDArray[np.bool_] | NDArray[np.number[Any]]
FeatureFunction = Callable[[Evidence], Column]


def _around(tags: str) -> FeatureFunction:
    return lambda evidence: evidence.tags.around(tags) > 0


def _before(tags: str) -> FeatureFunction:
    return lambda evidence: evidence.tags.before(tags)


def _share_of_characters(counts: str) -> FeatureFunction:
    return lambda evidence: getattr(evidence.text, counts) / evidence.text.characters


_TOKEN_CLASSES: Final = {
    "alpha": CharacterClass.LETTER,
    "num": CharacterClass.DIGIT,
    "mix": CharacterClass.LETTER | CharacterClass.DIGIT,
    "other": CharacterClass(0),
}


def _tokens(token_class: CharacterClass) -> FeatureFunction:
    return lambda evidence: evidence.text.tokens[:, token_class]


def _share_of_tokens(token_class: CharacterClass) -> FeatureFunction:
    return lambda evidence: evidence.text.tokens[:, token_class] / evidence.text.token_count


def _of_document(value: Callable[[Evidence], float]) -> FeatureFunction:
    """A document-level number, the same for every text run."""
    return lambda evidence: np.full(len(evidence), value(evidence))


MARKUP: Final[dict[str, FeatureFunction]] = {
    "container.p": _around("p"),
    "container.a": _around("a"),
    "container.u": _around("u"),
    "container.img": lambda evidence: evidence.tags.beside_image,
    "container.li": _around("li"),
    "container.class-header": _around("class-header"),
    "container.class-bold": _around("class-bold"),
    "container.class-italic": _around("class-italic"),
    "container.class-list": _around("class-list"),
    "container.class-form": _around("class-form"),
    "split.p": _before("p"),
    "split.br": _before("br"),
    "split.hr": _before("hr"),
    "split.class-inline": _before("class-inline"),
    "split.class-block": _before("class-block"),
}

CONTENT: Final[dict[str, FeatureFunction]] = {
    "char.alpha-rel": _share_of_characters("letters"),
    "char.num-rel": _share_of_characters("digits"),
    "char.punct-rel": _share_of_characters("punctuation"),
    "char.white-rel": _share_of_characters("white"),
    "char.other-rel": _share_of_characters("other"),
    **{f"token.{name}-rel": _share_of_tokens(token_class) for name, token_class in _TOKEN_CLASSES.items()},
    **{f"token.{name}-abs": _tokens(token_class) for name, token_class in _TOKEN_CLASSES.items()},
    "sentence.count": lambda evidence: evidence.text.sentences,
    "sentence.avg-length": lambda evidence: evidence.text.words / np.maximum(evidence.text.sentences, 1),
    "sentence-begin": lambda evidence: evidence.text.begins_sentence,
    "sentence-end": lambda evidence: evidence.text.ends_sentence,
    "first-duplicate": lambda evidence: evidence.is_first_twin,
    "duplicate-count": lambda evidence: evidence.twin_count,
    "regexp.url": lambda evidence: evidence.url,
    "regexp.date": lambda evidence: evidence.date_and_time[0],
    "regexp.time": lambda evidence: evidence.date_and_time[1],
    "bullet": lambda evidence: evidence.bullet,
    "div-group.word-ratio": lambda evidence: evidence.div_share,
    "td-group.word-ratio": lambda evidence: evidence.td_share,
}

DOCUMENT: Final[dict[str, FeatureFunction]] = {
    "position": lambda evidence: np.arange(len(evidence)) / max(len(evidence), 1),
    "document.word-count": _of_document(lambda evidence: evidence.text.words.sum()),
    "document.sentence-count": _of_document(lambda evidence: evidence.text.sentences.sum()),
    "document.block-count": _of_document(len),
    "document.max-div-group": _of_document(lambda evidence: evidence.div_share.max(initial=0)),
    "document.max-td-group": _of_document(lambda evidence: evidence.td_share.max(initial=0)),
}

_FEATURES: Final = MARKUP | CONTENT | DOCUMENT
"""The paper's three kinds of features, in its order."""
FEATURE_NAMES: Final = tuple(_FEATURES)

_EXP_2: Final = frozenset({"token.alpha-rel", "token.num-abs", "token.mix-abs", "token.other-abs"})
_EXP_3: Final = _EXP_2 | {"regexp.url", "document.word-count"}


def _without(disabled: frozenset[str]) -> tuple[str, ...]:
    return tuple(name for name in FEATURE_NAMES if name not in disabled)


EXPERIMENTS: Final = {
    "exp-1": FEATURE_NAMES,
    "exp-2": _without(_EXP_2),
    "exp-3": _without(_EXP_3),
    "markup-only": tuple(MARKUP),
    "content-only": tuple(CONTENT),
}
"""The features used in each of the paper's experiments (section 6)."""


def raw_features(runs: TextRuns, names: Sequence[str] = FEATURE_NAMES) -> NDArray[np.float64]:
    """float64, runs x names, column-major: the named features before discretisation."""
    evidence = Evidence(runs)
    values = np.empty((len(runs), len(names)), dtype=np.float64, order="F")
    for position, name in enumerate(names):
        values[:, position] = _FEATURES[name](evidence)
    return values
