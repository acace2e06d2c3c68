"""Cleaning one page needs no numpy: importing it would take as long as everything else together."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dehusk
from dehusk.methods.model_files import ModelFile, read_model_file, write_model_file
from dehusk.methods.page_network.weight_arrays import weights_in
from dehusk.native.calls import Deferred, LentColumn, as_given

HEAD = "<html lang=en><title>Green tea</title><article><h1>Green tea</h1>"
ARTICLE = HEAD + "<p>Steep the leaves for three minutes, and not longer.</p>" * 9
WITHOUT_NUMPY = "import sys; sys.modules['numpy'] = None\n"  # importing it is an error


@pytest.fixture
def article(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_text(ARTICLE)
    return str(path)


@pytest.mark.parametrize("asked", ["text", "markdown", "page_type", "confidence", "problem"])
def test_clean_needs_none(article: str, asked: str) -> None:
    program = f"import dehusk\nprint(dehusk.clean(open({article!r}, 'rb').read()).{asked})"
    run = subprocess.run([sys.executable, "-c", WITHOUT_NUMPY + program], capture_output=True, text=True, check=False)
    assert run.stderr == ""
    assert run.stdout == f"{getattr(dehusk.clean(ARTICLE), asked)}\n"


def test_the_command_needs_none(article: str) -> None:
    program = f"sys.argv = ['dehusk', 'clean', {article!r}]\nfrom dehusk.cli import main\nmain()"
    run = subprocess.run([sys.executable, "-c", WITHOUT_NUMPY + program], capture_output=True, text=True, check=False)
    assert (run.stderr, run.stdout) == ("", dehusk.clean(ARTICLE).text)


def test_a_short_page_needs_none() -> None:
    program = "import dehusk\nprint(dehusk.clean('<title>Just a moment...</title><p>Wait.').problem)"
    run = subprocess.run([sys.executable, "-c", WITHOUT_NUMPY + program], capture_output=True, text=True, check=False)
    assert (run.stderr, run.stdout) == ("", "blocked\n")


class TestDeferred:
    def test_columns_are_arrays_to_those_who_ask(self) -> None:
        labelled = dehusk.clean(ARTICLE).labelled
        assert isinstance(as_given(labelled, "keep"), LentColumn)
        assert labelled.keep.dtype == np.bool_
        assert not labelled.keep.flags.writeable
        assert as_given(labelled, "keep") is labelled.keep
        assert labelled.kept == tuple(np.flatnonzero(labelled.keep))

    @pytest.mark.parametrize("again", [copy.deepcopy, lambda labelled: pickle.loads(pickle.dumps(labelled))])
    def test_copies_have_the_same(self, again: object) -> None:
        labelled = dehusk.clean(ARTICLE).labelled
        copied = again(labelled)  # type: ignore[operator]
        assert not isinstance(as_given(copied, "scores"), Deferred)
        for name in ("scores", "keep", "comments"):
            assert getattr(copied, name).tolist() == getattr(labelled, name).tolist()


class TestWeights:
    NUMBERS = np.array([[0.0, -0.0, 1.0], [65504.0, 2**-24, -(2**-14)], [1 / 3, -2.5, 2**-15]])

    @pytest.mark.parametrize("dtype", ["<f2", ">f2", "<f4", "<f8"])
    @pytest.mark.parametrize("order", ["C", "F"])
    def test_of_a_file_are_those_written(self, tmp_path: Path, dtype: str, order: str) -> None:
        written = np.asarray(self.NUMBERS, dtype=dtype, order=order)  # type: ignore[call-overload]
        write_model_file(tmp_path / "a", ModelFile("tea", {}, 0, "", "", {"leaves": written}))
        weights = weights_in(read_model_file(tmp_path / "a").arrays, "leaves")
        assert weights.are_finite
        assert np.array_equal(weights.array(), written.astype(np.float32))

    @pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
    @pytest.mark.parametrize("dtype", ["<f2", "<f4"])
    def test_that_are_not_finite_are_told(self, tmp_path: Path, dtype: str, number: float) -> None:
        written = np.array([1.0, number], dtype=dtype)
        write_model_file(tmp_path / "a", ModelFile("tea", {}, 0, "", "", {"leaves": written}))
        assert not weights_in(read_model_file(tmp_path / "a").arrays, "leaves").are_finite
