"""HTML: the content in elements that say what it is, and nothing that runs, loads or styles."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from urllib.parse import urlsplit

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st
from keep_visible import Clean, Render
from turbohtml.clean import Policy, sanitize_report

from dehusk import OutputOptions


def body_of(document: str) -> str:
    """The markup between the body tags, which the writer puts on lines of their own."""
    return document.partition("<body>\n")[2].rpartition("\n</body>")[0]


def without_blanks(text: str) -> str:
    return "".join(text.split())


def shown_text(document: str) -> str:
    """What another parser finds in the body, white space apart."""
    body = turbohtml.parse(document).select_one("body")
    return "" if body is None else without_blanks(body.text)


def kept_texts(page_or_html: str, clean: Clean) -> list[str]:
    return [block.text for block in clean(page_or_html) if block.kept]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("", ""),
        ("<p>a</p>", "<p>a</p>"),
        ("<p class=x id=y data-z=1>a <b>b</b> &amp; &lt;c&gt;</p>", "<p>a <strong>b</strong> &amp; &lt;c&gt;</p>"),
        ("<title>T</title><p>a", "<h1>T</h1>\n<p>a</p>"),
        ("<p>a<br>b</p>", "<p>a<br>b</p>"),
        ("<ol start=3><li>a<li>b</ol>", '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'),
        ("<ol><li>a<li value=7>b<li>c</ol>", '<ol>\n<li>a</li>\n<li value="7">b</li>\n<li>c</li>\n</ol>'),
        ("<pre>a\n  b</pre>", "<pre><code>a\n  b</code></pre>"),
        ("<pre class=lang-c>a</pre>", '<pre><code class="language-c">a</code></pre>'),
        ("<p><font color=red>a</font> <blink>b</blink> <x-y>c</x-y>", "<p>a b c</p>"),
        (
            "<p><a href=b rel=nofollow target=_top>a</a>",
            '<p><a href="https://site.example/news/b" rel="noopener noreferrer">a</a></p>',
        ),
        ("<p>a<sub>2</sub><sup>b</sup> <s>c</s> <q>d</q>", "<p>a<sub>2</sub><sup>b</sup> <del>c</del> <q>d</q></p>"),
        ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>", "<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby></p>"),
        ("<blockquote cite=/s>a</blockquote>", "<blockquote>\n<p>a</p>\n</blockquote>"),
        ("<p lang=he dir=rtl>a", '<p lang="he" dir="rtl">a</p>'),
        ("<dl><dt>a<dd>b</dl>", "<dl>\n<dt>a</dt>\n<dd>b</dd>\n</dl>"),
        ("<p>a <span hidden>x</span>b", "<p>a b</p>"),
        ("<p>a</p><!-- b --><script>c</script><style>d</style><p>e", "<p>a</p>\n<p>e</p>"),
    ],
)
def test_markup(html_output: Render, html: str, expected: str) -> None:
    assert body_of(html_output(html)) == expected


def test_is_a_whole_document(html_output: Render) -> None:
    assert html_output("<html lang=en><title>T & T</title><p hidden>a", drop="T & T") == (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>T &amp; T</title></head>\n'
        "<body>\n\n</body>\n</html>\n"
    )


def test_the_direction_of_the_page_is_kept(html_output: Render) -> None:
    """Without it a browser aligns Arabic and Hebrew on the wrong side and misplaces their punctuation."""
    assert '<html lang="ar" dir="rtl">' in html_output("<html lang=ar dir=rtl><p>a")


def test_the_title_is_that_of_the_page_not_of_an_icon(html_output: Render) -> None:
    assert "<title></title>" in html_output("<p>a <svg><title>Search</title></svg> b")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<table><tr><td><td>b<tr><td>c<td>d</table>", [["", "b"], ["c", "d"]]),
        ("<table><tr><td>a<td>b<td>c<tr><td>1<td> <td>3</table>", [["a", "b", "c"], ["1", "", "3"]]),
        ("<table><tr><td>noise<td>b<tr><td>c<td>d</table>", [["", "b"], ["c", "d"]]),
    ],
)
def test_values_stay_in_their_column(html_output: Render, html: str, expected: list[list[str]]) -> None:
    """A cell without kept text is empty, not gone: without it all that follow would move to the left."""
    rows = turbohtml.parse(html_output(html, drop="noise")).select("tr")
    assert [[cell.text.strip() for cell in row.select("td")] for row in rows] == expected


@pytest.mark.parametrize(
    "html",
    [
        "<p>a<br><br>b</p>",
        "<div>a<br> <br>b<br><br><br>c</div>",
        "<div>a<hr>b</div>",
        "<div><center>a</center>b</div>",
        "<div><button>a</button>b</div>",
        "<form>a<fieldset><legend>b</legend>c</fieldset>d</form>",
        "<div><select><option>a<option>b</select>c</div>",
        "<div>a<p>noise</p>b</div>",
        "<div>a<nav>noise</nav>b</div>",
        "<div>a<p hidden>x</p>b</div>",
        "<div>a<iframe></iframe>b</div>",
        "<div>a<dialog>b</dialog>c</div>",
        "<menu><li>a<li>b</menu>",
        "<xmp>a</xmp><listing>b</listing>",
        "<table><tr><td>a<td>b</table>",
    ],
)
def test_what_stood_apart_stays_apart(html_output: Render, clean: Clean, html: str) -> None:
    """Read again, the output has the same blocks: nothing that separated two texts was lost."""
    expected = [block.text for block in clean(html, drop="noise") if block.kept]
    assert kept_texts(html_output(html, drop="noise"), clean) == expected


@pytest.mark.parametrize(
    "html",
    [
        "<p>a<b>b</b>c",
        "<p>super<wbr>cali",
        "<p>a<img src=x>b",
        "<p>a<span hidden>x</span>b",
        "<p>a<svg><text>x</text></svg>b",
        "<p>a<span aria-hidden=true>·</span>b",
        "<p>a\u2028b",
        "<p>a<font>b</font>c",
        "<pre>a<br>b\n c</pre>",
        "<p>a <b> b </b> c\n d",
    ],
)
def test_what_stood_together_stays_together(html_output: Render, clean: Clean, html: str) -> None:
    assert kept_texts(html_output(html), clean) == kept_texts(html, clean)


def test_noise_leaves_no_empty_elements(html_output: Render) -> None:
    html = "<div><ul><li>noise</ul></div><p>a</p><nav><a href=x>noise</a></nav>"
    assert body_of(html_output(html, drop="noise")) == "<p>a</p>"


def test_a_layout_table_is_no_table(html_output: Render) -> None:
    """What is left of the menu would be a blank stripe beside the text."""
    html = "<table><tr><td width=140>noise<td><p>a</p></table>"
    assert body_of(html_output(html, drop="noise")) == "<p>a</p>"


def test_hidden_text_shows_only_where_it_is_kept(html_output: Render) -> None:
    """That one hidden block is kept must not bring back another."""
    html = "<p hidden>wanted</p><p>a<span hidden>unwanted</span>b</p>"
    found = html_output(html, doubt="wanted")
    assert "wanted" in shown_text(found)
    assert "unwanted" not in found


def test_options(html_output: Render) -> None:
    html = "<p>a <a href=x>b</a> <img src=y alt=z> c</p>"
    assert body_of(html_output(html, OutputOptions(links=False, images=False))) == "<p>a b c</p>"


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("src=/i.png alt='' width=300 height=400", 'src="https://site.example/i.png" alt=""'),
        ("src=/i.png srcset='/j.png 2x' onload=x style=y class=z", 'src="https://site.example/j.png" alt=""'),
        ("srcset='/j.png 2x, /k.png' alt=a", 'src="https://site.example/j.png" alt="a"'),
        ("data-src=/lazy.png alt=a", 'src="https://site.example/lazy.png" alt="a"'),
        ("src='data:image/gif;base64,R0' data-src=/lazy.png alt=a", 'src="https://site.example/lazy.png" alt="a"'),
    ],
)
def test_images(html_output: Render, attributes: str, expected: str) -> None:
    image = body_of(html_output(f"<p>a <img {attributes}> b</p>")).partition("<img ")[2].partition(">")[0]
    assert set(image.split()) == set(expected.split())


def test_an_image_without_an_address_is_left_out(html_output: Render) -> None:
    assert "<img" not in html_output("<p>a <img src='javascript:x' alt=y> b</p>")


def test_options_change_no_kept_block(clean: Clean) -> None:
    page = clean("<h1>a</h1><p>b <a href=x>c</a> <img src=d> e</p><p hidden>f</p>")
    before = [block.kept for block in page]
    texts = {shown_text(page.render("html", OutputOptions(links, images))) for links in (0, 1) for images in (0, 1)}
    assert texts == {"abce"}
    assert [block.kept for block in page] == before


def test_lone_surrogates_can_be_written(html_output: Render) -> None:
    html = "<html lang='\udc80'><title>\udc81</title><p title='\udc82'>a\udc83 <a href='\udc84'>b</a>"
    assert html_output(html).encode()


@pytest.mark.parametrize("html", ["<p>a&#27;[31mb</p>", "<pre>a&#27;[31mb</pre>", "<p title='&#27;'>a[31mb</p>"])
def test_no_character_can_command_a_terminal(html_output: Render, html: str) -> None:
    found = html_output(html)
    assert "\x1b" not in found
    assert shown_text(found) == "a[31mb"


def test_depth_costs_no_stack(html_output: Render) -> None:
    assert shown_text(html_output("<div>" * 3000 + "a")) == "a"


_ATTACKS = (
    "<script>alert(1)</script>",
    "<SCRIPT SRC=https://evil.example/x.js></SCRIPT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    "<img src='x' onerror=&#x61;lert(1) title='a&quot; onload=&quot;alert(1)'>",
    '<img src="javascript:alert(1)">',
    "<img src=`javascript:alert(1)`>",
    '<img """><script>alert(1)</script>">',
    "<img dynsrc='javascript:alert(1)' lowsrc='javascript:alert(1)'>",
    "<img srcset='javascript:alert(1) 1x, data:image/svg+xml,<svg/onload=alert(1)> 2x'>",
    "<body onload=alert(1)>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<math href='javascript:alert(1)'>x</math>",
    "<math><annotation-xml encoding='text/html'><script>alert(1)</script></annotation-xml></math>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href='JaVaScRiPt:alert(1)'>x</a>",
    "<a href=' &#14; javascript:alert(1)'>x</a>",
    "<a href='jav&#x09;ascript:alert(1)'>x</a>",
    "<a href='jav&#x0A;ascript:alert(1)'>x</a>",
    "<a href='javascript&colon;alert(1)'>x</a>",
    "<a href='&#0000106&#0000097&#0000118&#0000097&#0000115&#0000099ript&#0000058alert(1)'>x</a>",
    "<a href='data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg=='>x</a>",
    "<a href='vbscript:msgbox(1)'>x</a>",
    "<a href=\"https://a.example/' onclick='alert(1)\">x</a>",
    "<a href='x' onclick=alert(1) style='behavior:url(x)' target=_blank ping=https://evil.example/>x</a>",
    "<base href='javascript:alert(1)//'><a href='x'>x</a>",
    "<iframe src='javascript:alert(1)'></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<frameset><frame src='javascript:alert(1)'></frameset>",
    "<object data='javascript:alert(1)'><param name=x value=y></object>",
    "<embed src='javascript:alert(1)'>",
    "<applet code=x archive=https://evil.example/x.jar></applet>",
    "<form action='javascript:alert(1)'><button formaction='javascript:alert(1)'>x</button></form>",
    "<isindex type=image src=1 onerror=alert(1)>",
    "<input autofocus onfocus=alert(1)>",
    "<select autofocus onfocus=alert(1)><option>x</select>",
    "<textarea></p><img src=x onerror=alert(1)></textarea>",
    "<details open ontoggle=alert(1)><summary>x</summary>y</details>",
    "<video><source onerror=alert(1)></video><audio src=x onerror=alert(1)></audio>",
    "<marquee onstart=alert(1)>x</marquee>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<link rel=stylesheet href='javascript:alert(1)'>",
    "<style>@import 'javascript:alert(1)'; body{background:url(javascript:alert(1))}</style>",
    "<div style='background:url(javascript:alert(1));width:expression(alert(1))'>x</div>",
    "<table background='javascript:alert(1)'><tr><td background='javascript:alert(1)'>x</table>",
    "<!--[if gte IE 4]><script>alert(1)</script><![endif]-->",
    "<!-- --!><script>alert(1)</script> -->",
    "<?xml version='1.0'?><?php echo '<script>alert(1)</script>' ?>",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<template><script>alert(1)</script></template>",
    "<title></title><script>alert(1)</script>",
    "<p title='</p><script>alert(1)</script>'>x</p>",
    "<p lang='\"><script>alert(1)</script>' dir='\"onmouseover=alert(1)'>x</p>",
    "<xmp><script>alert(1)</script></xmp>",
    "<plaintext><script>alert(1)</script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "<blockquote cite='javascript:alert(1)'>x</blockquote>",
    "<ol start='\"><script>alert(1)</script>'><li value='1 onclick=alert(1)'>x</ol>",
    "<x-widget is=script onclick=alert(1)>x</x-widget>",
    "<a><table><tr><td><a href='javascript:alert(1)'>x</a></table></a>",
)

_HARMLESS_ELEMENTS = frozenset(
    "html head meta title body article section nav aside header footer main address div p h1 h2 h3 h4 h5 h6 hgroup "
    "blockquote pre figure figcaption ul ol menu li dl dt dd table caption thead tbody tfoot tr td th colgroup col "
    "details summary a abbr b bdi bdo br hr cite code data del dfn em i img ins kbd mark q ruby rb rt rp s samp small "
    "span strong sub sup time u var wbr center".split()
)
_HARMLESS_ATTRIBUTES = frozenset(
    "alt title lang dir datetime colspan rowspan scope headers start reversed value width height href src cite rel "
    "charset".split()
)
_STRICTER_POLICY = replace(
    Policy.relaxed(),
    tags=_HARMLESS_ELEMENTS,
    attributes={"*": _HARMLESS_ATTRIBUTES},
    url_schemes=frozenset({"http", "https", "mailto", "tel", "ftp"}),
    allow_fragment_urls=True,
    add_link_rel=frozenset(),
)


def assert_harmless(document: str) -> None:
    """By our own look at the parsed document, and by a sanitiser that finds nothing to do."""
    for element in turbohtml.parse(document).iter_elements():
        assert element.tag in _HARMLESS_ELEMENTS
        assert set(element.attrs) <= _HARMLESS_ATTRIBUTES
        for name in ("href", "src", "cite"):
            address = element.attrs.get(name) or ""
            assert urlsplit(str(address)).scheme in {"", "http", "https", "mailto", "tel", "ftp"}
    sanitised, removed = sanitize_report(body_of(document), _STRICTER_POLICY)
    assert not removed
    assert shown_text(f"<body>{sanitised}") == shown_text(document)


@pytest.mark.parametrize("attack", _ATTACKS)
@pytest.mark.parametrize("place", ["{}", "<p>before {} after</p>", "<title>{}</title><p>x", "<table><tr><td>{}"])
def test_attacks_are_harmless(html_output: Render, clean: Clean, attack: str, place: str) -> None:
    html = place.format(attack)
    document = html_output(html)
    assert_harmless(document)
    # What is embedded becomes a link, which says what it is.
    shown = shown_text(document).replace("Audio", "") if "<audio" in attack else shown_text(document)
    assert shown == without_blanks("".join(kept_texts(html, clean)))


_text = st.text(st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from("<>&\"'`=/ ;:-!")))
_tags = st.sampled_from([*"a b p div td li h1 pre script style svg math form button br img textarea".split(), "x:y"])
_attribute_names = st.sampled_from(
    [*"href src cite title alt lang dir style onclick onload srcset value start colspan class formaction".split()]
)
_attribute_values = st.one_of(_text, st.builds("{}{}".format, st.sampled_from(["javascript:", "data:", "\"'>"]), _text))
_elements = st.builds(
    lambda tag, name, value, quote, text: f"<{tag} {name}={quote}{value}{quote}>{text}</{tag}>",
    _tags,
    _attribute_names,
    _attribute_values,
    st.sampled_from(["", "'", '"']),
    _text,
)


@given(st.lists(st.one_of(_elements, _text), max_size=6).map("".join))
def test_any_page_is_harmless(html_output: Render, html: str) -> None:
    assert_harmless(html_output(html))


@given(st.lists(st.one_of(_elements, _text), max_size=6).map("".join))
def test_any_page_shows_its_text(html_output: Render, clean: Clean, html: str) -> None:
    assert shown_text(html_output(html)) == without_blanks("".join(kept_texts(html, clean)))


@given(_text, _attribute_names.filter(lambda name: name in _HARMLESS_ATTRIBUTES), _text)
def test_any_text_is_shown_as_it_is(html_output: Render, clean: Clean, text: str, name: str, value: str) -> None:
    html = f'<p {name}="{escape(value)}">{escape(text)}</p>'
    document = html_output(html)
    assert shown_text(document) == without_blanks("".join(kept_texts(html, clean)))
    assert_harmless(document)


@given(
    st.lists(
        st.tuples(st.sampled_from("p div li td button center h2 blockquote pre span b".split()), st.sampled_from("ab")),
        max_size=8,
    )
)
def test_any_blocks_stay_apart(html_output: Render, clean: Clean, blocks: list[tuple[str, str]]) -> None:
    html = "<div>" + "".join(f"<{tag}>{text}</{tag}>" for tag, text in blocks) + "</div>"
    assert kept_texts(html_output(html), clean) == kept_texts(html, clean)
