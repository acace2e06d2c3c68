"""How much of an untrusted page is accepted. One place, so that every bound has its reason beside it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one page. Beyond `bytes`, `tags` or `nodes` reading raises `PageTooLarge`; depth is flattened."""

    bytes: int = 64_000_000
    """Size of the undecoded page. The largest single-page documents in use (the HTML standard) have 15 MB."""

    tags: int = 2_000_000
    """Number of `<` in the page. The parser needs about 190 bytes a node, so this bounds it near 0.5 GB; the
    HTML standard on one page has 0.4 million."""

    nodes: int = 4_000_000
    """Rows of the Page: elements and text. Also bounds what misnested formatting may multiply to (see
    `page.reading`): without it 1 MB of hostile markup becomes 64 million nodes."""

    depth: int = 512
    """Nesting of elements. Deeper ones become siblings, as browsers do at the same number."""


DEFAULT_LIMITS = Limits()
