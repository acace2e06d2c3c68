"""Check that a change of the code leaves every decision unchanged.

    python benchmarks/decisions.py --write before.json          # on the code before
    python benchmarks/decisions.py --compare before.json        # on the code after

Cleans labelled pages and records a digest of each result: which blocks were kept, the threshold, the page type,
the confidence, and the content as text and Markdown. Every page is cleaned by itself with the default method. Sites
in the data folder's `sites/` are also learnt with every method that learns, from SITE_PAGES pages each, and as many
others are cleaned. Exit code 1 if any page differs; the pages are listed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path

from labelled_pages import data_folder, positive, run

import dehusk
from dehusk.lab.gold.corpora import Corpus, GoldPage, open_corpora
from dehusk.methods.base import Model

SITE_PAGES = 10
"""Pages of a site that are learnt, and as many that are cleaned: enough for templates to show."""
MOST_SHOWN = 20

Digests = dict[str, str]


def main() -> int:
    options = parse_options()
    corpora = open_corpora([str(folder) for name in ("gold", "sites") if (folder := data_folder() / name).is_dir()])
    digests: Digests = {}
    for corpus in corpora:
        digests |= corpus_digests(corpus, options.most)
        print(f"{corpus.name}: {len(digests):,} digests so far", file=sys.stderr, flush=True)
    if options.write:
        Path(options.write).write_text(json.dumps(digests, indent=0, sort_keys=True) + "\n")
        return 0
    return compare(json.loads(Path(options.compare).read_text()), digests)


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=positive, default=10**9, help="pages of each file cleaned by themselves")
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("--write", metavar="FILE", help="keep the digests")
    task.add_argument("--compare", metavar="FILE", help="compare with digests that were kept")
    return parser.parse_args()


def corpus_digests(corpus: Corpus, most: int) -> Digests:
    """The digests of a file's pages, each by itself and, in `sites/`, with models of its site."""
    digests = {f"{corpus.name}/{page.identifier}": page_digest(page, None) for page in islice(corpus, most)}
    if Path(corpus.path).parent.name != "sites":
        return digests
    for site, pages in groupby(corpus, key=attrgetter("site")):
        chosen = list(islice(pages, 2 * SITE_PAGES))
        for method, model in site_models(chosen[:SITE_PAGES]):
            for page in chosen[SITE_PAGES:]:
                digests[f"{corpus.name}/{site}/{page.identifier} {method}"] = page_digest(page, model)
    return digests


def site_models(pages: list[GoldPage]) -> Iterator[tuple[str, Model]]:
    """A model of the site by each method that learns sites."""
    read = [dehusk.read_page(page.raw) for page in pages]
    for name, method in dehusk.METHODS.items():
        if method.learns:
            yield name, method().fit(read)


def page_digest(page: GoldPage, model: Model | None) -> str:
    """A digest of all that cleaning decides about a page, or the error that it ends with."""
    try:
        cleaned = dehusk.clean(page.raw, model)
    except dehusk.DehuskError as error:
        return type(error).__name__
    labelled = cleaned.labelled
    decided = (
        labelled.keep.tobytes(),
        # Rounded: another order of the network's sums moves log-odds by 1e-5.
        f"{labelled.threshold:.3f} {labelled.page_type} {labelled.confidence or 0:.3f}".encode(),
        cleaned.text.encode("utf-8", "replace"),
        cleaned.render("markdown").encode("utf-8", "replace"),
    )
    return hashlib.blake2b(b"\0".join(decided), digest_size=8).hexdigest()


def compare(before: Digests, after: Digests) -> int:
    """Say how many digests are equal, and which are not."""
    different = sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key))
    for key in different[:MOST_SHOWN]:
        print(f"differs: {key}")
    print(f"{len(before | after) - len(different):,} equal, {len(different):,} different")
    return int(bool(different))


if __name__ == "__main__":
    run(main)
