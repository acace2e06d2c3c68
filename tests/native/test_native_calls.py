"""Calls of the compiled part: who owns memory, what is refused, and what a failure says."""

from __future__ import annotations

import copy
import gc
import pickle
import threading
import weakref
from types import SimpleNamespace

import numpy as np
import pytest
from all_columns import same_page
from written_pages import WRITTEN, blocks_of

import dehusk
from dehusk.blocks.block_columns import Kind
from dehusk.methods.page_network.inference import METHOD, PageNetwork, _arguments
from dehusk.methods.page_network.network_inputs import PageInputs, page_inputs
from dehusk.methods.page_network.trained_weights import load_trained
from dehusk.native import calls
from dehusk.native.calculations import Question, ask
from dehusk.native.calls import Outcome, call
from dehusk.native.library import lib


@pytest.fixture(scope="module")
def network() -> PageNetwork:
    return load_trained().network


@pytest.fixture(scope="module")
def inputs() -> PageInputs:
    return page_inputs(blocks_of(WRITTEN["article"]))


def outcome(network: PageNetwork, inputs: PageInputs, policy: int = 0) -> Outcome:
    pointer = lib.dehusk_outcome_network(network._handed_over.pointer)
    return call(lib.dehusk_network_read, _arguments(inputs), "page.html", pointer, policy)


def test_arrays_are_read_only_and_keep_their_memory(network: PageNetwork, inputs: PageInputs) -> None:
    owner = outcome(network, inputs)
    freed = weakref.ref(owner)
    content, _, _ = columns = owner.columns(3)
    expected = content.copy()
    assert not content.flags.writeable
    assert not content.flags.owndata
    with pytest.raises(ValueError, match="WRITEABLE"):
        content.setflags(write=True)
    del owner, columns, _
    gc.collect()
    for _ in range(100):  # would write over memory that is free
        outcome(network, inputs)
    assert freed() is not None
    assert np.array_equal(content, expected)
    del content
    gc.collect()
    assert freed() is None


def test_every_outcome_is_freed_once(network: PageNetwork, inputs: PageInputs, monkeypatch: pytest.MonkeyPatch) -> None:
    network.read(inputs)  # hands the network over
    freed = []
    monkeypatch.setattr(calls, "_free", lambda pointer: (freed.append(pointer), lib.dehusk_outcome_free(pointer)))
    readings = [network.read(inputs) for _ in range(5)]
    gc.collect()
    assert freed == []
    readings.clear()
    gc.collect()
    assert len(freed) == 5


def test_a_part_keeps_the_whole() -> None:
    labelled = dehusk.clean(WRITTEN["article"]).labelled
    whole = weakref.ref(labelled.blocks.page.native)
    scores = labelled.scores
    expected = scores.copy()
    del labelled
    gc.collect()
    for _ in range(100):  # would write over memory that is free
        dehusk.clean(WRITTEN["article"])
    assert np.array_equal(scores, expected)
    del scores
    gc.collect()
    assert whole() is None


def test_what_is_wrong_names_the_page(network: PageNetwork, inputs: PageInputs) -> None:
    with pytest.raises(dehusk.NativeError, match=r"^page\.html: the compiled part failed \(there is no policy 99\); "):
        outcome(network, inputs, 99)
    with pytest.raises(dehusk.NativeError, match="names is missing"):
        call(lib.dehusk_network_new, [np.zeros(2, dtype=np.int32)], METHOD)


@pytest.mark.parametrize("number", range(8))
def test_arrays_that_do_not_fit_are_refused(network: PageNetwork, inputs: PageInputs, number: int) -> None:
    """Each too short, of another type, and with the largest numbers there are."""
    pointer = lib.dehusk_outcome_network(network._handed_over.pointer)
    arrays = list(_arguments(inputs))
    largest = np.full_like(arrays[number], np.iinfo(arrays[number].dtype).max) if number else arrays[number][:-1]
    for changed in (arrays[number][:0], arrays[number].astype(np.uint8), largest):
        broken = [*arrays[:number], changed, *arrays[number + 1 :]]
        with pytest.raises(dehusk.NativeError, match=r"page\.html: the compiled part failed \("):
            call(lib.dehusk_network_read, broken, "page.html", pointer, 0)


def test_want_of_memory() -> None:
    failed = lib.dehusk_network_new(*calls.LentArrays([np.zeros(2, dtype=np.int32)]).arguments)
    with pytest.raises(MemoryError):
        Outcome(SimpleNamespace(outcome=failed.outcome, status=3), METHOD)


def test_threads_share_a_network(network: PageNetwork, inputs: PageInputs) -> None:
    expected = network.read(inputs).content
    found: list[bool] = []

    def read() -> None:
        found.extend(np.array_equal(network.read(inputs).content, expected) for _ in range(50))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 200
    assert all(found)


@pytest.mark.parametrize("name", WRITTEN)
def test_pages_and_blocks_can_be_copied_and_sent(name: str) -> None:
    blocks = blocks_of(WRITTEN[name] + "<my-tag class=x>é</my-tag><style>p {}</style>")
    for again in (pickle.loads(pickle.dumps(blocks)), copy.deepcopy(blocks), copy.copy(blocks)):
        assert same_page(again.page, blocks.page)
        assert again.texts == blocks.texts
        assert np.array_equal(load_trained().network.logits(again), load_trained().network.logits(blocks))


def test_blocks_keep_the_kinds_that_a_model_read() -> None:
    blocks = blocks_of("<p>one<p>two")
    assert blocks.texts == ("one", "two")
    changed = blocks.with_kinds(np.array([True, False]), np.array([False, True]))
    assert changed.texts is blocks.texts
    assert pickle.loads(pickle.dumps(changed)).kind.tolist() == changed.kind.tolist() == [Kind.HEADING, Kind.LIST_ITEM]


@pytest.mark.parametrize(
    ("number", "entries"),
    [(3, [0, 0, 1]), (3, [-2, 0, 1]), (4, [0, 3, 3]), (4, [3, 3, 9]), (5, [0]), (0, [0xFF]), (1, [])],
)
def test_columns_that_are_no_page_are_refused(number: int, entries: list[int]) -> None:
    columns = dehusk.read_page("<body>").native.columns(19)
    columns[number] = np.array(entries, dtype=columns[number].dtype)
    with pytest.raises(dehusk.NativeError, match=r"page\.html: the compiled part failed \("):
        call(lib.dehusk_page_new, columns, "page.html")


def test_columns_are_handed_over_when_they_are_asked_for() -> None:
    page = dehusk.read_page("<p>one")
    assert not any(isinstance(value, np.ndarray) for value in vars(page).values())
    assert page.tag is page.tag
    assert "tag" in vars(page)


def test_arrays_that_are_described_once_can_be_lent_again_and_again() -> None:
    halves = np.array([1.0, -2.0], np.float16).view(np.uint8)
    described = calls.DescribedArray(halves)
    for _ in range(2):
        assert ask(Question.SINGLES, [described]).entries(0) == [1.0, -2.0]
    assert described.tobytes() == halves.tobytes()
    assert ask(Question.SINGLES, [pickle.loads(pickle.dumps(described))]).entries(0) == [1.0, -2.0]
