"""How far a learnt site can be trusted, by comparing what its pages repeat with what page evidence says of them.

A site takes away what its pages repeat. That is a sign of template only if the pages are different pages: error pages,
robot checks and copies of one page repeat everything, and then page evidence decides alone. In a region that mostly
differs from page to page, repeated labels are left to page evidence, too (`site_evidence`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dehusk.methods.page_network.site_evidence import TEMPLATE
from dehusk.methods.page_network.site_readings import SiteReadings

_COPIES: Final = 0.95
"""Share of the text that half of the pages repeat from which on they are copies of one page. Of 185 sites, the one that
repeats most, a university guide that knows little but yes and no, has 0.91."""
_TOO_FEW: Final = "fewer than two different pages were learnt"
_SAME: Final = "these pages are copies of one another"


@dataclass(frozen=True, slots=True)
class SiteReport:
    """What a site model does, as far as its counts tell."""

    pages: int
    """Pages learnt."""
    different: int
    """Those with different texts."""
    repeated: float
    """Share of their text that half of the other pages have in the same place."""
    content: float
    """Share of their text that page evidence takes for content."""
    taken: float
    """Share of this content that half of the other pages repeat: what the site can take away."""
    regions: int
    """Style signatures."""
    template: int
    """Regions that other pages mostly repeat."""
    left: int
    """Regions that repeat texts, but mostly differ from page to page: their short texts are left to page evidence."""
    distrust: str = ""
    """Why page evidence decides alone; empty if the site is trusted."""

    def __str__(self) -> str:
        if self.distrust:
            return f"not trusted, each page is judged by itself: {self.distrust}"
        return (
            f"{self.taken:.0%} of what page evidence takes for content is repeated; "
            f"{self.template:,} of {self.regions:,} regions are template, "
            f"{self.left:,} with repeated labels are left to page evidence"
        )


def report_on(site: SiteReadings) -> SiteReport:
    """Compare what a site repeats with page evidence."""
    regions, different = site.regions, len(site.contents)
    total = max(float(regions.words.sum()), 1.0)
    repeated, content, taken = (
        float((regions.words * share).sum()) / total
        for share in (regions.shared, regions.content, regions.shared_content)
    )
    is_template = regions.repeated > TEMPLATE
    return SiteReport(
        site.pages,
        different,
        round(repeated, 4),
        round(content, 4),
        round(taken / content, 4) if content else 0.0,
        len(regions.signature),
        int(is_template.sum()),
        int((~is_template & (regions.shared > 0)).sum()),
        _TOO_FEW if different < 2 else _SAME if repeated >= _COPIES else "",
    )
