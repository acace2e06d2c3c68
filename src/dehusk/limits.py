"""Limits on untrusted pages, each with its reason."""

from __future__ import annotations

from dataclasses import dataclass

from dehusk.arguments import checked


@checked
@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on one page. More `bytes` or `tags` raise `PageTooLarge`; the others are applied silently.

    Arguments:
        bytes: most bytes of the page.
        tags: most tags in it.
        nodes: most nodes of its tree; what follows is left out.
        attributes: most attributes, of all elements together.
        depth: most levels of its tree; what is deeper is moved up.

    >>> dehusk.clean("<p>" + "Steep the leaves. " * 9, limits=dehusk.Limits(bytes=1_000)).text[:5]
    'Steep'
    """

    bytes: int = 64_000_000
    """Size of the undecoded page. The largest single-page documents (the HTML standard) have 15 MB."""

    tags: int = 2_000_000
    """Number of `<` in the page. The parser needs about 190 bytes per node, so this limits it to about 0.5 GB; the HTML
    standard on one page has 0.4 million."""

    nodes: int = 2_000_000
    """Nodes that a page may grow to by unclosed formatting elements, which HTML reopens in every block. In pages that
    could exceed it, or have many times more elements than tags, they are read as ordinary elements: the tree differs
    from the standard's where they are misnested, but no text is lost."""

    attributes: int = 4_000_000
    """Attributes kept per page; further elements lose theirs. Reopened elements repeat them."""

    depth: int = 512
    """Ancestors of a node. Deeper nodes become children of the last element within the limit, as in browsers."""


DEFAULT_LIMITS = Limits()
