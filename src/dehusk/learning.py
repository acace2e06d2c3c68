"""Learn a site's template from its pages, and load what was learnt."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeVar

from dehusk.errors import ModelError, WrongType, enough_memory
from dehusk.methods.base import Model, SiteMethod, SiteModel
from dehusk.methods.model_files import ModelFile, read_model_file
from dehusk.methods.page_network.hybrid import Hybrid, HybridModel
from dehusk.methods.page_network.inference import METHOD as PAGE_NETWORK
from dehusk.methods.sequence_labels.sequence_labels import SequenceLabels, SequenceLabelsModel
from dehusk.methods.site_trees.pagelet_templates import PageletTemplates, PageletTemplatesModel
from dehusk.methods.site_trees.structure_weights import StructureWeights, StructureWeightsModel
from dehusk.methods.site_trees.style_tree import StyleTree, StyleTreeModel
from dehusk.page.page_columns import Page
from dehusk.sites.duplicates import distinct_pages

MOST_PAGES: Final = 200
"""Pages a site is learnt from. More change little: the paper built its trees from some hundreds."""
STRANGE: Final = 0.1
"""A page that matches a model less than this is hardly of its site; see `SiteModel.match`."""

_LONGEST_NAME: Final = 40
"""Characters of an unknown method's name that a message shows."""

Item = TypeVar("Item")

_MODELS: Final[Mapping[str, Callable[[ModelFile], Model]]] = {
    Hybrid.name: HybridModel.from_file,
    PAGE_NETWORK: HybridModel.of_training,
    StyleTree.name: StyleTreeModel.from_file,
    PageletTemplates.name: PageletTemplatesModel.from_file,
    StructureWeights.name: StructureWeightsModel.from_file,
    SequenceLabels.name: SequenceLabelsModel.from_file,
}
"""How the model of each method that learns or is trained is made from its file."""


def learn(pages: Iterable[Page], method: SiteMethod | None = None) -> SiteModel:
    """Learn one site, by default with the hybrid. Pages that repeat others are left out.

    A page that is there twice would make template of its content. `Hybrid().fit(pages)` counts every page it is given,
    and so does `update`.
    """
    with enough_memory("learning a site"):
        given = _pages(pages)
        return (method or Hybrid()).fit(given[number] for number in distinct_pages(given).kept)


def _pages(pages: object) -> list[Page]:
    return [_page(page) for page in (pages if isinstance(pages, Iterable) else [pages])]


def _page(page: object) -> Page:
    if isinstance(page, Page):
        return page
    cause = f"{type(page).__name__} is no page to learn from"
    raise WrongType("a page", cause, "give an iterable of Page, as dehusk.read_page makes them")


def load_model(path: str | os.PathLike[str]) -> Model:
    """The model in a file that `save`, `dehusk learn` or `dehusk train` wrote; a `SiteModel` if it is of a site."""
    file = read_model_file(path)
    if file.method not in _MODELS:
        cause = f"made by the method {file.method[:_LONGEST_NAME]!r}, which this dehusk does not know"
        raise ModelError(os.fspath(path), cause, "update dehusk")
    with enough_memory(os.fspath(path)):
        return _MODELS[file.method](file)


def sample(items: Iterable[Item], n: int = MOST_PAGES, seed: int = 0) -> list[Item]:
    """At most n of the items, each with the same chance, in their order; the same ones for the same seed."""
    chooser = random.Random(seed)
    kept: list[tuple[int, Item]] = []
    for number, item in enumerate(items):
        if number < n:
            kept.append((number, item))
        elif (place := chooser.randrange(number + 1)) < n:
            kept[place] = (number, item)
    return [item for _, item in sorted(kept, key=lambda pair: pair[0])]
