"""What learning a site and cleaning with the model cost: as ratios, because seconds are the machine's."""

from __future__ import annotations

import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar

from dehusk.blocks.segmentation import segment
from dehusk.cleaning import clean
from dehusk.lab.evaluation.other_tools import OTHER_TOOLS, decoded_html
from dehusk.lab.gold.corpora import GoldPage
from dehusk.learning import load_model
from dehusk.methods.base import Model
from dehusk.methods.site_trees.style_tree import StyleTree
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import read_page
from dehusk.sources.raw_page import RawPage
from site_learning.loaded_site import LoadedSite, Sampling
from site_learning.sections import markdown_table
from site_learning.sites import Site

TIMED_SITE: Final = "swde-book-amazon"
"""Pages as collected, scripts and all, and among the heaviest of those we have."""
RIVAL: Final = "trafilatura"
_PROC_STATUS: Final = Path("/proc/self/status")

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class SpeedFigures:
    """Over rounds in which everything takes its turn; ratios to reading are medians."""

    pages: int
    rival_to_learning: float | None
    """trafilatura.extract over the pages, to reading and learning them; None where it is not installed."""
    fitting_to_reading: float
    scoring_to_reading: float
    """Cleaning with a loaded model as far as a score per block: segment and score_blocks, to read_page."""
    text_to_reading: float
    """The same as far as text."""
    streaming_memory: int
    """Most bytes above the imports while learning, if pages come one at a time (as `dehusk learn` reads them)."""
    learning_memory: int
    """And if all are read before."""
    model_bytes: int


@dataclass(frozen=True, slots=True)
class _Round:
    """Processor seconds of one round over all pages."""

    read: float
    fit: float
    score: float
    text: float
    rival: float | None
    """Of a part of the pages: it has one pass over them in all rounds, because it takes by far the longest."""


def measure(loaded: LoadedSite) -> int:
    """Bytes of the model of a site on disk."""
    model: Any = loaded.model(StyleTree())  # not every model can be saved; those of sites can
    with TemporaryDirectory() as folder:
        path = Path(folder) / "site.dehusk"
        model.save(path)
        return path.stat().st_size


def measure_timed_site(sites: Sequence[Site], most_pages: int, repeat: int) -> SpeedFigures | None:
    """Figures on the timed site; None where it is not there. Nothing else should run at the same time."""
    found = [site for site in sites if site.name == TIMED_SITE]
    if not found:
        return None
    members = LoadedSite(found[0], Sampling()).members[:most_pages]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "site.dehusk"
        StyleTree().fit([read_page(page.raw) for page in members]).save(path)
        rounds = [_time_round(members, load_model(path), members[number::repeat]) for number in range(repeat)]
        streaming, learning = _memory_of_learning(members, Path(folder))
        size = path.stat().st_size
    return SpeedFigures(
        len(members),
        _rival_to_learning(rounds),
        median(one.fit / one.read for one in rounds),
        median(one.score / one.read for one in rounds),
        median(one.text / one.read for one in rounds),
        streaming,
        learning,
        size,
    )


def report(model_sizes: Sequence[int], figures: SpeedFigures | None) -> str:
    rows = _rows(figures) if figures else []
    rows.append([f"model file, median of {len(model_sizes)} sites", f"{median(model_sizes) / 1e3:,.0f} kB"])
    note = "" if figures else f"{TIMED_SITE} is not among the sites: nothing timed.\n\n"
    return note + markdown_table(["style tree", "measured"], rows)


def _rows(figures: SpeedFigures) -> list[list[str]]:
    rival = f"{figures.rival_to_learning:.1f} times" if figures.rival_to_learning else "not installed"
    pages = f"{figures.pages} pages of {TIMED_SITE}"
    return [
        [f"{RIVAL}.extract over {pages} / reading and learning them", rival],
        ["learning / reading", f"{figures.fitting_to_reading:.2f}"],
        ["cleaning with a loaded model: segment + score / read", f"{figures.scoring_to_reading:.2f}"],
        ["cleaning with a loaded model: segment + score + text / read", f"{figures.text_to_reading:.2f}"],
        ["memory while learning them, pages read one at a time", f"{figures.streaming_memory / 1e6:,.0f} MB"],
        ["memory while learning them, all pages read before", f"{figures.learning_memory / 1e6:,.0f} MB"],
        ["model file of them", f"{figures.model_bytes / 1e3:,.0f} kB"],
    ]


def _time_round(members: Sequence[GoldPage], model: Model, for_rival: Sequence[GoldPage]) -> _Round:
    pages, read = _timed(lambda: [read_page(page.raw) for page in members])
    _, fit = _timed(lambda: _learn(pages))
    model.score_blocks(segment(pages[0]))  # what a loaded model works out on first use is not the page's cost
    _, score = _timed(lambda: [model.score_blocks(segment(page)) for page in pages])
    _, text = _timed(lambda: [clean(page, model).text for page in pages])
    rival = OTHER_TOOLS[RIVAL]
    if not rival.installed:
        return _Round(read, fit, score, text, None)
    html = [decoded_html(page.raw.body) for page in for_rival]  # decoded before the clock starts, in its favour
    rival(html[0])  # imports
    _, extract = _timed(lambda: [rival(one) for one in html])
    return _Round(read, fit, score, text, extract)


def _learn(pages: Iterable[Page]) -> float:
    """Learn as far as decisions: models may put off work until a threshold is asked for."""
    return StyleTree().fit(pages).threshold


def _rival_to_learning(rounds: Sequence[_Round]) -> float | None:
    """One pass over the pages to the mean of learning them."""
    passes = [one.rival for one in rounds if one.rival is not None]
    return sum(passes) / fmean(one.read + one.fit for one in rounds) if passes else None


def _timed(work: Callable[[], Result]) -> tuple[Result, float]:
    begun = time.process_time()
    result = work()
    return result, time.process_time() - begun


def _memory_of_learning(members: Sequence[GoldPage], folder: Path) -> tuple[int, int]:
    """In a process of its own, which takes the pages one by one from files: this one has far too much in memory."""
    files = [folder / f"{number}.html" for number in range(len(members))]
    for file, page in zip(files, members, strict=True):
        file.write_bytes(page.raw.body)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_learn_and_look, files).result()


def _learn_and_look(files: Sequence[Path]) -> tuple[int, int]:
    """Most bytes while learning (pages one at a time; all in memory), both above what the imports take."""
    _learn([read_page("<p>what is only made on first use")])
    before = _most_memory()
    _learn(read_page(RawPage(file.read_bytes())) for file in files)
    one_at_a_time = _most_memory()
    _learn([read_page(RawPage(file.read_bytes())) for file in files])
    return one_at_a_time - before, _most_memory() - before


def _most_memory() -> int:
    """Most bytes this process ever had in RAM. What getrusage says begins, on Linux, with the size of the parent."""
    if _PROC_STATUS.exists():
        line = next(line for line in _PROC_STATUS.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
