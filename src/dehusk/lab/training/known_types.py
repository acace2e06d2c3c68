"""What is known of a training page besides its gold: its type, and whether somebody looked for comments."""

from __future__ import annotations

from typing import Final

from dehusk.methods.page_network.page_types import PAGE_TYPES

UNKNOWN: Final = -1
WITH_COMMENTS: Final = frozenset({"dragnet-2012", "l3s-gn1"})
"""Sets whose makers kept comments apart; a page of them that has none has none."""

_OF_LABEL: Final = {**{name: name for name in PAGE_TYPES}, "news": "article", "blog": "article"}
_OF_SET: Final = {
    **dict.fromkeys(("daniel-waddle", "xmu-chinese-news", "l3s-gn1", "fundus-tests"), "article"),
    **dict.fromkeys(("crawl-to-the-future", "msv-big9-chaos", "dragnet-2012"), "article"),
    **dict.fromkeys(("swde-auto", "swde-book", "swde-camera"), "product"),
}
"""Sets of one type. Jobs and universities of SWDE, CleanEval and Google Trends are of none or of many."""
_OF_KIND: Final = {
    **dict.fromkeys(("docs", "api", "wiki"), "documentation"),
    **dict.fromkeys(("news", "blog", "mag"), "article"),
    **dict.fromkeys(("shop", "catalog"), "product"),
    "forum": "forum",
}
"""By the first part of the names of multi-page sets."""


def known_type(corpus: str, label: str) -> int:
    """The number of a page's type among `PAGE_TYPES`, or `UNKNOWN`."""
    found = _OF_LABEL.get(label) or _OF_SET.get(corpus) or _OF_KIND.get(corpus.split("-")[0])
    return PAGE_TYPES.index(found) if found else UNKNOWN
