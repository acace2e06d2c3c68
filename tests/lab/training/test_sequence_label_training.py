"""Training sequence labels: labels from gold, learning, folds, the command and people's own pages."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import dehusk
from dehusk.cli import app
from dehusk.lab.evaluation.cleaneval_score import CleanEvalScore
from dehusk.lab.evaluation.sequence_label_experiments import (
    FEATURE_GROUPS,
    FoldResult,
    features_of,
    score_experiments,
)
from dehusk.lab.gold.corpora import GoldPage, LabelledFolder, open_labelled
from dehusk.lab.training.chain_training import TrainingSettings
from dehusk.lab.training.sequence_label_training import (
    LabelledPage,
    Unusable,
    accuracy,
    folds_by_site,
    label_page,
    labels_by_kind,
    train,
)
from dehusk.methods.sequence_labels.run_features import FEATURE_NAMES
from dehusk.methods.sequence_labels.text_runs import RunLabel, find_text_runs
from dehusk.sources.raw_page import RawPage

pytest.importorskip("scipy")
pytest.importorskip("rapidfuzz")

QUICK = TrainingSettings(square_penalty=1.0, iterations=30)


def html_of(number: int) -> str:
    return (
        f"<ul><li><a href=/>Home {number}</a><li><a href=/n>News</a></ul><h1>Story {number} of the kettle</h1>"
        f"<p>Once upon a time there were <b>{number} kettles</b> in the kitchen, and all of them were hot.</p>"
        f"<ul><li>first point {number}<li>second point {number}</ul><div><a href=/imprint>Imprint</a></div>"
    )


def marked_of(number: int) -> str:
    return (
        f"URL: http://a.example/{number}\n<h>Story {number} of the kettle\n<p>Once upon a time there were {number} "
        f"kettles in the kitchen, and all of them were hot.\n<l>first point {number}\n<l>second point {number}\n"
    )


def gold_page(number: int, marked: bool = True) -> GoldPage:
    text = marked_of(number)
    plain = "\n".join(line.split(">", 1)[1] for line in text.splitlines()[1:])
    raw = RawPage(html_of(number).encode(), name=f"page {number}")
    return GoldPage(str(number), f"site{number % 4}", "en", "", raw, plain, gold_marked=text if marked else "")


EXPECTED = ["OTHER", "OTHER", "HEADER", "PARAGRAPH", "CONTINUATION", "CONTINUATION", "LIST", "LIST", "OTHER"]


@pytest.mark.parametrize("marked", [True, False])
def test_labels_come_from_gold(marked: bool) -> None:
    labelled = label_page(gold_page(7, marked))
    assert isinstance(labelled, LabelledPage)
    assert [RunLabel(label).name for label in labelled.labels] == EXPECTED


def test_plain_gold_takes_labels_from_what_blocks_are() -> None:
    pieces = find_text_runs(dehusk.segment(dehusk.read_page("<h2>a <b>b</b></h2><ul><li>c</ul><p>d <i>e</i> f</p>")))
    content = np.array([False, True, True, True, False, True])
    names = [RunLabel(label).name for label in labels_by_kind(pieces, content)]
    assert names == ["OTHER", "HEADER", "LIST", "PARAGRAPH", "OTHER", "CONTINUATION"]


def test_gold_that_is_not_on_the_page_is_not_used() -> None:
    page = gold_page(1)
    other = GoldPage("x", "s", "", "", page.raw, "Quite another text that nobody ever wrote on that page at all")
    assert label_page(other) == Unusable("page 1", "too little of the gold is on the page")
    empty = GoldPage("x", "s", "", "", page.raw, "")
    assert label_page(empty) == Unusable("page 1", "the gold has no words")


def test_what_is_learnt_is_right_on_pages_of_the_same_kind() -> None:
    pages = [page for number in range(12) if isinstance(page := label_page(gold_page(number)), LabelledPage)]
    losses: list[float] = []
    model = train(pages[:8], settings=QUICK, on_iteration=lambda number, loss: losses.append(loss))
    assert accuracy(model, pages[8:]) == (1.0, 1.0)
    assert model.pages == 8
    assert losses[-1] < losses[0]
    assert dehusk.clean(html_of(99), model).render("cleaneval") == marked_of(99).split("\n", 1)[1]


def test_training_is_the_same_every_time() -> None:
    pages = [page for number in range(6) if isinstance(page := label_page(gold_page(number)), LabelledPage)]
    first, second = train(pages, settings=QUICK), train(pages, settings=QUICK)
    assert np.array_equal(first.weights, second.weights)
    assert np.array_equal(first.transitions, second.transitions)


def test_pages_of_a_site_are_in_one_fold() -> None:
    sites = [f"site{number % 7}" for number in range(40)]
    folds = list(folds_by_site(sites, 3, seed=1))
    assert np.array_equal(sum(fold.astype(int) for fold in folds), np.ones(40, dtype=int))
    for fold in folds:
        assert not {site for site, held in zip(sites, fold, strict=True) if held} & {
            site for site, held in zip(sites, fold, strict=True) if not held
        }
    assert any(not np.array_equal(*pair) for pair in zip(folds, folds_by_site(sites, 3, seed=2), strict=True))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(8):
        site = tmp_path / "gold" / f"site{number % 4}"
        site.mkdir(parents=True, exist_ok=True)
        (site / f"{number}.html").write_text(html_of(number))
        (site / f"{number}.txt").write_text(marked_of(number))
    (tmp_path / "gold" / "site0" / "unlabelled.html").write_text("<p>no text beside it")
    return tmp_path / "gold"


def test_a_folder_of_pages_and_texts(folder: Path) -> None:
    (labelled,) = open_labelled([str(folder)])
    assert isinstance(labelled, LabelledFolder)
    assert labelled.size() == 8
    pages = list(labelled)
    assert {page.site for page in pages} == {f"gold/site{number}" for number in range(4)}
    assert all(page.gold_marked for page in pages)
    (folder / "site1" / "1.txt").write_text("plain")
    assert sum(not page.gold_marked for page in labelled) == 1
    with pytest.raises(dehusk.GoldError, match="neither Parquet files nor pages"):
        open_labelled([str(folder / "site0" / "nothing")] if (folder / "site0" / "nothing").mkdir() is None else [])


def test_the_command_trains_and_writes_a_card(folder: Path, tmp_path: Path) -> None:
    (folder / "site2" / "2.txt").write_text("Quite another text that nobody ever wrote on that page at all")
    model = tmp_path / "mine.dehusk"
    options = ["--penalty", "1", "--iterations", "30", "--without", "position", "--created", "2026-02-03"]
    done = CliRunner().invoke(app, ["train", "sequence-labels", "-g", str(folder), "-o", str(model), *options])
    assert done.exit_code == 0, done.output
    assert "not used: too little of the gold is on the page" in done.output.replace("\n", " ")
    card = (tmp_path / "mine.md").read_text()
    assert "| gold | 7 | 1 |" in card
    assert "45, without position" in card
    assert "2026-02-03" in card
    assert "held back" in card
    cleaned = CliRunner().invoke(
        app, ["clean", str(folder / "site1" / "1.html"), "--model", str(model), "--format", "cleaneval"]
    )
    assert "<h>Story 1 of the kettle" in cleaned.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-g", "absent.parquet"], "no such file or folder"),
        (["-g", "GOLD", "--without", "colour"], "no such feature"),
    ],
)
def test_what_cannot_be_trained_is_said(folder: Path, tmp_path: Path, arguments: list[str], message: str) -> None:
    given = [str(folder) if argument == "GOLD" else argument for argument in arguments]
    done = CliRunner().invoke(app, ["train", "sequence-labels", *given, "-o", str(tmp_path / "x.dehusk")])
    assert done.exit_code == 2
    assert message in done.output
    assert not (tmp_path / "x.dehusk").exists()


def test_the_papers_experiments_as_a_command(tmp_path: Path) -> None:
    path, target = tmp_path / "marked.parquet", tmp_path / "scores.json"
    pages = [gold_page(number) for number in range(12)]
    columns = {
        "html": [page.raw.body for page in pages],
        "gold": [page.gold for page in pages],
        "gold_marked": [page.gold_marked for page in pages],
        "site": [f"site{number}" for number in range(12)],
    }
    pq.write_table(pa.table(columns), path)
    experiments = ["-e", "exp-1", "-e", "exp-3", "-e", "without bullet"]
    options = [*experiments, "--penalty", "1", "--iterations", "30", "--json", str(target)]
    done = CliRunner().invoke(app, ["evaluate", "sequence-labels", str(path), *options])
    assert done.exit_code == 0, done.output
    scores = json.loads(target.read_text())
    assert [score["experiment"] for score in scores] == ["exp-1", "exp-3", "without bullet"]
    assert [score["pages"] for score in scores] == [12, 12, 12]
    assert scores[0]["full_set"] == 1.0
    assert scores[0]["total"] == 1.0
    assert scores[0]["change"] is None
    assert scores[2]["change"] == {"value": 0.0, "low": 0.0, "high": 0.0}
    assert "(75.15%)" in done.output
    assert "+0.00 [+0.00, +0.00]" in done.output


@pytest.mark.parametrize("experiment", ["exp-9", "without", "without colour", "without *", "bullet"])
def test_experiments_that_there_are_not(experiment: str) -> None:
    refused = CliRunner().invoke(app, ["evaluate", "sequence-labels", "absent.parquet", "-e", experiment])
    assert refused.exit_code == 2
    assert "no such experiment" in refused.output


def test_a_group_of_features_is_left_out() -> None:
    groups = [set(FEATURE_NAMES) - set(features_of(f"without {pattern}")) for pattern in FEATURE_GROUPS]
    assert groups[1] == {"split.p", "split.br", "split.hr", "split.class-inline", "split.class-block"}
    assert all(len(group) > 1 for group in groups)
    assert sum(map(len, groups)) == len(set().union(*groups)), "no feature is in two"


def test_changes_are_of_the_same_pages_in_all_folds() -> None:
    def result(*totals: float) -> FoldResult:
        return FoldResult(10, 8, 9, tuple(CleanEvalScore(one, one) for one in totals), tuple("abcde"[: len(totals)]))

    folds = [result(0.5, 0.7), result(0.4, 0.7), result(0.9), result(1.0)]
    first, second = score_experiments(["exp-1", "without bullet"], folds)
    assert (first.total, second.total) == (pytest.approx(0.7), pytest.approx(0.7))
    assert (first.pages, first.lowest_fold, first.highest_fold) == (3, pytest.approx(0.6), pytest.approx(0.9))
    assert second.change is not None
    assert second.change.value == pytest.approx(0.0)
