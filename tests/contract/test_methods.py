"""What every method promises, run over all of them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, fields
from functools import cache
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from all_columns import all_columns
from hypothesis import given
from tag_soup import tag_soup
from thoroughness import spread

import dehusk
from dehusk import METHODS, Blocks, Page
from dehusk.deciding.decisions import label_blocks
from dehusk.methods import DEFAULT_METHOD
from dehusk.methods.base import JudgesPages, Model, SiteMethod, SiteModel

SAMPLE_SITE = Path(dehusk.__file__).parent / "sample_site"
SAMPLE_FILES = sorted(SAMPLE_SITE.rglob("*.html"))

SENTENCE = "A sentence of ordinary length that could be the content of a page, if somebody wanted to read it. "
WRITTEN = {
    "empty": "",
    "no text": "<title></title><p><img src=x></p>",
    "only a title": "<title>Tea</title>",
    "frameset": "<frameset><frame src=a></frameset>",
    "one text": SENTENCE,
    "only links": "<ul>" + f"<li><a href=x>{SENTENCE}</a>" * 10,
    "only hidden": f"<div hidden><p>{SENTENCE * 3}</div>",
    "article": f"<title>Tea</title><nav><a href=/>Home</a></nav><h1>Tea</h1><div><p>{SENTENCE * 2}<p>{SENTENCE}</div>",
    "half hidden": f"<div><p>{SENTENCE * 2}<span hidden>{SENTENCE}</span>{SENTENCE}</div>",
    "chinese": "<title>茶</title><div><p>" + "这是一个普通的中文网页，内容是关于茶叶的种植和加工。" * 5 + "</div>",
}


def read_sample(path: Path) -> Page:
    return dehusk.read_page(path.read_bytes(), url=f"https://kettle.example/{path.relative_to(SAMPLE_SITE)}")


# Pages and models are frozen values, and tests may share them: those that compare two of a kind make the second.
@cache
def read_once(path: Path) -> Page:
    return read_sample(path)


@cache
def blocks_of(path: Path) -> Blocks:
    return dehusk.segment(read_once(path))


@cache
def written(name: str) -> Blocks:
    return dehusk.segment(dehusk.read_page(WRITTEN[name]))


@cache
def fitted(name: str) -> Model:
    """Learnt from the sample pages."""
    return METHODS[name]().fit([read_once(path) for path in SAMPLE_FILES])


@cache
def unfitted(name: str) -> Model:
    return METHODS[name]().fit()


@pytest.fixture(scope="module")
def sample_pages() -> list[Page]:
    return [read_once(path) for path in SAMPLE_FILES]


@pytest.fixture(params=sorted(METHODS))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def model(name: str) -> Model:
    return fitted(name)


@pytest.fixture(params=sorted(WRITTEN))
def blocks(request: pytest.FixtureRequest) -> Blocks:
    return written(request.param)


def copy_arrays(value: Page | Blocks) -> dict[str, bytes]:
    return {key: column.tobytes() for key, column in all_columns(value).items()}


def outcome(source: Page, model: Model) -> tuple[object, ...]:
    """Everything a model says about a page, in a form that compares bit by bit."""
    labelled = label_blocks(dehusk.segment(source), model)
    return labelled.scores.tobytes(), labelled.keep.tobytes(), labelled.reasons


def assert_valid(blocks: Blocks, model: Model) -> None:
    scores = model.score_blocks(blocks)
    assert scores.dtype == np.float32
    assert scores.shape == (len(blocks),)
    assert (np.isnan(scores) | ((scores >= 0) & (scores <= 1))).all()
    reasons = model.explain_blocks(blocks)
    assert len(reasons) == len(blocks)
    assert all(isinstance(each, tuple) and each for each in reasons)
    assert all(isinstance(reason, str) and reason for each in reasons for reason in each)


def test_there_are_methods_and_the_default_is_one_of_them() -> None:
    assert DEFAULT_METHOD in METHODS
    assert len(SAMPLE_FILES) > 20


class TestMethod:
    def test_is_called_what_it_is_listed_as(self, name: str, model: Model) -> None:
        assert METHODS[name].name == name
        assert model.method == name

    def test_has_settings_that_cannot_be_changed(self, name: str) -> None:
        method = METHODS[name]()
        setting = fields(method)[0].name  # type: ignore[arg-type]
        with pytest.raises(FrozenInstanceError):
            setattr(method, setting, getattr(method, setting))

    def test_compares_by_its_settings(self, name: str) -> None:
        assert METHODS[name]() == METHODS[name]()

    def test_fits_without_pages(self, name: str, blocks: Blocks) -> None:
        assert_valid(blocks, unfitted(name))


class TestModel:
    def test_has_a_threshold_between_0_and_1(self, model: Model) -> None:
        assert 0 <= model.threshold <= 1

    def test_cannot_be_changed(self, model: Model) -> None:
        with pytest.raises(AttributeError):
            model.threshold = 0.1  # type: ignore[misc]

    def test_gives_valid_scores_and_reasons(self, model: Model, blocks: Blocks) -> None:
        assert_valid(blocks, model)

    def test_gives_valid_scores_and_reasons_on_the_sample_site(self, model: Model) -> None:
        for path in SAMPLE_FILES:
            blocks = blocks_of(path)
            assert len(blocks) > 10, path
            assert_valid(blocks, model)

    @pytest.mark.parametrize("method_name", sorted(METHODS))
    @given(html=tag_soup)
    def test_gives_valid_scores_and_reasons_on_tag_soup(self, method_name: str, html: str) -> None:
        assert_valid(dehusk.segment(dehusk.read_page(html)), unfitted(method_name))

    def test_says_nothing_about_an_empty_page(self, model: Model) -> None:
        nothing = dehusk.segment(dehusk.read_page(""))
        assert len(model.score_blocks(nothing)) == 0
        assert model.explain_blocks(nothing) == ()
        assert dehusk.clean("", model).text == ""

    def test_says_the_same_each_time(self, model: Model, sample_pages: list[Page]) -> None:
        pages = spread(sample_pages)
        assert [outcome(page, model) for page in pages] == [outcome(page, model) for page in pages]

    def test_says_the_same_whatever_it_was_asked_before(self, name: str, sample_pages: list[Page]) -> None:
        asked, fresh = fitted(name), METHODS[name]().fit(sample_pages)
        for page in spread(sample_pages[1:]):
            outcome(page, asked)
        assert outcome(sample_pages[0], asked) == outcome(sample_pages[0], fresh)

    def test_says_the_same_whatever_the_order_of_learning(self, name: str, sample_pages: list[Page]) -> None:
        forwards, backwards = fitted(name), METHODS[name]().fit(sample_pages[::-1])
        for page in sample_pages[:5]:
            assert outcome(page, forwards) == outcome(page, backwards)

    def test_does_not_need_the_reasons_for_the_scores(self, model: Model, sample_pages: list[Page]) -> None:
        blocks = dehusk.segment(sample_pages[0])
        before = model.score_blocks(blocks).tobytes()
        model.explain_blocks(blocks)
        assert model.score_blocks(blocks).tobytes() == before


LEARNING = sorted(name for name, method in METHODS.items() if method.learns)


class TestSiteModel:
    """What methods that learn promise beyond."""

    @pytest.fixture(params=LEARNING)
    def method(self, request: pytest.FixtureRequest) -> SiteMethod:
        return cast(SiteMethod, METHODS[request.param]())

    def learnt(self, method: SiteMethod) -> SiteModel:
        return cast(SiteModel, fitted(method.name))

    def outcomes(self, model: SiteModel, pages: list[Page]) -> list[object]:
        said = [(outcome(page, model), model.match(page)) for page in spread(pages[:6], 2)]
        return [model.pages, model.knows_a_template, model.threshold, *said]

    def test_is_that_of_several_methods(self) -> None:
        assert {"style-tree", "pagelet-templates"} <= set(LEARNING)

    def test_counts_its_pages(self, method: SiteMethod, sample_pages: list[Page]) -> None:
        assert method.fit().pages == 0
        assert self.learnt(method).pages == len(sample_pages)
        assert method.fit(sample_pages[:3]).update(sample_pages[3:5]).pages == 5

    def test_learns_from_pages_that_come_one_at_a_time(self, method: SiteMethod, sample_pages: list[Page]) -> None:
        at_once, one_by_one = self.learnt(method), method.fit(page for page in sample_pages)
        assert self.outcomes(at_once, sample_pages) == self.outcomes(one_by_one, sample_pages)

    def test_parts_add_up_to_the_whole(self, method: SiteMethod, sample_pages: list[Page]) -> None:
        whole = self.outcomes(self.learnt(method), sample_pages)
        for cut in (0, 1, 9):
            first, second = method.fit(sample_pages[:cut]), method.fit(sample_pages[cut:])
            assert self.outcomes(first + second, sample_pages) == whole
            assert self.outcomes(second + first, sample_pages) == whole
            assert self.outcomes(first.update(sample_pages[cut:]), sample_pages) == whole

    def test_adding_leaves_both_parts_as_they_were(self, method: SiteMethod, sample_pages: list[Page]) -> None:
        first, second = method.fit(sample_pages[:4]), method.fit(sample_pages[4:])
        before = self.outcomes(first, sample_pages), self.outcomes(second, sample_pages)
        first + second
        first.update(sample_pages[4:6])
        assert (self.outcomes(first, sample_pages), self.outcomes(second, sample_pages)) == before

    @pytest.mark.parametrize("number", [0, 1, 12])
    def test_comes_back_from_a_file(
        self, method: SiteMethod, sample_pages: list[Page], number: int, tmp_path: Path
    ) -> None:
        model = method.fit(sample_pages[:number])
        model.save(tmp_path / "a.dehusk", site="kettle.example", created="2026-11-15")
        loaded = dehusk.load_model(tmp_path / "a.dehusk")
        assert type(loaded) is type(model)
        assert self.outcomes(loaded, sample_pages) == self.outcomes(model, sample_pages)
        more = sample_pages[number:]
        assert self.outcomes(loaded.update(more), more) == self.outcomes(self.learnt(method), more)

    def test_the_same_model_gives_the_same_bytes(
        self, method: SiteMethod, sample_pages: list[Page], tmp_path: Path
    ) -> None:
        for name, model in (("a", self.learnt(method)), ("b", method.fit(sample_pages[::-1]))):
            model.save(tmp_path / name)
        assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()

    def test_knows_pages_of_its_site_from_others(self, method: SiteMethod, sample_pages: list[Page]) -> None:
        model = method.fit(sample_pages[::2])
        other = dehusk.read_page(f"<table class=other><tr><td>{SENTENCE}</td></tr></table>")
        matches = [model.match(page) for page in sample_pages[1::2]]
        assert all(0 <= match <= 1 for match in matches)
        assert np.median(matches) > 0.5
        assert model.match(other) < 0.05
        assert method.fit().match(sample_pages[0]) == 0

    def test_of_nothing_keeps_all_that_shows(self, method: SiteMethod, blocks: Blocks) -> None:
        model = method.fit()
        assert not model.knows_a_template
        if isinstance(model, JudgesPages):
            pytest.skip("judges pages without a site, too")
        assert label_blocks(blocks, model).keep.tolist() == (~blocks.hidden).tolist()


class TestInput:
    def test_is_not_changed_by_scoring(self, model: Model, blocks: Blocks) -> None:
        page_before, blocks_before = copy_arrays(blocks.page), copy_arrays(blocks)
        texts = blocks.texts
        model.score_blocks(blocks)
        model.explain_blocks(blocks)
        # Columns that are derived on first use may have been added since.
        assert page_before.items() <= copy_arrays(blocks.page).items()
        assert blocks_before.items() <= copy_arrays(blocks).items()
        assert blocks.texts is texts

    def test_is_not_changed_by_learning(self, name: str) -> None:
        pages = [dehusk.read_page(html) for html in WRITTEN.values()]
        before = [copy_arrays(page) for page in pages]
        METHODS[name]().fit(pages)
        assert all(old.items() <= copy_arrays(page).items() for old, page in zip(before, pages, strict=True))

    def test_need_not_be_writable(self, model: Model, sample_pages: list[Page]) -> None:
        blocks = dehusk.segment(sample_pages[0])
        columns = [*all_columns(blocks).values(), *all_columns(blocks.page).values()]
        assert not any(column.flags.writeable for column in columns)
        assert_valid(blocks, model)


class TestThreads:
    def in_eight_threads(self, work: Callable[[Path], tuple[object, ...]], paths: list[Path]) -> list[object]:
        with ThreadPoolExecutor(8) as pool:
            return list(pool.map(work, paths))

    def test_clean_as_one_does(self, model: Model) -> None:
        paths = spread(SAMPLE_FILES * 2, 4)

        def work(path: Path) -> tuple[object, ...]:
            return outcome(read_sample(path), model)

        assert self.in_eight_threads(work, paths) == [work(path) for path in paths]

    def test_may_share_a_page(self, model: Model) -> None:
        shared = read_sample(SAMPLE_FILES[0])
        expected = outcome(read_sample(SAMPLE_FILES[0]), model)
        assert self.in_eight_threads(lambda _: outcome(shared, model), SAMPLE_FILES[:16]) == [expected] * 16
