"""The native reader's tables of tags and attributes are those of `dehusk.page.tags`."""

from __future__ import annotations

import re
from pathlib import Path

from dehusk.page.tags import ATTRIBUTES, MEMBERS, TAGS, TagSet

NATIVE = Path(__file__).parents[2] / "native" / "src" / "html"


def constants() -> dict[str, str]:
    """The names of the tags by their constants in Rust, in the order of their codes."""
    table = (NATIVE / "tags.rs").read_text("utf-8").partition("tag_codes! {")[2].partition("\n}")[0]
    return dict(re.findall(r'([A-Z0-9_]+) "([^"]+)"', table))


def test_tags_have_the_same_codes() -> None:
    assert tuple(constants().values())[: len(TAGS)] == TAGS


def test_attributes_have_the_same_codes() -> None:
    table = (NATIVE / "attributes.rs").read_text("utf-8").partition("pub const ATTRIBUTES")[2].partition("\n];")[0]
    assert tuple(re.findall(r'"([^"]+)"', table)) == ATTRIBUTES


def test_tag_sets_have_the_same_members_and_bits() -> None:
    source = (NATIVE / "tag_sets.rs").read_text("utf-8")
    shifts = re.findall(r"pub const (\w+): u16 = 1(?: << (\d+))?;", source)
    bits = {name: 1 << int(shift or 0) for name, shift in shifts}
    other_blocks = source.partition("OTHER_BLOCKS: &[Tag] =")[2].partition(";")[0]
    table = source.partition("const MEMBERS: &[(u16, &[Tag])] =")[2].replace("OTHER_BLOCKS)", f"{other_blocks})")
    names = constants()
    members = {
        TagSet(bits[name]): {names[constant] for constant in re.findall(r"[A-Z0-9_]+", tags)}
        for name, tags in re.findall(r"\((\w+),\s*&\[([^\]]*)\]\s*\)", table)
    }
    # Blocks are everything from <html> to <textarea>, and those listed.
    members[TagSet.BLOCK] |= set(TAGS[TAGS.index("html") : TAGS.index("textarea") + 1])
    assert members == {tag_set: set(tags) for tag_set, tags in MEMBERS.items()}
