"""dehusk as an extractor in datatrove pipelines.

    pipeline = [WarcReader("warcs/"), Dehusk(), JsonlWriter("texts/")]

Takes documents whose text is HTML, and yields their main content; their metadata gets title, type, confidence and
language. Documents without content, and those that fail or take too long, are left out and counted, as with datatrove's
own extractors.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from dehusk.cleaning import CleanedPage
from dehusk.errors import PageError, needed
from dehusk.integrations.page_cleaner import ModelOrFile, PageCleaner, find_model
from dehusk.methods.base import Favour
from dehusk.page.characters import encodable

with needed("datatrove", "for its extractor", "datatrove"):
    from datatrove.pipeline.extractors.base import BaseExtractor

TIMEOUT: Final = 10.0
"""Seconds per page. Most take a few hundredths; where processes are spawned, the first page includes loading."""


class Extracted(str):
    """The text of a page that knows what is known of the page; it comes out of datatrove's process as one value."""

    metadata: dict[str, Any]

    @classmethod
    def of(cls, text: str, metadata: dict[str, Any]) -> Extracted:
        """The text with its metadata."""
        extracted = cls(text)
        extracted.metadata = metadata
        return extracted


class Dehusk(BaseExtractor):
    """Extracts the main content of documents. Settings as in `dehusk.clean`; `model` may be a model or its file.

    Documents get the metadata `title`, `type`, `confidence`, `language` and `problem`, as far as they are known; what
    they have already stays.
    """

    name = "🌾 dehusk"

    def __init__(
        self,
        favour: str = Favour.BALANCED,
        comments: bool = False,
        format: str = "text",
        model: ModelOrFile = None,
        timeout: float = TIMEOUT,
        rules: Collection[str] | None = None,
    ) -> None:
        super().__init__(timeout)
        self.cleaner = PageCleaner(favour, comments, format, find_model(model), rules)

    def extract(self, text: str) -> str | PageError:
        """The main content of an HTML page, or an error.

        Errors are returned, not raised: datatrove calls this in a separate process and raises what it returns in the
        pipeline, which counts the page as failed. Raising here would end that process, and datatrove would wait for
        the timeout.
        """
        try:
            page = self.cleaner.clean(text)
            return Extracted.of(self.cleaner.render(page), _metadata(page))
        except PageError as error:
            return error

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Any:
        """Run on documents. Loads everything first, so that it does not count for the timeout of the first one."""
        self.extract("")
        for document in super().run(data, rank, world_size):
            if isinstance(document.text, Extracted):
                document.metadata = document.text.metadata | document.metadata
                document.text = str(document.text)
            yield document


def _metadata(page: CleanedPage) -> dict[str, Any]:
    known = page.metadata.to_dict()
    found = {
        "title": known["title"],
        "type": page.page_type,
        "confidence": None if page.confidence is None else round(page.confidence, 4),
        "language": known["language"],
        "problem": page.problem,
    }
    return {name: encodable(value) if isinstance(value, str) else value for name, value in found.items() if value}
