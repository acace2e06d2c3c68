"""Training with labels by the content policy, with teachers, and on a device."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("pyarrow")
import pyarrow
import torch
from command_line import dehusk as run_dehusk
from numpy_network import share_log_odds, signatures_of
from pyarrow.parquet import write_table

import dehusk
from dehusk.blocks.segmentation import segment
from dehusk.cli.train_commands import NetworkOptions
from dehusk.lab.gold.corpora import Corpus, GoldPage
from dehusk.lab.gold.policy_labels import PolicyLabel, block_keys, digest_of_page
from dehusk.lab.training.block_targets import DOUBTFUL
from dehusk.lab.training.network_training import TrainingSettings, train
from dehusk.lab.training.page_store import PageStore
from dehusk.lab.training.prepared_pages import (
    POLICY,
    PreparedPage,
    every_page,
    made_by_rule,
    prepare,
    prepare_page,
    prepare_policy,
    without_labelled,
)
from dehusk.lab.training.torch_network import teach
from dehusk.methods.page_network.inference import PageNetwork
from dehusk.sources.raw_page import RawPage

MENU = "<ul class=menu><li><a href=/>Home</a><li><a href=/tea>Tea</a></ul>"
SETTINGS = TrainingSettings(
    epochs=6,
    pages_an_epoch=64,
    pages_a_batch=8,
    learning_rate=0.02,
    width=16,
    embedding=4,
    averaging=0.9,
    soft_share=0.5,
)
SHORT = replace(SETTINGS, epochs=2, pages_an_epoch=16)


def story(number: int) -> tuple[str, str]:
    """(html, content) of an article, with a box below it that is no content."""
    text = f"The kettle number {number} of the old house was on the stove, and the tea in it was as black as the night."
    box = f"<div class=box><p>Offer {number}: a lid for 4 pounds</p></div>"
    return f"<title>Tea</title>{MENU}<div class=story><p>{text}</p><p>{text}</p></div>{box}", f"{text}\n{text}"


def offers(number: int) -> tuple[str, str]:
    """(html, content) of a listing: the boxes are its items."""
    items = [f"Offer {number + item}: a lid for {item} pounds" for item in range(6)]
    boxes = "".join(f"<div class=box><p>{item}</p></div>" for item in items)
    return f"<title>Lids</title>{MENU}<div class=shelf>{boxes}</div>", "\n".join(items)


def prepared(corpus: str, number: int, html: str, gold: str) -> PreparedPage:
    raw = RawPage(html.encode(), url=f"https://site{number % 5}.example/{number}", name=f"{corpus}:{number}")
    return prepare_page(corpus, GoldPage(str(number), "", "en", "", raw, gold), segment(dehusk.read_page(raw)))


@pytest.fixture(scope="module")
def stories() -> list[PreparedPage]:
    return [prepared("stories", number, *story(number)) for number in range(12)]


@pytest.fixture(scope="module")
def shelves() -> list[PreparedPage]:
    return [prepared("shelves", number, *offers(number)) for number in range(18)]


@pytest.fixture(scope="module")
def teacher(stories: list[PreparedPage], shelves: list[PreparedPage]) -> PageNetwork:
    return train([*stories, *shelves[:12]], SETTINGS)


class TestPolicyPages:
    @pytest.fixture
    def data(self, tmp_path: Path) -> Path:
        (tmp_path / "gold").mkdir()
        rows = [
            {"id": str(number), "site": "a", "url": "", "html": story(number)[0].encode(), "gold": "Offer"}
            for number in range(3)
        ]
        write_table(pyarrow.Table.from_pylist(rows), tmp_path / "gold" / "written.parquet")
        return tmp_path

    def label(self, number: int) -> PolicyLabel:
        html = story(number)[0].encode()
        keys = block_keys(segment(dehusk.read_page(html)).texts)
        assert len(keys) == 6
        digest = digest_of_page(html)
        return PolicyLabel("gold/written", str(number), digest, "thread", keys[3:5], keys[5:], doubtful=keys[:1])

    def test_have_their_labels_as_targets(self, data: Path, tmp_path: Path) -> None:
        told: list[tuple[str, int, int]] = []
        labels = [self.label(0), self.label(2)]
        pages, again = (
            prepare_policy(labels, data, tmp_path / "work", lambda *progress: told.append(progress)) for _ in range(2)
        )
        assert told == [(POLICY, 1, 2), (POLICY, 2, 2)], "the second time from the folder"
        assert [page.name for page in pages] == [page.name for page in again] == ["written:0", "written:2"]
        for page in (pages[0], again[0]):
            assert (page.corpus, page.page_type, page.usable) == (POLICY, "thread", True)
            assert page.target.tolist() == [0, 0, 0, 1, 1, 0]
            assert page.comment.tolist() == [0, 0, 0, 0, 0, 1]
            assert page.certainty.tolist() == [pytest.approx(DOUBTFUL), 1, 1, 1, 1, 1]
            assert page.word_f1(page.target > 0) == 1

    def test_are_prepared_again_when_labels_change(self, data: Path, tmp_path: Path) -> None:
        label = self.label(0)
        prepare_policy([label], data, tmp_path / "work", lambda *_: None)
        (page,) = prepare_policy([replace(label, content=label.content[:1])], data, tmp_path / "work", lambda *_: None)
        assert page.target.tolist() == [0, 0, 0, 1, 0, 0]

    def test_are_not_trained_on_with_other_gold(self, data: Path, tmp_path: Path) -> None:
        pages = prepare(
            [Corpus(str(data / "gold" / "written.parquet"))], tmp_path / "work", every_page, lambda *_: None
        )
        assert [page.name for page in without_labelled(pages, [self.label(1)])] == ["written:0", "written:2"]
        elsewhere = replace(self.label(1), corpus="gold/another")
        assert without_labelled(pages, [elsewhere]) == without_labelled(pages, []) == pages


def test_gold_made_by_rule_is_told_by_the_name_of_its_set() -> None:
    assert [made_by_rule(name) for name in ("swde-job", "wcxb", "policy", "shop-swde-")] == [True, False, False, False]


class TestTeachers:
    def test_teach_pages_without_gold(
        self, stories: list[PreparedPage], shelves: list[PreparedPage], teacher: PageNetwork
    ) -> None:
        unlabelled = [replace(page, usable=False) for page in shelves[:12]]
        student = train(stories, SETTINGS, teachers=[teacher], taught=[*stories, *unlabelled])
        alone = train(stories, SETTINGS)

        def distance(network: PageNetwork) -> float:
            pairs = [(network.read(page.inputs).content, teacher.read(page.inputs).content) for page in shelves[12:]]
            return float(np.mean([np.abs(mine - taught).mean() for mine, taught in pairs]))

        for page in shelves[12:]:
            taught, learnt = teacher.read(page.inputs).content, student.read(page.inputs).content
            assert ((taught >= 0) == (learnt >= 0)).all()
            assert page.word_f1(learnt >= 0) == 1
        assert distance(student) < 0.8 * distance(alone)

    def test_are_averaged(self, stories: list[PreparedPage], teacher: PageNetwork) -> None:
        other = train(stories, SHORT)
        one, two = teacher.read(stories[0].inputs), other.read(stories[0].inputs)
        said = teach(PageStore.of(stories[:2], "cpu"), [teacher, other])
        mean = share_log_odds(signatures_of(stories[0].inputs.tokens), said.content[: len(stories[0])].numpy())
        assert mean == pytest.approx((one.content + two.content) / 2, abs=1e-3)
        assert said.comment[: len(stories[0])].numpy() == pytest.approx((one.comment + two.comment) / 2, abs=1e-3)
        assert said.page_type.sum(1).tolist() == pytest.approx([1, 1], abs=1e-5)

    def test_pages_they_teach_are_part_of_the_checkpoint(
        self, stories: list[PreparedPage], shelves: list[PreparedPage], teacher: PageNetwork, tmp_path: Path
    ) -> None:
        seen: list[int] = []
        for taught in ((), (), shelves[:1]):
            teachers = [teacher] if taught else []
            train(stories, SHORT, lambda step: seen.append(step.epoch), tmp_path / "checkpoint.npz", teachers, taught)
        assert seen == [1, 2, 1, 2], "only what is the same is resumed"


class TestDevice:
    def test_is_a_setting(self) -> None:
        settings = NetworkOptions(3, 1, "cuda", 2, 4, 7).settings()
        assert (settings.network.device, settings.network.epochs, settings.network.seed) == ("cuda", 3, 7)
        assert (settings.folds, settings.teachers) == (4, 1)
        assert TrainingSettings().device == "cpu"

    def test_batches_do_not_depend_on_their_other_pages(self, stories: list[PreparedPage]) -> None:
        store = PageStore.of(stories[:3], "cpu")
        alone, together = (
            store.batch(torch.tensor([1]), torch.tensor([0])),
            store.batch(torch.tensor([2, 1]), torch.zeros(2, dtype=torch.int64)),
        )
        of_page = (together.page == 1) & (together.is_block[:, 0] > 0)
        rows = alone.is_block[:, 0] > 0
        first = int(torch.nonzero(of_page)[0, 0])
        for name in ("dense", "target", "weight", "length", "comment", "has_heading"):
            assert torch.equal(getattr(together, name)[of_page], getattr(alone, name)[rows]), name
        for name in ("part_first", "part_last", "heading"):
            moved, own = getattr(together, name)[of_page], getattr(alone, name)[rows]
            assert torch.equal(moved, own + first) or name == "heading", name
        assert torch.equal(together.words[-len(alone.words) :], alone.words)

    @pytest.mark.parametrize(
        ("device", "told"),
        [("tpu", "--device: 'tpu' is unknown; choose cpu or cuda"), ("cuda", "--device: PyTorch finds no CUDA device")],
    )
    def test_that_is_not_there_is_refused(
        self, device: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
        done = run_dehusk("train", "hybrid", "-g", str(tmp_path), "-o", str(tmp_path / "a.dehusk"), "--device", device)
        assert done.returncode == 2
        assert told in done.stderr.decode()

    def test_labels_need_the_folder_of_their_pages(self, tmp_path: Path) -> None:
        options = ("-g", str(tmp_path), "-o", str(tmp_path / "a.dehusk"), "--labels", str(tmp_path))
        done = run_dehusk("train", "hybrid", *options)
        assert done.returncode == 2
        assert "--labels names pages of Parquet files: give their folder with --data" in done.stderr.decode()
