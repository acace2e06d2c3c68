"""The LangChain loader."""

from __future__ import annotations

from pathlib import Path

import pytest
from late_imports import late_import
from small_pages import NOTICE, TEA_PAGES, tea_of

import dehusk

langchain = late_import("dehusk.integrations.langchain", "langchain_core")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    for number, page in enumerate(TEA_PAGES):
        (folder / f"{number}.html").write_text(page, "utf-8")
    return folder


def test_every_page_is_a_document(shop: Path) -> None:
    documents = langchain.DehuskLoader(shop).load()
    assert [document.page_content for document in documents] == [dehusk.clean(page).text for page in TEA_PAGES]
    first = dehusk.clean(TEA_PAGES[0])
    expected = {"source": str(shop / "0.html"), "page_type": first.page_type, "confidence": first.confidence}
    assert first.metadata.title is not None
    expected["title"] = first.metadata.title
    # Of what is known of a page, only what was found is there.
    told = {name: value for name, value in documents[0].metadata.items() if name != "language"}
    assert (documents[0].page_content, told) == (first.text, expected)


def test_several_paths_settings_and_a_model(shop: Path, tmp_path: Path) -> None:
    dehusk.learn(map(dehusk.read_page, TEA_PAGES)).save(tmp_path / "tea.dehusk")
    loader = langchain.DehuskLoader(
        shop / "3.html", str(shop / "1.html"), model=tmp_path / "tea.dehusk", format="markdown"
    )
    texts = [document.page_content for document in loader.lazy_load()]
    assert [tea_of(3) in texts[0], tea_of(1) in texts[1]] == [True, True]
    assert all(text.startswith("# Tea") and NOTICE not in text for text in texts)


def test_chunks_are_documents_with_their_place(shop: Path) -> None:
    page = dehusk.clean(next(iter(dehusk.open_source(shop / "0.html"))))
    documents = langchain.DehuskLoader(shop / "0.html", chunk_words=12, chunk_overlap=3).load()
    chunks = page.chunks(12, 3)
    assert len(chunks) > 1
    assert [(document.id, document.page_content) for document in documents] == [
        (chunk.id, chunk.text) for chunk in chunks
    ]
    told = documents[-1].metadata
    assert page.markdown[told["start"] : told["end"]] == documents[-1].page_content
    assert told["headings"] == " > ".join(chunks[-1].headings)
    assert told["source"] == str(shop / "0.html")
    assert all(isinstance(value, str | int | float) for value in told.values())


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    with pytest.raises(dehusk.InvalidSetting, match="favour"):
        langchain.DehuskLoader(tmp_path, favour="speed")
    with pytest.raises(dehusk.InvalidSetting, match="overlap"):
        langchain.DehuskLoader(tmp_path, chunk_words=10, chunk_overlap=9)
    with pytest.raises(dehusk.SourceNotFound, match="nowhere"):
        langchain.DehuskLoader(tmp_path / "nowhere").load()


def test_it_costs_less_than_40_lines() -> None:
    assert len(Path(langchain.__file__).read_text("utf-8").splitlines()) < 40
