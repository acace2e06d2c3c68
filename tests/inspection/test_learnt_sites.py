"""What learning a site changed, in numbers, and as `clean --learn` says it."""

from __future__ import annotations

from pathlib import Path

from command_line import dehusk as dehusk_command

import dehusk
from dehusk.inspection.learnt_sites import describe_learning, distrust_of
from dehusk.inspection.model_outline import Origin, outline_of
from dehusk.inspection.style_tree_lines import View


def test_a_site_with_a_template(sample_site: Path) -> None:
    pages = [dehusk.read_page(raw) for raw in dehusk.open_source(sample_site / "de")]
    learnt = describe_learning(dehusk.learn(pages), [dehusk.segment(page) for page in pages])
    assert learnt.pages == len(pages)
    assert 0.05 < learnt.template_share < 0.95
    assert 0.3 < learnt.trust <= 1
    assert 0 < learnt.blocks_changed < learnt.blocks
    assert f"learnt from {len(pages)} pages, {learnt.template_share:.0%} of their text is template" in str(learnt)
    tree = describe_learning(dehusk.learn(pages, dehusk.StyleTree()), [dehusk.segment(page) for page in pages[:2]])
    assert tree.trust == 1.0


def test_one_page_shows_no_template() -> None:
    page = dehusk.read_page("<p>Tea for two, and two for tea, and more of it.")
    learnt = describe_learning(dehusk.learn([page]), [dehusk.segment(page)])
    assert (learnt.template_share, learnt.blocks_changed, learnt.trust) == (0.0, 0, 0.0)
    assert str(learnt).startswith("learnt from 1 page, 0% of their text is template; not trusted")
    assert describe_learning(dehusk.learn([]), []).blocks == 0


def test_the_command_line_says_what_was_learnt(sample_site: Path, tmp_path: Path) -> None:
    result = dehusk_command("clean", str(sample_site / "magazine"), "--learn", "-o", str(tmp_path / "out"))
    assert result.returncode == 0
    (line,) = [line for line in result.stderr.decode().splitlines() if "learnt from" in line]
    assert line.startswith("kettleandquill.example: learnt from ")
    assert " blocks decided otherwise, trust 0." in line


def test_copies_of_one_page_are_not_trusted() -> None:
    error = (
        "<body><h1>Not found</h1><p>"
        + "The kettle you look for is not on this stove, and nobody knows where it is. " * 9
    )
    pages = [dehusk.read_page(f"{error}</p><i>Error {number}</i>") for number in range(6)]
    model = dehusk.Hybrid().fit(pages)
    learnt = describe_learning(model, [dehusk.segment(page) for page in pages])
    assert (learnt.blocks_changed, learnt.trust) == (0, 0.0)
    assert str(learnt).endswith("not trusted, each page is judged by itself: these pages are copies of one another")
    assert distrust_of(model) == "these pages are copies of one another"
    assert distrust_of(dehusk.StyleTree().fit(pages)) == ""


def test_inspecting_a_model_says_how_far_it_is_trusted(sample_site: Path) -> None:
    model = dehusk.learn([dehusk.read_page(raw) for raw in dehusk.open_source(sample_site / "de")])
    outline = outline_of(model, Origin("a.dehusk", "hybrid", {}), View())
    assert "regions are template" in dict(outline.facts)["trust"]
