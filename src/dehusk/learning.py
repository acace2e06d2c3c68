"""Learn a site's template from its pages, and load model files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib import import_module
from typing import Final, TypeVar, cast

from dehusk.arguments import checked, checked_but
from dehusk.errors import InvalidSetting, ModelError, WrongType, enough_memory
from dehusk.methods import DEFAULT_METHOD, METHODS, find_method
from dehusk.methods.base import Model, SiteMethod, SiteModel
from dehusk.methods.model_files import read_model_file
from dehusk.page.page_columns import Page

MOST_PAGES: Final = 200
"""Pages to learn a site from. More change little: the style tree paper used a few hundred."""
STRANGE: Final = 0.1
"""A page that matches a model less than this is hardly from its site; see `SiteModel.match`."""

_LONGEST_NAME: Final = 40
"""Characters of an unknown method's name that a message shows."""

Item = TypeVar("Item")

_MODELS: Final = {
    "hybrid": ("page_network.hybrid", "HybridModel", "from_file"),
    "page-network": ("page_network.hybrid", "HybridModel", "of_training"),
    "style-tree": ("site_trees.style_tree", "StyleTreeModel", "from_file"),
    "pagelet-templates": ("site_trees.pagelet_templates", "PageletTemplatesModel", "from_file"),
    "structure-weights": ("site_trees.structure_weights", "StructureWeightsModel", "from_file"),
    "sequence-labels": ("sequence_labels.sequence_labels", "SequenceLabelsModel", "from_file"),
}
"""Method -> module, class and class method that make its model from a file; imported when there is such a file."""


@checked_but("pages")
def learn(pages: Iterable[Page], method: SiteMethod | str | None = None) -> SiteModel:
    """Learn one site, by default with the hybrid. Duplicate pages are left out.

    The content of a page that is there twice would look like template. `Hybrid().fit(pages)` and `update` do not check:
    they count every page they are given.

    Arguments:
        pages: pages of one site, streamed or not. Two are a start, ten or twenty are enough for most sites.
        method: a method that learns sites (`Hybrid`, `StyleTree`, `PageletTemplates` or `StructureWeights`), or the
            name of one (`style-tree`).

    Returns:
        A model, for `clean` and `save`.

    Raises:
        UnknownName: there is no method of that name.
        InvalidSetting: it does not learn sites.
        OutOfMemory: there is not enough memory for what the pages have in common.

    >>> html = "<nav><a href=/>Home</a> <a href=/tea>Our teas</a></nav><h1>Tea {0}</h1><p>" + "Tea {0} is good. " * 9
    >>> site = dehusk.learn(dehusk.read_page(html.format(number)) for number in range(5))
    >>> site.pages, "Our teas" in dehusk.clean(html.format(9), site).text
    (5, False)
    """
    from dehusk.sites.duplicates import distinct_pages

    with enough_memory("learning a site"):
        given = _pages(pages)
        return _site_method(method or DEFAULT_METHOD).fit(given[number] for number in distinct_pages(given).kept)


def _site_method(method: SiteMethod | str) -> SiteMethod:
    found = find_method(method) if isinstance(method, str) else method
    if not found.learns:
        names = ", ".join(name for name, known in METHODS.items() if known.learns)
        raise InvalidSetting("method", f"{found.name} does not learn sites", f"choose one of {names}")
    return cast("SiteMethod", found)


def _pages(pages: object) -> list[Page]:
    return [_page(page) for page in (pages if isinstance(pages, Iterable) else [pages])]


def _page(page: object) -> Page:
    if isinstance(page, Page):
        return page
    cause = f"cannot learn from {type(page).__name__}"
    raise WrongType("a page", cause, "pass an iterable of Page, as returned by dehusk.read_page")


@checked
def load_model(path: str | os.PathLike[str]) -> Model:
    """Load a model file written by `save`, `dehusk learn` or `dehusk train`; site models are `SiteModel`s.

    Arguments:
        path: the file.

    Returns:
        The model, for `clean`.

    Raises:
        ModelError: the file is missing, damaged, or of another version.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     dehusk.learn([dehusk.read_page("<p>Tea.")]).save(f"{folder}/site.dehusk")
    ...     dehusk.load_model(f"{folder}/site.dehusk").method
    'hybrid'
    """
    file = read_model_file(path)
    if file.method not in _MODELS:
        cause = f"unknown method {file.method[:_LONGEST_NAME]!r}"
        raise ModelError(os.fspath(path), cause, "update dehusk")
    with enough_memory(os.fspath(path)):
        module, class_name, constructor = _MODELS[file.method]
        model_class = getattr(import_module(f"dehusk.methods.{module}"), class_name)
        return cast("Model", getattr(model_class, constructor)(file))


@checked
def sample(items: Iterable[Item], n: int = MOST_PAGES, seed: int = 0) -> list[Item]:
    """A random sample of at most n items, in their order; the same sample for the same seed.

    Arguments:
        items: any items, streamed or not.
        n: the size of the sample.
        seed: another one chooses other items.

    Returns:
        The sample; all items if there are no more than n.

    Raises:
        Nothing; what `items` raises passes through.

    >>> dehusk.sample(range(1000), n=3, seed=7) == dehusk.sample(range(1000), n=3, seed=7)
    True
    """
    import random  # cleaning a page needs none of it

    chooser = random.Random(seed)
    kept: list[tuple[int, Item]] = []
    for number, item in enumerate(items):
        if number < n:
            kept.append((number, item))
        elif (position := chooser.randrange(number + 1)) < n:
            kept[position] = (number, item)
    return [item for _, item in sorted(kept, key=lambda pair: pair[0])]
