"""Site evidence on kinds of sites that neither the network nor the weights of site evidence have seen.

    for kind in swde-auto swde-book ...; do
        python benchmarks/page_network.py --keep work/prepared --model without-$kind.dehusk --train --leave-out $kind
    done
    python benchmarks/unseen_kinds.py --keep work without-*.dehusk

The folder is that of `dehusk train hybrid --keep work`. Sites of a data set are read by the network that was trained
without it, and weighed with weights learnt from all other sites, each read by the network of its fold. Calibration is
that of the folds. Word F1 of pages alone and with 20 others of their site, means over sites with many pages.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from labelled_pages import data_folder, run
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from dehusk.lab.gold.corpora import open_corpora
from dehusk.lab.training.evidence_weights import learn_weights
from dehusk.lab.training.hybrid_training import SiteScore, site_score
from dehusk.lab.training.site_samples import Example, SampledSite, examples_of, sample_sites
from dehusk.methods.page_network.inference import PageNetwork
from dehusk.methods.page_network.trained_weights import Trained

FOLDS = 5
PREFIX = "without-"


def main() -> int:
    parser = argparse.ArgumentParser(description="Site evidence on kinds of sites that were not trained on.")
    parser.add_argument("--keep", type=Path, required=True, metavar="FOLDER", help="of `dehusk train hybrid`")
    parser.add_argument(
        "networks", nargs="+", type=Path, metavar=f"{PREFIX}SET.dehusk", help="networks, by what they lack"
    )
    arguments = parser.parse_args()
    calibrated = Trained.load(arguments.keep / f"{PREFIX}fold-0.dehusk")
    examples = [one for site in known_sites(arguments.keep) for one in examples_of(site)]
    table = Table("left out", "sites", "alone", "with 20 pages", "no worse", "pages harmed", box=SIMPLE_HEAD)
    for path in arguments.networks:
        left_out = path.stem.removeprefix(PREFIX)
        table.add_row(left_out, *row(score(left_out, PageNetwork.load(path), examples, calibrated)))
    Console().print(table)
    return 0


def known_sites(keep: Path) -> list[SampledSite]:
    """All sites, each read by the network that does not know it."""
    networks = [PageNetwork.load(keep / f"fold-{fold}-of-{FOLDS}.dehusk") for fold in range(FOLDS)]
    corpora = open_corpora([str(data_folder() / part) for part in ("gold", "sites")])
    return [site for corpus in corpora for site in sample_sites(corpus, networks)]


def score(left_out: str, network: PageNetwork, examples: Sequence[Example], calibrated: Trained) -> list[SiteScore]:
    """The sites of a data set, of which nothing was learnt."""
    weights = learn_weights([one for one in examples if one.site.corpus != left_out])
    corpus = open_corpora([str(data_folder() / "sites" / f"{left_out}.parquet")])[0]
    return [site_score(site, weights, calibrated) for site in sample_sites(corpus, [network]) if site.has_many_pages]


def row(scores: Sequence[SiteScore]) -> tuple[str, ...]:
    alone, together = (fmean(values) for values in ([s.alone for s in scores], [s.together for s in scores]))
    no_worse = sum(one.no_worse for one in scores)
    harmed = f"{sum(one.harmed for one in scores)} of {sum(one.pages for one in scores)}"
    return str(len(scores)), f"{alone:.3f}", f"{together:.3f}", str(no_worse), harmed


if __name__ == "__main__":
    run(main)
