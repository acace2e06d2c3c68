"""CleanEval's scores by hand, their laws, and the command that shows them."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import dehusk
from dehusk.cli import app
from dehusk.errors import GoldError, InvalidSetting, MissingExtra, UnknownName
from dehusk.lab.evaluation import cleaneval_score
from dehusk.lab.evaluation.cleaneval_evaluation import (
    check_cleaners,
    marked_pages,
    page_cleaners,
    plain_segments,
    score_pages,
)
from dehusk.lab.evaluation.cleaneval_score import CleanEvalScore, score_segments
from dehusk.lab.gold.corpora import Corpus
from dehusk.lab.gold.gold_alignment import Segment, read_marked
from dehusk.methods.sequence_labels.text_runs import RunLabel

TEXT = "<h>one two <p>three four five six <l>seven eight"
"""Eight words in three segments."""


def score(cleaned: str, gold: str) -> tuple[float, float]:
    found = score_segments(read_marked(cleaned), read_marked(gold))
    assert found.total == pytest.approx((found.text_only + found.markup_only) / 2)
    return found.text_only, found.markup_only


@pytest.mark.parametrize(
    ("what", "cleaned", "text_only", "markup_only"),
    [
        ("perfect", TEXT, 1, 1),
        ("case, punctuation and layout", "<H>One, two!\n\n<p>three four\n five six <p> <l>* seven eight", 1, 1),
        ("empty", "", 0, 0),
        ("only punctuation", "<p>...", 0, 0),
        ("other words", "<h>a b <p>c d e f <l>g h", 0, 0),
        ("a word inside is missing", "<h>one two <p>three five six <l>seven eight", 7 / 8, 1),
        ("a first word is missing", "<h>one two <p>four five six <l>seven eight", 7 / 8, 5 / 6),
        ("a word is replaced", "<h>one two <p>three four 5 six <l>seven eight", 7 / 8, 1),
        ("a shifted boundary: an end and a start", "<h>one two three <p>four five six <l>seven eight", 1, 4 / 6),
        ("a wrong label: an end and a start", "<p>one two <p>three four five six <l>seven eight", 1, 4 / 6),
        ("a segment too many: 6 shared by 3 + 4", TEXT + " <p>nine ten", 8 / 10, 6 / 7),
        ("cut in two: its start and end stay", "<h>one two <p>three four <p>five six <l>seven eight", 1, 6 / 7),
        ("one segment: the start of h stays", "<h>one two three four five six seven eight", 1, 1 / 4),
        ("a segment is missing", "<h>one two <l>seven eight", 4 / 8, 4 / 5),
    ],
)  # fmt: skip
def test_by_hand(what: str, cleaned: str, text_only: float, markup_only: float) -> None:
    assert score(cleaned, TEXT) == pytest.approx((text_only, markup_only)), what
    assert score(TEXT, cleaned) == pytest.approx((text_only, markup_only)), f"turned round: {what}"


def test_two_empty_texts_are_alike() -> None:
    assert score("", "") == score("<p>", "URL: http://tea.example") == (1, 1)


def test_chinese_is_scored_by_letters() -> None:
    assert score("<p>中文茶", "<p>中国茶") == pytest.approx((2 / 3, 1))


segments = st.lists(
    st.builds(
        Segment,
        st.sampled_from([RunLabel.HEADER, RunLabel.PARAGRAPH, RunLabel.LIST]),
        st.lists(st.sampled_from(["a", "b", "c", "tea", "茶", "…", "\ud800"])).map(" ".join),
    )
)


@given(segments)
def test_a_text_is_like_itself(text: list[Segment]) -> None:
    assert score_segments(text, text) == CleanEvalScore(1, 1)


@given(segments, segments)
def test_scores_are_shares_and_text_only_is_symmetric(first: list[Segment], second: list[Segment]) -> None:
    found, turned = score_segments(first, second), score_segments(second, first)
    for value in (found.text_only, found.markup_only, found.total):
        assert 0 <= value <= 1
    assert found.text_only == turned.text_only


@given(segments, segments)
def test_the_bound_for_long_texts_is_never_better_than_the_distance(
    first: list[Segment], second: list[Segment]
) -> None:
    exact = score_segments(first, second)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cleaneval_score, "MOST_CELLS", 0)
        bound = score_segments(first, second)
        assert score_segments(first, first).text_only == 1
    assert 0 <= bound.text_only <= exact.text_only
    assert bound.markup_only == exact.markup_only


def test_long_texts_are_scored() -> None:
    """By way of a bound: in full, this would take minutes. How it grows: benchmarks/growth.py."""
    chance = random.Random(0)
    texts = [[Segment(RunLabel.PARAGRAPH, " ".join(chance.choices("abcde", k=10))) for _ in range(5000)] for _ in "12"]
    assert 0 < score_segments(*texts).text_only < 1


def test_plain_text_is_a_paragraph_a_line() -> None:
    assert plain_segments(" one\n\n\ttwo three \n") == (
        Segment(RunLabel.PARAGRAPH, "one"),
        Segment(RunLabel.PARAGRAPH, "two three"),
    )


PARAGRAPH = "Steep the leaves for three minutes and no longer than that. " * 4
HTML = (
    f"<nav><a href=/>Home page</a></nav><main><h1>Green tea</h1><p>{PARAGRAPH}</p><ul><li>leaves<li>water</ul></main>"
)
MARKED = f"URL: http://tea.example\n\n<h>Green tea\n<p>{PARAGRAPH}\n<l>leaves\n<l>water"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    page = {"url": "http://tea.example", "lang": "en", "html": HTML.encode(), "gold": PARAGRAPH}
    rows = [
        page | {"id": "a", "gold_marked": MARKED},
        page | {"id": "unmarked", "gold_marked": ""},
        page | {"id": "null", "gold_marked": None},
        page | {"id": "b", "gold_marked": MARKED},
        page | {"id": "empty", "html": b"", "gold_marked": MARKED},
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "tea.parquet")
    return tmp_path / "tea.parquet"


def test_pages_without_marks_are_left_out(corpus: Path) -> None:
    assert [page.identifier for page in marked_pages(Corpus(str(corpus)))] == ["a", "b", "empty"]
    assert [page.identifier for page in marked_pages(Corpus(str(corpus)), limit=2)] == ["a"], "spread over all five"


@pytest.mark.parametrize("columns", [{"gold_marked": [""]}, {}])
def test_a_file_without_marks_is_refused(tmp_path: Path, columns: dict[str, list[str]]) -> None:
    pq.write_table(pa.table({"html": [b""], "gold": [""], **columns}), tmp_path / "plain.parquet")
    with pytest.raises(GoldError, match="gold_marked"):
        marked_pages(Corpus(str(tmp_path / "plain.parquet")))


@pytest.mark.parametrize("jobs", [1, 2])
def test_cleaners_are_scored_on_each_page(corpus: Path, jobs: int) -> None:
    pages = marked_pages(Corpus(str(corpus)))
    whole, again, empty = score_pages(pages, ("none", "turbohtml"), jobs)
    assert whole["none"].score.text_only == pytest.approx(48 / 50), "two words of the menu are too many"
    assert whole["none"].score.markup_only == pytest.approx(8 / 9)
    assert whole["none"].score == again["none"].score
    assert (empty["none"].score, empty["none"].empty) == (CleanEvalScore(0, 0), True)
    assert 0 < whole["turbohtml"].score.markup_only < 1, "its lines are all taken for paragraphs"


def test_a_page_that_fails_counts_as_empty(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise dehusk.PageTooLarge("tea", "too large")

    monkeypatch.setattr("dehusk.lab.evaluation.cleaneval_evaluation.read_page", fail)
    (result, *_) = score_pages(marked_pages(Corpus(str(corpus))), ("none",), 1)
    assert (result["none"].failure, result["none"].empty) == ("tea: too large", True)


def test_cleaners_take_one_page_at_a_time() -> None:
    assert page_cleaners() == ("none", "page-evidence", "satisfiable-subtree", "sequence-labels")
    assert check_cleaners(["none", "turbohtml", "none"]) == ("none", "turbohtml")
    with pytest.raises(InvalidSetting, match="learns from sites"):
        check_cleaners(["style-tree"])
    with pytest.raises(UnknownName, match="choose from none, page-evidence, satisfiable-subtree"):
        check_cleaners(["magic"])


def test_the_command_prints_scores_and_writes_json(corpus: Path, tmp_path: Path) -> None:
    target = tmp_path / "scores.json"
    methods = ["-m", "none", "-m", "satisfiable-subtree"]
    result = CliRunner().invoke(app, ["evaluate", "cleaneval", str(corpus), "--json", str(target), *methods])
    assert result.exit_code == 0, result.output
    assert "satisfiable-subtree" in result.output
    none, ours = json.loads(target.read_text())["tea"]
    assert (none["cleaner"], none["pages"], none["empty"], none["failures"]) == ("none", 3, 1, 0)
    assert none["total"] == pytest.approx((48 / 50 + 8 / 9) / 2 * 2 / 3)
    assert (ours["text_only"], ours["markup_only"]) == pytest.approx((2 / 3, 2 / 3)), "two pages right, one empty"


def test_the_command_refuses_what_makes_no_sense(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments in (["absent.parquet"], [str(corpus), "-m", "magic"], [str(corpus), "-m", "style-tree"]):
        assert CliRunner().invoke(app, ["evaluate", "cleaneval", *arguments]).exit_code == 2
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    result = CliRunner().invoke(app, ["evaluate", "cleaneval", str(corpus)])
    assert result.exit_code == 2
    assert "pip install 'dehusk[crf]'" in result.output
    with pytest.raises(MissingExtra):
        score("<p>tea", "<p>tea")
