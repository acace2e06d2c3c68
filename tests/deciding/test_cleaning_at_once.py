"""A page cleaned in one call gives what reading, segmenting, judging and deciding give one after the other."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dehusk
from dehusk import CleanedPage, OutputOptions, Page, RawPage, RecordOptions
from dehusk.cleaning import clean_blocks, model_of_no_site
from dehusk.deciding.cleaning_at_once import CleanedAtOnce
from dehusk.deciding.decisions import DEFAULT_DECISION, Decision, label_blocks
from dehusk.methods.base import Model
from dehusk.native.calls import as_given

GOLDEN = sorted(Path(__file__).parents[1].glob("golden/*/source.html"))
STORED = '<script type="application/ld+json">{"@type":"Article","articleBody":"%s"}</script><p>Tea'
OTHERS = {
    "nothing": b"",
    "one word": b"Tea",
    "text that only a script stores": (STORED % ("Steep the leaves for three minutes. " * 20)).encode(),
    "bytes that mean nothing": b"<meta charset=utf-8><p>" + b"Steep \xff the leaves for three minutes. " * 20,
    "no html element": b"<!-- nothing else -->",
}


def step_by_step(page: Page, model: Model | None = None, decision: Decision = DEFAULT_DECISION) -> CleanedPage:
    """The same page, not cleaned at once."""
    return CleanedPage(label_blocks(dehusk.segment(page), model or model_of_no_site(), decision))


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
    decision = Decision(favour, comments=favour == "recall")
    expected = facts(step_by_step(dehusk.read_page(raw), decision=decision))
    assert facts(dehusk.clean(raw, favour=favour, comments=decision.comments)) == expected
    assert facts(dehusk.clean(dehusk.read_page(raw), favour=favour, comments=decision.comments)) == expected


@pytest.mark.parametrize("body", OTHERS.values(), ids=OTHERS)
def test_other_pages(body: bytes) -> None:
    expected = facts(step_by_step(dehusk.read_page(body)))
    assert facts(dehusk.clean(body)) == facts(dehusk.clean(dehusk.read_page(body))) == expected


def test_stored_text_is_read() -> None:
    assert "three minutes" in dehusk.clean(OTHERS["text that only a script stores"]).text


@pytest.mark.parametrize("favour", ["balanced", "recall"])
def test_pages_of_a_site_that_was_learnt(sample_site: Path, favour: str) -> None:
    raws = [
        RawPage(path.read_bytes(), f"https://example.com/{path.name}") for path in sorted(sample_site.rglob("*.html"))
    ]
    site, decision = dehusk.learn(map(dehusk.read_page, raws[:12])), Decision(favour)
    pages_changed = 0
    for raw in raws:
        blocks = dehusk.segment(dehusk.read_page(raw))
        expected = facts(step_by_step(blocks.page, site, decision))
        assert facts(dehusk.clean(raw, site, favour=favour)) == expected
        assert facts(clean_blocks(blocks, site, decision)) == expected
        site.trained.site_readings(blocks)  # as learning does: what is known is not found out again
        assert facts(clean_blocks(blocks, site, decision)) == expected
        pages_changed += facts(dehusk.clean(raw, favour=favour))["scores"] != expected["scores"]
    assert pages_changed


def test_a_site_that_is_not_trusted_does_not_count() -> None:
    raw = GOLDEN[0].read_bytes()
    copies = dehusk.Hybrid().fit([dehusk.read_page(raw)] * 3)
    assert copies.report.distrust
    assert facts(dehusk.clean(raw, copies)) == facts(dehusk.clean(raw))


def test_settings_of_the_model_count() -> None:
    raw = GOLDEN[0].read_bytes()
    for model in (dehusk.PageEvidence(threshold=0.9).fit(), dehusk.Hybrid().fit()):
        at_once = dehusk.clean(raw, model, rules=["section-headings"])
        decision = Decision(rules=["section-headings"])
        assert facts(at_once) == facts(step_by_step(dehusk.read_page(raw), model, decision))
        assert at_once.labelled.model is model


@pytest.mark.parametrize("name", ["text", "markdown"])
@pytest.mark.parametrize("options", [{}, {"title": False}, {"links": True, "images": True}, {"comments": False}])
def test_text_needs_no_blocks_in_python(name: str, options: dict[str, bool]) -> None:
    raw = RawPage(GOLDEN[0].read_bytes(), url="https://example.com/tea")
    given = OutputOptions(**options)
    page = dehusk.clean(raw)
    written = page.render(name, given)
    assert isinstance(as_given(page, "labelled"), CleanedAtOnce)
    assert written == "".join(page.render_parts(name, given)) == step_by_step(page.page).render(name, given)


@pytest.mark.parametrize("content", ["text", "markdown", "html"])
@pytest.mark.parametrize("body", [*OTHERS.values(), GOLDEN[0].read_bytes()], ids=[*OTHERS, "golden"])
def test_records_need_no_blocks_in_python(body: bytes, content: str) -> None:
    raw, options = RawPage(body, url="https://example.com/tea"), RecordOptions(content)
    page = dehusk.clean(raw)
    cleaned = as_given(page, "labelled")
    assert page.to_record(options) == step_by_step(page.page).to_record(options)
    assert as_given(page, "labelled") is cleaned
    assert cleaned.verdict == page.labelled.verdict


@pytest.mark.parametrize("again", [copy.deepcopy, lambda page: pickle.loads(pickle.dumps(page))])
def test_copies_are_the_same(again: Callable[[CleanedPage], CleanedPage]) -> None:
    page = dehusk.clean(GOLDEN[0].read_bytes())
    assert facts(again(page)) == facts(page)


def test_labelled_blocks_are_made_once() -> None:
    page = dehusk.clean(GOLDEN[0].read_bytes())
    assert page.labelled is page.labelled


def test_errors_name_the_page() -> None:
    with pytest.raises(dehusk.PageTooLarge, match=r"here\.html"):
        dehusk.clean(RawPage(b"<p>" * 9, name="here.html"), limits=dehusk.Limits(tags=3))
