"""How many pages it takes to learn a site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dehusk.errors import MissingExtra
from dehusk.lab.evaluation.text_scores import WordScore
from site_learning.loaded_site import LoadedSite
from site_learning.scoring import mean_score
from site_learning.sections import markdown_table
from site_learning.table import METHODS, PAGELETS, STYLE_TREE

SIZES: Final = (2, 5, 10, 20, 50, 100, 200)
SHORT: Final = 50
"""Many sites have no more pages than this beside the scored ones: a second, shorter curve over more sites."""
LINES: Final = (STYLE_TREE, PAGELETS)
_COLOURS: Final = {STYLE_TREE: "#1b6ca8", PAGELETS: "#c8553d"}


@dataclass(frozen=True, slots=True)
class SiteCurve:
    """Scores of a site with chrome, by method and number of pages learnt from; the same pages are scored for all."""

    everything: WordScore
    points: Mapping[str, Mapping[int, WordScore]]

    def reaches(self, size: int) -> bool:
        return all(size in points for points in self.points.values())


def measure(loaded: LoadedSite) -> SiteCurve | None:
    """Up to twice the pages that the other parts learn from; nothing on sites with little to remove."""
    if not loaded.has_chrome:
        return None
    sizes = [size for size in SIZES if size <= min(2 * loaded.sampling.pages, len(loaded.learnable))]
    points = {
        name: {size: mean_score(loaded.score(loaded.model(METHODS[name], size))) for size in sizes} for name in LINES
    }
    return SiteCurve(mean_score(loaded.everything), points)


def report(curves: Sequence[SiteCurve], plot: str = "") -> str:
    """Tables over the sites that have every point, so that each line compares the same sites; a plot is linked to."""
    longest = longest_size(curves)
    if not longest:
        return "No site with chrome has pages enough.\n"
    picture = [f"![F1 and recall by pages learnt from]({plot})\n"] if plot else []
    tables = [_table(curves, size) for size in dict.fromkeys((longest, min(SHORT, longest)))]
    return "\n".join(picture + tables)


def longest_size(curves: Sequence[SiteCurve]) -> int:
    """The most pages that any site was learnt from; 0 without sites."""
    return max((size for size in SIZES if any(curve.reaches(size) for curve in curves)), default=0)


def draw(curves: Sequence[SiteCurve], path: Path) -> None:
    """The longer of the two curves as an SVG file; the same figures give the same file."""
    try:
        import matplotlib
    except ImportError as error:
        raise MissingExtra("matplotlib", "needed to draw the curve", "pip install matplotlib") from error
    matplotlib.use("svg")
    from matplotlib import pyplot

    longest = longest_size(curves)
    chosen = [curve for curve in curves if curve.reaches(longest)]
    sizes = [size for size in SIZES if size <= longest]
    with matplotlib.rc_context({"svg.hashsalt": "dehusk", "font.size": 10}):
        figure, axes = pyplot.subplots(figsize=(7, 4.2), layout="constrained")
        for name in LINES:
            means = [mean_score(curve.points[name][size] for curve in chosen) for size in sizes]
            axes.plot(sizes, [mean.f1 for mean in means], "o-", color=_COLOURS[name], label=f"{name}, F1")
            axes.plot(sizes, [mean.recall for mean in means], "s:", color=_COLOURS[name], label=f"{name}, recall")
        everything = mean_score(curve.everything for curve in chosen)
        axes.axhline(everything.f1, color="#777777", linestyle="--", label="everything visible, F1")
        axes.set_xscale("log")
        axes.set_xticks(sizes, [str(size) for size in sizes])
        axes.minorticks_off()
        axes.set(xlabel="pages learnt from", ylabel=f"mean over {len(chosen)} sites", ylim=(0, 1))
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, metadata={"Date": None})
        pyplot.close(figure)


def _table(curves: Sequence[SiteCurve], longest: int) -> str:
    chosen = [curve for curve in curves if curve.reaches(longest)]
    everything = mean_score(curve.everything for curve in chosen)
    rows = [["0 (everything visible)", *_cells([everything] * len(LINES))]]
    for size in (size for size in SIZES if size <= longest):
        rows.append([str(size), *_cells([mean_score(curve.points[name][size] for curve in chosen) for name in LINES])])
    headings = ["pages learnt from", *(f"{name}, {figure}" for name in LINES for figure in ("F1", "recall"))]
    title = f"Mean over the {len(chosen)} of {len(curves)} sites with chrome that have {longest} pages to learn from:\n"
    return f"{title}\n{markdown_table(headings, rows)}"


def _cells(scores: Sequence[WordScore]) -> list[str]:
    return [f"{figure:.3f}" for score in scores for figure in (score.f1, score.recall)]
