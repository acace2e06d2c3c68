"""The scikit-learn transformer."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from late_imports import late_import
from small_pages import NOTICE, TEA_PAGES, TOO_LARGE, tea_of

import dehusk

sklearn = late_import("sklearn")
checks = late_import("sklearn.utils.estimator_checks")
transformer = late_import("dehusk.integrations.scikit_learn", "sklearn")
dressed = late_import("numbers_to_lengths", "sklearn")


@pytest.mark.filterwarnings("ignore:Skipping check:sklearn.exceptions.SkipTestWarning")
@pytest.mark.parametrize("learn_site", [False, True])
def test_between_numbers_it_passes_all_checks(learn_site: bool) -> None:
    results = checks.check_estimator(dressed.NumbersToLengths(learn_site=learn_site), on_fail=None)
    assert [(result["check_name"], result["exception"]) for result in results if result["status"] == "failed"] == []
    assert sum(result["status"] == "passed" for result in results) > 40


def test_by_itself_it_passes_the_checks_that_scikit_learn_has_for_texts() -> None:
    # There is one; the warning is that all others are left out.
    with pytest.warns(checks.SkipTestWarning, match="Can't test estimator HtmlToText"):
        results = checks.check_estimator(transformer.HtmlToText())
    assert [result["status"] for result in results] == ["passed"] * len(results)


@pytest.mark.parametrize(
    "check",
    [
        "check_do_not_raise_errors_in_init_or_set_params",
        "check_estimator_repr",
        "check_get_params_invariance",
        "check_mixin_order",
        "check_no_attributes_set_in_init",
        "check_parameters_default_constructible",
        "check_set_params",
        "check_valid_tag_types",
    ],
)
def test_by_itself_it_passes_the_checks_that_need_no_input(check: str) -> None:
    getattr(checks, check)("HtmlToText", transformer.HtmlToText())


def test_it_gives_the_texts_of_pages() -> None:
    texts = transformer.HtmlToText().fit_transform(TEA_PAGES)
    assert texts.tolist() == [dehusk.clean(page).text for page in TEA_PAGES]
    assert (texts.dtype, texts.shape) == (np.dtype(object), (len(TEA_PAGES),))
    assert transformer.HtmlToText().transform([page.encode() for page in TEA_PAGES]).tolist() == texts.tolist()
    assert transformer.HtmlToText().transform(np.array(TEA_PAGES)).tolist() == texts.tolist()
    assert transformer.HtmlToText().transform([]).shape == (0,)


def test_a_site_is_learnt_in_fit() -> None:
    learnt = transformer.HtmlToText(learn_site=True).fit(TEA_PAGES[1:])
    text = learnt.transform(TEA_PAGES[:1])[0]
    assert tea_of(0) in text
    assert NOTICE not in text
    assert NOTICE in transformer.HtmlToText().fit(TEA_PAGES[1:]).transform(TEA_PAGES[:1])[0]
    assert pickle.loads(pickle.dumps(learnt)).transform(TEA_PAGES[:1])[0] == text


def test_without_fit_a_site_is_not_known() -> None:
    with pytest.raises(sklearn.exceptions.NotFittedError):
        transformer.HtmlToText(learn_site=True).transform(TEA_PAGES)
    with pytest.raises(sklearn.exceptions.NotFittedError):
        sklearn.base.clone(transformer.HtmlToText(learn_site=True).fit(TEA_PAGES)).transform(TEA_PAGES)


def test_a_model_or_its_file_can_be_given(tmp_path: Path) -> None:
    site = dehusk.learn(map(dehusk.read_page, TEA_PAGES))
    site.save(tmp_path / "tea.dehusk")
    expected = [dehusk.clean(page, site).text for page in TEA_PAGES]
    assert sklearn.base.clone(transformer.HtmlToText(model=site)).transform(TEA_PAGES).tolist() == expected
    assert transformer.HtmlToText(model=str(tmp_path / "tea.dehusk")).fit_transform(TEA_PAGES).tolist() == expected
    with pytest.raises(dehusk.InvalidSetting, match="learn_site: excludes model"):
        transformer.HtmlToText(model=site, learn_site=True).fit(TEA_PAGES)


def test_pipelines_learn_from_content_and_search_settings() -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline

    pipeline = make_pipeline(transformer.HtmlToText(), TfidfVectorizer(), LogisticRegression())
    labels = [0, 1, 0, 1, 0, 1]
    grid = {"htmltotext__favour": ["precision", "recall"]}
    search = GridSearchCV(pipeline, grid, cv=2, error_score="raise").fit(list(TEA_PAGES), labels)
    assert search.best_estimator_.predict(list(TEA_PAGES)).tolist() == labels
    words = set(search.best_estimator_["tfidfvectorizer"].get_feature_names_out())
    assert "sencha" in words
    assert not {"imprint", "pots", "nav"} & words


def test_settings_reach_the_page_and_wrong_ones_are_refused_in_fit() -> None:
    chosen = transformer.HtmlToText().set_params(favour="recall", comments=True, format="markdown")
    expected = dehusk.clean(TEA_PAGES[0], favour="recall", comments=True).render("markdown")
    assert chosen.fit_transform(TEA_PAGES[:1])[0] == expected
    with pytest.raises(dehusk.InvalidSetting, match="favour"):
        transformer.HtmlToText(favour="speed").fit(TEA_PAGES)
    with pytest.raises(dehusk.UnknownName, match="pdf"):
        transformer.HtmlToText(format="pdf").fit(TEA_PAGES)


@pytest.mark.parametrize(
    ("pages", "message"),
    [
        (TEA_PAGES[0], "X: one page where"),
        (np.array([TEA_PAGES]), "X: 2 dimensions where"),
        ([TEA_PAGES[0], None], "page 1 of X: NoneType is not html"),
        ([float("nan")], "page 0 of X: float is not html"),
        ([TOO_LARGE], "2,000,001 tags"),
    ],
)
def test_what_is_no_page_is_named(pages: Any, message: str) -> None:
    with pytest.raises(dehusk.DehuskError, match=message):
        transformer.HtmlToText().fit(pages).transform(pages)
