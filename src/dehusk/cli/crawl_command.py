"""`dehusk crawl`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli.reporting import INTERRUPTED, SOME_FAILED, fail, progress_of, tell, warn
from dehusk.cli.shared_options import AllowPrivate, PageSeed

if TYPE_CHECKING:
    from dehusk.errors import DehuskError
    from dehusk.sources.raw_page import RawPage

_OUTCOMES = {
    "RobotsRefused": "refused by robots.txt",
    "AddressRefused": "refused addresses",
    "Unreachable": "not reached",
    "TooSlow": "too slow",
    "NotServed": "not served",
    "ServerFailed": "server errors",
    "ResponseTooLarge": "too large",
    "NotAPage": "not pages",
    "NotChanged": "not changed",
    "RepeatedPage": "duplicates",
    "PageTooLarge": "too large",
}
"""Class of an error -> its name in the summary."""


def crawl_command(
    url: Annotated[str, typer.Argument(metavar="URL", help="Where to start: any page of the site, http or https.")],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR|FILE",
            help="A folder, or a file with the suffix .warc.gz or .parquet.",
        ),
    ],
    pages: Annotated[int, typer.Option("--pages", min=1, help="Fetch at most this many pages.")] = 200,
    seed: PageSeed = 0,
    delay: Annotated[
        float,
        typer.Option(
            "--delay", min=0.0, metavar="SECONDS", help="Pause between requests; robots.txt may ask for more."
        ),
    ] = 1.0,
    resume: Annotated[
        bool, typer.Option("--resume", help="Add to an existing output; its pages are not fetched again.")
    ] = False,
    again: Annotated[
        bool,
        typer.Option("--refresh", help="Like --resume, but first update pages in the output folder that have changed."),
    ] = False,
    contact: Annotated[
        str,
        typer.Option("--contact", metavar="TEXT", help="Contact for site operators, sent in the User-Agent."),
    ] = "",
    allow_private: AllowPrivate = False,
) -> None:
    """Fetch a sample of a site's pages, politely.

    Pages are found through links and sitemaps, and sampled at random over all kinds of URLs of the site. robots.txt
    is obeyed; there is one request at a time. Duplicate pages are not kept.

    Exit codes: 0 done, 1 stopped with fewer pages because of failures, 2 nothing could be fetched or wrong usage.

    Examples:

      dehusk crawl https://example.org -o site --pages 50

      dehusk crawl https://example.org -o site.warc.gz --contact you@example.org

      dehusk crawl https://example.org -o site.parquet

      dehusk crawl https://example.org -o site --pages 500 --resume

      dehusk crawl https://example.org -o site --refresh

      dehusk clean site --learn --output cleaned
    """
    from dehusk.sinks.page_keeping import FolderKeeper, keeper_for
    from dehusk.sites.crawling import crawl, refresh
    from dehusk.sources.fetching import HttpFetcher, user_agent

    failures: list[DehuskError] = []
    kept = already = changed = 0
    try:
        keeper = keeper_for(output, resume or again)
        if again and not isinstance(keeper, FolderKeeper):
            fail("--refresh needs a folder as --output: pages in a file cannot be replaced")
        with (
            HttpFetcher(allow_private=allow_private, agent=user_agent(contact)) as fetcher,
            progress_of(pages, "fetching") as advance,
        ):
            for raw_page in refresh(keeper.pages() if again else (), fetcher, delay, failures.append):
                keeper.keep(raw_page)
                changed += 1

            def known() -> Iterator[RawPage]:
                nonlocal already
                for raw_page in keeper.pages():
                    already += 1
                    advance()
                    yield raw_page

            for raw_page in crawl(
                url, pages, seed=seed, delay=delay, fetcher=fetcher, known=known(), on_failure=failures.append
            ):
                keeper.keep(raw_page)
                kept += 1
                advance()
        keeper.finish()
    except KeyboardInterrupt:
        warn("interrupted; every file written is complete, and --resume continues from here")
        raise typer.Exit(INTERRUPTED) from None
    tell(f"{output}: {_summary(kept, already, changed, failures)}")
    if _in_trouble(failures) and kept + already < pages:
        raise typer.Exit(SOME_FAILED)


def _summary(kept: int, already: int, changed: int, failures: list[DehuskError]) -> str:
    outcomes = Counter(_OUTCOMES.get(type(error).__name__, "damaged") for error in failures)
    counts = {"already there": already, "of these replaced": changed, **dict(outcomes.most_common())}
    return ", ".join([f"{kept:,} pages", *(f"{count:,} {what}" for what, count in counts.items() if count)])


def _in_trouble(failures: list[DehuskError]) -> bool:
    return any(type(error).__name__ in {"ServerFailed", "TooSlow", "Unreachable"} for error in failures)
