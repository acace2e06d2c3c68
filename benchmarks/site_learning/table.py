"""How good each method that learns a site is, site by site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Final

from dehusk.lab.evaluation.text_scores import WordScore
from dehusk.methods.base import Method
from dehusk.methods.site_trees.pagelet_templates import PageletTemplates
from dehusk.methods.site_trees.style_tree import StyleTree
from site_learning.loaded_site import LITTLE_CHROME, LoadedSite
from site_learning.scoring import mean_score
from site_learning.sections import markdown_table, score_cell
from site_learning.sites import KINDS, Site

EVERYTHING: Final = "everything visible"
STYLE_TREE: Final = "style-tree"
EXACT: Final = "style-tree, exact"
PAGELETS: Final = "pagelet-templates"

METHODS: Final[Mapping[str, Method]] = {
    STYLE_TREE: StyleTree(),
    EXACT: replace(StyleTree(), matching=type(StyleTree().matching)("exact")),
    PAGELETS: PageletTemplates(),
}
COLUMNS: Final = (EVERYTHING, *METHODS)


@dataclass(frozen=True, slots=True)
class SiteScore:
    """One line of the table."""

    site: Site
    learnt: int
    scored: int
    content_share: float
    scores: Mapping[str, WordScore]

    @property
    def best(self) -> str:
        """The column with the highest F1; of equals the first, which is the simplest."""
        return max(COLUMNS, key=lambda column: round(self.scores[column].f1, 3))


def measure(loaded: LoadedSite) -> SiteScore:
    scores = {name: mean_score(loaded.score(loaded.model(method))) for name, method in METHODS.items()}
    learnt = min(loaded.sampling.pages, len(loaded.learnable))
    everything = mean_score(loaded.everything)
    return SiteScore(loaded.site, learnt, len(loaded.scored), everything.precision, {EVERYTHING: everything, **scores})


def report(lines: Sequence[SiteScore]) -> str:
    """Means and wins by kind of site, then every site."""
    return "\n".join(
        (_explanation(lines), _means(lines), "Sites on which each scores best:\n", _wins(lines), _all(lines))
    )


def groups(lines: Sequence[SiteScore]) -> dict[str, list[SiteScore]]:
    """Sites with chrome by kind and together, and those with little; groups without sites are left out."""
    chrome = [line for line in lines if line.content_share < LITTLE_CHROME]
    by_kind = {kind: [line for line in chrome if line.site.kind == kind] for kind in KINDS}
    named = {
        **by_kind,
        "**those in a file of their own**": [line for line in chrome if line.site.has_own_file],
        f"**all with content share < {LITTLE_CHROME}**": chrome,
        f"**content share ≥ {LITTLE_CHROME}**": [line for line in lines if line.content_share >= LITTLE_CHROME],
    }
    return {name: members for name, members in named.items() if members}


def _explanation(lines: Sequence[SiteScore]) -> str:
    learnt, scored = max(line.learnt for line in lines), max(line.scored for line in lines)
    return (
        f"{len(lines)} sites; learnt from up to {learnt} pages, scored on up to {scored} others. "
        "F1 (precision/recall), mean over pages, then over sites; the best in bold. "
        "Content share: how many of the visible words are gold.\n"
    )


def _means(lines: Sequence[SiteScore]) -> str:
    rows = []
    for name, members in groups(lines).items():
        means = {column: mean_score(line.scores[column] for line in members) for column in COLUMNS}
        share = fmean(line.content_share for line in members)
        rows.append([name, str(len(members)), f"{share:.2f}", *_cells(means)])
    return markdown_table(["kind", "sites", "content share", *COLUMNS], rows)


def _wins(lines: Sequence[SiteScore]) -> str:
    rows = []
    for name, members in groups(lines).items():
        wins = Counter(line.best for line in members)
        rows.append([name, str(len(members)), *(str(wins[column]) for column in COLUMNS)])
    return markdown_table(["kind", "sites", *COLUMNS], rows)


def _all(lines: Sequence[SiteScore]) -> str:
    ordered = sorted(lines, key=lambda line: (KINDS.index(line.site.kind), line.content_share))
    rows = [
        [
            line.site.label,
            line.site.kind,
            f"{line.learnt}/{line.scored}",
            f"{line.content_share:.2f}",
            *_cells(line.scores),
        ]
        for line in ordered
    ]
    return markdown_table(["site", "kind", "learnt/scored", "content share", *COLUMNS], rows, texts=2)


def _cells(scores: Mapping[str, WordScore]) -> list[str]:
    best = max(round(score.f1, 3) for score in scores.values())
    return [score_cell(scores[column], round(scores[column].f1, 3) == best) for column in COLUMNS]
