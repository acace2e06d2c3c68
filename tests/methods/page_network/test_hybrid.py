"""The hybrid: what a site adds to what the page network says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from small_sites import sites
from thoroughness import examples
from written_pages import part_tree

import dehusk
from dehusk import Hybrid, Page
from dehusk.errors import DehuskError
from dehusk.methods.model_files import ModelFile, read_model_file, write_model_file
from dehusk.methods.page_network.hybrid import HybridModel
from dehusk.methods.page_network.site_evidence import (
    COLUMNS,
    SiteWeights,
    combine_evidence,
    match,
    site_columns,
    trust,
    weigh,
)
from dehusk.methods.page_network.site_readings import NOTHING_READ, count_readings, look_up, page_readings
from dehusk.methods.site_models import add_counts

SENTENCE = "The kettle number {0} of the house was on the stove, and the tea in it was as {1} as the night. "
NOTICE = (
    "This shop asks you to read its terms before you buy: all prices are those of the day, and kettles that whistle "
    "cannot be given back once they have been heard to whistle by anybody in the house."
)


def shop_page(number: int) -> Page:
    facts = "".join(f"<tr><td>{name}</td><td>{name[:2]}{number}</td></tr>" for name in ("Colour", "Weight", "Price"))
    return dehusk.read_page(
        f"<title>Kettle {number}</title><ul class=menu><li><a href=/>Home</a><li><a href=/k>Kettles</a></ul>"
        f"<div class=item><h1>Kettle {number}</h1><p>{SENTENCE.format(number, 'black' * (number % 3 + 1)) * 2}</p>"
        f"<table>{facts}</table></div><div class=terms><p>{NOTICE}</p></div>"
    )


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    return [shop_page(number) for number in range(12)]


@pytest.fixture(scope="module")
def site(pages: list[Page]) -> HybridModel:
    return Hybrid().fit(pages[:10])


def score_of(cleaned: dehusk.CleanedPage, beginning: str) -> float:
    return next(block.score for block in cleaned if block.text.startswith(beginning))


class TestSite:
    def test_is_what_learn_gives(self, pages: list[Page], site: HybridModel) -> None:
        learnt = dehusk.learn(pages[:10])
        assert isinstance(learnt, HybridModel)
        assert learnt.site == site.site

    def test_what_all_pages_say_is_less_likely_content(self, pages: list[Page], site: HybridModel) -> None:
        alone, together = dehusk.clean(pages[11]), dehusk.clean(pages[11], site)
        assert score_of(together, "This shop asks") < score_of(alone, "This shop asks")
        assert "This shop asks" not in together.text

    def test_what_one_page_says_is_kept(self, pages: list[Page], site: HybridModel) -> None:
        text = dehusk.clean(pages[11], site).text
        assert "Kettle 11" in text
        assert "The kettle number 11" in text

    def test_reasons_tell_of_the_site(self, pages: list[Page], site: HybridModel) -> None:
        told = {block.text: " ".join(block.reasons) for block in dehusk.clean(pages[11], site)}
        assert "its text is on 10 of 10 pages learnt" in told[NOTICE]
        assert "which nearly every page of the site has" in told[NOTICE]
        assert "pages learnt" not in told["Kettle 11"]

    def test_a_page_of_another_site_is_cleaned_by_itself(self, site: HybridModel) -> None:
        other = dehusk.read_page("<main class=else><section><p>" + SENTENCE.format(1, "old") * 4)
        assert site.match(other) == 0
        alone, together = dehusk.clean(other), dehusk.clean(other, site)
        assert together.text == alone.text

    def test_a_page_says_nothing_about_itself(self, pages: list[Page]) -> None:
        alone, with_itself = dehusk.clean(pages[0]), dehusk.clean(pages[0], Hybrid().fit([pages[0]]))
        assert with_itself.labelled.scores.tolist() == alone.labelled.scores.tolist()
        with_others = dehusk.clean(pages[0], Hybrid().fit(pages[1:6])).labelled.scores
        with_all = dehusk.clean(pages[0], Hybrid().fit(pages[:6])).labelled.scores
        assert with_all == pytest.approx(with_others, abs=0.1)

    def test_knows_a_template_from_two_different_pages(self, pages: list[Page]) -> None:
        assert not Hybrid().fit([pages[0], pages[0]]).knows_a_template
        assert Hybrid().fit(pages[:2]).knows_a_template


class TestWholePage:
    def test_has_a_type_and_a_confidence(self, pages: list[Page], site: HybridModel) -> None:
        cleaned = dehusk.clean(pages[11], site)
        assert cleaned.page_type in dehusk.PAGE_TYPES
        assert cleaned.confidence is not None
        assert 0 < cleaned.confidence <= 1

    @pytest.mark.parametrize("html", ["", "<form><input type=password></form>", "<title>404</title>"])
    def test_without_content_is_empty_and_nothing_to_be_confident_of(self, html: str) -> None:
        cleaned = dehusk.clean(html)
        assert cleaned.text.strip() in ("", "404")
        assert cleaned.confidence is not None
        assert cleaned.confidence < 0.5

    def test_recall_keeps_what_precision_drops(self, pages: list[Page], site: HybridModel) -> None:
        kept = [
            dehusk.clean(pages[11], site, favour=favour).labelled.keep for favour in ("precision", "balanced", "recall")
        ]
        assert (kept[0] <= kept[1]).all()
        assert (kept[1] <= kept[2]).all()

    def test_what_to_favour_is_checked(self, pages: list[Page]) -> None:
        with pytest.raises(dehusk.InvalidSetting, match="precision, balanced, recall"):
            dehusk.clean(pages[0], favour="everything")

    def test_other_methods_have_nothing_to_favour(self, pages: list[Page]) -> None:
        with pytest.raises(dehusk.InvalidSetting, match="satisfiable-subtree"):
            dehusk.clean(pages[0], dehusk.SatisfiableSubtree().fit(), favour="recall")

    def test_a_threshold_that_is_set_holds_for_all_pages(self, pages: list[Page]) -> None:
        assert dehusk.clean(pages[0], Hybrid(threshold=0.3).fit()).labelled.threshold == 0.3
        with pytest.raises(dehusk.InvalidSetting):
            Hybrid(threshold=1.5)


class TestReadings:
    def test_texts_and_looks(self, pages: list[Page]) -> None:
        blocks = dehusk.segment(pages[0])
        page = page_readings(blocks, np.full(len(blocks), 2.0, dtype=np.float32))
        counted = add_counts([count_readings(page)] * 3)
        found = look_up(counted.texts, page.text)
        assert found.pages.tolist() == [3] * len(blocks)
        assert found.logits == pytest.approx([2.0] * len(blocks), abs=0.02)
        cells = [index for index, text in enumerate(blocks.texts) if text in ("Colour", "Weight")]
        assert page.signature[cells[0]] == page.signature[cells[1]]
        assert page.signature[0] == 0  # the title stands outside of BODY

    def test_no_site_no_change(self, pages: list[Page]) -> None:
        blocks = dehusk.segment(pages[0])
        page = page_readings(blocks, np.linspace(-5, 5, len(blocks)).astype(np.float32))
        weights = SiteWeights(1.0, 1.0, dict.fromkeys(COLUMNS, 1.0))
        combined = combine_evidence(page, part_tree(blocks), NOTHING_READ, weights)
        assert combined.tolist() == page.logits.tolist()

    def test_trust_grows_with_pages(self, pages: list[Page]) -> None:
        read = [page_readings(blocks, np.zeros(len(blocks), np.float32)) for blocks in map(dehusk.segment, pages)]
        counted = [count_readings(page) for page in read]
        trusts = [trust(read[11], add_counts(counted[:number])) for number in (1, 2, 5, 10)]
        assert trusts == sorted(trusts)
        assert trusts[0] == pytest.approx(1 / 3)
        assert match(read[11], add_counts(counted[:1])) > 0.9

    @settings(max_examples=examples(40))
    @given(sites)
    def test_columns_are_numbers_of_about_one(self, some: list[Page]) -> None:
        segmented = [dehusk.segment(page) for page in some]
        read = [page_readings(blocks, np.ones(len(blocks), np.float32)) for blocks in segmented]
        counted = add_counts([NOTHING_READ, *map(count_readings, read)])
        for page, blocks in zip(read, segmented, strict=True):
            columns = site_columns(page, part_tree(blocks), counted)
            assert columns.shape == (len(page), len(COLUMNS))
            assert np.isfinite(columns).all()
            assert (np.abs(columns) <= 4).all()

    def test_a_sentence_of_all_pages(self, pages: list[Page]) -> None:
        read = [page_readings(blocks, np.zeros(len(blocks), np.float32)) for blocks in map(dehusk.segment, pages)]
        blocks = dehusk.segment(pages[11])
        columns = site_columns(read[11], part_tree(blocks), add_counts([count_readings(page) for page in read[:10]]))
        same = columns[:, COLUMNS.index("same sentence")] > 0
        assert [text for text, is_same in zip(blocks.texts, same, strict=True) if is_same] == [NOTICE]

    def test_of_a_look_that_is_new_the_page_itself_is_believed(self, pages: list[Page]) -> None:
        blocks = dehusk.segment(dehusk.read_page("<body><div class=item><h1>Known</h1></div><section><p>New"))
        page = page_readings(blocks, np.array([1.5, -4.5], dtype=np.float32))
        known = dehusk.segment(pages[0])
        counted = count_readings(page_readings(known, np.full(len(known), 3.0, dtype=np.float32)))
        columns = site_columns(page, part_tree(blocks), counted)
        assert columns[:, COLUMNS.index("known signature")].tolist() == [1, 0]
        assert columns[:, COLUMNS.index("signature")] == pytest.approx([1.0, -1.5], abs=0.02)

    def test_a_text_of_all_pages_is_judged_by_itself_where_others_look_like_it(self) -> None:
        html = "<body><p>Story number {0} of the teapot<p>Also told on day {0}<p>All rights reserved"
        logits = np.array([3.0, 3.0, -6.0], dtype=np.float32)
        read = [page_readings(dehusk.segment(dehusk.read_page(html.format(number))), logits) for number in range(9)]
        blocks = dehusk.segment(dehusk.read_page(html.format(10)))
        site = add_counts([count_readings(page) for page in read])
        said = site_columns(page_readings(blocks, logits), part_tree(blocks), site)[:, COLUMNS.index("text log-odds")]
        assert said[:2].tolist() == [0, 0]
        assert said[2] < -1.5

    def test_blocks_hear_of_others_in_their_part_as_far_as_the_site_is_trusted(self, pages: list[Page]) -> None:
        blocks = dehusk.segment(pages[0])
        logits = np.full(len(blocks), 4.0, dtype=np.float32)
        label = blocks.texts.index("Weight")
        logits[label] = -0.5
        page, tree, nothing = page_readings(blocks, logits), part_tree(blocks), np.zeros((len(blocks), 1))
        moved = [float(weigh(page, tree, nothing, trusted)[label]) for trusted in (0.0, 0.4, 0.8)]
        assert moved[0] == pytest.approx(-0.5)
        assert moved == sorted(moved)
        assert moved[2] > 0


class TestFile:
    def test_holds_no_network(self, site: HybridModel, tmp_path: Path) -> None:
        site.save(tmp_path / "a.dehusk")
        assert (tmp_path / "a.dehusk").stat().st_size < 50_000

    @pytest.mark.parametrize("name", ["texts_values", "looks_keys", "paths_values"])
    def test_with_something_else_in_it_is_refused(self, site: HybridModel, tmp_path: Path, name: str) -> None:
        site.save(tmp_path / "a.dehusk")
        file = read_model_file(tmp_path / "a.dehusk")
        broken = {**file.arrays, name: file.arrays[name].astype(np.float32)}
        write_model_file(
            tmp_path / "b.dehusk", ModelFile(file.method, file.settings, file.pages, file.site, file.created, broken)
        )
        with pytest.raises(DehuskError, match="does not hold site readings"):
            dehusk.load_model(tmp_path / "b.dehusk")

    def test_of_a_training_cleans_pages_of_any_site(self, pages: list[Page]) -> None:
        path = Path(dehusk.__file__).parent / "models" / "page-network.dehusk"
        model = dehusk.load_model(path)
        assert model.score_blocks(dehusk.segment(pages[0])).tolist() == (
            Hybrid().fit().score_blocks(dehusk.segment(pages[0])).tolist()
        )
