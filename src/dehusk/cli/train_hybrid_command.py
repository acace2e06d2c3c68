"""`dehusk train hybrid`."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli.exit_codes import INTERRUPTED, USAGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dehusk.lab.gold.corpora import Corpus
    from dehusk.lab.training.hybrid_training import Quality
    from dehusk.lab.training.model_cards import DataSet
    from dehusk.lab.training.prepared_pages import PreparedPage


def train_hybrid_command(
    gold: Annotated[
        list[str],
        typer.Option("--gold", "-g", metavar="PATH", help="Labelled pages (repeatable): Parquet files or folders."),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write the model.")],
    sites: Annotated[
        list[str] | None,
        typer.Option(
            "--sites", "-s", metavar="PATH", help="Labelled pages of sites with many pages each (repeatable)."
        ),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(
            "--keep", metavar="FOLDER", help="Folder for intermediate results, used to resume. Default: FILE.work"
        ),
    ] = None,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="Training epochs per network.")] = 8,
    folds: Annotated[int, typer.Option("--folds", min=2, help="Number of cross-validation folds.")] = 5,
    threads: Annotated[int, typer.Option("--threads", min=1, help="Number of training threads.")] = 1,
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 1,
    created: Annotated[str, typer.Option("--created", metavar="DATE", help="Date to store in the model.")] = "",
) -> None:
    """Train the default method: the page network, the weights of site evidence, and calibration.

    One network is trained per fold, without the sites of that fold; its scores on them are used to fit the calibration
    and the weight of site evidence. The final network is trained on all sites. Folds are split by registered domain.
    A model card is written beside the model (FILE with the suffix .md): data, settings and held-out scores. Needs
    `dehusk[train]`. Run the same command again to continue after an interruption.

    Examples:

      dehusk train hybrid --gold gold/ --sites sites/ -o hybrid.dehusk

      dehusk clean page.html --model hybrid.dehusk
    """
    from importlib.util import find_spec

    from dehusk.cli.clean_step import write_whole
    from dehusk.cli.reporting import errors, fail, warn
    from dehusk.errors import DehuskError
    from dehusk.lab.gold.corpora import open_corpora

    if find_spec("torch") is None:
        fail("training needs PyTorch: pip install 'dehusk[train]'", USAGE)
    begun = time.perf_counter()
    try:
        labelled, many = open_corpora(gold), open_corpora(sites) if sites else []
        quality, pages = _train(labelled, many, output, keep, epochs, folds, threads, seed, created)
        facts = {
            "network": f"{epochs} epochs, seed {seed}",
            "folds": f"{folds}, by registered domain",
            "date": created or "not given",
            "seconds": f"{time.perf_counter() - begun:.0f}, without steps resumed from an earlier run",
        }
        write_whole(str(output.with_suffix(".md")), _card([*labelled, *many], pages, facts, quality))
    except DehuskError as error:
        fail(str(error), USAGE)
    except KeyboardInterrupt:
        warn("interrupted; run the same command again to continue")
        raise typer.Exit(INTERRUPTED) from None
    errors().print(f"{output}: trained on {sum(page.usable for page in pages):,} pages", markup=False, soft_wrap=True)


def _train(
    gold: Sequence[Corpus],
    sites: Sequence[Corpus],
    output: Path,
    keep: Path | None,
    epochs: int,
    folds: int,
    threads: int,
    seed: int,
    created: str,
) -> tuple[Quality, list[PreparedPage]]:
    import torch

    from dehusk.cli.reporting import errors
    from dehusk.lab.training.hybrid_training import HybridSettings, Labelled, train_hybrid
    from dehusk.lab.training.network_training import TrainingSettings

    torch.set_num_threads(threads)
    folder = keep or output.with_suffix(".work")
    folder.mkdir(parents=True, exist_ok=True)
    settings = HybridSettings(folds, TrainingSettings(epochs=epochs, seed=seed))
    console = errors()
    with console.status("reading") as status:

        def tell(what: str) -> None:
            status.update(what)
            if what.startswith("training"):
                console.print(what, markup=False)

        trained, quality, pages = train_hybrid(Labelled(gold, sites), folder, settings, tell)
    trained.save(output, pages=sum(page.usable for page in pages), created=created)
    return quality, pages


def _card(corpora: Sequence[Corpus], pages: Sequence[PreparedPage], facts: dict[str, str], quality: Quality) -> str:
    from dehusk.lab.training.model_cards import Card, card_text

    scores = {
        **{f"word F1 on {name}": f"{value:.3f}" for name, value in quality.by_set.items()},
        **{f"word F1 on pages of type {name}": f"{value:.3f}" for name, value in quality.by_type.items()},
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
            "dehusk train hybrid --gold gold --sites sites -o FILE",
        )
    )


def _site_scores(quality: Quality) -> dict[str, str]:
    if not quality.sites:
        return {}
    pages = sum(site.pages for site in quality.sites)
    alone, together = fmean(site.alone for site in quality.sites), fmean(site.together for site in quality.sites)
    no_worse = sum(site.no_worse for site in quality.sites)
    return {
        "sites of many pages, 20 siblings, mean word F1": f"{together:.3f} with the site, {alone:.3f} without",
        "sites no worse with the site": f"{no_worse} of {len(quality.sites)}",
        "pages that lose more than 0.05": f"{sum(site.harmed for site in quality.sites)} of {pages:,}",
        **{f"{site.corpus} {site.site}": f"{site.alone:.3f} to {site.together:.3f}" for site in quality.sites},
    }


def _data(corpora: Sequence[Corpus], pages: Sequence[PreparedPage]) -> list[DataSet]:
    from collections import Counter

    from dehusk.lab.training.model_cards import DataSet

    usable = Counter(page.corpus for page in pages if page.usable)
    unusable = Counter(page.corpus for page in pages if not page.usable)
    return [DataSet(one.name, one.digest(), usable[one.name], unusable[one.name]) for one in corpora]
