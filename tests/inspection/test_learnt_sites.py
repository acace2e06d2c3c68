"""What learning a site changed, in numbers, and as `clean --learn` says it."""

from __future__ import annotations

from pathlib import Path

from command_line import dehusk as dehusk_command

import dehusk
from dehusk.inspection.learnt_sites import describe_learning


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
