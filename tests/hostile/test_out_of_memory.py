"""Where Python has no memory left, the library's calls raise an error of ours, and the command line goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
from typer.testing import CliRunner

import dehusk
import dehusk.cli
from dehusk import cleaning
from dehusk.cli import app, reporting
from dehusk.sources import source_opening

_HTML = "<title>T</title><p>" + "Steep the leaves for three minutes. " * 5
_MODEL = dehusk.SatisfiableSubtree().fit()


def _cleaned() -> dehusk.CleanedPage:
    return dehusk.clean(_HTML, _MODEL)


def _exhausted(*_: object, **__: object) -> NoReturn:
    raise MemoryError


CALLS: dict[str, tuple[str, Callable[[], object]]] = {
    "read_page": ("dehusk.page.page_reading.parsed", lambda: dehusk.read_page(_HTML)),
    "clean": ("dehusk.cleaning.label_blocks", _cleaned),
    "segment": ("dehusk.blocks.segmentation.find_blocks", lambda: dehusk.segment(dehusk.read_page(_HTML))),
    "render": ("dehusk.outputs.block_json.text_writing", lambda: _cleaned().render("json")),
    "render_parts": ("dehusk.outputs.block_json._page_fields", lambda: list(_cleaned().render_parts("json"))),
    "to_dict": ("dehusk.outputs.block_json._block_rows", lambda: _cleaned().to_dict()),
    "to_record": ("dehusk.outputs.page_records.record_of", lambda: _cleaned().to_record()),
    "metadata": ("dehusk.metadata.metadata_finding.document_title", lambda: _cleaned().metadata),
    "find_metadata": (
        "dehusk.metadata.metadata_finding.document_title",
        lambda: dehusk.find_metadata(dehusk.read_page(_HTML)),
    ),
    "blocks": ("dehusk.blocks.block_columns.path_tree", lambda: list(_cleaned())),
    "learn": ("dehusk.methods.page_network.hybrid.Hybrid.fit", lambda: dehusk.learn([dehusk.read_page(_HTML)])),
    "distinct_pages": (
        "dehusk.sites.duplicates._compare_words",
        lambda: dehusk.distinct_pages([dehusk.read_page(_HTML)]),
    ),
    "telling_words": (
        "dehusk.lab.mining.telling_words.without_common",
        lambda: dehusk.telling_words([dehusk.read_page(_HTML)], _MODEL),
    ),
}


@pytest.mark.parametrize(("exhausted", "call"), CALLS.values(), ids=CALLS)
def test_every_call_raises_an_error_of_ours(
    exhausted: str, call: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    call()  # imports what it needs
    monkeypatch.setattr(exhausted, _exhausted)
    with pytest.raises(dehusk.OutOfMemory, match="needs more memory than there is"):
        call()


def test_loading_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dehusk.StyleTree().fit([dehusk.read_page(_HTML)]).save(tmp_path / "a.dehusk")
    monkeypatch.setattr("dehusk.methods.site_models.add_counts", _exhausted)
    with pytest.raises(dehusk.OutOfMemory, match=r"a\.dehusk"):
        dehusk.load_model(tmp_path / "a.dehusk")


def test_a_source_goes_on_with_the_next_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_text(_HTML)
    read = source_opening.read_file
    monkeypatch.setattr(
        source_opening, "read_file", lambda file, *rest: _exhausted() if "a.html" in file.path else read(file, *rest)
    )
    failures: list[dehusk.DehuskError] = []
    (page,) = dehusk.open_source(tmp_path, on_error=failures.append)
    assert page.name.endswith("b.html")
    assert [type(failure) for failure in failures] == [dehusk.OutOfMemory]


@pytest.mark.parametrize("options", [[], ["--explain"]], ids=["written", "explained"])
def test_the_command_goes_on_with_the_next_page(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_text(_HTML)
    label = cleaning.label_blocks
    monkeypatch.setattr(
        cleaning,
        "label_blocks",
        lambda blocks, *rest: _exhausted() if "a.html" in blocks.page.label else label(blocks, *rest),
    )
    result = CliRunner().invoke(app, ["clean", str(tmp_path), "-m", "satisfiable-subtree", *options])
    assert result.exit_code == reporting.SOME_FAILED
    assert "a.html: needs more memory" in result.stderr.replace("\n", "")
    assert "Steep the leaves" in result.stdout


def test_outside_of_any_page_it_is_said_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("dehusk.cli.application.app", _exhausted)
    with pytest.raises(SystemExit) as stopped:
        dehusk.cli.main()
    assert stopped.value.code == reporting.SOME_FAILED
    assert capsys.readouterr().err == "dehusk: out of memory; try fewer pages at once\n"
