"""`dehusk links`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli import shared_options as options
from dehusk.cli.reporting import SOME_FAILED, USAGE, printable, warn

if TYPE_CHECKING:
    from dehusk.errors import DehuskError
    from dehusk.sites.frontier import CrawlScope
    from dehusk.sites.politeness import PoliteFetcher


def links_command(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SITE|FEED|SITEMAP", help="URLs of sites, feeds or sitemaps, or files with feeds or sitemaps."
        ),
    ],
    include: options.IncludeOption = None,
    exclude: options.ExcludeOption = None,
    delay: options.DelayOption = 1.0,
    contact: options.ContactOption = "",
    allow_private: options.AllowPrivate = False,
) -> None:
    """List the URLs in the feeds and sitemaps of sites, one per line.

    Given a site, it reads the sitemaps (those that robots.txt names, and /sitemap.xml) and the feeds that the page
    declares. robots.txt is obeyed; at most 10 sitemaps and 5 feeds are fetched for each URL given.

    Exit codes: 0 done, 1 some could not be read, 2 nothing found or wrong usage.

    Examples:

      dehusk links https://example.org > addresses.txt

      dehusk links https://example.org/feed.xml --include "/blog/*"

      dehusk clean --urls addresses.txt -o pages.jsonl
    """
    from dehusk.errors import SourceError
    from dehusk.sites.frontier import CrawlScope
    from dehusk.sites.politeness import Pace, PoliteFetcher
    from dehusk.sources.fetching import HttpFetcher, user_agent

    failures: list[DehuskError] = []
    scope = CrawlScope(include or (), exclude or ())
    seen: set[str] = set()
    with HttpFetcher(allow_private=allow_private, agent=user_agent(contact)) as fetcher:
        polite = PoliteFetcher(fetcher, Pace(delay))
        for source in sources:
            try:
                _print_new(_listed(source, polite, failures), scope, seen)
            except SourceError as error:
                failures.append(error)
    for failure in failures:
        warn(str(failure))
    if not seen:
        raise typer.Exit(USAGE)
    if failures:
        raise typer.Exit(SOME_FAILED)


def _listed(source: str, fetcher: PoliteFetcher, failures: list[DehuskError]) -> Iterable[str]:
    from dehusk.errors import SourceUnreadable
    from dehusk.sites.listed_addresses import addresses_in, listed_by
    from dehusk.sites.sitemaps import MOST_BYTES
    from dehusk.sources.raw_page import RawPage
    from dehusk.sources.source_options import open_binary

    if source.lower().startswith(("http://", "https://")):
        return listed_by(source, fetcher, failures.append)
    with open_binary(source) as stream:
        found = addresses_in(RawPage(stream.read(MOST_BYTES), name=source))
    if found is None:
        raise SourceUnreadable(source, "is neither a feed nor a sitemap", "give one, or the URL of a site")
    return found


def _print_new(addresses: Iterable[str], scope: CrawlScope, seen: set[str]) -> None:
    """Print the addresses in scope that were not printed before."""
    for address in addresses:
        line = printable(" ".join(address.split()))
        if line and line not in seen and not scope.reason_against(line, 0):
            seen.add(line)
            typer.echo(line)
