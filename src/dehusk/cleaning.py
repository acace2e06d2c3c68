"""Clean one page, `dehusk.clean`, or many, `dehusk.clean_many`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final

from dehusk.arguments import checked, checked_but
from dehusk.blocks.block_columns import Blocks, Kind
from dehusk.blocks.segmentation import segment
from dehusk.deciding.cleaning_at_once import CleanedAtOnce, CleaningAtOnce, can_clean_at_once
from dehusk.deciding.decisions import DEFAULT_DECISION, Decision, LabelledBlocks, label_blocks
from dehusk.deciding.rules import RULES
from dehusk.errors import DehuskError, InvalidSetting, enough_memory, out_of_memory
from dehusk.limits import DEFAULT_LIMITS, Limits
from dehusk.methods import DEFAULT_METHOD, find_method
from dehusk.methods.base import Favour, Model
from dehusk.native.calls import as_given, with_deferred
from dehusk.outputs import Output, find_output, options_with
from dehusk.outputs.page_metadata import metadata_of
from dehusk.outputs.text import usual_writing
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import given_html, label_of_source, parsed, read_page, with_stored_text
from dehusk.sources.raw_page import RawPage

if TYPE_CHECKING:
    from dehusk.metadata.values import Metadata
    from dehusk.outputs.block_json import JsonOptions
    from dehusk.outputs.chunks import Chunk
    from dehusk.outputs.document.output_options import OutputOptions
    from dehusk.outputs.page_records import RecordOptions


_BALANCED: Final = Favour.BALANCED
_UNNAMED: Final = "<page>"
"""What errors call a page that has neither a name nor a URL."""


@dataclass(frozen=True, slots=True)
class CleanedBlock:
    """One block of a cleaned page, kept or not, with everything known about it.

    >>> block = list(dehusk.clean("<p>" + "Steep the leaves for three minutes. " * 5))[0]
    >>> block.kind, block.path, block.kept
    ('paragraph', 'html/body/p', True)
    """

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


@with_deferred("labelled")
@dataclass(frozen=True, eq=False, repr=False, init=False)
class CleanedPage:
    """A page whose blocks are labelled. Iterating yields the blocks.

    >>> html = "<title>Green tea</title><article><h1>Green tea</h1><p>" + "Steep the leaves for three minutes. " * 9
    >>> page = dehusk.clean(html)
    >>> page.problem, page.metadata.title, len(page)
    ('', 'Green tea', 3)
    """

    labelled: LabelledBlocks

    def __init__(self, labelled: LabelledBlocks | CleanedAtOnce) -> None:
        # What the one of a dataclass does by way of two more functions.
        vars(self)["labelled"] = labelled

    def __repr__(self) -> str:
        kept = f"{len(self.labelled.kept)} of {len(self)} blocks kept"
        judged = "" if self.confidence is None else f", {self.page_type}, confidence {self.confidence:.2f}"
        return f"<CleanedPage {self.page.label}: {kept}{judged}>"

    @property
    def page(self) -> Page:
        page: Page = as_given(self, "labelled").page
        return page

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
        """What is wrong with the page, otherwise empty: `js-required` if scripts would fill it, `blocked` if the site
        kept it from us, `wrong-encoding` if no encoding that it declares fits, `garbled` if it is beyond repair,
        `plain-text` if it has no markup."""
        return self.labelled.problem

    @cached_property
    def metadata(self) -> Metadata:
        """Title, authors, dates and other metadata of the page; `metadata.sources` says where each was found."""
        # Computed on demand: most callers never need it, or the import.
        return metadata_of(as_given(self, "labelled"))

    @property
    def text(self) -> str:
        """The kept content as plain text: `render("text")`."""
        # Neither by `render`, which finds the format and its options first, nor by `cached_property`, which locks.
        own = vars(self)
        if "text" not in own:
            try:
                own["text"] = usual_writing().text(own["labelled"])
            except MemoryError as error:
                raise out_of_memory(self.page.label) from error
        text: str = own["text"]
        return text

    @cached_property
    def markdown(self) -> str:
        """The kept content as Markdown: `render("markdown")`."""
        return self.render("markdown")

    @cached_property
    def html(self) -> str:
        """The kept content as html with links and images: `render("html")`."""
        return self.render("html")

    @checked
    def chunks(self, max_words: int = 300, overlap: int = 0, options: OutputOptions | None = None) -> tuple[Chunk, ...]:
        """The Markdown in parts of bounded size, cut along headings and blocks.

        Arguments:
            max_words: most words of a chunk. Only a row of a table, a line of code or a formula that has more makes
                a longer one: they are never cut.
            overlap: most words that a chunk repeats from the one before it in the same section.
            options: what the Markdown shows; by default the same as `page.markdown`.

        Returns:
            The chunks in order. `chunk.text` is `markdown[chunk.start : chunk.end]`.

        Raises:
            InvalidSetting: `max_words` is less than 1, or `overlap` more than half of it.

        >>> html = "<title>Green tea</title><article><h1>Green tea</h1><p>" + "Steep the leaves for three minutes. " * 9
        >>> [(chunk.headings, chunk.words) for chunk in dehusk.clean(html).chunks(max_words=32)]
        [(('Green tea',), 32), (('Green tea',), 24)]
        """
        from dehusk.outputs.chunks import ChunkOptions, chunks_of  # here and below: most need only the text

        with enough_memory(self.page.label):
            return chunks_of(self.labelled, ChunkOptions(max_words, overlap, options))

    @checked
    def render(self, format_name: str = "text", options: Any = None) -> str:
        """The kept content in one of the `OUTPUTS`.

        Arguments:
            format_name: `text`, `markdown`, `html`, `xml`, `tei`, `jsonl`, `csv`, `chunks`, `json`, ...
            options: an instance of that format's options class; None for the defaults.

        Returns:
            The content; empty if there is none.

        Raises:
            UnknownName: there is no such format.

        >>> dehusk.clean("<p>" + "Steep <b>it</b>. " * 9).render("markdown", dehusk.OutputOptions(formatting=False))[:9]
        'Steep it.'
        """
        output = find_output(format_name)
        with enough_memory(self.page.label):
            return output.render(self._given_to(output), output.options_or_default(options))

    @checked
    def render_parts(self, format_name: str = "text", options: Any = None) -> Iterator[str]:
        """The output of `render` in parts, for writing large results without holding them in memory."""
        output = find_output(format_name)
        return self._parts(output, output.options_or_default(options))

    def _parts(self, output: Output, options: Any) -> Iterator[str]:
        with enough_memory(self.page.label):
            yield from output.parts(self._given_to(output), options)

    def _given_to(self, output: Output) -> Any:
        """What a format is written from."""
        return as_given(self, "labelled") if output.takes_cleaned else self.labelled

    @checked
    def to_dict(self, options: JsonOptions | None = None) -> dict[str, Any]:
        """The page as plain values, as in the json format: metadata, text, paths, and every block."""
        from dehusk.outputs.block_json import JsonOptions, page_as_dict

        with enough_memory(self.page.label):
            return page_as_dict(self.labelled, options or JsonOptions())

    @checked
    def to_record(self, options: RecordOptions | None = None) -> dict[str, object]:
        """The content and metadata, as in the jsonl and csv formats: the record that sinks write (`open_sink`)."""
        from dehusk.outputs.page_records import RecordOptions, record_of

        with enough_memory(self.page.label):
            return record_of(as_given(self, "labelled"), options or RecordOptions())

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


@checked_but("source")
def clean(  # noqa: PLR0913 - settings as parameters, as users of a library expect
    source: bytes | str | RawPage | Page,
    model: Model | None = None,
    *,
    url: str | None = "",
    limits: Limits = DEFAULT_LIMITS,
    favour: str = _BALANCED,
    comments: bool = False,
    rules: Collection[str] | None = None,
    keep: Collection[str] = (),
    drop: Collection[str] = (),
) -> CleanedPage:
    r"""Clean one page with a model, or with the default method and no site model.

    Arguments:
        source: the page: undecoded bytes, decoded text, a `RawPage` with its headers, or a `Page`, read already.
        model: a model of the page's site (`learn`, `load_model`), or of another method.
        url: the page's address, which makes links absolute; a `RawPage` brings its own.
        limits: bounds on what is read.
        favour: `precision`, `balanced` or `recall`: whether doubtful text is dropped or kept.
        comments: whether readers' comments are kept, too.
        rules: names of the rules that may override a score (see `dehusk.RULES`): all by default, none if empty. These
            three need a method that judges whole pages, such as the default one.
        keep: CSS selectors; text in elements that match one is kept, whatever its score.
        drop: CSS selectors; elements that match one are taken out before the page is judged.

    Returns:
        The cleaned page: `text`, `markdown`, `html`, `chunks()`, `metadata`, `page_type`, `confidence`, and its blocks.

    Raises:
        NotHtml: the bytes are in another format, such as a PDF.
        PageTooLarge: the page exceeds the limits.
        InvalidSetting: a setting is wrong, or the model does not support it.
        WrongType: the source is none of the above.

    >>> html = "<title>Green tea</title><nav><a href=/>Home</a></nav><article><h1>Green tea</h1><p>"
    >>> page = dehusk.clean(html + "Steep the leaves for three minutes. " * 9)
    >>> page.text[:46]
    'Green tea\n\nSteep the leaves for three minutes.'
    >>> [block.text for block in page if not block.kept]
    ['Green tea', 'Home']
    """
    decision = DEFAULT_DECISION
    if favour is not _BALANCED or comments or rules is not None or keep or drop:
        decision = Decision(favour, comments, tuple(RULES) if rules is None else rules, keep, drop)
    if model is None and decision is DEFAULT_DECISION and limits is DEFAULT_LIMITS:
        return _usual_cleaning().clean(source, url or "")
    return Cleaning(model or model_of_no_site(), decision, limits).clean(source, url or "")


@checked_but("html")
def extract(
    html: bytes | str | RawPage | Page, format: str = "markdown", url: str | None = None, **options: Any
) -> str:
    r"""The main content of one page in one call.

    Arguments:
        html: the page, as bytes or text.
        format: one of `OUTPUTS`: `markdown`, `text`, `html`, `jsonl`, ...
        url: its address, which makes relative links absolute.
        options: settings of `clean` (`favour`, `comments`, `keep`, `drop`, `model`, ...) and options of the format
            (`links`, `images`, `tables`, `formatting`, `footnotes`, `title`, `front_matter`, ...).

    Returns:
        The content; empty if the page has none. `clean` also tells the page's type, metadata and confidence.

    Raises:
        UnknownName: there is no such format.
        InvalidSetting: there is no such option, or its value is wrong.
        PageError: the page cannot be read; see `clean`.

    >>> html = "<title>Green tea</title><article><h1>Green tea</h1><p>" + "Steep the <b>leaves</b>. " * 9
    >>> extract(html)[:34]
    '# Green tea\n\nSteep the **leaves**.'
    >>> extract(html, "text", formatting=False, title=False)[:17]
    'Steep the leaves.'
    """
    known = find_output(format).options
    cleaning = {name: options.pop(name) for name in _CLEANING if name in options}
    given = options_with(known, options)
    return clean(html, url=url, **cleaning).render(format, given)


_CLEANING: Final = ("model", "limits", "favour", "comments", "rules", "keep", "drop")
"""Settings of `clean`, besides the address."""


@checked
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

    Arguments:
        sources: the pages, any number of them: only a few at a time are in memory. A `RawPage` brings its address.
        model: as in `clean`.
        threads: number of threads; None for one per processor.
        limits: as in `clean`.
        favour: as in `clean`.
        comments: as in `clean`.
        rules: as in `clean`.

    Returns:
        An iterator. A page that cannot be cleaned gives the `DehuskError` that `clean` would raise; the run goes on.

    Raises:
        InvalidSetting: a setting is wrong. It is raised at once, not when the first page is asked for.

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
    cleaning = Cleaning(model or model_of_no_site(), decision, limits)

    def clean_one(numbered: tuple[int, bytes | str | RawPage | Page]) -> CleanedPage | DehuskError:
        index, source = numbered
        cleaned = guarded(cleaning.clean, source, _UNNAMED)
        if isinstance(cleaned, DehuskError) and cleaned.subject == _UNNAMED:
            return cleaned.about(f"page at index {index}")
        return cleaned

    return run_in_order(clean_one, enumerate(sources), number)


@dataclass(frozen=True)
class Cleaning:
    """Cleans one page after the other with the same model."""

    model: Model
    decision: Decision
    limits: Limits

    @cached_property
    def _at_once(self) -> CleaningAtOnce | None:
        """Cleans a page with one call, if that is enough."""
        if can_clean_at_once(self.model, self.decision):
            return CleaningAtOnce(self.model, self.decision, self.limits)
        return None

    def clean(self, source: bytes | str | RawPage | Page, url: str = "") -> CleanedPage:
        if isinstance(source, Page):
            return self._clean_page(source)
        if not self._at_once:
            return self._clean_page(read_page(source, url, limits=self.limits))
        try:  # as `enough_memory`, without the name of the page, which few pages need
            html = given_html(source, url, self.limits)
            if html.is_plain_text:
                return self._clean_page(parsed(html, self.limits))
            found = self._at_once.clean(html)
            if isinstance(found, Page):
                return self._clean_page(with_stored_text(found, html, self.limits))
            return CleanedPage(found)
        except MemoryError as error:
            raise out_of_memory(label_of_source(source, url)) from error

    def _clean_page(self, page: Page) -> CleanedPage:
        with enough_memory(page.label):
            if self._at_once and not page.is_plain_text:
                return CleanedPage(self._at_once.clean_page(page))
            return self.clean_blocks(segment(prepared(page, self.decision)))

    def clean_blocks(self, blocks: Blocks) -> CleanedPage:
        """Clean a page that is read and segmented already."""
        with enough_memory(blocks.page.label):
            if self._at_once and not blocks.page.is_plain_text:
                return CleanedPage(self._at_once.clean_blocks(blocks))
            return CleanedPage(label_blocks(blocks, self.model, self.decision))


@cache
def _usual_cleaning() -> Cleaning:
    """How pages are cleaned unless anything is set."""
    return Cleaning(model_of_no_site(), DEFAULT_DECISION, DEFAULT_LIMITS)


def prepared(page: Page, decision: Decision) -> Page:
    """The page as it is judged: without the elements that `decision.drop` selects."""
    if not decision.drop:
        return page
    from dehusk.page.pruning import without_elements  # few need it

    return without_elements(page, tuple(decision.drop))


def clean_blocks(blocks: Blocks, model: Model, decision: Decision = DEFAULT_DECISION) -> CleanedPage:
    """Clean a page that is read and segmented already."""
    return Cleaning(model, decision, DEFAULT_LIMITS).clean_blocks(blocks)


@cache
def model_of_no_site(method: str = DEFAULT_METHOD) -> Model:
    """A method's model for pages of which nothing else is known."""
    if method != DEFAULT_METHOD:
        return find_method(method).fit()
    from dehusk.methods.page_network.page_evidence import PageEvidenceModel, UnknownSite

    return PageEvidenceModel(UnknownSite())
