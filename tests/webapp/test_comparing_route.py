"""Comparing two ways to clean a page, and the word diff."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random

import pytest
from app_tab import Tab
from counted_work import assert_grows_in_step
from hypothesis import given
from hypothesis import strategies as st
from thoroughness import sized

from dehusk.webapp.word_differences import MOST_WORDS, Differences, differences

texts = st.lists(
    st.sampled_from(["tea", "pot", "\n\n", " ", ", ", "leaf ", "中", "文", "a", "🫖", "\t"]), max_size=40
).map("".join)


def one_side(found: Differences, side: str) -> str:
    return "".join(text for kind, text in found.segments if kind in {"same", side})


def without_blanks(text: str) -> str:
    return "".join(text.split())


@given(texts, texts)
def test_both_texts_are_in_the_differences(left: str, right: str) -> None:
    found = differences(left, right)
    for side, text in (("left", left), ("right", right)):
        assert without_blanks(one_side(found, side)) == without_blanks(text)
    kinds = [kind for kind, _ in found.segments]
    assert all(first != second for first, second in pairwise(kinds))


@given(texts)
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    assert {kind for kind, _ in differences(text, text).segments} <= {"same"}


def test_a_line_that_begins_on_one_side_alone_is_not_glued_to_the_one_before() -> None:
    found = differences("Hard water, soft tea", "Brewing\n\nHard water, soft tea")
    assert found.segments == (("right", "Brewing"), ("same", "\n\nHard water, soft tea"))
    assert found.counts == {"right": 1, "same": 4}, "signs are no words"


def test_words_that_differ_are_found() -> None:
    found = differences("the quick brown fox jumps", "the slow brown fox")
    assert found.segments == (
        ("same", "the"),
        ("left", " quick"),
        ("right", " slow"),
        ("same", " brown fox"),
        ("left", " jumps"),
    )
    assert dict(found.counts) == {"same": 3, "left": 2, "right": 1}


def test_a_part_that_is_missing_is_one_segment() -> None:
    words = [f"w{number}" for number in range(2_000)]
    found = differences(" ".join(words), " ".join(words[:500] + words[900:]))
    assert [kind for kind, _ in found.segments] == ["same", "left", "same"]
    assert found.counts["left"] == 400


@pytest.mark.parametrize("kinds", [1, 2, 7, 50, 3_000, 10**9])
def test_work_is_bounded(kinds: int) -> None:
    random = Random(kinds)
    left, right = ([str(random.randrange(kinds)) for _ in range(60_000)] for _ in range(2))

    def make_work(size: int) -> Callable[[], object]:
        return lambda: differences(" ".join(left[:size]), " ".join(right[:size]))

    assert_grows_in_step(make_work, sized(20_000))
    found = differences(" ".join(left), " ".join(right))
    assert found.cut
    assert found.counts["same"] + found.counts["left"] == MOST_WORDS


def test_anchors_that_come_one_by_one_do_not_take_forever() -> None:
    """Each word occurs twice until the one before it has split the text: as many splits as words."""

    def sides(size: int) -> list[str]:
        chain = [(f"w{number + 1}", f"w{number}") for number in range(size)]
        return [" ".join(f"{noise} {first} {second}" for first, second in chain) for noise in ("left", "right")]

    def make_work(size: int) -> Callable[[], object]:
        left, right = sides(size)
        return lambda: differences(left, right)

    assert_grows_in_step(make_work, 2_000)
    left, right = sides(16_000)
    assert one_side(differences(left, right), "left") == left


def page_of(tab: Tab) -> str:
    return str(next(page["id"] for page in tab.workspace()["pages"] if "hard-water" in page["name"]))


def test_methods_tools_and_gold(cleaned_sample: Tab) -> None:
    page = page_of(cleaned_sample)
    for right in ("method:style-tree", "method:satisfiable-subtree", "tool:turbohtml"):
        compared = cleaned_sample.get(f"/api/pages/{page}/compare", left="method:hybrid", right=right)
        assert [compared[side]["name"] for side in ("left", "right")] == ["method:hybrid", right]
        assert compared["left"]["text"] == cleaned_sample.get(f"/api/pages/{page}/result")["content"]
        assert compared["left"]["error"] is compared["right"]["error"] is compared["left"]["score"] is None
        assert compared["same"] > 100
        for side in ("left", "right"):
            assert compared[side]["words"] == compared["same"] + compared[f"only_{side}"]
        assert without_blanks(
            "".join(one["text"] for one in compared["segments"] if one["kind"] != "left")
        ) == without_blanks(compared["right"]["text"])


def test_scores_against_gold(tab: Tab) -> None:
    tab.post("/api/pages/sample")
    page = page_of(tab)
    gold = tab.get(f"/api/pages/{page}/compare", left="method:hybrid", right="method:hybrid")["left"]["text"]
    tab.put(f"/api/pages/{page}/gold", {"text": gold})
    compared = tab.get(f"/api/pages/{page}/compare", left="gold", right="method:satisfiable-subtree")
    assert compared["left"]["score"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert 0 < compared["right"]["score"]["f1"] <= 1


def test_a_tool_that_is_not_installed_says_so(cleaned_sample: Tab) -> None:
    installed = set(cleaned_sample.get("/api/choices")["tools"])
    missing = sorted({"goose3", "newspaper4k", "boilerpy3", "justext"} - installed)
    for tool in missing:
        compared = cleaned_sample.get(
            f"/api/pages/{page_of(cleaned_sample)}/compare", 422, left=f"tool:{tool}", right="method:hybrid"
        )
        assert "pip install" in compared["error"]["remedy"]
