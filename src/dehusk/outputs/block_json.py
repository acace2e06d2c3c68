"""JSON: the page and every block of it, kept or not, with the reasons."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

from dehusk.blocks.columns import Kind
from dehusk.labels import LabelledBlocks


@dataclass(frozen=True, slots=True)
class JsonOptions:
    """What the JSON holds and how it is laid out."""

    indent: int | None = 2
    """Blanks of indentation; None for one line."""
    dropped: bool = True
    """Whether blocks that are not kept are listed, too."""


def render_json(labelled: LabelledBlocks, options: JsonOptions | None = None) -> str:
    """One JSON object; ends with a newline. Lone surrogates are escaped, so it is always valid UTF-8."""
    options = options or JsonOptions()
    page = labelled.blocks.page
    document = {
        "url": page.url,
        "name": page.name,
        "encoding": page.encoding,
        "encoding_reason": page.encoding_reason,
        "method": labelled.model.method,
        "threshold": labelled.threshold,
        "page_type": labelled.page_type,
        "confidence": None if labelled.confidence is None else round(labelled.confidence, 4),
        "blocks": [
            _block(labelled, index) for index in range(len(labelled.blocks)) if options.dropped or labelled.keep[index]
        ],
    }
    text = json.dumps(document, ensure_ascii=False, indent=options.indent, allow_nan=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n"


def _block(labelled: LabelledBlocks, index: int) -> dict[str, object]:
    blocks = labelled.blocks
    score = float(labelled.scores[index])
    return {
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
        "reasons": list(labelled.reasons[index]),
    }
