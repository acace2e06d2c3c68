"""What other pages of a site are worth, by kinds of sites that the weights of site evidence have not seen.

    python benchmarks/unseen_kinds.py --keep work [--siblings 20] [PARQUET_OR_FOLDER ...]

The folder is that of `dehusk train hybrid --keep work`. Each site is read by the network that was not trained on it;
pages are cleaned as by a user, with the rules, alone and with other pages of their site learnt, by weights that come
from all other kinds of sites. Word F1, means over the sites of a kind; all kinds count the same. Pages labelled by the
content policy, those with other gold and those with gold made by a rule have a table each.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from labelled_pages import data_folder, positive, run
from models_by_fold import OPTION_HELP, files_by_fold
from rich.console import Console

from dehusk.blocks.segmentation import segment
from dehusk.deciding.decisions import label_blocks
from dehusk.lab.gold.corpora import open_corpora
from dehusk.lab.gold.policy_labels import read_labels
from dehusk.lab.training.site_evidence_training import HARM, SiteScore, fit_site_evidence, kind_lines
from dehusk.lab.training.site_samples import SIBLINGS, SampledSite, sample_sites
from dehusk.methods.page_network.hybrid import Hybrid, HybridModel
from dehusk.methods.page_network.trained_weights import Trained
from dehusk.page.page_reading import read_page

LABELS = Path(__file__).parents[1] / "labels"


def main() -> int:
    parser = argparse.ArgumentParser(description="Site evidence on kinds of sites that its weights have not seen.")
    parser.add_argument("paths", nargs="*", metavar="PARQUET_OR_FOLDER", help="default: all sets of the data folder")
    parser.add_argument("--keep", type=Path, required=True, metavar="FOLDER", help=OPTION_HELP)
    parser.add_argument("--siblings", type=positive, default=SIBLINGS, help="pages learnt of each site (default: 20)")
    arguments = parser.parse_args()
    trained = [Trained.load(path) for path in files_by_fold(arguments.keep)]
    networks, labels, sites = [one.network for one in trained], read_labels(LABELS), []
    paths = arguments.paths or [str(data_folder() / part) for part in ("gold", "sites", "more-sites")]
    with Console(stderr=True).status("reading sites") as status:
        for corpus in open_corpora(paths):
            sites += sample_sites(corpus, networks, labels)
            status.update(f"{len(sites)} sites: {corpus.name}")
        status.update("learning weights")
        by_kind = fit_site_evidence(sites, trained[0].calibration, len(trained)).by_kind
        status.update("cleaning")
        weighed = [(site, replace(trained[site.fold], weights=by_kind[site.kind])) for site in sites]
        scores = [score for site, known in weighed for score in scores_of(site, known, arguments.siblings)]
    for line in kind_lines(scores):
        print(line)
    return 0


def scores_of(site: SampledSite, trained: Trained, siblings: int) -> Iterator[SiteScore]:
    """The score of a site by each of its judges."""
    models = HybridModel(Hybrid(), trained), HybridModel(Hybrid(), trained, site.learn(siblings))
    pages: dict[str, list[list[float]]] = {}
    for page in site.judged:
        blocks = segment(read_page(page.source.raw))
        keeps = [label_blocks(blocks, model).keep for model in models]
        pages.setdefault(page.judge, []).append([page.prepared.word_f1(keep) for keep in keeps])
    for judge, found in pages.items():
        alone, together = (fmean(column) for column in zip(*found, strict=True))
        harmed = sum(after < before - HARM for before, after in found)
        yield SiteScore(site.corpus, site.site, site.kind, judge, len(found), alone, together, harmed)


if __name__ == "__main__":
    run(main)
