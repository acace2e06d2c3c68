"""The papers' trees by the letter: recursive, slow, over nodes of pages instead of counts and keys.

`style_tree` is the site style tree (Yi, Liu & Li, KDD 2003), `structure_tree` the compressed structure tree (Yi & Liu,
IJCAI 2003); both with merging. Only the columns of a page are shared with dehusk, and the order in which pairs of
elements are tried, which the papers leave open: that of `order`, a number for each node.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from dehusk.page.page_columns import Page

_DISPLAY = ("class", "bgcolor", "align", "width")
GAMMA = LAMBDA = 0.85
ATTENUATION = 0.9


@dataclass(eq=False)
class Node:
    """A tag of a page, or a text beside tags."""

    page: int
    row: int
    look: tuple[object, ...]
    """Tag and display attributes."""
    children: list[Node]
    features: Counter[str]
    """Of its whole content."""
    height: int

    def leaves(self) -> Iterator[Node]:
        """The leaves in it, or itself."""
        yield from (leaf for child in self.children for leaf in child.leaves()) if self.children else (self,)

    def all_nodes(self) -> Iterator[Node]:
        """Itself and all nodes in it."""
        yield self
        for child in self.children:
            yield from child.all_nodes()


def page_tree(page: Page, number: int, leaf_height: int, words_only: bool) -> Node:
    """The nodes of a page from BODY down; those with at most `leaf_height` levels of tags in them are leaves."""

    def node(row: int) -> Node:
        below = [at for at in range(row + 1, page.subtree_end[row]) if page.parent[at] == row]
        children = [node(at) for at in below]
        height = max((child.height + 1 for child in children if child.look != ("#text",)), default=0)
        name, attributes = page.tag_names[row], page.attributes(row)
        features = Counter(page.texts([row])[0].split() if name == "#text" else ())
        if not words_only:
            features.update(f"{key} {attributes[key]}" for key in ("src", "href") if key in attributes)
        for child in children:
            features.update(child.features)
        classes = frozenset(attributes.get("class", "").split())
        look = (
            (name, classes, *(attributes.get(key) for key in _DISPLAY[1:]))
            if name not in ("body", "#text")
            else (name,)
        )
        return Node(number, row, look, [] if height <= leaf_height else children, features, height)

    return node(page.tag_names.index("body"))


@dataclass(eq=False)
class Element:
    """An element node: the tags merged into it, and the elements in each of its styles."""

    nodes: list[Node]
    in_styles: set[tuple[object, ...]]
    """The styles of its parent that it is in."""
    styles: dict[tuple[object, ...], list[Element]] = field(default_factory=dict)

    @property
    def leaves(self) -> list[Node]:
        return [node for node in self.nodes if not node.children]

    def characteristic(self) -> set[str]:
        """The features on at least gamma of its tags, anywhere in them."""
        frequency = Counter(feature for node in self.nodes for feature in node.features)
        return {feature for feature, number in frequency.items() if number >= GAMMA * len(self.nodes)}

    def all_elements(self) -> Iterator[Element]:
        yield self
        for child in self.children():
            yield from child.all_elements()

    def children(self) -> list[Element]:
        """The elements below, each once."""
        return list({id(child): child for style in self.styles.values() for child in style}.values())


def grow(nodes: list[Node], order: Callable[[Node], int], within_styles: bool) -> Element:
    """The tree of some pages' bodies."""
    root = Element(nodes, set())
    _grow_below(root, order, within_styles)
    return root


def _grow_below(parent: Element, order: Callable[[Node], int], within_styles: bool) -> None:
    by_style: dict[tuple[object, ...], list[Node]] = {}
    for node in parent.nodes:
        if node.children:
            by_style.setdefault(tuple(child.look for child in node.children), []).append(node)
    initial = [
        Element([node.children[index] for node in nodes], {style})
        for style, nodes in by_style.items()
        for index in range(len(style))
    ]
    elements = _merge(sorted(initial, key=lambda element: order(element.nodes[0])), within_styles)
    for style, nodes in by_style.items():
        parent.styles[style] = [_element_of(child, elements) for child in nodes[0].children]
    for element in elements:
        _grow_below(element, order, within_styles)


def _element_of(node: Node, elements: Sequence[Element]) -> Element:
    return next(element for element in elements if any(each is node for each in element.nodes))


def are_similar(one: Element, other: Element, within_styles: bool) -> bool:
    """Whether two elements below the same parent are to be merged."""
    if one.nodes[0].look != other.nodes[0].look or (not within_styles and one.in_styles & other.in_styles):
        return False
    first, second = one.characteristic(), other.characteristic()
    return bool(first and second) and len(first & second) >= LAMBDA * len(first | second)


def _merge(initial: list[Element], within_styles: bool) -> list[Element]:
    apart: list[Element] = []
    for element in initial:
        while similar := [other for other in apart if are_similar(element, other, within_styles)]:
            apart.remove(similar[0])
            element = Element(similar[0].nodes + element.nodes, similar[0].in_styles | element.in_styles)
        apart.append(element)
    return apart


def entropy(shares: Sequence[float], base: int) -> float:
    return -sum(share * math.log(share, base) for share in shares)


def feature_entropy(feature: str, nodes: list[Node]) -> float:
    """Equation 5 of the first paper, 3 of the second."""
    found = [node.features[feature] for node in nodes if feature in node.features]
    return entropy([number / sum(found) for number in found], len(nodes)) if len(nodes) > 1 else 0.0


def content_importance(nodes: list[Node]) -> float:
    """Of the leaves of an element: equation 4 of the first paper, 2 of the second. Without features it is 0."""
    features = {feature for node in nodes for feature in node.features}
    return 1 - sum(feature_entropy(feature, nodes) for feature in features) / len(features) if features else 0.0


def node_importance(element: Element) -> float:
    """Equation 1. Being a leaf is one of the styles, if the element is one on some pages only."""
    if len(element.nodes) == 1:
        return 1.0
    used = Counter(tuple(child.look for child in node.children) for node in element.nodes)
    return entropy([number / len(element.nodes) for number in used.values()], len(element.nodes))


def composite_importance(element: Element) -> float:
    """Equations 2 to 4 of the first paper."""
    if len(element.nodes) == 1:
        return 1.0
    leaves, number = element.leaves, len(element.nodes)
    if len(leaves) == number:
        return content_importance(leaves)
    below = len(leaves) / number * content_importance(leaves) if leaves else 0.0
    for style, children in element.styles.items():
        share = sum(tuple(child.look for child in node.children) == style for node in element.nodes) / number
        below += share * sum(map(composite_importance, children)) / len(children)
    weight = ATTENUATION ** (len(element.styles) + bool(leaves))
    return (1 - weight) * node_importance(element) + weight * below


# Figures 5 and 7. The content of an element that is a leaf on some pages only is a child of its own.


def is_noisy(element: Element, threshold: float) -> bool:
    """Figure 5: it and all below are unimportant."""
    content_is = not _has_content_apart(element) or content_importance(element.leaves) <= threshold
    below = all(is_noisy(child, threshold) for child in element.children())
    return content_is and below and composite_importance(element) <= threshold


def is_meaningful(element: Element, threshold: float) -> bool:
    """Nothing in it is noisy."""
    content_is = not _has_content_apart(element) or content_importance(element.leaves) > threshold
    below = all(is_meaningful(child, threshold) for child in element.children())
    return content_is and below and not is_noisy(element, threshold)


def _has_content_apart(element: Element) -> bool:
    return 0 < len(element.leaves) < len(element.nodes)


def map_page(element: Element, node: Node, threshold: float) -> list[Node]:
    """Figure 7, MapSST: the leaves of a page that are its main content."""
    if is_noisy(element, threshold):
        return []
    if is_meaningful(element, threshold):
        return list(node.leaves())
    if not node.children and element.leaves:
        return [node] if content_importance(element.leaves) > threshold else []
    style = tuple(child.look for child in node.children)
    if style in element.styles and node.children:
        pairs = zip(element.styles[style], node.children, strict=True)
        return [leaf for below, child in pairs for leaf in map_page(below, child, threshold)]
    return list(node.leaves())


# The second paper


def path_importance(path: Sequence[Element]) -> float:
    """Equation 4: of the inner elements from the root down."""
    return 1 - math.prod(1 - (node_importance(element) if _is_inner(element) else 0.0) for element in path)


def _is_inner(element: Element) -> bool:
    return len(element.leaves) < len(element.nodes)


def word_weights(root: Element, page: int) -> dict[str, float]:
    """Equation 5, added up over the leaves of a page."""
    total: dict[str, float] = {}

    def add(element: Element, path: list[Element]) -> None:
        leaves = element.leaves
        for leaf in (leaf for leaf in leaves if leaf.page == page):
            leaf_importance = content_importance(leaves) if len(leaves) > 1 else 1.0
            importance = 1 - (1 - path_importance(path)) * (1 - leaf_importance)
            for feature, number in leaf.features.items():
                weight = importance * (1 - feature_entropy(feature, leaves)) * number
                total[feature] = total.get(feature, 0.0) + weight
        for child in element.children():
            add(child, [*path, child])

    add(root, [root])
    return total
