"""The site style tree: one test for each rule by which it judges blocks, and for what it says of pages and words."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import dehusk
from dehusk.deciding.decisions import label_blocks
from dehusk.methods.site_trees.style_tree import StyleTree, StyleTreeModel
from dehusk.methods.site_trees.template_positions import Matching
from dehusk.page.page_columns import Page

BOTH = pytest.mark.parametrize("matching", list(Matching))
NUMBER = 12


def word(number: int) -> str:
    """Another word for every number."""
    return "w" + "".join(chr(97 + int(digit)) for digit in str(number))


def words(page: int, number: int) -> str:
    """So many words that no other page has."""
    return " ".join(word(1000 * (page + 1) + position) for position in range(number))


def read(body: str) -> Page:
    return dehusk.read_page(f"<body>{body}")


def story(page: int, number: int = 40) -> str:
    return f"<main><div><p>{words(page, number)}</p></div></main>"


def scores(model: StyleTreeModel, page: Page) -> dict[str, float]:
    blocks = dehusk.segment(page)
    return dict(zip(blocks.texts, model.score_blocks(blocks).tolist(), strict=True))


def reasons(model: StyleTreeModel, page: Page) -> dict[str, tuple[str, ...]]:
    blocks = dehusk.segment(page)
    return dict(zip(blocks.texts, model.explain_blocks(blocks), strict=True))


def kept(model: StyleTreeModel, page: Page) -> set[str]:
    labelled = label_blocks(dehusk.segment(page), model)
    return {labelled.blocks.texts[index] for index in labelled.kept}


BLOCK_BY_BLOCK = StyleTree(change_price=0, virtual_leaves=False, threshold=0.15)
"""Without regions, and every paragraph a leaf."""


class TestRarity:
    MENU = "".join(f"<p>{words(99 + item, 3)}</p>" for item in range(6))

    def test_an_item_that_is_one_position_further_down_on_some_pages_is_still_dropped(self) -> None:
        bodies = [f"<nav>{'<p>sale</p>' * (page % 2)}{self.MENU}</nav>{story(page)}" for page in range(20)]
        model = BLOCK_BY_BLOCK.fit(map(read, bodies))
        for number, body in enumerate(bodies[:2]):
            assert kept(model, read(body)) - {"sale"} == {words(number, 40)}

    def test_the_place_alone_would_keep_it(self) -> None:
        # Half of the pages have each text at a place: its importance is 1 - log 10 / log 20.
        bodies = [f"<nav>{'<p>sale</p>' * (page % 2)}{self.MENU}</nav>{story(page)}" for page in range(20)]
        model = BLOCK_BY_BLOCK.fit(map(read, bodies))
        importance = 1 - math.log(10) / math.log(20)
        assert scores(model, read(bodies[1]))[words(99, 3)] == pytest.approx(importance / 2)
        assert model.cut < importance

    def test_a_text_on_one_page_is_rare_and_one_on_all_is_not(self) -> None:
        # The place is not known, so the text alone decides.
        model = BLOCK_BY_BLOCK.fit([read(f"<p>same</p>{'<p>half</p>' * (page % 2)}{story(page)}") for page in range(4)])
        page = read("<h4>same</h4><h5>half</h5><h6>new</h6>")
        found = scores(model, page)
        assert found["same"] == 0
        assert found["half"] == pytest.approx(1 - math.log(2) / math.log(4))
        assert math.isnan(found["new"])


class TestSharedLinks:
    def related(self, page: int, wide: int, link: str = "<p><a href=/{0}>{1}</a></p>") -> str:
        """A list of links to so many of the pages that follow; their texts are headlines of four words."""
        others = [(page + step) % NUMBER for step in range(1, wide + 1)]
        return "<aside>" + "".join(link.format(word(other), words(50 + other, 4)) for other in others) + "</aside>"

    def kept_of_lists(self, lists: list[str]) -> str:
        pages = [read(related + story(page)) for page, related in enumerate(lists)]
        return dehusk.clean(pages[3], BLOCK_BY_BLOCK.fit(pages)).text

    def test_links_that_vary_but_are_on_several_pages_are_dropped(self) -> None:
        assert words(54, 4) not in self.kept_of_lists([self.related(page, 3) for page in range(NUMBER)])

    def test_links_that_are_on_one_page_only_are_kept(self) -> None:
        assert words(54, 4) in self.kept_of_lists([self.related(page, 1) for page in range(NUMBER)])

    def test_the_same_texts_without_links_are_kept(self) -> None:
        without = "<p>{1}</p>"
        assert words(54, 4) in self.kept_of_lists([self.related(page, 3, without) for page in range(NUMBER)])

    def test_a_target_that_others_have_is_enough(self) -> None:
        lists = [
            f"<aside><p><a href=/{page // 2}?from={page}#top>{words(page, 3)} so</a></p></aside>"
            for page in range(NUMBER)
        ]
        assert f"{words(3, 3)} so" not in self.kept_of_lists(lists)

    def test_a_target_that_no_other_has_is_not(self) -> None:
        lists = [
            f"<aside><p><a href=/{page}?from={page}#top>{words(page, 3)} so</a></p></aside>" for page in range(NUMBER)
        ]
        assert f"{words(3, 3)} so" in self.kept_of_lists(lists)

    def test_a_shared_link_within_a_text_counts_for_its_share(self) -> None:
        pages = [read(f"<p>aaaa{word(page)} <a href=/home>bbbb{word(page)}</a></p>") for page in range(10)]
        model = BLOCK_BY_BLOCK.fit(pages)
        (score,) = scores(model, pages[3]).values()
        assert score == pytest.approx(0.5)
        assert "50% of it is links that other pages have, too" in reasons(model, pages[3]).popitem()[1]


class TestRegions:
    SETTINGS = StyleTree(virtual_leaves=False, threshold=0.12)
    FOOT = "<footer>" + "".join(f"<p>{words(90 + line, 10)}</p>" for line in range(4)) + "<p>{stamp}</p></footer>"

    def bodies(self) -> list[str]:
        facts = "<table><tr><td>Colour</td><td>{0}</td></tr><tr><td>Weight</td><td>{1}</td></tr></table>"
        return [
            story(page, 250)
            + facts.format(words(20 + page, 5), words(40 + page, 5))
            + self.FOOT.format(stamp=word(page))
            for page in range(NUMBER)
        ]

    def model_and_page(self, settings: StyleTree) -> tuple[StyleTreeModel, Page]:
        pages = [read(body) for body in self.bodies()]
        return settings.fit(pages), pages[3]

    def test_labels_are_kept_with_the_facts_and_a_stamp_goes_with_the_foot(self) -> None:
        model, page = self.model_and_page(self.SETTINGS)
        assert {"Colour", "Weight"} <= kept(model, page)
        assert not {word(3), words(90, 10)} & kept(model, page)

    def test_block_by_block_it_would_be_the_other_way_round(self) -> None:
        model, page = self.model_and_page(replace(self.SETTINGS, change_price=0))
        assert not {"Colour", "Weight", words(90, 10)} & kept(model, page)
        assert word(3) in kept(model, page)

    @pytest.mark.parametrize(("length", "is_kept"), [(5, False), (250, True)])
    def test_short_pages_pay_in_proportion(self, length: int, is_kept: bool) -> None:
        pages = [read(f"<div><p>Label</p><p>{words(page, length)}</p></div>") for page in range(NUMBER)]
        assert ("Label" in kept(self.SETTINGS.fit(pages), pages[3])) == is_kept

    def test_scores_stay_on_the_side_of_the_decision(self) -> None:
        model, page = self.model_and_page(self.SETTINGS)
        found = scores(model, page)
        assert found["Colour"] == np.float32(model.threshold)
        assert found[word(3)] < model.threshold
        assert found[words(20 + 3, 5)] == 1

    def test_reasons_tell_where_the_region_decided(self) -> None:
        model, page = self.model_and_page(self.SETTINGS)
        found = reasons(model, page)
        assert found["Colour"][-1] == "kept with its surroundings"
        assert found[word(3)][-1] == "dropped with its surroundings"
        assert not any("surrounds" in reason for reason in found[words(20 + 3, 5)] + found[words(90, 10)])


class TestMarksWithoutWords:
    """A bullet or an arrow has no words to judge it by."""

    BODY = "<ul><li>Home page of all</li><li>»</li><li>Shop with all things</li></ul><div><p>{}</p><p>* * *</p></div>"

    @BOTH
    def test_go_with_the_menu_they_are_in(self, matching: Matching) -> None:
        pages = [read(self.BODY.format(words(page, 30))) for page in range(6)]
        assert kept(StyleTree(matching=matching).fit(pages), pages[1]) == {words(1, 30), "* * *"}

    @BOTH
    def test_stay_if_nothing_is_known_of_their_place(self, matching: Matching) -> None:
        model = StyleTree(matching=matching).fit([read(self.BODY.format(words(page, 30))) for page in range(6)])
        assert kept(model, read("<section><h2>†</h2></section>")) == {"†"}

    def test_stay_on_pages_of_nothing_else(self) -> None:
        pages = [read(f"<p>{mark}</p>") for mark in ("»", "*", "—")]
        assert kept(StyleTree().fit(pages), pages[1]) == {"*"}


class TestTitle:
    def score(self, rest: str, matching: Matching = Matching.ALIGNED) -> float:
        pages = [dehusk.read_page(f"<title>About tea</title><body>{rest}{story(page)}") for page in range(5)]
        model = StyleTree(matching=matching).fit(pages)
        assert reasons(model, pages[1])["About tea"]
        return scores(model, pages[1])["About tea"]

    @BOTH
    def test_goes_beside_a_heading_that_shows(self, matching: Matching) -> None:
        assert self.score("<h1>Tea</h1>", matching) == 0

    @BOTH
    @pytest.mark.parametrize(
        "rest",
        [
            "",
            "<h2>Tea</h2>",
            "<h1></h1>",
            "<h1> \n <img src=logo.png> </h1>",
            "<h1 hidden>Tea</h1>",
            "<h1 style='display:none'>Tea</h1>",
            "<h1><span hidden>Tea</span></h1>",
            "<div hidden><h1>Tea</h1></div>",
        ],
    )
    def test_has_no_opinion_on_it_without(self, rest: str, matching: Matching) -> None:
        assert math.isnan(self.score(rest, matching))


class TestUnknownPlaces:
    FOOT = "<footer><div><p>imprint</p></div></footer>"
    MORE = "<footer><div><p>imprint</p></div><section><p>never seen</p></section></footer>"

    def model(self, matching: Matching) -> StyleTreeModel:
        settings = StyleTree(matching=matching, virtual_leaves=False, threshold=0.15)
        return settings.fit([read(story(page) + self.FOOT) for page in range(8)])

    def test_are_dropped_in_a_noisy_element(self) -> None:
        found = scores(self.model(Matching.EXACT), read(story(9) + self.MORE))
        assert found["never seen"] == found["imprint"] == 0

    @BOTH
    def test_are_possibly_meaningful_elsewhere(self, matching: Matching) -> None:
        model = self.model(matching)
        page = read("<section><div><p>never seen</p></div></section>" * 2)
        assert math.isnan(scores(model, page)["never seen"])
        assert "possibly meaningful" in reasons(model, page)["never seen"][0]


class TestThreshold:
    def pages(self) -> list[Page]:
        menu = "<nav><ul><li>Home</li><li>Shop</li></ul></nav>"
        return [read(f"{menu}<p>price {word(page // 3)}</p>{story(page, 8)}") for page in range(10)]

    @BOTH
    @pytest.mark.parametrize("threshold", [None, 0.0, 0.2, 0.55, 1.0])
    def test_another_one_is_the_same_as_learning_with_it(self, matching: Matching, threshold: float | None) -> None:
        pages = self.pages()
        changed = StyleTree(matching=matching, threshold=0.3).fit(pages).with_threshold(threshold)
        learnt = StyleTree(matching=matching, threshold=threshold).fit(pages)
        assert changed.settings == learnt.settings
        assert (changed.cut, changed.threshold) == (learnt.cut, learnt.threshold)
        np.testing.assert_array_equal(changed.marks.noisy, learnt.marks.noisy)
        for page in pages[:3]:
            blocks = dehusk.segment(page)
            np.testing.assert_array_equal(changed.score_blocks(blocks), learnt.score_blocks(blocks))
            assert changed.explain_blocks(blocks) == learnt.explain_blocks(blocks)

    def test_changing_it_leaves_the_model_as_it_was(self) -> None:
        model = StyleTree().fit(self.pages())
        before = model.cut
        assert model.with_threshold(0.9).cut == 0.9
        assert (model.cut, model.settings) == (before, StyleTree())

    @pytest.mark.parametrize(("matching", "low", "high"), [(Matching.ALIGNED, 0.08, 0.16), (Matching.EXACT, 0.1, 0.4)])
    def test_is_found_within_bounds_if_none_is_given(self, matching: Matching, low: float, high: float) -> None:
        for pages in ([], self.pages()):
            assert low <= StyleTree(matching=matching).fit(pages).cut <= high

    @pytest.mark.parametrize("threshold", [0.0, 0.1, 0.2, 0.7])
    def test_what_is_no_more_important_goes(self, threshold: float) -> None:
        model = StyleTree(threshold=threshold).fit(self.pages())
        assert np.float32(threshold) < np.float32(model.threshold)
        assert model.threshold == pytest.approx(threshold, abs=1e-6)

    @BOTH
    def test_of_0_drops_just_what_is_the_same_everywhere(self, matching: Matching) -> None:
        pages = self.pages()
        text = dehusk.clean(pages[2], StyleTree(matching=matching, threshold=0.0, change_price=0).fit(pages)).text
        assert text == f"price {word(0)}\n\n{words(2, 8)}\n"

    @BOTH
    def test_of_1_drops_everything_with_a_place(self, matching: Matching) -> None:
        pages = self.pages()
        assert dehusk.clean(pages[2], StyleTree(matching=matching, threshold=1.0).fit(pages)).text == ""

    @pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
    def test_outside_0_to_1_is_refused(self, threshold: float) -> None:
        with pytest.raises(dehusk.InvalidSetting, match="threshold"):
            StyleTree().fit().with_threshold(threshold)


@pytest.mark.parametrize("price", [-1, float("nan"), float("inf")])
def test_a_price_that_is_none_is_refused(price: float) -> None:
    with pytest.raises(dehusk.InvalidSetting, match="change_price"):
        StyleTree(change_price=price)


def test_a_way_of_matching_that_is_none_is_refused() -> None:
    with pytest.raises(dehusk.InvalidSetting, match="matching: 'vague' must be one of exact, aligned"):
        StyleTree(matching="vague")  # type: ignore[arg-type]
    assert StyleTree(matching="exact").matching is Matching.EXACT  # type: ignore[arg-type]


class TestWithoutATemplate:
    BODY = "<nav>Home</nav><p>text</p><p hidden>secret</p>"

    @BOTH
    @pytest.mark.parametrize("number", [0, 1, 5])
    def test_everything_is_kept_and_reasons_say_why(self, number: int, matching: Matching) -> None:
        page = read(self.BODY)
        model = StyleTree(matching=matching).fit([page] * number)
        assert not model.knows_a_template
        assert kept(model, page) == {"Home", "text"}
        assert scores(model, page)["secret"] == 0
        assert math.isnan(scores(model, page)["Home"])
        assert reasons(model, page)["Home"] == ("fewer than two different pages were learnt: no template is known",)
        assert model.noisy_words(dehusk.segment(page)) == {}

    def test_two_different_pages_are_enough(self) -> None:
        assert StyleTree().fit([read(self.BODY), read(self.BODY + "<p>more</p>")]).knows_a_template

    @pytest.mark.parametrize("other", ["<p hidden>other</p>", "<script>other</script>", "<img src=x>"])
    def test_pages_of_the_same_text_are_not_different(self, other: str) -> None:
        assert not StyleTree().fit([read(self.BODY), read(self.BODY + other)]).knows_a_template


class TestMatch:
    SITE = "<nav class=menu><ul><li>Home</li><li>Shop</li></ul></nav>{}<footer class=end><p>Imprint</p></footer>"
    OTHER = "<table class=x><tr><td>Another</td></tr></table><section class=y><h2>site</h2></section>"

    @BOTH
    def test_is_near_1_for_pages_of_the_site_and_near_0_for_others(self, matching: Matching) -> None:
        pages = [read(self.SITE.format(story(page))) for page in range(8)]
        model = StyleTree(matching=matching).fit(pages[:-1])
        assert model.match(pages[-1]) == 1
        assert model.match(read(self.OTHER)) == 0
        assert model.match(dehusk.read_page("")) == 0

    def test_is_the_share_of_leaves_at_positions_of_two_pages(self) -> None:
        pages = [
            read("<p>same</p>" + "<h4>half</h4>" * (page < 2) + "<h5>seldom</h5>" * (page < 1)) for page in range(4)
        ]
        model = StyleTree(virtual_leaves=False).fit(pages)
        assert model.match(read("<p>same</p>")) == 1
        assert model.match(read("<p>same</p><h4>half</h4><h5>seldom</h5><h6>never</h6>")) == pytest.approx(1 / 2)

    def test_is_high_for_small_families_too(self) -> None:
        shop = [read(f"<div class=shop><h2>{words(page, 3)}</h2><p>Add to basket</p></div>") for page in range(3)]
        magazine = [read(f"<article class=post>{story(page)}</article>") for page in range(9)]
        assert StyleTree().fit(shop[:2] + magazine).match(shop[2]) == 1

    @BOTH
    def test_is_0_for_a_model_of_no_pages(self, matching: Matching) -> None:
        assert StyleTree(matching=matching).fit().match(read("<p>x</p>")) == 0


class TestNoisyWords:
    def bodies(self) -> list[str]:
        """`price` is on all of four pages, `red` on three."""
        return [f"<p>Price {'red' if page < 3 else 'green'} {words(page, 6)}</p>" for page in range(4)]

    def noisy(self, word_noise: float, matching: Matching = Matching.ALIGNED) -> set[str]:
        pages = [read(body) for body in self.bodies()]
        model = StyleTree(word_noise=word_noise, matching=matching).fit(pages)
        return set(model.noisy_words(dehusk.segment(pages[0])).get(0, ()))

    @BOTH
    def test_are_those_on_all_pages(self, matching: Matching) -> None:
        assert self.noisy(0.01, matching) == {"price"}

    def test_are_those_whose_entropy_is_within_epsilon_of_1(self) -> None:
        short_of_1 = 1 - math.log(3) / math.log(4)
        assert self.noisy(short_of_1 - 1e-5) == {"price"}
        assert self.noisy(short_of_1 + 1e-5) == {"price", "red"}
        assert self.noisy(0) == set()

    def test_are_noisy_at_their_place_only(self) -> None:
        pages = [read(f"<p>Price {words(page, 6)}</p><h4>{words(page, 3)}</h4>") for page in range(4)]
        model = StyleTree(virtual_leaves=False).fit(pages)
        elsewhere = read(f"<p>Price {words(9, 6)}</p><h4>Price {words(9, 3)}</h4>")
        assert model.noisy_words(dehusk.segment(elsewhere)) == {0: frozenset({"price"})}

    def test_are_left_out_of_words_for_mining_and_stay_in_text(self) -> None:
        pages = [read(body) for body in self.bodies()]
        cleaned = dehusk.clean(pages[3], StyleTree().fit(pages))
        assert cleaned.text == f"Price green {words(3, 6)}\n"
        assert cleaned.render("words") == f"green {words(3, 6)}\n"

    def test_a_block_of_noisy_words_has_no_line(self) -> None:
        pages = [read(f"<table><tr><td>Price</td><td>{words(page, 40)}</td></tr></table>") for page in range(6)]
        cleaned = dehusk.clean(pages[3], StyleTree(virtual_leaves=False).fit(pages))
        assert cleaned.text.startswith("Price")
        assert cleaned.render("words") == f"{words(3, 40)}\n"

    def test_models_that_know_none_leave_all_words(self) -> None:
        sentence = "This sentence is long enough to be the content of the page, and it has Two Capitals. " * 3
        assert (
            dehusk.clean(f"<p>{sentence}").render("words").split()
            == sentence.lower().replace(",", "").replace(".", "").split()
        )


class TestIndexPages:
    def test_a_page_of_nothing_but_links_keeps_them(self) -> None:
        menu = "".join(f"<a href=/{word(number)}>{word(number)}</a> " for number in range(8))
        stories = [read(f"<nav>{menu}</nav><main><h2>{words(page, 4)}</h2>{story(page)}</main>") for page in range(8)]
        links = "".join(f"<li><a href=/story/{page}>{words(page, 4)}</a></li>" for page in range(8))
        index = read(f"<nav>{menu}</nav><main><ul class=index>{links}</ul></main>")
        model = StyleTree().fit([*stories, index])
        assert words(3, 4) in kept(model, index)
        assert "links that other pages have" not in " ".join(reasons(model, index)[words(3, 4)])
