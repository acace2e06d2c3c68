"""The site style tree: the paper's worked examples, and what they mean for pages."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dehusk
from dehusk.methods.site_trees.style_tree import StyleTree, StyleTreeModel
from dehusk.methods.site_trees.template_positions import Matching, find_positions
from dehusk.page.page_columns import Page

BOTH = pytest.mark.parametrize("matching", list(Matching))


def position(model: StyleTreeModel, page: Page, row: int) -> int:
    """Where the place of a row is in the tree."""
    placed = find_positions(page, model.settings.matching, model.settings.virtual_leaves)
    return int(model.tree.find(placed.key[[row]])[0])


def rows_of(page: Page, tag: str) -> list[int]:
    return [row for row, name in enumerate(page.tag_names) if name == tag]


MENU = "<ul>" + "".join(f"<li><a href=/{n}>Department number {n}</a></li>" for n in range(6)) + "</ul>"


def read(bodies: list[str]) -> list[Page]:
    return [dehusk.read_page(f"<body>{body}") for body in bodies]


@BOTH
def test_two_pages_are_merged_as_in_figure_3(matching: Matching) -> None:
    # d1 and d2 share TABLE-IMG-TABLE below BODY; below the right table their styles differ. (Sections stand for the
    # tables: html puts a TBODY into those.)
    same = "<section><p>menu</p></section><img src=logo.gif>"
    pages = read(
        [
            f"{same}<section><p>a</p><img src=x><p>b</p><a>c</a></section>",
            f"{same}<section><p>a</p><br><p>b</p></section>",
        ]
    )
    counts = StyleTree(matching=matching, virtual_leaves=False).fit(pages).counts
    body, right = (
        find_positions(pages[0], matching, False).key[row]
        for row in (rows_of(pages[0], "body")[0], rows_of(pages[0], "section")[1])
    )
    styles = counts.styles
    assert counts.pages == 2
    assert styles.counts[styles.keys[:, 0] == body].tolist() == [[2]]
    assert styles.counts[styles.keys[:, 0] == right].tolist() == [[1], [1]]


@BOTH
def test_node_importance_is_that_of_figure_4(matching: Matching) -> None:
    # A hundred pages with TABLE-IMG-TABLE-TABLE below BODY; one table has four styles, on 35, 25, 25 and 15 pages.
    styles = ["<p>a</p><p>b</p>"] * 35 + ["<p>a</p>"] * 25 + ["<p>a</p><a>b</a>"] * 25 + ["<img src=a>"] * 15
    pages = read([f"<div><p>x</p></div><img src=y><div>{inner}</div><div><p>z</p></div>" for inner in styles])
    model = StyleTree(matching=matching, virtual_leaves=False).fit(pages)
    body, table = rows_of(pages[0], "body")[0], rows_of(pages[0], "div")[1]
    assert model.tree.node[position(model, pages[0], body)] == pytest.approx(0)
    assert model.tree.node[position(model, pages[0], table)] == pytest.approx(0.292, abs=0.0005)


def test_composite_importance_by_hand() -> None:
    # Below the root one style: a leaf that never changes, and one whose two words are other words on each of two pages.
    pages = read(["<p>same</p><div>one two</div>", "<p>same</p><div>three four</div>"])
    model = StyleTree(virtual_leaves=False).fit(pages)
    tree = model.tree
    assert tree.composite[position(model, pages[0], rows_of(pages[0], "p")[0])] == pytest.approx(0)
    assert tree.composite[position(model, pages[0], rows_of(pages[0], "div")[0])] == pytest.approx(1)
    # Equation 2 with l = 1, NodeImp = 0 and equation 3 = (0 + 1) / 2.
    assert tree.composite[position(model, pages[0], rows_of(pages[0], "body")[0])] == pytest.approx(0.9 * 0.5)


def test_leaf_importance_by_hand() -> None:
    # "price" is on all three pages (entropy 1), "red" on two (log 2 / log 3), the others on one (0).
    pages = read(["<p>price red 7</p>", "<p>price red 8</p>", "<p>price 9</p>"])
    model = StyleTree(virtual_leaves=False).fit(pages)
    entropies = [1, math.log(2) / math.log(3), 0, 0, 0]
    place = position(model, pages[0], rows_of(pages[0], "p")[0])
    assert model.tree.composite[place] == pytest.approx(1 - sum(entropies) / 5)


def test_entropy_counts_occurrences_not_pages() -> None:
    # p_ij is a share of the occurrences of a feature: three on one page and one on the other.
    pages = read(["<p>go go go</p>", "<p>go</p>"])
    model = StyleTree(virtual_leaves=False).fit(pages)
    entropy = -(0.75 * math.log2(0.75) + 0.25 * math.log2(0.25))
    place = position(model, pages[0], rows_of(pages[0], "p")[0])
    assert model.tree.composite[place] == pytest.approx(1 - entropy)


@BOTH
def test_template_goes_and_content_stays(matching: Matching) -> None:
    bodies = [f"<nav>{MENU}</nav><main><div><p>story {n} tells {n + 100}</p></div></main>" for n in range(10)]
    pages = read(bodies)
    model = StyleTree(matching=matching).fit(pages)
    assert dehusk.clean(pages[3], model).text == "story 3 tells 103\n"


def test_aligned_positions_survive_an_optional_element() -> None:
    menu = f"<nav>{MENU}</nav>"
    pages = read([f"{menu}<main><div><p>story {n}</p></div></main>" for n in range(10)])
    with_notice = dehusk.read_page(
        f"<body><div class=notice><div><p>News!</p></div></div>{menu}<main><div><p>new</p></div></main>"
    )
    aligned, exact = (StyleTree(matching=matching).fit(pages) for matching in (Matching.ALIGNED, Matching.EXACT))
    assert "Department" not in dehusk.clean(with_notice, aligned).text
    assert "Department" in dehusk.clean(with_notice, exact).text, "one element more, and nothing below matches"


def test_what_has_no_place_is_kept_and_hidden_text_is_not() -> None:
    model = StyleTree().fit(read([f"<p>{n}</p>" for n in range(5)]))
    blocks = dehusk.segment(dehusk.read_page("<section><div><h2>new</h2></div></section><p hidden>secret</p>"))
    scores = model.score_blocks(blocks)
    assert np.isnan(scores[0])
    assert scores[1] == 0
    assert "possibly meaningful" in model.explain_blocks(blocks)[0][0]


def test_a_site_of_one_page_or_none_keeps_everything() -> None:
    page = dehusk.read_page("<nav>Home</nav><p>text</p>")
    for pages in ((), (page,)):
        assert dehusk.clean(page, StyleTree().fit(pages)).text == "Home\n\ntext\n"


def test_settings_are_checked() -> None:
    with pytest.raises(dehusk.InvalidSetting, match="threshold: 2 is outside 0 to 1"):
        StyleTree(threshold=2)
