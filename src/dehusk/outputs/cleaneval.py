"""CleanEval's format: one line a block, which begins with `<h>` (a header), `<l>` (a list item) or `<p>`.

There are no closing tags and no other markup. Text that looks like one of these tags gets a blank after its bracket
(`< p>`), so that every `<p>` is a tag; everything else is written as it is, `&` and `<` included: whoever reads this
format unescapes nothing. White space is folded, in preformatted text, too: a line is a segment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from dehusk.blocks.columns import Blocks, Kind
from dehusk.labels import LabelledBlocks

_TAG_OF_KIND: Final = {Kind.TITLE: "<h>", Kind.HEADING: "<h>", Kind.LIST_ITEM: "<l>"}
_LIKE_A_TAG: Final = re.compile(r"<(?=/?[hpl]>)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CleanEvalOptions:
    """What stands before the text."""

    url: bool = False
    """Begin with a line `URL: address`, as CleanEval's own files do, if the address is known."""


def render_cleaneval(labelled: LabelledBlocks, options: CleanEvalOptions | None = None) -> str:
    """The kept blocks, a line each; empty if none is kept."""
    url = " ".join(labelled.blocks.page.url.split())
    heading = f"URL: {url}\n\n" if url and (options or CleanEvalOptions()).url else ""
    return heading + marked_text(labelled.blocks, labelled.kept)


def marked_text(blocks: Blocks, chosen: Iterable[int]) -> str:
    """Some blocks, by index, as marked lines; blocks without text have none."""
    kinds = blocks.kind.tolist()
    lines = ((_TAG_OF_KIND.get(kinds[index], "<p>"), " ".join(blocks.texts[index].split())) for index in chosen)
    return "".join(f"{tag}{_LIKE_A_TAG.sub('< ', text)}\n" for tag, text in lines if text)
