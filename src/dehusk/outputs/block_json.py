"""JSON: the page, what is known of it, its text, and every block of it, kept or not."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from dehusk.blocks.columns import Kind
from dehusk.documents.building import build_document
from dehusk.documents.plain import plain_text
from dehusk.labels import LabelledBlocks
from dehusk.outputs.page_metadata import metadata_of


@dataclass(frozen=True, slots=True)
class JsonOptions:
    """What the JSON holds and how it is laid out."""

    indent: int | None = 2
    """Blanks before each field, twice as many before each block, which is a line; None for one line in all."""
    dropped: bool = True
    """Whether blocks that are not kept are listed, too."""
    reasons: bool = False
    """Whether each block says why it scored as it did. Finding the words takes longer than all the rest."""


_KINDS: Final = tuple(kind.label for kind in Kind)


def render_json(labelled: LabelledBlocks, options: JsonOptions | None = None) -> str:
    """One JSON object; ends with a newline. Lone surrogates are escaped, so it is always valid UTF-8."""
    options = options or JsonOptions()
    page = page_as_dict(labelled, options)
    return (json_text(page) if options.indent is None else _laid_out(page, options.indent)) + "\n"


def _laid_out(page: Mapping[str, object], indent: int) -> str:
    """A line for each field, and one for each block."""
    one, two = "\n" + " " * indent, "\n" + " " * indent * 2
    fields = []
    for name, value in page.items():
        rows = [two + json_text(row) for row in value] if name == "blocks" and isinstance(value, list) else None
        written = f"[{','.join(rows)}{one}]" if rows else json_text(value)
        fields.append(f"{one}{json_text(name)}: {written}")
    return "{" + ",".join(fields) + "\n}"


def json_text(value: object) -> str:
    """JSON on one line that is always valid UTF-8: lone surrogates are escaped."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def page_as_dict(labelled: LabelledBlocks, options: JsonOptions) -> dict[str, object]:
    """The page in plain values: text, numbers, lists, dictionaries and None."""
    page, keep = labelled.blocks.page, labelled.keep.tolist()
    return {
        "url": page.url,
        "name": page.name,
        "encoding": page.encoding,
        "encoding_reason": page.encoding_reason,
        "damage": round(page.damage, 6),
        "method": labelled.model.method,
        "threshold": labelled.threshold,
        "page_type": labelled.page_type,
        "confidence": None if labelled.confidence is None else round(labelled.confidence, 4),
        "metadata": metadata_of(labelled).to_dict(),
        "text": plain_text(build_document(labelled)),
        "blocks": [
            block
            for block, is_kept in zip(_blocks(labelled, options.reasons), keep, strict=True)
            if options.dropped or is_kept
        ],
    }


def _blocks(labelled: LabelledBlocks, with_reasons: bool) -> Iterator[dict[str, object]]:
    blocks = labelled.blocks
    columns: dict[str, Iterable[object]] = {
        "text": blocks.texts,
        "label": ["content" if kept else "noise" for kept in labelled.keep.tolist()],
        "comment": labelled.comments.tolist(),
        "score": [None if math.isnan(score) else round(score, 4) for score in labelled.scores.tolist()],
        "kind": [_KINDS[kind] for kind in blocks.kind.tolist()],
        "level": blocks.level.tolist(),
        "table_row": blocks.table.row.tolist(),
        "table_column": blocks.table.column.tolist(),
        "path": map(blocks.path, range(len(blocks))),
        "link_share": [round(share, 4) for share in blocks.link_share.tolist()],
        "hidden": blocks.hidden.tolist(),
    }
    if with_reasons:
        columns["reasons"] = map(list, labelled.reasons)
    names = tuple(columns)
    return (dict(zip(names, values, strict=True)) for values in zip(*columns.values(), strict=True))
