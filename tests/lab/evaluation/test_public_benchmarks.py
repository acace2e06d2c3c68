"""Public benchmarks in their own formats, with their own metrics. Pages and gold are written for these tests."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import dehusk

from dehusk.errors import DehuskError, GoldError
from dehusk.lab.evaluation import tool_comparison
from dehusk.lab.evaluation.other_tools import OTHER_TOOLS, OtherTool
from dehusk.lab.evaluation.public_benchmarks import (
    BenchmarkPlan,
    _trained_for,
    benchmark_document,
    benchmark_tasks,
    failures_of,
    run_benchmark,
    sum_up_benchmark,
)
from dehusk.lab.evaluation.public_metrics import PUBLIC_METRICS, Answer, count_runs, count_segments, sum_up_runs
from dehusk.lab.gold.corpora import GoldPage, fold_of
from dehusk.lab.gold.gold_alignment import Segment, read_marked
from dehusk.lab.gold.public_sets import PUBLIC_SETS, BenchmarkPage, find_public_set
from dehusk.methods.sequence_labels.text_runs import RunLabel
from dehusk.sources.raw_page import RawPage

TITLE = "Hard water"
TEXT = "Steep the leaves for three minutes and no longer than that, or the tea turns bitter. " * 3
MENU = "Kettles and cups on sale"
METHOD = "page-evidence"


def page(number: int = 1) -> bytes:
    menu = f"<nav><a href=/>Home</a> <a href=/sale>{MENU}</a></nav>"
    return f"<title>{TITLE}</title>{menu}<main><h1>{TITLE}</h1><p>{TEXT}</p><p>Cup {number}.</p></main>".encode()


def write(path: Path, content: bytes | str | dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    body = json.dumps(content).encode() if isinstance(content, dict) else content
    body = body.encode() if isinstance(body, str) else body
    path.write_bytes(gzip.compress(body) if path.suffix == ".gz" else body)


def article_extraction(folder: Path) -> Path:
    bodies = {name: {"articleBody": TEXT, "url": f"https://{name}.example/"} for name in ("a1", "b2")}
    write(folder / "ground-truth.json", bodies)
    for name in bodies:
        write(folder / "html" / f"{name}.html.gz", page())
    return folder


def trafilatura(folder: Path) -> Path:
    about = {"file": "tea.html", "with": ["Steep the leaves", "turns  bitter."], "without": [MENU, "Home"]}
    write(folder / "evaldata.json", {"https://a.example/tea": about, "https://b.example/": {**about, "file": "b.html"}})
    write(folder / "cache" / "tea.html", page())
    write(folder / "eval" / "b.html", page(2))
    return folder


def wcxb(folder: Path) -> Path:
    for number, kind in enumerate(("article", "forum", "category", ""), 1):
        truth = {"main_content": f"{TITLE}\n{TEXT}\nCup {number}.", "with": ["STEEP the leaves"], "without": [MENU]}
        internal = {"page_type": {"primary": kind}} if kind else {}
        about = {"url": f"https://site{number}.example/", "ground_truth": truth, "_internal": internal}
        write(folder / "ground-truth" / f"000{number}.json", about)
        write(folder / "html" / f"000{number}.html.gz", page(number))
    return folder


def cleaneval(folder: Path, names: tuple[str, ...] = ("1", "2")) -> Path:
    for number, name in enumerate(names):
        write(folder / "input" / f"{name}.html", page(number))
        marked = f"URL: https://a.example/{number}\n<h>{TITLE}\n<p>{TEXT}\n<p>Cup {number}&#46;\n"
        write(folder / "GoldStandard" / f"{name}.txt", marked)
    return folder


def cleanportaleval(folder: Path) -> Path:
    return cleaneval(folder, tuple(f"{site}.example_news_{number:02}" for site in "ab" for number in range(3)))


def readability(folder: Path) -> Path:
    for number in (1, 2):
        write(folder / f"00{number}" / "source.html", page(number))
        expected = f"<div id=readability-page-1><h1>{TITLE}</h1><p>{TEXT}</p><p>Cup {number}.</p></div>"
        write(folder / f"00{number}" / "expected.html", expected)
    write(folder / "003" / "source.html", page(3))
    return folder


SETS = {
    "article-extraction-benchmark": article_extraction,
    "trafilatura": trafilatura,
    "wcxb": wcxb,
    "cleaneval": cleaneval,
    "cleanportaleval": cleanportaleval,
    "readability": readability,
}


def read(folder: Path) -> list[BenchmarkPage]:
    public_set, place = find_public_set(folder)
    faults: list[DehuskError] = []
    pages = list(public_set.read(place, faults.append))
    assert faults == []
    return pages


def test_every_set_has_a_metric_and_a_fixture() -> None:
    assert set(PUBLIC_SETS) == set(PUBLIC_METRICS) == set(SETS)


@pytest.mark.parametrize("name", SETS)
def test_a_set_is_told_by_its_files_and_scored_with_its_metric(name: str, tmp_path: Path) -> None:
    folder = SETS[name](tmp_path / "set")
    assert find_public_set(folder)[0].name == name
    done = dehusk("evaluate", "benchmark", str(folder), "--with", "none", "--json", str(tmp_path / "scores.json"))
    assert (done.returncode, done.stderr) == (0, b"")
    for column in PUBLIC_METRICS[name].columns:
        assert column in done.stdout.decode()
    found = json.loads((tmp_path / "scores.json").read_text())
    (row,) = found["scores"]
    assert (found["benchmark"], row["cleaned_by"], row["failed"], row["empty"]) == (name, "hybrid", 0, 0)
    assert row["pages"] == len(read(folder))
    assert set(PUBLIC_METRICS[name].columns) <= set(row["scores"])
    # These pages are easy: what is missing is the heading, in gold that has none.
    assert row["scores"]["F1"] > 0.9


def test_folders_as_the_repositories_have_them(tmp_path: Path) -> None:
    trafilatura(tmp_path / "trafilatura" / "tests")
    assert find_public_set(tmp_path / "trafilatura")[1] == tmp_path / "trafilatura" / "tests"
    readability(tmp_path / "readability" / "test" / "test-pages")
    assert find_public_set(tmp_path / "readability")[0].name == "readability"
    wcxb(tmp_path / "wcxb" / "dev")
    with pytest.raises(GoldError, match=r"has several parts; give one of them: .*dev or .*test"):
        find_public_set(tmp_path / "wcxb")
    with pytest.raises(GoldError, match="none of the public benchmarks"):
        find_public_set(tmp_path)
    with pytest.raises(GoldError, match="no such folder"):
        find_public_set(tmp_path / "nothing")


def test_what_the_files_say_is_read(tmp_path: Path) -> None:
    first, second = read(trafilatura(tmp_path / "one"))
    assert (first.page.raw.url, first.present) == ("https://a.example/tea", ("Steep the leaves", "turns  bitter."))
    assert (second.page.raw.body, second.absent) == (page(2), (MENU, "Home"))
    assert [one.page.page_type for one in read(wcxb(tmp_path / "two"))] == ["article", "forum", "collection", "article"]
    portals = read(cleanportaleval(tmp_path / "three"))
    assert {one.page.site for one in portals} == {"a.example_news", "b.example_news"}
    assert portals[1].page.raw.url == "https://a.example/1"
    assert [one.page.site for one in read(cleaneval(tmp_path / "four"))] == ["a.example", "a.example"]


def labelled(gold: str, **values: Any) -> BenchmarkPage:
    return BenchmarkPage(GoldPage("p", "s", "", "", RawPage(b""), gold), **values)


def test_runs_of_four_words_by_hand() -> None:
    # Gold has the runs abcd, bcde; the text bcde, cdef: one shared, one more, one missing.
    assert count_runs(Answer("b c d e f"), labelled("a b c d e")) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert count_runs(Answer("A b"), labelled("a b")) == (0, 0.5, 0.5), "case counts, and short texts are one run"
    assert count_runs(Answer(""), labelled("")) == (0, 0, 0)
    table = np.array([[1, 0, 0], [0.25, 0.25, 0.5], [0, 0, 1], [0, 0, 0]])
    scores = sum_up_runs(table)
    precision, recall = (1 + 0.5) / 2, (1 + 1 / 3 + 0) / 3
    assert scores["precision"] == pytest.approx(precision), "pages without text have none"
    assert scores["recall"] == pytest.approx(recall), "pages without gold have none"
    assert scores["F1"] == pytest.approx(2 * precision * recall / (precision + recall))
    assert scores["accuracy"] == 0.5
    assert scores["F1 ±"] > 0
    assert sum_up_runs(table) == scores


def test_segments_by_hand() -> None:
    one = labelled("", present=("steep the leaves", "bitter"), absent=("Home", "sale"))
    answer = Answer("Home\n steep   the\nleaves")
    assert count_segments(answer, one) == (1, 1, 1, 1)
    metric = PUBLIC_METRICS["trafilatura"]
    table = np.array([metric.count(answer, one), metric.count(Answer(), one)], float)
    assert metric.sum_up(table) == {"precision": 0.5, "recall": 0.25, "accuracy": 4 / 8, "F1": 2 / (2 + 1 + 3)}
    assert metric.sum_up(np.zeros((1, 4)))["precision"] == 0


def test_words_by_hand() -> None:
    one = labelled("Tea is_hot, tea!", present=("TEA is",), absent=("menu", "sale"))
    counts = PUBLIC_METRICS["wcxb"].count(Answer("the TEA is hot: sale"), one)
    assert counts == pytest.approx((1 / 5, 1 / 3, 2 / 8, 1.0, 0.5))
    assert PUBLIC_METRICS["wcxb"].count(Answer("x"), labelled(""))[3:] == (1.0, 1.0), "as the benchmark has it"


def test_marked_words_by_hand() -> None:
    marked = "URL: https://a.example/\n<h>Tea\n<p>hot &amp; sweet\n<l>cup"
    one = BenchmarkPage(replace(labelled(marked).page, gold_marked=marked))
    perfect = read_marked("<h>Tea<p>hot & sweet<l>cup")
    assert PUBLIC_METRICS["cleaneval"].count(Answer("Tea hot & sweet cup", perfect), one) == (1, 1, 1, 1, 1, 1)
    lines = (Segment(RunLabel.PARAGRAPH, "Tea hot"), Segment(RunLabel.PARAGRAPH, "menu"))
    found = PUBLIC_METRICS["cleaneval"].count(Answer("Tea hot menu", lines), one)
    assert found[:4] == pytest.approx((2 / 3, 2 / 4, 4 / 7, 1 - 2 / 4))


def test_expected_text_by_hand() -> None:
    count = PUBLIC_METRICS["readability"].count
    assert count(Answer("Tea, hot."), labelled("tea HOT")) == (1, 1, 1, 1)
    assert count(Answer("hot tea"), labelled("tea hot")) == (0, 0.5, 0.5, 0.5)


def test_faults_of_a_set(tmp_path: Path) -> None:
    folder = article_extraction(tmp_path / "set")
    truth = {"a1": {"articleBody": TEXT}, "../../ground-truth": {"articleBody": TEXT}, "gone": "no object", "cut": {}}
    write(folder / "ground-truth.json", truth)
    (folder / "html" / "cut.html.gz").write_bytes(gzip.compress(page())[:-9])
    faults: list[DehuskError] = []
    pages = list(PUBLIC_SETS["article-extraction-benchmark"].read(folder, faults.append))
    assert [one.page.identifier for one in pages] == ["a1"]
    assert len(faults) == 3
    assert all("cannot be read" in str(fault) and str(folder / "html") in str(fault) for fault in faults)
    done = dehusk("evaluate", "benchmark", str(folder), "--with", "none")
    assert done.returncode == 0
    assert "3 pages are left out" in done.stderr.decode()


@pytest.mark.parametrize("content", [b"{", b"[]", b"[" * 100_000, b'{"a": ' + b"9" * 5000 + b"}", b"\xff"])
def test_gold_that_is_no_json_is_an_error(content: bytes, tmp_path: Path) -> None:
    write(tmp_path / "ground-truth.json", content)
    done = dehusk("evaluate", "benchmark", str(tmp_path), "--with", "none")
    assert done.returncode == 2
    assert re.search(r"ground-truth.json: is not (a )?JSON", done.stderr.decode())


def test_a_set_without_pages_is_an_error(tmp_path: Path) -> None:
    write(tmp_path / "ground-truth.json", {"gone": {"articleBody": TEXT}})
    done = dehusk("evaluate", "benchmark", str(tmp_path), "--with", "none")
    assert (done.returncode, "no page can be read" in done.stderr.decode()) == (2, True)


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> None:
    def everything(html: str, language: str) -> str:
        return " ".join(re.sub(r"<[^>]*>", " ", html).split())

    def nothing(html: str, language: str) -> str:
        raise ValueError("no such page")

    for name, extract in {"everything": everything, "broken": nothing}.items():
        monkeypatch.setitem(OTHER_TOOLS, name, OtherTool(name, "json", "pytest", extract))
    assert tool_comparison.OTHER_TOOLS is OTHER_TOOLS


@pytest.mark.usefixtures("tools")
def test_other_tools_beside_dehusk(tmp_path: Path) -> None:
    folder = str(trafilatura(tmp_path / "set"))
    done = dehusk("evaluate", "benchmark", folder, "-m", METHOD, "--with", "everything,broken", "--limit", "1")
    assert "broken failed on 1 pages; the first: " in done.stderr.decode()
    rows = {line.split()[0]: line.split() for line in done.stdout.decode().splitlines() if line.strip()}
    assert rows["everything"][2:8] == ["0.500", "1.000", "0.500", "0.667", "0", "0"]
    assert rows["broken"][2:8] == ["0.000", "0.000", "0.500", "0.000", "1", "1"]
    assert rows["dehusk"][1] == METHOD
    assert "(1 pages)" in done.stdout.decode()


def test_processes_change_nothing(tmp_path: Path) -> None:
    pages = read(trafilatura(tmp_path))
    plan = BenchmarkPlan(PUBLIC_SETS["trafilatura"], ("satisfiable-subtree",))
    alone, two = (list(run_benchmark(plan, pages, jobs)) for jobs in (1, 2))
    assert [one.counts for one in alone] == [one.counts for one in two]
    assert failures_of(two) == []


def test_methods_may_learn_the_site_from_its_other_half(tmp_path: Path) -> None:
    pages = read(cleanportaleval(tmp_path))
    plan = BenchmarkPlan(PUBLIC_SETS["cleanportaleval"], ("hybrid", METHOD), learns_sites=True)
    tasks = list(benchmark_tasks(plan, pages))
    learning = [task for task in tasks if task.contender == "hybrid"]
    assert sorted(number for task in learning for number, _ in task.numbered) == list(range(6))
    for task in learning:
        own = [one for _, one in task.numbered]
        assert {one.page.site for one in (*own, *task.others)} == {own[0].page.site}
        assert not {one.page.identifier for one in own} & {one.page.identifier for one in task.others}
    assert all(not task.others for task in tasks if task.contender == METHOD)
    found = benchmark_document(plan, sum_up_benchmark(plan, run_benchmark(plan, pages)))
    assert [row["failed"] for row in found["scores"]] == [0, 0]
    assert found["learns_sites"] is True


def test_held_out_pages_are_cleaned_with_the_network_of_their_fold(tmp_path: Path) -> None:
    one = replace(labelled(TEXT).page, raw=RawPage(b"", url="https://www.a.example/x"))
    assert _trained_for(one, "") == ""
    assert _trained_for(one, "work") == str(Path("work") / f"without-fold-{fold_of('a.example', 5)}.dehusk")
    done = dehusk("evaluate", "benchmark", str(trafilatura(tmp_path / "set")), "--models", str(tmp_path))
    assert (done.returncode, "has no without-fold-0.dehusk" in done.stderr.decode()) == (2, True)
    plan = BenchmarkPlan(PUBLIC_SETS["trafilatura"], (METHOD,), models=str(tmp_path))
    (result, _) = run_benchmark(plan, read(tmp_path / "set"))
    assert "without-fold-" in result.failure, "a network that is gone is a failure of each page"
