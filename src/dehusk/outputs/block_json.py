"""JSON: the page, what is known of it, its text, and every block of it, kept or not."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

from dehusk.blocks.columns import Kind
from dehusk.documents.building import build_document
from dehusk.documents.plain import plain_text
from dehusk.labels import LabelledBlocks
from dehusk.outputs.page_metadata import metadata_of


@dataclass(frozen=True, slots=True)
class JsonOptions:
    """What the JSON holds and how it is laid out."""

    indent: int | None = 2
    """Blanks of indentation; None for one line."""
    dropped: bool = True
    """Whether blocks that are not kept are listed, too."""
    reasons: bool = False
    """Whether each block says why it scored as it did. Finding the words takes longer than all the rest."""


def render_json(labelled: LabelledBlocks, options: JsonOptions | None = None) -> str:
    """One JSON object; ends with a newline. Lone surrogates are escaped, so it is always valid UTF-8."""
    options = options or JsonOptions()
    return json_text(page_as_dict(labelled, options), options.indent) + "\n"


def json_text(value: object, indent: int | None = None) -> str:
    """JSON that is always valid UTF-8: lone surrogates are escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def page_as_dict(labelled: LabelledBlocks, options: JsonOptions) -> dict[str, object]:
    """The page in plain values: text, numbers, lists, dictionaries and None."""
    page, keep = labelled.blocks.page, labelled.keep.tolist()
    return {
        "url": page.url,
        "name": page.name,
        "encoding": page.encoding,
        "encoding_reason": page.encoding_reason,
        "method": labelled.model.method,
        "threshold": labelled.threshold,
        "page_type": labelled.page_type,
        "confidence": None if labelled.confidence is None else round(labelled.confidence, 4),
        "metadata": metadata_of(labelled).to_dict(),
        "text": plain_text(build_document(labelled)),
        "blocks": [
            _block(labelled, index, options.reasons)
            for index in range(len(labelled.blocks))
            if options.dropped or keep[index]
        ],
    }


def _block(labelled: LabelledBlocks, index: int, with_reasons: bool) -> dict[str, object]:
    blocks = labelled.blocks
    score = float(labelled.scores[index])
    said: dict[str, object] = {
        "text": blocks.texts[index],
        "label": "content" if labelled.keep[index] else "noise",
        "comment": bool(labelled.comments[index]),
        "score": None if math.isnan(score) else round(score, 4),
        "kind": Kind(blocks.kind[index]).label,
        "level": int(blocks.level[index]),
        "table_row": int(blocks.table.row[index]),
        "table_column": int(blocks.table.column[index]),
        "path": blocks.path(index),
        "link_share": round(float(blocks.link_share[index]), 4),
        "hidden": bool(blocks.hidden[index]),
    }
    return said | {"reasons": list(labelled.reasons[index])} if with_reasons else said
