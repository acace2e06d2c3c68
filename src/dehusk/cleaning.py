"""Clean one page, `dehusk.clean`, or many, `dehusk.clean_many`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from dehusk.blocks.block_columns import Blocks, Kind
from dehusk.blocks.segmentation import segment
from dehusk.deciding.decisions import DEFAULT_DECISION, Decision, LabelledBlocks, label_blocks
from dehusk.deciding.rules import RULES
from dehusk.errors import DehuskError, InvalidSetting, UnknownName, enough_memory
from dehusk.limits import DEFAULT_LIMITS, Limits
from dehusk.methods import DEFAULT_METHOD, METHODS
from dehusk.methods.base import Favour, Method, Model
from dehusk.outputs import OUTPUTS, Output
from dehusk.outputs.page_metadata import metadata_of
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import read_page
from dehusk.sources.raw_page import RawPage

if TYPE_CHECKING:
    from dehusk.metadata.values import Metadata
    from dehusk.outputs.block_json import JsonOptions
    from dehusk.outputs.page_records import RecordOptions


_UNNAMED: Final = "<page>"
"""What errors call a page that has neither a name nor a URL."""


@dataclass(frozen=True, slots=True)
class CleanedBlock:
    """One block of a cleaned page, kept or not, with everything known about it."""

    text: str
    kept: bool
    score: float
    kind: str
    level: int
    path: str
    link_share: float
    hidden: bool
    comment: bool
    """Whether it is a reader's comment."""
    reasons: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class CleanedPage:
    """A page whose blocks are labelled. Iterating yields the blocks."""

    labelled: LabelledBlocks

    def __repr__(self) -> str:
        kept = f"{len(self.labelled.kept)} of {len(self)} blocks kept"
        judged = "" if self.confidence is None else f", {self.page_type}, confidence {self.confidence:.2f}"
        return f"<CleanedPage {self.page.label}: {kept}{judged}>"

    @property
    def page(self) -> Page:
        return self.labelled.blocks.page

    @property
    def page_type(self) -> str:
        """The page type, one of `PAGE_TYPES`; empty if the method does not classify pages."""
        return self.labelled.page_type

    @property
    def confidence(self) -> float | None:
        """From 0 to 1: the likely quality of the result (word F1); None if the method gives none."""
        return self.labelled.confidence

    @property
    def problem(self) -> str:
        """`js-required` if the page is a shell that scripts would have to fill; otherwise empty."""
        return self.labelled.problem

    @cached_property
    def metadata(self) -> Metadata:
        """Title, authors, dates and other metadata of the page, each with where it was found."""
        # Computed on demand: most callers never need it, or the import.
        return metadata_of(self.labelled)

    @cached_property
    def text(self) -> str:
        """The kept content as plain text."""
        return self.render("text")

    def render(self, format_name: str = "text", options: Any = None) -> str:
        """The kept content in one of the `OUTPUTS`; options are an instance of that format's options class."""
        return "".join(self.render_parts(format_name, options))

    def render_parts(self, format_name: str = "text", options: Any = None) -> Iterator[str]:
        """The output of `render` in parts, for writing large results without holding them in memory."""
        output = OUTPUTS.get(format_name)
        if output is None:
            raise UnknownName(format_name, "no such format", f"choose one of {', '.join(OUTPUTS)}")
        return self._parts(output, output.options if options is None else options)

    def _parts(self, output: Output, options: Any) -> Iterator[str]:
        with enough_memory(self.page.label):
            yield from output.parts(self.labelled, options)

    def to_dict(self, options: JsonOptions | None = None) -> dict[str, Any]:
        """The page as plain values, as in the json format: metadata, text, paths, and every block."""
        from dehusk.outputs.block_json import JsonOptions, page_as_dict  # here and below: most need only the text

        with enough_memory(self.page.label):
            return page_as_dict(self.labelled, options or JsonOptions())

    def to_record(self, options: RecordOptions | None = None) -> dict[str, object]:
        """The content and metadata, as in the jsonl and csv formats: the record that sinks write (`open_sink`)."""
        from dehusk.outputs.page_records import RecordOptions, record_of

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


def clean(  # noqa: PLR0913 - settings as parameters, as users of a library expect
    source: bytes | str | RawPage | Page,
    model: Model | None = None,
    *,
    url: str = "",
    limits: Limits = DEFAULT_LIMITS,
    favour: str = Favour.BALANCED,
    comments: bool = False,
    rules: Collection[str] | None = None,
    keep: Collection[str] = (),
    drop: Collection[str] = (),
) -> CleanedPage:
    """Clean one page with a model, or with the default method and no site model.

    `favour` is `precision`, `balanced` or `recall`: whether doubtful text is dropped or kept. `comments=True` also
    keeps readers' comments. `rules` names the rules that may override a score (see `dehusk.RULES`): all by default,
    none if empty. All three need a method that judges whole pages, such as the default one.

    `drop` and `keep` are CSS selectors. Elements that match one of `drop` are taken out before the page is judged; text
    in elements that match one of `keep` is kept whatever its score.
    """
    decision = Decision(favour, comments, tuple(RULES) if rules is None else rules, keep, drop)
    return _clean(source, model or find_method(DEFAULT_METHOD).fit(), decision, url, limits=limits)


def clean_many(
    sources: Iterable[bytes | str | RawPage | Page],
    model: Model | None = None,
    *,
    threads: int | None = None,
    limits: Limits = DEFAULT_LIMITS,
    favour: str = Favour.BALANCED,
    comments: bool = False,
    rules: Collection[str] | None = None,
) -> Iterator[CleanedPage | DehuskError]:
    """Clean pages on several threads, by default one for each processor. Results have the order of the pages.

    A page that cannot be cleaned gives the `DehuskError` that `clean` would raise, and the run goes on. Only a few
    pages at a time are in memory, so there may be any number. A `RawPage` brings its URL along; the other options are
    those of `clean`.

    >>> pages = ["<p>" + "Steep the leaves for three minutes. " * 5, b"%PDF-1.7", "<p>" + "Pour the water. " * 9]
    >>> for page in clean_many(pages):
    ...     print(page if isinstance(page, DehuskError) else page.text[:15])
    Steep the leave
    page at index 1: is a PDF, not html; convert it to html, or leave it out
    Pour the water.
    """
    # Imported here: cleaning one page needs neither, and they load a good part of the standard library.
    from dehusk.workers.guard import guarded
    from dehusk.workers.thread_window import available_processors, run_in_order

    decision = Decision(favour, comments, tuple(RULES) if rules is None else rules)
    number = available_processors() if threads is None else threads
    if number < 1:
        raise InvalidSetting("threads", f"{number} is less than 1", "leave it out to use all processors")
    used = model or find_method(DEFAULT_METHOD).fit()

    def clean_one(numbered: tuple[int, bytes | str | RawPage | Page]) -> CleanedPage | DehuskError:
        index, source = numbered
        cleaned = guarded(lambda page: _clean(page, used, decision, limits=limits), source, _UNNAMED)
        if isinstance(cleaned, DehuskError) and cleaned.subject == _UNNAMED:
            return cleaned.about(f"page at index {index}")
        return cleaned

    return run_in_order(clean_one, enumerate(sources), number)


def _clean(
    source: bytes | str | RawPage | Page, model: Model, decision: Decision, url: str = "", *, limits: Limits
) -> CleanedPage:
    page = source if isinstance(source, Page) else read_page(source, url, limits=limits)
    return clean_blocks(segment(prepared(page, decision)), model, decision)


def prepared(page: Page, decision: Decision) -> Page:
    """The page as it is judged: without the elements that `decision.drop` selects."""
    if not decision.drop:
        return page
    from dehusk.page.pruning import without_elements  # few need it

    return without_elements(page, tuple(decision.drop))


def clean_blocks(blocks: Blocks, model: Model, decision: Decision = DEFAULT_DECISION) -> CleanedPage:
    """Clean a page that is read and segmented already."""
    with enough_memory(blocks.page.label):
        return CleanedPage(label_blocks(blocks, model, decision))


def find_method(name: str) -> Method:
    """A method with its default settings, by name."""
    if name not in METHODS:
        raise UnknownName(name, "no such method", f"choose one of {', '.join(METHODS)}")
    return METHODS[name]()
