"""Methods and other tools side by side: scores, processes, groups, floors, the report."""

from __future__ import annotations

import json
import re
import time
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import dehusk
from dehusk.cli import app
from dehusk.lab.evaluation import tool_comparison
from dehusk.lab.evaluation.floors import Floor, floors_to_json, raise_floors, reached_floors, worth_pinning
from dehusk.lab.evaluation.gold_groups import evaluate
from dehusk.lab.evaluation.gold_scoring import PageScore, judge_text
from dehusk.lab.evaluation.gold_tables import failure_lines, group_table, overall_table
from dehusk.lab.evaluation.other_tools import OTHER_TOOLS, OtherTool
from dehusk.lab.evaluation.tool_comparison import (
    AboutPage,
    Comparison,
    PagesOfFold,
    Plan,
    Scored,
    check_names,
    choose_contenders,
    gather,
    run_plan,
    run_task,
    tasks_of,
)
from dehusk.lab.evaluation.worst_pages import choose_worst, missing_runs
from dehusk.lab.gold.corpora import Corpus, GoldPage
from dehusk.methods import DEFAULT_METHOD
from dehusk.sources.raw_page import RawPage

PARAGRAPH = "Steep the leaves for three minutes and no longer than that, or the tea turns bitter. " * 3
METHOD = "satisfiable-subtree"

pytestmark = pytest.mark.filterwarnings("ignore")  # what other packages warn of at import is not ours to mend


def row(number: int, **values: Any) -> dict[str, Any]:
    html = f"<nav><a href=/>Home page</a></nav><div><p>{PARAGRAPH}</p><p>Cup {number}.</p></div>".encode()
    site, language = f"site{number % 6}.example", "de" if number % 2 else "en"
    gold = PARAGRAPH if number % 3 else f"{PARAGRAPH} Cup {number}."
    page_type = "forum" if number % 4 == 0 else "article"
    own = {"id": f"p{number}", "site": site, "url": f"https://{site}/{number}", "lang": language, "html": html}
    return {**own, "page_type": page_type, "gold": gold, **values}


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    rows = [row(number) for number in range(12)]
    rows.append(row(12, gold="words that are nowhere to be found on this page at all", page_type=""))
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "tea.parquet")
    return Corpus(str(tmp_path / "tea.parquet"))


def everything(html: str, language: str) -> str:
    """A tool that keeps all."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def hang(html: str, language: str) -> str:
    if "Cup 3." in html:
        time.sleep(60)
    return everything(html, language)


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> None:
    tool_comparison._ready_cleaner.cache_clear()
    for name, extract in {"everything": everything, "hanging": hang}.items():
        monkeypatch.setitem(OTHER_TOOLS, name, OtherTool(name, "json", "numpy", extract))


def compare(corpus: Corpus, plan: Plan, jobs: int = 1) -> Comparison:
    return gather(plan.contenders, run_plan(plan, corpus, jobs))


def without_time(comparison: Comparison) -> dict[str, list[PageScore]]:
    return {name: [replace(score, seconds=0.0) for score in scores] for name, scores in comparison.scores.items()}


# Contenders


def test_names_are_checked_before_any_work(tools: None) -> None:
    assert choose_contenders(["style-tree"], ["everything, hanging", "everything"]) == (
        ("style-tree",),
        ("everything", "hanging"),
    )
    assert choose_contenders([], []) == (tuple(dehusk.METHODS), ())
    assert choose_contenders([], ["everything"])[0] == (DEFAULT_METHOD,)
    assert "everything" in choose_contenders([METHOD], ["installed"])[1]
    for methods, others in ((["magic"], []), ([], ["magic"])):
        with pytest.raises(dehusk.UnknownName):
            choose_contenders(methods, others)


def test_a_tool_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = OtherTool("absent", "no_such_module_anywhere", "no-such-package", everything)
    monkeypatch.setitem(OTHER_TOOLS, "absent", absent)
    with pytest.raises(dehusk.MissingExtra, match="pip install no-such-package"):
        choose_contenders([], ["absent"])


def test_two_files_of_one_name_are_refused() -> None:
    with pytest.raises(dehusk.GoldError, match="2 files have this name"):
        check_names([Corpus("a/tea.parquet"), Corpus("b/tea.parquet")])


# Scores


def test_everybody_is_scored_on_the_same_pages(corpus: Corpus, tools: None) -> None:
    plan = Plan((METHOD, "style-tree"), ("everything",))
    found = compare(corpus, plan)
    assert found.contenders == plan.contenders
    assert [page.number for page in found.pages] == list(range(13))
    for scores in found.scores.values():
        assert [score.page for score in scores] == [f"tea:p{number}" for number in range(13)]
    assert found.usable == (True,) * 12 + (False,)
    # Page 1: "home page" and "cup 1" beyond the 48 words of gold.
    gold = len(PARAGRAPH.split())
    assert found.scores["everything"][1].words.precision == pytest.approx(gold / (gold + 4))
    assert found.scores["everything"][1].words.recall == 1


def test_two_processes_find_the_same_as_one(corpus: Corpus) -> None:
    plan = Plan((METHOD, "style-tree"), ("turbohtml",), levels=True)
    alone, together = compare(corpus, plan), compare(corpus, plan, jobs=2)
    assert without_time(alone) == without_time(together)
    assert (alone.pages, alone.usable) == (together.pages, together.usable)


def test_a_task_is_a_page_or_a_fold_of_a_site(corpus: Corpus) -> None:
    tasks = list(tasks_of(Plan((METHOD, "style-tree")), corpus))
    single = [task for task in tasks if task.contender == METHOD]
    learning = [task for task in tasks if task.contender == "style-tree"]
    assert len(single) == 13
    assert all(len(task.fold.held_out) == 1 and not task.fold.others for task in single)
    assert sorted(number for task in learning for number, _ in task.fold.held_out) == list(range(13))
    for task in learning:
        assert not {page.identifier for _, page in task.fold.held_out} & {page.identifier for page in task.fold.others}


def test_a_tool_that_hangs_counts_as_failed(corpus: Corpus, tools: None) -> None:
    found = compare(corpus, Plan((METHOD,), ("hanging",), most_seconds=0.5))
    failed = [score for score in found.scores["hanging"] if score.failure]
    assert [score.page for score in failed] == ["tea:p3"]
    assert failed[0].words.f1 == 0
    assert "took longer than 0.5 seconds" in failed[0].failure
    assert evaluate(found).macro["hanging"].means.failures == 1
    assert failure_lines(found) == ["hanging failed on 1: took longer than 0.5 seconds"]


def test_a_page_whose_process_died_is_lost_for_one_contender(corpus: Corpus) -> None:
    task = next(tasks_of(Plan((METHOD,)), corpus))
    (lost,) = tool_comparison._lost(task)
    assert (lost.contender, lost.about) == (METHOD, run_task(task)[0].about)
    assert lost.score.words.f1 == 0
    assert "its process died" in lost.score.failure


def test_a_fold_takes_whole_sites(corpus: Corpus) -> None:
    folds = [{page.identifier for page in PagesOfFold(corpus, fold)} for fold in range(5)]
    assert sum(map(len, folds)) == 13
    assert len(set().union(*folds)) == 13
    assert sum(PagesOfFold(corpus, fold).size() for fold in range(5)) == 13
    sites = [{page.site for page in PagesOfFold(corpus, fold)} for fold in range(5)]
    assert sum(map(len, sites)) == 6


# Groups


def scored(contender: str, corpus: str, number: int, f1: float, page_type: str, language: str = "en") -> Scored:
    """A page of which `f1` out of 1 is kept, by words that occur once."""
    kept = round(100 * f1 / (2 - f1))
    gold = " ".join(f"w{word}" for word in range(100))
    page = GoldPage("", f"s{number}", language, page_type, RawPage(b"", name=f"{corpus}:{number}"), gold)
    score = judge_text(" ".join(gold.split()[:kept]), page, False, 0.5)
    about = AboutPage(corpus, number, page.raw.name, page.site, language, page_type)
    return Scored(contender, about, score, None)


def comparison_of(f1: dict[str, float]) -> Comparison:
    results = [
        scored(name, corpus, number, value, "forum" if number % 2 else "article", "de" if corpus == "b" else "")
        for name, value in f1.items()
        for corpus, pages in (("a", 10), ("b", 30))
        for number in range(pages)
    ]
    return gather(list(f1), results)


def test_groups_go_across_data_sets() -> None:
    found = evaluate(comparison_of({"ours": 1.0, "theirs": 0.5}))
    names = {
        kind: [(score.means.corpus, score.means.pages) for score in groups["ours"]]
        for kind, groups in found.groups.items()
    }
    assert names == {
        "data_sets": [("a", 10), ("b", 30)],
        "page_types": [("article", 20), ("forum", 20)],
        "languages": [("de", 30)],
    }
    macro = found.macro["theirs"]
    assert macro.means.f1 == pytest.approx(0.5, abs=0.005)
    assert macro.intervals.difference.value == pytest.approx(macro.means.f1 - 1)
    assert macro.intervals.difference.excludes_zero
    assert not found.macro["ours"].intervals.difference.excludes_zero
    assert found.macro["ours"].means.pages_per_second == pytest.approx(2)
    assert found.speed_ratio("theirs") == pytest.approx(1)


def test_intervals_are_the_same_for_the_same_seed() -> None:
    comparison = gather(["ours"], [scored("ours", "a", number, number / 20, "") for number in range(20)])
    assert evaluate(comparison, 1) == evaluate(comparison, 1)
    assert evaluate(comparison, 1).macro["ours"].intervals != evaluate(comparison, 2).macro["ours"].intervals


def test_tables_mark_what_is_beyond_chance() -> None:
    found = evaluate(comparison_of({"ours": 1.0, "theirs": 0.5}))
    table = group_table(found, "data_sets")
    assert table.headings == ("data set", "pages", "ours", "theirs")
    assert table.rows[0] == ("a", "10", "1.000", "0.496 ▼")
    assert table.rows[-1][0] == "macro mean"
    assert overall_table(found).rows[0][2] == "–"
    assert overall_table(found).rows[1][2].startswith("-0.504 [")


def test_the_worst_pages_are_usable_and_of_many_sites() -> None:
    results = [scored("ours", "a", number, number / 10, "") for number in range(9)]
    same_site = [replace(one, about=replace(one.about, site="one.example")) for one in results[:5]]
    off = replace(results[5], usable=False)
    comparison = gather(["ours"], [*same_site, off, *results[6:]])
    assert choose_worst(comparison, 4) == [0, 1, 6, 7]


def test_missing_words_are_told_in_runs() -> None:
    assert missing_runs("steep three minutes", "Steep the leaves three long minutes.") == ["the leaves", "long"]
    assert missing_runs("", "tea") == ["tea"]
    assert missing_runs("tea", "tea") == []


# Floors


def test_floors_of_parts_are_pinned_where_there_are_enough_pages() -> None:
    comparison = comparison_of({"ours": 0.5, "theirs": 1.0})
    reached = reached_floors(comparison, ["ours"], {"a": "1", "b": "2"})
    assert {(floor.corpus, floor.part, floor.pages) for floor in reached} == {
        ("a", "", 10),
        ("a", "type:article", 5),
        ("a", "type:forum", 5),
        ("b", "", 30),
        ("b", "type:article", 15),
        ("b", "type:forum", 15),
        ("b", "language:de", 30),
    }
    assert [(floor.corpus, floor.part) for floor in worth_pinning(reached)] == [
        ("a", ""),
        ("b", ""),
        ("b", "language:de"),
    ]


def test_floors_of_parts_survive_a_round_trip() -> None:
    floors = [Floor("m", "tea", "digest", 50, 0.8), Floor("m", "tea", "digest", 20, 0.7, "type:forum")]
    written = json.loads(floors_to_json(floors))
    assert "part" not in written[0]
    assert [Floor(**entry) for entry in written] == floors


def test_each_part_is_raised_for_itself() -> None:
    whole, part = Floor("m", "tea", "digest", 50, 0.8), Floor("m", "tea", "digest", 20, 0.7, "type:forum")
    lower, higher = replace(whole, f1=0.75), replace(part, f1=0.9)
    assert raise_floors([whole, part], [lower, higher]) == [whole, higher]


def test_of_a_corpus_that_changed_no_part_stays() -> None:
    old = [Floor("m", "tea", "old", 50, 0.8), Floor("m", "tea", "old", 20, 0.7, "type:forum")]
    new = Floor("m", "tea", "new", 51, 0.6)
    other = Floor("m", "coffee", "old", 20, 0.7)
    assert raise_floors([*old, other], [new]) == [other, new]


def test_a_broken_floor_of_a_part_is_told(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    floor = Floor(METHOD, "tea", corpus.digest(), 3, 1.01, "type:forum")
    monkeypatch.setattr("dehusk.lab.evaluation.floors.load_floors", lambda: [floor])
    result = CliRunner().invoke(app, ["evaluate", "gold", corpus.path, "-m", METHOD, "--check-floors"])
    assert result.exit_code == 3, result.output
    assert "on tea (type:forum): F1" in result.output


# The command


def test_the_command_compares_and_reports(corpus: Corpus, tools: None, tmp_path: Path) -> None:
    files = ["--json", str(tmp_path / "scores.json"), "--report", str(tmp_path / "out" / "my report.html")]
    arguments = ["evaluate", "gold", corpus.path, "-m", METHOD, "--with", "everything", "--worst", "3", *files]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "word F1 by page type" in result.output
    assert "Macro mean over 1 data set of 13 pages" in result.output
    scores = json.loads((tmp_path / "scores.json").read_text())
    assert list(scores) == [METHOD, "everything"]
    for of_one in scores.values():
        assert {"data_sets", "macro_mean", "page_types", "languages", "speed_ratio"} <= set(of_one)
    tea = scores["everything"]["data_sets"][0]
    assert (tea["corpus"], tea["pages"], tea["usable"]) == ("tea", 13, 12)
    assert tea["intervals"]["f1"]["low"] <= tea["f1"] <= tea["intervals"]["f1"]["high"]
    report = (tmp_path / "out" / "my report.html").read_text()
    assert report.count("<svg") == 4
    assert re.findall(r'href="([^"]*)"', report.split("did worst")[1]) == [
        f"my%20report-pages/00{number}.html" for number in (1, 2, 3)
    ]
    pages = sorted(path.name for path in (tmp_path / "out" / "my report-pages").iterdir())
    assert pages == ["001.html", "002.html", "003.html"]


def test_the_command_without_other_tools_needs_no_comparison(corpus: Corpus) -> None:
    result = CliRunner().invoke(app, ["evaluate", "gold", corpus.path, "-m", METHOD])
    assert result.exit_code == 0, result.output
    assert "word F1 by data set" not in result.output
    assert "LCS" in result.output


def test_the_command_refuses_unknown_tools(corpus: Corpus) -> None:
    result = CliRunner().invoke(app, ["evaluate", "gold", corpus.path, "--with", "magic"])
    assert result.exit_code == 2
    assert "no such tool" in result.output


def test_floors_are_written_for_methods_alone(corpus: Corpus, tools: None, tmp_path: Path) -> None:
    arguments = ["-m", METHOD, "--with", "everything", "--write-floors", str(tmp_path / "floors.json")]
    result = CliRunner().invoke(app, ["evaluate", "gold", corpus.path, *arguments])
    assert result.exit_code == 0, result.output
    written = [Floor(**entry) for entry in json.loads((tmp_path / "floors.json").read_text())]
    assert [(floor.method, floor.part) for floor in written if floor.corpus == "tea"] == [(METHOD, "")]


class Tags(HTMLParser):
    """What a browser would see beside text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


HOSTILE = "<script>alert(1)</script><img src=https://evil.example/x.png onerror=alert(2)>\"'\x1b[31m\u202e"


def test_nothing_of_a_hostile_page_gets_into_a_report(tmp_path: Path) -> None:
    """Neither by its text, its attributes and classes, nor by what its labels say."""
    shown = "&lt;script&gt;alert(4)&lt;/script&gt; or so."
    body = f"<div class='x\"><script>alert(3)</script>'><p>{PARAGRAPH}</p><p>{shown}</p></div>"
    hostile = dict.fromkeys(("id", "site", "url", "lang", "page_type"), HOSTILE)
    rows = [row(number, **hostile, html=body.encode(), gold=f"{PARAGRAPH}\n{HOSTILE}\n</pre>") for number in range(6)]
    path = tmp_path / "<b onclick=x>.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    arguments = ["evaluate", "gold", str(path), "-m", METHOD, "--report", str(tmp_path / "report.html")]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "\x1b[31m" not in result.output
    pages = sorted((tmp_path / "report-pages").iterdir())
    assert len(pages) == 2
    for written in (tmp_path / "report.html", *pages):
        text = written.read_text("utf-8")
        assert "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'" in text
        assert "&lt;script&gt;" in text
        tags = Tags(text)
        assert not tags.names & {"script", "img", "b", "iframe", "link", "object", "base", "image", "foreignobject"}
        assert not [name for name, _ in tags.attributes if name.startswith("on") or name == "src"]
        links = {value for name, value in tags.attributes if name in {"href", "xlink:href"}}
        assert all(link.startswith(("#", "report-pages/")) for link in links)
        assert "\x1b" not in text
        assert "\u202e" not in text
