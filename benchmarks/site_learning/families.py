"""Pages of several templates in one sample: what learning them together costs.

Nobody labelled families of templates. Two sites of a kind stand for two families, and within a site the first part of
the address on which its pages differ, or the year a page was saved in, groups pages that may look alike.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Final
from urllib.parse import urlsplit

from dehusk.lab.gold.corpora import GoldPage
from site_learning.loaded_site import LoadedSite
from site_learning.sections import markdown_table
from site_learning.sites import FORUMS, NEWS, REST, SHOPS, SWDE, Site
from site_learning.table import METHODS, STYLE_TREE

FEWEST_PAGES: Final = 20
"""Pages that make a family within a site."""
MOST_FAMILIES: Final = 4
"""Of a site, the largest."""
PAIRS_A_KIND: Final = 3
MIXED_KINDS: Final = ((SHOPS, REST), (SHOPS, NEWS), (FORUMS, NEWS), (NEWS, NEWS), (REST, REST))
"""Kinds that are mixed, besides swde sites within their vertical."""
LOSS: Final = 0.05
"""F1 of a page that counts as lost by mixing."""

_EXPLANATION: Final = (
    "The style tree, learnt from one family of pages, and from the same pages together with those of other families "
    "(so from more pages in all). Families within a site are guessed from addresses or years; not all are templates.\n"
)
_YEAR_SAVED: Final = re.compile(r"-((?:19|20)\d\d)-[0-9a-f]{8}\Z")


@dataclass(frozen=True, slots=True)
class Mixture:
    """One family, learnt alone and together with others; the same pages scored, the same pages of its own learnt."""

    family: str
    others: str
    learnt: int
    scored: int
    alone: float
    mixed: float
    lost: int
    """Pages that lose more than `LOSS`."""

    @property
    def loss(self) -> float:
        return self.alone - self.mixed


@dataclass(frozen=True, slots=True)
class _Sample:
    """The pages of one family."""

    loaded: LoadedSite
    name: str
    """Of its site, or within it."""
    scored: Sequence[int]
    learnt: Sequence[int]


def choose_pairs(sites: Sequence[Site], seed: int) -> list[tuple[Site, Site]]:
    """Random pairs of sites: within each vertical of swde, and of the mixed kinds."""
    chooser = random.Random(seed)
    verticals = sorted({site.file for site in sites if site.kind == SWDE})
    pools = [
        *([[site for site in sites if site.file == file]] * 2 for file in verticals),
        *([[site for site in sites if site.kind == kind] for kind in kinds] for kinds in MIXED_KINDS),
    ]
    pairs: dict[frozenset[str], tuple[Site, Site]] = {}
    for first, second in pools:
        possible = [(one, other) for one in first for other in second if one.name != other.name]
        for one, other in chooser.sample(possible, min(PAIRS_A_KIND, len(possible))):
            pairs.setdefault(frozenset((one.label, other.label)), (one, other))
    return list(pairs.values())


def measure_pair(loaded: Sequence[LoadedSite]) -> list[Mixture]:
    """Sites mixed into one sample, as many pages of each as half of what is learnt otherwise."""
    return _mixtures([_Sample(site, site.site.label, site.scored, _half(site, site.learnable)) for site in loaded])


def measure(loaded: LoadedSite) -> list[Mixture]:
    """Families within one site; none where its pages are all alike."""
    samples = []
    for name, numbers in natural_families(loaded.members).items():
        scored, learnable = loaded.divide(numbers, max(loaded.sampling.scored // 2, 1))
        samples.append(_Sample(loaded, name, scored, _half(loaded, learnable)))
    mixtures = _mixtures(samples) if len(samples) > 1 else []
    return [replace(one, family=f"{loaded.site.label}: {one.family}") for one in mixtures]


def natural_families(members: Sequence[GoldPage]) -> dict[str, list[int]]:
    """Name -> pages of the largest families; by year where the pages have one, else by address."""
    years = [match[1] if (match := _YEAR_SAVED.search(page.identifier)) else "" for page in members]
    labels = years if all(years) else _first_differing_parts([page.raw.url for page in members])
    families: dict[str, list[int]] = {}
    for number, label in enumerate(labels):
        families.setdefault(label, []).append(number)
    large = sorted((-len(numbers), name) for name, numbers in families.items() if name and len(numbers) >= FEWEST_PAGES)
    return {name: families[name] for _, name in large[:MOST_FAMILIES]}


def report(within: Sequence[Sequence[Mixture]], pairs: Sequence[Sequence[Mixture]]) -> str:
    """Sites mixed with sites, then families within sites."""
    of_pairs, of_sites = [one for pair in pairs for one in pair], [one for site in within for one in site]
    kinds = {
        f"two sites mixed ({len(pairs)} random pairs)": of_pairs,
        f"families within a site ({sum(bool(site) for site in within)} sites)": of_sites,
    }
    rows = [_summary(name, mixtures) for name, mixtures in kinds.items() if mixtures]
    headings = ["", "families", "F1 alone", "F1 mixed", "worst loss of a family", f"pages that lose > {LOSS}"]
    details = [_details(mixtures) for mixtures in kinds.values() if mixtures]
    return "\n".join((_EXPLANATION, markdown_table(headings, rows), *details))


def _mixtures(samples: Sequence[_Sample]) -> list[Mixture]:
    method = METHODS[STYLE_TREE]
    pages = [[sample.loaded.page(number) for number in sample.learnt] for sample in samples]
    mixed = method.fit([page for of_family in pages for page in of_family])
    results = []
    for sample, own in zip(samples, pages, strict=True):
        alone = [score.f1 for score in sample.loaded.score(method.fit(own), sample.scored)]
        together = [score.f1 for score in sample.loaded.score(mixed, sample.scored)]
        others = ", ".join(other.name for other in samples if other is not sample)
        lost = sum(before - after > LOSS for before, after in zip(alone, together, strict=True))
        results.append(Mixture(sample.name, others, len(own), len(alone), fmean(alone), fmean(together), lost))
    return results


def _half(loaded: LoadedSite, numbers: Sequence[int]) -> Sequence[int]:
    return numbers[: max(loaded.sampling.pages // 2, 1)]


def _first_differing_parts(urls: Sequence[str]) -> list[str]:
    """The first folder of each address on which the addresses differ; empty where there is none."""
    folders = [urlsplit(url).path.strip("/").split("/")[:-1] for url in urls]
    shared = 0
    for parts in zip(*folders, strict=False):
        if len(set(parts)) > 1:
            break
        shared += 1
    return ["/".join(parts[shared : shared + 1]) for parts in folders]


def _summary(name: str, mixtures: Sequence[Mixture]) -> list[str]:
    worst = max(mixtures, key=lambda one: one.loss)
    scored, lost = sum(one.scored for one in mixtures), sum(one.lost for one in mixtures)
    means = [f"{fmean(one.alone for one in mixtures):.3f}", f"{fmean(one.mixed for one in mixtures):.3f}"]
    return [name, str(len(mixtures)), *means, f"{worst.loss:.3f} ({worst.family})", f"{lost} of {scored:,}"]


def _details(mixtures: Sequence[Mixture]) -> str:
    rows = [
        [
            one.family,
            one.others,
            f"{one.learnt}/{one.scored}",
            f"{one.alone:.3f}",
            f"{one.mixed:.3f}",
            f"{round(-one.loss, 3) + 0.0:+.3f}",
        ]
        for one in sorted(mixtures, key=lambda one: -one.loss)
    ]
    return markdown_table(["family", "mixed with", "learnt/scored", "F1 alone", "F1 mixed", "change"], rows, texts=2)
