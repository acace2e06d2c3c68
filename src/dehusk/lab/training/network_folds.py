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

from dehusk.errors import GoldError
from dehusk.lab.gold.corpora import fold_of
from dehusk.lab.training.network_training import Step, TrainingSettings, learnable, train
from dehusk.lab.training.prepared_pages import PreparedPage, made_by_rule
from dehusk.lab.training.torch_network import Dropping
from dehusk.methods.page_network.inference import PageNetwork

ShowProgress = Callable[[str], None]
"""Called with progress messages."""


@dataclass(frozen=True, slots=True)
class HybridSettings:
    """Training settings of the hybrid."""

    folds: int = 5
    network: TrainingSettings = field(default_factory=TrainingSettings)
    teachers: int = 5
    """Networks, larger than the one that is shipped, that teach it; without any it learns from gold alone."""
    teacher_width: int = 160
    teacher_epochs: int = 10
    taught: Dropping = field(default_factory=lambda: Dropping(names=0.2, words=0.25, hidden=0.1, whole_pages=0.15))
    """Dropout of a network with teachers: what they say is smooth, so that a small one has more to learn from it than
    it can overfit."""
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
            replace(
                network,
                width=job.settings.teacher_width,
                epochs=job.settings.teacher_epochs,
                seed=network.seed + number,
            ),
            job.path.with_name(f"{job.path.stem}-teacher-{number}.dehusk"),
            f"teacher {number + 1} {job.what}",
            show,
        )
        for number in range(job.settings.teachers)
    ]
    if teachers:
        network = replace(network, dropping=job.settings.taught)
    taught = [page for page in [*known, *job.known(job.unlabelled)] if len(page)]
    return _trained(known, network, job.path, job.what, show, teachers, taught)


def _trained(
    pages: Sequence[PreparedPage],
    settings: TrainingSettings,
    path: Path,
    what: str,
    show: ShowProgress,
    teachers: Sequence[PageNetwork] = (),
    taught: Sequence[PreparedPage] = (),
) -> PageNetwork:
    """Train a network, or read it if the file exists."""
    if path.exists():
        return PageNetwork.load(path)

    def watch(step: Step) -> None:
        show(f"training {what}: epoch {step.epoch} of {step.epochs}, loss {step.loss:.4f}")

    checkpoint = path.with_suffix(".npz")
    show(f"training {what}")
    followed = _followed(pages)
    network = train(followed, settings, watch, checkpoint, teachers, taught)
    network.save(path, pages=sum(page.usable for page in followed))
    checkpoint.unlink(missing_ok=True)
    return PageNetwork.load(path)  # in half precision: measure what is shipped


def _followed(pages: Sequence[PreparedPage]) -> Sequence[PreparedPage]:
    """The pages whose gold is learnt from: what rules made of pages counts only where there is nothing else."""
    return [page for page in pages if not made_by_rule(page.corpus)] or pages
