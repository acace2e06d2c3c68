"""A page cleaned in one call gives what reading, segmenting, judging and deciding give one after the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import dehusk
from dehusk import CleanedPage, RawPage

GOLDEN = sorted(Path(__file__).parents[1].glob("golden/*/source.html"))
STORED = '<script type="application/ld+json">{"@type":"Article","articleBody":"%s"}</script><p>Tea'
OTHERS = {
    "nothing": b"",
    "one word": b"Tea",
    "text that only a script stores": (STORED % ("Steep the leaves for three minutes. " * 20)).encode(),
    "bytes that mean nothing": b"<meta charset=utf-8><p>" + b"Steep \xff the leaves for three minutes. " * 20,
    "no html element": b"<!-- nothing else -->",
}


def facts(page: CleanedPage) -> dict[str, Any]:
    """Everything that cleaning finds."""
    labelled = page.labelled
    return {
        "text": page.text,
        "markdown": page.markdown,
        "kept": labelled.kept,
        "scores": labelled.scores.tolist(),
        "comments": labelled.comments.tolist(),
        "moved": {name: verdicts.tolist() for name, verdicts in labelled.moved.items()},
        "threshold": labelled.threshold,
        "type": page.page_type,
        "confidence": page.confidence,
        "problem": page.problem,
        "damage": page.page.damage,
        "encoding": (page.page.encoding, page.page.encoding_reason),
    }


@pytest.mark.parametrize("path", GOLDEN, ids=[path.parent.name for path in GOLDEN])
@pytest.mark.parametrize("favour", ["balanced", "recall"])
def test_golden_pages(path: Path, favour: str) -> None:
    raw = RawPage(path.read_bytes(), url="https://example.com/tea")
    at_once = dehusk.clean(raw, favour=favour, comments=favour == "recall")
    assert facts(at_once) == facts(dehusk.clean(dehusk.read_page(raw), favour=favour, comments=favour == "recall"))


@pytest.mark.parametrize("body", OTHERS.values(), ids=OTHERS)
def test_other_pages(body: bytes) -> None:
    assert facts(dehusk.clean(body)) == facts(dehusk.clean(dehusk.read_page(body)))


def test_stored_text_is_read() -> None:
    assert "three minutes" in dehusk.clean(OTHERS["text that only a script stores"]).text


def test_settings_of_the_model_count() -> None:
    raw = GOLDEN[0].read_bytes()
    for model in (dehusk.PageEvidence(threshold=0.9).fit(), dehusk.Hybrid().fit()):
        at_once = dehusk.clean(raw, model, rules=["section-headings"])
        assert facts(at_once) == facts(dehusk.clean(dehusk.read_page(raw), model, rules=["section-headings"]))
        assert at_once.labelled.model is model


def test_errors_name_the_page() -> None:
    with pytest.raises(dehusk.PageTooLarge, match=r"here\.html"):
        dehusk.clean(RawPage(b"<p>" * 9, name="here.html"), limits=dehusk.Limits(tags=3))
