"""`dehusk learn`, `clean --model` and `clean --learn`, in real processes."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_clean_command import dehusk

MENU = "<nav><ul><li><a href=/a>Home</a></li><li><a href=/b>Shop</a></li></ul></nav>"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    for number in range(6):
        story = f"<main><div><p>Story {number} has words {number * 7} of its own.</p></div></main>"
        (folder / f"{number}.html").write_text(f"<body>{MENU}{story}<footer><div><p>Imprint</p></div></footer>")
    return folder


def test_learn_then_clean(site: Path, tmp_path: Path) -> None:
    model = tmp_path / "site.dehusk"
    learnt = dehusk("learn", str(site), "-o", str(model), "--created", "2026-11-15")
    assert learnt.returncode == 0, learnt.stderr
    assert b"6 pages" in learnt.stderr
    cleaned = dehusk("clean", str(site / "3.html"), "--model", str(model))
    assert cleaned.stdout.decode() == "Story 3 has words 21 of its own.\n"
    assert dehusk("learn", str(site), "-o", str(tmp_path / "again.dehusk"), "--created", "2026-11-15").returncode == 0
    assert (tmp_path / "again.dehusk").read_bytes() == model.read_bytes()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_learn_and_clean_in_one_go(site: Path, tmp_path: Path, jobs: str) -> None:
    result = dehusk("clean", str(site), "--learn", "--output", str(tmp_path / "out"), "--jobs", jobs)
    assert result.returncode == 0, result.stderr
    texts = [path.read_text() for path in sorted((tmp_path / "out").iterdir())]
    assert texts == [f"Story {n} has words {n * 7} of its own.\n" for n in range(6)]


def test_sites_do_not_spoil_each_other(site: Path, tmp_path: Path) -> None:
    # Two pages of another host, in the same folder: their common text is their own template only.
    for number in range(2):
        link = "<link rel=canonical href=https://www.other.example/>"
        (site / f"other{number}.html").write_text(f"{link}<body><main><div><p>Story {number} alone</p></div></main>")
    dehusk("clean", str(site), "--learn", "--output", str(tmp_path / "out"))
    assert (tmp_path / "out" / "2.txt").read_text() == "Story 2 has words 14 of its own.\n"


def test_explain_names_the_evidence(site: Path) -> None:
    shown = dehusk("clean", str(site), "--learn", "--explain").stdout.decode()
    assert "this place is on 6 of 6 pages, importance 0.00" in shown
    assert "blocks kept by style-tree" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["clean", "site", "--learn", "--model", "x"], "exclude each other"),
        (["clean", "site", "--model", "absent.dehusk"], "absent.dehusk: cannot be read: no such file or directory"),
        (["clean", "site", "--model", "site/0.html"], "not a sound model file"),
        (["learn", "absent", "-o", "x.dehusk"], "no such file or folder"),
        (["learn", "site/0.html", "-o", "x.dehusk"], "1 pages are not enough"),
        (["learn", "site", "-o", "nowhere/x.dehusk"], "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_said(site: Path, arguments: list[str], message: str) -> None:
    result = dehusk(*arguments, cwd=site.parent)
    assert result.returncode == 2
    assert message in result.stderr.decode()
    assert b"Traceback" not in result.stderr


def test_one_page_is_kept_whole_and_said_so(site: Path) -> None:
    result = dehusk("clean", str(site / "1.html"), "--learn")
    assert result.returncode == 0
    assert "Imprint" in result.stdout.decode()
    assert "one page is not enough" in result.stderr.decode()
