"""`dehusk clean`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, cast

import typer

from dehusk.cli.exit_codes import INTERRUPTED, SOME_FAILED, USAGE

if TYPE_CHECKING:
    from dehusk.batch.steps import CleanFile, FileCleaned
    from dehusk.cli.record_files import RecordFile
    from dehusk.cli.reporting import Summary
    from dehusk.labels import Decision
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
        typer.Argument(help="Pages: files, folders (with all below them), http(s) addresses, or - for standard input."),
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
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Also fetch from addresses of this machine and network.")
    ] = False,
) -> None:
    """Keep the content of pages, drop the rest.

    One page goes to standard output. Many pages go to a folder with --output, or one after the other to standard
    output. With --format jsonl or csv all pages make one table: a record a page, with its text and what is known of
    it (title, authors, dates, language, ...). What was done is reported on standard error. Addresses are fetched as
    `dehusk crawl` does: if robots.txt allows it, and never from private networks.

    Exit codes: 0 all cleaned, 1 some pages failed, 2 nothing to do or wrong usage.

    Examples:

      dehusk clean page.html

      dehusk clean page.html --explain

      dehusk clean site/ --output cleaned --format markdown --links --jobs 4

      dehusk clean site/ --learn --output cleaned

      dehusk clean site/ --format jsonl --content markdown --output pages.jsonl

      dehusk clean page.html --favour recall --comments

      dehusk clean https://example.org

      curl -s https://example.org | dehusk clean -
    """
    from dehusk.cleaning import find_method
    from dehusk.cli.record_files import RecordFile
    from dehusk.cli.reporting import fail
    from dehusk.errors import DehuskError
    from dehusk.labels import Decision

    if resume and output is None:
        fail("--resume needs --output", USAGE)
    if learn and model:
        fail("--learn and --model exclude each other", USAGE)
    files, missing = _find_files(paths, allow_private)
    decision = Decision(favour.value, comments)

    def _decided(tasks: Iterator[CleanFile]) -> list[CleanFile]:
        return [replace(task, check_match=model is not None, decision=decision) for task in tasks]

    with TemporaryDirectory(prefix="dehusk-") as folder:
        try:
            settings = find_method(method)
            models = _models(files, model, settings if learn else None, folder)
        except DehuskError as error:
            fail(str(error), USAGE)
        if explain and format_name is not Format.JSON:
            _explain(files, method, models, decision, missing)
            return
        if not files:
            fail("\n".join([*missing, "no pages found"]), USAGE)
        shown = {"tables": tables, "formatting": formatting, "footnotes": footnotes}
        shown |= {name: value for name, value in (("links", links), ("images", images)) if value is not None}
        options = _options(format_name, shown, content, explain, len(files))
        if format_name in _RECORDS and output:
            records = RecordFile(output, as_csv=format_name is Format.CSV, resume=resume)
            _run_into_one_file(
                _decided(_tasks(files, method, Format.JSONL, options, None, models)), jobs, missing, records
            )
            return
        tasks = _decided(_tasks(files, method, format_name, options, output, models))
        _run([task for task in tasks if not (resume and Path(task.target).exists())], jobs, missing, len(tasks))


def _find_files(paths: Sequence[str], allow_private: bool) -> tuple[list[PageFile], list[str]]:
    """The pages under the paths, and a message for each path that leads nowhere."""
    from dehusk.cli.fetched_pages import fetching, is_address
    from dehusk.errors import MissingExtra, SourceError
    from dehusk.sources.files import find_pages

    files: list[PageFile] = []
    missing: list[str] = []
    with fetching(allow_private) as fetch:
        for path in paths:
            try:
                files += [fetch(path)] if is_address(path) else find_pages(path)
            except (SourceError, MissingExtra) as error:
                missing.append(str(error))
    return files, missing


def _models(files: Sequence[PageFile], model: Path | None, method: Method | None, folder: str) -> dict[PageFile, str]:
    """The model file for each page: the one given, one for its site learnt into `folder`, or none."""
    from dehusk.cli.sites import learn_sites
    from dehusk.errors import InvalidSetting
    from dehusk.learning import load_model

    if method and not method.learns:
        raise InvalidSetting("--learn", f"{method.name} does not learn sites", "leave out --method, or choose another")
    if model:
        load_model(model)  # refuse it now rather than at every page
        return dict.fromkeys(files, str(model))
    return learn_sites(files, folder, cast("SiteMethod", method)) if method else {}


def _options(format_name: Format, shown: Mapping[str, bool], content: Content, explain: bool, pages: int) -> object:
    from dehusk.documents.options import OutputOptions
    from dehusk.outputs import OUTPUTS

    options = OUTPUTS[format_name].options
    if isinstance(options, OutputOptions):
        return replace(options, **shown)
    if format_name in _RECORDS:
        return replace(options, content=content.value, header=pages == 1)
    if format_name is Format.JSON:
        # On one line, many are JSON lines.
        return replace(options, reasons=explain, indent=None if pages > 1 else options.indent)
    return options


def _tasks(
    files: Sequence[PageFile],
    method: str,
    format_name: Format,
    options: object,
    output: Path | None,
    models: Mapping[PageFile, str],
) -> Iterator[CleanFile]:
    from dehusk.batch.steps import CleanFile
    from dehusk.outputs import OUTPUTS

    taken: set[str] = set()
    for file in files:
        target = _target(output, file.relative, OUTPUTS[format_name].suffix, taken) if output else ""
        yield CleanFile(file, method, format_name.value, options, target, models.get(file, ""))


def _target(output: Path, relative: str, suffix: str, taken: set[str]) -> str:
    """Where the result of a page goes: its own name with another suffix, told apart where two would be one."""
    wanted = output / relative
    candidates = [wanted.with_suffix(suffix), wanted.with_name(wanted.name + suffix)]
    number = 2
    while str(candidates[0]) in taken:
        candidates = candidates[1:] or [wanted.with_name(f"{wanted.name}-{number}{suffix}")]
        number += 1
    taken.add(str(candidates[0]))
    return str(candidates[0])


def _run(tasks: Sequence[CleanFile], jobs: int, missing: Sequence[str], found: int) -> None:
    """Results go into files or to standard output."""
    from dehusk.cli.reporting import warn, write_out

    alone = found == 1 and not missing and not (tasks and tasks[0].target)
    if tasks and tasks[0].format_name == Format.CSV and not tasks[0].target and found > 1:
        write_out(_csv_header())
    begun = time.perf_counter()
    summary = _clean_all(tasks, jobs, missing, found, lambda result: _print_result(result, tasks[0].format_name, alone))
    if not alone:
        summary.show(time.perf_counter() - begun)
    for strange in summary.strange if alone else ():
        warn(strange)
    if summary.failures:
        raise typer.Exit(SOME_FAILED if summary.pages else USAGE)


def _run_into_one_file(tasks: Sequence[CleanFile], jobs: int, missing: Sequence[str], records: RecordFile) -> None:
    """Results go into one file, which is written when all are there."""
    from dehusk.cli.reporting import fail
    from dehusk.errors import DehuskError

    begun = time.perf_counter()
    left = [] if records.is_done else [task for task in tasks if task.file.path not in records.names]
    try:
        with records:
            summary = _clean_all(left, jobs, missing, len(tasks), lambda result: records.add(result.text))
    except DehuskError as error:
        fail(str(error), USAGE)
    summary.show(time.perf_counter() - begun)
    if summary.failures:
        raise typer.Exit(SOME_FAILED if summary.pages or summary.skipped else USAGE)


def _clean_all(
    tasks: Sequence[CleanFile], jobs: int, missing: Sequence[str], found: int, take: Callable[[FileCleaned], None]
) -> Summary:
    """Clean page by page; `take` gets what is not written to a file already."""
    from dehusk.batch.local import run_step
    from dehusk.batch.steps import FileCleaned, clean_file
    from dehusk.cli.reporting import Summary, tracked, warn

    def lost(task: CleanFile) -> FileCleaned:
        return FileCleaned(task.file.path, failure=f"{task.file.path}: its process died; it may need too much memory")

    summary = Summary(failures=list(missing), skipped=found - len(tasks))
    for failure in missing:
        warn(failure)
    try:
        results = run_step(clean_file, tasks, min(jobs, len(tasks)), lost)
        for result in tracked(results, len(tasks)) if found > 1 else results:
            summary.add(result)
            if result.failure:
                warn(result.failure)
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
    from dehusk.outputs.records import csv_text

    return csv_text([], header=True)


def _explain(
    files: Sequence[PageFile],
    method: str,
    models: Mapping[PageFile, str],
    decision: Decision,
    missing: Sequence[str],
) -> None:
    from dehusk.batch.steps import model_for
    from dehusk.cleaning import clean
    from dehusk.cli.explaining import show_blocks
    from dehusk.cli.reporting import fail, warn
    from dehusk.errors import DehuskError
    from dehusk.sources.files import read_file

    failures = list(missing)
    for file in files:
        try:
            model = model_for(method, models.get(file, ""))
            show_blocks(clean(read_file(file), model, favour=decision.favour, comments=decision.comments))
        except DehuskError as error:
            failures.append(str(error))
    sys.stdout.flush()
    for failure in failures[:-1]:
        warn(failure)
    if failures:
        fail(failures[-1], SOME_FAILED if len(failures) < len(files) + len(missing) else USAGE)
    if not files:
        fail("no pages found", USAGE)
