"""`dehusk weigh`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli import shared_options as options
from dehusk.cli.reporting import fail, tell

if TYPE_CHECKING:
    from dehusk.methods.site_trees.structure_weights import WeightedVectors


def weigh_command(
    *,
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Pages; anything `clean` accepts.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write the vectors (.npz).")],
    method: Annotated[
        options.LearningMethod, typer.Option("--method", "-m", help="The method that learns the sites.")
    ] = options.LearningMethod.STRUCTURE_WEIGHTS,
    matching: options.MatchingOption = options.MatchingName.ALIGNED,
    telling: Annotated[
        bool,
        typer.Option(
            "--telling",
            help="Count the words that the method keeps, without those on most pages of the site, instead of weighting "
            "all words.",
        ),
    ] = False,
    follow_links: options.FollowLinks = False,
    fields: options.FieldOptions,
) -> None:
    """Turn pages into word vectors for mining, with little or no weight on boilerplate.

    Pages are grouped by site, and each site is learnt from its pages. By default every word has a weight (structure
    weights), and methods without weights count the words they keep. With --telling, kept words are counted, without
    those on most pages of the site: docs/mining.md shows on which pages that helps.

    The file holds a sparse matrix in the format of scipy.sparse.save_npz, plus `vocabulary` (the word of each column)
    and `pages` (the name of each row).

    Examples:

      dehusk weigh site/ -o vectors.npz

      dehusk weigh shop-a/ shop-b.warc.gz --telling -o vectors.npz

      python -c "import scipy.sparse as s; print(s.load_npz('vectors.npz').shape)"
    """
    from dehusk.cli.given_pages import GivenPages
    from dehusk.cli.site_learning import site_method, weigh_sites
    from dehusk.methods.site_trees.structure_weights import weighted_vectors

    settings = site_method(method, matching)
    with TemporaryDirectory(prefix="dehusk-") as folder:
        pages = GivenPages(paths, options=fields.source(), follow_links=follow_links)
        weights = weigh_sites(pages, folder, settings, telling)
    vectors = weighted_vectors([words for _, words in weights])
    if not weights:
        fail("no page could be read")
    _write(output, vectors, [name for name, _ in weights])
    tell(f"{output}: {len(weights):,} pages, {vectors.matrix.shape[1]:,} words")


def _write(path: Path, vectors: WeightedVectors, names: Sequence[str]) -> None:
    import numpy as np

    from dehusk.workers.whole_files import output_errors, written_whole

    matrix = vectors.matrix
    with output_errors(path), written_whole(path) as temporary, temporary.open("wb") as file:
        np.savez_compressed(
            file,
            format=np.array(b"csr"),
            shape=np.array(matrix.shape),
            data=matrix.data,
            indices=matrix.indices,
            indptr=matrix.indptr,
            vocabulary=np.array(vectors.vocabulary, dtype=np.str_),
            pages=np.array(names, dtype=np.str_),
        )
