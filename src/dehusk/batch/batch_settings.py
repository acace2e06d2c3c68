"""What a batch is asked to do. One value, so that a second run can see whether it was asked for the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from dehusk.cleaning import find_method
from dehusk.deciding.decisions import DEFAULT_DECISION, Decision
from dehusk.errors import InvalidSetting
from dehusk.learning import MOST_PAGES
from dehusk.methods import DEFAULT_METHOD
from dehusk.methods.base import JudgesPages
from dehusk.outputs.page_records import CONTENTS
from dehusk.workers.worker_process import WorkerLimits

FORMATS: Final = ("jsonl", "parquet")


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """All that the output depends on, apart from the pages."""

    method: str = DEFAULT_METHOD
    decision: Decision = DEFAULT_DECISION
    format_name: str = "jsonl"
    content: str = "text"
    """What the field `text` of a record holds: `text`, `markdown` or `html`."""
    buckets: int = 64
    """Parts that the sites are spread over. The sites of each are learnt by one task."""
    sample: int = MOST_PAGES
    """Pages a site is learnt from, at most."""
    least_pages: int = 3
    """Different pages without which a site is not learnt: from two alone nothing tells template from article."""
    sample_bytes: int = 256_000_000
    """Pages held in memory to learn from, of all sites together; where sites have more, they take turns."""
    task_bytes: int = 64_000_000
    """Input that one task sorts: files that follow each other go together up to this, a larger one by itself."""
    slice_bytes: int = 256_000_000
    """Pages that one task cleans, about: a bucket with more of them, as a giant site makes it, is cut into slices."""
    seed: int = 0
    """Of the choice of pages to learn from, and of the order of sites in buckets."""
    follow_links: bool = False
    """Whether links in folders are followed out of them."""
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
    def learnt_bytes(self) -> int:
        """Of the pages that a site is learnt from: the process that learns holds them beside the one it reads."""
        return min(self.sample_bytes, self.limits.megabytes * _MEGABYTE // 4)


_MEGABYTE: Final = 1_000_000
_MOST_BUCKETS: Final = 512
"""An input is written to all buckets at once, so each is an open file; many systems allow a process 1,024 of them."""


def check_method(settings: BatchSettings) -> None:
    """Refuse at once what would fail at every page."""
    model = find_method(settings.method).fit()
    if settings.decision != DEFAULT_DECISION and not isinstance(model, JudgesPages):
        cause = f"not supported by the method {settings.method}"
        raise InvalidSetting("favour, comments and rules", cause, "use the default method")


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise InvalidSetting(name, f"{value!r} is none of {', '.join(choices)}", "choose one of these")
