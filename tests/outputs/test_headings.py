# ruff: noqa: E501 - markup as tools write it
"""Headings: the title of the page, levels, and what is in headings for visitors only."""

from __future__ import annotations

import re

import pytest
from keep_visible import Render


@pytest.mark.parametrize(
    ("html", "first"),
    [
        pytest.param("<h1>Tea for two</h1><p>Text.", "# Tea for two", id="heading"),
        pytest.param("<h1>No.</h1><p>Text.", "# No.", id="heading that is dropped"),
        pytest.param("<h2>Tea for two</h2><p>Text.", "# Tea for two", id="second level"),
        pytest.param("<p>Text.", "# Tea for two", id="title element"),
        pytest.param("<h2>Leaves</h2><p>Text.", "# Tea for two", id="section"),
        pytest.param("<h1>Leaves</h1><p>Text.", "# Leaves", id="other heading"),
        pytest.param("<p>Text.</p><h1>Tea for two</h1>", "Text.", id="text before it"),
    ],
)
def test_markdown_begins_with_the_title(markdown: Render, html: str, first: str) -> None:
    title = "No." if "No." in html else "Tea for two"
    text = markdown(f"<title>{title} - Daily</title>{html}", drop=f"{title} - Daily", url="https://daily.com/a")
    assert text.splitlines()[0] == first
    assert text.count(first) == 1


def test_the_title_comes_once(markdown: Render) -> None:
    html = "<title>Tea - Daily</title><blockquote><h2>Tea</h2></blockquote><p>Text."
    assert markdown(html, drop="Tea - Daily", url="https://daily.com/").count("Tea") == 1


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<p class=MsoTitle>Report of the warden</p><p>Text.</p><h1>Paths</h1>", id="Word"),
        pytest.param("<div class=page-header>Report of the warden</div><p>Text.</p><h2>Paths</h2>", id="Obsidian"),
    ],
)
@pytest.mark.parametrize("site", [" - Parks", " | Parks"])
def test_a_paragraph_that_is_the_title_becomes_a_heading(markdown: Render, html: str, site: str) -> None:
    title = f"Report of the warden{site}"
    lines = markdown(f"<title>{title}</title>{html}", drop=title).split("\n")
    assert lines[0] == "# Report of the warden"
    assert sum("Report" in line for line in lines) == 1


@pytest.mark.parametrize(
    ("html", "title", "lines"),
    [
        pytest.param(
            "<h1>Forum of the canal</h1><h2>Boats > Which engine is right?</h2><p>Text.</p>",
            "Which engine is right? - Forum of the canal",
            ["# Boats \\> Which engine is right?", "Text."],
            id="an archive",
        ),
        pytest.param(
            "<h1><a href=../../>Forum of the canal</a></h1><p>Text.</p>",
            "Which engine is right? - Boats - Forum of the canal",
            ["# Which engine is right? - Boats", "Text."],
            id="a link home",
        ),
        pytest.param(
            "<h1 id=site-title><a href=/blog>The canal</a></h1><h2>Which engine is right?</h2><p>Text.</p>",
            "Which engine is right? | The canal",
            ["# Which engine is right?", "Text."],
            id="a theme",
        ),
        pytest.param(
            "<h1>Which engine is right?</h1><h2>About the canal</h2><p>Text.</p>",
            "Which engine is right? - The canal",
            ["# Which engine is right?", "## About the canal", "Text."],
            id="the title itself",
        ),
    ],
)
def test_the_name_of_the_site_is_no_title(markdown: Render, html: str, title: str, lines: list[str]) -> None:
    written = markdown(f"<title>{title}</title>{html}", drop=title, url="https://forumofthecanal.example/boats/4/")
    assert [line for line in written.split("\n") if line] == lines


def test_a_short_title_at_the_end_of_the_title_element(markdown: Render) -> None:
    html = "<title>Base: Manual: 18: SELECT</title><h2>SELECT</h2><p>Text.</p><h2>Synopsis</h2>"
    assert markdown(html, drop="Base: Manual: 18: SELECT") == "# SELECT\n\nText.\n\n## Synopsis\n"


def test_a_heading_below_much_text_is_not_the_title(markdown: Render) -> None:
    title = "Is the engine an illusion? All about boats"
    html = f"<title>{title}</title><p>{'Text. ' * 300}</p><h3>Is the engine an illusion?</h3><p>Text."
    lines = markdown(html, drop=title).split("\n")
    assert lines[0] == f"# {title}"
    assert "## Is the engine an illusion?" in lines


def test_a_title_that_is_written_twice_comes_once(markdown: Render) -> None:
    assert markdown("<h1>Green tea</h1><h2>Green Tea</h2><p>Text.") == "# Green tea\n\nText.\n"
    assert markdown("<h1>Green tea</h1><p>Text.</p><h2>Green tea</h2>").count("Green tea") == 2


@pytest.mark.parametrize(
    "heading",
    ["<h2 class=date-header><span>Monday, 5 May</span></h2>", "<h6>~ Nora M.</h6>", "<h4>— Nora, Oslo</h4>"],
    ids=["Blogger", "a name below a review", "a name after a dash"],
)
def test_headings_that_head_nothing(markdown: Render, heading: str) -> None:
    assert "#" not in markdown(f"<p>Text.</p>{heading}<p>Text.</p>")


def test_a_paragraph_that_only_begins_like_the_title_stays_one(markdown: Render) -> None:
    html = "<title>Report of the warden - Parks</title><p>Report</p><h1>Report of the warden</h1><p>Text."
    assert markdown(html, drop="Report of the warden - Parks").startswith("Report\n")


def test_links_to_edit_a_section_beside_its_heading_go(markdown: Render) -> None:
    edit = '<span class="mw-editsection"><span>[</span><a href="/e">edit</a><span>]</span></span>'
    html = f'<div class="mw-heading mw-heading2"><h2 id=Power>Power</h2>{edit}</div><p>Text.</p>'
    assert markdown(html) == "## Power\n\nText.\n"


def test_nothing_stays_nothing(markdown: Render) -> None:
    assert markdown("<title>Tea</title>", drop="Tea") == ""


def test_a_title_is_text(markdown: Render) -> None:
    assert markdown("<title>*Tea* #</title><p>a", drop="*Tea* #") == "# \\*Tea\\* \\#\n\na\n"


@pytest.mark.parametrize(
    "inside",
    [
        pytest.param('Leaves<a class="headerlink" href="#leaves" title="Permalink">\N{PILCROW SIGN}</a>', id="Sphinx"),
        pytest.param('Leaves<a class="hash-link" href="#leaves" title="Direct link">\u200b</a>', id="Docusaurus"),
        pytest.param('<a class="header-anchor" href="#leaves">#</a> Leaves', id="VuePress"),
        pytest.param('<a href="#leaves" class="anchor"><svg><title>Link</title></svg></a>Leaves', id="GitHub"),
        pytest.param('Leaves <a class="anchorjs-link" href="#leaves" aria-label="Anchor"></a>', id="AnchorJS"),
        pytest.param(
            '<span class="mw-headline">Leaves</span><span class="mw-editsection"><span>[</span><a href="/e">edit</a>'
            "<span>]</span></span>",
            id="Wikipedia",
        ),
        pytest.param('Leaves <a class="heading-anchor" href="#leaves">Copy link</a>', id="copy link"),
        pytest.param('Leaves <a class="sl-anchor-link" href="#leaves">Section titled Leaves</a>', id="Starlight"),
        pytest.param('Leaves<a class="anchor" href="#leaves">Anchor link</a>', id="an anchor with words"),
        pytest.param(
            'Leaves <a href="#leaves"><span class="visually-hidden">Permalink for Leaves</span></a>',
            id="words for screen readers",
        ),
        pytest.param('Leaves<a href="https://site.example/news/today.html#leaves">\N{SECTION SIGN}</a>', id="absolute"),
    ],
)
def test_headings_say_what_they_head(markdown: Render, html_output: Render, text: Render, inside: str) -> None:
    html = f"<h1>Tea</h1><h2 id=leaves>{inside}</h2><p>Text."
    assert markdown(html) == "# Tea\n\n## Leaves\n\nText.\n"
    assert "<h2>Leaves</h2>" in html_output(html)
    assert text(html) == "Tea\n\nLeaves\n\nText.\n"


def test_the_buttons_of_an_accordion_are_headings(markdown: Render, html_output: Render) -> None:
    panel = "<h2><button type=button aria-expanded=true>{0}</button></h2><div><p>Text.</p></div>"
    html = f"<h1>Tea</h1>{panel.format('Leaves')}{panel.format('Cups')}"
    assert markdown(html) == "# Tea\n\n## Leaves\n\nText.\n\n## Cups\n\nText.\n"
    assert html_output(html).count("<h2>") == 2


_SENTENCE = "What a leaf needs from the field to the cup"


@pytest.mark.parametrize(
    ("below", "is_heading"),
    [
        ("<h3 class=subtitle>From field to cup</h3>", False),
        ("<h2 class=storyDek>From field to cup</h2>", False),
        (f"<h2>{_SENTENCE}</h2>", False),
        (f"<h2>{_SENTENCE}</h2><p>Text.</p><h2>Leaves</h2>", True),
        (f"<h2>{_SENTENCE}?</h2>", True),
        (f"<h2>1. {_SENTENCE}</h2>", True),
        ("<h2>From field to cup</h2>", True),
        (f"<p>Text.</p><h2>{_SENTENCE}</h2>", True),
    ],
    ids=["Substack", "Forbes", "a sentence", "as others", "a question", "a number", "a few words", "below text"],
)
def test_the_sentence_below_a_title_is_no_heading(markdown: Render, below: str, is_heading: bool) -> None:
    lines = markdown(f"<h1>Tea</h1>{below}<p>Text.").splitlines()
    words = re.sub("<[^>]*>|Text.*", "", below)
    assert any(line.startswith("## ") and line.endswith(words[-10:]) for line in lines) == is_heading


def test_titles_in_a_group(markdown: Render) -> None:
    html = "<hgroup><h1>Tea</h1><h2>From field to cup</h2></hgroup><p>Text."
    assert markdown(html) == "# Tea\n\nFrom field to cup\n\nText.\n"


def test_a_title_below_the_name_of_the_site_is_no_sentence_below_one(markdown: Render) -> None:
    html = f"<title>{_SENTENCE} - Daily</title><h1>Daily</h1><h2>{_SENTENCE}</h2><p>Text."
    assert f"# {_SENTENCE}" in markdown(html, drop=f"{_SENTENCE} - Daily")


def test_levels_do_not_jump(markdown: Render, html_output: Render) -> None:
    html = "<h1>a</h1><h4>b</h4><h5>c</h5><h4>d</h4><h2>e</h2>"
    assert markdown(html) == "# a\n\n## b\n\n### c\n\n## d\n\n## e\n"
    assert "<h1>a</h1>\n<h2>b</h2>\n<h3>c</h3>\n<h2>d</h2>\n<h2>e</h2>" in html_output(html)


def test_headings_by_their_role(markdown: Render) -> None:
    html = "<h1>a</h1><div role=heading aria-level=2>b</div><p>c</p><p role=heading>d</p>"
    assert markdown(html) == "# a\n\n## b\n\nc\n\n## d\n"


@pytest.mark.parametrize(
    "label",
    [
        pytest.param("<div class=accordion-header><div class=accordion-header-title>{}</div></div>", id="div"),
        pytest.param("<button type=button class=accordion__trigger>{}</button>", id="button"),
        pytest.param("<p class=faq-question>{}</p>", id="p"),
    ],
)
def test_labels_of_accordions_by_their_class(markdown: Render, label: str) -> None:
    questions = "".join(f"{label.format(f'Is it tea {number}?')}<p>It is, {number}.</p>" for number in (1, 2))
    lines = markdown(f"<h1>Tea</h1><h2>Questions</h2>{questions}").split("\n\n")
    assert lines[2:] == ["### Is it tea 1?", "It is, 1.", "### Is it tea 2?", "It is, 2.\n"]


def test_labels_above_nothing_are_no_headings(markdown: Render) -> None:
    label = "<div class=accordion-title>Is it tea?</div>"
    assert "#" not in markdown(f"<p>Text.</p>{label}{label}").replace("# Tea", "")
    assert "#" not in markdown("<p>Text.</p><div class=nav-accordion-title>Shops</div><p>Text.</p>")


@pytest.mark.parametrize(
    ("heading", "is_heading"),
    [
        ("<h3>1392 <small>days since</small></h3>", False),
        ("<h3>2.</h3>", False),
        ("<h3>09/18/2012</h3>", False),
        ("<h3>2012</h3>", True),
        ("<h3>Chapter 2 <small>of 9</small></h3>", True),
        ("<h4 class=author-box__name>Nora Quill</h4>", False),
        ("<h4 class=authors-choice>Nora Quill</h4>", True),
    ],
)
def test_numbers_and_names_are_no_headings(markdown: Render, heading: str, is_heading: bool) -> None:
    lines = markdown(f"<h1>Tea</h1><p>Text.</p>{heading}<p>More text.</p>").splitlines()
    assert lines[4].startswith("## ") is is_heading


def test_the_name_below_what_a_customer_said_is_no_heading(markdown: Render) -> None:
    said = "<p>They came at once, and the kettle has been as good as new since.</p>"
    below = f"<div class=testimonial-item>{said}<div><h4>Nora Quill</h4><span>Baker</span></div></div>"
    assert "# Nora" not in markdown(f"<h1>Tea</h1><p>Text.</p>{below}")
    above = f"<div class=testimonial-item><h4>Nora Quill</h4>{said}{said}</div>"
    assert "## Nora Quill" in markdown(f"<h1>Tea</h1><p>Text.</p>{above}")


def test_sections_of_the_first_level_are_not_the_title(markdown: Render) -> None:
    html = f"<p>{'I did it again. ' * 9}</p><h1>Day 7</h1><p>Easy.</p><h1>Day 8</h1><p>Hard.</p>"
    title = "Riddles of the week"
    assert markdown(f"<title>{title}</title>{html}", drop=title).startswith(f"# {title}\n\nI did")
    assert markdown(f"<title>Day 7</title>{html}", drop="Day 7").startswith("I did")


def test_a_title_is_no_link_to_itself(markdown: Render) -> None:
    html = "<title>Tea for two - Daily</title><h1><a href=/tea-for-two>Tea for <i>two</i></a></h1><p>Text.</p>"
    assert markdown(html, drop="Tea for two - Daily").startswith("# Tea for *two*\n")


def test_a_title_that_is_said_again_far_below(markdown: Render) -> None:
    html = f"<p>{'Hot water. ' * 400}</p><p>{'Hot water. ' * 10}</p><h2>Tea for two</h2><p>Text.</p>"
    assert markdown(f"<title>Tea for two</title>{html}", drop="").startswith("# Tea for two\n\nHot")


def test_a_heading_that_says_something_else_is_not_put_above(markdown: Render) -> None:
    html = "<title>Tea for two</title><h1>No cookies.</h1><p>Text.</p>"
    assert markdown(html, drop="No cookies.").startswith("# Tea for two\n")


def test_items_that_are_sections_are_no_list(markdown: Render) -> None:
    text = f"<p>{'Hot water. ' * 100}</p>"
    html = f"<ul><li><h2>Leaves</h2>{text}</li><li><h2>Pots</h2>{text}</li></ul>"
    assert "\n## Pots\n" in markdown(f"<h1>Tea</h1>{html}")
    assert "- ## Pots" in markdown(f"<h1>Tea</h1>{html.replace(text, '<p>Hot water.</p>')}")
    assert "2. ## Pots" in markdown(f"<h1>Tea</h1>{html.replace('ul>', 'ol>')}")


def test_headings_of_cards_head_nothing(markdown: Render) -> None:
    onebox = "<aside class=onebox><article><h3><a href=https://k.example/>Kettles</a></h3><p>Of the world.</p></article></aside>"
    card = "<a href=https://k.example/><h2>Kettles</h2><h3>Of the world</h3></a>"
    assert "\n[Kettles](https://k.example/)\n" in markdown(f"<h1>Tea</h1><p>Above.</p>{onebox}<p>Below.</p>")
    assert (
        markdown(f"<h1>Tea</h1>{card}")
        == "# Tea\n\n## [Kettles](https://k.example/)\n\n[Of the world](https://k.example/)\n"
    )
    assert "\n## [Kettles](" in markdown("<h1>Tea</h1><a href=/x><h3>New</h3><h2>Kettles</h2></a>")


def test_headings_in_what_folds_are_not_bold(markdown: Render) -> None:
    folded = "<details><summary><h3>Is it safe?</h3></summary><p>Yes.</p></details>"
    assert markdown(f"<h1>Tea</h1>{folded}") == "# Tea\n\n## Is it safe?\n\nYes.\n"
    faq = '<div class="schema-faq-section"><strong class="schema-faq-question">Is it safe?</strong> <p>Yes.</p></div>'
    assert markdown(f"<h1>Tea</h1>{faq}") == "# Tea\n\n## Is it safe?\n\nYes.\n"


def test_facts_beside_the_heading_of_an_accordion_are_none(markdown: Render) -> None:
    label = "<button class=accordion__trigger><h4>Managing</h4><div><p>Units: 3</p><p>$695.00</p></div></button>"
    html = f"<h2>Courses</h2><div class=accordion>{label}<p>Text.</p></div>"
    assert [line for line in markdown(html).splitlines() if line.startswith("#")] == ["## Courses", "### Managing"]


@pytest.mark.parametrize(
    ("title", "start"),
    [
        ("Proxies on Windows", "# Proxies on Windows\n\n# With a client\n"),
        ("代理设置", "# 代理设置\n\n# With a client\n"),
        ("A client of yours", "# With a client\n"),
    ],
)
def test_headings_of_the_first_level_without_a_word_of_the_title_are_sections(
    markdown: Render, title: str, start: str
) -> None:
    html = f"<title>{title}</title><h1>With a client</h1><p>One.</p><h1>In the shell</h1><p>Two.</p>"
    assert markdown(html, drop=title).startswith(start)


def test_a_label_of_an_accordion_may_be_inline(markdown: Render) -> None:
    """As Elementor writes it."""
    html = (
        '<div class="elementor-accordion-item"><div class="elementor-tab-title" role="button"><a class="elementor-accordion-title">'
        'Is it safe?</a></div><div class="elementor-tab-content"><p>Yes.</p></div></div>'
    )
    assert markdown(f"<h1>Tea</h1>{html}") == "# Tea\n\n## Is it safe?\n\nYes.\n"


@pytest.mark.parametrize(
    "html",
    [
        '<dl><dt>boil()<a class="headerlink" href="#boil" title="Link to this definition">¶</a></dt><dd>x</dd></dl>',
        '<figure><img src=k.png width=300 height=300><figcaption>Kettle<a class="headerlink" href="#k">¶</a></figcaption></figure>',
        '<details><summary>Example <a href="#example" title="Go to Example">¶</a></summary><p>x</p></details>',
    ],
    ids=["Sphinx, a definition", "Sphinx, a caption", "Go"],
)
def test_links_of_other_parts_to_themselves_go(markdown: Render, text: Render, html: str) -> None:
    page = f"<p id=boil>Above.</p><p id=k>More.</p><p id=example>Most.</p>{html}"
    assert "¶" not in markdown(page)
    assert "¶" in text(page)  # plain text has them as they are


def test_buttons_behind_the_text_of_a_heading(markdown: Render) -> None:
    assert (
        markdown("<h1>Struct <span>Store</span><button>Copy item path</button></h1><p>a</p>") == "# Struct Store\n\na\n"
    )
    assert markdown("<h2><button>Opens what is below</button></h2><p>a</p>") == "## Opens what is below\n\na\n"


def test_links_to_the_source_and_to_the_top(markdown: Render) -> None:
    source = '<a href="/_modules/a.html#b"><span class="viewcode-link"><span class="pre">[source]</span></span></a>'
    assert markdown(f"<dl><dt>b(){source}</dt><dd>c</dd></dl>") == "- b()\n  - c\n"
    assert markdown('<h2>OPTIONS <a href="#top_of_page"><span>top</span></a></h2><p>a</p>') == "## OPTIONS\n\na\n"


def test_headings_for_screen_readers_go(markdown: Render) -> None:
    """As GitHub and WordPress write them; a title is one all the same if there is no other."""
    hidden = '<h2 class="sr-only">Comments</h2><h3 class="ScreenReaderHeading-module__x1">Folders</h3>'
    assert markdown(f"<h1>Tea</h1>{hidden}<p>Text.") == "# Tea\n\nText.\n"
    assert markdown("<h1 class=sr-only>nora/tea</h1><h1>Tea</h1><p>Text.") == "# Tea\n\nText.\n"
    assert markdown("<h1 class=sr-only>Tea</h1><p>Text.") == "# Tea\n\nText.\n"


def test_the_byline_of_a_remark_is_no_heading(markdown: Render) -> None:
    """As GitHub writes it."""
    byline = '<h4><strong><a class="author" href="/nora">nora</a></strong> <relative-time>May 4</relative-time></h4>'
    assert markdown(f"<h1>Tea</h1>{byline}<p>Text.").count("#") == 1
    assert "## 1.2 May 4" in markdown("<h1>Tea</h1><h2>1.2 <time>May 4</time></h2><p>Text.")


def test_titles_lose_the_name_of_the_board(markdown: Render) -> None:
    title, url = "My starter : Bread", "https://forum.example/r/Bread/1/my_starter/"
    assert markdown(f"<title>{title}</title><p>Text.", drop=title, url=url) == "# My starter\n\nText.\n"
    board = f"<title>{title}</title><h1>Bread</h1><p>Text."
    assert markdown(board, drop=title, url=url) == "# My starter\n\nText.\n"
    news = "<title>Kettles | Hacker News</title><p>Text."
    assert markdown(news, drop="Kettles | Hacker News", url="https://news.ycombinator.com/item?id=1").startswith(
        "# Kettles\n"
    )


def test_a_title_comes_once_below_the_pictures_of_a_product(markdown: Render) -> None:
    html = (
        "<main><img src=/a.jpg><img src=/b.jpg><h1>Linen Apron</h1><a href=/p><h2>Linen Apron</h2></a><p>Text.</main>"
    )
    assert [line for line in markdown(html).splitlines() if line.startswith("#")] == ["# Linen Apron"]


def test_a_subtitle_that_is_in_the_title_of_the_page_as_well(markdown: Render) -> None:
    html = (
        "<title>Clean data. Why sorting wins | by Ada</title><article><h1>Clean data</h1>"
        "<h2 class=pw-subtitle-paragraph>Why sorting wins</h2><p>Text.</p></article>"
    )
    text = markdown(html, drop="Clean data. Why sorting wins | by Ada")
    assert text.split("\n\n")[:2] == ["# Clean data", "Why sorting wins"]


def test_a_card_of_another_site_with_two_headings_has_none(markdown: Render) -> None:
    inside = "<div><h2>Labels</h2><div><h3>How clerks invented them.</h3></div></div>"
    card = f"<h1>Tea</h1><p>Above.</p><a href=https://other.example/ rel='noopener nofollow'>{inside}</a><p>Below.</p>"
    assert "## " not in markdown(card)
    assert "## " in markdown(card.replace("noopener", "next"))
