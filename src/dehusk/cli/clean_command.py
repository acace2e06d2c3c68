"""`dehusk clean`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dehusk.cli import shared_options as options


class Format(StrEnum):
    """The names in OUTPUTS, repeated so that `--help` loads fast; a test keeps the two equal."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    XML = "xml"
    TEI = "tei"
    JSONL = "jsonl"
    CSV = "csv"
    CHUNKS = "chunks"
    JSON = "json"
    WORDS = "words"
    CLEANEVAL = "cleaneval"


def clean_command(
    *,
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH",
            help="Pages: HTML files, archives (WARC, Parquet, JSON lines, zip, tar), MHTML, folders of these, "
            "http(s) URLs, or - for standard input.",
        ),
    ] = None,
    method: options.MethodOption = "hybrid",
    format_name: Annotated[
        Format | None,
        typer.Option(
            "--format",
            "-f",
            metavar="FORMAT",
            help="The output format: text, markdown, html, xml, tei, jsonl, csv, chunks, json, words or cleaneval. "
            "Default: by the suffix of --output, otherwise text.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR|FILE",
            help="Write one file per page to this folder; a single page to this file (page.md); or all pages as "
            "records to a .jsonl, .csv or .parquet file. Files are written completely or not at all.",
        ),
    ] = None,
    url_list: Annotated[
        Path | None, typer.Option("--urls", metavar="FILE", help="Also clean the URLs in this file, one per line.")
    ] = None,
    address: Annotated[
        str,
        typer.Option(
            "--url",
            metavar="URL",
            help="Where the page came from, if it is a file or standard input: relative links start from there.",
        ),
    ] = "",
    jobs: options.Jobs = 1,
    page_seconds: Annotated[
        float, typer.Option("--page-seconds", min=0.1, help="Time limit per page of more than 2 MB.")
    ] = 300.0,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Show every block with its score and the reasons, or write that to --output (works with json, too).",
        ),
    ] = False,
    model: Annotated[
        Path | None, typer.Option("--model", metavar="FILE", help="Use this model, written by `dehusk learn`.")
    ] = None,
    learn: Annotated[
        bool, typer.Option("--learn", help="First learn each site's template from the pages given.")
    ] = False,
    deciding: options.DecidingOptions,
    shown: options.ShownOptions,
    chunks: options.ChunkSizes,
    content: options.ContentOption = options.Content.TEXT,
    filters: options.FilterOptions,
    fields: options.FieldOptions,
    resume: Annotated[bool, typer.Option("--resume", help="Skip pages whose result already exists.")] = False,
    follow_links: options.FollowLinks = False,
    allow_private: options.AllowPrivate = False,
    render: options.RenderOption = False,
) -> None:
    """Extract the main content of pages.

    A single page goes to standard output. Several pages go to a folder with --output, otherwise to standard output
    one after another. With --format jsonl or csv, all pages form one table: one record per page, with its text and
    its metadata (title, authors, dates, language, ...); with --format chunks, one line of JSON for each part of a page,
    cut along headings and blocks. Progress and a summary go to standard error.

    URLs are fetched politely, as `dehusk crawl` does: only where robots.txt allows it, and never from private
    networks. Archives are read page by page; in an output folder, their results are named by archive, page number
    and a digest.

    A page of more than 2 MB is cleaned in a process of its own. If that takes longer than --page-seconds, the page
    failed, and the others go on.

    Input that is empty or not HTML (a PDF, an image) is skipped, which is not a failure as long as other pages
    are cleaned.

    Exit codes: 0 all cleaned, 1 some pages failed, 2 nothing to do, wrong usage, or the output cannot be written.

    Examples:

      dehusk clean page.html

      dehusk clean page.html -o page.md

      dehusk clean page.html --explain

      dehusk clean page.html --without-rule teasers

      dehusk clean page.html --drop "aside, .share" --keep .infobox

      dehusk clean site/ --output cleaned --format markdown --jobs 4

      dehusk clean site/ --learn --output cleaned

      dehusk clean crawl.warc.gz --learn --format jsonl --output pages.jsonl

      dehusk clean site/ --format jsonl --content markdown --output pages.jsonl

      dehusk clean page.html -f markdown --front-matter --no-title

      dehusk clean site/ --format chunks --chunk-words 200 --output chunks.jsonl

      dehusk clean page.html --favour recall --comments

      dehusk clean https://example.org

      dehusk clean --urls addresses.txt --min-words 100 -o pages.parquet

      curl -s https://example.org/tea | dehusk clean - --url https://example.org/tea -f markdown
    """
    from dehusk.cli.clean_running import CleanRequest, clean_pages
    from dehusk.cli.output_names import format_for

    request = CleanRequest(
        paths=tuple(paths or ()),
        url_list=url_list,
        address=address,
        method=method,
        format_name=format_name.value if format_name else format_for(output),
        output=output,
        jobs=jobs,
        page_seconds=page_seconds,
        explain=explain,
        model=model,
        learn=learn,
        favour=deciding.favour.value,
        comments=deciding.comments,
        without_rules=tuple(deciding.without_rules or ()),
        selectors=deciding.selectors,
        shown=shown.changed(),
        chunk_sizes=(chunks.chunk_words, chunks.chunk_overlap),
        source=fields.source(),
        content=content.value,
        resume=resume,
        follow_links=follow_links,
        allow_private=allow_private,
        render=render,
        filters=filters.filters(),
    )
    clean_pages(request)
