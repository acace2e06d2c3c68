"""`dehusk weigh`, in real processes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from command_line import dehusk
from late_imports import late_import

sparse = late_import("scipy.sparse")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    for name in ("canon", "nikon", "leica", "kodak"):
        (folder / f"{name}.html").write_text(f"<body><div><p>Add to cart</p></div><div><p>{name} camera</p></div>")
    return folder


def test_words_of_the_page_weigh_more_than_those_of_the_site(site: Path, tmp_path: Path) -> None:
    result = dehusk("weigh", str(site), "-o", str(tmp_path / "vectors.npz"))
    assert result.returncode == 0, result.stderr
    assert b"4 pages" in result.stderr
    matrix = sparse.load_npz(tmp_path / "vectors.npz")
    with np.load(tmp_path / "vectors.npz", allow_pickle=False) as arrays:
        vocabulary, pages = arrays["vocabulary"].tolist(), arrays["pages"].tolist()
    row = dict(zip(vocabulary, matrix.toarray()[[Path(page).stem for page in pages].index("leica")], strict=True))
    assert row["leica"] > 0
    assert row["leica"] > row.get("cart", 0.0)
    assert matrix.shape == (4, len(vocabulary))


def test_common_words_are_left_out_on_demand_only(site: Path, tmp_path: Path) -> None:
    found = {}
    for options in ([], ["--telling"]):
        result = dehusk("weigh", str(site), "-o", str(tmp_path / "vectors.npz"), "-m", "pagelet-templates", *options)
        assert result.returncode == 0, result.stderr
        with np.load(tmp_path / "vectors.npz", allow_pickle=False) as arrays:
            found[bool(options)] = set(arrays["vocabulary"].tolist())
    assert found[True] == {"canon", "kodak", "leica", "nikon"}
    assert found[False] == found[True] | {"add", "to", "cart", "camera"}


@pytest.mark.parametrize("options", [["--telling"], ["-m", "style-tree"], ["-m", "pagelet-templates", "--telling"]])
def test_telling_words_are_counted(site: Path, tmp_path: Path, options: list[str]) -> None:
    result = dehusk("weigh", str(site), "-o", str(tmp_path / "vectors.npz"), *options)
    assert result.returncode == 0, result.stderr
    with np.load(tmp_path / "vectors.npz", allow_pickle=False) as arrays:
        assert arrays["vocabulary"].tolist() == ["canon", "kodak", "leica", "nikon"]
        assert arrays["data"].tolist() == [1, 1, 1, 1]


def test_the_matching_can_be_chosen(site: Path, tmp_path: Path) -> None:
    # A class name that counts pages: aligned matching finds what is in it again, exact matching does not.
    for number, path in enumerate(sorted(site.iterdir())):
        path.write_text(path.read_text().replace("<body>", f"<body><section class=page-{number}>"))
    weights = {}
    for matching in ("aligned", "exact"):
        result = dehusk("weigh", str(site), "-o", str(tmp_path / "vectors.npz"), "--matching", matching)
        assert result.returncode == 0, result.stderr
        with np.load(tmp_path / "vectors.npz", allow_pickle=False) as arrays:
            vocabulary, pages = arrays["vocabulary"].tolist(), arrays["pages"].tolist()
        row = sparse.load_npz(tmp_path / "vectors.npz").toarray()[[Path(page).stem for page in pages].index("leica")]
        weights[matching] = dict(zip(vocabulary, row.tolist(), strict=True)).get("cart", 0.0)
    assert weights["aligned"] == 0 < weights["exact"]
    result = dehusk("weigh", str(site), "-o", "x.npz", "-m", "pagelet-templates", "--matching", "exact")
    assert result.returncode == 2
    assert b"--matching applies only to style trees" in result.stderr


def test_what_cannot_be_done_is_said(site: Path, tmp_path: Path) -> None:
    for arguments, message in (
        (["weigh", str(tmp_path / "absent"), "-o", "x.npz"], "no such file or folder"),
        (["weigh", str(site), "-o", str(tmp_path / "nowhere" / "x.npz")], "no such file or directory"),
    ):
        result = dehusk(*arguments)
        assert result.returncode == 2
        assert message in result.stderr.decode()
