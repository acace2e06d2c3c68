"""Settings that all adapters share reach the page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import dehusk
from dehusk.integrations.page_cleaner import PageCleaner

SHOWN = "<p>Steep the leaves for three minutes and no longer, or the tea is bitter and nobody drinks it.</p>"
HIDDEN = "<p style='display:none'>Hidden words about tea that nobody can see, whatever they do on this page.</p>"
HTML = f"<title>Tea</title><h1>Tea</h1>{SHOWN * 3}{HIDDEN}{SHOWN * 4}"
Rules = tuple[str, ...] | None


def by_cleaner(rules: Rules) -> str:
    cleaner = PageCleaner(rules=rules)
    return cleaner.render(cleaner.clean(HTML))


def by_pandas(rules: Rules) -> str:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("dehusk.integrations.pandas")
    return str(pandas.Series([HTML]).dehusk.clean(rules=rules)["text"][0])


def by_datatrove(rules: Rules) -> str:
    pytest.importorskip("datatrove")
    from dehusk.integrations.datatrove import Dehusk

    return str(Dehusk(rules=rules).extract(HTML))


def by_scikit_learn(rules: Rules) -> str:
    pytest.importorskip("sklearn")
    from dehusk.integrations.scikit_learn import HtmlToText

    return str(HtmlToText(rules=rules).fit_transform([HTML])[0])


def by_langchain(rules: Rules) -> str:
    pytest.importorskip("langchain_core")
    from dehusk.integrations.langchain import DehuskLoader

    Path("page.html").write_text(HTML, "utf-8")
    return str(DehuskLoader("page.html", rules=rules).load()[0].page_content)


ADAPTERS = [by_cleaner, by_pandas, by_datatrove, by_scikit_learn, by_langchain]


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_rules_are_chosen(adapter: Callable[[Rules], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "Hidden words" not in adapter(None)
    assert "Hidden words" in adapter(())
    with pytest.raises(dehusk.InvalidSetting, match="'tea' is unknown"):
        adapter(("tea",))
