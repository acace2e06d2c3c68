"""JSON: the page, its metadata, its text, and every block, kept or not.

DOM paths are a table, `paths`: a row is the number of the parent path (null for the root) and the last step. A block's
`path` is a row number. Written out in every block, paths in deep markup would make the output 600 times the page.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dehusk.arguments import checked
from dehusk.blocks.block_columns import Kind
from dehusk.blocks.paths import NO_PARENT, PathTree
from dehusk.deciding.decisions import LabelledBlocks
from dehusk.errors import InvalidSetting
from dehusk.outputs.document.document_calls import text_writing
from dehusk.outputs.document.output_options import OutputOptions
from dehusk.outputs.page_metadata import metadata_of

_MOST_INDENT: Final = 100
"""Blanks: more than any screen has room for, and each block would have twice as many."""


@checked
@dataclass(frozen=True, slots=True)
class JsonOptions:
    r"""Content and layout of the JSON.

    Arguments:
        indent: indentation of fields, doubled for blocks, which are one line each; None writes everything on one
            line.
        dropped: whether to list dropped blocks, too.
        reasons: whether to add the reasons for each block's score. Slow: takes longer than everything else.

    >>> dehusk.clean("<p>Tea.").render("json", dehusk.JsonOptions(indent=None)).count("\n")
    1
    """

    indent: int | None = 2
    dropped: bool = True
    reasons: bool = False

    def __post_init__(self) -> None:
        if self.indent is not None and not 0 <= self.indent <= _MOST_INDENT:
            cause = f"{self.indent} is not between 0 and {_MOST_INDENT}"
            raise InvalidSetting("indent", cause, "choose 2, or None for a single line")


_KINDS: Final = tuple(kind.label for kind in Kind)


def render_json(labelled: LabelledBlocks, options: JsonOptions | None = None) -> str:
    """One JSON object; ends with a newline. Lone surrogates are escaped, so it is always valid UTF-8."""
    return "".join(json_parts(labelled, options))


def json_parts(labelled: LabelledBlocks, options: JsonOptions | None = None) -> Iterator[str]:
    """The same part by part: the fields of the page, then path by path and block by block."""
    options = options or JsonOptions()
    # The line starts of fields and blocks; empty if everything is on one line.
    indent = " " * (options.indent or 0)
    before_field, before_block = ("", "") if options.indent is None else (f"\n{indent}", f"\n{indent}{indent}")
    between = "," + (before_field or " ")
    fields = (f"{json_text(name)}: {json_text(value)}" for name, value in _page_fields(labelled).items())
    paths, blocks = _lists(labelled, options)
    yield "{" + before_field + between.join(fields)
    yield f'{between}"paths": '
    yield from _list_parts(paths)
    yield f'{between}"blocks": '
    yield from _list_parts(blocks, before_block, before_field)
    yield "}\n" if options.indent is None else "\n}\n"


def _list_parts(rows: Iterator[object], before_row: str = "", before_end: str = "") -> Iterator[str]:
    separator = "[" + before_row
    for row in rows:
        yield separator + json_text(row)
        separator = "," + (before_row or " ")
    yield "[]" if separator.startswith("[") else before_end + "]"


def json_text(value: object) -> str:
    """JSON on one line that is always valid UTF-8: lone surrogates are escaped."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def page_as_dict(labelled: LabelledBlocks, options: JsonOptions) -> dict[str, object]:
    """The page in plain values: text, numbers, lists, dictionaries and None."""
    paths, blocks = _lists(labelled, options)
    return {**_page_fields(labelled), "paths": list(paths), "blocks": list(blocks)}


def _page_fields(labelled: LabelledBlocks) -> dict[str, object]:
    page = labelled.blocks.page
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
        "problem": labelled.problem,
        "metadata": metadata_of(labelled).to_dict(),
        "text": text_writing(OutputOptions()).text(labelled),
    }


def _lists(labelled: LabelledBlocks, options: JsonOptions) -> tuple[Iterator[object], Iterator[object]]:
    """The rows of paths and of blocks, which grow with the page."""
    listed = range(len(labelled.blocks)) if options.dropped else labelled.kept
    paths = labelled.blocks.paths_of(listed)
    steps = zip(paths.parents, paths.steps, strict=True)
    path_rows = ([None if parent == NO_PARENT else parent, step] for parent, step in steps)
    return path_rows, _block_rows(labelled, listed, paths, options.reasons)


def _block_rows(
    labelled: LabelledBlocks, listed: Sequence[int], paths: PathTree, with_reasons: bool
) -> Iterator[dict[str, object]]:
    blocks, table = labelled.blocks, labelled.blocks.table
    for index, path in zip(listed, paths.numbers, strict=True):
        score = float(labelled.scores[index])
        row: dict[str, object] = {
            "text": blocks.texts[index],
            "label": "content" if labelled.keep[index] else "noise",
            "comment": bool(labelled.comments[index]),
            "score": None if math.isnan(score) else round(score, 4),
            "kind": _KINDS[blocks.kind[index]],
            "level": int(blocks.level[index]),
            "table_row": int(table.row[index]),
            "table_column": int(table.column[index]),
            "path": path,
            "link_share": round(float(blocks.link_share[index]), 4),
            "hidden": bool(blocks.hidden[index]),
        }
        if with_reasons:
            row["reasons"] = list(labelled.reasons[index])
        yield row
