"""The words that distinguish the pages of a site: input for clustering and classification.

A cleaner removes what is not content. What it keeps still has many words that belong to the site: labels of fact
tables, units, `customers who bought this`, the words of every review. Their position and context vary from page to
page, so no single template position gives them away; but most pages of the site have them, and make pages of one site
look alike to a classifier, whatever they are about. So words that most pages of a site have are left out.

    >>> import dehusk
    >>> html = "<ul><li>Shop<li>Cart</ul><h1>{0}</h1><p>The {0} is a camera with a lens.</p>"
    >>> pages = [dehusk.read_page(html.format(name)) for name in ("Canon", "Nikon", "Leica", "Kodak")]
    >>> dehusk.telling_words(pages, dehusk.learn(pages))[1]
    Counter({'nikon': 2})

Which words are common depends on the pages given: these must be of one site and of several of its kinds. If all are
about cameras, `camera` is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from dehusk.arguments import checked
from dehusk.cleaning import clean
from dehusk.errors import enough_memory
from dehusk.methods.base import Model
from dehusk.outputs.words import render_words
from dehusk.page.characters import words_of
from dehusk.page.page_columns import Page

COMMON_SHARE: Final = 0.8
"""A word is common if more than this share of pages have it. Chosen among 0.4, 0.6, 0.8, 0.9 and 1 on car guides by
make and on ten sites of five kinds by kind: k-means over both is best at 0.8. A lower share helps where classes are
narrow, and does harm where they are broad: most pages of a camera shop say `camera`. See docs/experiments/mining.md."""


@enough_memory("the words of a site")
@checked
def telling_words(pages: Iterable[Page], model: Model, common_share: float = COMMON_SHARE) -> list[Counter[str]]:
    """Count, for each page of a site, the words that the model keeps and few other pages have.

    Arguments:
        pages: pages of one site.
        model: the model of the site.
        common_share: share of pages from which on a word is common, and left out.

    Returns:
        Words and their numbers, for each page.

    Raises:
        OutOfMemory: there is not enough memory for the words of all pages.

    >>> html = "<div><p>{} tea is the best tea of all teas, they say." + " And they know." * 9
    >>> pages = [dehusk.read_page(html.format(word)) for word in ("Green", "Black", "White")]
    >>> dehusk.telling_words(pages, dehusk.SatisfiableSubtree().fit())[0]
    Counter({'green': 1})
    """
    kept = (render_words(clean(page, model).labelled) for page in pages)
    return without_common([Counter(words_of(text)) for text in kept], common_share)


def without_common(pages: Sequence[Counter[str]], common_share: float = COMMON_SHARE) -> list[Counter[str]]:
    """Drop the words that more than this share of the pages have. A single page keeps all its words."""
    pages_with = Counter(word for page in pages for word in page)
    most = max(common_share * len(pages), 1)
    return [Counter({word: times for word, times in page.items() if pages_with[word] <= most}) for page in pages]
