"""Blocks -> scores. `METHODS` has one line per method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Final, cast

from dehusk.errors import UnknownName
from dehusk.methods.base import Method

DEFAULT_METHOD: Final = "hybrid"

_CLASSES: Final = {
    DEFAULT_METHOD: ("page_network.hybrid", "Hybrid"),
    "page-evidence": ("page_network.page_evidence", "PageEvidence"),
    "satisfiable-subtree": ("satisfiable_subtree", "SatisfiableSubtree"),
    "sequence-labels": ("sequence_labels.sequence_labels", "SequenceLabels"),
    "style-tree": ("site_trees.style_tree", "StyleTree"),
    "pagelet-templates": ("site_trees.pagelet_templates", "PageletTemplates"),
    "structure-weights": ("site_trees.structure_weights", "StructureWeights"),
}
"""Name -> module and class."""


class _Methods(Mapping[str, type[Method]]):
    """The class of each method by name, imported on first use: cleaning a page needs one of them."""

    def __getitem__(self, name: str) -> type[Method]:
        module, class_name = _CLASSES[name]
        return cast("type[Method]", getattr(import_module(f"dehusk.methods.{module}"), class_name))

    def __contains__(self, name: object) -> bool:
        return name in _CLASSES  # by default the class would be imported to find out

    def __iter__(self) -> Iterator[str]:
        return iter(_CLASSES)

    def __len__(self) -> int:
        return len(_CLASSES)


METHODS: Final = _Methods()


def find_method(name: str) -> Method:
    """A method with its default settings, by name."""
    check_method(name)
    return METHODS[name]()


def check_method(name: str) -> None:
    """Refuse the name of a method that there is not."""
    if name not in METHODS:
        raise UnknownName(name, "no such method", f"choose one of {', '.join(METHODS)}")
