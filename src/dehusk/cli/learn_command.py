"""`dehusk learn`."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from dehusk.cli.reporting import counted, fail, tell
from dehusk.cli.shared_options import Created, FollowLinks, LearningMethod, ModelOutput, PageSeed, SitePages

if TYPE_CHECKING:
    from dehusk.methods.base import SiteMethod


class MatchingName(StrEnum):
    """The names of `Matching`."""

    ALIGNED = "aligned"
    EXACT = "exact"


def learn_command(
    paths: SitePages,
    output: ModelOutput,
    method: Annotated[
        LearningMethod, typer.Option("--method", "-m", help="The method to train.")
    ] = LearningMethod.HYBRID,
    matching: Annotated[
        MatchingName,
        typer.Option("--matching", help="Style trees: align optional elements, or match as published."),
    ] = MatchingName.ALIGNED,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            metavar="T",
            min=0.0,
            max=1.0,
            help="Drop blocks that score no higher. Default: style trees choose one per site (see `thresholds`), the "
            "hybrid one per page.",
        ),
    ] = None,
    pages: Annotated[
        int, typer.Option("--pages", min=1, help="Learn from at most this many pages, chosen at random.")
    ] = 200,
    seed: PageSeed = 0,
    follow_links: FollowLinks = False,
    site: Annotated[str, typer.Option("--site", metavar="NAME", help="Site name to store in the model.")] = "",
    created: Created = "",
) -> None:
    """Learn the template of a site from its pages.

    The model then cleans any page of the site, including pages it has not seen. Duplicates (print versions, the same
    page under two names) are left out. Archives are read in full and sampled.

    Examples:

      dehusk learn site/ -o site.dehusk

      dehusk learn site.warc.gz -o site.dehusk

      dehusk clean site/ --model site.dehusk --output cleaned

      dehusk inspect site.dehusk
    """
    from dehusk.cli.given_pages import GivenPages, PageReader
    from dehusk.cli.site_learning import learn_site

    settings = _settings(method, matching, threshold)
    with TemporaryDirectory(prefix="dehusk-") as folder:
        sample = GivenPages(paths, follow_links=follow_links).sample(pages, seed, folder)
        model = learn_site(sample, settings, PageReader())
    if not model.pages:
        fail("no pages to learn from: none could be read")
    model.save(output, site=site, created=created)
    learnt = f"{counted(model.pages, 'page')} learnt, {output.stat().st_size:,} bytes"
    tell(f"{output}: {learnt}")


def _settings(method: LearningMethod, matching: MatchingName, threshold: float | None) -> SiteMethod:
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
        fail("--matching applies only to style trees, --threshold only to style trees and the hybrid")
    return PageletTemplates()
