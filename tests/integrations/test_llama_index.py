"""The LlamaIndex reader."""

from __future__ import annotations

from pathlib import Path

import pytest
from late_imports import late_import
from small_pages import TEA_PAGES

import dehusk

llama_index = late_import("dehusk.integrations.llama_index", "llama_index")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    for number, page in enumerate(TEA_PAGES[:2]):
        (tmp_path / f"{number}.html").write_text(page, "utf-8")
    return tmp_path


def test_every_page_is_a_document(shop: Path) -> None:
    documents = llama_index.DehuskReader(format="markdown").load_data(shop / "1.html", str(shop / "0.html"))
    assert [document.text for document in documents] == [dehusk.clean(TEA_PAGES[number]).markdown for number in (1, 0)]
    assert documents[1].metadata["source"] == str(shop / "0.html")
    assert documents[0].id_ != documents[1].id_


def test_chunks_are_documents_with_their_ids(shop: Path) -> None:
    chunks = dehusk.clean(next(iter(dehusk.open_source(shop / "0.html")))).chunks(12)
    documents = list(llama_index.DehuskReader(chunk_words=12).lazy_load_data(shop / "0.html"))
    assert [(document.id_, document.text) for document in documents] == [(chunk.id, chunk.text) for chunk in chunks]
    assert [document.metadata["order"] for document in documents] == list(range(len(chunks)))


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    with pytest.raises(dehusk.InvalidSetting, match="favour"):
        llama_index.DehuskReader(favour="speed")
    with pytest.raises(dehusk.SourceNotFound, match="nowhere"):
        llama_index.DehuskReader().load_data(tmp_path / "nowhere")
