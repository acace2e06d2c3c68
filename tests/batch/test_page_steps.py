"""The steps of a batch, called in this process."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from dehusk.batch import page_steps
from dehusk.batch.page_steps import LearnSite, learn_site
from dehusk.blocks.block_columns import Blocks
from dehusk.methods.page_network.inference import NetworkReading, PageNetwork
from dehusk.sources.raw_page import RawPage

_PAGES = 5


def a_site(target: Path) -> LearnSite:
    menu = "<ul><li><a href=/>Home</a><li><a href=/tea>Our teas</a></ul>"
    texts = [f"<h1>Tea {number}</h1><p>" + f"Tea number {number} is good. " * 9 for number in range(_PAGES)]
    pages = tuple(RawPage(f"<html lang=en>{menu}{text}".encode(), f"https://a.example/{text[4:9]}") for text in texts)
    return LearnSite("a.example", pages, "hybrid", 3, str(target))


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the network reads a page, for a reading or for a judgement."""
    calls: Counter[str] = Counter()
    read_blocks, for_pages = PageNetwork.read_blocks, PageNetwork.for_pages

    def read(network: PageNetwork, blocks: Blocks, policy: str | None = None) -> NetworkReading:
        calls["readings"] += 1
        return read_blocks(network, blocks, policy)

    def judge(network: PageNetwork) -> object:
        calls["judgements"] += 1
        return for_pages(network)

    monkeypatch.setattr(PageNetwork, "read_blocks", read)
    monkeypatch.setattr(PageNetwork, "for_pages", judge)
    return calls


def test_learning_a_site_and_describing_it_runs_the_network_once_a_page(tmp_path: Path, runs: Counter[str]) -> None:
    learnt = learn_site(a_site(tmp_path / "site.dehusk"))
    assert learnt.has_model
    assert learnt.learnt
    assert learnt.learnt.blocks
    assert runs == {"readings": _PAGES}


def test_a_large_sample_gives_the_same_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = learn_site(a_site(tmp_path / "held.dehusk"))
    monkeypatch.setattr(page_steps, "_HELD_BYTES", 0)
    assert learn_site(a_site(tmp_path / "streamed.dehusk")) == held
    assert (tmp_path / "streamed.dehusk").read_bytes() == (tmp_path / "held.dehusk").read_bytes()
