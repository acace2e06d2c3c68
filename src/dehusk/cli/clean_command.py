"""`dehusk clean`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dehusk.cli import shared_options as options
from dehusk.cli.filter_options import LANGUAGE_CONFIDENCE, SIMILARITY


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
    favour: options.FavourOption = options.FavourName.BALANCED,
    comments: options.CommentsOption = False,
    without_rules: options.WithoutRules = None,
    drop: options.DropOption = None,
    keep: options.KeepOption = None,
    links: options.LinksOption = None,
    images: options.ImagesOption = None,
    tables: options.TablesOption = True,
    repeat_spans: options.RepeatSpansOption = False,
    formatting: options.FormattingOption = True,
    footnotes: options.FootnotesOption = True,
    title: options.TitleOption = True,
    front_matter: options.FrontMatterOption = False,
    chunk_words: options.ChunkWords = options.CHUNK_WORDS,
    chunk_overlap: options.ChunkOverlap = 0,
    raw_characters: options.RawCharactersOption = False,
    content: options.ContentOption = options.Content.TEXT,
    language: options.LanguageOption = "",
    language_confidence: options.LanguageConfidence = LANGUAGE_CONFIDENCE,
    min_words: options.MinWords = 0,
    max_words: options.MaxWords = None,
    min_confidence: options.MinConfidence = 0.0,
    only_type: options.OnlyType = "",
    require: options.RequireOption = "",
    drop_duplicates: options.DropDuplicates = False,
    similarity: options.SimilarityOption = SIMILARITY,
    html_field: options.HtmlField = "",
    url_field: options.UrlField = "",
    text_field: options.TextField = "",
    time_field: options.TimeField = "",
    headers_field: options.HeadersField = "",
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

    Input that is empty or not HTML (a PDF, an image) is skipped, which is not a failure as long as other pages
    are cleaned.

    Exit codes: 0 all cleaned, 1 some pages failed, 2 nothing to do or wrong usage.

    Examples:

      dehusk clean page.html

      dehusk clean page.html -o page.md

      dehusk clean page.html --explain

      dehusk clean page.html --without-rule teasers

      dehusk clean page.html --drop "aside, .share" --keep .infobox

      dehusk clean site/ --output cleaned --format markdown --links --jobs 4

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
    from dehusk.cli.filter_options import chosen_filters
    from dehusk.cli.output_names import format_for
    from dehusk.sources.source_options import SourceOptions

    request = CleanRequest(
        paths=tuple(paths or ()),
        url_list=url_list,
        address=address,
        method=method,
        format_name=format_name.value if format_name else format_for(output),
        output=output,
        jobs=jobs,
        explain=explain,
        model=model,
        learn=learn,
        favour=favour.value,
        comments=comments,
        without_rules=tuple(without_rules or ()),
        selectors=(tuple(keep or ()), tuple(drop or ())),
        shown=options.shown_beside_words(
            links, images, tables, repeat_spans, formatting, footnotes, title, front_matter, raw_characters
        ),
        chunk_sizes=(chunk_words, chunk_overlap),
        source=SourceOptions(
            html_field=html_field,
            url_field=url_field,
            text_field=text_field,
            time_field=time_field,
            headers_field=headers_field,
        ),
        content=content.value,
        resume=resume,
        follow_links=follow_links,
        allow_private=allow_private,
        render=render,
        filters=chosen_filters(
            language=language,
            language_confidence=language_confidence,
            min_words=min_words,
            max_words=max_words,
            min_confidence=min_confidence,
            only_type=only_type,
            require=require,
            drop_duplicates=drop_duplicates,
            similarity=similarity,
        ),
    )
    clean_pages(request)
