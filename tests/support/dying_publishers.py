"""How to clean a page, for batches one of whose processes is killed while it publishes a file."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hostile_steps import clean_or_misbehave

from dehusk.batch.page_steps import CleanPage, Record
from dehusk.filtering.page_filters import Dropped


@dataclass(frozen=True)
class DiesPublishing:
    """Cleans pages. A process that receives it, with its task, dies before or after it gives a file its name, once."""

    note: str
    """A file that is there once that has happened."""
    pattern: str
    """Of the files' names."""
    when: str
    job: int = 0
    """The process that runs the batch, if that dies, too."""

    def __call__(self, task: CleanPage) -> Record | Dropped:
        return clean_or_misbehave(task)

    def __reduce__(self) -> tuple[Any, ...]:
        return received, (self.note, self.pattern, self.when, self.job)

    def die(self) -> None:
        try:
            os.close(os.open(self.note, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return
        for process in filter(None, (self.job, os.getpid())):
            os.kill(process, signal.SIGKILL)


def received(*fields: Any) -> DiesPublishing:
    """The same in another process, which is to die."""
    dying, rename = DiesPublishing(*fields), os.replace

    def replace(source: Any, target: Any, **options: Any) -> None:
        is_chosen = Path(target).match(dying.pattern)
        if is_chosen and dying.when == "before":
            dying.die()
        rename(source, target, **options)
        if is_chosen and dying.when == "after":
            dying.die()

    os.replace = replace
    return dying


if __name__ == "__main__":
    import dying_publishers  # functions of __main__ have another name in other processes
    from hostile_pages import PATIENT

    from dehusk.batch.batch_running import Batch, run_batch
    from dehusk.batch.batch_settings import BatchSettings
    from dehusk.batch.engines import open_engine

    engine_name, source, out, note, pattern, when = sys.argv[1:]
    dying = dying_publishers.DiesPublishing(note, pattern, when, os.getpid())
    with open_engine(engine_name, 2) as engine:
        run_batch(Batch((source,), out, BatchSettings(buckets=2, limits=PATIENT), dying), engine)
