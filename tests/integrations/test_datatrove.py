"""The datatrove extractor, in pipelines that really run."""

from __future__ import annotations

import gzip
import json
import pickle
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("datatrove")
pytest.importorskip("orjson")

from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter
from small_pages import NOTICE, TEA_PAGES, TOO_LARGE, tea_of

import dehusk
from dehusk.errors import PageError
from dehusk.integrations.datatrove import Dehusk, Extracted

# datatrove forks a process for its pages; Python 3.12 and later remark on it if whoever runs the tests has threads.
pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


def run_pipeline(folder: Path, texts: list[str], extractor: Dehusk) -> tuple[dict[int, str], dict[str, Any]]:
    """What comes out of a pipeline by the position of what went in, and the extractor's counts."""
    source = folder / "pages"
    source.mkdir()
    lines = [json.dumps({"text": text, "id": str(number)}) for number, text in enumerate(texts)]
    (source / "pages.jsonl").write_text("\n".join(lines), "utf-8")
    pipeline = [JsonlReader(str(source)), extractor, JsonlWriter(str(folder / "texts"))]
    stats = LocalPipelineExecutor(pipeline, tasks=1, logging_dir=str(folder / "logs")).run()
    with gzip.open(folder / "texts" / "00000.jsonl.gz", "rt", encoding="utf-8") as written:
        documents = [json.loads(line) for line in written]
    counts = next(step for step in json.loads(stats.to_json()) if "dehusk" in step["name"])["stats"]
    return {int(document["id"]): document["text"] for document in documents}, counts


def test_a_pipeline_cleans_pages(tmp_path: Path) -> None:
    cleaned, counts = run_pipeline(tmp_path, list(TEA_PAGES), Dehusk())
    assert cleaned == {number: dehusk.clean(page).text for number, page in enumerate(TEA_PAGES)}
    assert counts["extracted"] == counts["forwarded"] == len(TEA_PAGES)


def test_documents_carry_what_is_known_of_the_page(tmp_path: Path) -> None:
    extracted = Dehusk().extract(TEA_PAGES[0])
    page = dehusk.clean(TEA_PAGES[0])
    assert page.metadata.title is not None
    assert isinstance(extracted, Extracted)
    assert extracted.metadata["title"] == page.metadata.title
    documents = [
        Document(text=TEA_PAGES[0], id="0", metadata={"url": "a", "type": "mine"}),
        Document(text=TEA_PAGES[1], id="1"),
    ]
    first, second = Dehusk().run(iter(documents))
    assert type(first.text) is str
    assert first.metadata["url"] == "a"
    assert first.metadata["type"] == "mine"
    assert second.metadata["type"] == dehusk.clean(TEA_PAGES[1]).page_type
    assert 0 <= second.metadata["confidence"] <= 1
    assert {"title", "type", "confidence"} <= set(second.metadata)


def test_what_fails_or_is_empty_is_left_out_and_the_rest_goes_on(tmp_path: Path) -> None:
    cleaned, counts = run_pipeline(tmp_path, [TEA_PAGES[0], TOO_LARGE, "<p></p>", TEA_PAGES[1]], Dehusk())
    assert sorted(cleaned) == [0, 3]
    assert (counts["total"], counts["clean_error"], counts["dropped"], counts["forwarded"]) == (4, 1, 1, 2)
    # A process that dies of an error would cost the time of the slowest page.
    assert "broken_process" not in counts


class Hanging(Dehusk):
    """Never ends with one of the pages, whatever the machine."""

    def extract(self, text: str) -> str | PageError:
        if text == "never ends":
            time.sleep(600)
        return super().extract(text)


def test_what_takes_too_long_is_left_out(tmp_path: Path) -> None:
    cleaned, counts = run_pipeline(tmp_path, ["never ends", TEA_PAGES[1]], Hanging(timeout=2))
    assert sorted(cleaned) == [1]
    assert counts["timeout"] == 1


def test_halves_of_characters_do_not_stop_writers() -> None:
    text = Dehusk().extract(TEA_PAGES[1].replace("Oolong", "Oo\ud800long"))
    assert "Oo\ufffdlong rests" in str(text)


def test_settings_and_models_reach_the_page(tmp_path: Path) -> None:
    site = dehusk.learn(map(dehusk.read_page, TEA_PAGES))
    site.save(tmp_path / "tea.dehusk")
    extractor = Dehusk(favour="precision", comments=True, format="markdown", model=str(tmp_path / "tea.dehusk"))
    cleaned, _ = run_pipeline(tmp_path, [TEA_PAGES[2]], extractor)
    assert cleaned[0] == dehusk.clean(TEA_PAGES[2], site, favour="precision", comments=True).render("markdown")
    assert tea_of(2) in cleaned[0]
    assert NOTICE not in cleaned[0]


@pytest.mark.parametrize("method", [dehusk.Hybrid, dehusk.StyleTree, dehusk.PageletTemplates, dehusk.StructureWeights])
def test_extractors_survive_pickling(method: Any) -> None:
    extractor = Dehusk(model=method().fit(map(dehusk.read_page, TEA_PAGES)))
    text = extractor.extract(TEA_PAGES[0])
    assert tea_of(0) in text
    assert pickle.loads(pickle.dumps(extractor)).extract(TEA_PAGES[0]) == text


def test_wrong_settings_are_refused_before_the_pipeline_starts() -> None:
    with pytest.raises(dehusk.InvalidSetting, match="favour"):
        Dehusk(favour="speed")
    with pytest.raises(dehusk.UnknownName, match="pdf"):
        Dehusk(format="pdf")
    with pytest.raises(dehusk.ModelError, match="no-such-file"):
        Dehusk(model="no-such-file")
