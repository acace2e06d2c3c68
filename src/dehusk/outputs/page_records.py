"""One record per page, for tables of many pages: JSON lines and CSV.

A record holds a page's metadata, and its content in one of the other formats.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from dehusk.arguments import checked
from dehusk.deciding.cleaning_at_once import CleanedAtOnce
from dehusk.deciding.decisions import LabelledBlocks
from dehusk.errors import InvalidSetting
from dehusk.native.calls import made
from dehusk.outputs import OUTPUTS
from dehusk.outputs.block_json import json_text
from dehusk.outputs.document.output_options import OutputOptions
from dehusk.outputs.page_metadata import metadata_of
from dehusk.page.characters import encodable

CONTENTS: Final = ("text", "markdown", "html")
"""Formats of the content."""
FIELDS: Final = (
    *"name url title subtitle authors published modified language site_name canonical categories tags".split(),
    *"description image licence page_type confidence problem method encoding encoding_reason damage text".split(),
)
"""Columns in order; `canonical` is the URL that the page itself declares, `problem` is one of
`deciding.shells.PROBLEMS`, `damage` the share of its text that could not be decoded."""
_BETWEEN: Final = "; "
"""Separator of several values in one cell of CSV."""


@checked
@dataclass(frozen=True, slots=True)
class RecordOptions:
    """What a record holds.

    Arguments:
        content: format of the field `text`: `text`, `markdown` or `html`.
        header: whether CSV starts with the column names.
        document: what the content shows besides words (links, images, ...); None for the defaults of its format.

    >>> page = dehusk.clean("<p>" + "Steep <b>it</b>. " * 9)
    >>> page.to_record(dehusk.RecordOptions("markdown"))["text"][:13]
    'Steep **it**.'
    """

    content: str = "text"
    header: bool = True
    document: OutputOptions | None = None

    def __post_init__(self) -> None:
        if self.content not in CONTENTS:
            raise InvalidSetting("content", f"{self.content!r} must be one of {', '.join(CONTENTS)}")


def render_jsonl(labelled: LabelledBlocks | CleanedAtOnce, options: RecordOptions | None = None) -> str:
    """One line of JSON."""
    return json_text(record_of(labelled, options or RecordOptions())) + "\n"


def render_csv(labelled: LabelledBlocks | CleanedAtOnce, options: RecordOptions | None = None) -> str:
    """A line of column names and one of values (RFC 4180, but with newlines alone)."""
    options = options or RecordOptions()
    return csv_text([record_of(labelled, options)], header=options.header)


def record_of(labelled: LabelledBlocks | CleanedAtOnce, options: RecordOptions) -> dict[str, object]:
    """The record of a page: plain values by the names in FIELDS."""
    page, verdict, output = labelled.page, labelled.verdict, OUTPUTS[options.content]
    known = metadata_of(labelled).to_dict()
    values = known | {
        "name": page.name,
        "url": page.url,
        "canonical": known["url"],
        "confidence": None if verdict.confidence is None else round(verdict.confidence, 4),
        "problem": verdict.problem,
        "method": labelled.model.method,
        "encoding": page.encoding,
        "encoding_reason": page.encoding_reason,
        "damage": round(page.damage, 6),
        "text": output.render(labelled if output.takes_cleaned else made(labelled), options.document),
    }
    return {name: values[name] for name in FIELDS}


def csv_text(records: Iterable[Mapping[str, object]], header: bool) -> str:
    """Records as CSV."""
    import csv  # here: most records are JSON
    import io

    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    if header:
        writer.writerow(FIELDS)
    writer.writerows([[_cell(record.get(name)) for name in FIELDS] for record in records])
    return written.getvalue()


def _cell(value: object) -> str:
    if isinstance(value, list):
        return _cell(_BETWEEN.join(map(str, value)))
    return "" if value is None else encodable(str(value))
