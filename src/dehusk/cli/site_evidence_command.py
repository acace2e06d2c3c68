"""`dehusk train site-evidence`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli.reporting import errors, tell
from dehusk.cli.shared_options import ModelOutput

if TYPE_CHECKING:
    from dehusk.lab.training.site_evidence_training import SiteEvidence
    from dehusk.lab.training.site_samples import SampledSite
    from dehusk.methods.page_network.calibration import Calibration
    from dehusk.methods.page_network.inference import PageNetwork


def site_evidence_command(
    network: Annotated[
        Path, typer.Option("--network", "-n", metavar="FILE", help="The file written by `dehusk train hybrid`.")
    ],
    keep: Annotated[
        Path,
        typer.Option("--keep", metavar="FOLDER", help="The folder of that training: networks without each fold."),
    ],
    sites: Annotated[
        list[str],
        typer.Option("--sites", "-s", metavar="PATH", help="Pages of sites with many pages each (repeatable)."),
    ],
    output: ModelOutput,
    labels: Annotated[
        Path | None,
        typer.Option(
            "--labels", metavar="PATH", help="Labels by the content policy (JSON lines), or a folder of them."
        ),
    ] = None,
    folds: Annotated[int, typer.Option("--folds", min=2, help="Number of folds of that training.")] = 5,
) -> None:
    """Learn the weights of site evidence again, and leave the page network as it is.

    Each site is read by the network that was not trained on it. Pages with labels or gold are judged, with 20 other
    pages of their site. Prints the word F1 of every kind of sites, with weights that were learnt without it. The files
    without-fold-N.dehusk of the folder get weights that do not know the sites of their fold. Needs `dehusk[train]`.

    Examples:

      dehusk train site-evidence --network hybrid.dehusk --keep work --sites sites/ --labels labels/ -o hybrid.dehusk
    """
    from dehusk.cli.train_commands import check_torch
    from dehusk.lab.gold.corpora import file_without_fold
    from dehusk.methods.model_files import read_model_file
    from dehusk.methods.page_network.inference import PageNetwork
    from dehusk.methods.page_network.trained_weights import Trained

    check_torch()
    file = read_model_file(network)
    trained = Trained.from_file(file)
    networks = [PageNetwork.load(keep / f"fold-{fold}-of-{folds}.dehusk") for fold in range(folds)]
    evidence = _fit(networks, trained.calibration, sites, labels)
    for fold, path in enumerate(file_without_fold(keep, fold) for fold in range(folds)):
        if path.exists():
            replace(Trained.load(path), weights=evidence.by_fold[fold]).save(path)
    replace(trained, weights=evidence.weights).save(output, pages=file.pages, created=file.created)
    _show(evidence, trained.calibration)
    tell(f"{output}: learnt from {len(evidence.examples):,} pages of sites")


def _fit(networks: list[PageNetwork], calibration: Calibration, paths: list[str], labels: Path | None) -> SiteEvidence:
    import torch

    from dehusk.lab.gold.corpora import open_corpora
    from dehusk.lab.gold.policy_labels import read_labels
    from dehusk.lab.training.site_evidence_training import fit_site_evidence
    from dehusk.lab.training.site_samples import sample_sites

    torch.set_num_threads(1)
    known = read_labels(labels) if labels else ()
    sampled: list[SampledSite] = []
    with errors().status("reading sites") as status:
        for corpus in open_corpora(paths):
            status.update(f"reading {corpus.name}: {len(sampled):,} sites so far")
            sampled += sample_sites(corpus, networks, known)
        status.update("learning weights")
        return fit_site_evidence(sampled, calibration, len(networks))


def _show(evidence: SiteEvidence, calibration: Calibration) -> None:
    from dehusk.lab.training.site_evidence_training import kind_lines, score_sites

    for line in kind_lines(score_sites(evidence, calibration)):
        typer.echo(line)
