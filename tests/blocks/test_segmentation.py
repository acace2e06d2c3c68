"""Blocks: where texts are cut, what they look like, and what each of them is."""

from __future__ import annotations

import pytest
from all_columns import all_columns
from hypothesis import given
from tag_soup import tag_soup

from dehusk.blocks.block_columns import Blocks, Kind
from dehusk.blocks.paths import PATH_CHARACTERS, PATH_LENGTH
from dehusk.blocks.segmentation import segment
from dehusk.limits import Limits
from dehusk.page.page_reading import read_page


def blocks_of(html: str) -> Blocks:
    return segment(read_page(html))


def texts_of(html: str) -> list[str]:
    return list(blocks_of(html).texts)


def visible_texts(html: str) -> list[str]:
    blocks = blocks_of(html)
    return [text for text, hidden in zip(blocks.texts, blocks.hidden, strict=True) if not hidden]


def kinds_of(html: str) -> list[tuple[str, Kind]]:
    blocks = blocks_of(html)
    return list(zip(blocks.texts, map(Kind, blocks.kind.tolist()), strict=True))


def levels_of(html: str) -> list[tuple[str, int]]:
    blocks = blocks_of(html)
    return list(zip(blocks.texts, blocks.level.tolist(), strict=True))


class TestCuts:
    @pytest.mark.parametrize(
        ("html", "text"),
        [
            ("H<sub>2</sub>O", "H2O"),
            ("<b>hel</b>lo", "hello"),
            ("hel<b>lo</b>", "hello"),
            ("un<wbr>break<em>able</em>", "unbreakable"),
            ("x<my-widget>y</my-widget>z", "xyz"),
            ("<a href=1>one</a><a href=2>two</a>", "onetwo"),
            ("one<img src=x>two", "onetwo"),
            ("one<!-- a comment -->two", "onetwo"),
            ("one<script>run()</script>two", "onetwo"),
        ],
    )
    def test_are_not_made_by_inline_elements(self, html: str, text: str) -> None:
        assert texts_of(f"<p>{html}</p>") == [text]

    @pytest.mark.parametrize(
        "html",
        [
            "<p>one</p>two",
            "one<p>two",
            "<div>one<div>two</div></div>",
            "<ul><li>one<li>two</ul>",
            "<table><tr><td>one<td>two</table>",
            "one<hr>two",
            "<p>one<hr>two",
            "<select><option>one<option>two</select>",
            "<dl><dt>one<dd>two</dl>",
            "<h1>one</h1>two",
            "<button>one</button><button>two</button>",
            "<span>one<div>two</div></span>",
        ],
    )
    def test_are_made_by_block_level_elements(self, html: str) -> None:
        assert texts_of(html) == ["one", "two"]

    def test_are_made_after_a_block_as_well(self) -> None:
        assert texts_of("one<div>two</div>three<section></section>four") == ["one", "two", "three", "four"]

    @pytest.mark.parametrize(
        "breaks", ["<br><br>", "<br>\n <br>", "<br/><br/><br/>", "<br><b><br></b>", "<br>&nbsp;<br>"]
    )
    def test_are_made_by_an_empty_line(self, breaks: str) -> None:
        assert texts_of(f"<p>one{breaks}two") == ["one", "two"]

    def test_are_made_by_an_empty_line_with_hidden_text_in_it(self) -> None:
        assert visible_texts("<p>one<br><span hidden>x</span><br>two") == ["one", "two"]

    def test_are_not_made_by_a_single_line_break(self) -> None:
        assert texts_of("<p>one<br>two<br> three") == ["one\ntwo\nthree"]

    def test_of_a_page_without_text_are_none(self) -> None:
        assert texts_of("<p> <b>\n</b>&nbsp;</p><br><img src=x alt=y>") == []

    @pytest.mark.parametrize("html", ["", "<frameset><frame src=a></frameset>"])
    def test_of_an_empty_page_are_none(self, html: str) -> None:
        blocks = blocks_of(html)
        assert len(blocks) == 0
        assert [len(column) for column in (blocks.kind, blocks.level, blocks.link_share, blocks.table.cell)] == [0] * 4

    @pytest.mark.parametrize("depth", [2, 3, 4, 5])
    def test_are_made_below_the_depth_limit_as_well(self, depth: int) -> None:
        html = "<div><div><section>one</section>two<p>three</p><p>four</p><b>five</b> six"
        page = read_page(html, limits=Limits(depth=depth))
        assert segment(page).texts == ("one", "two", "three", "four", "five six")


class TestWhiteSpace:
    @pytest.mark.parametrize(
        ("html", "text"),
        [
            ("  one \n\t two  ", "one two"),
            ("one\r\ntwo\ftwo", "one two two"),
            ("a <b> b</b>", "a b"),
            ("a<b> </b>b", "a b"),
            ("a <b></b> b", "a b"),
            ("<b>a </b> <i> b</i>", "a b"),
            ("one<br> two", "one\ntwo"),
            ("one <br>two", "one\ntwo"),
            ("one <b> <br> </b> two", "one\ntwo"),
            ("<br>one<br>", "one"),
            ("a&nbsp;b", "a\u00a0b"),
            ("a &nbsp; b", "a \u00a0 b"),
            ("a&nbsp;&nbsp;b", "a\u00a0\u00a0b"),
            ("a&#x2003;&#x2003;b", "a\u2003\u2003b"),
            ("a\u200bb", "a\u200bb"),
            ("中文\n中文", "中文 中文"),
        ],
    )
    def test_is_as_a_browser_shows_it(self, html: str, text: str) -> None:
        assert texts_of(f"<p>{html}</p>") == [text]

    def test_between_blocks_belongs_to_none(self) -> None:
        assert texts_of("<p>one</p>\n\n<p>\n two \n</p>\n") == ["one", "two"]

    @pytest.mark.parametrize(
        ("html", "text"),
        [
            ("  one\n    two  three\n", "  one\n    two  three"),
            ("\n  one", "  one"),
            ("one\n\n\ntwo", "one\n\n\ntwo"),
            ("\tone", "\tone"),
            ("one<br><br>  two", "one\n\n  two"),
            ("one  <b>  two</b>", "one    two"),
            ("    <b>return</b> x\n  y", "    return x\n  y"),
            ("<code>    <span>if</span> x:\n        <span>pass</span></code>", "    if x:\n        pass"),
            ("one\n<b></b>  two", "one\n  two"),
        ],
    )
    def test_of_preformatted_text_is_exact(self, html: str, text: str) -> None:
        assert texts_of(f"<pre>{html}</pre>") == [text]

    def test_of_preformatted_text_is_exact_around_what_is_hidden(self) -> None:
        # Line numbers are often hidden from screen readers; they must not push the code about.
        html = "<pre>one:\n<i aria-hidden=true>2</i>  two\n<i aria-hidden=true>3</i>  three</pre>"
        assert visible_texts(html) == ["one:\n  two\n  three"]

    @pytest.mark.parametrize("tag", ["textarea", "listing", "xmp"])
    def test_is_exact_in_what_is_like_pre(self, tag: str) -> None:
        assert texts_of(f"<{tag}>  one\n  two</{tag}>") == ["  one\n  two"]

    def test_of_a_block_inside_pre_is_exact(self) -> None:
        assert texts_of("<pre>one  two<div>three  four</div></pre>") == ["one  two", "three  four"]


class TestControlCharacters:
    # U+0090 starts terminal commands just as ESC P does.
    @pytest.mark.parametrize("character", ["\0", "\x01", "\x07", "\x08", "\x1b", "\x7f", "\x90"])
    @pytest.mark.parametrize("tag", ["p", "pre"])
    def test_are_left_out(self, character: str, tag: str) -> None:
        assert texts_of(f"<{tag}>one{character}two</{tag}>") == ["onetwo"]

    @pytest.mark.parametrize("character", ["\x01", "\x1b", "\x7f", "\x90"])
    def test_leave_no_double_blank(self, character: str) -> None:
        assert texts_of(f"<p>one {character} two {character}</p>") == ["one two"]

    @pytest.mark.parametrize("tag", ["p", "pre"])
    def test_beyond_ascii_are_read_as_windows_1252(self, tag: str) -> None:
        # U+009B starts terminal commands, too; in windows-1252 it is a quotation mark.
        assert texts_of(f"<{tag}>don\x92t \x9bx</{tag}>") == ["don’t ›x"]

    @pytest.mark.parametrize("tag", ["p", "pre", "title", "textarea"])
    def test_alone_make_no_block(self, tag: str) -> None:
        assert texts_of(f"<{tag}>\x01\x1b\x7f</{tag}>") == []

    def test_nul_does_not_cut(self) -> None:
        assert texts_of("<title>a\0b</title><p>c\0d&#0;e</p>") == ["a\ufffdb", "cd\ufffde"]

    def test_a_lone_surrogate_is_replaced(self) -> None:
        # It is no character, and no UTF-8 can hold it.
        assert texts_of("<p>one \ud800 two") == ["one \ufffd two"]


class TestHidden:
    def test_text_inside_a_paragraph_is_a_block_of_its_own(self) -> None:
        blocks = blocks_of("<p>one <span hidden>secret <b>text</b></span> two</p><p>three")
        assert blocks.texts == ("one two", "secret text", "three")
        assert blocks.hidden.tolist() == [False, True, False]

    def test_text_first_in_a_paragraph_follows_it(self) -> None:
        blocks = blocks_of("<p><span hidden>secret</span>one</p>")
        assert list(zip(blocks.texts, blocks.hidden.tolist(), strict=True)) == [("one", False), ("secret", True)]

    def test_parts_of_one_paragraph_are_one_block(self) -> None:
        visible, hidden = blocks_of("<p>a <i hidden>x</i> b <i hidden>y</i> c</p>").texts
        assert visible == "a b c"
        assert hidden.replace(" ", "") == "xy"

    def test_text_inside_a_word_does_not_split_it(self) -> None:
        assert visible_texts("<p>hel<i hidden>x</i>lo") == ["hello"]

    def test_block_elements_stay_apart(self) -> None:
        blocks = blocks_of("<div hidden><p>one<p>two</div>three")
        assert blocks.texts == ("one", "two", "three")
        assert blocks.hidden.tolist() == [True, True, False]

    def test_noscript_and_template_are_hidden(self) -> None:
        blocks = blocks_of("<body><noscript>one</noscript><template><p>two</p></template>three")
        assert blocks.texts == ("one", "two", "three")
        assert blocks.hidden.tolist() == [True, True, False]

    def test_length_counts_only_the_blocks_own_text(self) -> None:
        blocks = blocks_of("<p>one<i hidden>secret</i>two")
        assert blocks.length.tolist() == [6, 6]


class TestKinds:
    @pytest.mark.parametrize(
        ("html", "kind"),
        [
            ("<title>x</title>", Kind.TITLE),
            ("<h1>x</h1>", Kind.HEADING),
            ("<h6><a href=1>x</a></h6>", Kind.HEADING),
            ("<p>x</p>", Kind.PARAGRAPH),
            ("<p><b>x</b></p>", Kind.PARAGRAPH),
            ("<div><p><my-widget>x</my-widget></p></div>", Kind.PARAGRAPH),
            ("<ul><li>x</ul>", Kind.LIST_ITEM),
            ("<ul><li><p>x</p></ul>", Kind.LIST_ITEM),
            ("<ol><li><div>x</div></ol>", Kind.LIST_ITEM),
            ("<dl><dt>x</dl>", Kind.LIST_ITEM),
            ("<dl><dd>x</dl>", Kind.LIST_ITEM),
            ("<ul><li><h2>x</h2></ul>", Kind.HEADING),
            ("<pre>x</pre>", Kind.CODE),
            ("<ul><li><pre>x</pre></ul>", Kind.CODE),
            ("<pre><code>x</code></pre>", Kind.CODE),
            ("<p><code>x</code></p>", Kind.PARAGRAPH),
            ("<plaintext>x", Kind.CODE),
            ("<blockquote>x</blockquote>", Kind.QUOTE),
            ("<blockquote><p>x</p></blockquote>", Kind.QUOTE),
            ("<figure><figcaption>x</figcaption></figure>", Kind.CAPTION),
            ("<figure><figcaption><p>x</p></figcaption></figure>", Kind.CAPTION),
            ("<table><caption>x</caption></table>", Kind.CAPTION),
            ("<button>x</button>", Kind.FORM),
            ("<select><option>x</select>", Kind.FORM),
            ("<textarea>x</textarea>", Kind.FORM),
            ("<fieldset><legend>x</legend></fieldset>", Kind.FORM),
            ("<label>x</label>", Kind.FORM),
            ("<div>x</div>", Kind.OTHER),
            ("x", Kind.OTHER),
            ("<form>x</form>", Kind.OTHER),
            ("<section><span>x</span></section>", Kind.OTHER),
        ],
    )
    def test_follow_from_the_closest_element_that_has_one(self, html: str, kind: Kind) -> None:
        assert kinds_of(html) == [("x", kind)]

    def test_have_names_for_people(self) -> None:
        assert [kind.label for kind in (Kind.OTHER, Kind.LIST_ITEM, Kind.QUOTE)] == ["other", "list item", "quote"]

    @pytest.mark.parametrize("level", range(1, 7))
    def test_headings_have_their_level(self, level: int) -> None:
        assert levels_of(f"<h{level}>x</h{level}><p>y</p>") == [("x", level), ("y", 0)]

    def test_list_items_have_their_depth(self) -> None:
        html = "<p>0</p><ul><li>1<ul><li><p>2</p><ol><li>3</ol></ul><li>1</ul><dl><dt>1<dd>1<ul><li>2</ul></dl>"
        assert all(int(text) == level for text, level in levels_of(html))
        assert len(levels_of(html)) == 8

    def test_a_list_item_without_list_has_depth_one(self) -> None:
        assert levels_of("<li>x") == [("x", 1)]


def cells_of(html: str) -> list[tuple[str, int, int]]:
    """(text, row, column) of the blocks that are cells."""
    blocks = blocks_of(html)
    table = blocks.table
    is_cell = (blocks.kind == Kind.CELL).tolist()
    found = zip(blocks.texts, table.row.tolist(), table.column.tolist(), is_cell, strict=True)
    return [(text, row, column) for text, row, column, cell in found if cell]


class TestTables:
    def test_cells_know_their_place(self) -> None:
        html = "<table><tr><th>a<th>b<tr><td>c<td>d</table>"
        assert cells_of(html) == [("a", 0, 0), ("b", 0, 1), ("c", 1, 0), ("d", 1, 1)]

    def test_groups_of_rows_count_on(self) -> None:
        html = "<table><thead><tr><th>a<th>b<tbody><tr><td>c<td>d<tfoot><tr><td>e<td>f</table>"
        assert [row for _, row, _ in cells_of(html)] == [0, 0, 1, 1, 2, 2]

    def test_empty_cells_count(self) -> None:
        assert cells_of("<table><tr><td><td>b<tr><td>c<td></table>") == [("b", 0, 1), ("c", 1, 0)]

    def test_column_spans_count(self) -> None:
        html = "<table><tr><td colspan=2>a<td>b<tr><td>c<td>d<td colspan=' 3 '>e<td>f</table>"
        assert [column for _, _, column in cells_of(html)] == [0, 2, 0, 1, 2, 5]

    @pytest.mark.parametrize("span", ["0", "-1", "x", "", "1.5", "٣", "¹"])
    def test_a_senseless_span_is_one(self, span: str) -> None:
        html = f"<table><tr><td colspan='{span}'>a<td>b<tr><td>c<td>d</table>"
        assert [column for _, _, column in cells_of(html)] == [0, 1, 0, 1]

    def test_a_span_is_no_wider_than_the_standard_allows(self) -> None:
        html = "<table><tr><td colspan=99999999999>a<td>b<tr><td>c<td>d</table>"
        assert cells_of(html)[1] == ("b", 0, 1000)

    def test_several_blocks_may_share_a_cell(self) -> None:
        blocks = blocks_of("<table><tr><td><p>a<p>b<td>c<tr><td>d<td><div>e</div></table>")
        assert cells_of("<table><tr><td><p>a<p>b<td>c<tr><td>d<td><div>e</div></table>") == [
            ("a", 0, 0),
            ("b", 0, 0),
            ("c", 0, 1),
            ("d", 1, 0),
            ("e", 1, 1),
        ]
        assert blocks.table.cell[0] == blocks.table.cell[1] != blocks.table.cell[2]
        assert len(set(blocks.table.table.tolist())) == 1

    def test_a_heading_or_list_in_a_cell_stays_what_it_is(self) -> None:
        html = "<table><tr><td><h2>a</h2><td><ul><li>b</ul><tr><td>c<td>d</table>"
        assert [kind for _, kind in kinds_of(html)] == [Kind.HEADING, Kind.LIST_ITEM, Kind.CELL, Kind.CELL]
        assert (blocks_of(html).table.cell >= 0).all()

    @pytest.mark.parametrize(
        "html",
        [
            "<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>",
            "<table role=' None '><tr><td>a<td>b<tr><td>c<td>d</table>",
            "<table><tr><td>a<td>b<td>c</table>",
            "<table><tr><td>a<tr><td>b<tr><td>c</table>",
            "<template><tr><td>a<td>b</tr><tr><td>c<td>d</tr></template>",
        ],
    )
    def test_for_layout_have_no_cells(self, html: str) -> None:
        blocks = blocks_of(html)
        assert len(blocks) >= 3
        assert set(blocks.kind.tolist()) == {Kind.OTHER}
        assert (blocks.table.cell < 0).all()
        assert (blocks.table.table < 0).all()
        assert (blocks.table.row < 0).all()
        assert (blocks.table.column < 0).all()

    def test_that_hold_tables_are_for_layout(self) -> None:
        html = "<table><tr><td>a<td>b<tr><td>c<td><table><tr><td>1<td>2<tr><td>3<td>4</table></table>"
        assert cells_of(html) == [("1", 0, 0), ("2", 0, 1), ("3", 1, 0), ("4", 1, 1)]
        assert [kind for text, kind in kinds_of(html) if text in "abc"] == [Kind.OTHER] * 3

    def test_a_paragraph_in_a_layout_table_is_a_paragraph(self) -> None:
        assert kinds_of("<table><tr><td><p>x</p></table>") == [("x", Kind.PARAGRAPH)]

    def test_two_tables_are_told_apart(self) -> None:
        html = "<table><tr><td>a<td>b<tr><td>c<td>d</table>"
        assert len(set(blocks_of(html + html).table.table.tolist())) == 2


class TestLinkShare:
    @pytest.mark.parametrize(
        ("html", "share"),
        [
            ("plain text", 0),
            ("<a href=x>all of it</a>", 1),
            ("half <a href=x>half</a>", 0.5),
            ("one<a href=x><b>two</b></a> <a href=y>six</a>", 2 / 3),
            ("<a href=x> half </a> half", 0.5),
            ("<a href=x><i hidden>secret</i></a>text", 0),
        ],
    )
    def test_is_the_part_of_the_text_in_links(self, html: str, share: float) -> None:
        assert blocks_of(f"<p>{html}</p>").link_share[0] == pytest.approx(share)

    def test_of_a_link_around_blocks_is_one(self) -> None:
        assert blocks_of("<a href=x><h2>a</h2><p>b</p></a>c").link_share.tolist() == [1, 1, 0]


class TestPath:
    def test_names_tags_and_first_classes(self) -> None:
        blocks = blocks_of("<div class=' post-7 wide'><section id=x><p>one <b>two</b></section></div>")
        assert blocks.path(0) == "html/body/div.post-7/section/p"

    def test_ends_at_the_block_level_element(self) -> None:
        assert blocks_of("<ul><li><a href=x><span>one</span></a></ul>").path(0) == "html/body/ul/li"

    def test_of_a_very_deep_page_leaves_out_the_middle(self) -> None:
        steps = blocks_of("<div>" * 300 + "<p>x").path(0).split("/")
        assert len(steps) == PATH_LENGTH
        assert steps[:2] == ["html", "…"]
        assert steps[2:] == ["div"] * (PATH_LENGTH - 3) + ["p"]

    def test_of_the_greatest_length_is_whole(self) -> None:
        steps = blocks_of("<div>" * (PATH_LENGTH - 3) + "<p>x").path(0).split("/")
        assert len(steps) == PATH_LENGTH
        assert "…" not in steps

    @pytest.mark.parametrize("html", ["<div class={}>", "<{}>"])
    def test_is_bounded_whatever_the_names(self, html: str) -> None:
        # A path is repeated for every block: a long name in it would multiply the page.
        path = blocks_of(html.format("x" * 10_000) * 20 + "<p>x").path(0)
        assert len(path) <= PATH_CHARACTERS
        assert path.startswith("html/…/")
        assert path.endswith("/p")

    def test_equal_ones_are_numbered_alike(self) -> None:
        blocks = blocks_of("<div><p>a<p>b<p class=x>c</div><div><p>d</div>")
        paths = blocks.paths_of(range(4))
        assert paths.numbers == (3, 3, 4, 3)
        assert list(zip(paths.parents, paths.steps, strict=True)) == [
            (-1, "html"),
            (0, "body"),
            (1, "div"),
            (2, "p"),
            (2, "p.x"),
        ]
        assert [paths.spelled_out(number) for number in (0, 4)] == ["html", "html/body/div/p.x"]


class TestColumns:
    @given(tag_soup)
    def test_fit_together(self, html: str) -> None:
        blocks = blocks_of(html)
        page = blocks.page
        assert all(blocks.texts)
        assert (blocks.first_row <= blocks.last_row).all()
        assert page.is_text[blocks.first_row].all()
        assert page.is_text[blocks.last_row].all()
        assert (page.hidden[blocks.first_row] == blocks.hidden).all()
        assert ((blocks.owner < blocks.first_row) & (blocks.first_row < page.subtree_end[blocks.owner])).all()
        assert ((blocks.link_length >= 0) & (blocks.link_length <= blocks.length)).all()

    @given(tag_soup)
    def test_cannot_be_written_to(self, html: str) -> None:
        blocks = blocks_of(html)
        arrays = all_columns(blocks)
        assert {"first_row", "owner", "hidden"} <= arrays.keys()
        assert not any(array.flags.writeable for array in arrays.values())
