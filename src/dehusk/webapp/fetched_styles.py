"""Style sheets of fetched pages, fetched by the rules of a crawl: robots.txt, pauses, public addresses, one site."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from dehusk.errors import DehuskError, FetchError, NotServed
from dehusk.page.page_reading import read_page
from dehusk.sites.politeness import PoliteFetcher
from dehusk.sites.site_of import host_of, registered_domain
from dehusk.sources.fetching import Expected
from dehusk.sources.raw_page import RawPage
from dehusk.webapp.incoming import LARGEST_STYLE
from dehusk.webapp.styled_views import sheet_addresses
from dehusk.workers.guard import guarded

_MOST_SHEETS: Final = 20
"""Style sheets that are fetched for a site: pages share them, and each takes as long as a page."""
_EXPECTED: Final = Expected(frozenset({"text/css"}), most_bytes=LARGEST_STYLE)

Fail = Callable[[DehuskError], None]


@dataclass(slots=True)
class WantedSheets:
    """Collects the style sheets that pages of a site link to."""

    is_known: Callable[[str], bool]
    """Whether a sheet is stored already."""
    found: dict[str, str] = field(default_factory=dict)
    """URL -> registered domain of the page."""

    def add(self, raw: RawPage) -> None:
        """Add the sheets of a page that are on its own registered domain, where its other hosts often serve them."""
        if len(self.found) >= _MOST_SHEETS:
            return
        addresses = guarded(lambda raw: sheet_addresses(read_page(raw)), raw, raw.label)
        own = registered_domain(host_of(raw.url))
        for address in () if isinstance(addresses, DehuskError) else addresses:
            if own and registered_domain(host_of(address)) == own and not self.is_known(address):
                self.found.setdefault(address, own)
        self.found = dict(islice(self.found.items(), _MOST_SHEETS))

    @property
    def addresses(self) -> Sequence[str]:
        """The sheets to fetch, in the order in which pages name them."""
        return list(self.found)

    def fetch(self, fetcher: PoliteFetcher, on_failure: Fail) -> Iterator[tuple[str, bytes]]:
        """(URL, content) of each sheet; empty for one that is not fetched, which goes to `on_failure`."""
        for address in self.addresses:
            try:
                yield address, fetcher.fetch(address, _EXPECTED, _stays_in(self.found[address])).body
            except FetchError as error:
                on_failure(error)
                yield address, b""


def _stays_in(domain: str) -> Callable[[str], None]:
    """A check that no redirect leads to another domain."""

    def check(address: str) -> None:
        if registered_domain(host_of(address)) != domain:
            raise NotServed(address, f"is not on {domain}")

    return check
