"""Pages for batches, some of which do the worst to whoever cleans them. A module, so that processes can import it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

from hostile_steps import clean_or_misbehave

from dehusk.batch import batch_inputs
from dehusk.batch.batch_running import Batch, BatchDone, run_batch
from dehusk.batch.batch_settings import BatchSettings
from dehusk.batch.engines import Engine, LocalEngine, open_engine
from dehusk.workers.worker_process import WorkerLimits

EngineOf = Callable[[int], Engine]
"""An engine for so many jobs. Not in conftest: processes that import this module may find another conftest first."""
_WORDS = "amber bread cedar dune ember fern grove heron iris juniper kelp lark moss nectar oak pine quartz reed".split()
PATIENT = WorkerLimits(seconds=300, megabytes=400)
"""Where no page hangs: on a busy machine pages run out of time, in which alone two runs may differ."""
IMPATIENT = WorkerLimits(seconds=5, megabytes=400)
"""Where one does, and is waited for. Others take milliseconds, the first of a process, too: see `page`."""


def page(site: int, number: int, spell: str = "") -> bytes:
    """A page of a site: the same menu everywhere, and words of its own. It says its language and date: to find out
    either, a process loads for longer than it cleans."""
    head = "<html lang=en><meta property=article:published_time content=2024-05-01>"
    own = [f"{_WORDS[(number * 7 + index * (site + 3)) % len(_WORDS)]}{number * index}" for index in range(60)]
    paragraphs = "".join(f"<p>Of {' and '.join(own[start : start + 12])}.</p>" for start in range(0, 60, 12))
    canonical = f"<link rel=canonical href=https://www.site-{site}.example/{number}>"
    menu = f"<nav><a href=/>Start of site {site}</a> <a href=/shop>Shop</a> <a href=/help>Help</a></nav>"
    foot = f"<footer>All rights of site {site} reserved, every one of them.</footer>"
    return (
        f"{head}<title>Page {number}</title>{canonical}{menu}<h1>Page {number}</h1>{paragraphs}{spell}{foot}".encode()
    )


def write_pages(folder: Path, sites: int, pages: int, spells: dict[int, str] | None = None) -> None:
    """Pages of the sites in turn, so that those of a site lie apart; spells go to pages by their number."""
    folder.mkdir()
    for number in range(pages):
        spell = (spells or {}).get(number, "")
        (folder / f"{number:04}.html").write_bytes(page(number % sites, number, spell))


def run(source: Path, out: Path, jobs: int = 1, engine: Engine | None = None, **settings: object) -> BatchDone:
    """A batch over a folder in tasks of few files; by local processes, unless there is an engine."""
    batch_inputs.TASK_FILES = 100  # type: ignore[misc]
    chosen = BatchSettings(**{"buckets": 4, "limits": PATIENT, **settings})  # type: ignore[arg-type]
    batch = Batch((str(source),), out, chosen, clean_or_misbehave)
    with nullcontext(engine) if engine else LocalEngine(jobs) as used:
        return run_batch(batch, used)


if __name__ == "__main__":
    import hostile_pages  # functions of __main__ have another name in other processes

    source, out, engine_name, *address = sys.argv[1:]
    with open_engine(engine_name, 2, *address) as engine:
        hostile_pages.run(Path(source), Path(out), engine=engine, limits=PATIENT)
