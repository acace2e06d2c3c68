"""How much each method removes: the size comparison of the style tree with the template method, as text and as html.

The interactive system on the style tree is judged by how much smaller files are after cleaning. A file is mostly
markup, so html against text says little about cleaning: here visible text is compared with the text kept, and html with
the cleaned page as html. What is noise by gold is what a cleaner should remove.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from dehusk.cleaning import CleanedPage
from dehusk.deciding.decisions import label_blocks
from dehusk.methods.base import Model
from site_learning.loaded_site import LITTLE_CHROME, LoadedSite
from site_learning.sections import markdown_table
from site_learning.sites import KINDS, Site
from site_learning.table import METHODS


@dataclass(frozen=True, slots=True)
class Removed:
    """Shares removed of a site's pages, from 0 to 1; negative if the cleaned page is larger."""

    text: float
    """Of the visible text, in characters."""
    html: float
    """Of the html, in bytes, against the cleaned page as html."""


@dataclass(frozen=True, slots=True)
class SiteSizes:
    """One line of the table."""

    site: Site
    noise: float
    """Share of the visible words that are not gold."""
    html: int
    """Mean bytes of a page."""
    removed: Mapping[str, Removed]


def measure(loaded: LoadedSite) -> SiteSizes:
    html = fmean(len(loaded.members[number].raw.body) for number in loaded.scored)
    removed = {name: _removed(loaded, loaded.model(method)) for name, method in METHODS.items()}
    return SiteSizes(loaded.site, 1 - loaded.content_share, round(html), removed)


def _removed(loaded: LoadedSite, model: Model) -> Removed:
    pages = [label_blocks(loaded.blocks(number), model) for number in loaded.scored]
    shown = sum(int(page.blocks.length[~page.blocks.hidden].sum()) for page in pages)
    kept = sum(int(page.blocks.length[page.keep].sum()) for page in pages)
    before = sum(len(loaded.members[number].raw.body) for number in loaded.scored)
    after = sum(len(CleanedPage(page).render("html").encode("utf-8", "replace")) for page in pages)
    return Removed(1 - kept / max(shown, 1), 1 - after / max(before, 1))


def report(lines: Sequence[SiteSizes]) -> str:
    """Means by kind of site: of text, then of html."""
    text = _table(lines, "noise by gold", lambda line: _percent(line.noise), lambda removed: removed.text)
    html = _table(lines, "kB of a page", lambda line: line.html / 1000, lambda removed: removed.html)
    return "\n".join(
        (
            f"{len(lines)} sites, means of their scored pages. Visible text removed, beside the share of it that is "
            f"noise by gold:\n\n{text}",
            f"Html removed: the cleaned page as html against the page as it came:\n\n{html}",
        )
    )


def _percent(share: float) -> float:
    return 100 * share


def _table(
    lines: Sequence[SiteSizes], first: str, fact: Callable[[SiteSizes], float], share: Callable[[Removed], float]
) -> str:
    rows = []
    for name, members in _groups(lines).items():
        means = [fmean(share(line.removed[method]) for line in members) for method in METHODS]
        unit = "" if first.startswith("kB") else " %"
        cells = (f"{fmean(map(fact, members)):.0f}{unit}", *(f"{100 * mean:.0f} %" for mean in means))
        rows.append([name, str(len(members)), *cells])
    return markdown_table(["kind", "sites", first, *METHODS], rows)


def _groups(lines: Sequence[SiteSizes]) -> dict[str, list[SiteSizes]]:
    """Sites with chrome by kind, those with little, and all."""
    chrome = [line for line in lines if 1 - line.noise < LITTLE_CHROME]
    named = {
        **{kind: [line for line in chrome if line.site.kind == kind] for kind in KINDS},
        f"content share ≥ {LITTLE_CHROME}": [line for line in lines if 1 - line.noise >= LITTLE_CHROME],
        "**all**": list(lines),
    }
    return {name: members for name, members in named.items() if members}
