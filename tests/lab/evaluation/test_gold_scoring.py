"""Scoring against gold: words, levels, corpora, floors, and the command that shows them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from thoroughness import THOROUGH
from typer.testing import CliRunner

import dehusk
from dehusk.cli import app
from dehusk.lab.evaluation.floors import (
    Floor,
    check_floor,
    find_floor,
    floors_to_json,
    load_floors,
    raise_floors,
    reached_floors,
)
from dehusk.lab.evaluation.gold_scoring import CorpusScore, macro_mean, score_page, site_folds, summarise
from dehusk.lab.evaluation.text_scores import Level, count_words, level_of, score_words
from dehusk.lab.evaluation.tool_comparison import Plan, gather, run_plan
from dehusk.lab.gold.corpora import Corpus, GoldPage, open_corpora, take
from dehusk.methods import DEFAULT_METHOD
from dehusk.sources.raw_page import RawPage

PARAGRAPH = "Steep the leaves for three minutes and no longer than that. " * 3


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    html = f"<nav><a href=/>Home page</a></nav><div><p>{PARAGRAPH}</p></div>".encode()
    rows = [{"id": f"p{n}", "site": "a.example", "url": "", "html": html, "gold": PARAGRAPH} for n in range(4)]
    rows.append({"id": "empty", "site": "a.example", "url": "", "html": b"", "gold": "lost words"})
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "tea.parquet")
    return tmp_path / "tea.parquet"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The cat, the CAT!", {"the": 2, "cat": 2}),
        ("中文 abc。中", {"中": 2, "文": 1, "abc": 1}),
        ("ภาษา", {"ภ": 1, "า": 2, "ษ": 1}),
        ("日本のテレビ", {"日": 1, "本": 1, "の": 1, "テ": 1, "レ": 1, "ビ": 1}),
        ("naïve 한국어 12,5", {"naïve": 1, "한국어": 1, "12": 1, "5": 1}),
        ("…", {}),
    ],
)
def test_words(text: str, words: dict[str, int]) -> None:
    assert count_words(text) == words


def test_scores_by_hand() -> None:
    score = score_words(Counter("aabc"), Counter("aabbd"))
    assert score.precision == pytest.approx(3 / 4)
    assert score.recall == pytest.approx(3 / 5)
    assert score.f1 == pytest.approx(2 / 3)
    assert score_words(Counter(), Counter()).f1 == 1
    assert score_words(Counter("a"), Counter()).f1 == 0
    assert score_words(Counter("a"), Counter("b")).f1 == 0


@pytest.mark.parametrize(
    ("kept", "level"),
    [
        (Counter(content=100), Level.A),
        (Counter(content=100, noise=4), Level.A),
        (Counter(content=96, noise=4), Level.A),
        (Counter(content=100, noise=40), Level.B),
        (Counter(content=100, noise=60), Level.C),
        (Counter(content=90), Level.C),
    ],
)
def test_levels(kept: Counter[str], level: Level) -> None:
    gold, page = Counter(content=100), Counter(content=100, noise=100)
    assert level_of(kept, gold, page) is level


def test_a_page_that_fails_scores_nothing_and_is_counted() -> None:
    def fail(raw: RawPage) -> str:
        raise dehusk.PageTooLarge(raw.label, "too large")

    page = GoldPage("x", "", "", "", RawPage(b"", name="tea:x"), "some gold")
    score = score_page(fail, page)
    assert (score.words.f1, score.failure) == (0, "tea:x: too large")
    assert summarise("tea", [score]).failures == 1


def test_every_page_is_scored_once_and_never_learnt_from() -> None:
    pages = [GoldPage(f"{site}{n}", site, "", "", RawPage(b""), "") for site in "ab" for n in range(3)]
    pages.append(GoldPage("c0", "c", "", "", RawPage(b""), ""))
    folds = list(site_folds(pages))
    assert sorted(page.identifier for held_out, _ in folds for page in held_out) == [page.identifier for page in pages]
    for held_out, others in folds:
        assert {page.site for page in [*held_out, *others]} == {held_out[0].site}
        assert not {page.identifier for page in held_out} & {page.identifier for page in others}


def test_corpora_are_read_as_labelled_pages(corpus: Path) -> None:
    (opened,) = open_corpora([str(corpus.parent)])
    pages = list(opened)
    assert (opened.name, opened.size(), len(pages)) == ("tea", 5, 5)
    assert pages[0].raw.label == "tea:p0"
    assert pages[0].gold == PARAGRAPH
    assert [page.identifier for page in take(opened, 2)] == ["p0", "p2"]
    assert len(opened.digest()) == 64


def test_odd_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(dehusk.GoldError, match="no such file"):
        open_corpora([str(tmp_path / "absent.parquet")])
    with pytest.raises(dehusk.GoldError, match="no Parquet files"):
        open_corpora([str(tmp_path)])
    (tmp_path / "odd.parquet").write_bytes(b"not parquet at all")
    with pytest.raises(dehusk.GoldError, match="not a readable Parquet file"):
        list(Corpus(str(tmp_path / "odd.parquet")))
    pq.write_table(pa.table({"html": [b""]}), tmp_path / "nogold.parquet")
    with pytest.raises(dehusk.GoldError, match="has no column gold"):
        list(Corpus(str(tmp_path / "nogold.parquet")))


def test_macro_mean_counts_data_sets_alike() -> None:
    scores = [CorpusScore("a", 100, 1, 1, 1, 2.0, 0, (1, 2, 3)), CorpusScore("b", 1, 0.5, 0.5, 0.5, 1.0, 1, (0, 0, 1))]
    mean = macro_mean(scores)
    assert (mean.pages, mean.f1, mean.seconds, mean.failures, mean.levels) == (101, 0.75, 3.0, 1, (1, 2, 4))


FLOOR = Floor("m", "tea", "digest", 5, 0.8)


def test_floors_hold_or_say_why_not() -> None:
    check_floor(FLOOR, Floor("m", "tea", "digest", 5, 0.81))
    with pytest.raises(dehusk.GoldError, match=r"F1 0\.7900 is below the floor of 0\.8000"):
        check_floor(FLOOR, Floor("m", "tea", "digest", 5, 0.79))
    with pytest.raises(dehusk.GoldError, match="not the one the floor was measured on"):
        check_floor(FLOOR, Floor("m", "tea", "other", 5, 0.9))


def test_floors_are_raised_and_never_lowered() -> None:
    lower, higher = Floor("m", "tea", "digest", 5, 0.7), Floor("m", "tea", "digest", 5, 0.9)
    assert raise_floors([FLOOR], [lower]) == [FLOOR]
    assert raise_floors([FLOOR], [higher]) == [higher]
    assert find_floor([FLOOR], "m", "coffee") is None
    assert json.loads(floors_to_json([FLOOR])) == [
        {"method": "m", "corpus": "tea", "digest": "digest", "pages": 5, "f1": 0.8}
    ]


def test_the_command_prints_scores_and_writes_json(corpus: Path, tmp_path: Path) -> None:
    arguments = ["evaluate", "gold", str(corpus), "--levels", "--json", str(tmp_path / "scores.json")]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "satisfiable-subtree" in result.output
    assert "macro mean" in result.output
    scores = json.loads((tmp_path / "scores.json").read_text())["satisfiable-subtree"]
    assert scores["data_sets"][0]["f1"] == pytest.approx(0.8), "four pages right, one empty"
    assert scores["data_sets"][0]["levels"] == [4, 0, 1]


def test_the_command_refuses_what_makes_no_sense(corpus: Path) -> None:
    for arguments in (
        ["absent.parquet"],
        [str(corpus), "--method", "magic"],
        [str(corpus), "--limit", "1", "--check-floors"],
    ):
        assert CliRunner().invoke(app, ["evaluate", "gold", *arguments]).exit_code == 2


def test_a_broken_floor_has_its_own_exit_code(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    floor = Floor("satisfiable-subtree", "tea", Corpus(str(corpus)).digest(), 5, 0.95)
    monkeypatch.setattr("dehusk.lab.evaluation.floors.load_floors", lambda: [floor])
    result = CliRunner().invoke(app, ["evaluate", "gold", str(corpus), "--check-floors"])
    assert result.exit_code == 3
    assert "is below the floor of 0.9500" in result.output


MOST_PAGES = 170 if THOROUGH else 60
"""Pages of a corpus whose floors are checked here; `dehusk evaluate gold ... --check-floors` checks all."""
MOST_PAGES_BY_DEFAULT = max(MOST_PAGES, 130)
"""The same for the default method: news of many sites, and a shop of one, are among them."""


def measured() -> list[tuple[str, str]]:
    """Methods and smaller corpora with floors; all parts of a corpus are measured at once."""
    whole = [floor for floor in load_floors() if not floor.part]
    return sorted({(floor.method, floor.corpus) for floor in whole if floor.pages <= most_pages(floor.method)})


def most_pages(method: str) -> int:
    return MOST_PAGES_BY_DEFAULT if method == DEFAULT_METHOD else MOST_PAGES


@pytest.mark.data
@pytest.mark.parametrize(("method", "name"), measured())
def test_the_pinned_floors_hold(method: str, name: str, data_folder: Path) -> None:
    folder = next(folder for folder in ("gold", "sites") if (data_folder / folder / f"{name}.parquet").exists())
    corpus = Corpus(str(data_folder / folder / f"{name}.parquet"))
    comparison = gather([method], run_plan(Plan((method,), judges_gold=False), corpus, 1))
    reached = {floor.key: floor for floor in reached_floors(comparison, [method], {name: corpus.digest()})}
    for floor in load_floors():
        if (floor.method, floor.corpus) == (method, name):
            check_floor(floor, reached[floor.key])
