"""How much of an untrusted page is accepted. One place, so that every bound has its reason beside it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one page. Beyond `bytes` or `tags` reading raises `PageTooLarge`; the others are kept to silently."""

    bytes: int = 64_000_000
    """Size of the undecoded page. The largest single-page documents in use (the HTML standard) have 15 MB."""

    tags: int = 2_000_000
    """Number of `<` in the page. The parser needs about 190 bytes a node, so this bounds it near 0.5 GB; the
    HTML standard on one page has 0.4 million."""

    nodes: int = 2_000_000
    """What formatting elements that stay open may multiply a page to. In pages that could exceed it, or that have many
    times more elements than tags, they are read as ordinary elements: the tree differs from the standard's where they
    are misnested, but no text is lost."""

    attributes: int = 4_000_000
    """Attributes kept of a page; further elements are read without theirs. Elements opened anew repeat them."""

    depth: int = 512
    """Ancestors of a node. Deeper nodes become children of the last element above the limit, as in browsers."""


DEFAULT_LIMITS = Limits()
