"""Filter a stream of cleaned pages: `dehusk.filter_pages`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from dehusk.arguments import checked, each
from dehusk.cleaning import CleanedPage
from dehusk.filtering.near_duplicates import SeenTexts
from dehusk.filtering.page_filters import DUPLICATES, Filters, kept_text, reason_to_drop
from dehusk.filtering.text_signatures import signature_of


@checked
def filter_pages(
    pages: Iterable[CleanedPage], filters: Filters, on_drop: Callable[[CleanedPage, str], None] | None = None
) -> Iterator[CleanedPage]:
    """The cleaned pages that pass the filters, in order.

    Arguments:
        pages: cleaned pages, streamed or not.
        filters: which of them are kept. With `drop_duplicates`, some 3 kB are remembered for each page that is kept.
        on_drop: takes each of the other pages, with the reason.

    Returns:
        An iterator of pages.

    Raises:
        MissingExtra: filters by language need a package that is not installed.

    >>> text = "Steep the leaves for three minutes. " * 5
    >>> pages = [dehusk.clean(f"<h1>Tea</h1><p>{one}</p>") for one in (text, "A short one.", text)]
    >>> filters = dehusk.Filters(min_words=10, drop_duplicates=True)
    >>> len(list(dehusk.filter_pages(pages, filters, lambda page, reason: print(reason))))
    too short
    duplicates
    1
    """
    seen = SeenTexts(filters.similarity)
    for page in each(pages, CleanedPage, "pages"):
        reason = reason_to_drop(page.labelled, filters)
        if not reason and filters.drop_duplicates and seen.is_repeated(signature_of(kept_text(page.labelled))):
            reason = DUPLICATES
        if not reason:
            yield page
        elif on_drop is not None:
            on_drop(page, reason)
