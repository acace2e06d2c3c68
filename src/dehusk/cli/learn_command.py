"""`dehusk learn`."""

from __future__ import annotations

from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from dehusk.cli.reporting import counted, fail, tell
from dehusk.cli.shared_options import (
    Created,
    FollowLinks,
    HeadersField,
    HtmlField,
    LearningMethod,
    MatchingName,
    ModelOutput,
    PageSeed,
    SitePages,
    TextField,
    UrlField,
)


def learn_command(
    paths: SitePages,
    output: ModelOutput,
    method: Annotated[
        LearningMethod, typer.Option("--method", "-m", help="The method to train.")
    ] = LearningMethod.HYBRID,
    matching: Annotated[
        MatchingName,
        typer.Option(
            "--matching", help="Style tree and structure weights: align optional elements, or match as published."
        ),
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
    html_field: HtmlField = "",
    url_field: UrlField = "",
    text_field: TextField = "",
    headers_field: HeadersField = "",
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
    from dehusk.cli.site_learning import learn_site, site_method
    from dehusk.sources.source_options import SourceOptions

    settings = site_method(method, matching, threshold)
    options = SourceOptions(
        html_field=html_field, url_field=url_field, text_field=text_field, headers_field=headers_field
    )
    with TemporaryDirectory(prefix="dehusk-") as folder:
        sample = GivenPages(paths, options=options, follow_links=follow_links).sample(pages, seed, folder)
        model = learn_site(sample, settings, PageReader())
    if not model.pages:
        fail("no pages to learn from: none could be read")
    model.save(output, site=site, created=created)
    learnt = f"{counted(model.pages, 'page')} learnt, {output.stat().st_size:,} bytes"
    tell(f"{output}: {learnt}")
