"""`dehusk train hybrid`, `dehusk train networks` and `dehusk train sequence-labels`."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli.reporting import INTERRUPTED, errors, fail, progress_of, tell, tracked, warn, write_whole
from dehusk.cli.shared_options import Created, Iterations, ModelOutput, Penalty, Seed

if TYPE_CHECKING:
    from dehusk.lab.gold.corpora import Corpus
    from dehusk.lab.training.chain_training import TrainingSettings
    from dehusk.lab.training.hybrid_training import Labelled, Quality
    from dehusk.lab.training.model_cards import DataSet
    from dehusk.lab.training.network_folds import HybridSettings
    from dehusk.lab.training.prepared_pages import PreparedPage
    from dehusk.lab.training.sequence_label_training import LabelledPage
    from dehusk.methods.sequence_labels.sequence_labels import SequenceLabels, SequenceLabelsModel

_MOST_NAMED = 10
"""Unusable pages that are listed by name; the others are only counted."""


@dataclass(frozen=True)
class NetworkOptions:
    """How networks are trained."""

    epochs: Annotated[int, typer.Option("--epochs", min=1, help="Training epochs per network.")] = 48
    teachers: Annotated[
        int, typer.Option("--teachers", min=0, help="Number of larger networks that teach the one that is shipped.")
    ] = 5
    device: Annotated[str, typer.Option("--device", metavar="NAME", help="Where PyTorch computes: cpu or cuda.")] = (
        "cpu"
    )
    processes: Annotated[int, typer.Option("--processes", min=1, help="Number of networks trained at a time.")] = 1
    folds: Annotated[int, typer.Option("--folds", min=2, help="Number of cross-validation folds.")] = 5
    seed: Seed = 1

    def check(self) -> None:
        """Fail where PyTorch or the device is missing."""
        check_torch()
        # Asked in the usual way, CUDA is initialised, and processes forked afterwards cannot use it.
        os.environ.setdefault("PYTORCH_NVML_BASED_CUDA_CHECK", "1")
        import torch

        if self.device not in ("cpu", "cuda"):
            fail(f"--device: {self.device!r} is unknown; choose cpu or cuda")
        if self.device == "cuda" and not torch.cuda.is_available():
            fail("--device: PyTorch finds no CUDA device here; use --device cpu")

    def settings(self) -> HybridSettings:
        from dehusk.lab.training.network_folds import HybridSettings
        from dehusk.lab.training.network_training import TrainingSettings

        network = TrainingSettings(epochs=self.epochs, seed=self.seed, device=self.device)
        return HybridSettings(self.folds, network, self.teachers, processes=self.processes)


def check_torch() -> None:
    """Fail where PyTorch is missing."""
    from importlib.util import find_spec

    if find_spec("torch") is None:
        fail("training needs PyTorch: pip install 'dehusk[train]'")


def hybrid_command(
    *,
    gold: Annotated[
        list[str],
        typer.Option("--gold", "-g", metavar="PATH", help="Labelled pages (repeatable): Parquet files or folders."),
    ],
    output: ModelOutput,
    sites: Annotated[
        list[str] | None,
        typer.Option(
            "--sites", "-s", metavar="PATH", help="Labelled pages of sites with many pages each (repeatable)."
        ),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(
            "--labels", metavar="PATH", help="Labels by the content policy (JSON lines), or a folder of them."
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="FOLDER", help="Folder with the Parquet files that the labels name."),
    ] = None,
    unlabelled: Annotated[
        list[str] | None,
        typer.Option("--unlabelled", metavar="PATH", help="Pages without gold, which teachers label (repeatable)."),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(
            "--keep", metavar="FOLDER", help="Folder for intermediate results, used to resume. Default: FILE.work"
        ),
    ] = None,
    networks: NetworkOptions,
    threads: Annotated[int, typer.Option("--threads", min=1, help="Number of training threads.")] = 1,
    created: Created = "",
) -> None:
    """Train the default method: the page network, the weights of site evidence, and calibration.

    One network is trained per fold, without the sites of that fold; its scores on them are used to fit the calibration
    and the weight of site evidence. The final network is trained on all sites. Folds are split by registered domain.
    A model card is written beside the model (FILE with the suffix .md): data, settings and held-out scores. Needs
    `dehusk[train]`. Run the same command again to continue after an interruption.

    Examples:

      dehusk train hybrid --gold gold/ --sites sites/ --labels labels/ --data . -o hybrid.dehusk

      dehusk clean page.html --model hybrid.dehusk
    """
    from dehusk.lab.gold.corpora import open_corpora

    networks.check()
    if labels and not data:
        fail("--labels names pages of Parquet files: give their folder with --data")
    begun = time.perf_counter()
    try:
        labelled, many = open_corpora(gold), open_corpora(sites) if sites else []
        chosen = _labelled(labelled, many, labels, data, unlabelled)
        quality, pages = _train_hybrid(chosen, networks.settings(), output, keep, threads, created)
        facts = {
            "network": f"{networks.epochs} epochs, seed {networks.seed}, {networks.teachers} teachers",
            "labels by the content policy": f"{len(chosen.labels):,} pages",
            "folds": f"{networks.folds}, by registered domain",
            "date": created or "not given",
            "seconds": f"{time.perf_counter() - begun:.0f}, without steps resumed from an earlier run",
        }
        write_whole(str(output.with_suffix(".md")), _hybrid_card([*labelled, *many], pages, facts, quality))
    except KeyboardInterrupt:
        warn("interrupted; run the same command again to continue")
        raise typer.Exit(INTERRUPTED) from None
    tell(f"{output}: trained on {sum(page.usable for page in pages):,} pages")


def _labelled(
    gold: Sequence[Corpus],
    sites: Sequence[Corpus],
    labels: Path | None,
    data: Path | None,
    unlabelled: list[str] | None,
) -> Labelled:
    from dehusk.lab.gold.corpora import open_corpora
    from dehusk.lab.gold.policy_labels import read_labels
    from dehusk.lab.training.hybrid_training import Labelled

    others = open_corpora(unlabelled) if unlabelled else []
    return Labelled(gold, sites, read_labels(labels) if labels else (), data or Path(), others)


def networks_command(
    *,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of `train hybrid --keep`.")],
    labels: Annotated[
        Path | None,
        typer.Option("--labels", metavar="PATH", help="Labels by the content policy, as for `train hybrid`."),
    ] = None,
    networks: NetworkOptions,
) -> None:
    """Train only the networks of the default method, on prepared pages: for a machine with a GPU.

    `dehusk train hybrid` prepares the pages in FOLDER/prepared before it trains: interrupt it there, copy the folder to
    the other machine, run this command with the same settings, and copy the networks back. Run again with the same
    folder, `dehusk train hybrid` does the rest. Needs `dehusk[train]`.

    Examples:

      dehusk train networks hybrid.work --labels labels/ --device cuda --processes 6
    """
    networks.check()
    from dehusk.lab.gold.policy_labels import read_labels
    from dehusk.lab.training.network_folds import train_networks
    from dehusk.lab.training.prepared_pages import read_prepared

    pages, unlabelled = read_prepared(folder / "prepared", read_labels(labels) if labels else ())
    if not pages:
        fail(f"{folder / 'prepared'}: has no pages; `dehusk train hybrid --keep {folder}` prepares them")
    train_networks(pages, unlabelled, folder, networks.settings(), tell)
    tell(f"{folder}: {networks.folds + 1} networks, trained on {len(pages):,} pages")


def _train_hybrid(
    data: Labelled, settings: HybridSettings, output: Path, keep: Path | None, threads: int, created: str
) -> tuple[Quality, list[PreparedPage]]:
    import torch

    from dehusk.lab.training.hybrid_training import train_hybrid

    torch.set_num_threads(threads)
    folder = keep or output.with_suffix(".work")
    folder.mkdir(parents=True, exist_ok=True)
    console = errors()
    with console.status("reading") as status:

        def tell(what: str) -> None:
            status.update(what)
            if what.startswith("training"):
                console.print(what, markup=False)

        trained, quality, pages = train_hybrid(data, folder, settings, tell)
    trained.save(output, pages=sum(page.usable for page in pages), created=created)
    return quality, pages


def _hybrid_card(
    corpora: Sequence[Corpus], pages: Sequence[PreparedPage], facts: dict[str, str], quality: Quality
) -> str:
    from dehusk.lab.training.model_cards import Card, card_text

    scores = {
        **{f"word F1 on {name}": f"{value:.3f}" for name, value in quality.by_set.items()},
        **{f"word F1 on pages of type {name}": f"{value:.3f}" for name, value in quality.by_type.items()},
        **{f"word F1 on pages in {name}": f"{value:.3f}" for name, value in quality.by_language.items()},
        **{f"recall of page type {name}": f"{value:.3f}" for name, value in quality.types.items()},
        "expected calibration error": f"{quality.calibration_error:.3f} alone, "
        f"{quality.calibration_error_with_site:.3f} with a site",
        "mean error of confidence": f"{quality.confidence_error:.3f}",
        "reliability (probability: share that is content)": ", ".join(
            f"{expected:.2f}: {true:.2f}" for expected, true, _ in quality.reliability
        ),
        **_site_scores(quality),
    }
    return card_text(
        Card(
            "Hybrid",
            tuple(_data(corpora, pages)),
            facts,
            scores,
            "dehusk train hybrid --gold gold --sites sites --labels labels --data DATA --unlabelled more-sites -o FILE",
        )
    )


def _site_scores(quality: Quality) -> dict[str, str]:
    from dehusk.lab.training.site_evidence_training import JUDGES, score_kinds

    scores = {}
    for judge, described in JUDGES.items():
        for one in score_kinds([site for site in quality.sites if site.judge == judge]):
            name = f"kind of sites left out: {one.kind} ({described})"
            scores[name] = f"{one.alone:.3f} alone, {one.together:.3f} with 20 pages of the site, {one.harmed} harmed"
    return scores


def _data(corpora: Sequence[Corpus], pages: Sequence[PreparedPage]) -> list[DataSet]:
    from dehusk.lab.training.model_cards import DataSet

    usable = Counter(page.corpus for page in pages if page.usable)
    unusable = Counter(page.corpus for page in pages if not page.usable)
    return [DataSet(one.name, one.digest(), usable[one.name], unusable[one.name]) for one in corpora]


def sequence_labels_command(
    gold: Annotated[
        list[str],
        typer.Option(
            "--gold",
            "-g",
            metavar="PATH",
            help="Labelled pages (repeatable): Parquet files, folders of them, or folders of page.html with page.txt.",
        ),
    ],
    output: ModelOutput,
    without: Annotated[
        list[str] | None, typer.Option("--without", metavar="FEATURE", help="Switch off a feature (repeatable).")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Use at most this many pages per data set, evenly spread.")
    ] = None,
    iterations: Iterations = 100,
    penalty: Penalty = 500.0,
    validate: Annotated[
        bool,
        typer.Option("--validate/--no-validate", help="First train without a sixth of the sites, and test on them."),
    ] = True,
    seed: Annotated[int, typer.Option("--seed", help="Random seed for choosing the validation sites.")] = 0,
    created: Created = "",
) -> None:
    """Train sequence labels: header, paragraph, list, continuation or noise for each text run.

    Gold text is aligned with its page; pages that do not contain their gold text are counted and left out. A model
    card is written beside the model (FILE with the suffix .md): data with digests, settings, validation scores.

    To use your own pages, put page.html and page.txt (the content to keep) in one folder per site. Start lines of the
    text with <h>, <p> or <l> to distinguish headers, paragraphs and list items.

    Examples:

      dehusk train sequence-labels --gold my-pages/ -o mine.dehusk

      dehusk train sequence-labels --gold gold/ --limit 150 -o model.dehusk

      dehusk clean page.html --model mine.dehusk
    """
    from dehusk.lab.training.chain_training import TrainingSettings
    from dehusk.lab.training.model_cards import Card, card_text
    from dehusk.methods.sequence_labels.run_features import FEATURE_NAMES
    from dehusk.methods.sequence_labels.sequence_labels import SequenceLabels

    begun = time.perf_counter()
    settings = TrainingSettings(square_penalty=penalty, iterations=iterations)
    left = tuple(name for name in FEATURE_NAMES if name not in _known_features(without or (), FEATURE_NAMES))
    method = SequenceLabels(left)
    pages, data = _label(gold, limit)
    scores = _validate(pages, method, settings, seed) if validate else {}
    model = _train(pages, method, settings, "training")
    model.save(output, site=", ".join(one.name for one in data), created=created)
    facts = {
        "features": f"{len(left)}" + (f", without {', '.join(without)}" if without else ""),
        "pages": f"{len(pages):,}",
        "text runs": f"{sum(len(page.labels) for page in pages):,}",
        "training": f"L-BFGS, at most {iterations} steps, penalty {penalty:g}",
        "seed": str(seed),
        "date": created or "not given",
        "seconds": f"{time.perf_counter() - begun:.0f}",
    }
    card = Card("Sequence labels", tuple(data), facts, scores, _command(gold, limit, without))
    write_whole(str(output.with_suffix(".md")), card_text(card))
    tell(f"{output}: trained on {len(pages):,} pages")


def _known_features(names: Sequence[str], known: Sequence[str]) -> Sequence[str]:
    from dehusk.errors import UnknownName

    for name in names:
        if name not in known:
            raise UnknownName(name, "no such feature", f"choose from {', '.join(known)}")
    return names


def _label(paths: list[str], limit: int | None) -> tuple[list[LabelledPage], list[DataSet]]:
    from dehusk.errors import GoldError
    from dehusk.lab.gold.corpora import open_labelled, take
    from dehusk.lab.training.model_cards import DataSet
    from dehusk.lab.training.sequence_label_training import Unusable, label_page

    pages: list[LabelledPage] = []
    data = []
    for corpus in open_labelled(paths):
        labelled = [label_page(page) for page in tracked(take(corpus, limit), corpus.size(), f"reading {corpus.name}")]
        unusable = [page for page in labelled if isinstance(page, Unusable)]
        for page in unusable[:_MOST_NAMED]:
            warn(f"{page.identifier}: not used: {page.cause}")
        if len(unusable) > _MOST_NAMED:
            warn(f"{corpus.name}: {len(unusable):,} of {len(labelled):,} pages not used")
        found = [page for page in labelled if not isinstance(page, Unusable)]
        pages += found
        data.append(DataSet(corpus.name, corpus.digest(), len(found), len(unusable)))
    if not pages:
        raise GoldError(", ".join(paths), "no page contains its gold text", "check that texts belong to these pages")
    return pages, data


def _validate(
    pages: Sequence[LabelledPage], method: SequenceLabels, settings: TrainingSettings, seed: int
) -> dict[str, str]:
    from dehusk.lab.training.sequence_label_training import accuracy, folds_by_site

    held_back = next(folds_by_site([page.site for page in pages], 6, seed))
    training = [page for page, held in zip(pages, held_back, strict=True) if not held]
    test = [page for page, held in zip(pages, held_back, strict=True) if held]
    if not training or not test:
        return {}
    full, content = accuracy(_train(training, method, settings, "validating"), test)
    scores = {
        "pages": f"{len(test):,}",
        "label accuracy": f"{full:.1%}",
        "content/noise accuracy": f"{content:.1%}",
    }
    tell("; ".join(f"{name}: {value}" for name, value in scores.items()))
    return scores


def _train(
    pages: Sequence[LabelledPage], method: SequenceLabels, settings: TrainingSettings, what: str
) -> SequenceLabelsModel:
    from dehusk.lab.training.sequence_label_training import train

    with progress_of(settings.iterations, what) as advance:
        return train(pages, method, settings, lambda number, loss: advance())


def _command(gold: Sequence[str], limit: int | None, without: Sequence[str] | None) -> str:
    sets = " ".join(f"--gold {Path(path).name}" for path in gold)
    options = (f" --limit {limit}" if limit else "") + "".join(f" --without {name}" for name in without or ())
    return f"dehusk train sequence-labels {sets}{options} -o FILE"
