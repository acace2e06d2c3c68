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
    paths: Annotated[list[str], typer.Argument(help="Pages: whatever `clean` takes.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write the vectors (.npz).")],
    method: Annotated[
        LearningMethod, typer.Option("--method", "-m", help="What learns the sites.")
    ] = LearningMethod.STRUCTURE_WEIGHTS,
    telling: Annotated[
        bool,
        typer.Option(
            "--telling",
            help="Do not weigh: count the words that the method keeps and few pages of the site have. Best for "
            "clustering. Methods that know no weights always do so.",
        ),
    ] = False,
    follow_links: FollowLinks = False,
) -> None:
    """Pages as vectors for mining: words that a site repeats weigh little, or are left out.

    Pages are sorted by site; each site is learnt from its pages. By default every word has a weight (structure
    weights); with --telling, words that the site has on many pages are left out and the others counted.

    The file holds a sparse matrix, as scipy.sparse.save_npz writes it, and beside it `vocabulary` (the word of each
    column) and `pages` (the name of each row).

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
        fail("no pages to weigh: none could be read", USAGE)
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
