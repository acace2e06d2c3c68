"""Pages from files and folders as LangChain documents."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from dehusk.errors import needed
from dehusk.integrations.page_cleaner import ModelOrFile, document_loader

with needed("langchain-core", "for its loader", "langchain"):
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import Document


class DehuskLoader(BaseLoader):
    """Loads one document per page, or per chunk if `chunk_words` is given; other settings as in `PageCleaner`."""

    def __init__(
        self,
        *paths: str | os.PathLike[str],
        model: ModelOrFile = None,
        chunk_words: int | None = None,
        chunk_overlap: int = 0,
        **settings: Any,
    ) -> None:
        self.paths = paths
        self.loader = document_loader(model, chunk_words, chunk_overlap, settings)

    def lazy_load(self) -> Iterator[Document]:
        """Clean the pages one by one."""
        for found in self.loader.documents(self.paths):
            yield Document(page_content=found.text, metadata=found.metadata, id=found.id)
