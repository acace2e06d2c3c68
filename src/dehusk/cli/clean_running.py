"""`dehusk clean` after its options are read: find the pages, learn their sites, clean them, report."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, cast

from dehusk.cleaning import CleanedPage, clean_blocks
from dehusk.cli.clean_step import NO_SELECTORS, CleanFile, Selectors, clean_file, decision_without, model_for
from dehusk.cli.given_pages import DEFAULT_SOURCE, GivenPage, GivenPages, PageReader, ReadPage, is_url, read_given
from dehusk.cli.large_pages import PAGE_SECONDS, clean_or_give_up, end_process
from dehusk.cli.output_names import chunk_options, format_of, shown_with
from dehusk.cli.reporting import (
    INTERRUPTED,
    SOME_FAILED,
    USAGE,
    FileCleaned,
    Messages,
    Summary,
    fail,
    tracked,
    warn,
    write_out,
    write_whole,
)
from dehusk.deciding.decisions import Decision
from dehusk.errors import DehuskError, InvalidSetting, PageSkipped
from dehusk.methods import DEFAULT_METHOD, check_method, find_method
from dehusk.methods.base import SiteMethod
from dehusk.outputs import OUTPUTS
from dehusk.outputs.document.output_options import OutputOptions
from dehusk.sources.source_options import SourceOptions
from dehusk.workers.whole_files import ANOTHER_OUTPUT, RESUMED_OUTPUT, ends_writing, remove_incomplete

if TYPE_CHECKING:
    from dehusk.filtering.page_filters import Filters

_RECORD_FORMATS: Final = frozenset({"jsonl", "csv", "parquet"})
"""Formats that write all pages as one table."""
_LINE_FILES: Final = (".jsonl", ".jsonl.gz", ".jsonl.zst")
"""Suffixes of files for the chunks of all pages."""
_EXPLAINED: Final = ".explain.txt"
"""Suffix of listings of blocks."""


@dataclass(frozen=True)
class CleanRequest:
    """What the user asked `dehusk clean` to do."""

    paths: tuple[str, ...]
    method: str = DEFAULT_METHOD
    format_name: str = "text"
    output: Path | None = None
    """A folder, a file for one page, or with records a file for all pages; None for standard output."""
    url_list: Path | None = None
    """A file with URLs to clean, besides the paths."""
    address: str = ""
    """Where the one file that is given came from."""
    jobs: int = 1
    page_seconds: float = PAGE_SECONDS
    """Time limit of a page, if it is large."""
    explain: bool = False
    model: Path | None = None
    learn: bool = False
    favour: str = "balanced"
    comments: bool = False
    without_rules: tuple[str, ...] = ()
    selectors: Selectors = NO_SELECTORS
    """CSS selectors of what is kept, and of what is dropped."""
    shown: Mapping[str, bool] = field(default_factory=dict)
    """Fields of OutputOptions that were set: links, images, tables, formatting, footnotes."""
    chunk_sizes: tuple[int, int] | None = None
    """Words of a chunk at most, and those that it repeats of the one before; None for the defaults."""
    content: str = "text"
    """What the field `text` holds in records."""
    source: SourceOptions = DEFAULT_SOURCE
    """How to read tables: the names of their columns."""
    resume: bool = False
    follow_links: bool = False
    allow_private: bool = False
    render: bool = False
    """Whether pages from the web are fetched with a browser."""
    filters: Filters | None = None
    """Which of the cleaned pages are written; None for all."""

    @property
    def has_listing(self) -> bool:
        """Whether the result is a listing of blocks; in JSON, reasons are a field of each block instead."""
        return self.explain and self.format_name != "json"

    @property
    def output_is_file(self) -> bool:
        """Whether the output is named like a file of a single page."""
        return (
            self.output is not None
            and not self.output.is_dir()
            and bool(format_of(self.output) or (self.has_listing and self.output.suffix))
        )

    @property
    def has_record_file(self) -> bool:
        if self.output is None or self.format_name != "chunks":
            return self.output is not None and self.format_name in _RECORD_FORMATS
        return self.output.name.lower().endswith(_LINE_FILES)

    @property
    def can_resume(self) -> bool:
        """Whether `--resume` goes on from the files of an interrupted run."""
        compares = self.filters is not None and self.filters.drop_duplicates
        is_one_page = self.output_is_file and not self.has_record_file
        return self.output is not None and not (compares or is_one_page or self.has_listing)

    @property
    def rendered(self) -> str:
        """The format that pages are rendered in: a file of records is written from JSON lines at the end."""
        return "jsonl" if self.has_record_file and self.format_name != "chunks" else self.format_name


@dataclass(frozen=True)
class ModelPaths:
    """The model file to clean each page with; empty where there is none."""

    default: str = ""
    by_number: Sequence[str] = ()
    """By the page's number in the order of the pages given."""
    read: dict[int, ReadPage] = field(default_factory=dict)
    """Pages that learning read and kept, by number; taken out when they are cleaned."""

    def of(self, number: int) -> str:
        # An archive may have grown since its sites were learnt.
        return self.by_number[number] if number < len(self.by_number) else self.default


@dataclass(frozen=True)
class CleanTasks:
    """The pages to clean, and what the report needs to know about them."""

    tasks: Iterable[CleanFile]
    """Made on demand, so that only one page of an archive is in memory."""
    jobs: int
    page_seconds: float
    missing: tuple[str, ...]
    """One message per path that does not exist."""
    several: bool
    """Whether there is more than one page."""
    count: int | None
    """Number of pages; None until archives have been read."""
    filters: Filters | None
    can_resume: bool


def clean_pages(request: CleanRequest) -> None:
    """Do what was asked; failures end the command with an exit code."""
    with TemporaryDirectory(prefix="dehusk-") as folder:
        decision = _check(request)
        pages = _find_pages(request, folder)
        models = _find_models(request, pages, folder, decision)
        if request.has_listing:
            _list_blocks(request, pages, models, decision)
            return
        tasks = _make_tasks(request, pages, models, decision)
        if request.has_record_file:
            _clean_into_record_file(request, tasks)
        else:
            _clean_one_by_one(request, tasks)


def _check(request: CleanRequest) -> Decision:
    """Refuse at once what could not work for any page; returns the decision settings."""
    if not request.paths and request.url_list is None:
        fail("no pages given: name files, folders or URLs, or a list of URLs with --urls")
    if request.address and not _is_one_file(request):
        fail("--url is the address of one page: name one file, or - for standard input")
    if request.format_name == "parquet" and request.output is None:
        fail("Parquet needs a file: name one with --output")
    if request.resume and request.output is None:
        fail("--resume needs --output")
    if request.learn and request.model:
        fail("--learn and --model exclude each other")
    if request.resume and request.filters and request.filters.drop_duplicates:
        fail("--resume and --drop-duplicates exclude each other: use dehusk batch, which resumes by itself")
    check_method(request.method)
    if request.learn and not find_method(request.method).learns:
        cause = f"{request.method} does not learn sites"
        raise InvalidSetting("--learn", cause, "leave out --method, or choose another")
    model = model_for(request.method, str(request.model or ""))
    return decision_without(request.without_rules, request.favour, request.comments, model, request.selectors)


def _is_one_file(request: CleanRequest) -> bool:
    is_file = len(request.paths) == 1 and not is_url(request.paths[0])
    return is_file and request.url_list is None and not Path(request.paths[0]).is_dir()


def _find_pages(request: CleanRequest, folder: str) -> GivenPages:
    return GivenPages(
        request.paths,
        urls=_listed_urls(request.url_list) if request.url_list else (),
        folder=folder,
        options=request.source,
        allow_private=request.allow_private,
        render=request.render,
        follow_links=request.follow_links,
        output=request.output,
        collect_missing=True,
        address=request.address,
    )


def _listed_urls(path: Path) -> Iterator[str]:
    from dehusk.sources.url_lists import read_urls

    return read_urls(str(path))


def _find_models(request: CleanRequest, pages: GivenPages, folder: str, decision: Decision) -> ModelPaths:
    """The model given, or one per site learnt into `folder`, or none."""
    if request.model:
        return ModelPaths(str(request.model))
    if not request.learn:
        return ModelPaths()
    from dehusk.cli.site_learning import learn_sites

    reader = PageReader(decision)
    models = learn_sites(pages, folder, cast(SiteMethod, find_method(request.method)), reader)
    return ModelPaths(by_number=models, read=reader.held)


def _make_tasks(request: CleanRequest, pages: GivenPages, models: ModelPaths, decision: Decision) -> CleanTasks:
    stream = iter(pages)
    first = list(islice(stream, 2))
    if not first:
        fail("\n".join(dict.fromkeys(map(str, pages.missing))) or "no pages found")
    several = len(first) > 1
    if several and request.output_is_file and not request.has_record_file:
        fail(f"{request.output}: several pages do not fit into it; name a folder, or a .jsonl, .csv or .parquet file")
    options = _output_options(request, several)
    jobs = request.jobs if several else 1
    if jobs > 1:
        models.read.clear()  # other processes read their pages themselves
    tasks = (
        CleanFile(
            given,
            request.method,
            request.rendered,
            options,
            target=_target(request, given),
            can_resume=request.can_resume,
            model_path=models.of(number),
            check_match=request.model is not None,
            decision=decision,
            read=models.read.pop(number, None),
            filters=request.filters,
        )
        for number, given in enumerate(chain(first, stream))
    )
    missing = tuple(map(str, pages.missing))
    about_pages = missing, several, pages.count
    return CleanTasks(tasks, jobs, request.page_seconds, *about_pages, request.filters, request.can_resume)


def _output_options(request: CleanRequest, several: bool) -> object:
    options = OUTPUTS[request.rendered].options
    if isinstance(options, OutputOptions):
        return shown_with(request.format_name, request.shown)
    # The modules of other formats, which few runs need.
    from dehusk.outputs.block_json import JsonOptions
    from dehusk.outputs.chunks import MAX_WORDS, ChunkOptions
    from dehusk.outputs.page_records import RecordOptions

    if isinstance(options, RecordOptions):
        document = shown_with(request.content, request.shown) if request.shown else None
        return replace(options, content=request.content, header=not several, document=document)
    if isinstance(options, ChunkOptions):
        return chunk_options(*(request.chunk_sizes or (MAX_WORDS, 0)), request.shown)
    if isinstance(options, JsonOptions):
        # One page per line makes several pages JSON lines.
        options = replace(options, reasons=request.explain, indent=None if several else options.indent)
    shown_with("", request.shown)
    return options


def _target(request: CleanRequest, given: GivenPage) -> str:
    if request.output is None or request.has_record_file:
        return ""
    if request.output_is_file:
        return str(request.output)
    return f"{request.output / given.name}{OUTPUTS[request.format_name].suffix}"


def _clean_one_by_one(request: CleanRequest, tasks: CleanTasks) -> None:
    """Write a file per page, or everything to standard output."""
    alone = not (tasks.several or tasks.missing or request.output)
    if request.format_name == "csv" and tasks.several:
        from dehusk.outputs.page_records import csv_text

        write_out(csv_text([], header=True))
    if request.resume and request.output is not None:
        for folder in (request.output, *request.output.rglob("*/")):
            remove_incomplete(folder)
    has_headings = not alone and request.format_name not in {"json", "chunks", *_RECORD_FORMATS}
    begun = time.perf_counter()
    summary = _clean_all(
        tasks,
        lambda task: request.resume and Path(task.target).exists(),
        lambda result: write_out(f"==> {result.name} <==\n{result.text}\n" if has_headings else result.text),
    )
    if not alone:
        summary.show(time.perf_counter() - begun)
    for mismatch in summary.strange.first if alone else ():
        warn(mismatch)
    for reason in summary.dropped if alone else ():
        warn(f"the page was dropped: {reason}")
    _exit_by(summary)


def _clean_into_record_file(request: CleanRequest, tasks: CleanTasks) -> None:
    """Write all pages to one file, once they are all cleaned."""
    from dehusk.sinks.resumed_records import RecordFile

    begun = time.perf_counter()
    kind = "jsonl" if request.format_name == "chunks" else request.format_name
    remedies = RESUMED_OUTPUT if request.can_resume else ANOTHER_OUTPUT
    with RecordFile(cast(Path, request.output), kind, remedies, resume=request.resume) as records:
        summary = _clean_all(tasks, lambda task: records.has(task.given.label), lambda result: records.add(result.text))
    summary.show(time.perf_counter() - begun)
    _exit_by(summary)


def _exit_by(summary: Summary) -> None:
    """Exit with the code that fits; input that is empty or not HTML is no failure if other pages were cleaned."""
    if not summary.pages and not summary.skipped and not summary.dropped:
        raise SystemExit(USAGE)
    if summary.failures.count:
        raise SystemExit(SOME_FAILED)


def _clean_all(tasks: CleanTasks, is_done: Callable[[CleanFile], bool], take: Callable[[FileCleaned], None]) -> Summary:
    """Clean the pages that are not done yet; `take` gets each result that was not written to a file."""
    summary = Summary()
    is_repeated = _comparing(tasks.filters)

    def pending() -> Iterator[CleanFile]:
        for task in tracked(tasks.tasks, tasks.count) if tasks.several else tasks.tasks:
            if is_done(task):
                summary.skipped += 1
            else:
                yield task

    for failure in tasks.missing:
        summary.failures.add(failure)
        warn(failure)
    try:
        for cleaned in _cleaned(pending(), tasks.jobs, tasks.page_seconds):
            result = _dropped_as_duplicate(cleaned) if is_repeated(cleaned.signature) else cleaned
            summary.add(result)
            _write_or_tell(result, take)
    except KeyboardInterrupt:
        resumes = ", and --resume continues from here" if tasks.can_resume else ""
        warn(f"interrupted; every file written is complete{resumes}")
        raise SystemExit(INTERRUPTED) from None
    finally:
        end_process()
    return summary


def _write_or_tell(result: FileCleaned, take: Callable[[FileCleaned], None]) -> None:
    if result.ends_run:
        fail(result.failure)
    if result.failure or result.skipped:
        warn(result.failure or result.skipped)
    elif result.text and result.target:
        write_whole(result.target, result.text)
    elif result.text:
        take(result)


def _comparing(filters: Filters | None) -> Callable[[bytes], bool]:
    """What tells by its signature whether a page is a duplicate of an earlier one."""
    if filters is None or not filters.drop_duplicates:
        return lambda signature: False
    from dehusk.filtering.near_duplicates import SeenTexts

    return SeenTexts(filters.similarity).is_repeated


def _dropped_as_duplicate(result: FileCleaned) -> FileCleaned:
    from dehusk.filtering.page_filters import DUPLICATES

    return FileCleaned(result.name, result.size_before, dropped=DUPLICATES)


def _cleaned(tasks: Iterable[CleanFile], jobs: int, page_seconds: float) -> Iterator[FileCleaned]:
    step = partial(clean_or_give_up, clean=clean_file, most_seconds=page_seconds)
    if jobs == 1:
        return map(step, tasks)
    from dehusk.workers.process_pool import run_step

    return run_step(step, tasks, jobs, _worker_died)


def _worker_died(task: CleanFile) -> FileCleaned:
    return FileCleaned(task.given.label, failure=f"{task.given.label}: its worker process died, perhaps out of memory")


def _list_blocks(request: CleanRequest, pages: GivenPages, models: ModelPaths, decision: Decision) -> None:
    """Print every block of every page, with its score and reasons, or write that to the output."""
    failures = Messages()
    shown = 0
    listings: list[str] = []
    for error in pages.missing:
        failures.add(str(error))
    for number, given in enumerate(pages):
        try:
            model = model_for(request.method, models.of(number))
            read = models.read.pop(number, None) or read_given(given, decision)
            listings += _listed(request, given, clean_blocks(read.blocks, model, decision))
            shown += 1
        except PageSkipped as skipped:
            warn(str(skipped))
        except DehuskError as failure:
            if ends_writing(failure):
                raise
            failures.add(str(failure))
    sys.stdout.flush()
    if listings:
        write_whole(str(request.output), "".join(listings))
    if failures.count:
        fail("\n".join(failures.lines()), SOME_FAILED if shown else USAGE)
    if not shown:
        fail("no pages found")


def _listed(request: CleanRequest, given: GivenPage, cleaned: CleanedPage) -> list[str]:
    """Show the blocks of a page, or write them to its file; if all go into one, returns them."""
    from dehusk.cli.terminal_listings import listed_blocks, show_blocks

    if request.output is None:
        show_blocks(cleaned)
    elif request.output_is_file:
        return [listed_blocks(cleaned)]
    else:
        write_whole(f"{request.output / given.name}{_EXPLAINED}", listed_blocks(cleaned))
    return []
