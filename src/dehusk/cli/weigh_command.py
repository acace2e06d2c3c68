"""`dehusk weigh`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, cast

import typer

from dehusk.cli.exit_codes import USAGE
from dehusk.cli.learn_command import LearningMethod
from dehusk.cli.shared_options import FollowLinks

if TYPE_CHECKING:
    from dehusk.methods.base import SiteMethod
    from dehusk.methods.site_trees.structure_weights import WeightedVectors


def weigh_command(
    paths: Annotated[list[str], typer.Argument(help="Pages; anything `clean` accepts.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write the vectors (.npz).")],
    method: Annotated[
        LearningMethod, typer.Option("--method", "-m", help="The method that learns the sites.")
    ] = LearningMethod.STRUCTURE_WEIGHTS,
    telling: Annotated[
        bool,
        typer.Option(
            "--telling",
            help="Count the kept words that are rare on the site instead of weighting all words. Best for clustering. "
            "Methods without word weights always do so.",
        ),
    ] = False,
    follow_links: FollowLinks = False,
) -> None:
    """Turn pages into word vectors for mining, with little or no weight on boilerplate.

    Pages are grouped by site, and each site is learnt from its pages. By default every word has a weight (structure
    weights); with --telling, words on many pages of the site are left out and the others counted.

    The file holds a sparse matrix in the format of scipy.sparse.save_npz, plus `vocabulary` (the word of each column)
    and `pages` (the name of each row).

    Examples:

      dehusk weigh site/ -o vectors.npz

      dehusk weigh shop-a/ shop-b.warc.gz --telling -o vectors.npz

      python -c "import scipy.sparse as s; print(s.load_npz('vectors.npz').shape)"
    """
    from dehusk.cli.given_pages import GivenPages
    from dehusk.cli.reporting import errors, fail
    from dehusk.cli.site_learning import weigh_sites
    from dehusk.errors import DehuskError
    from dehusk.methods import METHODS
    from dehusk.methods.site_trees.structure_weights import weighted_vectors

    try:
        with TemporaryDirectory(prefix="dehusk-") as folder:
            weights = weigh_sites(
                GivenPages(paths, follow_links=follow_links),
                folder,
                cast("SiteMethod", METHODS[method.value]()),
                telling,
            )
        vectors = weighted_vectors([words for _, words in weights])
    except DehuskError as error:
        fail(str(error), USAGE)
    if not weights:
        fail("no page could be read", USAGE)
    try:
        _write(output, vectors, [name for name, _ in weights])
    except OSError as error:
        fail(f"{output}: {(error.strerror or str(error)).lower()}; choose another --output", USAGE)
    pages, words = vectors.matrix.shape
    errors().print(f"{output}: {pages:,} pages, {words:,} words", markup=False, soft_wrap=True)


def _write(path: Path, vectors: WeightedVectors, names: Sequence[str]) -> None:
    import numpy as np

    from dehusk.workers.whole_files import written_whole

    matrix = vectors.matrix
    with written_whole(path) as temporary, temporary.open("wb") as file:
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
