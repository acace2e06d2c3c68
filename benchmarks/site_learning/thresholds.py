"""How good the automatic threshold of the style tree is, beside fixed ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median
from typing import Any, Final

from dehusk.errors import InvalidSetting
from dehusk.methods.site_trees.style_tree import StyleTree
from site_learning.loaded_site import LITTLE_CHROME, LoadedSite
from site_learning.sections import markdown_table

GRID: Final = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)


@dataclass(frozen=True, slots=True)
class SiteThresholds:
    """Mean F1 of a site by threshold."""

    content_share: float
    fixed: Mapping[float, float]
    automatic: float | None
    chosen: float | None
    """The automatic threshold; None where the method has none."""

    @property
    def best(self) -> float:
        """F1 with the best threshold for this very site, which only gold could tell."""
        return max(self.fixed.values())


def automatic_style_tree() -> StyleTree | None:
    """The style tree that chooses its threshold itself, if it can."""
    settings: dict[str, Any] = {"threshold": None}
    try:
        return StyleTree(**settings)
    except (InvalidSetting, TypeError):
        return None


def measure(loaded: LoadedSite) -> SiteThresholds:
    method = automatic_style_tree()
    model = loaded.model(method) if method else None
    automatic = fmean(score.f1 for score in loaded.score(model)) if model else None
    chosen = model.threshold if model else None
    return SiteThresholds(loaded.content_share, _fixed(loaded), automatic, chosen)


def report(sites: Sequence[SiteThresholds]) -> str:
    """Sites with chrome and without apart: what suits the one kind may harm the other."""
    groups = {
        f"content share < {LITTLE_CHROME}": [site for site in sites if site.content_share < LITTLE_CHROME],
        f"content share ≥ {LITTLE_CHROME}": [site for site in sites if site.content_share >= LITTLE_CHROME],
        "all": list(sites),
    }
    groups = {f"{name} ({len(members)} sites)": members for name, members in groups.items() if members}
    rows = [[f"t = {t}", *(f"{_mean_fixed(members, t):.3f}" for members in groups.values())] for t in GRID]
    rows.append(["best fixed t (chosen on these sites)", *map(_best_fixed, groups.values())])
    rows.append(["best t of each site (oracle)", *(f"{fmean(site.best for site in of):.3f}" for of in groups.values())])
    rows.append(["automatic", *map(_mean_automatic, groups.values())])
    return (
        f"Mean F1 of the style tree over sites.\n\n{markdown_table(['threshold', *groups], rows)}\n{_remark(sites)}\n"
    )


def _fixed(loaded: LoadedSite) -> dict[float, float]:
    """Mean F1 by threshold. The pages are counted once: what a model counted does not depend on its threshold."""
    model: Any = loaded.model(StyleTree())
    models = {t: replace(model, settings=replace(model.settings, threshold=t)) for t in GRID}
    return {t: fmean(score.f1 for score in loaded.score(model)) for t, model in models.items()}


def _mean_fixed(sites: Sequence[SiteThresholds], threshold: float) -> float:
    return fmean(site.fixed[threshold] for site in sites)


def _best_fixed(sites: Sequence[SiteThresholds]) -> str:
    best = max(GRID, key=lambda t: _mean_fixed(sites, t))
    return f"{_mean_fixed(sites, best):.3f} (t = {best})"


def _mean_automatic(sites: Sequence[SiteThresholds]) -> str:
    figures = [site.automatic for site in sites if site.automatic is not None]
    return f"{fmean(figures):.3f}" if figures else "-"


def _remark(sites: Sequence[SiteThresholds]) -> str:
    chosen = [site.chosen for site in sites if site.chosen is not None]
    if not chosen:
        return "This style tree chooses no threshold itself: nothing automatic to compare."
    return f"Chosen automatically: {min(chosen):.2f} to {max(chosen):.2f}, median {median(chosen):.2f}."
