"""Pages from files and folders as LangChain documents."""

from __future__ import annotations

import os
from collections.abc import Iterator

from dehusk.errors import MissingExtra
from dehusk.integrations.page_cleaner import ModelOrFile, PageCleaner, find_model
from dehusk.sources.source_opening import open_source

try:
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import Document
except ImportError as error:
    raise MissingExtra("langchain-core", "needed for its loader", "pip install 'dehusk[langchain]'") from error

_METADATA_FIELDS = ("title", "authors", "published", "language", "description")


class DehuskLoader(BaseLoader):
    """Loads one document per page from anything `dehusk.open_source` opens; settings as in `PageCleaner`."""

    def __init__(self, *paths: str | os.PathLike[str], model: ModelOrFile = None, **settings: object) -> None:
        self.paths = paths
        self.cleaner = PageCleaner(model=find_model(model), **settings)  # type: ignore[arg-type]

    def lazy_load(self) -> Iterator[Document]:
        """Clean the pages one by one."""
        for path in self.paths:
            for raw in open_source(path):
                page = self.cleaner.clean(raw)
                known = page.metadata.to_dict()
                found = {name: known[name] for name in _METADATA_FIELDS if known[name]}
                found |= {"source": raw.url or raw.name, "page_type": page.page_type, "confidence": page.confidence}
                yield Document(page_content=self.cleaner.render(page), metadata=found)
