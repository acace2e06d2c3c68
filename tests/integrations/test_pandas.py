"""The pandas accessors, on frames."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from late_imports import late_import
from small_pages import MENU_TEXT, NOTICE, TEA_PAGES, TOO_LARGE, tea_of

import dehusk

pd = late_import("pandas")


@pytest.fixture(autouse=True)
def accessors() -> None:
    """Importing them makes them known to pandas."""
    import dehusk.integrations.pandas  # noqa: F401


NEW = ["text", "confidence", "page_type", "error"]


def shop(**columns: Any) -> Any:
    """A frame of the shop's pages, whose index is not the usual one."""
    urls = [f"https://tea.example/{number}" for number in range(len(TEA_PAGES))]
    index = [f"page-{number}" for number in range(len(TEA_PAGES))]
    return pd.DataFrame({"html": TEA_PAGES, "url": urls, **columns}, index=index)


def test_columns_are_added_to_a_copy() -> None:
    frame = shop()
    cleaned = frame.dehusk.clean()
    assert list(frame.columns) == ["html", "url"]
    assert list(cleaned.columns) == ["html", "url", *NEW]
    assert cleaned.index.equals(frame.index)
    for number, row in enumerate(cleaned.itertuples()):
        page = dehusk.clean(dehusk.read_page(TEA_PAGES[number], url=frame["url"].iloc[number]))
        assert (row.text, row.confidence, row.page_type, row.error) == (page.text, page.confidence, page.page_type, "")
        assert tea_of(number) in row.text
        assert MENU_TEXT not in row.text


def test_sites_are_learnt_if_asked() -> None:
    frame = shop()
    alone, learnt = frame.dehusk.clean(), frame.dehusk.clean(learn=True)
    assert alone.text.str.contains(NOTICE)[:3].all(), "a page alone does not tell that all pages have it"
    assert not learnt.text.str.contains(NOTICE).any()
    assert all(tea_of(number) in text for number, text in enumerate(learnt.text))


def test_small_sites_and_pages_of_no_site_are_cleaned_alone() -> None:
    frame = shop(url=[f"https://tea-{number}.example/" for number in range(len(TEA_PAGES))])
    assert frame.dehusk.clean(learn=True).equals(frame.dehusk.clean())
    assert frame.html.dehusk.clean(learn=True).equals(frame.html.dehusk.clean())


def test_learning_keeps_the_order_of_mixed_sites_and_passes_bad_pages() -> None:
    shuffled = [0, "b", 1, None, 2, 3, "c", 4, TOO_LARGE]
    html = [TEA_PAGES[page] if isinstance(page, int) else page for page in shuffled]
    url = ["https://tea.example/" if isinstance(page, int) or page is None else None for page in shuffled]
    cleaned = pd.DataFrame({"html": html, "url": url}).dehusk.clean(learn=True)
    for page, text in zip(shuffled, cleaned.text, strict=True):
        assert not isinstance(page, int) or (tea_of(page) in text and NOTICE not in text)
    assert [bool(error) for error in cleaned.error] == [page in (None, TOO_LARGE) for page in shuffled]


def test_a_model_or_its_file_can_be_given(tmp_path: Path) -> None:
    site = dehusk.learn(map(dehusk.read_page, TEA_PAGES))
    site.save(tmp_path / "tea.dehusk")
    learnt = shop().dehusk.clean(learn=True)
    assert shop().dehusk.clean(model=site).equals(learnt)
    assert shop().dehusk.clean(model=tmp_path / "tea.dehusk").equals(learnt)
    with pytest.raises(dehusk.InvalidSetting, match="learn: excludes model"):
        shop().dehusk.clean(model=site, learn=True)


NO_PAGES = {
    "None": lambda: None,
    "nan": lambda: float("nan"),
    "<NA>": lambda: pd.NA,
    "NaT": lambda: pd.NaT,
    "a number": lambda: 7,
    "a list": lambda: ["<p>"],
    "too large": lambda: TOO_LARGE,
    "too large bytes": TOO_LARGE.encode,
}


@pytest.mark.parametrize("name", NO_PAGES)
def test_what_is_no_page_has_no_text_but_an_error(name: str) -> None:
    value = NO_PAGES[name]()
    frame = pd.DataFrame({"html": [TEA_PAGES[0], value]}, index=["good", "bad"])
    cleaned = frame.dehusk.clean()
    assert cleaned.text["good"]
    assert cleaned.error["good"] == ""
    assert cleaned.text["bad"] == ""
    assert cleaned.error["bad"].startswith("row bad: ")
    assert pd.isna(cleaned.confidence["bad"])
    with pytest.raises(dehusk.PageError, match="row bad"):
        frame.dehusk.clean(errors="raise")


def test_bytes_of_any_kind_are_decoded() -> None:
    body = f"<meta charset=iso-8859-1><p>Thé, {tea_of(0)} {tea_of(1)}".encode("iso-8859-1")
    cleaned = pd.Series([body, bytearray(body), memoryview(body)]).dehusk.clean()
    assert all(text.startswith("Thé, Sencha") for text in cleaned.text)


def test_halves_of_characters_do_not_stop_a_frame() -> None:
    page = TEA_PAGES[0].replace("Sencha", "Sen\ud800cha")
    frame = pd.DataFrame({"html": [page, None], "url": ["https://tea.example/\ud800"] * 2}, dtype=object)
    cleaned = frame.dehusk.clean()
    assert "Sen\ufffdcha" in cleaned.text[0]
    assert "https://tea.example/\ufffd" in cleaned.error[1]


def test_the_same_page_twice_in_an_index_is_two_rows() -> None:
    frame = shop().set_axis(["same"] * len(TEA_PAGES))
    assert frame.dehusk.clean().text.tolist() == shop().dehusk.clean().text.tolist()


def test_an_empty_frame_has_the_same_columns_and_types() -> None:
    cleaned = shop().iloc[:0].dehusk.clean(learn=True)
    assert cleaned.dtypes.equals(shop().dehusk.clean().dtypes)
    assert len(cleaned) == 0


def test_settings_reach_the_page() -> None:
    page = dehusk.clean(TEA_PAGES[0], favour="precision")
    cleaned = shop().dehusk.clean(favour="precision", format="markdown")
    assert cleaned.text.iloc[0] == page.render("markdown") != page.text


def test_a_series_gives_the_new_columns_alone() -> None:
    cleaned = shop().html.dehusk.clean(prefix="clean_")
    assert list(cleaned.columns) == [f"clean_{name}" for name in NEW]
    assert cleaned.index.equals(shop().index)


@pytest.mark.parametrize(
    ("names", "settings"),
    [
        (["HTML", "Url"], {}),
        (["raw_html", "page_url"], {}),
        (["html", "html_before"], {}),
        (["html_length", "html"], {"html": "html_length"}),
        ([0, 1], {"html": 0, "url": 1}),
    ],
)
def test_columns_are_found_by_name(names: list[Any], settings: dict[str, Any]) -> None:
    frame = shop().set_axis(names, axis="columns")
    assert frame.dehusk.clean(**settings).text.tolist() == shop().dehusk.clean().text.tolist()


def test_numbers_are_not_taken_for_pages() -> None:
    frame = shop().rename(columns={"html": "raw_html"}).assign(html_length=7)
    assert frame.dehusk.clean().text.all()


@pytest.mark.parametrize(
    ("names", "settings", "message"),
    [
        (
            ["page", "url"],
            {},
            "the column of html: no column has this name; the columns are 'page', 'url'; name it: html=",
        ),
        (["html_a", "html_b"], {}, "'html_a', 'html_b' could be meant"),
        (["html", "url"], {"html": "body"}, "none of them is named 'body'; the columns are 'html', 'url'"),
        (["html", "url"], {"url": "link"}, "the column of url: none of them is named 'link'"),
        (["html", "html"], {}, "2 of them are named 'html'"),
        (["html", "text"], {}, "the frame already has 'text'; choose another: prefix="),
        (["html", "url"], {"errors": "ignore"}, "errors: 'ignore' must be one of keep, raise"),
        (["html", "url"], {"favour": "speed"}, "favour: 'speed'"),
        (["html", "url"], {"format": "pdf"}, "pdf: no such format"),
        (["html", "url"], {"model": "no-such-file"}, "no-such-file: cannot be read"),
        (
            ["html", "url"],
            {"model": dehusk.StyleTree()},
            "model: StyleTree is not a model; pass the result of dehusk.learn",
        ),
    ],
)
def test_what_is_wrong_is_named(names: list[str], settings: dict[str, Any], message: str) -> None:
    frame = shop().set_axis(names, axis="columns")
    with pytest.raises(dehusk.DehuskError) as raised:
        frame.dehusk.clean(**settings)
    assert message in str(raised.value)


def test_settings_that_no_page_can_be_cleaned_with_are_refused_at_once() -> None:
    tree = dehusk.StyleTree().fit(map(dehusk.read_page, TEA_PAGES))
    with pytest.raises(dehusk.InvalidSetting, match="style-tree supports none of these"):
        shop().dehusk.clean(model=tree, comments=True)


def test_many_columns_do_not_hide_the_message() -> None:
    frame = pd.DataFrame([range(500)])
    with pytest.raises(dehusk.InvalidSetting) as raised:
        frame.dehusk.clean()
    assert len(str(raised.value)) < 300


def test_chunks_are_rows_under_the_index_of_their_page() -> None:
    frame = pd.DataFrame({"html": [TEA_PAGES[0], None, "<p></p>", TEA_PAGES[1]]}, index=["a", "b", "c", "d"])
    found = frame.dehusk.chunks(max_words=12, overlap=2)
    for label, number in (("a", 0), ("d", 1)):
        chunks = dehusk.clean(TEA_PAGES[number]).chunks(12, 2)
        assert found.loc[label, "text"].tolist() == [chunk.text for chunk in chunks]
        assert found.loc[label, "id"].tolist() == [chunk.id for chunk in chunks]
        assert found.loc[label, "headings"].tolist() == [list(chunk.headings) for chunk in chunks]
    assert found.loc["b", ["text", "error"]].tolist() == ["", "row b: no html; pass str or bytes"]
    assert "c" not in found.index
    assert frame["html"].dehusk.chunks(max_words=12, overlap=2).equals(found)
    assert frame[:0].dehusk.chunks().columns.tolist() == found.columns.tolist()
    with pytest.raises(dehusk.PageError, match="row b"):
        frame.dehusk.chunks(errors="raise")
    with pytest.raises(dehusk.InvalidSetting, match="overlap"):
        frame.dehusk.chunks(max_words=2, overlap=2)
    with pytest.raises(dehusk.InvalidSetting, match="errors"):
        frame.dehusk.chunks(errors="ignore")
