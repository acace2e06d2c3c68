"""The tables of tags and attributes are those that the compiled part reads pages by."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dehusk.page.page_reading import read_page
from dehusk.page.tags import ATTRIBUTE_CODES, ATTRIBUTES, MEMBERS, TAGS, TEXT, TagSet

TAG_SETS = Path(__file__).parents[2] / "native" / "src" / "html" / "tag_sets.rs"
PAGE = (
    "<title>a</title><style>b</style><nav><ul><li><a href=/>c</a></ul></nav><h1>d</h1><pre>e</pre><p>f<br>g<my-tag>h"
    "<table><tr><td>i</table><svg></svg><select><option>j</select><noscript>k</noscript><video></video>"
)


@pytest.mark.parametrize("name", [name for name in ATTRIBUTES if not name.startswith("*")])
def test_attributes_are_read_by_their_names(name: str) -> None:
    page = read_page(f"<p {name}=some>Text")
    assert page.attributes(page.tag_names.index("p")) == {name: "some"}


def test_sources_of_other_names_are_read_too() -> None:
    page = read_page("<img my-lazy-src=a.png my-lazy-srcset='b.png 2x' my-lazy=c>")
    assert page.attributes(page.tag_names.index("img")) == {"*src": "a.png", "*srcset": "b.png 2x"}


def test_no_name_is_listed_twice() -> None:
    assert len(set(TAGS)) == len(TAGS)
    assert len(ATTRIBUTE_CODES) == len(ATTRIBUTES) < 256  # a number is a byte
    assert TAGS[0] == TEXT


def test_rows_have_the_sets_of_their_tags() -> None:
    page = read_page(PAGE)
    assert set(page.tag_names) - set(TAGS) == {"my-tag"}
    for name, flags in zip(page.tag_names, page.flags.tolist(), strict=True):
        assert set(TagSet(flags)) == {tag_set for tag_set, members in MEMBERS.items() if name in members}


def test_tag_sets_have_the_bits_of_the_compiled_part() -> None:
    shifts = re.findall(r"pub const (\w+): u16 = 1(?: << (\d+))?;", TAG_SETS.read_text("utf-8"))
    bits = {name.removesuffix("_SET"): 1 << int(shift or 0) for name, shift in shifts}
    assert bits == {str(tag_set.name): tag_set.value for tag_set in TagSet}


def test_sets_have_members_that_show_what_they_are() -> None:
    for tag_set, name in {TagSet.BLOCK: "td", TagSet.LINK: "area", TagSet.HEADING: "h6", TagSet.HIDDEN: "rp"}.items():
        assert name in MEMBERS[tag_set]
    assert MEMBERS[TagSet.CELL] == {"td", "th"}
    assert "b" not in frozenset().union(*MEMBERS.values())
