"""Each feature of the paper on small pages, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from tag_soup import tag_soup

import dehusk
from dehusk.methods.sequence_labels.feature_templates import discretise, number_of_values
from dehusk.methods.sequence_labels.run_features import (
    CONTENT,
    DOCUMENT,
    EXPERIMENTS,
    FEATURE_NAMES,
    MARKUP,
    raw_features,
)
from dehusk.methods.sequence_labels.run_measurements import closest_around
from dehusk.methods.sequence_labels.tag_counts import TAGS_OF_SET, TagCounts
from dehusk.methods.sequence_labels.text_runs import find_text_runs


def feature(name: str, html: str) -> list[float]:
    """Its value for each text run."""
    runs = find_text_runs(dehusk.segment(dehusk.read_page(html)))
    return raw_features(runs, [name])[:, 0].round(4).tolist()


def test_there_are_46_with_the_names_of_the_paper() -> None:
    assert len(FEATURE_NAMES) == len(set(FEATURE_NAMES)) == 46
    families = {name.split(".")[0] for name in FEATURE_NAMES}
    assert families == {
        *("container", "split", "char", "token", "sentence", "sentence-begin", "sentence-end", "first-duplicate"),
        *("duplicate-count", "regexp", "bullet", "div-group", "td-group", "position", "document"),
    }
    assert [len(features) for features in (MARKUP, CONTENT, DOCUMENT)] == [15, 25, 6]


def test_experiments_of_the_paper() -> None:
    assert {name: len(names) for name, names in EXPERIMENTS.items()} == {
        "exp-1": 46,
        "exp-2": 42,
        "exp-3": 40,
        "markup-only": 15,
        "content-only": 25,
    }
    assert set(EXPERIMENTS["exp-2"]) - set(EXPERIMENTS["exp-3"]) == {"regexp.url", "document.word-count"}


CONTAINERS = [
    ("p", "<p>a<b>b</b></p>c", [1, 1, 0]),
    ("a", "<p>a <a href=x>b <b>c</b></a> d</p>", [0, 1, 1, 0]),
    ("u", "a<u>b</u>", [0, 1]),
    ("img", "<div>a<p>b<img src=x></p><p>c</p></div>", [0, 1, 0]),
    ("li", "<ul>a<li>b<p>c</ul>d", [0, 1, 1, 0]),
    ("class-header", "<h1>a</h1><h6>b <i>c</i></h6><p>d", [1, 1, 1, 0]),
    ("class-bold", "<b>a</b><strong>b</strong>c", [1, 1, 0]),
    ("class-italic", "<i>a</i><em>b</em>c", [1, 1, 0]),
    ("class-list", "<ol>a<li>b</ol><dl><dd>c</dl>d", [1, 1, 1, 0]),
    ("class-form", "<form>a<div>b</div></form><button>c</button>d", [1, 1, 1, 0]),
]


@pytest.mark.parametrize(("name", "html", "values"), CONTAINERS)
def test_containers(name: str, html: str, values: list[float]) -> None:
    assert feature(f"container.{name}", html) == values


SPLITS = [
    ("p", "<p>a</p><p>b</p><p></p>c <b>d</b>", [1, 2, 3, 0]),
    ("br", "a<br>b<br><br>c<p>d", [0, 1, 2, 0]),
    ("hr", "a<hr>b<hr><hr>c", [0, 1, 2]),
    ("class-inline", "<p>a <b><i>b</i></b> c<img src=x>d<br>e</p>", [0, 2, 2, 1, 0]),
    ("class-inline", "<p>a<my-widget>b</my-widget></p>", [0, 1]),
    ("class-inline", "<p>a<span hidden><b>x</b></span>b</p>", [0, 0]),
    ("class-block", "<div>a<p>b</p></div><ul><li>c</ul>d <b>e</b>", [3, 1, 4, 2, 0]),  # html, body and div
]


@pytest.mark.parametrize(("name", "html", "values"), SPLITS)
def test_splits_count_start_and_end_tags(name: str, html: str, values: list[float]) -> None:
    assert feature(f"split.{name}", html) == values


CHARACTERS = [
    ("char.alpha-rel", "ab 1.", [0.4]),
    ("char.num-rel", "ab 1.", [0.2]),
    ("char.punct-rel", "ab 1.", [0.2]),
    ("char.white-rel", "ab \n\t 1.", [0.2]),
    ("char.other-rel", "a+$1", [0.5]),
    ("char.alpha-rel", "žluť中é̂ …", [round(7 / 9, 4)]),
    ("char.alpha-rel", "<b>ab</b><i>..</i><u>a1</u>", [1, 0, 0.5]),
    ("char.alpha-rel", "𝒳𐐀1", [round(2 / 3, 4)]),
]


@pytest.mark.parametrize(("name", "html", "values"), CHARACTERS)
def test_shares_of_characters(name: str, html: str, values: list[float]) -> None:
    assert feature(name, html) == values


TOKENS = "<p>Don't wait, see 12 of 3.5 B52s -- now</p><p>!</p>"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("token.alpha-abs", [5, 0]),
        ("token.num-abs", [2, 0]),
        ("token.mix-abs", [1, 0]),
        ("token.other-abs", [1, 1]),
        ("token.alpha-rel", [round(5 / 9, 4), 0]),
        ("token.num-rel", [round(2 / 9, 4), 0]),
        ("token.mix-rel", [round(1 / 9, 4), 0]),
        ("token.other-rel", [round(1 / 9, 4), 1]),
    ],
)
def test_tokens(name: str, values: list[float]) -> None:
    assert feature(name, TOKENS) == values


def test_letters_of_unspaced_scripts_are_words() -> None:
    assert feature("token.alpha-abs", "<p>中文字，好。</p><p>ab中文cd ef</p>") == [4, 5]


SENTENCES = [
    ("sentence.count", "<p>One. Two! Three?!</p><p>Four... 3.14 a.example.</p><p>none</p>", [3, 2, 0]),
    ("sentence.count", "<p>他来了。我走了！</p><p>Said “so.” (Really?)</p><p>क्या है।", [2, 2, 1]),
    ("sentence.avg-length", "<p>One two three. Four.</p><p>one two</p><p>.</p>", [2, 2, 0]),
    (
        "sentence-begin",
        "<p>One <b>two</b> <i>“Three”</i> <u>¿Qué?</u> <s>, four</s> <em>5</em> 中",
        [1, 0, 1, 1, 0, 1, 1],
    ),
    (
        "sentence-end",
        "<p>One. <b>Two</b> <i>three?”</i> <u>(four.)”</u> <s>five:</s> <em>好。</em> )",
        [1, 0, 1, 1, 0, 1, 0],
    ),
]


@pytest.mark.parametrize(("name", "html", "values"), SENTENCES)
def test_sentences(name: str, html: str, values: list[float]) -> None:
    assert feature(name, html) == values


def test_duplicates_have_the_same_letters() -> None:
    html = "<p>Read more...</p><p>text</p><p>Read  more (3)</p><p>|</p><p>12</p><p>Readmore</p><p>txet</p>"
    assert feature("duplicate-count", html) == [3, 1, 3, 2, 2, 3, 1]
    assert feature("first-duplicate", html) == [1, 0, 0, 1, 0, 0, 0]


GROUPS = "<div>a<div>b<p>c</p></div>d<div>e<p>f</p></div>g</div>"


def test_groups_of_the_papers_example() -> None:
    # (a, d, g), (b, c), (e, f): with 1, 2, 3, ... words the groups have 12, 5 and 11 of 28.
    html = GROUPS
    for count, letter in enumerate("abcdefg", start=1):
        html = html.replace(f">{letter}<", f">{' '.join(letter * count)}<")
    sizes = [12, 5, 5, 12, 11, 11, 12]
    assert feature("div-group.word-ratio", html) == [round(size / 28, 4) for size in sizes]
    assert feature("document.max-div-group", html) == [round(12 / 28, 4)] * 7
    assert feature("td-group.word-ratio", html) == [0] * 7


def test_words_in_links_do_not_make_a_group_large() -> None:
    html = "<div>one <a href=x>two three</a></div><div>four five six</div>seven"
    assert feature("div-group.word-ratio", html) == [0.2, 0.2, 0.6, 0]


def test_cells_are_groups() -> None:
    html = "<table><tr><td>a b<td>c<table><tr><td>d</table></table>"
    assert feature("td-group.word-ratio", html) == [0.5, 0.25, 0.25]
    assert feature("document.max-td-group", html) == [0.5] * 3


def test_nothing_but_links_makes_no_group() -> None:
    assert feature("div-group.word-ratio", "<div><a href=x>one</a></div>") == [0]


DOCUMENT_NUMBERS = [
    ("position", [0, 0.25, 0.5, 0.75]),
    ("document.word-count", [5] * 4),
    ("document.sentence-count", [2] * 4),
    ("document.block-count", [4] * 4),
]


@pytest.mark.parametrize(("name", "values"), DOCUMENT_NUMBERS)
def test_document_features(name: str, values: list[float]) -> None:
    assert feature(name, "<p>One two. Three</p><p>four</p><p>5 -</p><p>five.</p>") == values


def test_features_are_switched_by_name() -> None:
    runs = find_text_runs(dehusk.segment(dehusk.read_page(TOKENS)))
    everything = raw_features(runs)
    some = raw_features(runs, EXPERIMENTS["exp-3"])
    assert some.shape == (2, 40)
    assert (some == everything[:, [FEATURE_NAMES.index(name) for name in EXPERIMENTS["exp-3"]]]).all()


@pytest.mark.parametrize("html", ["", "<p hidden>x", "<p>x", "\ud800", "<p>𝒳", "<div>" * 2000 + "x"])
def test_hardly_any_text(html: str) -> None:
    runs = find_text_runs(dehusk.segment(dehusk.read_page(html)))
    numbers = raw_features(runs)
    assert numbers.shape == (len(runs), 46)
    assert np.isfinite(numbers).all()


def test_a_page_of_fifty_thousand_text_runs() -> None:
    runs = find_text_runs(dehusk.segment(dehusk.read_page("<div>a <b>5 May</b></div>" * 25_000)))
    assert len(runs) == 50_000
    numbers = raw_features(runs, ["duplicate-count", "regexp.date", "div-group.word-ratio", "position"])
    assert (numbers[:, 0] == 25_000).all()
    assert numbers[:4, 1].tolist() == [0, 4, 0, 4]
    assert np.allclose(numbers[:, 2], 1 / 25_000)
    assert numbers[-1, 3] == 1 - 1 / 50_000


def test_nested_groups() -> None:
    runs = find_text_runs(dehusk.segment(dehusk.read_page("<div>a" * 300 + "</div>b" * 300)))
    words = [2] * 299 + [1] + [2] * 299 + [0]  # an a and a b in each but the innermost; the last b is outside of all
    assert np.allclose(raw_features(runs, ["div-group.word-ratio"])[:, 0] * 600, words)


@given(tag_soup)
def test_groups_and_containers_are_what_climbing_finds(html: str) -> None:
    page = dehusk.read_page(html)
    runs = find_text_runs(dehusk.segment(page))
    for tag in ("div", "td", "li", "my-widget"):
        mask = np.array([name == tag for name in page.tag_names])
        assert closest_around(page, mask, runs.row).tolist() == page.climb(runs.row, mask).tolist()
    counts = TagCounts(runs)
    for tags in ("a", "p", "li", "class-bold", "class-list", "class-form", "class-block", "class-inline"):
        known = TAGS_OF_SET[tags] | (set(page.other_tags) if tags == "class-inline" else set())
        mask = np.array([name in known for name in page.tag_names])
        assert counts.around(tags).tolist() == page.covered(mask)[runs.row].tolist()


@given(tag_soup)
def test_features_of_any_page_are_finite(html: str) -> None:
    runs = find_text_runs(dehusk.segment(dehusk.read_page(html)))
    numbers = raw_features(runs)
    assert numbers.shape == (len(runs), len(FEATURE_NAMES))
    assert np.isfinite(numbers).all()
    assert (numbers >= 0).all()
    shares = [position for position, name in enumerate(FEATURE_NAMES) if name.endswith(("-rel", "-ratio"))]
    assert (numbers[:, shares] <= 1 + 1e-9).all()
    characters = numbers[:, [FEATURE_NAMES.index(name) for name in FEATURE_NAMES if name.startswith("char.")]]
    assert np.allclose(characters.sum(axis=1), 1)
    values = discretise(numbers)
    assert (values < [number_of_values(name) for name in FEATURE_NAMES]).all()
