"""The hybrid: what a site adds to what the page network says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from small_sites import sites
from thoroughness import examples

import dehusk
from dehusk import Hybrid, Page
from dehusk.errors import DehuskError
from dehusk.methods.model_files import ModelFile, read_model_file, write_model_file
from dehusk.methods.page_network.hybrid import HybridModel
from dehusk.methods.page_network.site_evidence import site_evidence
from dehusk.methods.page_network.site_readings import (
    NOTHING_READ,
    PageReadings,
    SiteReadings,
    count_readings,
    learn_readings,
    look_up_signatures,
    page_readings,
    pages_with,
)
from dehusk.methods.page_network.site_weights import COLUMNS, SiteWeights
from dehusk.methods.page_network.trained_weights import load_trained
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
        assert "its text is in the same place on 10 of 10 pages learnt" in told[NOTICE]
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


def read_page(page: Page | str, logits: float = 0.0) -> PageReadings:
    blocks = dehusk.segment(page if isinstance(page, Page) else dehusk.read_page(page))
    return page_readings(blocks, np.full(len(blocks), logits, dtype=np.float32))


def learnt_from(pages: list[PageReadings]) -> SiteReadings:
    return add_counts([NOTHING_READ, *map(count_readings, pages)])


class TestReadings:
    def test_texts_and_looks(self, pages: list[Page]) -> None:
        blocks = dehusk.segment(pages[0])
        page = read_page(pages[0], 2.0)
        counted = add_counts([count_readings(page)] * 3)
        in_body = page.signature != 0
        assert pages_with(counted, page.place).tolist() == (3 * in_body).tolist()
        found = look_up_signatures(counted, page.signature[in_body])
        assert found.logits == pytest.approx([2.0] * int(in_body.sum()), abs=0.02)
        cells = [index for index, text in enumerate(blocks.texts) if text in ("Colour", "Weight")]
        assert page.signature[cells[0]] == page.signature[cells[1]]
        assert page.signature[0] == 0  # the title stands outside of BODY

    @settings(max_examples=examples(20))
    @given(sites)
    def test_pages_counted_together_equal_pages_counted_one_by_one(self, some: list[Page]) -> None:
        read = [(read_page(page, 1.5), dehusk.segment(page)) for page in some]
        together, alone = learn_readings(read), add_counts([NOTHING_READ, *(learn_readings([page]) for page in read)])
        assert together == alone
        assert len(together.paths.key) == len(together.signatures)

    def test_paths_that_are_shown_keep_class_names_with_a_slash(self) -> None:
        blocks = dehusk.segment(dehusk.read_page("<body><div class='w-1/2 mx-auto'><section class=a><p>Tea."))
        counted = learn_readings([(page_readings(blocks, np.zeros(len(blocks), dtype=np.float32)), blocks)])
        assert counted.paths.text.tolist() == ["div.w-1/2 > section.a > p"]
        assert counted.examples.text.tolist() == ["Tea."]

    def test_trust_grows_with_pages(self, pages: list[Page]) -> None:
        read = list(map(read_page, pages))
        trusts = [site_evidence(read[11], learnt_from(read[:number])).trust for number in (1, 2, 5, 10)]
        assert trusts == sorted(trusts)
        assert trusts[0] == pytest.approx(1 / 3)
        assert site_evidence(read[11], learnt_from(read[:1])).match > 0.9

    @settings(max_examples=examples(40))
    @given(sites)
    def test_columns_are_numbers_of_about_one(self, some: list[Page]) -> None:
        read = [read_page(page, 1.0) for page in some]
        counted = learnt_from(read)
        for page in read:
            columns = site_evidence(page, counted).columns
            assert columns.shape == (len(page), len(COLUMNS))
            assert np.isfinite(columns).all()
            assert (np.abs(columns) <= 4).all()

    def test_a_sentence_of_all_pages(self, pages: list[Page]) -> None:
        read = list(map(read_page, pages))
        columns = site_evidence(read[11], learnt_from(read[:10])).columns
        same = columns[:, COLUMNS.index("same sentence")] > 0
        texts = dehusk.segment(pages[11]).texts
        assert [text for text, is_same in zip(texts, same, strict=True) if is_same] == [NOTICE]

    def test_of_a_look_that_is_new_the_page_itself_is_believed(self, pages: list[Page]) -> None:
        blocks = dehusk.segment(dehusk.read_page("<body><div class=item><h1>Known</h1></div><section><p>New"))
        page = page_readings(blocks, np.array([1.5, -4.5], dtype=np.float32))
        columns = site_evidence(page, learnt_from([read_page(pages[0], 3.0)])).columns
        assert columns[:, COLUMNS.index("signature")] == pytest.approx([-0.5, 0.0], abs=0.02)


class TestEvidence:
    """What a site takes away."""

    WEIGHTS = SiteWeights(1.0, dict.fromkeys(COLUMNS, 1.0))

    @settings(max_examples=examples(40))
    @given(sites)
    def test_nothing_is_raised_and_own_text_stays(self, some: list[Page]) -> None:
        read = [read_page(page, 1.0) for page in some]
        counted = learnt_from(read[1:])
        for page in read:
            shifts = site_evidence(page, counted, self.WEIGHTS).shifts
            assert (shifts <= 0).all()
            assert (shifts[pages_with(counted, page.place) == 0] == 0).all()

    def test_no_site_no_change(self, pages: list[Page]) -> None:
        assert not site_evidence(read_page(pages[0]), NOTHING_READ, self.WEIGHTS).shifts.any()

    def test_without_weights_no_change(self, pages: list[Page]) -> None:
        read = list(map(read_page, pages))
        assert site_evidence(read[11], learnt_from(read[:10]), SiteWeights()).shifts == pytest.approx(0, abs=1e-6)

    def test_a_heading_that_is_in_every_menu_is_the_page_s_own(self) -> None:
        html = "<body><ul><li>Kettles<li>Teapots<li>Cups</ul><h1>{0}</h1><p>All about {0}, which are made by hand."
        read = [read_page(html.format(name)) for name in ("Kettles", "Teapots", "Cups", "Spoons")]
        repeated = site_evidence(read[0], learnt_from(read[1:])).is_repeated
        assert repeated.tolist() == [True, True, True, False, False]

    def test_labels_stay_with_facts_that_differ(self, pages: list[Page]) -> None:
        """On a page without long texts, where the cells of a table are as many labels as facts."""
        html = "<body><ul><li>Home<li>Shop</ul><table><tr><td>Weight<td>{0} ounces and {0} grams</table>"
        read = [read_page(html.format(number)) for number in range(9)]
        assert site_evidence(read[8], learnt_from(read[:8])).is_repeated.tolist() == [True, True, False, False]

    def test_what_it_adds_is_shared_out_among_its_reasons(self, pages: list[Page]) -> None:
        read, weights = list(map(read_page, pages)), load_trained().weights
        evidence = site_evidence(read[11], learnt_from(read[:10]), weights)
        by_column = np.stack([*evidence.shifts_by_column(weights).values()])
        assert by_column.sum(axis=0) == pytest.approx(evidence.shifts, abs=1e-5)
        assert (by_column <= 0).all()


class TestReport:
    def test_of_a_site_with_a_template(self, site: HybridModel) -> None:
        report = site.report
        assert (report.pages, report.different, report.distrust) == (10, 10, "")
        assert 0.2 < report.repeated < 0.9
        assert 0 < report.content < 1
        assert 0 < report.template < report.regions
        assert report.left >= 1, "the labels of the table"
        assert "of what page evidence takes for content is repeated" in str(report)

    def test_copies_of_one_page_are_not_trusted(self) -> None:
        error = f"<body><h1>Not found</h1><p>{NOTICE}</p><p>{SENTENCE.format(1, 'old') * 9}</p><i>Error "
        pages = [dehusk.read_page(f"{error}{number}</i>") for number in range(8)]
        model = Hybrid().fit(pages)
        assert model.knows_a_template
        assert model.report.distrust == "these pages are copies of one another"
        assert str(model.report).startswith("not trusted, each page is judged by itself: ")
        assert model.trust(dehusk.segment(pages[0])) == 0
        alone, together = dehusk.clean(pages[0]), dehusk.clean(pages[0], model)
        assert together.labelled.scores.tolist() == alone.labelled.scores.tolist()

    def test_one_page_is_too_few(self, pages: list[Page]) -> None:
        model = Hybrid().fit([pages[0], pages[0]])
        assert model.report.distrust == "fewer than two different pages were learnt"
        alone, together = dehusk.clean(pages[1]), dehusk.clean(pages[1], model)
        assert together.labelled.scores.tolist() == alone.labelled.scores.tolist()

    def test_does_not_depend_on_how_the_site_was_learnt(self, pages: list[Page], site: HybridModel) -> None:
        assert (Hybrid().fit(pages[:4]) + Hybrid().fit(pages[4:10])).report == site.report

    def test_is_kept_by_files(self, site: HybridModel, tmp_path: Path) -> None:
        site.save(tmp_path / "a.dehusk")
        loaded = dehusk.load_model(tmp_path / "a.dehusk")
        assert isinstance(loaded, HybridModel)
        assert loaded.report == site.report


class TestFile:
    def test_holds_no_network(self, site: HybridModel, tmp_path: Path) -> None:
        site.save(tmp_path / "a.dehusk")
        assert (tmp_path / "a.dehusk").stat().st_size < 50_000

    @pytest.mark.parametrize("name", ["places_values", "looks_keys", "paths_values"])
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
