"""What of a site's tree is listed: folded, joined, bounded, and every place accounted for."""

from __future__ import annotations

from dataclasses import asdict
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from dehusk.inspection.model_outline import Origin, outline_of
from dehusk.inspection.outline_lines import Line, Mark, page_range, value_range
from dehusk.inspection.outline_page import outline_page
from dehusk.inspection.style_tree_lines import Listed, View, list_positions
from dehusk.methods.site_trees.style_tree import StyleTreeModel
from dehusk.methods.site_trees.template_positions import Matching
from dehusk.page.page_columns import Page

MENU = "".join(f"<li class=item><a href=/{n}>Department {n}</a></li>" for n in range(12))


def read(bodies: list[str]) -> list[Page]:
    return [dehusk.read_page(f"<body>{body}") for body in bodies]


def learn(bodies: list[str]) -> StyleTreeModel:
    return dehusk.StyleTree().fit(read(bodies))


def shop(pages: int = 20) -> StyleTreeModel:
    return dehusk.StyleTree().fit(shop_pages(pages))


def shop_pages(pages: int = 20) -> list[Page]:
    """A menu of twelve items, a story in wrappers, and a notice that one page has."""
    story = "<div class=outer><div class=inner><div class=story><p><b>Story{0}</b></p><hr></div></div></div>"
    notice = "<aside><div><p>We moved</p></div></aside>"
    return read(
        [
            f"<nav><ul class=menu>{MENU}</ul></nav>{story.format(chr(97 + n))}{notice if n == 3 else ''}"
            for n in range(pages)
        ]
    )


def positions(listed: Listed) -> int:
    """Places in lines and counted as hidden in them."""
    return sum(line.positions + line.hidden for line in listed.lines)


def find(listed: Listed, label: str) -> list[Line]:
    return [line for line in listed.lines if label in line.labels]


def test_simplified_listing() -> None:
    listed = list_positions(shop(), View())
    assert [(line.level, line.chain, line.mark, line.pages) for line in listed.lines] == [
        (0, "body", Mark.MIXED, (20, 20)),
        (1, "div.outer > div.inner > div.story", Mark.MIXED, (20, 20)),
        (2, "p", Mark.MEANINGFUL, (20, 20)),
        (2, "hr", Mark.NOISY, (20, 20)),
        (1, "nav", Mark.NOISY, (20, 20)),
    ]
    menu = find(listed, "nav")[0]
    assert menu.hidden == 13
    assert len(menu.samples) == 3
    assert all(sample.startswith("Department") for sample in menu.samples)


def test_siblings_that_look_alike_share_a_line() -> None:
    listed = list_positions(shop(), View(whole=True))
    (items,) = find(listed, "li.item")
    assert (items.count, items.mark, items.pages) == (12, Mark.NOISY, (20, 20))
    assert items.importance == (0.0, 0.0)


def test_few_mixed_siblings_keep_lines_of_their_own() -> None:
    part = "<div><section><p>fixed</p></section><section><p>new{0}</p></section></div>"
    few = learn([(part * 3).format(chr(97 + n)) for n in range(12)])
    many = learn([(part * 8).format(chr(97 + n)) for n in range(12)])
    assert [line.count for line in find(list_positions(few, View()), "div")] == [1, 1, 1]
    assert [line.count for line in find(list_positions(many, View()), "div")] == [8]


@pytest.mark.parametrize(
    ("matching", "used", "unused"),
    [
        ("exact", ["merge similar", "least overlap"], ["text rarity", "shared links", "change price"]),
        ("aligned", ["text rarity", "shared links", "change price"], ["merge similar", "least overlap", "merged"]),
    ],
)
def test_only_evidence_in_use_is_listed(matching: str, used: list[str], unused: list[str]) -> None:
    settings = dehusk.StyleTree(matching=Matching(matching))
    model = settings.fit(shop_pages())
    facts = outline_of(model, Origin("a.dehusk", "style-tree", asdict(settings)), View()).facts
    listed = " ".join(f"{name} {value}" for name, value in facts)
    assert all(name in listed for name in [*used, f"matching {matching}", "attenuation"])
    assert not any(name in listed for name in unused)


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("depth", [None, 1, 2])
@pytest.mark.parametrize("fewest", [None, 1, 5])
@pytest.mark.parametrize("most", [1, 3, 1000])
def test_every_place_is_accounted_for(whole: bool, depth: int | None, fewest: int | None, most: int) -> None:
    model = shop()
    listed = list_positions(model, View(whole, depth, fewest, most))
    assert len(listed.lines) <= most
    assert positions(listed) == len(model.tree.key)
    in_lines = sum(line.positions for line in listed.lines)
    assert in_lines + listed.simplified + listed.rare + listed.deep + listed.surplus == len(model.tree.key)
    assert (listed.simplified == 0) == whole
    assert max(line.level for line in listed.lines) < (depth or 99)


def test_rare_positions_are_hidden_unless_there_are_few_pages() -> None:
    assert not find(list_positions(shop(20), View()), "aside")
    assert list_positions(shop(20), View()).rare == 1
    assert find(list_positions(shop(20), View(fewest=1)), "aside")
    assert find(list_positions(shop(5), View()), "aside")


bodies = st.recursive(
    st.sampled_from(["<p>fixed</p>", "<p>new{0}</p>", "<hr>"]),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from(["div", "section", "ul"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=20,
)


@given(st.lists(bodies, min_size=1, max_size=3), st.integers(1, 10), st.booleans())
def test_no_line_is_without_the_one_above(templates: list[str], most: int, whole: bool) -> None:
    pages = [templates[n % len(templates)].format(chr(97 + n)) for n in range(6)]
    model = learn(pages)
    listed = list_positions(model, View(whole=whole, most=most))
    assert positions(listed) == len(model.tree.key)
    levels = [line.level for line in listed.lines]
    assert levels[0] == 0
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_deep_trees_are_listed_and_written() -> None:
    # A second child at every level, so that nothing can be joined.
    deep = learn(["<div><hr>" * 400 + f"<p>new{chr(97 + n)}</p>" for n in range(3)])
    listed = list_positions(deep, View())
    assert max(line.level for line in listed.lines) > 390
    html = outline_page(outline_of(deep, Origin("deep.dehusk", "style-tree", {}), View()))
    assert html.count("<details") == html.count("</details>") == 60
    joined = list_positions(learn(["<div>" * 400 + f"<p>new{chr(97 + n)}</p>" for n in range(3)]), View(whole=True))
    assert "more) > " in joined.lines[0].chain
    assert len(joined.lines[0].chain) < 100


def test_a_model_of_nothing_has_no_lines() -> None:
    empty = learn([])
    assert list_positions(empty, View()).lines == ()
    assert outline_of(empty, Origin("empty.dehusk", "style-tree", {}), View()).notes


def test_the_same_pages_in_any_order_give_the_same_listing() -> None:
    one = [f"<div><p>Story{n}</p><p>Imprint</p></div>" for n in range(6)]
    assert list_positions(learn(one), View(whole=True)) == list_positions(learn(one[::-1]), View(whole=True))


def test_numbers_are_shown_short() -> None:
    assert [value_range(None), value_range((0.5, 0.5)), value_range((0.0, 0.051))] == ["", "0.50", "0.00–0.05"]
    assert [page_range((60, 60)), page_range((3, 1200))] == ["60", "3–1,200"]
    assert value_range((0.001, 0.004)) == "0.00"
