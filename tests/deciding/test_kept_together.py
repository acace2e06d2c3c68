"""Blocks that are kept or dropped with others, and lists and tables, whose items are not."""

from __future__ import annotations

import numpy as np
import pytest

import dehusk
from dehusk.deciding.decisions import JudgedBlocks, LabelledBlocks, decide
from dehusk.methods.base import Judgement


def labelled(html: str, scores: list[float], threshold: float = 0.5, page_type: str = "service") -> LabelledBlocks:
    blocks = dehusk.segment(dehusk.read_page(html))
    values = np.array(scores, dtype=np.float32)
    assert len(blocks) == len(values)
    judgement = Judgement(values, threshold, np.zeros_like(values), page_type, 1.0, True)
    return decide(JudgedBlocks(blocks, dehusk.Hybrid().fit(), values, threshold, judgement))


def kept(html: str, scores: list[float], threshold: float = 0.5, page_type: str = "service") -> str:
    """One character a block: `+` or `-`."""
    return "".join("+" if one else "-" for one in labelled(html, scores, threshold, page_type).keep.tolist())


LIST = "<ul><li>one of them<li>two of them<li>six of them<li>ten of them</ul>"
TABLE = "<table><tr><td>one of them<td>two of them<tr><td>six of them<td>ten of them</table>"


@pytest.mark.parametrize("html", [LIST, TABLE])
def test_each_item_of_a_part_is_decided_by_its_score(html: str) -> None:
    assert kept(html, [0.9, 0.9, 0.1, 0.9]) == "++-+"


@pytest.mark.parametrize("html", [LIST, TABLE])
def test_half_of_a_part_is_half_of_it(html: str) -> None:
    assert kept(html, [0.9, 0.9, 0.1, 0.1]) == "++--"


def test_a_crumb_of_a_part_stays() -> None:
    long = "an item that says much about what there is to say about kettles and tea in this house"
    assert kept(f"<ul><li>{long}<li>{long}<li>{long}<li>x</ul>", [0.1, 0.1, 0.1, 0.9]) == "---+"


def test_hidden_items_stay_as_they_are() -> None:
    html = "<ul><li>one of them<li>two of them<li hidden>six of them<li>ten of them</ul>"
    assert kept(html, [0.9, 0.9, 0.1, 0.9]) == "++-+"


def test_two_items_are_no_list_to_speak_of() -> None:
    assert kept("<ul><li>one of them<li>x</ul>", [0.9, 0.1]) == "+-"


@pytest.mark.parametrize(
    ("score", "section", "expected"), [(0.4, 0.9, "++"), (0.1, 0.9, "-+"), (0.6, 0.1, "--"), (0.9, 0.1, "+-")]
)
def test_a_doubtful_heading_follows_its_section(score: float, section: float, expected: str) -> None:
    assert kept("<h2>Tea</h2><p>The text of it", [score, section]) == expected


@pytest.mark.parametrize("page_type", ["listing", "empty"])
def test_a_heading_follows_nothing_where_it_is_an_item(page_type: str) -> None:
    assert kept("<h2>Tea</h2><p>The text of it", [0.4, 0.9], page_type=page_type) == "-+"
    assert kept("<h2>Tea</h2><p>The text of it", [0.6, 0.1], page_type=page_type) == "+-"


def test_a_heading_follows_nothing_beyond_the_next() -> None:
    assert kept("<h2>Tea</h2><h2>Pots</h2><p>text", [0.4, 0.9, 0.9]) == "-++"


@pytest.mark.parametrize(("around", "expected"), [((0.9, 0.9), "+++"), ((0.1, 0.1), "---"), ((0.9, 0.1), "+--")])
def test_a_doubtful_caption_follows_the_text_around(around: tuple[float, float], expected: str) -> None:
    html = "<p>before</p><figure><img src=x><figcaption>A pot</figcaption></figure><p>after</p>"
    assert kept(html, [around[0], 0.45, around[1]]) == expected


def test_nothing_to_keep() -> None:
    assert kept("", []) == ""


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([0.9, 0.2, 0.9], "+++"),
        ([0.9, 0.01, 0.9], "+-+"),
        ([0.1, 0.2, 0.9], "--+"),
        ([0.9, 0.2, 0.1], "+--"),
    ],
)
def test_code_between_texts_that_are_kept_is_kept(scores: list[float], expected: str) -> None:
    assert kept("<p>This is how:<pre>kettle --boil</pre><p>And then wait.", scores) == expected


def test_text_between_texts_that_are_kept_is_not_code() -> None:
    assert kept("<p>This is how:<div>kettle --boil</div><p>And then wait.", [0.9, 0.2, 0.9]) == "+-+"


def test_code_far_from_what_is_kept_is_not() -> None:
    far = "<p>x" * 7
    assert kept(f"<p>This is how:{far}<pre>kettle --boil</pre><p>And then wait.", [0.9, *[0.1] * 7, 0.2, 0.9])[8] == "-"


@pytest.mark.parametrize(("scores", "expected"), [([0.9, 0.01, 0.9, 0.1], "+++-"), ([0.9, 0.01, 0.01, 0.1], "+---")])
def test_a_listing_of_which_most_is_kept_is_kept_whole(scores: list[float], expected: str) -> None:
    lines = "<div>kettle --boil</div><div>wait 180</div><div>kettle --pour</div>"
    assert kept(f"<pre>{lines}</pre><p>Related", scores) == expected
    assert kept(f"<div class=CodeMirror>{lines}</div><p>Related", scores) == expected
    assert kept(f"<div>{lines}</div><p>Related", scores) == "".join("+-"[score < 0.5] for score in scores)


@pytest.mark.parametrize(
    "formula",
    [
        "<math><mi>x</mi><mo>=</mo><mn>1</mn></math>",
        "<div class=MathJax_Display>x=1</div><script type='math/tex; mode=display'>x=1</script>",
        "<p>$$x = 1$$</p>",
        "<p>\\[x = 1\\]</p>",
    ],
)
def test_a_formula_between_texts_that_are_kept_is_kept(formula: str) -> None:
    assert kept(f"<p>This is how:</p>{formula}<p>And then wait.", [0.9, 0.01, 0.9]) == "+++"
    assert kept(f"<p>This is how:</p>{formula}<p>And then wait.", [0.9, 0.01, 0.1]) == "+--"
    assert kept("<p>This is how:</p><p>x = 1</p><p>And then wait.", [0.9, 0.01, 0.9]) == "+-+"


def test_lines_of_an_editor_are_not_further_from_the_text_than_the_editor() -> None:
    lines = "<div class=cm-line>pour</div>" * 9
    html = f"<p>This is how:<div class=cm-editor>{lines}</div><p>And then wait."
    assert kept(html, [0.9, *[0.2] * 9, 0.9]) == "+" * 11


@pytest.mark.parametrize(("heading", "expected"), [("src/kettle.py", "++-"), ("The kettle", "+--")])
def test_a_listing_under_the_name_of_its_file_is_kept(heading: str, expected: str) -> None:
    assert kept(f"<h1>{heading}</h1><pre>boil()</pre><p>All rights reserved.", [0.9, 0.01, 0.01]) == expected


CARD = "<aside class='onebox'><header>kettles.example</header><h3>Kettles</h3></aside>"


@pytest.mark.parametrize(
    ("after", "expected"),
    [("<p>And then wait.", "++++"), ("<figcaption>A kettle</figcaption><p>And then wait.", "+++-+")],
)
def test_a_card_within_the_text_is_kept(after: str, expected: str) -> None:
    between = [0.1] if "caption" in after else []
    assert kept(f"<p>See this:</p>{CARD}{after}", [0.9, 0.1, 0.1, *between, 0.9]) == expected
    assert kept(f"<p>See this:</p>{CARD}{after}", [0.9, 0.1, 0.1, *between, 0.1]) == "+" + "-" * (len(expected) - 1)


def test_doubtful_cells_of_a_table_with_headers_stay_with_the_rest() -> None:
    table = "<table><tr><th>of them<th>many<tr><td>six<td>ten<tr><td>one<td>two</table>"
    assert kept(table, [0.9, 0.9, 0.9, 0.9, 0.4, 0.1]) == "+++++-"
    assert kept(table, [0.9, 0.1, 0.1, 0.1, 0.4, 0.1]) == "+-----"
    assert kept(table.replace("th>", "td>"), [0.9, 0.9, 0.9, 0.9, 0.4, 0.1]) == "++++--"


def test_a_column_of_links_stays_with_the_kept_one_beside_it() -> None:
    rows = "".join(f"<tr><td><a href=/{name}>{name} and sons</a><td>{name} millions" for name in ("one", "two", "six"))
    table = f"<table><tr><th>Company<th>Revenue{rows}</table>"
    assert kept(table, [0.4, 0.4, *[0.3, 0.9] * 3]) == "++" + "++" * 3
    assert kept(table, [0.4, 0.4, *[0.3, 0.9], *[0.3, 0.1] * 2]) == "---+----", "in one row of four, it is chance"
    assert kept(table, [0.4, 0.4, *[0.1, 0.9] * 3]) == "++" + "-+" * 3, "the links are surely none of it"


def test_labels_of_tabs_stay_with_their_panels() -> None:
    tabs = "<p>a</p><b role=tab id=t>b</b><p>c</p><div role=tabpanel aria-labelledby=t><p>d</p></div>"
    assert kept(tabs, [0.9, 0.1, 0.9, 0.9], page_type="documentation") == "++++"
    assert kept(tabs, [0.9, 0.1, 0.9, 0.1], page_type="documentation") == "+-+-"
    assert kept(tabs, [0.9, 0.1, 0.9, 0.9], page_type="product") == "+-++"


TEXT = "<p>The text of it, which is long enough."


@pytest.mark.parametrize(
    ("heading", "expected"),
    [("Table of contents", "+--+"), ("More from the Daily", "+--+"), ("Related articles:", "+--+"), ("Leaves", "++-+")],
)
def test_a_label_goes_with_what_it_announces(heading: str, expected: str) -> None:
    assert kept(f"{TEXT}<h2>{heading}</h2><p>Another text{TEXT}"[:-1], [0.9, 0.9, 0.1, 0.1])[:3] == expected[:3]
    assert kept(f"{TEXT}<h2>{heading}</h2><p>Another text", [0.9, 0.9, 0.9]) == "+++"


CELLS = "<tr><td>tea<td>minutes<tr><td>green<td>2<tr><td>black<td>4"
AMID_TEXT = "<p>The text before the table of teas<table>{}</table><p>The text after the table of teas"


@pytest.mark.parametrize(
    ("page_type", "cells", "expected"),
    [
        ("article", CELLS, "++++++++"),
        ("documentation", CELLS, "++++++++"),
        ("listing", CELLS, "+------+"),
        ("article", CELLS.replace("<td>2", "<td><a href=/2>2 minutes, no more</a>"), "+------+"),
        ("article", CELLS.replace("<td>2", "<td><input type=checkbox>2"), "+------+"),
        ("article", CELLS.replace("green", "a text that lays out a page " * 25), "+------+"),
    ],
)
def test_a_table_of_data_between_kept_text_is_kept(page_type: str, cells: str, expected: str) -> None:
    assert kept(AMID_TEXT.format(cells), [0.9, *[0.1] * 6, 0.9], page_type=page_type) == expected


def test_a_table_that_is_surely_boilerplate_or_at_an_end_of_the_text_goes() -> None:
    html = AMID_TEXT.format(CELLS)
    assert kept(html, [0.9, *[0.01] * 6, 0.9], page_type="article") == "+------+"
    assert kept(html, [0.9, *[0.1] * 6, 0.4], page_type="article") == "+-------"


def test_two_rows_are_no_table_of_data() -> None:
    html = AMID_TEXT.format("<tr><td>green<td>2<td>cold<tr><td>black<td>4<td>hot")
    assert kept(html, [0.9, *[0.1] * 6, 0.9], page_type="article") == "+------+"


@pytest.mark.parametrize("place", ["before", "after"])
def test_the_caption_of_a_table_is_kept_with_it(place: str) -> None:
    caption = "<figcaption>Table 1. How long teas take</figcaption>"
    table = f"<table>{CELLS}</table>"
    figure = caption + table if place == "before" else table + caption
    html = f"<p>The text before the table of teas<div>{figure}</div><p>The text after the table of teas"
    assert kept(html, [0.9, *[0.1] * 7, 0.9], page_type="article") == "+" * 9


def test_an_editor_is_kept_if_any_of_its_lines_may_be_content() -> None:
    lines = "<div class=crayon-line>a = 1</div><div class=crayon-line>b = 2</div>"
    html = f"<p>The text above</p><div class='crayon-syntax'><p>a.py</p>{lines}</div><p>The text below</p>"
    assert kept(html, [0.9, 0.1, 0.01, 0.01, 0.9]) == "+++++"
    assert kept(html, [0.9, 0.01, 0.01, 0.01, 0.9]) == "+---+"


def test_a_listing_without_pre_between_kept_text_is_kept() -> None:
    html = "<p>The text above</p><div class='{}'>a = 1</div><p>The text below</p>"
    assert kept(html.format("w3-code notranslate"), [0.9, 0.2, 0.9]) == "+++"
    assert kept(html.format("w3-panel"), [0.9, 0.2, 0.9]) == "+-+"


def test_the_title_of_a_callout_that_screen_readers_pass_over_is_kept_with_it() -> None:
    title = "<p class='starlight-aside__title' aria-hidden=true>Look down</p>"
    html = (
        f"<p>The text above</p><aside class='starlight-aside starlight-aside--tip'>{title}<p>Mind the gap</p></aside>"
    )
    assert kept(html, [0.9, 0.3, 0.9]) == "+++"
    assert kept(html, [0.9, 0.3, 0.1]) == "+--"


def test_a_doubtful_term_stays_with_its_description() -> None:
    html = "<dl><dt><a href='#ttl'>ttl</a></dt><dd>Seconds until it expires</dd><dt>size</dt><dd>Entries</dd></dl>"
    assert kept(html, [0.3, 0.9, 0.3, 0.1]) == "++--"


def test_cells_of_a_table_most_of_which_is_kept_need_little() -> None:
    html = "<table><tr><th>Option<th>Default<tr><td>ttl<td>60</table>"
    assert kept(html, [0.9, 0.9, 0.2, 0.9]) == "++++"
    assert kept(html, [0.9, 0.9, 0.01, 0.9]) == "++-+"


def test_numbers_of_kept_rows_stay_with_them() -> None:
    html = "<table><tr><td>[1]<td>Miller, On tea<tr><td>[2]<td>Baker, On milk<tr><td>{}<td>Smith, On water</table>"
    scores = [0.9, 0.9, 0.3, 0.9, 0.3, 0.9]
    assert kept(html.format("[3]"), scores) == "++++++"
    assert kept(html.format("Order it"), scores) == "++++-+"
    assert kept(html.format("[3]"), [*scores[:4], 0.3, 0.1]) == "++++--"


def test_what_folds_in_the_header_of_an_article_is_decided_by_its_scores() -> None:
    folded = "<details><summary>Baseline</summary><p>Works in all browsers since April of that year</p></details>"
    html = "<p>The text above</p>{}<p>The text below</p>"
    assert kept(html.format(folded), [0.9, 0.1, 0.1, 0.9]) == "++++"
    assert kept(html.format(f"<header>{folded}</header>"), [0.9, 0.1, 0.1, 0.9]) == "+--+"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>Above</p><ul><li>min<li>max</ul><p>Below</p>", "++++"),
        ("<h2>Above</h2><ol><li>boil<li>pour</ol><div>Below</div>", "++++"),
        ("<p>Above</p><blockquote>one of them</blockquote><blockquote>two</blockquote><p>Below</p>", "++++"),
        ("<h1>Above</h1><ul><li>min<li>max</ul><p>Below</p>", "+--+"),
        ("<p>Above</p><ul class=share-links><li>min<li>max</ul><p>Below</p>", "+--+"),
        ("<p>Above</p><ul><li><a href=/a>min</a><li><a href=/b>max</a></ul><p>Below</p>", "+--+"),
        ("<header>Above</header><ul><li>min<li>max</ul><div>Below</div>", "+--+"),
    ],
)
def test_a_dropped_list_between_paragraphs_is_kept(html: str, expected: str) -> None:
    assert kept(html, [0.9, 0.2, 0.2, 0.9]) == expected
    assert kept(html, [0.9, 0.01, 0.01, 0.9]) == "+--+"


def test_what_is_asked_in_a_conversation_is_kept() -> None:
    turns = (
        "<article><h5>You said:</h5><div class='text-message'>Why?</div></article><article><p>Because.</p></article>"
    )
    assert kept(turns, [0.1, 0.1, 0.9]) == "-++"
    assert kept(turns.replace("text-message", "message"), [0.1, 0.1, 0.9]) == "--+"


def test_a_caption_below_a_kept_listing_is_kept() -> None:
    figure = "<p>This is how:</p><figure><pre>kettle --boil</pre><figcaption>Tea by machine</figcaption></figure>"
    assert kept(figure, [0.9, 0.9, 0.1]) == "+++"
    assert kept(figure, [0.1, 0.1, 0.1]) == "---"
    above = "<figure><figcaption>tea.sh</figcaption><pre>kettle --boil</pre></figure><p>This is how."
    assert kept(above, [0.1, 0.9, 0.9]) == "-++"


@pytest.mark.parametrize(
    ("html", "scores", "expected"),
    [
        ("<p>a text</p><figure><table><tr><th>tea<th>cups</table></figure>", [0.9, 0.3, 0.3], "+++"),
        ("<p>a text</p><figure><table><tr><th>tea<th>cups</table></figure>", [0.9, 0.2, 0.2], "+--"),
        ("<p>a text</p><div><figure><table><tr><th>tea<th>cups</table></figure></div>", [0.9, 0.3, 0.3], "+--"),
        ("<p>a text</p><figure><table><tr><th>tea<th>cups</table></figure>", [0.1, 0.3, 0.3], "---"),
    ],
    ids=["doubtful", "less", "elsewhere", "below what is dropped"],
)
def test_a_doubtful_part_at_the_end_of_a_text_is_kept(html: str, scores: list[float], expected: str) -> None:
    assert kept(html, scores) == expected


def test_lists_below_headings_stay_with_others_of_their_kind() -> None:
    html = "<h2>Maps</h2><ul><li><a href=/a>Old maps</a></ul><h2>Type</h2><ul><li><a href=/b>Fonts in use</a></ul>"
    assert kept(html, [0.9, 0.9, 0.9, 0.3], page_type="listing") == "++++"
    assert kept(html, [0.9, 0.9, 0.9, 0.2], page_type="listing") == "+++-"
    assert kept(html, [0.9, 0.1, 0.9, 0.3], page_type="listing") == "+-+-"


def test_the_references_of_a_paper_are_kept_with_those_that_are_cited() -> None:
    cited = "<p>Counting is slow <sup><a href=#b1>1</a></sup></p>"
    references = "<h2>References</h2><ul><li id=b1>Lund. Hives. 2019.<li id=b2>Vik. Hums. 2020.</ul>"
    assert kept(cited + references, [0.9, 0.4, 0.1, 0.1]) == "++++"
    assert kept(cited + references.replace("References", "Shops"), [0.9, 0.1, 0.1, 0.1]) == "+-+-"
    assert kept("<p>Counting is slow</p>" + references, [0.9, 0.1, 0.1, 0.1]) == "+---"


def test_a_short_list_below_a_heading_has_no_holes() -> None:
    html = "<h2>Editors</h2><ul><li><a href=/a>Vim</a><li><a href=/b>Emacs</a></ul>"
    assert kept(html, [0.9, 0.9, 0.3], page_type="listing") == "+++"
    assert kept(html, [0.9, 0.9, 0.1], page_type="listing") == "++-"
    assert kept(html, [0.1, 0.9, 0.3], page_type="listing") == "-+-"


def test_doubtful_items_of_lists_in_cells_stay_with_the_rest() -> None:
    html = "<table><tr><th>node<th>role<tr><td>a1<td><ul><li>web<li>mail</ul></table>"
    assert kept(html, [0.9, 0.9, 0.9, 0.9, 0.3]) == "+++++"
    assert kept(html, [0.9, 0.9, 0.9, 0.9, 0.1]) == "++++-"


def test_a_list_of_tasks_that_ends_a_text_is_kept() -> None:
    html = "<p>a text</p><ul class=inline-task-list><li>push<li>pop</ul>"
    assert kept(html, [0.9, 0.3, 0.3]) == "+++"
    assert kept(html.replace("task-", ""), [0.9, 0.3, 0.3]) == "+--"
