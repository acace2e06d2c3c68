"""Training: the two networks are one, gold becomes targets, and what there is to learn is learnt."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy_network import share_log_odds, signatures_of

import dehusk
from dehusk.blocks.segmentation import segment
from dehusk.lab.gold.corpora import GoldPage, fold_of, registered_domain
from dehusk.lab.training.block_targets import comment_targets, label_targets
from dehusk.lab.training.prepared_pages import UNKNOWN, known_type
from dehusk.methods.page_network.page_types import PAGE_TYPES
from dehusk.sources.raw_page import RawPage

pytest.importorskip("torch")
import torch

from dehusk.lab.training.network_training import Step, TrainingSettings, policy_of, train
from dehusk.lab.training.page_store import PageStore
from dehusk.lab.training.prepared_pages import PreparedPage, prepare_page
from dehusk.lab.training.torch_network import Dropping, NetworkModule, NetworkSize
from dehusk.methods.page_network.inference import PageNetwork

SENTENCE = "The kettle number {} of the old house was on the stove, and the tea in it was as black as the night."


def written_page(number: int) -> PreparedPage:
    texts = [SENTENCE.format(number * 10 + place) for place in range(2 + number % 4)]
    html = (
        f"<title>Tea {number}</title><ul class=menu><li><a href=/>Home</a><li><a href=/tea>Tea</a></ul>"
        + f"<div class=story><h1>Kettle {number}</h1>"
        + "".join(f"<p>{text}</p>" for text in texts)
        + f"</div><div class=extra><p>{'Subscribe to our letter of the week, it is for you. ' * 2}</p></div>"
    )
    raw = RawPage(html.encode(), url=f"https://site{number % 7}.example/{number}", name=f"written:{number}")
    page = GoldPage(str(number), "", "en", "", raw, "\n".join([f"Kettle {number}", *texts]))
    return prepare_page("written", page, segment(dehusk.read_page(raw)))


@pytest.fixture(scope="module")
def pages() -> list[PreparedPage]:
    return [written_page(number) for number in range(24)]


def test_targets(pages: list[PreparedPage]) -> None:
    assert pages[0].usable
    assert pages[0].target.tolist() == [0, 0, 0, 1, 1, 1, 0]
    assert pages[0].word_f1(pages[0].target >= 0.5) == 1
    assert pages[0].word_f1(np.zeros(7, dtype=bool)) == 0
    assert pages[0].site == "site0.example"


def test_the_title_stands_for_a_missing_heading() -> None:
    blocks = segment(dehusk.read_page("<title>Tea at night | Kettle</title><p>Home<p>The tea was black."))
    assert label_targets(blocks, "Tea at night\nThe tea was black.").target.tolist() == [pytest.approx(0.75), 0, 1]
    assert label_targets(blocks, "The tea was black.").target.tolist() == [0, 0, 1]


def test_the_title_is_no_headline_beside_one() -> None:
    html = "<title>Tea at night | The Kettle</title><h1>Tea at night</h1><p>The kettle was black."
    targets = label_targets(segment(dehusk.read_page(html)), "Tea at night\nThe kettle was black.")
    assert targets.target.tolist() == [0, 1, 1]


def test_gold_of_another_page_is_not_usable() -> None:
    blocks = segment(dehusk.read_page("<p>The tea was black."))
    assert not label_targets(blocks, "Nothing of this is there at all, whoever looks for it.").usable


def test_both_networks_are_one(pages: list[PreparedPage]) -> None:
    torch.manual_seed(1)
    module = NetworkModule(NetworkSize(pages[0].inputs.dense.shape[1], 3, 64), Dropping()).eval()
    for parameter in module.parameters():
        parameter.data.add_(torch.randn_like(parameter) * 0.05)
    batch = PageStore.of(pages[:3], "cpu").batch(torch.arange(3), torch.arange(3))
    with torch.no_grad():
        of_torch = module(batch)
    is_block = batch.is_block[:, 0] > 0
    policies = ("stranger", "a", "b")
    network = PageNetwork.from_arrays(module.arrays(), policies)
    readings = [network.read(page.inputs, name) for page, name in zip(pages, policies, strict=False)]
    ends = np.cumsum([len(page) for page in pages[:3]])
    content = np.split(of_torch.content[is_block].numpy(), ends[:-1])
    for page, said, reading in zip(pages, content, readings, strict=False):
        shared = share_log_odds(signatures_of(page.inputs.tokens), said)
        assert shared == pytest.approx(reading.content, abs=1e-3)
    comment = np.concatenate([reading.comment for reading in readings])
    assert of_torch.comment[is_block].numpy() == pytest.approx(comment, abs=1e-3)
    types = np.array([reading.page_type for reading in readings])
    assert of_torch.page_type.softmax(1).numpy() == pytest.approx(types, abs=1e-4)
    with torch.no_grad():
        again = NetworkModule.of(network).eval()(batch)
    assert again.content.numpy() == pytest.approx(of_torch.content.numpy(), abs=1e-5)
    assert again.page_type.numpy() == pytest.approx(of_torch.page_type.numpy(), abs=1e-5)


def test_learns_what_there_is_to_learn(pages: list[PreparedPage], tmp_path: Path) -> None:
    settings = TrainingSettings(
        epochs=8, pages_an_epoch=80, pages_a_batch=8, learning_rate=0.01, width=16, averaging=0.9
    )
    network = train(pages[:16], settings)
    scores = [page.word_f1(network.logits_of_inputs(page.inputs) >= 0) for page in pages[16:]]
    assert np.mean(scores) > 0.95
    again = train(pages[:16], settings)
    assert all(np.array_equal(array, again.arrays[name]) for name, array in network.arrays.items())


def test_policies_of_sets() -> None:
    assert [policy_of(name) for name in ("wcxb", "docs-qt", "api-cats", "swde-job")] == ["wcxb", "docs", "docs", "swde"]


def test_registered_domains() -> None:
    addresses = ("https://www.a.example/x", "http://news.bbc.co.uk", "http://10.0.0.1/", "", "http://[bad")
    assert [*map(registered_domain, addresses)] == ["a.example", "bbc.co.uk", "10.0.0.1", "", ""]
    assert {fold_of(f"site{number}.example", 5) for number in range(50)} == set(range(5))


def test_interrupted_training_goes_on(pages: list[PreparedPage], tmp_path: Path) -> None:
    settings = TrainingSettings(epochs=3, pages_an_epoch=16, pages_a_batch=8, width=8, embedding=4)
    checkpoint = tmp_path / "checkpoint.npz"

    def interrupt(step: Step) -> None:
        if step.epoch == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(pages[:8], settings, interrupt, checkpoint)
    seen: list[int] = []
    resumed = train(pages[:8], settings, lambda step: seen.append(step.epoch), checkpoint)
    assert seen == [3]
    whole = train(pages[:8], settings)
    assert all(np.array_equal(array, resumed.arrays[name]) for name, array in whole.arrays.items())
    train(pages[:9], settings, lambda step: seen.append(step.epoch), checkpoint)
    assert seen == [3, 1, 2, 3]


def test_a_headline_that_gold_leaves_out_is_doubtful() -> None:
    html = "<title>Tea at night | The Kettle</title><h1>Tea at night</h1><p>The kettle was black.<h2>More</h2>"
    targets = label_targets(segment(dehusk.read_page(html)), "The kettle was black.")
    assert targets.target.tolist() == [0, 0, 1, 0]
    assert targets.certainty.tolist() == [1, pytest.approx(0.3), 1, 1]


def test_folded_and_reordered_text_is_found() -> None:
    facts = "It holds two litres and boils them in three minutes."
    story = "The kettle was invented long before anybody thought of writing down how to use it."
    html = f"<p>Home</p><p>{story}</p><div hidden><p>{facts}</p></div>"
    assert label_targets(segment(dehusk.read_page(html)), f"{facts} {story}").target.tolist() == [0, 1, 1]


def test_comments_are_found_apart() -> None:
    blocks = segment(dehusk.read_page("<title>Tea</title><p>The tea was black.<p>Anna: I like this tea a lot!"))
    assert comment_targets(blocks, "Anna: I like this tea a lot!").tolist() == [0, 0, 1]
    assert comment_targets(blocks, "").tolist() == [0, 0, 0]


def test_known_types() -> None:
    def name(corpus: str, label: str = "") -> str | None:
        number = known_type(corpus, label)
        return None if number == UNKNOWN else PAGE_TYPES[number]

    assert name("wcxb", "listing") == "listing"
    assert [name(corpus) for corpus in ("swde-camera", "docs-qt", "forum-gbadev")] == [
        *("product", "documentation", "forum"),
    ]
    assert name("leogao2", "news") == name("l3s-gn1") == "article"
    assert name("swde-job") == name("policy", "data") == "data"
    assert [name("policy", label) for label in ("index", "collection", "front")] == ["listing"] * 3
    assert [name("policy", label) for label in ("thread", "questions", "nothing")] == ["forum", "forum", "empty"]
    assert name("cleaneval-en") is name("google-trends-2017") is None
