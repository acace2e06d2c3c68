"""Sequence labels: what the model says of pages, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import dehusk
from dehusk import SequenceLabels
from dehusk.blocks.block_columns import Kind
from dehusk.deciding.decisions import label_blocks
from dehusk.methods.model_files import read_model_file, write_model_file
from dehusk.methods.sequence_labels.run_features import FEATURE_NAMES
from dehusk.methods.sequence_labels.sequence_labels import SequenceLabelsModel
from dehusk.methods.sequence_labels.text_runs import RunLabel


def model_that_sees(**weights: dict[RunLabel, float]) -> SequenceLabelsModel:
    """A model with a few weights of our own: attribute, with `_` for what names cannot have -> label -> weight."""
    empty = SequenceLabelsModel(SequenceLabels(), np.zeros((0, 5), np.float32), np.zeros((5, 5), np.float32))
    table = np.zeros((len(empty.table), 5), dtype=np.float32)
    for name, labels in weights.items():
        row = empty.table.names.index(name.replace("__", "-").replace("_", ".") + "[0]=1")
        for label, weight in labels.items():
            table[row, label] = weight
    return replace(empty, weights=table)


PAGE = (
    "<div><a href=/>Home</a></div><div><b>Green tea</b></div><p>Steep the <i>leaves</i> for three minutes.</p>"
    "<div>1) kettle</div>"
)
READS_PAGE = model_that_sees(
    container_p={RunLabel.PARAGRAPH: 4.0},
    container_class__bold={RunLabel.HEADER: 4.0},
    container_class__italic={RunLabel.CONTINUATION: 9.0},
    container_a={RunLabel.OTHER: 4.0},
)


def test_a_block_is_as_much_content_as_its_text_runs() -> None:
    blocks = dehusk.segment(dehusk.read_page(PAGE))
    likely = READS_PAGE.probabilities_of(blocks)
    runs = READS_PAGE.text_runs_of(blocks)
    assert list(runs.texts) == ["Home", "Green tea", "Steep the", "leaves", "for three minutes.", "1) kettle"]
    content = 1 - likely[:, RunLabel.OTHER]
    expected = (9 * content[2] + 6 * content[3] + 18 * content[4]) / (9 + 6 + 18)
    assert READS_PAGE.score_blocks(blocks)[2] == pytest.approx(expected)
    assert likely.sum(axis=1) == pytest.approx(np.ones(6))


def test_labels_decide_where_lines_begin_in_cleanevals_format() -> None:
    text = dehusk.clean(PAGE, READS_PAGE).render("cleaneval")
    assert text.startswith("<h>Green tea\n<p>Steep the leaves\n<p>for three minutes.\n")
    assert "Home" not in text


def test_headings_that_only_the_words_show_are_headings() -> None:
    labelled = label_blocks(dehusk.segment(dehusk.read_page(PAGE)), READS_PAGE)
    assert [Kind(kind) for kind in labelled.blocks.kind][:3] == [Kind.OTHER, Kind.HEADING, Kind.PARAGRAPH]
    assert "## Green tea" in dehusk.clean(PAGE, READS_PAGE).render("markdown").replace("**", "")


def test_markup_that_says_what_it_is_stands() -> None:
    blocks = dehusk.segment(dehusk.read_page("<h3>One</h3><ul><li>Two</ul><p>Three<p>Four"))
    everything = np.ones(len(blocks), dtype=bool)
    changed = blocks.with_kinds(everything & [True, True, True, False], everything)
    assert [Kind(kind) for kind in changed.kind] == [Kind.HEADING, Kind.LIST_ITEM, Kind.HEADING, Kind.LIST_ITEM]
    assert changed.level.tolist() == [3, 1, 2, 1]
    assert [Kind(kind) for kind in blocks.kind] == [Kind.HEADING, Kind.LIST_ITEM, Kind.PARAGRAPH, Kind.PARAGRAPH]


def test_reasons_name_the_label_and_what_speaks_for_it() -> None:
    blocks = list(dehusk.clean(PAGE, READS_PAGE))
    assert blocks[0].reasons[0].startswith("labelled other, ")
    assert blocks[0].reasons[1] == "because of container.a[0]=1"
    assert blocks[1].reasons[0].startswith("labelled header, ")


@pytest.mark.parametrize(
    "html", ["", "<p>", "<p>one", "<p hidden>one", "<p hidden>one<p>two", "<p>" + "<b>x</b> y" * 25_000]
)
def test_any_number_of_text_runs(html: str) -> None:
    cleaned = dehusk.clean(html, READS_PAGE)
    assert len(cleaned.labelled.scores) == len(cleaned)
    assert np.isfinite(cleaned.labelled.scores).all()


def test_the_model_that_comes_with_dehusk_reads_an_article() -> None:
    sentence = "The kettle was invented long before anybody thought of writing down how to use it properly. "
    menu = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("Home", "News", "Contact", "Login", "Help"))
    html = (
        f"<ul>{menu}</ul><h1>All about kettles</h1><p>{sentence * 3}</p><p>{sentence * 4}</p><div>Copyright 2001</div>"
    )
    kept = [block.text.split()[0] for block in dehusk.clean(html, SequenceLabels().fit()) if block.kept]
    assert "The" in kept
    assert "Contact" not in kept
    assert "Login" not in kept


def test_a_model_is_the_same_after_saving(tmp_path: Path) -> None:
    READS_PAGE.save(tmp_path / "m.dehusk", created="2026-01-01")
    loaded = dehusk.load_model(tmp_path / "m.dehusk")
    assert isinstance(loaded, SequenceLabelsModel)
    assert np.array_equal(loaded.weights, READS_PAGE.weights)
    assert loaded.settings == READS_PAGE.settings


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"features": ["container.p", "colour"]}, "unknown: colour"),
        ({"features": ["container.p"]}, "different values in this version: container.p"),
        ({"features": []}, "no feature is enabled"),
        ({"attributes": "other"}, "different values in this version"),
        ({"threshold": 7}, "outside 0 to 1"),
    ],
)
def test_a_model_with_other_features_is_refused(tmp_path: Path, change: dict[str, object], message: str) -> None:
    path = tmp_path / "m.dehusk"
    READS_PAGE.save(path)
    file = read_model_file(path)
    write_model_file(path, replace(file, settings={**file.settings, **change}))
    with pytest.raises(dehusk.ModelError, match=message):
        dehusk.load_model(path)


@pytest.mark.parametrize(
    "weights",
    [
        np.zeros((3, 5), np.float16),
        np.zeros(5, np.float32),
        np.zeros((3, 5), np.int64),
        np.full((922, 5), np.nan, "f2"),
    ],
)
def test_a_model_with_other_weights_is_refused(tmp_path: Path, weights: np.ndarray) -> None:
    path = tmp_path / "m.dehusk"
    READS_PAGE.save(path)
    file = read_model_file(path)
    write_model_file(path, replace(file, arrays={**file.arrays, "weights": weights}))
    with pytest.raises(dehusk.ModelError, match="train it again"):
        dehusk.load_model(path)


def test_features_are_switched_by_name() -> None:
    assert SequenceLabels(FEATURE_NAMES[:3]).features == FEATURE_NAMES[:3]
    with pytest.raises(dehusk.InvalidSetting, match="train a model with these"):
        SequenceLabels(FEATURE_NAMES[:3]).fit()
    with pytest.raises(dehusk.InvalidSetting, match="unknown: colour"):
        SequenceLabels(("colour",))
