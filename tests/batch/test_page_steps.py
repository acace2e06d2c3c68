"""The steps of a batch, called in this process."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from dehusk.batch import page_steps
from dehusk.batch.page_steps import CleanPage, LearnSite, clean_page, learn_site
from dehusk.blocks.block_columns import Blocks
from dehusk.deciding.cleaning_at_once import CleanedAtOnce
from dehusk.methods.page_network.inference import PageNetwork
from dehusk.methods.page_network.trained_weights import Trained
from dehusk.native.calls import Outcome
from dehusk.outputs.page_records import RecordOptions, record_of
from dehusk.sources.raw_page import RawPage

_PAGES = 5


def a_site(target: Path) -> LearnSite:
    menu = "<ul><li><a href=/>Home</a><li><a href=/tea>Our teas</a></ul>"
    texts = [f"<h1>Tea {number}</h1><p>" + f"Tea number {number} is good. " * 9 for number in range(_PAGES)]
    pages = tuple(RawPage(f"<html lang=en>{menu}{text}".encode(), f"https://a.example/{text[4:9]}") for text in texts)
    return LearnSite("a.example", pages, "hybrid", 3, str(target))


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the network reads a page, to learn from it or to clean it."""
    calls: Counter[str] = Counter()
    measure_blocks, measured = PageNetwork.measure_blocks, Trained.measured

    def measure(network: PageNetwork, blocks: Blocks) -> Outcome:
        calls["learnt"] += 1
        return measure_blocks(network, blocks)

    def known(trained: Trained, blocks: Blocks) -> Outcome | None:
        found = measured(trained, blocks)
        if found is None:
            calls["cleaned"] += 1
        return found

    monkeypatch.setattr(PageNetwork, "measure_blocks", measure)
    monkeypatch.setattr(Trained, "measured", known)
    return calls


def test_learning_a_site_and_describing_it_runs_the_network_once_a_page(tmp_path: Path, runs: Counter[str]) -> None:
    learnt = learn_site(a_site(tmp_path / "site.dehusk"))
    assert learnt.has_model
    assert learnt.learnt
    assert learnt.learnt.blocks
    assert runs == {"learnt": _PAGES}


def test_a_large_sample_gives_the_same_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = learn_site(a_site(tmp_path / "held.dehusk"))
    monkeypatch.setattr(page_steps, "_HELD_BYTES", 0)
    assert learn_site(a_site(tmp_path / "streamed.dehusk")) == held
    assert (tmp_path / "streamed.dehusk").read_bytes() == (tmp_path / "held.dehusk").read_bytes()


def test_pages_that_a_site_is_learnt_from_are_cleaned_in_the_same_step(tmp_path: Path, runs: Counter[str]) -> None:
    task = replace(a_site(tmp_path / "site.dehusk"), cleans=True)
    learnt = learn_site(task)
    assert runs == {"learnt": _PAGES}
    alone = [clean_page(CleanPage(raw, task.method, task.target)) for raw in task.pages]
    assert [made and made.result for made in learnt.made] == alone
    assert replace(learnt, made=()) == learn_site(a_site(tmp_path / "again.dehusk"))


def test_pages_of_a_site_too_small_to_learn_are_cleaned_as_well(tmp_path: Path) -> None:
    site = a_site(tmp_path / "site.dehusk")
    learnt = learn_site(replace(site, pages=site.pages[:2], cleans=True))
    assert not learnt.has_model
    assert [made and made.result for made in learnt.made] == [
        clean_page(CleanPage(raw, site.method, "")) for raw in site.pages[:2]
    ]


def test_a_page_that_fails_is_left_to_be_cleaned_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(labelled: CleanedAtOnce, options: RecordOptions) -> dict[str, object]:
        if labelled.page.url.endswith("2"):
            raise ZeroDivisionError
        return record_of(labelled, options)

    monkeypatch.setattr(page_steps, "record_of", fail)
    learnt = learn_site(replace(a_site(tmp_path / "site.dehusk"), cleans=True))
    assert [bool(made) for made in learnt.made] == [True, True, False, True, True]
