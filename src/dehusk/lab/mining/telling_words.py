"""The words that tell the pages of a site apart: input for clustering and classification.

A cleaner takes away what is not content. Of what it keeps, much is still the site's way to speak: labels of a table of
facts, units, `customers who bought this`, the words of every review. They stand at other places and in other company
from page to page, so that no single place gives them away; but most pages of the site have them. Pages of one site
then look alike to a machine, whatever they are about. Words that many pages keep tell nothing about one of them, and
are left out.

    >>> import dehusk
    >>> html = "<ul><li>Shop<li>Cart</ul><h1>{0}</h1><p>The {0} is a camera with a lens.</p>"
    >>> pages = [dehusk.read_page(html.format(name)) for name in ("Canon", "Nikon", "Leica", "Kodak")]
    >>> dehusk.telling_words(pages, dehusk.learn(pages))[1]
    Counter({'nikon': 2})

Which words are common is seen from the pages given, so these must be pages of one site, and of several of its kinds: if
all are about cameras, `camera` tells nothing about any of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from dehusk.cleaning import clean
from dehusk.errors import enough_memory
from dehusk.methods.base import Model
from dehusk.outputs.words import render_words
from dehusk.page.characters import words_of
from dehusk.page.page_columns import Page

COMMON_SHARE: Final = 0.4
"""A word that more than this share of the pages have is common. On shops and car guides of 2010, clustering by brand is
best from 0.35 to 0.45: well above the share of pages that are of one brand, well below a half."""


@enough_memory("the words of a site")
def telling_words(pages: Iterable[Page], model: Model, common_share: float = COMMON_SHARE) -> list[Counter[str]]:
    """For each page of a site: the words that the model keeps and few other pages have, and how often they occur."""
    kept = (render_words(clean(page, model).labelled) for page in pages)
    return without_common([Counter(words_of(text)) for text in kept], common_share)


def without_common(pages: Sequence[Counter[str]], common_share: float = COMMON_SHARE) -> list[Counter[str]]:
    """The words of each page but those that more than this share of all these pages have. One page keeps its words."""
    pages_with = Counter(word for page in pages for word in page)
    most = max(common_share * len(pages), 1)
    return [Counter({word: times for word, times in page.items() if pages_with[word] <= most}) for page in pages]
