"""`dehusk clean`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import chain, islice, repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, cast

import typer

from dehusk.cli.exit_codes import INTERRUPTED, SOME_FAILED, USAGE
from dehusk.cli.shared_options import FollowLinks

if TYPE_CHECKING:
    from dehusk.cli.clean_step import CleanFile, FileCleaned
    from dehusk.cli.given_pages import GivenPages
    from dehusk.cli.record_output import RecordFile
    from dehusk.cli.reporting import Summary
    from dehusk.deciding.decisions import Decision
    from dehusk.errors import DehuskError
    from dehusk.methods.base import Method, SiteMethod
    from dehusk.sources.files import PageFile


class Format(StrEnum):
    """The formats, spelled out here so that `--help` needs no import; a test keeps them equal to OUTPUTS."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    XML = "xml"
    TEI = "tei"
    JSONL = "jsonl"
    CSV = "csv"
    JSON = "json"
    WORDS = "words"
    CLEANEVAL = "cleaneval"


class Content(StrEnum):
    """The same for what the records of jsonl and csv hold."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"


_RECORDS = frozenset({Format.JSONL, Format.CSV})


class FavourName(StrEnum):
    """The same for what to favour."""

    PRECISION = "precision"
    BALANCED = "balanced"
    RECALL = "recall"


def clean_command(
    paths: Annotated[
        list[str],
        typer.Argument(
            help="Pages: html files, files of many pages (WARC, Parquet, JSON lines, zip, tar), MHTML, folders of all "
            "these, http(s) addresses, or - for standard input."
        ),
    ],
    method: Annotated[str, typer.Option("--method", "-m", help="How to tell content from noise.")] = ("hybrid"),
    format_name: Annotated[Format, typer.Option("--format", "-f", help="How to write the result.")] = Format.TEXT,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR|FILE",
            help="Write one file a page into this folder; or, with jsonl and csv, all pages into this file. Files are "
            "written whole or not at all.",
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Number of processes.")] = 1,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="Show every block, kept or dropped, with its score and the reason (also with json)."
        ),
    ] = False,
    model: Annotated[
        Path | None, typer.Option("--model", metavar="FILE", help="Clean with what `dehusk learn` wrote to this file.")
    ] = None,
    learn: Annotated[
        bool, typer.Option("--learn", help="First learn each site's template from these pages themselves.")
    ] = False,
    favour: Annotated[
        FavourName, typer.Option("--favour", help="Drop what is doubtful (precision) or keep it (recall).")
    ] = FavourName.BALANCED,
    comments: Annotated[bool, typer.Option("--comments", help="Keep readers' comments, too.")] = False,
    links: Annotated[
        bool | None, typer.Option("--links/--no-links", help="Where links lead; by default in html, xml and tei.")
    ] = None,
    images: Annotated[
        bool | None, typer.Option("--images/--no-images", help="Images, too; by default in html, xml and tei.")
    ] = None,
    tables: Annotated[bool, typer.Option("--tables/--no-tables", help="Tables as tables, or cell by cell.")] = True,
    formatting: Annotated[
        bool, typer.Option("--formatting/--no-formatting", help="Bold, italic, code, subscripts and so on.")
    ] = True,
    footnotes: Annotated[
        bool, typer.Option("--footnotes/--no-footnotes", help="Footnotes at the end, or as they are on the page.")
    ] = True,
    content: Annotated[
        Content, typer.Option("--content", help="What the field `text` holds with jsonl and csv.")
    ] = Content.TEXT,
    resume: Annotated[
        bool, typer.Option("--resume", help="Leave out pages whose result is already in the output folder.")
    ] = False,
    follow_links: FollowLinks = False,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Also fetch from addresses of this machine and network.")
    ] = False,
) -> None:
    """Keep the content of pages, drop the rest.

    One page goes to standard output. Many pages go to a folder with --output, or one after the other to standard
    output. With --format jsonl or csv all pages make one table: a record a page, with its text and what is known of
    it (title, authors, dates, language, ...). What was done is reported on standard error. Addresses are fetched as
    `dehusk crawl` does: if robots.txt allows it, and never from private networks. Pages in archives are read
    one by one; their results in a folder are named by the archive, the page's number in it and a digest.

    What is empty or not html (a PDF, an image) is skipped, and is no failure as long as there are pages beside it.

    Exit codes: 0 all cleaned, 1 some pages failed, 2 nothing to do or wrong usage.

    Examples:

      dehusk clean page.html

      dehusk clean page.html --explain

      dehusk clean site/ --output cleaned --format markdown --links --jobs 4

      dehusk clean site/ --learn --output cleaned

      dehusk clean crawl.warc.gz --learn --format jsonl --output pages.jsonl

      dehusk clean site/ --format jsonl --content markdown --output pages.jsonl

      dehusk clean page.html --favour recall --comments

      dehusk clean https://example.org

      curl -s https://example.org | dehusk clean -
    """
    from dehusk.cleaning import find_method
    from dehusk.cli.clean_step import CleanFile
    from dehusk.cli.given_pages import GivenPages
    from dehusk.cli.record_output import RecordFile
    from dehusk.cli.reporting import fail
    from dehusk.deciding.decisions import Decision
    from dehusk.errors import DehuskError

    if resume and output is None:
        fail("--resume needs --output", USAGE)
    if learn and model:
        fail("--learn and --model exclude each other", USAGE)
    missing: list[DehuskError] = []
    pages = GivenPages(
        paths, allow_private=allow_private, follow_links=follow_links, output=output, on_missing=missing.append
    )
    decision = Decision(favour.value, comments)
    with TemporaryDirectory(prefix="dehusk-") as folder:
        try:
            settings = find_method(method)
            models = _models(pages, model, settings if learn else None, folder)
        except DehuskError as error:
            fail(str(error), USAGE)
        if explain and format_name is not Format.JSON:
            _explain(zip(pages, models, strict=False), method, decision, missing)
            return
        stream = iter(pages)
        first = list(islice(stream, 2))
        if not first:
            fail("\n".join([*map(str, missing), "no pages found"]), USAGE)
        several = len(first) > 1
        shown = {"tables": tables, "formatting": formatting, "footnotes": footnotes}
        shown |= {name: value for name, value in (("links", links), ("images", images)) if value is not None}
        records = None
        if format_name in _RECORDS and output:
            records = RecordFile(output, as_csv=format_name is Format.CSV, resume=resume)
            format_name, output = Format.JSONL, None
        task = partial(
            CleanFile,
            method=method,
            format_name=format_name.value,
            options=_options(format_name, shown, content, explain, several),
            check_match=model is not None,
            decision=decision,
        )
        tasks = (
            task(file, target=_target(output, file, format_name), model_path=path)
            for file, path in zip(chain(first, stream), models, strict=False)
        )
        run = Run(tasks, jobs if several else 1, tuple(map(str, missing)), several, pages.count)
        if records:
            _run_into_one_file(run, records)
        else:
            _run(run, format_name, output, resume)


@dataclass(frozen=True)
class Run:
    """What is to be done, in how many processes."""

    tasks: Iterable[CleanFile]
    """Made as they are needed: pages out of archives are held only then."""
    jobs: int
    missing: tuple[str, ...]
    """A message for each path that leads nowhere."""
    several: bool
    """Whether there is more than one page."""
    count: int | None
    """How many there are, if that is known."""


def _models(pages: GivenPages, model: Path | None, method: Method | None, folder: str) -> Iterator[str]:
    """The model file for each page: the one given, one for its site learnt into `folder`, or none."""
    from dehusk.cli.site_learning import learn_sites
    from dehusk.errors import InvalidSetting
    from dehusk.learning import load_model

    if method and not method.learns:
        raise InvalidSetting("--learn", f"{method.name} does not learn sites", "leave out --method, or choose another")
    if model:
        load_model(model)  # refuse it now rather than at every page
        return repeat(str(model))
    # An archive that has grown since then has pages of which no site is known.
    return chain(learn_sites(pages, folder, cast("SiteMethod", method)) if method else (), repeat(""))


def _options(format_name: Format, shown: Mapping[str, bool], content: Content, explain: bool, several: bool) -> object:
    from dehusk.outputs import OUTPUTS
    from dehusk.outputs.document.output_options import OutputOptions

    options = OUTPUTS[format_name].options
    if isinstance(options, OutputOptions):
        return replace(options, **shown)
    if format_name in _RECORDS:
        return replace(options, content=content.value, header=not several)
    if format_name is Format.JSON:
        # On one line, many are JSON lines.
        return replace(options, reasons=explain, indent=None if several else options.indent)
    return options


def _target(output: Path | None, file: PageFile, format_name: Format) -> str:
    from dehusk.outputs import OUTPUTS

    return f"{output / file.relative}{OUTPUTS[format_name].suffix}" if output else ""


def _run(run: Run, format_name: Format, output: Path | None, resume: bool) -> None:
    """Results go into files or to standard output."""
    from dehusk.cli.reporting import warn, write_out

    alone = not (run.several or run.missing or output)
    if format_name is Format.CSV and not output and run.several:
        write_out(_csv_header())
    begun = time.perf_counter()
    summary = _clean_all(
        run,
        lambda task: resume and Path(task.target).exists(),
        lambda result: _print_result(result, format_name, alone),
    )
    if not alone:
        summary.show(time.perf_counter() - begun)
    for strange in summary.strange.first if alone else ():
        warn(strange)
    _exit_by(summary)


def _run_into_one_file(run: Run, records: RecordFile) -> None:
    """Results go into one file, which is written when all are there."""
    from dehusk.cli.reporting import fail
    from dehusk.errors import DehuskError

    begun = time.perf_counter()
    try:
        with records:
            summary = _clean_all(run, lambda task: records.has(task.file.path), lambda result: records.add(result.text))
    except DehuskError as error:
        fail(str(error), USAGE)
    summary.show(time.perf_counter() - begun)
    _exit_by(summary)


def _exit_by(summary: Summary) -> None:
    """A run that cleaned something, and skipped what is empty or not html, did what it could."""
    if not summary.pages and not summary.skipped:
        raise typer.Exit(USAGE)
    if summary.failures.count:
        raise typer.Exit(SOME_FAILED)


def _clean_all(run: Run, is_done: Callable[[CleanFile], bool], take: Callable[[FileCleaned], None]) -> Summary:
    """Clean page by page those that are not done; `take` gets what is not written to a file already."""
    from dehusk.cli.clean_step import FileCleaned, clean_file
    from dehusk.cli.reporting import Summary, tracked, warn
    from dehusk.workers.process_pool import run_step

    summary = Summary()

    def left() -> Iterator[CleanFile]:
        for task in tracked(run.tasks, run.count) if run.several else run.tasks:
            if is_done(task):
                summary.skipped += 1
            else:
                yield task

    def lost(task: CleanFile) -> FileCleaned:
        return FileCleaned(task.file.path, failure=f"{task.file.path}: its process died; it may need too much memory")

    for failure in run.missing:
        summary.failures.add(failure)
        warn(failure)
    try:
        for result in run_step(clean_file, left(), run.jobs, lost):
            summary.add(result)
            if result.failure or result.skipped:
                warn(result.failure or result.skipped)
            elif result.text:
                take(result)
    except KeyboardInterrupt:
        warn("interrupted; what is written is whole, --resume goes on from here")
        raise typer.Exit(INTERRUPTED) from None
    return summary


def _print_result(result: FileCleaned, format_name: str, alone: bool) -> None:
    from dehusk.cli.reporting import write_out

    is_apart = not alone and format_name not in {Format.JSON, *_RECORDS}
    write_out(f"==> {result.name} <==\n{result.text}\n" if is_apart else result.text)


def _csv_header() -> str:
    from dehusk.outputs.page_records import csv_text

    return csv_text([], header=True)


def _explain(
    pages: Iterable[tuple[PageFile, str]], method: str, decision: Decision, missing: Sequence[DehuskError]
) -> None:
    """Show every page; `pages` come with their models."""
    from dehusk.cleaning import clean
    from dehusk.cli.clean_step import model_for
    from dehusk.cli.explain_listing import show_blocks
    from dehusk.cli.reporting import Messages, fail, warn
    from dehusk.errors import DehuskError, PageSkipped
    from dehusk.sources.files import read_file

    failures = Messages()
    shown = 0
    for error in missing:
        failures.add(str(error))
    for file, model_path in pages:
        try:
            model = model_for(method, model_path)
            show_blocks(clean(read_file(file), model, favour=decision.favour, comments=decision.comments))
            shown += 1
        except PageSkipped as error:
            warn(str(error))
        except DehuskError as error:
            failures.add(str(error))
    sys.stdout.flush()
    if failures.count:
        fail("\n".join(failures.lines()), SOME_FAILED if shown else USAGE)
    if not shown:
        fail("no pages found", USAGE)
