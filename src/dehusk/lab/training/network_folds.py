"""The networks of a training: one without each fold of sites, and the one on all sites that is shipped.

They need nothing of each other, so they can be trained in several processes: six fit on one accelerator. And they need
nothing but prepared pages, so they can be trained on another machine than the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dehusk.errors import GoldError
from dehusk.lab.gold.corpora import fold_of
from dehusk.lab.training.network_training import SoftPage, Step, TrainingSettings, learnable, train
from dehusk.lab.training.prepared_pages import POLICY, PreparedPage, made_by_rule
from dehusk.methods.page_network.inference import NetworkReading, PageNetwork

ShowProgress = Callable[[str], None]
"""Called with progress messages."""


@dataclass(frozen=True, slots=True)
class HybridSettings:
    """Training settings of the hybrid."""

    folds: int = 5
    network: TrainingSettings = field(default_factory=TrainingSettings)
    teachers: int = 2
    """Networks, larger than the one that is shipped, that teach it; without any it learns from gold alone."""
    teacher_width: int = 160
    processes: int = 1
    """Networks trained at a time."""


@dataclass(frozen=True, slots=True)
class _Job:
    """One network to train."""

    pages: Sequence[PreparedPage]
    unlabelled: Sequence[PreparedPage]
    fold: int | None
    """The fold of sites that it must not know; None for the network on all sites."""
    folder: Path
    settings: HybridSettings

    @property
    def path(self) -> Path:
        name = "all" if self.fold is None else f"fold-{self.fold}-of-{self.settings.folds}"
        return self.folder / f"{name}.dehusk"

    @property
    def what(self) -> str:
        return "on all sites" if self.fold is None else f"without fold {self.fold + 1} of {self.settings.folds}"

    def known(self, pages: Sequence[PreparedPage]) -> list[PreparedPage]:
        return [page for page in pages if self.fold is None or fold_of(page.site, self.settings.folds) != self.fold]

    def check(self) -> None:
        """Refuse to train on nothing: sites fall into folds by their names, and few sites may all fall into one."""
        if learnable(_followed(self.known(self.pages)), self.settings.network):
            return
        if self.fold is None:
            raise GoldError("training", "no page has gold that fits its text", "see docs/hybrid.md for what is gold")
        cause = f"all pages with usable gold are of sites in fold {self.fold + 1} of {self.settings.folds}"
        raise GoldError("training", cause, "give pages of more sites, or try another number of --folds")


def train_networks(
    pages: Sequence[PreparedPage],
    unlabelled: Sequence[PreparedPage],
    folder: Path,
    settings: HybridSettings,
    show: ShowProgress,
) -> list[PageNetwork]:
    """The networks without each fold, in order, and the one on all sites; from the folder if they are there."""
    folds = [*range(settings.folds), None]
    jobs = [_Job(pages, unlabelled, fold, folder, settings) for fold in folds]
    for job in reversed(jobs):  # that on all sites first
        job.check()
    if settings.processes == 1:
        return [_network(job, show) for job in jobs]
    with _sharing(jobs) as shared, ProcessPoolExecutor(settings.processes, get_context("fork")) as pool:
        for number in pool.map(_train_shared, shared):
            show(f"trained {jobs[number].what}")
    return [PageNetwork.load(job.path) for job in jobs]


_shared: list[_Job] = []
"""Jobs of forked processes: pages are inherited with the memory, not sent."""


@contextmanager
def _sharing(jobs: Sequence[_Job]) -> Iterator[range]:
    _shared[:] = jobs
    try:
        yield range(len(jobs))
    finally:
        _shared.clear()


def _train_shared(number: int) -> int:
    _network(_shared[number], lambda _: None)
    return number


def _network(job: _Job, show: ShowProgress) -> PageNetwork:
    """Train the teachers and the network, or read it if the file exists."""
    if job.path.exists():
        return PageNetwork.load(job.path)
    known, network = job.known(job.pages), job.settings.network
    teachers = [
        _trained(
            known,
            replace(network, width=job.settings.teacher_width, seed=network.seed + number),
            job.path.with_name(f"{job.path.stem}-teacher-{number}.dehusk"),
            f"teacher {number + 1} {job.what}",
            show,
        )
        for number in range(job.settings.teachers)
    ]
    taught = [page for page in [*known, *job.known(job.unlabelled)] if page.corpus != POLICY and len(page)]
    soft = [SoftPage(page, mean_reading(page, teachers)) for page in taught] if teachers else []
    return _trained(known, network, job.path, job.what, show, soft)


def _trained(
    pages: Sequence[PreparedPage],
    settings: TrainingSettings,
    path: Path,
    what: str,
    show: ShowProgress,
    soft: Sequence[SoftPage] = (),
) -> PageNetwork:
    """Train a network, or read it if the file exists."""
    if path.exists():
        return PageNetwork.load(path)

    def watch(step: Step) -> None:
        show(f"training {what}: epoch {step.epoch} of {step.epochs}, loss {step.loss:.4f}")

    checkpoint = path.with_suffix(".npz")
    show(f"training {what}")
    followed = _followed(pages)
    train(followed, settings, watch, checkpoint, soft).save(path, pages=sum(page.usable for page in followed))
    checkpoint.unlink(missing_ok=True)
    return PageNetwork.load(path)  # in half precision: measure what is shipped


def _followed(pages: Sequence[PreparedPage]) -> Sequence[PreparedPage]:
    """The pages whose gold is learnt from: what rules made of pages counts only where there is nothing else."""
    return [page for page in pages if not made_by_rule(page.corpus)] or pages


def mean_reading(page: PreparedPage, networks: Sequence[PageNetwork]) -> NetworkReading:
    """What several networks say of a page, on average."""
    readings = [network.read(page.inputs) for network in networks]

    def mean(name: str) -> NDArray[np.float32]:
        return np.asarray(np.mean([getattr(one, name) for one in readings], axis=0), dtype=np.float32)

    return replace(readings[0], content=mean("content"), comment=mean("comment"), page_type=mean("page_type"))
