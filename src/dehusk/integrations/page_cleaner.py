"""Page cleaning for all adapters, with settings checked before the first page."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from dehusk.cleaning import CleanedPage, clean
from dehusk.errors import InvalidSetting
from dehusk.learning import load_model
from dehusk.methods.base import Favour, Model
from dehusk.outputs.chunks import ChunkOptions, chunks_of
from dehusk.page.characters import encodable
from dehusk.page.page_columns import Page
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_opening import open_source

Source: TypeAlias = bytes | str | RawPage | Page
ModelOrFile: TypeAlias = Model | str | os.PathLike[str] | None
"""A model, a model file, or None for the default method without site training."""
_METADATA_FIELDS: Final = ("title", "authors", "published", "language", "description")
"""What documents of other libraries say of a page, if it is known."""


@dataclass(frozen=True)
class PageCleaner:
    """Settings as in `dehusk.clean` and `CleanedPage.render`. Can be pickled, for workers."""

    favour: str = Favour.BALANCED
    comments: bool = False
    format: str = "text"
    model: Model | None = None
    rules: Collection[str] | None = None

    def __post_init__(self) -> None:
        # Cleaning an empty page checks the settings, and loads the network now rather than later.
        self.render(self.clean(""))

    def clean(self, source: Source, url: str = "") -> CleanedPage:
        """Clean one page."""
        return clean(source, self.model, url=url, favour=self.favour, comments=self.comments, rules=self.rules)

    def render(self, page: CleanedPage) -> str:
        """The kept content in the chosen format."""
        return encodable(page.render(self.format))


class PageDocument(NamedTuple):
    """A page, or a chunk of one, as document loaders give it to their libraries."""

    text: str
    metadata: dict[str, Any]
    """Values that are flat, but for lists of authors."""
    id: str | None = None
    """That of a chunk."""


@dataclass(frozen=True)
class DocumentLoader:
    """Loads documents from anything `dehusk.open_source` opens: one for each page, or for each chunk."""

    cleaner: PageCleaner
    chunks: ChunkOptions | None = None

    def documents(self, paths: Iterable[str | os.PathLike[str]]) -> Iterator[PageDocument]:
        """Clean the pages one by one."""
        for path in paths:
            for raw in open_source(path):
                yield from self._of_page(self.cleaner.clean(raw))

    def _of_page(self, page: CleanedPage) -> Iterator[PageDocument]:
        known = page.metadata.to_dict()
        about: dict[str, Any] = {name: known[name] for name in _METADATA_FIELDS if known[name]}
        about |= {"source": page.page.url or page.page.name, "page_type": page.page_type, "confidence": page.confidence}
        if self.chunks is None:
            yield PageDocument(self.cleaner.render(page), about)
            return
        for chunk in chunks_of(page.labelled, self.chunks):
            place = {"order": chunk.order, "start": chunk.start, "end": chunk.end}
            told = {"headings": " > ".join(chunk.headings), "links": " ".join(chunk.links)}
            flat = {name: encodable(value) for name, value in told.items()}
            yield PageDocument(encodable(chunk.text), about | place | flat, chunk.id)


def document_loader(
    model: ModelOrFile, chunk_words: int | None, chunk_overlap: int, settings: Mapping[str, Any]
) -> DocumentLoader:
    """A loader of pages, or of chunks if `chunk_words` is given; further settings as in `PageCleaner`."""
    chunks = None if chunk_words is None else ChunkOptions(chunk_words, chunk_overlap)
    return DocumentLoader(PageCleaner(model=find_model(model), **settings), chunks)


def find_model(model: ModelOrFile) -> Model | None:
    """The model given, or loaded from the file given."""
    if isinstance(model, str | os.PathLike):
        return load_model(model)
    if model is not None and not hasattr(model, "score_blocks"):
        cause = f"{type(model).__name__} is not a model"
        raise InvalidSetting("model", cause, "pass the result of dehusk.learn, load_model or a method's fit")
    return model
