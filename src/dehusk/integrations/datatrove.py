"""dehusk as an extractor of datatrove pipelines.

    pipeline = [WarcReader("warcs/"), Dehusk(), JsonlWriter("texts/")]

Documents whose text is html go in; their content comes out. Those without content, and those that fail or take too
long, are left out and counted, as with datatrove's own extractors.
"""

from __future__ import annotations

from typing import Any, Final

from dehusk.errors import MissingExtra, PageError
from dehusk.integrations.page_cleaner import ModelOrFile, PageCleaner, find_model
from dehusk.methods.base import Favour

try:
    from datatrove.pipeline.extractors.base import BaseExtractor
except ImportError as error:
    raise MissingExtra("datatrove", "needed for its extractor", "pip install 'dehusk[datatrove]'") from error

TIMEOUT: Final = 10.0
"""Seconds a page. Most take some hundredths; where processes are spawned, the time of the first includes loading."""


class Dehusk(BaseExtractor):
    """Keeps the content of each document. Settings as of `dehusk.clean`; `model` may be the file of one."""

    name = "🌾 dehusk"

    def __init__(
        self,
        favour: str = Favour.BALANCED,
        comments: bool = False,
        format: str = "text",
        model: ModelOrFile = None,
        timeout: float = TIMEOUT,
    ) -> None:
        super().__init__(timeout)
        self.cleaner = PageCleaner(favour, comments, format, find_model(model))

    def extract(self, text: str) -> str | PageError:
        """The content of an html page, or the error that there is instead.

        Errors are handed back, not raised: datatrove calls this in a process of its own, and raises in the pipeline
        what it gets back, which counts the page as failed. Raised here, they would end that process, and datatrove
        would wait for it until the time of the page is up.
        """
        try:
            return self.cleaner.render(self.cleaner.clean(text))
        except PageError as error:
            return error

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Any:
        """The documents with their content. What cleaning needs is loaded before the clock of the first one runs."""
        self.extract("")
        return super().run(data, rank, world_size)
