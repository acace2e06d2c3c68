"""Pages that the style tree makes worse than they were."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dehusk.cleaning import clean
from dehusk.lab.evaluation.text_scores import count_words
from dehusk.methods.base import Model
from dehusk.page.characters import words_of
from site_learning.loaded_site import LITTLE_CHROME, LoadedSite
from site_learning.sections import cell_text, markdown_table
from site_learning.sites import Site
from site_learning.table import METHODS, STYLE_TREE

HARM: Final = 0.05
"""F1 that a page may lose against keeping everything visible."""
EXAMPLES_A_SITE: Final = 3
EXAMPLES: Final = 20
LOST_BLOCKS: Final = 2
LOST_LENGTH: Final = 60
REASON_LENGTH: Final = 200
ID_LENGTH: Final = 80
LOST_SHARE: Final = 0.8
"""Of a dropped block's words, how many must be missing from what is left of gold for it to count as lost content."""


@dataclass(frozen=True, slots=True)
class LostBlock:
    """Content that was dropped, and why."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class HarmedPage:
    """F1 of keeping everything and of cleaning."""

    site: str
    page: str
    before: float
    after: float
    lost: tuple[LostBlock, ...] = ()

    @property
    def loss(self) -> float:
        return self.before - self.after


@dataclass(frozen=True, slots=True)
class SiteHarm:
    """The harmed pages of a site, the worst with examples."""

    site: Site
    content_share: float
    scored: int
    harmed: tuple[HarmedPage, ...]
    examples: tuple[HarmedPage, ...]


def measure(loaded: LoadedSite) -> SiteHarm:
    model = loaded.model(METHODS[STYLE_TREE])
    pairs = zip(loaded.scored, loaded.everything, loaded.score(model), strict=True)
    harmed = [(before.f1 - after.f1, number, before.f1, after.f1) for number, before, after in pairs]
    harmed = sorted((one for one in harmed if one[0] > HARM), reverse=True)

    def page(number: int, before: float, after: float, lost: tuple[LostBlock, ...] = ()) -> HarmedPage:
        return HarmedPage(loaded.site.label, loaded.members[number].identifier, before, after, lost)

    examples = [
        page(number, before, after, tuple(_lost_blocks(loaded, number, model)))
        for _, number, before, after in harmed[:EXAMPLES_A_SITE]
    ]
    pages = tuple(page(number, before, after) for _, number, before, after in harmed)
    return SiteHarm(loaded.site, loaded.content_share, len(loaded.scored), pages, tuple(examples))


def report(sites: Sequence[SiteHarm]) -> str:
    """Shares, sites and the worst pages."""
    chrome = [site for site in sites if site.content_share < LITTLE_CHROME]
    little = [site for site in sites if site.content_share >= LITTLE_CHROME]
    rows = [
        _share_row("all sites", sites),
        _share_row(f"content share < {LITTLE_CHROME}", chrome),
        _share_row(f"content share ≥ {LITTLE_CHROME}", little),
    ]
    headings = ["", "sites", "pages scored", "pages harmed", "share", "mean loss of those"]
    shares = (
        f"Pages on which the style tree scores more than {HARM} F1 below keeping everything visible.\n",
        markdown_table(headings, rows),
    )
    details = (
        _sites_table(sites),
        f"The worst, at most {EXAMPLES_A_SITE} of a site, with the first content that was dropped:\n",
        _examples_table(sites),
    )
    return "\n".join((*shares, *details) if any(site.harmed for site in sites) else shares)


def _share_row(name: str, sites: Sequence[SiteHarm]) -> list[str]:
    losses = [page.loss for site in sites for page in site.harmed]
    scored = sum(site.scored for site in sites)
    mean = f"{sum(losses) / len(losses):.3f}" if losses else "-"
    return [name, str(len(sites)), f"{scored:,}", str(len(losses)), f"{len(losses) / max(scored, 1):.1%}", mean]


def _sites_table(sites: Sequence[SiteHarm]) -> str:
    worst_first = sorted((site for site in sites if site.harmed), key=lambda site: -len(site.harmed) / site.scored)
    rows = [
        [
            site.site.label,
            f"{site.content_share:.2f}",
            f"{len(site.harmed)} of {site.scored}",
            f"{max(page.loss for page in site.harmed):.2f}",
        ]
        for site in worst_first
    ]
    return markdown_table(["site with harmed pages", "content share", "pages harmed", "largest loss"], rows)


def _examples_table(sites: Sequence[SiteHarm]) -> str:
    examples = sorted((page for site in sites for page in site.examples), key=lambda page: -page.loss)[:EXAMPLES]
    rows = [
        [f"{page.site}: {cell_text(page.page, ID_LENGTH)}", _lost_cell(page), f"{page.before:.2f}", f"{page.after:.2f}"]
        for page in examples
    ]
    return markdown_table(["page", "lost (reason)", "everything", "cleaned"], rows, texts=2)


def _lost_cell(page: HarmedPage) -> str:
    return (
        "; ".join(f"{cell_text(one.text, LOST_LENGTH)} ({cell_text(one.reason, REASON_LENGTH)})" for one in page.lost)
        or "-"
    )


def _lost_blocks(loaded: LoadedSite, number: int, model: Model) -> Iterator[LostBlock]:
    """The first dropped blocks whose words are in gold, but not among the kept ones."""
    cleaned = clean(loaded.page(number), model)
    missing = count_words(loaded.members[number].gold) - count_words(cleaned.text)
    found = 0
    for block in cleaned:
        words = [] if block.kept or block.hidden else words_of(block.text)
        if words and sum(word in missing for word in words) >= LOST_SHARE * len(words):
            yield LostBlock(block.text, "; ".join(block.reasons))
            found += 1
            if found == LOST_BLOCKS:
                return
