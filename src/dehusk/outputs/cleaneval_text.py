"""CleanEval's format: one line per block, starting with `<h>` (a header), `<l>` (a list item) or `<p>`.

There are no closing tags and no other markup. Text that looks like one of these tags gets a blank after its bracket
(`< p>`), so that every `<p>` is a tag. Everything else, `&` and `<` included, is written as it is, because readers of
this format do not unescape. White space is folded, even in preformatted text: a line is a segment.

A model that labels text runs decides text run by text run what is kept and where a line begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dehusk.arguments import checked
from dehusk.blocks.block_columns import Blocks, Kind
from dehusk.deciding.decisions import LabelledBlocks
from dehusk.methods.sequence_labels.sequence_labels import SequenceLabelsModel
from dehusk.methods.sequence_labels.text_runs import RunLabel, TextRuns
from dehusk.page.characters import encodable

_TAG_OF_KIND: Final = {Kind.TITLE: "<h>", Kind.HEADING: "<h>", Kind.LIST_ITEM: "<l>"}
_TAG_OF_LABEL: Final = {
    RunLabel.HEADER: "<h>",
    RunLabel.LIST: "<l>",
    RunLabel.PARAGRAPH: "<p>",
    RunLabel.CONTINUATION: "<p>",  # of a page that begins in the middle
}
_LIKE_A_TAG: Final = re.compile(r"<(?=/?[hpl]>)", re.IGNORECASE)


@checked
@dataclass(frozen=True, slots=True)
class CleanEvalOptions:
    """Options of CleanEval's format.

    Arguments:
        url: whether the first line is the address, as in CleanEval's files.

    >>> dehusk.clean("<p>" + "Steep it. " * 9).render("cleaneval")[:12]
    '<p>Steep it.'
    """

    url: bool = False
    """Start with a line `URL: ...`, as CleanEval's own files do, if the URL is known."""


def render_cleaneval(labelled: LabelledBlocks, options: CleanEvalOptions | None = None) -> str:
    """The kept blocks, one line each; empty if none is kept."""
    url = " ".join(labelled.blocks.page.url.split())
    heading = f"URL: {url}\n\n" if url and (options or CleanEvalOptions()).url else ""
    if isinstance(labelled.model, SequenceLabelsModel):
        runs, labels = labelled.model.text_runs_of(labelled.blocks), labelled.model.labels_of(labelled.blocks)
        return encodable(heading + labelled_text(runs, labels))
    return encodable(heading + marked_text(labelled.blocks, labelled.kept))


def marked_text(blocks: Blocks, chosen: Iterable[int]) -> str:
    """Blocks, by index, as tagged lines; blocks without text are left out."""
    kinds = blocks.kind.tolist()
    return _lines((_TAG_OF_KIND.get(kinds[index], "<p>"), blocks.texts[index]) for index in chosen)


def labelled_text(runs: TextRuns, labels: NDArray[np.uint8]) -> str:
    """The content text runs as marked lines; continuations go on with the line before."""
    # Within a block text runs stand as they are written, with or without blanks between them.
    texts = runs.blocks.page.texts(runs.row)
    segments: list[tuple[str, list[str]]] = []
    block_before = -1
    for text, block, label in zip(texts, runs.block.tolist(), labels.tolist(), strict=True):
        if label == RunLabel.OTHER:
            continue
        if label != RunLabel.CONTINUATION or not segments:
            segments.append((_TAG_OF_LABEL[RunLabel(label)], []))
        segments[-1][1].append(text if block == block_before else f" {text}")
        block_before = block
    return _lines((tag, "".join(parts)) for tag, parts in segments)


def _lines(segments: Iterable[tuple[str, str]]) -> str:
    folded = ((tag, " ".join(text.split())) for tag, text in segments)
    return "".join(f"{tag}{_LIKE_A_TAG.sub('< ', text)}\n" for tag, text in folded if text)
