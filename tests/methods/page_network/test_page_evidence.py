"""Page evidence: the network that comes with dehusk, as a method."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import dehusk
from dehusk import PageEvidence
from dehusk.methods import DEFAULT_METHOD
from dehusk.methods.model_files import read_model_file, write_model_file
from dehusk.methods.page_network.network_inputs import feature_groups, feature_names
from dehusk.methods.page_network.site_weights import COLUMNS, SiteWeights
from dehusk.methods.page_network.trained_weights import Trained, load_trained

SENTENCE = "The kettle was invented long before anybody thought of writing down how to use it properly. "
MENU = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("Home", "News", "Contact", "Login", "Help"))
ARTICLE = (
    f"<title>All about kettles - Kettle news</title><ul class=menu>{MENU}</ul><h1>All about kettles</h1>"
    f"<p>{SENTENCE * 3}</p><p>{SENTENCE * 4}</p><div class=footer>Copyright 2001 <a href=/imprint>Imprint</a></div>"
)


def test_it_is_what_cleans_single_pages_by_default() -> None:
    default = dehusk.METHODS[DEFAULT_METHOD]().fit()
    by_default, by_page = (
        default.score_blocks(blocks_of(ARTICLE)),
        PageEvidence().fit().score_blocks(blocks_of(ARTICLE)),
    )
    assert by_default.tolist() == by_page.tolist()


def blocks_of(html: str) -> dehusk.Blocks:
    return dehusk.segment(dehusk.read_page(html))


def test_an_article_is_kept_and_its_frame_is_not() -> None:
    text = dehusk.clean(ARTICLE).text
    assert text.startswith("All about kettles\n")
    assert text.count("The kettle was invented") == 7
    assert "Login" not in text
    assert "Imprint" not in text


def test_an_article_without_names_or_semantic_tags_is_read_too() -> None:
    story = f"<b>Kettles</b><br><br>{SENTENCE * 3}<br><br>{SENTENCE * 3}"
    html = f"<table><tr><td>{MENU.replace('li', 'font')}</td><td>{story}"
    text = dehusk.clean(html).text
    assert text.count("The kettle was invented") == 6
    assert "Login" not in text


@pytest.mark.parametrize("html", ["", "<p hidden>secret", "<title>Tea</title>", "<p>one", "<p>x" * 10_000])
def test_any_page_has_scores_and_reasons(html: str) -> None:
    cleaned = dehusk.clean(html)
    assert np.isfinite(cleaned.labelled.scores).all()
    if len(cleaned) < 10:
        assert all(block.reasons for block in cleaned)


def test_hidden_text_is_told_from_text_that_shows() -> None:
    cleaned = dehusk.clean(
        f"<main><h1>Kettles</h1><p>{SENTENCE * 3}</p><p>{SENTENCE * 2}</p></main><p hidden>Loading, please wait</p>"
    )
    assert not cleaned.labelled.keep[-1]
    assert "hidden text" in list(cleaned)[-1].reasons[0]


def test_posts_that_show_only_without_scripts_are_kept() -> None:
    posts = "".join(f"<div class=post><p>{SENTENCE * 2} {number}</p></div>" for number in range(4))
    html = f"<title>Kettles - Forum</title><noscript><div><h1>Kettles</h1>{posts}</div></noscript>"
    assert dehusk.clean(html).text.count("The kettle was invented") == 8


def test_reasons_name_evidence_in_words() -> None:
    blocks = {block.text.split()[0]: block for block in dehusk.clean(ARTICLE)}
    assert blocks["Login"].reasons[0].endswith("% content")
    told = " ".join(reason for block in blocks.values() for reason in block.reasons)
    assert "because of its text (64 words, 0% links)" in told


def test_reasons_name_the_share_of_links() -> None:
    story = "<p>Steep it for as long as the pot is hot, and pour it before the leaves are bitter.</p>" * 4
    menu = "<nav><a href=/>Home</a><a href=/tea>Kettles</a></nav>"
    cleaned = dehusk.clean(f"<title>Tea</title>{menu}<article><h1>How to make tea</h1>{story}</article>")
    assert "because of its text (1 word, 100% links)" in list(cleaned)[1].reasons


def test_groups_of_features_cover_all_columns() -> None:
    groups = feature_groups()
    assert [column for part in groups.values() for column in range(part.start, part.stop)] == list(
        range(len(feature_names()))
    )


def test_the_threshold_decides() -> None:
    strict, mild = PageEvidence(threshold=0.999).fit(), PageEvidence(threshold=0.0).fit()
    assert len(dehusk.clean(ARTICLE, strict).text) < len(dehusk.clean(ARTICLE, mild).text)
    with pytest.raises(dehusk.InvalidSetting, match="outside 0 to 1"):
        PageEvidence(threshold=2)


def test_training_is_saved_under_the_names_that_files_always_had(tmp_path: Path) -> None:
    trained = load_trained()
    trained.save(tmp_path / "again.dehusk")
    settings = read_model_file(tmp_path / "again.dehusk").settings
    assert settings["alone"].keys() == {"sureness", "optimism"}
    assert settings["weights"]["columns"].keys() == set(COLUMNS)
    again = Trained.load(tmp_path / "again.dehusk")
    assert (again.calibration, again.weights) == (trained.calibration, trained.weights)
    assert trained.weights.columns.keys() == set(COLUMNS)


def test_weights_of_an_earlier_formula_leave_page_evidence_alone(tmp_path: Path) -> None:
    load_trained().save(tmp_path / "a.dehusk")
    file = read_model_file(tmp_path / "a.dehusk")
    earlier = {**file.settings, "weights": {"bias": 1.5, "own": -1.1, "columns": {"look": 1.6, "link": -1.0}}}
    write_model_file(tmp_path / "b.dehusk", replace(file, settings=earlier))
    assert Trained.load(tmp_path / "b.dehusk").weights == SiteWeights()
    pages = [dehusk.read_page(f"<p>Menu of the site<p>Text number {number} of many.") for number in range(5)]
    model = dehusk.Hybrid(trained=str(tmp_path / "b.dehusk")).fit(pages)
    assert "dehusk train site-evidence" in model.report.distrust
    assert dehusk.clean(pages[0], model).text == dehusk.clean(pages[0]).text
