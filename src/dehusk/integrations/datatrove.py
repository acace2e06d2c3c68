"""dehusk as an extractor in datatrove pipelines.

    pipeline = [WarcReader("warcs/"), Dehusk(), JsonlWriter("texts/")]

Takes documents whose text is HTML, and yields their main content. Documents without content, and those that fail or
take too long, are left out and counted, as with datatrove's own extractors.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from dehusk.errors import MissingExtra, PageError
from dehusk.integrations.page_cleaner import ModelOrFile, PageCleaner, find_model
from dehusk.methods.base import Favour

try:
    from datatrove.pipeline.extractors.base import BaseExtractor
except ImportError as error:
    raise MissingExtra("datatrove", "needed for its extractor", "pip install 'dehusk[datatrove]'") from error

TIMEOUT: Final = 10.0
"""Seconds per page. Most take a few hundredths; where processes are spawned, the first page includes loading."""


class Dehusk(BaseExtractor):
    """Extracts the main content of documents. Settings as in `dehusk.clean`; `model` may be a model or its file."""

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
            return self.cleaner.render(self.cleaner.clean(text))
        except PageError as error:
            return error

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Any:
        """Run on documents. Loads everything first, so that it does not count for the timeout of the first one."""
        self.extract("")
        return super().run(data, rank, world_size)
