"""The mining experiments: which pages, which words, k-means, classifiers, and the commands."""

from __future__ import annotations

import gzip
import inspect
import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import dehusk
from dehusk import methods
from dehusk.cli import app
from dehusk.lab.gold.corpora import open_corpora
from dehusk.lab.mining.classification import (
    NAIVE_BAYES,
    SVM,
    ColumnTask,
    Pages,
    PairScore,
    Setting,
    Split,
    classify_all,
    classify_column,
    naive_bayes,
    scores_of,
    splits,
    support_vectors,
)
from dehusk.lab.mining.clustering import (
    ClusteringScore,
    best_mean_f,
    first_pages,
    k_means,
    one_thread,
    run_all,
    run_tasks,
)
from dehusk.lab.mining.mining_columns import check_columns, default_columns, describe_column, with_matching
from dehusk.lab.mining.mining_pages import Choice, Row, SitePages, choose_pages, choose_rows
from dehusk.lab.mining.mining_reports import (
    Experiment,
    classification_report,
    classification_table,
    clustering_report,
    clustering_table,
)
from dehusk.lab.mining.representations import SiteTask, represent_site, representation
from dehusk.lab.mining.telling_words import without_common
from dehusk.lab.mining.word_vectors import CountedWords, Weighting, gram, weigh
from dehusk.methods.site_trees.template_positions import Matching
from dehusk.sources.raw_page import RawPage

HOSTILE = "<script>alert(1)</script>"


def counted(*texts: str) -> CountedWords:
    words = CountedWords()
    for text in texts:
        words.add(Counter(text.split()))
    return words


# Pages


def rows(*described: str) -> list[Row]:
    return [Row(0, number, *one.split(":")) for number, one in enumerate(described)]


def test_the_largest_classes_are_taken_or_those_named() -> None:
    there = rows("s:a", "s:b", "s:b", "t:c", "t:c", "t:c")
    assert {row.label for row in choose_rows(there, Choice(most_classes=2))} == {"b", "c"}
    assert {row.label for row in choose_rows(there, Choice(classes=("a", "b")))} == {"a", "b"}
    with pytest.raises(dehusk.GoldError, match="d: no page has this label; there are a, b, c"):
        choose_rows(there, Choice(classes=("a", "d")))
    with pytest.raises(dehusk.GoldError, match="fewer than two classes"):
        choose_rows(there, Choice(sites=("t",)))
    with pytest.raises(dehusk.GoldError, match="c: not on the chosen sites"):
        choose_rows(there, Choice(classes=("a", "b", "c"), sites=("s",)))


def test_pages_of_a_site_are_spread_over_its_classes_by_seed() -> None:
    there = rows(*["s:a"] * 50, *["s:b"] * 10, *["t:a"] * 3)
    chosen = choose_rows(there, Choice(most_pages=8, seed=1))
    assert Counter((row.site, row.label) for row in chosen) == {("s", "a"): 4, ("s", "b"): 4, ("t", "a"): 3}
    assert choose_rows(there, Choice(most_pages=8, seed=1)) == chosen
    assert choose_rows(there, Choice(most_pages=8, seed=2)) != chosen
    assert {row.site for row in choose_rows(there, Choice(most_sites=1))} == {"s"}


# Words


def test_words_become_rows_of_length_one() -> None:
    matrix = weigh(counted("tea tea cup", "", "tea"), Weighting.TF).toarray()
    assert matrix.tolist() == [pytest.approx([1 / 5**0.5, 2 / 5**0.5]), [0, 0], [0, 1]]
    assert weigh(counted("tea tea cup"), Weighting.COUNTS).toarray().tolist() == [[1, 2]]


def test_rare_words_weigh_more_by_idf() -> None:
    first, second = weigh(counted("tea cup", "tea"), Weighting.SMOOTH_TFIDF).toarray()
    cup, tea = np.log(3 / 2) + 1, 1.0
    assert first.tolist() == pytest.approx([cup / np.hypot(cup, tea), tea / np.hypot(cup, tea)])
    assert second.tolist() == [0, 1]
    first, second = weigh(counted("tea cup", "tea"), Weighting.TFIDF).toarray()
    assert first.tolist() == [1, 0], "what all pages have weighs nothing"
    assert second.tolist() == [0, 0]


def test_words_without_weight_are_not_there() -> None:
    words = CountedWords()
    words.add({"tea": 0.5, "menu": 0.0})
    words.add({"menu": 0.0})
    assert words.matrix().toarray().tolist() == [[0.5], [0.0]]
    assert words.empty() == 1


# Representations

TEMPLATE = "<title>Shop</title><ul><li><a href=/a>Canon cameras</a><li><a href=/b>Nikon cameras</a></ul>"


def site_pages() -> SitePages:
    bodies = [f"{TEMPLATE}<div><h1>Lens {n}</h1><p>{'unique' + str(n)} glass number {n}.</p></div>" for n in range(6)]
    return SitePages("shop.example", tuple(RawPage(body.encode(), name=body[:9]) for body in bodies), ("en",) * 6)


def test_each_column_is_made_of_the_pages_of_a_site_alone() -> None:
    done = represent_site(SiteTask(site_pages(), ("none", "style-tree-words", "style-tree-blocks")))
    assert done.readable == (True,) * 6
    assert {len(words) for words in done.words.values()} == {6}
    assert done.words["none"][3]["nikon"] == 1
    for column in ("style-tree-words", "style-tree-blocks"):
        assert "nikon" not in done.words[column][3]
        assert "unique3" in done.words[column][3]


def test_common_words_tell_nothing() -> None:
    words = [
        Counter(text.split()) for text in ("price canon red", "price canon", "price nikon red", "price leica", "a")
    ]
    assert without_common(words, 0.4) == [
        {"canon": 1, "red": 1},
        {"canon": 1},
        {"nikon": 1, "red": 1},
        {"leica": 1},
        {"a": 1},
    ]
    assert without_common(words, 0.3)[0] == {}, "one page in five may have a word, two may not"
    assert without_common(words[:1]) == words[:1]


def test_any_cleaner_can_leave_out_common_words() -> None:
    columns = ("none", "none-telling", "style-tree-telling", "structure-weights-telling")
    assert check_columns(columns) == columns
    with pytest.raises(dehusk.UnknownName, match="style-tree-words-telling: no such column"):
        check_columns(["style-tree-words-telling"])
    done = represent_site(SiteTask(site_pages(), columns))
    assert done.words["none"][3]["glass"] == 1
    for column in columns[1:]:
        assert "glass" not in done.words[column][3], column
        assert done.words[column][3]["unique3"] == 1, column


def test_methods_come_in_both_matchings() -> None:
    columns = ("none", "style-tree-words", "style-tree-exact-words", "structure-weights-telling", "pagelet-templates")
    exact = ("none", "style-tree-exact-words", "structure-weights-exact-telling", "pagelet-templates")
    aligned = ("none", "style-tree-words", "structure-weights-telling", "pagelet-templates")
    assert with_matching(columns, None) == columns
    assert with_matching(columns, Matching.EXACT) == check_columns(exact) == exact
    assert with_matching(columns, Matching.ALIGNED) == check_columns(aligned) == aligned
    everything = default_columns()
    assert {"structure-weights", "structure-weights-exact", "style-tree-exact-telling"} <= set(everything)
    for matching in Matching:
        chosen = default_columns(matching)
        assert set(chosen) < set(everything)
        assert any("-exact" in column for column in chosen) == (matching is Matching.EXACT)


def test_exact_columns_are_of_exact_models() -> None:
    # A class name that counts pages: aligned matching finds the menu in it again, exact matching does not.
    site = site_pages()
    bodies = [b"<div class=page-%d>%s</div>" % (number, page.body) for number, page in enumerate(site.pages)]
    site = replace(site, pages=tuple(RawPage(body, name=f"page {number}") for number, body in enumerate(bodies)))
    columns = ("structure-weights", "structure-weights-exact", "style-tree-blocks", "style-tree-exact-blocks")
    words = represent_site(SiteTask(site, columns)).words
    assert not words["structure-weights"][3].get("nikon")
    assert words["structure-weights-exact"][3]["nikon"] > 0
    assert "nikon" not in words["style-tree-blocks"][3]
    assert "nikon" in words["style-tree-exact-blocks"][3]


def test_only_exact_columns_are_called_published() -> None:
    for column in default_columns():
        described = describe_column(column)
        ours = "ours" in described
        trees = column.startswith(("style-tree", "structure-weights"))
        bounds = column == "structure-weights-exact-words"
        assert ours == (
            column.endswith("-telling")
            or column in ("hybrid", "page-evidence")
            or (trees and "-exact" not in column)
            or bounds
        )
        assert not (ours and "published" in described), column


def test_what_was_cleaned_is_kept_for_the_next_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = SiteTask(site_pages(), ("none", "structure-weights", "style-tree-words"), tmp_path / "kept")
    first = represent_site(task)
    assert len(list((tmp_path / "kept").iterdir())) == 3

    def refuse(raw: RawPage) -> dehusk.Page:
        raise dehusk.PageTooLarge(raw.label, "read again")

    monkeypatch.setattr("dehusk.lab.mining.representations.read_page", refuse)
    assert represent_site(task) == first
    assert represent_site(replace(task, columns=("style-tree-blocks",))).words["style-tree-blocks"]
    other = replace(task.pages, pages=task.pages.pages[:5], languages=task.pages.languages[:5])
    assert not any(represent_site(replace(task, pages=other)).readable), "other pages are not taken for these"


@pytest.mark.parametrize("damage", ["", "\x1f\x8bnonsense", "[1]", '{"site": 1}'])
def test_what_is_kept_but_damaged_is_made_anew(tmp_path: Path, damage: str) -> None:
    task = SiteTask(site_pages(), ("none",), tmp_path)
    first = represent_site(task)
    for path in tmp_path.iterdir():
        path.write_bytes(gzip.compress(damage.encode()) if damage.isprintable() else damage.encode())
    assert represent_site(task).words == first.words


def test_labels_cannot_reach_a_cleaner() -> None:
    """By construction: what crosses to the cleaners has no field for them, and the pages carry none."""
    assert list(inspect.signature(represent_site).parameters) == ["task"]
    assert SiteTask.__slots__ == ("pages", "columns", "kept_in")
    assert SitePages.__slots__ == ("site", "pages", "languages")
    assert not {"category", "subcategory", "gold"} & set(RawPage.__dataclass_fields__)
    for cleaner in ("none", "style-tree", "satisfiable-subtree", "trafilatura"):
        assert list(inspect.signature(representation(cleaner)).parameters) == ["pages"]


def test_a_page_that_cannot_be_read_is_in_no_column(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(raw: RawPage) -> dehusk.Page:
        if b"unique2" in raw.body:
            raise dehusk.PageTooLarge(raw.label, "too large")
        return dehusk.read_page(raw)

    monkeypatch.setattr("dehusk.lab.mining.representations.read_page", read)
    done = represent_site(SiteTask(site_pages(), ("none",)))
    assert done.readable == (True, True, False, True, True, True)
    assert len(done.words["none"]) == 5
    assert len(done.failures) == 1


class Weighing:
    """A method whose model weighs words, and cleans nothing."""

    name = "weighing"
    learns = False

    def fit(self, pages: object = ()) -> Weighing:
        return self

    def score_blocks(self, blocks: dehusk.Blocks) -> np.ndarray:
        return np.full(len(blocks), np.nan, dtype=np.float32)

    def explain_blocks(self, blocks: dehusk.Blocks) -> tuple[tuple[str, ...], ...]:
        return ((),) * len(blocks)

    method = "weighing"
    threshold = 0.5

    def word_weights(self, page: dehusk.Page) -> dict[str, float]:
        return {"glass": 0.25}


def test_a_model_that_weighs_words_is_asked_for_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dehusk.methods.base.Weighing", Weighing, raising=False)
    monkeypatch.setitem(methods._CLASSES, "weighing", ("base", "Weighing"))
    assert "weighing" in default_columns()
    done = represent_site(SiteTask(site_pages(), ("weighing",)))
    assert done.words["weighing"] == [{"glass": 0.25}] * 6


def test_columns_are_checked_before_anything_is_cleaned() -> None:
    assert check_columns(["none", "style-tree-words", "none"]) == ("none", "style-tree-words")
    with pytest.raises(dehusk.UnknownName, match="magic: no such column; choose from none, "):
        check_columns(["magic"])
    assert set(default_columns()) >= {"none", "pagelet-templates", "satisfiable-subtree", "style-tree-blocks"}


# Clustering


def test_f_is_that_of_the_best_assignment() -> None:
    """Class 0: 3 pages in cluster 1, 1 in 0. Class 1: 2 in 0, 1 in 2. Class 2: 1 in 1, 2 in 2.

    Clusters have 3, 4 and 3 pages. Best: 0 -> 1 with 2*3/(4+4), 1 -> 0 with 2*2/(3+3), 2 -> 2 with 2*2/(3+3).
    """
    classes = np.array([0, 0, 0, 0, 1, 1, 1, 2, 2, 2])
    clusters = np.array([1, 1, 1, 0, 0, 0, 2, 1, 2, 2])
    assert best_mean_f(classes, clusters, 3) == pytest.approx((6 / 8 + 4 / 6 + 4 / 6) / 3)


def test_two_classes_never_share_a_cluster() -> None:
    """Both classes would be best off with cluster 0 (F 2/3); only one of them may have it."""
    assert best_mean_f(np.array([0, 0, 1, 1]), np.array([0, 0, 0, 0]), 2) == pytest.approx((4 / 6 + 0) / 2)


TOY = ["tea cup", "tea pot", "tea cup pot", "rain wind", "rain sun", "wind sun rain", "bread oven", "oven flour bread"]
TOY_CLASSES = [0, 0, 0, 1, 1, 1, 2, 2]


def test_k_means_finds_what_is_plain_to_see() -> None:
    products = gram(weigh(counted(*TOY), Weighting.TFIDF))
    (found,) = k_means(products, np.array([[0, 3, 6]]))
    assert found.tolist() == TOY_CLASSES


def test_k_means_is_the_textbook_one() -> None:
    """Against the definition, on vectors: the products of pages must not change a single decision."""
    vectors = np.random.default_rng(3).random((40, 5))
    seeds = np.stack([first_pages(40, 4, 0, run) for run in range(6)])
    found = k_means((vectors @ vectors.T).astype(np.float32), seeds)
    for run, begin in enumerate(seeds):
        centroids, clusters = vectors[begin], None
        for _ in range(100):
            new = ((vectors[:, None, :] - centroids[None]) ** 2).sum(axis=2).argmin(axis=1)
            if clusters is not None and (new == clusters).all():
                break
            clusters = new
            centroids = np.stack([vectors[clusters == number].mean(axis=0) for number in range(4)])
        assert found[run].tolist() == clusters.tolist()


def test_a_centroid_that_loses_its_pages_stays() -> None:
    """Three equal pages as seeds: the first of them gets all, and the others neither vanish nor divide by zero."""
    (found,) = k_means(np.ones((4, 4), dtype=np.float32), np.array([[0, 1, 2]]))
    assert found.tolist() == [0, 0, 0, 0]


def test_runs_depend_on_the_seed_and_on_nothing_else() -> None:
    matrix = weigh(counted(*TOY), Weighting.TFIDF)
    tasks = run_tasks(matrix, TOY_CLASSES, 250, seed=5)
    assert [task.runs for task in tasks] == [200, 50]
    once = [score for part in run_all(tasks, 1) for score in part]
    in_processes = [score for part in run_all(tasks, 2) for score in part]
    assert once == in_processes
    assert len(set(once)) > 1, "some runs do better than others"
    assert once != [score for part in run_all(run_tasks(matrix, TOY_CLASSES, 250, 6), 1) for score in part]
    assert first_pages(9, 3, 5, 7).tolist() == first_pages(9, 3, 5, 7).tolist()
    assert len(set(first_pages(9, 9, 0, 0).tolist())) == 9


def test_scores_of_many_runs() -> None:
    score = ClusteringScore("none", "tfidf", (0.3, 0.49, 0.5, 0.7, 0.95, 1.0), 0)
    assert score.mean == pytest.approx(3.94 / 6)
    assert score.share_below(0.5) == pytest.approx(2 / 6)
    assert score.share_from(0.7) == pytest.approx(3 / 6)
    assert score.bins() == (0, 0, 0, 1, 1, 1, 0, 1, 0, 2)


# Classification

SHOPS = Pages.of(list("aabbabcaab"), list("1112234433"))
"""Classes a, b, c on sites 1 to 4: rows 0, 1 are a on 1; 2 is b on 1; 3 is b on 2; 4 is a on 2; 5 is b on 3; 6 is c on
4; 7 is a on 4; 8 is a on 3; 9 is b on 3."""


def described(found: list[Split]) -> list[tuple[list[int], list[int], list[int]]]:
    return [(split.first.tolist(), split.second.tolist(), split.test.tolist()) for split in found]


def test_configuration_1_trains_on_one_site_and_tests_on_the_others() -> None:
    found, possible = splits(SHOPS, ("a", "b"), 1, 100, 0)
    assert possible == 3
    assert described(found) == [
        ([0, 1], [2], [3, 4, 5, 7, 8, 9]),
        ([4], [3], [0, 1, 2, 5, 7, 8, 9]),
        ([8], [5, 9], [0, 1, 2, 3, 4, 7]),
    ]


def test_configuration_2_trains_on_two_sites_and_tests_on_neither() -> None:
    found, _ = splits(SHOPS, ("a", "b"), 2, 100, 0)
    assert ([0, 1], [3], [5, 7, 8, 9]) in described(found)
    assert ([7], [2], [3, 4, 5, 8, 9]) in described(found)
    assert len(found) == 9, "a on four sites, b on three, never the same"


def test_configuration_3_tests_on_all_that_it_has_not_seen() -> None:
    found, _ = splits(SHOPS, ("a", "b"), 3, 100, 0)
    assert ([0, 1], [3], [2, 4, 5, 7, 8, 9]) in described(found)
    assert len(found) == 9


def test_experiments_without_pages_to_test_on_are_left_out() -> None:
    assert splits(SHOPS, ("a", "c"), 1, 100, 0) == ([], 0), "all pages of c are on site 4"
    assert splits(SHOPS, ("a", "c"), 3, 100, 0) == ([], 0)


def test_too_many_combinations_are_sampled_by_seed() -> None:
    once, possible = splits(SHOPS, ("a", "b"), 3, 4, 7)
    again, _ = splits(SHOPS, ("a", "b"), 3, 4, 7)
    assert (len(once), possible) == (4, 9)
    assert described(once) == described(again)


def test_f_and_accuracy_by_hand() -> None:
    truth, predicted = np.array([1, 1, 1, 0], dtype=bool), np.array([1, 1, 0, 0], dtype=bool)
    f, accuracy = scores_of(truth, predicted)
    assert f == pytest.approx((4 / 5 + 2 / 3) / 2)
    assert accuracy == 0.75
    assert scores_of(np.array([True, False]), np.array([True, True]))[0] == pytest.approx((2 / 3 + 0) / 2)


ROWS = Split(np.array([0, 1]), np.array([2]), np.array([3, 4]))


def test_naive_bayes_by_hand() -> None:
    """Training: 'tea tea', 'tea' against 'rain'. V = 2; p(tea | 1) = 4/5, p(tea | 2) = 1/3; prior 2 : 1.

    For 'rain rain': 2/3 (1/5)^2 < 1/3 (2/3)^2, so the second. For 'snow', which nobody knows, the prior decides.
    """
    matrix = weigh(counted("tea tea", "tea", "rain", "rain rain", "snow"), Weighting.COUNTS)
    assert naive_bayes(matrix, ROWS).tolist() == [False, True]


def test_support_vectors_separate_what_can_be() -> None:
    products = gram(weigh(counted("tea cup", "tea", "rain", "rain wind", "tea pot"), Weighting.TFIDF))
    assert support_vectors(products, ROWS).tolist() == [False, True]


def task() -> ColumnTask:
    texts = [f"{'tea' if label == 'a' else 'rain'} menu{site}" for label in "ab" for site in "1234"]
    pages = Pages.of(list("aaaabbbb"), list("12341234"))
    return ColumnTask("none", "tfidf", weigh(counted(*texts), Weighting.TFIDF), pages, Setting(("a", "b"), 100, 0))


def test_every_classifier_and_configuration_is_scored() -> None:
    scores = classify_column(task())
    assert [(score.classifier, score.configuration) for score in scores] == [
        (NAIVE_BAYES, 1),
        (NAIVE_BAYES, 2),
        (NAIVE_BAYES, 3),
        (SVM, 2),
    ]
    assert [score.experiments for score in scores] == [4, 12, 12, 12]
    assert [score.accuracy for score in scores if score.configuration != 3] == [1, 1, 1]
    assert list(classify_all([task(), task()], 2)) == [scores, scores]


# Reports


EXPERIMENT = Experiment(
    f"Clustering of {HOSTILE}", (("classes", HOSTILE),), {HOSTILE: {"</table>.example": 2}}, {"none": 1.5}
)


def test_papers_stand_beside_ours() -> None:
    table = clustering_table([ClusteringScore("none", "tfidf", (0.4, 0.8), 3)])
    assert table.rows == (
        ("none", "0.600 (0.506)", "50.0% (47.6%)", "50.0% (0.5%)", "50.0% (0.1%)", "0.0% (0.0%)", "3"),
    )
    pair = PairScore("none", "tf", SVM, 2, ("a", "b"), 3, 3, 0.5, 0.6)
    assert classification_table([pair], "accuracy").rows == (
        ("none", "– (0.932)", "– (0.792)", "– (0.625)", "0.600 (0.785)"),
    )


@pytest.mark.filterwarnings("default")
def test_reports_are_whole_and_harmless() -> None:
    scores = [ClusteringScore(name, "tfidf", (0.4, 0.8), 0) for name in ("none", "a$b_{<i>", "x", "y")]
    pair = PairScore("none", "tfidf", NAIVE_BAYES, 1, (HOSTILE, "\x1b]0;b"), 3, 3, 0.5, 0.6)
    for report in (clustering_report(EXPERIMENT, scores), classification_report(EXPERIMENT, [pair])):
        assert "<script" not in report
        assert "</table>.example" not in report
        assert "\x1b" not in report
        assert "&lt;script&gt;" in report
        assert report.count("<svg") >= 2
        assert not any(f'{attribute}="http' in report for attribute in ("src", "href", "xlink:href"))
        assert "default-src 'none'" in report
    assert clustering_report(EXPERIMENT, scores) == clustering_report(EXPERIMENT, scores)


@pytest.mark.parametrize(
    "package", ["scipy.sparse", "scipy.optimize", "threadpoolctl", "sklearn.svm", "sklearn.preprocessing", "matplotlib"]
)
def test_what_is_not_installed_is_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = {
        "scipy.sparse": lambda: counted("tea").matrix(),
        "scipy.optimize": lambda: best_mean_f(np.array([0]), np.array([0]), 1),
        "threadpoolctl": one_thread,
        "sklearn.svm": lambda: support_vectors(np.eye(5, dtype=np.float32), ROWS),
        "sklearn.preprocessing": lambda: weigh(counted("tea"), Weighting.TF),
        "matplotlib": lambda: clustering_report(EXPERIMENT, [ClusteringScore("none", "tfidf", (0.4,), 0)]),
    }
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(dehusk.MissingExtra, match=r"pip install 'dehusk\[eval\]'"):
        calls[package]()


# Commands


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    kinds = {"tea": "leaves steep cup water", "rain": "clouds wind drops sky"}
    rows = [
        {
            "id": f"{site}{kind}{number}",
            "site": f"{site}.example",
            "url": "",
            "subcategory": kind,
            "html": f"<ul><li>menu{site}<li>tea<li>rain</ul><p>{kind} {words} item{number} {number}</p>".encode(),
        }
        for site in "abcd"
        for kind, words in kinds.items()
        for number in range(3)
    ]
    rows.append({"id": "none", "site": "a.example", "url": "", "subcategory": None, "html": b"<p>unlabelled"})
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / f"labelled{HOSTILE.replace('/', '')}.parquet")
    return tmp_path


OPTIONS = ["--label", "subcategory", "-c", "none", "-c", "style-tree-words", "--pages", "4"]


def test_labels_are_read_without_gold(labelled: Path) -> None:
    chosen = choose_pages(open_corpora([str(labelled)]), Choice("subcategory"))
    assert (len(chosen), chosen.classes) == (24, ("rain", "tea"))
    assert chosen.counts()["tea"] == {f"{site}.example": 3 for site in "abcd"}


def test_the_clustering_command(labelled: Path, tmp_path: Path) -> None:
    files = ["--json", str(tmp_path / "scores.json"), "--report", str(tmp_path / "report.html")]
    result = CliRunner().invoke(app, ["evaluate", "clustering", str(labelled), *OPTIONS, "--runs", "5", *files])
    assert result.exit_code == 0, result.output
    assert "16 pages of 4 sites; classes: rain, tea" in result.output
    assert "idf = ln(n / df)" in " ".join(result.output.split())
    found = json.loads((tmp_path / "scores.json").read_text())
    assert [(score["column"], score["weighting"]) for score in found["scores"]] == [
        ("none", "tfidf"),
        ("style-tree-words", "tfidf"),
        ("none", "tf"),
        ("style-tree-words", "tf"),
    ]
    assert all(len(score["scores"]) == 5 for score in found["scores"])
    assert found["counts"]["tea"] == {f"{site}.example": 2 for site in "abcd"}
    assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>")


def test_the_matching_can_be_chosen(labelled: Path, tmp_path: Path) -> None:
    arguments = [str(labelled), *OPTIONS, "--runs", "2", "--weighting", "tf", "--json", str(tmp_path / "scores.json")]
    result = CliRunner().invoke(app, ["evaluate", "clustering", *arguments, "--matching", "exact"])
    assert result.exit_code == 0, result.output
    scores = json.loads((tmp_path / "scores.json").read_text())["scores"]
    assert [score["column"] for score in scores] == ["none", "style-tree-exact-words"]
    assert "which its authors chose by eye" in " ".join(result.output.split())


def test_the_classification_command(labelled: Path, tmp_path: Path) -> None:
    files = ["--json", str(tmp_path / "scores.json"), "--report", str(tmp_path / "report.html")]
    more = ["--pairs", "--weighting", "tfidf", "--most-combinations", "2"]
    result = CliRunner().invoke(app, ["evaluate", "classification", str(labelled), *OPTIONS, *more, *files])
    assert result.exit_code == 0, result.output
    assert "rain / tea" in result.output
    assert "8 experiments per column, sampled from 40" in " ".join(result.output.split())
    scores = json.loads((tmp_path / "scores.json").read_text())["scores"]
    assert len(scores) == 2 * 4
    assert {score["experiments"] for score in scores} == {2}


def test_the_commands_refuse_what_makes_no_sense(labelled: Path) -> None:
    for command in ("clustering", "classification"):
        for arguments, cause in (
            (["absent.parquet"], "no such file"),
            ([str(labelled)], "has no column category"),
            ([str(labelled), *OPTIONS, "--class", "snow"], "no page has this label"),
            ([str(labelled), *OPTIONS, "-c", "magic"], "no such column"),
        ):
            result = CliRunner().invoke(app, ["evaluate", command, *arguments])
            assert result.exit_code == 2
            assert cause in result.output
    result = CliRunner().invoke(app, ["evaluate", "classification", str(labelled), *OPTIONS, "--sites", "1"])
    assert result.exit_code == 2
    assert "use more sites" in result.output
