"""Training of the hybrid: calibration, weights of site evidence, and all of it on a few written sites."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shutil import copytree
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("pyarrow")
import pyarrow
import pyarrow.parquet
from command_line import dehusk as dehusk_command

import dehusk
from dehusk.lab.gold.corpora import Corpus
from dehusk.lab.training.calibrating import calibrate, confidence_curve, expected_error, reliability
from dehusk.lab.training.evidence_weights import TypedPage, learn_types, learn_weights
from dehusk.lab.training.hybrid_training import Labelled, train_hybrid
from dehusk.lab.training.network_folds import HybridSettings, train_networks
from dehusk.lab.training.network_training import TrainingSettings
from dehusk.lab.training.prepared_pages import every_page, prepare, read_prepared
from dehusk.lab.training.site_evidence_training import SiteScore, kind_lines, score_kinds
from dehusk.lab.training.site_samples import POLICY_LABELS, RULE, examples_of, sample_sites
from dehusk.methods.model_files import read_model_file
from dehusk.methods.page_network.calibration import Calibration
from dehusk.methods.page_network.inference import PageNetwork
from dehusk.methods.page_network.page_types import PAGE_TYPES
from dehusk.methods.page_network.site_weights import COLUMNS
from dehusk.methods.page_network.trained_weights import Trained

KINDS = ("article", "product")
PLACES = {"article": "diary", "product": "shop"}
SITES = 8
PAGES = 8
NOTICE = "Our terms are long and the same on every page of this shop, so that nobody reads them twice in a day."


def written_page(site: int, number: int) -> tuple[str, str]:
    """(html, gold): a menu, a text, a notice that reads like content."""
    words = [f"w{(site * 31 + number * 7 + place) % 97}" for place in range(12)]
    text = f"The kettle of house {site} sang {' and '.join(words)} on day {number}."
    html = (
        f"<title>Day {number}</title><ul class=menu><li><a href=/>Home</a><li><a href=/k>Kettles</a></ul>"
        f"<div class=story{site}><h1>Day {number}</h1><p>{text}</p><p>{text[::-1]}</p></div><div><p>{NOTICE}</p></div>"
    )
    return html, f"Day {number}\n{text}\n{text[::-1]}"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    rows = []
    for site in range(SITES):
        for number in range(PAGES):
            html, gold = written_page(site, number)
            kind = KINDS[site % 2]
            url = f"https://house{site}.example/{PLACES[kind]}/{number}"
            page = {"id": f"{site}-{number}", "site": f"house{site}", "url": url, "html": html.encode(), "gold": gold}
            rows.append({**page, "page_type": kind, "lang": "en" if site else "de"})
    path = tmp_path_factory.mktemp("written") / "written.parquet"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return Corpus(str(path))


@pytest.fixture(scope="module")
def settings() -> HybridSettings:
    network = TrainingSettings(epochs=2, pages_an_epoch=64, pages_a_batch=16)
    return HybridSettings(2, network, teachers=1, teacher_width=24, teacher_epochs=2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("work")


class TestWhole:
    def test_trains_measures_and_resumes(
        self, corpus: Corpus, settings: HybridSettings, folder: Path, tmp_path: Path
    ) -> None:
        told: list[str] = []
        trained, quality, pages = train_hybrid(Labelled([corpus], []), folder, settings, told.append)
        assert len(pages) == SITES * PAGES
        assert sum("epoch" in what for what in told) == 3 * 2 * 2, "three networks, a teacher each"
        assert set(quality.by_set) == {"written"}
        assert 0 < quality.by_set["written"] <= 1
        assert set(quality.by_language) == {"en"}, "of German there are too few pages"
        assert trained.weights.columns.keys() == set(COLUMNS)
        told.clear()
        again, _, _ = train_hybrid(Labelled([corpus], []), folder, settings, told.append)
        assert not any("training" in what for what in told), "networks are there already"
        assert again.weights == trained.weights
        trained.save(tmp_path / "mine.dehusk", pages=len(pages))
        loaded = Trained.load(tmp_path / "mine.dehusk")
        assert (loaded.weights, loaded.calibration) == (trained.weights, trained.calibration)
        assert loaded.types.weights.keys() == trained.types.weights.keys()
        for clue, weights in trained.types.weights.items():
            assert loaded.types.weights[clue].tolist() == weights.tolist()
        model = dehusk.load_model(tmp_path / "mine.dehusk")
        assert len(dehusk.clean(written_page(1, 1)[0], model)) == 7
        own = dehusk.Hybrid(trained=str(tmp_path / "mine.dehusk"))
        assert own.fit([dehusk.read_page(written_page(1, number)[0]) for number in range(3)]).pages == 3

    def test_networks_are_trained_apart_and_side_by_side(
        self, corpus: Corpus, settings: HybridSettings, folder: Path, tmp_path: Path
    ) -> None:
        copytree(folder / "prepared", tmp_path / "prepared")
        pages, others = read_prepared(tmp_path / "prepared", ())
        assert (len(pages), others) == (SITES * PAGES, [])
        networks = train_networks(pages, others, tmp_path, replace(settings, processes=2), lambda _: None)
        for name, network in zip(("fold-0-of-2", "fold-1-of-2", "all"), networks, strict=True):
            expected = PageNetwork.load(folder / f"{name}.dehusk").read(pages[0].inputs)
            assert np.array_equal(network.read(pages[0].inputs).content, expected.content), "the same, one by one"

    def test_pages_of_one_fold_are_too_few(self, settings: HybridSettings, folder: Path, tmp_path: Path) -> None:
        pages, _ = read_prepared(folder / "prepared", ())
        of_one_site = [page for page in pages if page.site == pages[0].site]
        with pytest.raises(dehusk.DehuskError, match=r"are of sites in fold [12] of 2; give pages of more sites"):
            train_networks(of_one_site, (), tmp_path, settings, lambda _: None)
        unlabelled = [replace(page, usable=False) for page in pages]
        with pytest.raises(dehusk.DehuskError, match="no page has gold that fits"):
            train_networks(unlabelled, (), tmp_path, settings, lambda _: None)
        assert not list(tmp_path.iterdir())

    def test_no_site_is_judged_by_a_network_that_knows_it(
        self, corpus: Corpus, settings: HybridSettings, folder: Path
    ) -> None:
        networks = [Trained.load(folder / f"fold-{fold}-of-2.dehusk").network for fold in range(2)]
        sites = list(sample_sites(corpus, networks))
        assert {site.fold for site in sites} == {0, 1}
        for site in sites:
            judged = {page.prepared.name for page in site.judged}
            assert len(judged) + len(site.siblings) <= PAGES

    def test_repeated_text_weighs_against_content(self, corpus: Corpus, folder: Path) -> None:
        networks = [Trained.load(folder / f"fold-{fold}-of-2.dehusk").network for fold in range(2)]
        examples = [one for site in sample_sites(corpus, networks) for one in examples_of(site)]
        weights = learn_weights(examples, Calibration())
        notices = [one for one in examples if one.weight.any()]
        assert notices
        for one in notices:
            lowered = one.weight * weights.lowering(one.columns)
            assert lowered[-1] > 1, "the notice of every page"
            assert not lowered[one.page.prepared.target > 0.5].any()

    def test_weights_are_learnt_again_with_the_networks_as_they_are(
        self, corpus: Corpus, folder: Path, tmp_path: Path
    ) -> None:
        before = Trained.load(folder / "without-fold-0.dehusk")
        before.save(tmp_path / "mine.dehusk", pages=7, created="2026-01-02")
        options = ("--keep", str(folder), "--sites", corpus.path, "--folds", "2", "-o", str(tmp_path / "again.dehusk"))
        result = dehusk_command("train", "site-evidence", "--network", str(tmp_path / "mine.dehusk"), *options)
        assert result.returncode == 0, result.stderr
        assert "| kind left out | sites |" in result.stdout.decode()
        assert "pages of sites" in result.stderr.decode()
        file, again = read_model_file(tmp_path / "again.dehusk"), Trained.load(tmp_path / "again.dehusk")
        assert (file.pages, file.created) == (7, "2026-01-02")
        assert again.calibration == before.calibration
        assert again.weights.columns.keys() == set(COLUMNS)
        for name, array in before.network.arrays.items():
            assert np.array_equal(again.network.arrays[name], array)


class TestKinds:
    SCORES = (
        SiteScore("shop-a", "a", "shop", POLICY_LABELS, 4, 0.5, 0.7, 0),
        SiteScore("shop-b", "b", "shop", POLICY_LABELS, 2, 0.9, 0.9, 0),
        SiteScore("swde-auto", "c", "cars", POLICY_LABELS, 2, 0.6, 0.5, 1),
        SiteScore("swde-auto", "c", "cars", RULE, 2, 0.6, 0.6, 0),
    )

    def test_count_the_same_however_many_sites_they_have(self) -> None:
        shops, cars = score_kinds(self.SCORES[:3])
        assert (shops.kind, shops.sites, shops.pages, shops.harmed) == ("shop", 2, 6, 0)
        assert (shops.alone, shops.gain) == (pytest.approx(0.7), pytest.approx(0.1))
        assert (cars.harmed, cars.gain) == (1, pytest.approx(-0.1))

    def test_have_a_table_for_each_judge(self) -> None:
        lines = list(kind_lines(self.SCORES))
        assert "| **mean of kinds** | 3 | 8 | 0.650 | 0.650 | +0.000 | 1 |" in lines
        assert any(line.endswith("Worst kind: cars (-0.1000); harmed: 12.50% of pages.") for line in lines)
        assert "Mean gain on pages of facts: -0.100." in lines
        assert sum(line.startswith("\nJudged by") for line in lines) == 2


def test_pages_are_the_same_when_they_were_prepared_before(corpus: Corpus, tmp_path: Path) -> None:
    told: list[str] = []

    def progress(name: str, done: int, pages: int) -> None:
        told.append(name)

    first, again = (prepare([corpus], tmp_path, every_page, progress) for _ in range(2))
    assert len(told) == len(first) == len(again) == SITES * PAGES
    for one, other in zip(first, again, strict=True):
        assert (one.name, one.site, one.page_type, one.clues) == (other.name, other.site, other.page_type, other.clues)
        assert one.inputs.dense.dtype == other.inputs.dense.dtype
        assert np.array_equal(one.inputs.dense, other.inputs.dense)
        assert np.array_equal(one.target, other.target)
    assert {"host example", "address shop"} & first[PAGES].clues == {"address shop"}


class TestTypes:
    def pages(self, kinds: tuple[str, ...] = KINDS) -> list[TypedPage]:
        """Of each type a page of five sites, which the address gives away; the network knows nothing."""
        doubt = np.full(len(PAGE_TYPES), 1 / len(PAGE_TYPES), dtype=np.float32)
        pages = []
        for site in range(5):
            for kind in kinds:
                clues = frozenset({f"address {PLACES.get(kind, 'page')}", f"host house{site}", "og website"})
                prepared = SimpleNamespace(corpus="written", page_type=kind, site=f"house{site}", clues=clues)
                pages.append(TypedPage(prepared, doubt))  # type: ignore[arg-type]
        return pages

    def test_are_told_by_what_pages_say_of_themselves(self) -> None:
        weights = learn_types(self.pages())
        assert all(page.is_recognised(weights) for page in self.pages())
        assert weights.weights["address shop"].argmax() == PAGE_TYPES.index("product")
        assert "host house1" not in weights.weights, "a single site is no clue"

    def test_unknown_ones_teach_nothing(self) -> None:
        assert not learn_types(self.pages(("", "poem"))).weights
        assert learn_types(self.pages((*KINDS, "poem"))).weights.keys() == learn_types(self.pages()).weights.keys()


class Judged:
    """Stands for a page of many blocks of one word each."""

    def __init__(self, logits: np.ndarray, target: np.ndarray) -> None:
        self.logits, self.prepared = logits.astype(np.float32), self
        self.target, self.words = target.astype(np.float32), np.ones(len(target))


class TestCalibration:
    def test_finds_scale_and_shift(self) -> None:
        random = np.random.default_rng(1)
        true = random.normal(0, 2, 40_000)
        target = random.random(40_000) < 1 / (1 + np.exp(-true))
        judged = [Judged((true + 1) / 0.5, target)]
        found = calibrate(judged)  # type: ignore[arg-type]
        assert found.scale == pytest.approx(0.5, abs=0.03)
        assert found.offset == pytest.approx(1.0, abs=0.05)
        assert expected_error(reliability(judged, found)) < 0.01  # type: ignore[arg-type]
        assert expected_error(reliability(judged, Calibration(1.0, 0.0))) > 0.1  # type: ignore[arg-type]

    def test_confidence_never_falls(self) -> None:
        random = np.random.default_rng(2)
        pairs = [(float(one), float(np.clip(one + random.normal(0, 0.2), 0, 1))) for one in random.random(500)]
        expected, reached = confidence_curve(pairs)
        assert list(expected) == sorted(expected)
        assert list(reached) == sorted(reached)
        assert expected[0] == reached[0] == 0
