"""Blocks -> scores. `METHODS` has one line per method."""

from __future__ import annotations

from typing import Final

from dehusk.methods.base import Method
from dehusk.methods.page_network.hybrid import Hybrid
from dehusk.methods.page_network.page_evidence import PageEvidence
from dehusk.methods.satisfiable_subtree import SatisfiableSubtree
from dehusk.methods.sequence_labels.sequence_labels import SequenceLabels
from dehusk.methods.site_trees.pagelet_templates import PageletTemplates
from dehusk.methods.site_trees.structure_weights import StructureWeights
from dehusk.methods.site_trees.style_tree import StyleTree

METHODS: Final[dict[str, type[Method]]] = {
    Hybrid.name: Hybrid,
    PageEvidence.name: PageEvidence,
    SatisfiableSubtree.name: SatisfiableSubtree,
    SequenceLabels.name: SequenceLabels,
    StyleTree.name: StyleTree,
    PageletTemplates.name: PageletTemplates,
    StructureWeights.name: StructureWeights,
}

DEFAULT_METHOD: Final = Hybrid.name
