# ruff: noqa: E501 - markup as tools write it
"""Tables and lists as the tools of the web write them: cells, headers, alignment, tasks, and what folds."""

from __future__ import annotations

import pytest
import turbohtml
from keep_visible import Render, clean_visible

from dehusk import OutputOptions

SPANNED = "<tr><th>Tea<th>Cup<th>Pot<tr><td rowspan=2>Green<td colspan=2>3<tr><td>4<td>5"


def markdown(html: str, options: OutputOptions | None = None) -> str:
    return clean_visible(html).render("markdown", options)


def cells(html: str, options: OutputOptions | None = None) -> list[list[str]]:
    """The cells of the table in the html output."""
    rows = turbohtml.parse(clean_visible(html).render("html", options)).select("tr")
    return [[cell.text.strip() for cell in row.select("td, th")] for row in rows]


@pytest.mark.parametrize(
    ("cell", "rule"),
    [
        ("<td align=right>", "---:"),
        ("<td align=Center>", ":---:"),
        ("<td style='text-align: left'>", ":---"),
        ("<td style='color: red; text-align:right;'>", "---:"),
        ("<td class='text-center x'>", ":---:"),
        ("<td class=align-right>", "---:"),
        ("<td class='has-text-align-center'>", ":---:"),
        ("<td class='tableblock halign-right valign-top'>", "---:"),
        ("<td class='col1 rightalign'>", "---:"),
        ("<td class='ltx_td ltx_align_left'>", ":---"),
        ("<td align=justify>", "---"),
        ("<td>", "---"),
    ],
)
def test_columns_are_aligned(cell: str, rule: str) -> None:
    assert markdown(f"<table><tr><th>a<th>b<tr><td>c{cell}d</table>").split("\n")[1] == f"| --- | {rule} |"


def test_the_header_aligns_where_cells_do_not() -> None:
    html = "<table><thead><tr><th align=left>a<th align=right>b<tbody><tr><td>c<td align=center>d</table>"
    assert markdown(html).split("\n")[1] == "| :--- | :---: |"


def test_a_head_makes_headers_of_all_its_cells() -> None:
    html = "<table><thead><tr><td>a<td>b</thead><tbody><tr><td>c<td>d</table>"
    assert markdown(html) == "| a | b |\n| --- | --- |\n| c | d |\n"
    assert "<thead>" in clean_visible(html).render("html")


def test_empty_cells_and_columns_stay() -> None:
    html = "<table><tr><th>a<th><th>b<tr><td>c<td><td>d<tr><td><td>&nbsp;<td>e</table>"
    assert markdown(html) == "| a |  | b |\n| --- | --- | --- |\n| c |  | d |\n|  |  | e |\n"
    assert cells(html) == [["a", "", "b"], ["c", "", "d"], ["", "", "e"]]


def test_spans_are_flattened_or_repeated() -> None:
    html = f"<table>{SPANNED}</table>"
    head = "| Tea | Cup | Pot |\n| --- | --- | --- |\n"
    assert markdown(html) == f"{head}| Green | 3 |  |\n|  | 4 | 5 |\n"
    repeated = OutputOptions(repeat_spans=True)
    assert markdown(html, repeated) == f"{head}| Green | 3 | 3 |\n| Green | 4 | 5 |\n"
    assert cells(html, repeated) == [["Tea", "Cup", "Pot"], ["Green", "3", "3"], ["Green", "4", "5"]]
    assert "Green\t3\t3\nGreen\t4\t5" in clean_visible(html).render("text", repeated)


def test_wide_spans_are_not_repeated() -> None:
    html = "<table><tr><td colspan=1000>a<td>b<tr>" + "<td>c" * 30 + "</table>"
    assert markdown(html, OutputOptions(repeat_spans=True)).count("a") == 1


def test_lists_and_code_in_cells() -> None:
    html = "<table><tr><th>a<th>b<tr><td><ul><li>c<li>d</ul><td><p>e</p><p><code>f|g</code></p></table>"
    assert markdown(html).split("\n")[2] == "| - c<br>- d | e<br>`f\\|g` |"


def test_a_table_of_headings_is_for_layout() -> None:
    side = "<h2>{}</h2><p>It steeps for three minutes.</p>"
    rows = f"<tr><td>{side.format('Green')}<td>{side.format('Black')}<tr><td>{side.format('White')}<td>x"
    assert markdown(f"<table>{rows}</table>").startswith("## Green\n\nIt steeps")
    assert markdown(f"<table><tr><th>a<th>b{rows}</table>").startswith("| a | b |")


BOXES = {
    "Discourse": '<ul><li class="has-checkbox"><span class="chcklst-box checked fa fa-square-check-o fa-fw"></span> done</li>'
    '<li class="has-checkbox"><span class="chcklst-box fa fa-square-o fa-fw"></span> open</li></ul>',
    "GitHub": "<ul class=contains-task-list><li class=task-list-item><input type=checkbox "
    "class=task-list-item-checkbox checked disabled> done"
    "<li class=task-list-item><input type=checkbox disabled> open</ul>",
    "paragraphs": "<ul><li><p><input type=checkbox checked> done</p><li><p><input type=checkbox> open</p></ul>",
    "labels": "<ul><li><label><input type=checkbox checked=checked><span>done</span></label>"
    "<li><label><input type=checkbox><span>open</span></label></ul>",
    "divisions": "<ul data-type=taskList><li><label><input type=checkbox checked></label><div><p>done</p></div>"
    "<li><label><input type=checkbox></label><div><p>open</p></div></ul>",
    "Notion": '<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">done'
    '</span></li><li><div class="checkbox checkbox-off"></div> <span class="to-do-children-unchecked">open</span></li></ul>',
    "Confluence": '<ul class="inline-task-list"><li class="checked" data-inline-task-id="1"><span>done</span></li>'
    '<li data-inline-task-id="2"><span>open</span></li></ul>',
    "GitBook": '<ul><li><div><button role="checkbox" aria-checked="true"></button></div><div><p>done</p></div></li>'
    '<li><div><button role="checkbox" aria-checked="false"></button></div><div><p>open</p></div></li></ul>',
    "Pandoc": '<ul class="task-list"><li><label><input type="checkbox" checked="" />done</label></li>'
    '<li><label><input type="checkbox" />open</label></li></ul>',
    "VuePress": '<ul class="task-list-container"><li class="task-list-item"><input type="checkbox" id="task-item-0" '
    'class="task-list-item-checkbox" checked disabled><label for="task-item-0"> done</label></li><li class="task-list-item"><input '
    'type="checkbox" id="task-item-1" class="task-list-item-checkbox" disabled><label for="task-item-1"> open</label></li></ul>',
    "AsciiDoc": '<ul class="checklist"><li><p><i class="fa fa-check-square-o"></i> done</p></li><li><p><i class="fa fa-square-o"></i> '
    "open</p></li></ul>",
    "Org": '<ul class="org-ul"><li class="on"><code>[X]</code> done</li><li class="off"><code>[&#xa0;]</code> open</li></ul>',
}


@pytest.mark.parametrize("html", BOXES.values(), ids=BOXES)
def test_tasks(html: str) -> None:
    page = clean_visible(html)
    assert page.render("markdown") == "- [x] done\n- [ ] open\n"
    assert page.render("text") == "- [x] done\n- [ ] open\n"
    assert [item.text for item in turbohtml.parse(page.render("html")).select("li")] == ["[x] done", "[ ] open"]


def test_tasks_may_hold_lists_and_marks() -> None:
    html = "<ol><li><input type=checkbox> <b>a</b> b<ul><li><input type=checkbox checked>c</ul><li>d</ol>"
    assert markdown(html) == "1. [ ] **a** b\n   - [x] c\n2. d\n"


def test_a_box_with_a_name_of_its_own_is_for_cooks() -> None:
    assert markdown("<ul><li><input type=checkbox id=c1><label for=c1></label> 3 lemons</ul>") == "- 3 lemons\n"


def test_notes_on_the_lines_of_a_listing_are_a_list() -> None:
    html = "<div class=colist><table><tr><td><b>1</b><td>The port<tr><td><b>2</b><td>The host</table></div>"
    assert markdown(html) == "1. The port\n2. The host\n"


def test_a_box_outside_lists_is_no_task() -> None:
    assert markdown("<p><input type=checkbox> I agree</p><ul><li><input type=text> a</ul>") == "I agree\n\n- a\n"


def test_what_folds_is_unfolded() -> None:
    html = "<details><summary>More on tea</summary><p>It steeps.</p><ul><li>a</ul></details>"
    assert markdown(html) == "**More on tea**\n\nIt steeps.\n\n- a\n"


def test_lists_of_mixed_kinds() -> None:
    html = "<ol><li>a<ul><li>b<ol start=3><li>c</ol><dl><dt>d<dd>e</dl></ul><li>f</ol>"
    assert markdown(html) == "1. a\n   - b\n\n     3. c\n\n     - d\n       - e\n2. f\n"


def test_numbers_and_bullets_that_are_written_as_blocks_go(markdown: Render) -> None:
    tag = "<span class='ltx_tag ltx_tag_item'>{}</span><div><p>a</p></div>"
    assert markdown(f"<ol><li>{tag.format('1.')}<li>{tag.format('(2)')}</ol>") == "1. a\n2. a\n"
    assert markdown(f"<ul><li>{tag.format('•')}<li>{tag.format('–')}</ul>") == "- a\n- a\n"
    assert markdown("<ol><li><p>1.</p></ol>") == "1. 1\\.\n"


def test_headings_across_a_table_divide_it(markdown: Render) -> None:
    html = "<table><tr><td colspan=2><h2>Types</h2></td></tr><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>"
    assert "| a | b |\n| c | d |" in markdown(html)
    assert "|" not in markdown(html.replace(" colspan=2", ""))


def test_a_description_that_is_a_list(markdown: Render) -> None:
    fields = "<dl><dt>Parameters</dt><dd><ul><li>a</li><li>b</li></ul></dd><dt>Returns</dt><dd>c</dd></dl>"
    assert markdown(fields) == "- Parameters\n  - a\n  - b\n- Returns\n  - c\n"


def test_posts_of_a_thread_are_no_items(markdown: Render) -> None:
    posts = "<ol><li class='message'><p>a</p><ul><li>b</ul></li><li class='message'><p>c</p></li></ol>"
    assert markdown(posts) == "a\n\n- b\n\nc\n"


def test_labels_of_parts_that_are_open(markdown: Render) -> None:
    html = "<details class=toggle open><summary class=hideme>Expand description</summary><p>a</p></details>"
    assert markdown(html) == "a\n"
    assert "More" in markdown("<details open><summary>More</summary><p>a</p></details>")


def test_lists_that_are_written_by_hand(markdown: Render, html_output: Render) -> None:
    assert markdown("<p>a:</p><p>• b</p><p>• c</p>") == "a:\n\n- b\n- c\n"
    assert markdown("<p>a:<br>1) b<br>2) c<br>3) d</p>") == "a:\n\n1. b\n2. c\n3. d\n"
    assert html_output("<p>• b</p><p>• c</p>").count("<li>") == 2
    assert markdown("<p>a:<br>- b<br>- c<br>- d</p>") == "a:\n\n- b\n- c\n- d\n"


_DRAWN = {
    "Javadoc": '<div class="summary-table two-column-summary"><div class="table-header col-first">Name</div><div '
    'class="table-header col-last">Age</div><div class="col-first even-row-color">Nora</div><div '
    'class="col-last even-row-color"><div class="block">31</div></div></div>',
    "ARIA, a grid": "<div role=grid><div role=row><div role=columnheader>Name</div><div role=columnheader>Age</div></div><div "
    "role=row><div role=gridcell>Nora</div><div role=gridcell>31</div></div></div>",
    "GitBook": '<div role=table><div role=row class="flex flex-row"><div role=columnheader><div>Name</div></div><div '
    "role=columnheader><div>Age</div></div></div><div role=row class=flex><div role=cell><div><p>Nora</p></div></div><div "
    "role=cell><p>31</p></div></div></div>",
    "Tailwind": '<div class="table w-full"><div class=table-header-group><div class=table-row><div class=table-cell>Name</div>'
    "<div class=table-cell>Age</div></div></div><div class=table-row-group><div class=table-row><div class=table-cell>Nora"
    "</div><div class=table-cell>31</div></div></div></div>",
    "generators of tables": "<div class=divTable><div class=divTableBody><div class=divTableRow><div class=divTableHead>Name"
    "</div><div class=divTableHead>Age</div></div><div class=divTableRow><div class=divTableCell>Nora</div><div "
    "class=divTableCell>31</div></div></div></div>",
}


@pytest.mark.parametrize("html", _DRAWN.values(), ids=_DRAWN)
def test_tables_that_are_drawn_with_other_elements(markdown: Render, html_output: Render, html: str) -> None:
    page = f"<p>a</p>{html}<p>b</p>"
    assert markdown(page) == "a\n\n| Name | Age |\n| --- | --- |\n| Nora | 31 |\n\nb\n"
    assert html_output(page).count("<tr>") == 2


@pytest.mark.parametrize(
    "html",
    [
        "<div role=row><div role=cell>a</div><div role=cell>b</div></div>",
        "<div role=grid><div role=row><div role=cell>a</div></div><div role=row><div role=cell>b</div></div></div>",
        f"<div class=table><div class=table-row><div class=table-cell>a</div><div class=table-cell>{'b ' * 400}</div></div>"
        "<div class=table-row><div class=table-cell>c</div><div class=table-cell>d</div></div></div>",
        "<div role=grid><div role=row><div role=cell><h2>a</h2></div><div role=cell>b</div></div><div role=row><div "
        "role=cell>c</div><div role=cell>d</div></div></div>",
    ],
    ids=["one row", "one column", "much text", "headings"],
)
def test_what_is_drawn_like_a_table_for_layout(markdown: Render, html: str) -> None:
    assert "|" not in markdown(f"<p>a</p>{html}")


_SPECIFICATIONS = {
    "a row around each pair": "<div class=spec-row><div class=spec-label>Name</div><div class=spec-value>Nora</div></div>"
    "<div class=spec-row><div class=spec-label>Age</div> <div class=spec-value>31</div></div>",
    "pairs in a grid": "<div class=facts__label>Name</div><div class=facts__value>Nora</div><div class=facts__label>Age</div>"
    "<div class=facts__value>31</div>",
    "generated names": "<div><p class=Spec_key__x1>Name</p><p class=Spec_value__y2>Nora</p></div><div><p class=Spec_key__x1>Age"
    "</p><p class=Spec_value__y2>31</p></div>",
}


@pytest.mark.parametrize("html", _SPECIFICATIONS.values(), ids=_SPECIFICATIONS)
def test_labels_and_values_are_a_table(markdown: Render, html: str) -> None:
    page = f"<p>a</p><section><h2>b</h2><div>{html}</div></section><p>c</p>"
    assert markdown(page) == "a\n\n## b\n\n|  |  |\n| --- | --- |\n| Name | Nora |\n| Age | 31 |\n\nc\n"


@pytest.mark.parametrize(
    "html",
    [
        "<div><div class=label>Name</div><div class=value>Nora</div></div>",
        "<ul><li><div class=label>Name</div><div class=value>Nora</div><li><div class=label>Age</div><div class=value>31</div></ul>",
        "<div><div class=value>9</div><div class=label>cats</div></div><div><div class=value>8</div><div class=label>dogs</div></div>",
        f"<div class=label>{'Who is it? ' * 9}</div><div class=value>Nora</div><div class=label>Age?</div><div class=value>31</div>",
    ],
    ids=["one pair", "items", "numbers above their labels", "questions"],
)
def test_other_labels_and_values_are_none(markdown: Render, html: str) -> None:
    assert "|" not in markdown(f"<p>a</p>{html}")


def test_lines_that_are_named_items_are_a_list(markdown: Render, html_output: Render) -> None:
    items = "<div class='pros-cons__item'><span>{}</span></div>"
    page = f"<p>a</p><div><div class=heading>Pros</div>{items.format('b')}{items.format('c')}</div><p>d</p>"
    assert markdown(page) == "a\n\nPros\n\n- b\n- c\n\nd\n"
    assert html_output(page).count("<li>") == 2


def test_a_list_for_each_item_is_one_list(markdown: Render) -> None:
    """As the exports of Notion have them."""
    bullet = '<ul class="bulleted-list"><li style="list-style-type:disc">{}</li></ul>'
    number = '<ol type="1" class="numbered-list" start="{0}"><li>{0}</li></ol>'
    page = "".join(map(bullet.format, "ab")) + "<p>c</p>" + "".join(map(number.format, (1, 2, 3)))
    assert markdown(page) == "- a\n- b\n\nc\n\n1. 1\n2. 2\n3. 3\n"


def test_lists_of_other_kinds_stay_apart(markdown: Render) -> None:
    assert markdown("<ul class=a><li>a</ul><ul class=b><li>b</ul>") == "- a\n\n* b\n"
    assert markdown("<ol><li>a</ol><ol><li>b</ol>") == "1. a\n\n1) b\n"


def test_items_that_are_parts_of_the_page_are_no_list(markdown: Render) -> None:
    javadoc = "<ul class=member-list><li><section class=detail><h2>Boil</h2><p>Heats water.</p></section></li></ul>"
    assert markdown(f"<h1>Kettle</h1>{javadoc}") == "# Kettle\n\n## Boil\n\nHeats water.\n"
    squarespace = (
        "<ul class=accordion-items-container><li class=accordion-item><h4 class=accordion-item__title-wrapper><button>"
        "<span class=accordion-item__title>Is it safe?</span></button></h4><div><p>Yes.</p></div></li></ul>"
    )
    assert markdown(f"<h1>Kettle</h1>{squarespace}") == "# Kettle\n\n## Is it safe?\n\nYes.\n"


def test_a_file_is_no_definition(markdown: Render) -> None:
    """As DokuWiki writes it."""
    html = "<p>Above.</p><dl class=file><dt><a href=/x>boil.py</a></dt><dd><pre class='code file python'>x = 1</pre></dd></dl>"
    assert "```python\nx = 1\n```" in markdown(html)


def test_items_by_their_role(markdown: Render, html_output: Render) -> None:
    html = "<div role=list><div role=listitem>a</div><div role=listitem>b</div></div><ul><li role=listitem>c</ul>"
    assert markdown(html) == "- a\n- b\n\n* c\n"
    assert html_output(html).count("<li>") == 3


def test_boxes_of_tasks_that_are_written_in_text(markdown: Render) -> None:
    html = "<ul><li>[ ] a</li><li>[x] <b>b</b></li><li>☐ c</li><li>☑d</li><li>[y] e</li></ul>"
    assert markdown(html) == "- [ ] a\n- [x] **b**\n- [ ] c\n- [x] d\n- \\[y\\] e\n"


def test_boxes_of_ingredients_are_no_tasks(markdown: Render) -> None:
    """As WP Recipe Maker says them to screen readers."""
    box = "<span><input type=checkbox id=b1><label for=b1><span class=sr-only>▢ </span></label></span>"
    assert markdown(f"<ul><li>{box}<span>1</span> <span>onion</span></li><li>{box}<b>salt</b></li></ul>") == (
        "- 1 onion\n- **salt**\n"
    )


def test_a_table_with_one_kept_cell_is_none(markdown: Render) -> None:
    """As the frame of a post on Hacker News, of which the rest is dropped."""
    html = "<table><tr><td></td><td>9 points by nora</td></tr><tr><td></td><td><p>First.</p><p>Second.</p></td></tr></table>"
    assert markdown(f"<p>a</p>{html}", drop="9 points by nora") == "a\n\nFirst.\n\nSecond.\n"
