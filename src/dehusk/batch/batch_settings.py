"""Settings of a batch: one value, so that a second run can check that it has the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from dehusk.batch.page_steps import Wishes
from dehusk.deciding.decisions import DEFAULT_DECISION, Decision
from dehusk.errors import InvalidSetting
from dehusk.filtering.page_filters import NO_FILTERS, Filters
from dehusk.learning import MOST_PAGES
from dehusk.methods import DEFAULT_METHOD, find_method
from dehusk.methods.base import JudgesPages
from dehusk.outputs.chunks import ChunkOptions
from dehusk.outputs.document.output_options import OutputOptions
from dehusk.outputs.page_records import CONTENTS, RecordOptions
from dehusk.sources.source_options import SourceOptions
from dehusk.workers.worker_process import WorkerLimits

FORMATS: Final = ("jsonl", "parquet", "chunks")
DEFAULT_SOURCE: Final = SourceOptions()


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """Everything the output depends on besides the pages."""

    method: str = DEFAULT_METHOD
    decision: Decision = DEFAULT_DECISION
    format_name: str = "jsonl"
    content: str = "text"
    """Format of the field `text`: `text`, `markdown` or `html`."""
    document: OutputOptions | None = None
    """What the content shows besides words (links, images, ...); None for the defaults of its format."""
    chunks: ChunkOptions | None = None
    """How pages are cut in the format chunks; None for the defaults."""
    filters: Filters = NO_FILTERS
    """Which of the cleaned pages are written."""
    buckets: int = 64
    """Number of parts that sites are distributed over. One task learns the sites of a bucket."""
    sample: int = MOST_PAGES
    """Most pages to learn a site from."""
    least_pages: int = 3
    """Fewest different pages to learn a site from: two do not tell template from article."""
    sample_bytes: int = 256_000_000
    """Bytes of pages held in memory to learn from; if the sites of a bucket have more, they are learnt in turns."""
    task_bytes: int = 64_000_000
    """Bytes of input that one task sorts; a larger file is a task by itself."""
    slice_bytes: int = 256_000_000
    """Bytes of pages that one task cleans, roughly: a larger bucket, as of a giant site, is cut into slices."""
    seed: int = 0
    """Seed for the choice of pages to learn from, and for the distribution of sites over buckets."""
    follow_links: bool = False
    """Whether to follow links that lead out of a folder."""
    source: SourceOptions = DEFAULT_SOURCE
    """How to read tables: the names of their columns."""
    limits: WorkerLimits = field(default_factory=WorkerLimits)

    def __post_init__(self) -> None:
        _check_choice("format", self.format_name, FORMATS)
        _check_choice("content", self.content, tuple(CONTENTS))
        for name in ("buckets", "sample", "least_pages", "sample_bytes", "task_bytes", "slice_bytes"):
            if getattr(self, name) < 1:
                raise InvalidSetting(name, f"{getattr(self, name)} is less than 1", "choose more")
        if self.buckets > _MOST_BUCKETS:
            raise InvalidSetting("buckets", f"{self.buckets:,} is more than {_MOST_BUCKETS:,}", "choose fewer")

    @property
    def wishes(self) -> Wishes:
        """What is made of every page."""
        record = RecordOptions(self.content, document=self.document)
        return Wishes(self.decision, record, self.filters, self.chunk_options)

    @property
    def chunk_options(self) -> ChunkOptions | None:
        """How pages are cut; None in other formats."""
        return (self.chunks or ChunkOptions()) if self.format_name == "chunks" else None

    @property
    def learnt_bytes(self) -> int:
        """Most bytes to learn one site from: the learning process holds them besides the page it reads."""
        return min(self.sample_bytes, self.limits.megabytes * _MEGABYTE // 4)


_MEGABYTE: Final = 1_000_000
_MOST_BUCKETS: Final = 512
"""A task writes to all buckets at once, each an open file; many systems allow a process 1,024 of them."""


def check_method(settings: BatchSettings) -> None:
    """Refuse settings that would fail on every page."""
    model = find_method(settings.method).fit()
    if settings.decision.needs_judgement and not isinstance(model, JudgesPages):
        cause = f"the method {settings.method} supports none of these"
        raise InvalidSetting("favour, comments and rules", cause, "use the default method")


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise InvalidSetting(name, f"{value!r} must be one of {', '.join(choices)}")
