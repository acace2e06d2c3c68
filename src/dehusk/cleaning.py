"""Page in, cleaned page out. Short, and without rules of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dehusk.blocks.block_columns import Kind
from dehusk.blocks.segmentation import segment
from dehusk.deciding.decisions import DEFAULT_DECISION, Decision, LabelledBlocks, label_blocks
from dehusk.errors import UnknownName, enough_memory
from dehusk.limits import DEFAULT_LIMITS, Limits
from dehusk.methods import DEFAULT_METHOD, METHODS
from dehusk.methods.base import Favour, Method, Model
from dehusk.outputs import OUTPUTS, Output
from dehusk.outputs.block_json import JsonOptions, page_as_dict
from dehusk.outputs.page_metadata import metadata_of
from dehusk.outputs.page_records import RecordOptions, record_of
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import read_page
from dehusk.sources.raw_page import RawPage

if TYPE_CHECKING:
    from dehusk.metadata.values import Metadata


@dataclass(frozen=True, slots=True)
class CleanedBlock:
    """One block of a cleaned page, kept or not, with everything there is to say about it."""

    text: str
    kept: bool
    score: float
    kind: str
    level: int
    path: str
    link_share: float
    hidden: bool
    comment: bool
    """A reader's comment on what the page says."""
    reasons: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class CleanedPage:
    """A page whose blocks are labelled. Iterating gives the blocks."""

    labelled: LabelledBlocks

    @property
    def page(self) -> Page:
        return self.labelled.blocks.page

    @property
    def page_type(self) -> str:
        """What kind of page it is, of `PAGE_TYPES`; empty if the method does not say."""
        return self.labelled.page_type

    @property
    def confidence(self) -> float | None:
        """From 0 to 1: how good the result is likely to be (word F1); None if the method does not say."""
        return self.labelled.confidence

    @cached_property
    def metadata(self) -> Metadata:
        """Title, authors, dates and what else the page says about itself, each with where it was found."""
        # Many who clean never ask, and need not wait for the import.
        return metadata_of(self.labelled)

    @cached_property
    def text(self) -> str:
        """The kept content as plain text."""
        return self.render("text")

    def render(self, format_name: str = "text", options: Any = None) -> str:
        """The kept content in one of the `OUTPUTS`; options are an instance of that format's options class."""
        return "".join(self.render_parts(format_name, options))

    def render_parts(self, format_name: str = "text", options: Any = None) -> Iterator[str]:
        """What `render` gives, one part after the other: for writing large results without holding them whole."""
        output = OUTPUTS.get(format_name)
        if output is None:
            raise UnknownName(format_name, "no such format", f"choose one of {', '.join(OUTPUTS)}")
        return self._parts(output, output.options if options is None else options)

    def _parts(self, output: Output, options: Any) -> Iterator[str]:
        with enough_memory(self.page.label):
            yield from output.parts(self.labelled, options)

    def to_dict(self, options: JsonOptions | None = None) -> dict[str, Any]:
        """The page in plain values, as the json format holds it: metadata, text, paths, and every block."""
        with enough_memory(self.page.label):
            return page_as_dict(self.labelled, options or JsonOptions())

    def to_record(self, options: RecordOptions | None = None) -> dict[str, object]:
        """The content and what is known of the page, as jsonl and csv hold it: what sinks take (`open_sink`)."""
        with enough_memory(self.page.label):
            return record_of(self.labelled, options or RecordOptions())

    def __len__(self) -> int:
        return len(self.labelled.blocks)

    def __iter__(self) -> Iterator[CleanedBlock]:
        with enough_memory(self.page.label):
            yield from map(self._block, range(len(self)))

    def _block(self, index: int) -> CleanedBlock:
        blocks = self.labelled.blocks
        return CleanedBlock(
            text=blocks.texts[index],
            kept=bool(self.labelled.keep[index]),
            score=float(self.labelled.scores[index]),
            kind=Kind(blocks.kind[index]).label,
            level=int(blocks.level[index]),
            path=blocks.path(index),
            link_share=float(blocks.link_share[index]),
            hidden=bool(blocks.hidden[index]),
            comment=bool(self.labelled.comments[index]),
            reasons=self.labelled.reasons[index],
        )


def clean(
    source: bytes | str | RawPage | Page,
    model: Model | None = None,
    *,
    url: str = "",
    limits: Limits = DEFAULT_LIMITS,
    favour: str = Favour.BALANCED,
    comments: bool = False,
    rules: Collection[str] = DEFAULT_DECISION.rules,
) -> CleanedPage:
    """Clean one page with a model, or with the default method having learnt nothing.

    `favour` is `precision`, `balanced` or `recall`: whether what is doubtful is dropped or kept. With `comments`,
    readers' comments are kept as well. `rules` names the rules of `deciding.rules` that may override scores. All three
    need the default method, or another that judges whole pages.
    """
    decision = Decision(favour, comments, rules)
    page = source if isinstance(source, Page) else read_page(source, url, limits=limits)
    with enough_memory(page.label):
        return CleanedPage(label_blocks(segment(page), model or find_method(DEFAULT_METHOD).fit(), decision))


def find_method(name: str) -> Method:
    """An instance of a method with its default settings, by name."""
    if name not in METHODS:
        raise UnknownName(name, "no such method", f"choose one of {', '.join(METHODS)}")
    return METHODS[name]()
