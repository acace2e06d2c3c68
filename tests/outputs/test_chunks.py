"""Chunks: nothing is lost, nothing is out of order, nothing is cut that must not be, and none is too long."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from counted_work import assert_grows_in_step
from generate import FOLDER, SOURCE, slugs
from hypothesis import given, settings
from hypothesis import strategies as st
from keep_visible import clean_visible
from thoroughness import examples, sized, spread

import dehusk
from dehusk.outputs.chunks import CHUNK_FIELDS, Part, cut_markdown
from dehusk.outputs.markdown_pieces import links_of, pieces_of, plain_heading
from dehusk.page.characters import words_of

SIZES = ((1, 0), (5, 2), (20, 0), (20, 10), (300, 0), (300, 50))

_WORD = st.text("abcdefghijklmnopqrstuvwxyzäß", min_size=1, max_size=6)
_SENTENCE = st.lists(_WORD, min_size=1, max_size=12).map(" ".join).map(lambda words: f"{words}.")
_FORMULA = st.lists(_WORD, min_size=1, max_size=6).map(lambda words: f"${' + '.join(words)}$")
_CHINESE = st.text("茶叶水壶山云杯。", min_size=1, max_size=30)
_PARAGRAPH = st.lists(st.one_of(_SENTENCE, _FORMULA, _CHINESE), min_size=1, max_size=8).map(" ".join)
_BLOCKS = st.one_of(
    st.tuples(st.integers(1, 6), _SENTENCE).map(lambda heading: f"{'#' * heading[0]} {heading[1]}"),
    _PARAGRAPH,
    st.lists(_SENTENCE, min_size=1, max_size=9).map(lambda items: "\n".join(f"- {item}" for item in items)),
    st.lists(st.lists(_SENTENCE, min_size=2, max_size=2).map(" | ".join), min_size=1, max_size=9).map(
        lambda rows: "\n".join([f"| {rows[0]} |", "| --- | --- |", *(f"| {row} |" for row in rows[1:])])
    ),
    st.lists(st.one_of(_SENTENCE, st.just("    }"), st.just("")), max_size=9).map(
        lambda lines: "\n".join(["```python", *lines, "```"])
    ),
    _SENTENCE.map(lambda text: f"$$\n{text}\n{text}\n$$"),
    st.lists(_PARAGRAPH, min_size=1, max_size=3).map(lambda lines: "\n>\n".join(f"> {line}" for line in lines)),
)
MARKDOWN = st.lists(_BLOCKS, max_size=12).map(lambda blocks: "\n\n".join([*blocks, ""]))
TEXTS = st.text("ab #|`$[]()!\\\n>-1.\t茶。<", max_size=200)
LIMITS = st.tuples(st.integers(1, 60), st.integers(0, 30)).map(lambda sizes: (sizes[0], min(sizes[1], sizes[0] // 2)))


def pieces_in(markdown: str, part: Part) -> int:
    return sum(part.start <= piece.start < part.end for piece in pieces_of(markdown))


def check(markdown: str, max_words: int, overlap: int) -> list[Part]:
    parts = list(cut_markdown(markdown, max_words, overlap))
    ends = 0
    for part in parts:
        # In order, and what is between two parts is white space.
        assert part.start < part.end
        assert not markdown[ends : part.start].strip()
        assert part.end > ends
        ends = part.end
        text = markdown[part.start : part.end]
        assert text.strip("\n") == text.rstrip() != ""
        assert part.words == len(words_of(text))
        assert part.words <= max_words or pieces_in(markdown, part) == 1
    assert not markdown[ends:].strip()
    assert all(before.start < after.start for before, after in pairwise(parts))
    if not overlap:
        assert all(before.end <= after.start for before, after in pairwise(parts))
        words = [word for part in parts for word in words_of(markdown[part.start : part.end])]
        assert words == words_of(markdown)
    return parts


@settings(max_examples=examples(300), deadline=None)
@given(MARKDOWN, LIMITS)
def test_markdown_is_cut_only_where_it_may_be(markdown: str, sizes: tuple[int, int]) -> None:
    parts = check(markdown, *sizes)
    edges = {edge for part in parts for edge in (part.start, part.end)}
    for whole in re.finditer(r"^[ >]*\|.*$|\$\$\n(?:.+\n)+\$\$|\$[^$\n]+\$", markdown, re.MULTILINE):
        assert not any(whole.start() < edge < whole.end() for edge in edges), whole[0]
    for code in re.finditer(r"```python\n(.*?)```", markdown, re.DOTALL):
        inside = [edge for edge in edges if code.start() < edge < code.end()]
        assert all(edge == 0 or markdown[edge - 1] == "\n" or markdown[edge] == "\n" for edge in inside)


@settings(max_examples=examples(300), deadline=None)
@given(TEXTS, LIMITS)
def test_any_text_is_covered(text: str, sizes: tuple[int, int]) -> None:
    check(text, *sizes)
    list(links_of(text))


@settings(max_examples=examples(200), deadline=None)
@given(MARKDOWN)
def test_headings_are_those_above(markdown: str) -> None:
    for part in cut_markdown(markdown, 150):  # more words than the headings can have
        above: dict[int, str] = {}
        # All headings up to the first text of the chunk; those in code begin no line here.
        text = markdown[part.start : part.end]
        before = markdown[: part.start] + "\n".join(_first_headings(text))
        for line in before.split("\n"):
            if heading := re.match(r"(#{1,6}) ", line):
                level = len(heading[1])
                above = {other: told for other, told in above.items() if other < level} | {level: line}
        assert part.headings == tuple(plain_heading(line) for line in above.values())


def _first_headings(text: str) -> list[str]:
    lines = [line for line in text.split("\n") if line]
    until = next((number for number, line in enumerate(lines) if not re.match("#{1,6} ", line)), len(lines))
    return lines[:until]


@pytest.mark.parametrize("slug", spread(slugs(), 3))
@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize(
    "shown", [dehusk.OutputOptions(), dehusk.OutputOptions(links=True, images=True)], ids=["plain", "links"]
)
def test_golden_pages(slug: str, sizes: tuple[int, int], shown: dehusk.OutputOptions) -> None:
    page = clean_visible((FOLDER / slug / SOURCE).read_bytes(), url=f"https://golden.example/{slug}/")
    markdown = page.render("markdown", shown)
    parts = check(markdown, *sizes)
    chunks = page.chunks(*sizes, shown)
    assert [(chunk.start, chunk.end, chunk.order) for chunk in chunks] == [
        (part.start, part.end, order) for order, part in enumerate(parts)
    ]
    assert all(chunk.text == markdown[chunk.start : chunk.end] for chunk in chunks)
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    linked = page.render("markdown", replace(shown, links=True))
    if not sizes[1]:
        found = Counter(target for chunk in chunks for target in chunk.links)
        assert found.keys() == {link.target for link in links_of(linked)}


def test_links_are_those_of_the_text_whether_or_not_it_shows_them() -> None:
    html = (
        "<h1>Tea</h1><p>Green <a href=/a>leaves (of (spring))</a> [1] and <code>[x](y)</code> <a href=/b_c>black</a>."
        "<h2>Milk</h2><p>From <a href='https://b.example/?q=(1)'>*cows*</a>, <a href=/a>leaves</a>, <a href=/a>all</a>."
        "<h2>Sugar</h2><p>None.<pre>[no](link)</pre>"
    )
    page = clean_visible(html, url="https://a.example/")
    plain, linked = page.chunks(), page.chunks(options=dehusk.OutputOptions(links=True))
    assert [chunk.links for chunk in plain] == [chunk.links for chunk in linked]
    first, second, third = (chunk.links for chunk in plain)
    assert first == ("https://a.example/a", "https://a.example/b_c")
    assert second[1:] == ("https://a.example/a",)
    assert second[0].startswith("https://b.example/?q=")
    assert third == ()


def test_the_best_place_is_chosen() -> None:
    two, three = (" ".join(["One two three four five."] * number) for number in (2, 3))
    markdown = f"# Tea\n\n{three}\n\n{two}\n\n- a b c\n- d e f\n\n## Milk\n\n### Cold\n\nSix seven.\n"
    parts = list(cut_markdown(markdown, 20))
    assert [markdown[part.start : part.end] for part in parts] == [
        f"# Tea\n\n{three}",
        f"{two}\n\n- a b c\n- d e f",
        "## Milk\n\n### Cold\n\nSix seven.",
    ]
    assert [part.headings for part in parts] == [("Tea",), ("Tea",), ("Tea", "Milk", "Cold")]


def test_overlaps_begin_with_a_sentence_and_stay_in_the_section() -> None:
    markdown = "# Tea\n\n" + "One two three four. " * 10 + "\n\n# Milk\n\nFive six."
    texts = [markdown[part.start : part.end] for part in cut_markdown(markdown, 20, 9)]
    assert all(text.startswith("One two") for text in texts[1:-1])
    assert texts[-1] == "# Milk\n\nFive six."
    assert all(len(words_of(text)) <= 20 for text in texts)
    assert len(texts) > 4


def test_ids_stay_when_other_sections_change() -> None:
    pages = [
        clean_visible(f"<h1>Tea</h1><p>{first}<h2>Milk</h2><p>None.<h2>Milk</h2><p>None.", url="https://a.example/")
        for first in ("Green.", "Black, or green.")
    ]
    before, after = ([chunk.id for chunk in page.chunks()] for page in pages)
    assert before[0] != after[0]
    assert before[1:] == after[1:]
    assert len(set(before)) == 3
    assert [chunk.id for chunk in clean_visible("<p>Tea.").chunks()] == ["f2982c74cb5bbc27"]


def test_lines_of_json_have_all_of_it() -> None:
    page = clean_visible("<h1>Tea</h1><p>Green <a href=/x>tea</a>.", url="https://a.example/")
    (record,) = map(json.loads, page.render("chunks").splitlines())
    assert tuple(record) == CHUNK_FIELDS
    (chunk,) = page.chunks()
    assert {**chunk.to_dict(), "name": "", "url": "https://a.example/", "title": "Tea"} == record
    assert record["text"] == page.markdown.strip() == "# Tea\n\nGreen [tea](https://a.example/x)."
    assert clean_visible("").render("chunks") == ""
    with pytest.raises(dehusk.InvalidSetting, match="half of max_words"):
        page.chunks(10, 6)
    with pytest.raises(dehusk.InvalidSetting, match="less than 1"):
        page.chunks(0)


@pytest.mark.parametrize(
    ("heading", "told"),
    [
        ("# Tea \\& *milk*", "Tea & milk"),
        ("## [Tea](https://a.example/x_y) `a*b`", "Tea ab"),
        ("# H<sub>2</sub>O \\# 1 &amp; 2", "H2O # 1 & 2"),
    ],
)
def test_headings_are_told_without_marks(heading: str, told: str) -> None:
    assert plain_heading(heading) == told


HOSTILE = {
    "words": "a ",
    "dollars": "$a ",
    "display": "$$a ",
    "ticks": "` `` ",
    "brackets": "[a ",
    "targets": "[a](<b ",
    "ends": "a](b](",
    "lines": "a\n",
    "fences": "```\n",
    "formulas": "$$\na\n\n",
    "headings": "# a\n",
    "rows": "| a | - |\n",
    "blanks": " \n",
    "escapes": "\\$",
}


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_takes_linear_work(unit: str) -> None:
    def make_work(size: int) -> object:
        text = unit * size
        return lambda: (check_quickly(text), list(links_of(text)))

    assert_grows_in_step(make_work, sized(20_000))  # type: ignore[arg-type]


def check_quickly(text: str) -> None:
    parts = list(cut_markdown(text, 50, 20))
    assert not parts or not text[parts[-1].end :].strip()


def test_an_escaped_bracket_opens_no_link() -> None:
    """After one, a sentence would still be a better place to cut than any other."""
    markdown = "One \\[two. Three four five. Six seven eight nine."
    assert [markdown[part.start : part.end] for part in cut_markdown(markdown, 6, 0)] == [
        "One \\[two. Three four five.",
        "Six seven eight nine.",
    ]
