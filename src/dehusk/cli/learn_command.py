"""`dehusk learn`."""

from __future__ import annotations

from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from dehusk.cli import shared_options as options
from dehusk.cli.reporting import counted, fail, tell


def learn_command(
    *,
    paths: options.SitePages,
    output: options.ModelOutput,
    method: Annotated[
        options.LearningMethod, typer.Option("--method", "-m", help="The method to train.")
    ] = options.LearningMethod.HYBRID,
    matching: options.MatchingOption = options.MatchingName.ALIGNED,
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
    seed: options.PageSeed = 0,
    follow_links: options.FollowLinks = False,
    fields: options.FieldOptions,
    site: Annotated[str, typer.Option("--site", metavar="NAME", help="Site name to store in the model.")] = "",
    created: options.Created = "",
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
    from dehusk.cli.site_learning import learn_site, site_method

    settings = site_method(method, matching, threshold)
    with TemporaryDirectory(prefix="dehusk-") as folder:
        sample = GivenPages(paths, options=fields.source(), follow_links=follow_links).sample(pages, seed, folder)
        model = learn_site(sample, settings, PageReader())
    if not model.pages:
        fail("no pages to learn from: none could be read")
    model.save(output, site=site, created=created)
    learnt = f"{counted(model.pages, 'page')} learnt, {output.stat().st_size:,} bytes"
    tell(f"{output}: {learnt}")
