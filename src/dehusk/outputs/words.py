"""Words for mining: one line per block, in lower case, without the words that the site repeats there.

Text for readers keeps or drops whole blocks. Clustering and classification want less: a label that every page has at
the same template position (`Price`, `Author`) says nothing about the page, even inside a kept block. A model that
learnt the site knows these words; with other models all words of the kept blocks are written.
"""

from __future__ import annotations

from dataclasses import dataclass

from dehusk.arguments import checked
from dehusk.deciding.decisions import LabelledBlocks
from dehusk.page.characters import words_of


@checked
@dataclass(frozen=True, slots=True)
class WordsOptions:
    """Which words are written.

    Arguments:
        drop_noisy: whether words that all pages of the site have at the same template position are left out.

    >>> dehusk.clean("<p>" + "Steep it. " * 9).render("words", dehusk.WordsOptions(drop_noisy=False))[:8]
    'steep it'
    """

    drop_noisy: bool = True
    """Leave out words that the model knows to be the same on all pages."""


def render_words(labelled: LabelledBlocks, options: WordsOptions | None = None) -> str:
    """The words of the kept blocks; blocks without any words left have no line."""
    noisy = labelled.noisy_words if (options or WordsOptions()).drop_noisy else {}
    lines = []
    for index in labelled.kept:
        left_out = noisy.get(index, frozenset())
        lines.append(" ".join(word for word in words_of(labelled.blocks.texts[index]) if word not in left_out))
    return "".join(f"{line}\n" for line in lines if line)
