"""`dehusk learn`."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli.exit_codes import USAGE
from dehusk.cli.shared_options import FollowLinks

if TYPE_CHECKING:
    from dehusk.methods.base import SiteMethod


class LearningMethod(StrEnum):
    """The methods that learn sites, spelled out for `--help` to need no import; a test keeps them equal to METHODS."""

    HYBRID = "hybrid"
    STYLE_TREE = "style-tree"
    PAGELET_TEMPLATES = "pagelet-templates"
    STRUCTURE_WEIGHTS = "structure-weights"


class MatchingName(StrEnum):
    """The same for ways of matching."""

    ALIGNED = "aligned"
    EXACT = "exact"


def learn_command(
    paths: Annotated[list[str], typer.Argument(help="Pages of one site: whatever `clean` takes.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write the model.")],
    method: Annotated[
        LearningMethod, typer.Option("--method", "-m", help="How to tell template from content.")
    ] = LearningMethod.HYBRID,
    matching: Annotated[
        MatchingName,
        typer.Option("--matching", help="Trees: find places beside optional elements, or exactly as published."),
    ] = MatchingName.ALIGNED,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            metavar="T",
            min=0.0,
            max=1.0,
            help="Drop what scores no more. Without it, style trees choose one a site (see `thresholds`), the hybrid "
            "one a page.",
        ),
    ] = None,
    pages: Annotated[
        int, typer.Option("--pages", min=1, help="Learn from so many pages at most, chosen by chance.")
    ] = 200,
    seed: Annotated[int, typer.Option("--seed", help="Which ones: the same seed chooses the same pages.")] = 0,
    follow_links: FollowLinks = False,
    site: Annotated[str, typer.Option("--site", metavar="NAME", help="A name to note in the model.")] = "",
    created: Annotated[str, typer.Option("--created", metavar="DATE", help="A date to note in the model.")] = "",
) -> None:
    """Learn the template of a site from its pages.

    Pages of the site are then cleaned with it, also pages that were not learnt from. Pages that repeat others (print
    versions, the same page under two names) are left out.
    Of files that hold many pages, which are read from end to end, a sample is taken.

    Examples:

      dehusk learn site/ -o site.dehusk

      dehusk learn site.warc.gz -o site.dehusk

      dehusk clean site/ --model site.dehusk --output cleaned

      dehusk inspect site.dehusk
    """
    from dehusk.cli.given_pages import GivenPages
    from dehusk.cli.reporting import errors, fail
    from dehusk.cli.site_learning import learn_site
    from dehusk.errors import DehuskError

    try:
        settings = _settings(method, matching, threshold)
        with TemporaryDirectory(prefix="dehusk-") as folder:
            model = learn_site(GivenPages(paths, follow_links=follow_links).sample(pages, seed, folder), settings)
        if not model.pages:
            fail("no pages to learn from: none could be read", USAGE)
        model.save(output, site=site, created=created)
    except DehuskError as error:
        fail(str(error), USAGE)
    learnt = f"{model.pages:,} pages learnt, {output.stat().st_size:,} bytes"
    errors().print(f"{output}: {learnt}", markup=False, soft_wrap=True)


def _settings(method: LearningMethod, matching: MatchingName, threshold: float | None) -> SiteMethod:
    from dehusk.cli.reporting import fail
    from dehusk.methods.page_network.hybrid import Hybrid
    from dehusk.methods.site_trees.pagelet_templates import PageletTemplates
    from dehusk.methods.site_trees.structure_weights import StructureWeights
    from dehusk.methods.site_trees.style_tree import StyleTree
    from dehusk.methods.site_trees.template_positions import Matching

    if method is LearningMethod.HYBRID and matching is MatchingName.ALIGNED:
        return Hybrid(threshold)
    if method is LearningMethod.STYLE_TREE:
        return StyleTree(matching=Matching(matching.value), threshold=threshold)
    if method is LearningMethod.STRUCTURE_WEIGHTS:
        weights = StructureWeights(matching=Matching(matching.value))
        return weights if threshold is None else replace(weights, threshold=threshold)
    if matching is not MatchingName.ALIGNED or threshold is not None:
        fail("--matching is a setting of trees, --threshold of trees and of the hybrid", USAGE)
    return PageletTemplates()
