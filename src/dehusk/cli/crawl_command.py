"""`dehusk crawl`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli import shared_options as options
from dehusk.cli.reporting import INTERRUPTED, SOME_FAILED, fail, progress_of, tell, warn

if TYPE_CHECKING:
    from dehusk.errors import DehuskError
    from dehusk.filtering.page_filters import Filters
    from dehusk.sinks.page_keeping import Keeper
    from dehusk.sites.frontier import CrawlScope
    from dehusk.sources.fetching import Fetcher
    from dehusk.sources.raw_page import RawPage

_OUTCOMES = {
    "RobotsRefused": "refused by robots.txt",
    "AddressRefused": "refused addresses",
    "PrivateAddress": "refused addresses",
    "Unreachable": "not reached",
    "TooSlow": "too slow",
    "NotServed": "not served",
    "Blocked": "blocked",
    "ServerFailed": "server errors",
    "ResponseTooLarge": "too large",
    "NotAPage": "not pages",
    "NotChanged": "not changed",
    "RepeatedPage": "duplicates",
    "PageTooLarge": "too large",
}
"""Class of an error -> its name in the summary."""


def crawl_command(
    *,
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
    pages: Annotated[int, typer.Option("--pages", min=1, help="Fetch this many pages, if the site has them.")] = 200,
    everything: Annotated[bool, typer.Option("--all", help="Fetch all pages that links and sitemaps lead to.")] = False,
    depth: Annotated[
        int | None, typer.Option("--depth", min=0, help="Follow at most this many links in a row from the start page.")
    ] = None,
    include: options.IncludeOption = None,
    exclude: options.ExcludeOption = None,
    sample: Annotated[
        bool,
        typer.Option(
            "--sample", help="Spread the pages over all kinds of URLs; no kind gets more than half of --pages."
        ),
    ] = False,
    seed: options.PageSeed = 0,
    delay: options.DelayOption = 1.0,
    resume: Annotated[
        bool, typer.Option("--resume", help="Add to an existing output; its pages are not fetched again.")
    ] = False,
    again: Annotated[
        bool,
        typer.Option("--refresh", help="Like --resume, but first update pages in the output folder that have changed."),
    ] = False,
    contact: options.ContactOption = "",
    allow_private: options.AllowPrivate = False,
    render: options.RenderOption = False,
    clean: Annotated[
        bool,
        typer.Option(
            "--clean", help="Then learn the site from what was fetched, and write the cleaned pages beside it."
        ),
    ] = False,
    content: Annotated[
        options.Content,
        typer.Option("--content", metavar="FORMAT", help="Format of cleaned pages: text, markdown or html."),
    ] = options.Content.MARKDOWN,
    head: options.HeadOptions,
    filtering: options.FilterOptions,
) -> None:
    """Fetch the pages of a site, politely.

    Pages are found through links and sitemaps, and fetched in the order in which they are found; with --sample, they
    are chosen at random over all kinds of URLs of the site. robots.txt is obeyed; there is one request at a time.
    Duplicate pages are not kept. The summary says which URLs were left out, and why.

    With --clean, the cleaned pages of a folder are in DIR.cleaned beside it, one file per page; those of a file are
    records: site.cleaned.jsonl, or site.cleaned.parquet. --content and the filters apply to them.

    Exit codes: 0 done, 1 stopped with fewer pages because of failures, 2 nothing could be fetched, wrong usage, or the
    output cannot be written.

    Examples:

      dehusk crawl https://example.org -o site --pages 50

      dehusk crawl https://example.org -o site --all --include "/blog/*" --clean

      dehusk crawl https://example.org -o site.warc.gz --contact you@example.org

      dehusk crawl https://example.org -o site.parquet --sample

      dehusk crawl https://example.org -o site --pages 500 --resume

      dehusk crawl https://example.org -o site --refresh

      dehusk clean site --learn --output cleaned
    """
    from dehusk.sinks.page_keeping import FolderKeeper, keeper_for
    from dehusk.sites.frontier import CrawlScope
    from dehusk.sources.fetching import HttpFetcher, user_agent

    filters, shown = filtering.filters(), head.changed()
    if filters and not clean:
        fail("filters apply to cleaned pages: add --clean")
    if shown and not clean:
        fail("--front-matter and --no-title apply to cleaned pages: add --clean")
    if head.front_matter and content is not options.Content.MARKDOWN:
        fail("--front-matter is for Markdown: leave out --content")
    scope = CrawlScope(include or (), exclude or (), depth, sample)
    wanted = None if everything else pages
    done = _Crawled()
    try:
        keeper = keeper_for(output, resume or again)
        if again and not isinstance(keeper, FolderKeeper):
            fail("--refresh needs a folder as --output: pages in a file cannot be replaced")
        with ExitStack() as opened:
            fetcher: Fetcher = opened.enter_context(HttpFetcher(allow_private=allow_private, agent=user_agent(contact)))
            if render:
                from dehusk.sites.rendering import BrowserFetcher

                fetcher = opened.enter_context(BrowserFetcher(fetcher))
            _fetch(done, keeper, fetcher, _Asked(url, wanted, scope, seed, delay, again))
        keeper.finish()
    except KeyboardInterrupt:
        warn("interrupted; every file written is complete, and --resume continues from here")
        raise typer.Exit(INTERRUPTED) from None
    tell(f"{output}: {done.summary()}")
    if done.left_out:
        tell(f"left out: {', '.join(f'{count:,} {reason}' for reason, count in done.left_out.items())}")
    if clean:
        _clean(output, content.value, filters, shown)
    if done.in_trouble and (wanted is None or done.kept + done.already < wanted):
        raise typer.Exit(SOME_FAILED)


@dataclass(frozen=True)
class _Asked:
    """What is to be fetched, and how."""

    url: str
    pages: int | None
    scope: CrawlScope
    seed: int
    delay: float
    again: bool
    """Whether pages that are there are asked for again."""


@dataclass
class _Crawled:
    """What became of a crawl."""

    kept: int = 0
    already: int = 0
    changed: int = 0
    failures: list[DehuskError] = field(default_factory=list)
    left_out: Mapping[str, int] = field(default_factory=dict)

    def leave_out(self, counts: Mapping[str, int]) -> None:
        self.left_out = counts

    def summary(self) -> str:
        outcomes = Counter(_OUTCOMES.get(type(error).__name__, "damaged") for error in self.failures)
        counts = {"already there": self.already, "of these replaced": self.changed, **dict(outcomes.most_common())}
        return ", ".join([f"{self.kept:,} pages", *(f"{count:,} {what}" for what, count in counts.items() if count)])

    @property
    def in_trouble(self) -> bool:
        return any(type(error).__name__ in {"ServerFailed", "TooSlow", "Unreachable"} for error in self.failures)


def _fetch(done: _Crawled, keeper: Keeper, fetcher: Fetcher, asked: _Asked) -> None:
    """Fetch the pages and keep them."""
    from dehusk.sites.crawling import crawl, refresh

    with progress_of(asked.pages, "fetching") as advance:
        for raw_page in refresh(keeper.pages() if asked.again else (), fetcher, asked.delay, done.failures.append):
            keeper.keep(raw_page)
            done.changed += 1

        def known() -> Iterator[RawPage]:
            for raw_page in keeper.pages():
                done.already += 1
                advance()
                yield raw_page

        for raw_page in crawl(
            asked.url,
            asked.pages,
            scope=asked.scope,
            seed=asked.seed,
            delay=asked.delay,
            fetcher=fetcher,
            known=known(),
            on_failure=done.failures.append,
            on_left_out=done.leave_out,
        ):
            keeper.keep(raw_page)
            done.kept += 1
            advance()


def _clean(output: Path, content: str, filters: Filters | None, shown: Mapping[str, bool]) -> None:
    """Learn the site, and clean its pages."""
    from dehusk.cli.clean_running import CleanRequest, clean_pages

    is_folder = output.is_dir()
    suffix = ".parquet" if output.suffix.lower() == ".parquet" else ".jsonl"
    stem = output.name.removesuffix(".gz").rpartition(".")[0]
    request = CleanRequest(
        paths=(str(output),),
        method="hybrid",
        format_name=content if is_folder else suffix[1:],
        output=output.with_name(f"{output.name if is_folder else stem}.cleaned{'' if is_folder else suffix}"),
        learn=True,
        content=content,
        shown=shown,
        filters=filters,
    )
    clean_pages(request)
