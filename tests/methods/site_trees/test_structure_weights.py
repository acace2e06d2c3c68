"""Structure weights: the paper's worked numbers and equations, and what they mean for pages."""

from __future__ import annotations

import builtins
import doctest
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from counted_work import assert_grows_in_step
from hypothesis import given, settings
from hypothesis import strategies as st
from tag_soup import tag_soup
from thoroughness import examples, sized

import dehusk
from dehusk.methods.site_trees import structure_weights
from dehusk.methods.site_trees.structure_weights import StructureWeights, StructureWeightsModel
from dehusk.methods.site_trees.template_positions import Matching
from dehusk.page.page_columns import Page

BOTH = pytest.mark.parametrize("matching", list(Matching))

MENU = "<ul>" + "".join(f"<li><a href=/{n}>Department {n}</a></li>" for n in range(6)) + "</ul>"


def read(bodies: Sequence[str]) -> list[Page]:
    return [dehusk.read_page(f"<body>{body}") for body in bodies]


def position(model: StructureWeightsModel, page: Page, tag: str, number: int = 0) -> int:
    """Where the place of the n-th element of a name is in the tree."""
    row = [row for row, name in enumerate(page.tag_names) if name == tag][number]
    return int(model.tree.find(model._positions_of(page).key[[row]])[0])


def leaf_tags(**changes: Any) -> StructureWeights:
    """Settings under which leaf tags are leaves: small examples need no virtual ones."""
    return StructureWeights(leaf_height=0, **changes)


def as_plain(model: StructureWeightsModel) -> Mapping[str, list[object]]:
    return {name: array.tolist() for name, array in model.counts.as_arrays().items()}


class TestEquations:
    @BOTH
    def test_node_importance_is_that_of_figure_2(self, matching: Matching) -> None:
        # d1 and d2 have one style below root (here BODY), and two below BODY (here MAIN): d1 has a SPAN more.
        same = "<section><p>a</p></section><img src=b>"
        pages = read([f"<main>{same}<span><i>c</i></span></main>", f"<main>{same}</main>"])
        model = leaf_tags(matching=matching).fit(pages)
        assert model.tree.node[position(model, pages[0], "body")] == 0
        assert model.tree.node[position(model, pages[0], "main")] == 1

    def test_node_importance_is_an_entropy_of_shares_of_tags(self) -> None:
        # Three of four use one style: -(3/4 log4 3/4 + 1/4 log4 1/4).
        pages = read(["<div><p>a</p></div>"] * 3 + ["<div><p>a</p><b>c</b></div>"])
        model = leaf_tags().fit(pages)
        expected = -(0.75 * math.log(0.75, 4) + 0.25 * math.log(0.25, 4))
        assert model.tree.node[position(model, pages[0], "div")] == pytest.approx(expected)

    def test_one_tag_has_importance_1(self) -> None:
        pages = read(["<div><p>a</p></div><hr>", "<hr>"])
        model = leaf_tags().fit(pages)
        place = position(model, pages[0], "div")
        assert model.tree.tags[place] == 1
        assert model.tree.node[place] == model.tree.path[place] == 1

    def test_weights_by_hand(self) -> None:
        # One style everywhere, so only the leaf is important. "price" is on three tags of three (entropy 1), "red" on
        # two (log 2 / log 3), the numbers on one each (0).
        pages = read(["<p>price red 7 7</p>", "<p>price red 8</p>", "<p>price 9</p>"])
        model = leaf_tags().fit(pages)
        red = math.log(2) / math.log(3)
        importance = 1 - (1 + red + 0 + 0 + 0) / 5
        place = position(model, pages[0], "p")
        assert model.tree.leaf[place] == pytest.approx(importance)
        assert model.tree.leaf_path[place] == pytest.approx(importance)
        weights = {"price": 0, "red": importance * (1 - red), "7": importance * 2}
        assert model.word_weights(pages[0]) == pytest.approx(weights)

    def test_path_importance_by_hand(self) -> None:
        # Half of four pages have a notice more, so MAIN has importance 1/2 (log4 2). The leaf P: "same" has entropy 1,
        # the four others 0, so it has 4/5; 1 - (1 - 1/2) (1 - 4/5).
        pages = read([f"<main><p>same {n}</p>{'<b>x</b>' * (n % 2)}</main>" for n in range(4)])
        model = leaf_tags(matching=Matching.ALIGNED).fit(pages)
        assert model.tree.path[position(model, pages[0], "main")] == pytest.approx(0.5)
        assert model.tree.leaf_path[position(model, pages[0], "p")] == pytest.approx(0.9)
        assert model.word_weights(pages[0]) == pytest.approx({"same": 0, "0": 0.9})

    def test_an_element_that_is_a_leaf_on_some_pages_only(self) -> None:
        # Being a leaf is one of two styles, on half of the pages each; the leaf hangs below.
        pages = read(["<div>a</div>", "<div>b</div>", "<div><p>c</p></div>", "<div><p>c</p></div>"])
        model = leaf_tags().fit(pages)
        place = position(model, pages[0], "div")
        assert (model.tree.tags[place], model.tree.leaf_tags[place]) == (4, 2)
        assert model.tree.path[place] == pytest.approx(0.5)
        assert model.tree.leaf_path[place] == 1
        assert model.tree.leaf_path[position(model, pages[2], "p")] == pytest.approx(0.5)

    @BOTH
    @given(bodies=st.lists(tag_soup, min_size=1, max_size=4))
    @settings(max_examples=examples(25))
    def test_path_importance_never_falls_on_the_way_down(self, matching: Matching, bodies: list[str]) -> None:
        tree = leaf_tags(matching=matching).fit(read(bodies)).tree
        below = np.flatnonzero(tree.parent >= 0)
        for values in (tree.node, tree.leaf, tree.path, tree.leaf_path, tree.distinction):
            assert ((values >= 0) & (values <= 1)).all()
        assert (tree.path[below] >= tree.path[tree.parent[below]]).all()
        assert (tree.leaf_path >= tree.path - 1e-12).all()


class TestTree:
    def test_grandparents_of_leaf_tags_are_leaves(self) -> None:
        page = dehusk.read_page("<body><main><section><div><p>a</p></div></section></main>")
        for height, leaf in enumerate(["p", "div", "section", "main", "body", "body"]):
            placed = StructureWeights(leaf_height=height).find_positions(page)
            assert [page.tag_names[row] for row in np.flatnonzero(placed.is_leaf)] == [leaf]

    def test_similar_elements_of_a_style_are_merged(self) -> None:
        # Two buttons on each of three pages: one element of six tags, and each word is on all of them.
        pages = read([f"<p>Add to cart</p><p>{n} of its own</p><p>Add to cart</p>" for n in range(3)])
        merged, apart = leaf_tags().fit(pages), leaf_tags(merge_similar=False).fit(pages)
        assert position(merged, pages[0], "p", 0) == position(merged, pages[0], "p", 2)
        assert position(apart, pages[0], "p", 0) != position(apart, pages[0], "p", 2)
        place = position(merged, pages[0], "p")
        assert merged.tree.tags[place] == 6
        assert merged.tree.leaf_path[place] == pytest.approx(0)

    def test_entropy_is_over_tags_of_merged_elements(self) -> None:
        # "new" is on one of six tags; were it counted by page, on one of three. Entropy 0 and path importance decide.
        button = "one two three four five six seven eight"
        pages = read([f"<p>{button}</p><p>{button}{' new new' * (n == 0)}</p>" for n in range(3)])
        model = leaf_tags().fit(pages)
        place = position(model, pages[0], "p")
        assert model.tree.tags[place] == 6
        assert model.tree.leaf_path[place] == pytest.approx(1 / 9)
        assert model.word_weights(pages[0])["new"] == pytest.approx(2 / 9)

    def test_elements_that_say_different_things_are_not_merged(self) -> None:
        pages = read(["<p>Add to cart</p><p>Ask a friend</p>"] * 2 + ["<p>Add to cart</p><p>Ask a friend</p><hr>"])
        model = leaf_tags().fit(pages)
        assert position(model, pages[0], "p", 0) != position(model, pages[0], "p", 1)


class TestWeights:
    @BOTH
    def test_template_weighs_nothing_and_content_much(self, matching: Matching) -> None:
        story = "<main><section><div><p>story {0} tells {1}</p></div></section></main>"
        pages = read([f"<nav><div>{MENU}</div></nav>{story.format(n, n + 100)}" for n in range(10)])
        weights = StructureWeights(matching=matching).fit(pages).word_weights(pages[3])
        assert weights["department"] == weights["story"] == 0
        assert weights["103"] > 0.5

    def test_a_new_place_weighs_1_and_a_new_word_its_place(self) -> None:
        model = leaf_tags().fit(read([f"<p>same {n} {n}</p>" for n in range(4)]))
        weights = model.word_weights(dehusk.read_page("<body><p>same new</p><section>same here here</section>"))
        assert weights == pytest.approx({"same": 1, "new": 0.8, "here": 2})

    def test_without_two_different_pages_all_words_weigh_1(self) -> None:
        page = dehusk.read_page("<title>no</title><body><p>tea tea pot</p><p hidden>no</p>")
        for pages in ([], [page], [page] * 3):
            assert StructureWeights().fit(pages).word_weights(page) == {"tea": 2, "pot": 1}

    def test_vectors(self) -> None:
        pages = read([f"<p>same {name} {name}</p>" for name in ("tea", "cup", "bag")])
        model = leaf_tags().fit(pages)
        vectors = model.vectors([*pages[:2], dehusk.read_page("")])
        assert vectors.vocabulary == ("cup", "tea"), "words without weight are left out"
        assert vectors.matrix.shape == (3, 2)
        assert vectors.matrix.dtype == np.float64
        weight = model.word_weights(pages[0])["tea"]
        assert vectors.matrix.toarray().tolist() == [[0, weight], [weight, 0], [0, 0]]
        nothing = model.vectors([])
        assert (nothing.matrix.shape, nothing.vocabulary) == ((0, 0), ())

    def test_pages_of_several_sites_share_a_matrix(self) -> None:
        vectors = dehusk.weighted_vectors([{"b": 1.0, "a": 0.5}, {"c": 2.0, "a": 0.0}])
        assert vectors.vocabulary == ("a", "b", "c")
        assert vectors.matrix.toarray().tolist() == [[0.5, 1, 0], [0, 0, 2]]

    def test_without_scipy_vectors_say_what_to_install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        real_import = builtins.__import__

        def without_scipy(name: str, *rest: Any) -> Any:
            if name.startswith("scipy"):
                raise ImportError(name)
            return real_import(name, *rest)

        monkeypatch.setattr(builtins, "__import__", without_scipy)
        with pytest.raises(dehusk.MissingExtra, match=r"pip install 'dehusk\[mining\]'"):
            StructureWeights().fit().vectors([])

    def test_docstring_example_runs(self) -> None:
        assert doctest.testmod(structure_weights, extraglobs={"dehusk": dehusk}, raise_on_error=True).attempted > 0


class TestCleaning:
    def test_template_goes_and_content_stays(self) -> None:
        story = "<main><section><div><p>story {0} tells {1}</p></div></section></main>"
        pages = read([f"<nav><div>{MENU}</div></nav>{story.format(n, n + 100)}" for n in range(10)])
        assert dehusk.clean(pages[3], StructureWeights().fit(pages)).text == "story 3 tells 103\n"

    def test_a_block_scores_the_mean_weight_of_its_words(self) -> None:
        pages = read([f"<p>same {n}</p>" for n in range(4)])
        model = leaf_tags().fit(pages)
        assert model.score_blocks(dehusk.segment(pages[0])).tolist() == pytest.approx([(0 + 0.8) / 2])

    def test_what_is_not_known(self) -> None:
        model = leaf_tags().fit(read([f"<p>{n}</p>" for n in range(5)]))
        html = "<title>t</title><body><p>1</p><section>new</section><p hidden>secret</p><p>!</p>"
        blocks = dehusk.segment(dehusk.read_page(html))
        scores = dict(zip(blocks.texts, model.score_blocks(blocks).tolist(), strict=True))
        reasons = dict(zip(blocks.texts, model.explain_blocks(blocks), strict=True))
        assert scores["secret"] == 0
        assert scores["1"] > 0.5
        assert math.isnan(scores["t"])
        assert math.isnan(scores["new"])
        assert math.isnan(scores["!"]), "no words"
        assert "possibly meaningful" in reasons["new"][0]
        assert reasons["1"][0].startswith("its words have a mean weight of")
        assert "this template position has 5 tags on 5 pages" in reasons["1"][1]

    def test_pages_of_the_site_match_and_others_do_not(self) -> None:
        pages = read([f"<nav><div>{MENU}</div></nav><main><div><p>{n}</p></div></main>" for n in range(4)])
        model = StructureWeights().fit(pages)
        assert model.match(pages[0]) == 1
        assert model.match(dehusk.read_page("<table><tr><td>x</table>")) == 0
        assert StructureWeights().fit().match(pages[0]) == 0


class TestLearning:
    @BOTH
    @given(bodies=st.lists(tag_soup, min_size=2, max_size=4), cut=st.integers(0, 4), seed=st.randoms())
    @settings(max_examples=examples(25))
    def test_parts_in_any_order_add_up(self, matching: Matching, bodies: list[str], cut: int, seed: Any) -> None:
        pages = read(bodies)
        method = StructureWeights(matching=matching)
        whole = method.fit(pages)
        seed.shuffle(pages)
        parts = method.fit(pages[:cut]) + method.fit(pages[cut:])
        assert as_plain(parts) == as_plain(whole) == as_plain(method.fit(pages[cut:]).update(pages[:cut]))
        assert all(parts.word_weights(page) == whole.word_weights(page) for page in pages)

    def test_a_saved_model_says_the_same(self, tmp_path: Path) -> None:
        pages = read([f"<nav>{MENU}</nav><p>story {n}</p>" for n in range(5)])
        model = StructureWeights(matching=Matching.EXACT, leaf_height=1, threshold=0.4).fit(pages)
        model.save(tmp_path / "site.dehusk", site="a.example")
        loaded = dehusk.load_model(tmp_path / "site.dehusk")
        assert isinstance(loaded, StructureWeightsModel)
        assert loaded.settings == model.settings
        assert loaded.counts == model.counts
        assert loaded.word_weights(pages[0]) == model.word_weights(pages[0])

    def test_models_of_other_settings_do_not_add_up(self) -> None:
        with pytest.raises(dehusk.ModelError, match="other settings"):
            StructureWeights().fit() + leaf_tags().fit()

    @pytest.mark.parametrize(
        ("setting", "value"), [("threshold", 1.5), ("least_overlap", -0.1), ("leaf_height", -1), ("leaf_height", 1.5)]
    )
    def test_settings_are_checked(self, setting: str, value: float) -> None:
        with pytest.raises(dehusk.InvalidSetting, match=setting):
            StructureWeights(**{setting: value})  # type: ignore[arg-type]

    def test_style_sheets_of_the_page_count_in_exact_matching(self) -> None:
        body = "<body><div><p>a</p></div><div><p id=x>b</p></div>"
        pages = [dehusk.read_page(body), dehusk.read_page(f"<style>#x {{ color: red }}</style>{body}")]
        for style_sheets in (True, False):
            model = leaf_tags(matching=Matching.EXACT, style_sheets=style_sheets).fit(pages)
            assert model.tree.node[position(model, pages[0], "div", 1)] == float(style_sheets)

    @BOTH
    @pytest.mark.parametrize(
        "body",
        [
            lambda size: "<div>" * 4 * size + "deep",
            lambda size: "<p>same words</p>" * size,
            lambda size: "".join(f"<p class=c{n}>word{n}</p>" for n in range(size)),
            lambda size: "<style>" + "p{color:red}" * size + "</style>" + "<p>x</p>" * size,
            lambda size: "\0\ud800<p>\udfff</p>" * size,
        ],
        ids=["deep", "wide", "diverse", "style", "surrogates"],
    )
    def test_hostile_pages_take_little_work(self, matching: Matching, body: Callable[[int], str]) -> None:
        def make_work(size: int) -> Callable[[], object]:
            pages = [dehusk.read_page(body(size)), dehusk.read_page(f"{body(size)}<p>more")]
            return lambda: learn_and_score(*pages)

        def learn_and_score(one: dehusk.Page, other: dehusk.Page) -> None:
            model = StructureWeights(matching=matching).fit([one, other])
            model.word_weights(one)
            model.score_blocks(dehusk.segment(other))

        assert_grows_in_step(make_work, sized(5_000))
