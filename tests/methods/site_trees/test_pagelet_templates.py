"""Pagelet templates: the definition taken literally, what a fingerprint forgives, and counts that add up."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from counted_work import assert_grows_in_step
from hypothesis import given
from hypothesis import strategies as st
from tag_soup import tag_soup
from thoroughness import sized

import dehusk
from dehusk.methods.model_files import ModelFile, read_model_file
from dehusk.methods.site_trees.pagelet_templates import (
    PageletCounts,
    Pagelets,
    PageletTemplates,
    PageletTemplatesModel,
    find_pagelets,
)
from dehusk.page.page_columns import Page

PUBLISHED = PageletTemplates(hashes=1)
MENU = "<ul><li><a href=/a>Home</a><li><a href=/b>Shop</a><li><a href=/c>Help</a></ul>"


def read(body: str) -> Page:
    return dehusk.read_page(f"<body>{body}")


def pagelets_of(page: Page, settings: PageletTemplates = PUBLISHED) -> Pagelets:
    return find_pagelets(page, settings)


def roots_of(page: Page, links: int = 3) -> set[int]:
    """Rows of all pagelets, with words or without."""
    return set(pagelets_of(page, PageletTemplates(links=links)).pagelet.tolist()) - {-1}


def names_of(body: str, links: int = 3) -> list[str]:
    page = read(body)
    return [page.tag_name(row) for row in sorted(roots_of(page, links))]


def fingerprints_of(body: str, settings: PageletTemplates = PUBLISHED) -> list[int]:
    return [int(each) for each in pagelets_of(read(body), settings).fingerprint]


def scores_of(model: PageletTemplatesModel, page: Page) -> dict[str, float]:
    blocks = dehusk.segment(page)
    return dict(zip(blocks.texts, model.score_blocks(blocks).tolist(), strict=True))


class Literal:
    """The definition word by word, by recursion."""

    def __init__(self, page: Page, links: int) -> None:
        self.page, self.links = page, links
        self.pagelets: set[int] = set()
        for row in range(len(page)):
            if page.tag_name(row) == "body" and not page.hidden[row]:
                self.visit(row, False)

    def children(self, row: int) -> list[int]:
        shown = np.flatnonzero((self.page.parent == row) & ~self.page.hidden & ~self.page.is_text)
        return [int(child) for child in shown]

    def number_of_links(self, row: int) -> int:
        is_link = self.page.tag_name(row) in {"a", "area"} and "href" in self.page.attributes(row)
        return is_link + sum(map(self.number_of_links, self.children(row)))

    def visit(self, row: int, ancestor_is_pagelet: bool) -> None:
        poor = all(self.number_of_links(child) < self.links for child in self.children(row))
        is_pagelet = poor and not ancestor_is_pagelet
        if is_pagelet:
            self.pagelets.add(row)
        for child in self.children(row):
            self.visit(child, ancestor_is_pagelet or is_pagelet)

    def pagelet_of(self, row: int) -> int:
        if self.page.hidden[row]:
            return -1
        while row >= 0 and row not in self.pagelets:
            row = int(self.page.parent[row])
        return row


link = st.just("<a href=x>go</a>") | st.just("<a name=x>here</a>") | st.just("<map><area href=x></map>")
tree = st.recursive(
    link
    | st.sampled_from(["text", "<p>one two</p>", "<i hidden>" + "<a href=x>secret</a>" * 5 + "</i>", "<img src=x>"]),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from(["div", "section", "span", "ul"]),
        st.lists(inner, min_size=1, max_size=5),
    ),
    max_leaves=40,
)


class TestPagelets:
    @given(st.lists(tree, max_size=5).map("".join) | tag_soup, st.integers(1, 5))
    def test_are_what_the_definition_says(self, html: str, links: int) -> None:
        page = dehusk.read_page(html)
        expected = Literal(page, links)
        found = pagelets_of(page, PageletTemplates(links=links)).pagelet.tolist()
        assert found == [expected.pagelet_of(row) for row in range(len(page))]

    def test_divide_where_a_child_has_three_links(self) -> None:
        two, three = "<a href=x>x</a>" * 2, "<a href=x>x</a>" * 3
        assert names_of(f"<p>{two}</p><p>{two}</p>") == ["body"]
        assert names_of(f"<p>{three}</p><div>{two}</div>") == ["p", "div"]
        assert names_of(f"<p>{three}</p><div>{two}</div>", links=4) == ["body"]
        assert names_of(f"<section><p>{three}</p><div>{two}</div></section>") == ["p", "div"]

    def test_count_a_child_that_is_a_link(self) -> None:
        # With k = 1 the link below P divides it, and is the pagelet itself.
        assert names_of("<p><b>x</b><a href=x>y</a></p>", links=1) == ["b", "a"]
        assert names_of("<p><b>x</b><a name=x>y</a></p>", links=1) == ["body"]

    def test_do_not_count_hidden_links(self) -> None:
        hidden = "<ul hidden>" + "<li><a href=x>y</a>" * 9 + "</ul>"
        assert names_of(f"<p>text</p>{hidden}") == ["body"]
        assert names_of(f"<div>text{hidden}</div>") == ["body"]

    def test_have_words_or_no_fingerprint(self) -> None:
        page = read(f"{MENU}<div><img src=x></div><div>***</div><div>word</div>")
        found = pagelets_of(page)
        assert [page.tag_name(row) for row in sorted(set(found.pagelet.tolist()) - {-1})] == ["ul", *["div"] * 3]
        assert [page.tag_name(row) for row in found.root.tolist()] == ["ul", "div"]
        assert len(found.fingerprint) == 2


WORDS = "tea pot leaf water steam cup kettle the of and milk sugar tray spoon lemon".split()


def random_text(seed: int, length: int) -> list[str]:
    chooser = random.Random(seed)
    return [f"{chooser.choice(WORDS)}{chooser.randrange(100)}" for _ in range(length)]


class TestFingerprints:
    def test_are_of_words_not_of_marks(self) -> None:
        written = ["<p>One two, three</p>", "<div><i>one</i>\n TWO  <b>three!</b></div>", "one<br>two<p>three"]
        assert len({each for body in written for each in fingerprints_of(body)}) == 1
        assert fingerprints_of("one two three") != fingerprints_of("one three two")
        assert fingerprints_of("one two <i hidden>and</i> three") == fingerprints_of(written[0])

    @pytest.mark.parametrize("hashes", [1, 2, 8])
    def test_see_every_word_of_a_text_no_longer_than_a_window(self, hashes: int) -> None:
        settings = PageletTemplates(hashes=hashes, shingle_words=10)
        words = random_text(1, 10)
        for length in range(1, 11):
            short = words[:length]
            others = [[*short[:place], "other", *short[place + 1 :]] for place in range(length)] + [short[:-1]]
            assert all(
                fingerprints_of(" ".join(other), settings) != fingerprints_of(" ".join(short), settings)
                for other in others
            )

    @pytest.mark.parametrize("hashes", [1, 2, 8])
    def test_are_of_the_set_of_windows(self, hashes: int) -> None:
        # Written twice or three times, a text has the same windows, those across the seam included.
        settings = PageletTemplates(hashes=hashes)
        text = " ".join(random_text(2, 30))
        assert fingerprints_of(f"{text} {text}", settings) == fingerprints_of(f"{text} {text} {text}", settings)

    def test_agree_as_often_as_texts_resemble_each_other(self) -> None:
        # One of 100 words changed: 81 of 101 different windows are common to both. The share for two hashes is squared.
        resemblance = 81 / 101
        for hashes in (1, 2):
            settings = PageletTemplates(hashes=hashes)
            same = 0
            for seed in range(300):
                words = random_text(seed, 100)
                changed = [*words[:50], "changed", *words[51:]]
                same += fingerprints_of(" ".join(words), settings) == fingerprints_of(" ".join(changed), settings)
            assert same / 300 == pytest.approx(resemblance**hashes, abs=0.08)  # three standard deviations

    def test_do_not_reach_into_the_next_pagelet(self) -> None:
        menu = "<p>" + "<a href=x>go</a>" * 3 + "</p>"
        alone = fingerprints_of(f"{menu}<div>one two</div>")
        assert fingerprints_of(f"{menu}<div>one two</div><div>three</div>")[:2] == alone
        assert len(alone) == 2

    def test_are_the_same_everywhere(self) -> None:
        # These numbers are stored in models: if they change, every stored model is void.
        text = " ".join(str(number) for number in range(20))
        assert fingerprints_of(text, PageletTemplates()) == [15263899076426091225]


class TestTemplates:
    def site(self, number: int = 5) -> list[Page]:
        return [read(f"<nav>{MENU}</nav><main><p>story {n} tells {n + 100}</p></main>") for n in range(number)]

    def test_go_and_content_stays(self) -> None:
        pages = self.site()
        model = PageletTemplates().fit(pages)
        assert scores_of(model, pages[3]) == {"Home": 0, "Shop": 0, "Help": 0, "story 3 tells 103": 1}
        assert dehusk.clean(pages[3], model).text == "story 3 tells 103\n"

    def test_need_two_pages_however_often_one_repeats_itself(self) -> None:
        page = read(f"{MENU}<p>read more</p><p>read more</p>")
        for learnt in ((), (page,)):
            assert set(scores_of(PageletTemplates().fit(learnt), page).values()) == {1}

    def test_need_as_many_pages_as_are_asked_for(self) -> None:
        pages = [*self.site(3), read(f"{MENU}<p>once</p>"), read(f"{MENU}<p>once</p>")]
        of_three = PageletTemplates(fewest_pages=3).fit(pages)
        assert scores_of(of_three, pages[3])["once"] == 1
        assert scores_of(of_three, pages[3])["Home"] == 0
        assert scores_of(PageletTemplates().fit(pages), pages[3])["once"] == 0

    def test_of_a_page_not_learnt_are_known_from_two_others(self) -> None:
        notice = read(f"{MENU}<p>a notice</p>")
        one, two = (PageletTemplates().fit([*self.site(), *[notice] * number]) for number in (1, 2))
        new = read(f"{MENU}<p>a notice</p><p>new</p>")
        assert scores_of(one, new)["a notice"] == 1
        assert scores_of(two, new)["a notice"] == 0

    def test_leave_text_beside_pagelets_alone(self) -> None:
        page = dehusk.read_page(f"<title>Title</title><div>stray{MENU}</div><p>***</p><p hidden>secret</p><p>same</p>")
        model = PageletTemplates().fit([page, page])
        scores = scores_of(model, page)
        assert {text for text, score in scores.items() if np.isnan(score)} == {"Title", "stray", "***"}
        assert {text for text, score in scores.items() if score == 0} == {"Home", "Shop", "Help", "secret", "same"}

    def test_outside_the_body_there_are_none(self) -> None:
        page = dehusk.read_page("<title>Title</title><frameset><frame src=x></frameset>")
        model = PageletTemplates().fit([page, page])
        assert (model.pages, len(model.fingerprints)) == (2, 0)
        assert np.isnan(scores_of(model, page)["Title"])

    def test_count_by_their_share_of_a_block(self) -> None:
        # <b> and <i> are pagelets, because the links beside them divide P; "4444" is direct text.
        links = "<span><a href=x></a><a href=y></a><a href=z></a></span>"
        learnt = [read(f"<p><b>1234567890</b> <i>{n}</i> 4444{links}</p>") for n in range(2)]
        page = read(f"<p><b>1234567890</b> <i>new</i><s hidden>hidden text</s> 444{links}</p>")
        model = PageletTemplates().fit(learnt)
        blocks = dehusk.segment(page)
        assert model.score_blocks(blocks).tolist() == pytest.approx([6 / 16, 0])
        assert model.explain_blocks(blocks)[0] == ("62% of its text is in template pagelets",)
        assert not dehusk.clean(page, model).text

    def test_are_explained(self) -> None:
        pages = self.site()
        page = read(f"stray<nav>{MENU}</nav><main><p>story 3 tells 103</p></main><p>new</p><p hidden>secret</p>")
        blocks = dehusk.segment(page)
        reasons = dict(zip(blocks.texts, PageletTemplates().fit(pages).explain_blocks(blocks), strict=True))
        assert reasons == {
            "stray": ("not in a pagelet with words: nothing to compare",),
            **dict.fromkeys(["Home", "Shop", "Help"], ("this pagelet's text is on 5 of 5 pages",)),
            "story 3 tells 103": ("this pagelet's text is on 1 of 5 pages",),
            "new": ("none of 5 pages has this pagelet's text",),
            "secret": ("hidden text is not in a pagelet",),
        }

    def test_tell_pages_of_the_site_from_others(self) -> None:
        footer = "<footer>all rights reserved</footer>"
        pages = [read(f"{MENU}<p>story {n}</p>{footer}") for n in range(4)]
        model = PageletTemplates().fit(pages)
        assert [model.match(page) for page in pages] == [1] * 4
        assert model.match(read(f"{MENU}<p>new</p>")) == 0.5
        assert model.match(read(f"{MENU}<p>new</p>{footer}<p>more</p>{footer}")) == 1
        assert model.match(read(f"{MENU}<p>new</p>{MENU}")) == 0.5
        assert model.match(read("<p>elsewhere</p>")) == 0
        assert model.match(read("")) == 0
        for learnt in ([], pages[:1]):
            assert PageletTemplates().fit(learnt).match(pages[0]) == 0


@cache
def varied_pages() -> tuple[Page, ...]:
    """Twelve pages whose pagelets come again on some of the others, in turn."""
    return tuple(
        read(f"{MENU}<p>by {number % 3}</p><p>in {number % 5}</p><p>story {number}</p>") for number in range(12)
    )


def same_model(one: PageletTemplatesModel, two: PageletTemplatesModel) -> bool:
    return (one.settings, one.pages, one.fingerprints) == (two.settings, two.pages, two.fingerprints)


class TestLearning:
    @given(st.permutations(range(12)), st.integers(0, 12), st.sampled_from([5, 1000]))
    def test_in_parts_gives_the_same_model(self, order: list[int], cut: int, most: int) -> None:
        pages = [varied_pages()[number] for number in order]
        method = PageletTemplates()
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(PageletCounts.largest, "fingerprints", most)
            whole = method.fit(varied_pages())
            assert same_model(method.fit(pages[:cut]) + method.fit(pages[cut:]), whole)
            assert same_model(method.fit(pages[:cut]).update(pages[cut:]), whole)
        assert len(whole.fingerprints) == min(most, 1 + 3 + 5 + 12)

    def test_counts_pages(self) -> None:
        model = PageletTemplates().fit(varied_pages())
        assert model.pages == 12
        assert sorted(model.fingerprints.counts[:, 0].tolist()) == [1] * 12 + [2, 2, 2, 3, 3] + [4] * 3 + [12]

    def test_with_other_settings_does_not_add_up(self) -> None:
        with pytest.raises(dehusk.ModelError, match="other settings"):
            PageletTemplates().fit() + PageletTemplates(links=4).fit()

    @pytest.mark.parametrize(
        ("setting", "value"),
        [
            ("links", 0),
            ("shingle_words", 0),
            ("shingle_words", 101),
            ("hashes", 0),
            ("fewest_pages", 1),
            ("links", 2.5),
        ],
    )
    def test_settings_are_checked(self, setting: str, value: Any) -> None:
        with pytest.raises(dehusk.InvalidSetting, match=f"{setting}: {value} is not a whole number from"):
            PageletTemplates(**{setting: value})


class TestFiles:
    @pytest.fixture
    def file(self, tmp_path: Path) -> ModelFile:
        PageletTemplates(hashes=3).fit(varied_pages()).save(tmp_path / "a.dehusk", site="a.example", created="2026")
        return read_model_file(tmp_path / "a.dehusk")

    def test_give_back_what_was_saved(self, file: ModelFile) -> None:
        model = PageletTemplatesModel.from_file(file)
        assert same_model(model, PageletTemplates(hashes=3).fit(varied_pages()))
        assert (file.method, file.pages, file.site, file.created) == ("pagelet-templates", 12, "a.example", "2026")
        assert dehusk.clean(varied_pages()[4], model).text == "story 4\n"

    def test_hold_models_of_nothing(self, tmp_path: Path) -> None:
        PageletTemplates().fit().save(tmp_path / "a.dehusk")
        assert same_model(
            PageletTemplatesModel.from_file(read_model_file(tmp_path / "a.dehusk")), PageletTemplates().fit()
        )

    def test_may_list_fingerprints_in_any_order(self, file: ModelFile) -> None:
        turned = replace(file, arrays={name: array[::-1] for name, array in file.arrays.items()})
        assert same_model(PageletTemplatesModel.from_file(turned), PageletTemplatesModel.from_file(file))

    @pytest.mark.parametrize(
        ("message", "arrays"),
        [
            ("'pages'", {"pages": None}),
            ("wrong type", {"pages": np.ones(21)}),
            ("wrong type", {"fingerprints": np.arange(21)}),
            ("wrong shape", {"pages": np.ones(20, dtype=np.int64)}),
            ("wrong shape", {"pages": np.ones((21, 1), dtype=np.int64)}),
            (
                "wrong shape",
                {name: np.ones((), dtype=kind) for name, kind in [("fingerprints", "u8"), ("pages", "i8")]},
            ),
            ("page counts are impossible", {"pages": np.zeros(21, dtype=np.int64)}),
            ("page counts are impossible", {"pages": np.full(21, 13)}),
            ("page counts are impossible", {"fingerprints": np.ones(21, dtype=np.uint64)}),
        ],
    )
    def test_with_other_arrays_are_refused(self, file: ModelFile, message: str, arrays: Mapping[str, Any]) -> None:
        changed = {name: array for name, array in {**file.arrays, **arrays}.items() if array is not None}
        with pytest.raises(dehusk.ModelError, match=f"does not hold pagelet templates .*{message}"):
            PageletTemplatesModel.from_file(replace(file, arrays=changed))

    @pytest.mark.parametrize(
        "settings", [{"links": "3"}, {"links": 0}, {"hashes": 1e9}, {"magic": 1}, {"fewest_pages": None}]
    )
    def test_with_other_settings_are_refused(self, file: ModelFile, settings: dict[str, Any]) -> None:
        with pytest.raises(dehusk.ModelError, match="does not hold pagelet templates"):
            PageletTemplatesModel.from_file(replace(file, settings=settings))

    def test_of_fewer_pages_than_counted_are_refused(self, file: ModelFile) -> None:
        nothing = {"fingerprints": np.zeros(0, dtype=np.uint64), "pages": np.zeros(0, dtype=np.int64)}
        for bad in (replace(file, pages=11), replace(file, pages=-1, arrays=nothing)):
            with pytest.raises(dehusk.ModelError, match="page counts are impossible"):
                PageletTemplatesModel.from_file(bad)


HOSTILE = {
    "empty": "",
    "no body": "<frameset><frame src=x></frameset>",
    "nested divs": "<div>" * 3_000 + "<a href=x>y</a>" * 9,
    "nested links": "<div><a href=x>y</a>" * 3_000,
    "only links": "<a href=x></a>" * 3_000,
    "lone surrogate": "<p>\ud800 x",
    "hidden body": "<body hidden>text",
    "one word without end": "x" * 100_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_any_page_can_be_learnt_and_cleaned(name: str) -> None:
    page = dehusk.read_page(HOSTILE[name])
    model = PageletTemplates().fit([page, page])
    blocks = dehusk.segment(page)
    assert model.pages == 2
    assert not (model.score_blocks(blocks) > 0).any()
    assert len(model.explain_blocks(blocks)) == len(blocks)
    assert model.match(page) == (1 if len(model.fingerprints) else 0)


GROWING: dict[str, Callable[[int], str]] = {
    "paragraphs": lambda size: MENU + "<p>one two three</p>" * size,
    "words": lambda size: "word " * 10 * size,
    "links deep down": lambda size: "<div>" * 500 + "<a href=x>y</a>" * size,
    "nested links": lambda size: "<div><a href=x>y</a>" * size,
}


@pytest.mark.parametrize("name", GROWING)
def test_work_grows_with_the_page_and_not_with_its_square(name: str) -> None:
    def make_work(size: int) -> Callable[[], object]:
        page = dehusk.read_page(GROWING[name](size))
        return lambda: pagelets_of(page)

    assert_grows_in_step(make_work, sized(20_000))
