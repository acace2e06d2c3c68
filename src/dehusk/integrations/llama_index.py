"""Pages from files and folders as LlamaIndex documents."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from dehusk.errors import needed
from dehusk.integrations.page_cleaner import ModelOrFile, document_loader

with needed("llama-index-core", "for its reader", "llama-index"):
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.schema import Document


class DehuskReader(BaseReader):
    """Reads one document per page, or per chunk if `chunk_words` is given; other settings as in `PageCleaner`."""

    def __init__(
        self, *, model: ModelOrFile = None, chunk_words: int | None = None, chunk_overlap: int = 0, **settings: Any
    ) -> None:
        self.loader = document_loader(model, chunk_words, chunk_overlap, settings)

    def lazy_load_data(self, *paths: str | os.PathLike[str]) -> Iterator[Document]:
        """Clean the pages of these files and folders one by one."""
        for found in self.loader.documents(paths):
            identifier = {"id_": found.id} if found.id else {}
            yield Document(text=found.text, metadata=found.metadata, **identifier)
