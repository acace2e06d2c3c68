# ruff: noqa: E501 - markup as tools write it
"""Callouts, in markup as the web's tools write it."""

from __future__ import annotations

import pytest
from document_building import build_document
from keep_visible import Clean, Render
from markdown_structure import structure_of_document, structure_of_markdown

import dehusk

_ASCII_DOC = """<div class="admonitionblock warning"><table><tbody><tr><td class="icon"><div class="title">Warning</div>
</td><td class="content">Mind the gap.</td></tr></tbody></table></div>"""
_QUARTO = """<div class="callout callout-style-default callout-tip callout-titled"><div class="callout-header d-flex
align-content-center"><div class="callout-icon-container"><i class="callout-icon"></i></div><div
class="callout-title-container flex-fill">Look down</div></div><div class="callout-body-container callout-body">
<p>Mind the gap.</p></div></div>"""
_CONFLUENCE = """<div class="confluence-information-macro confluence-information-macro-warning">
<p class="title">Look down</p>
<span class="aui-icon aui-icon-small aui-iconfont-error confluence-information-macro-icon"></span>
<div class="confluence-information-macro-body"><p>Mind the gap.</p></div></div>"""
_NOTION = """<figure class="block-color-gray_background callout" style="white-space:pre-wrap;display:flex"><div
style="font-size:1.5em"><span class="icon">!</span></div><div style="width:100%">Mind the gap.</div></figure>"""

_DOXYGEN = '<dl class="section warning"><dt>Warning</dt><dd>Mind the gap.</dd></dl>'
_RESPEC = """<div class="note" role="note" id="issue-container-1"><div role="heading" class="note-title marker"
aria-level="3"><span>Note</span></div><p class="">Mind the gap.</p></div>"""
_HASHNODE = """<div data-node-type="callout"><div data-node-type="callout-emoji">💡</div><div
data-node-type="callout-text">Mind the gap.</div></div>"""
_NEXTRA = """<div class="nextra-callout _flex"><div class="_select-none _text-xl">⚠️</div><div class="_w-full">
<p>Mind the gap.</p></div></div>"""

_AWS = """<div class="awsdocs-note"><div class="awsdocs-note-title"><h6>Note</h6></div><div class="awsdocs-note-text">
<p>Mind the gap.</p></div></div>"""
_FORGEJO = """<blockquote class="attention-header attention-tip"><p><svg class="attention-icon"></svg><strong
class="attention-tip">Tip</strong></p><p>Mind the gap.</p></blockquote>"""

_INTERCOM = """<div class="intercom-interblocks-callout" style="background-color:#d7efdc80;border-color:#1bb15733">
<div class="intercom-interblocks-paragraph no-margin"><p>Mind the gap.</p></div></div>"""
_ANT = """<div role="alert" class="ant-alert ant-alert-warning"><span class="ant-alert-icon"></span>
<div class="ant-alert-content"><div class="ant-alert-message">Mind the gap.</div></div></div>"""
_MATERIAL_UI = """<div class="MuiPaper-root MuiAlert-root MuiAlert-standardWarning" role="alert"><div class="MuiAlert-icon">
</div><div class="MuiAlert-message"><div class="MuiTypography-root MuiAlertTitle-root">Look down</div>Mind the gap.</div>
</div>"""
_DOTDASH = """<div class="comp mntl-sc-block mntl-sc-block-callout mntl-block"><h3 class="mntl-sc-block-callout-heading">
Look down</h3><div class="mntl-sc-block-callout-body mntl-text-block"><p>Mind the gap.</p></div></div>"""
_SHORTCODES = """<div class="su-box su-box-style-default" style="border-color:#000"><div class="su-box-title">Look down</div>
<div class="su-box-content su-u-clearfix">Mind the gap.</div></div>"""
_REACT = """<div class="expandable-callout relative mt-8 mb-0 bg-yellow-5"><h3 class="text-2xl">Pitfall</h3><div>
<p>Mind the gap.</p></div></div>"""
_STYLED = "border-left: 4px solid #38B06B; background-color: #fff5e6; padding: 10px 20px; border-radius: 6px"

_DOC_BOOK = """<div class="warning"><table border="0" summary="Warning"><tr><td rowspan="2" width="25"></td>
<th align="left">Warning</th></tr><tr><td align="left"><p>Mind the gap.</p></td></tr></table></div>"""
_MYST = """<aside class="myst-admonition myst-admonition-tip admonition rounded my-5"><div class="myst-admonition-header m-0">
<svg class="myst-admonition-header-icon"></svg><div class="myst-admonition-header-text">Look down</div></div>
<div class="myst-admonition-body px-4"><p>Mind the gap.</p></div></aside>"""

CALLOUTS = [
    pytest.param('<div class="interstitial note"><p>Mind the gap.</p></div>', ("note", ""), id="Rails guides"),
    pytest.param(
        '<div class="warning admon"><div class="icon"></div><div class="admon_content"><p>Mind the gap.</p></div></div>',
        ("warning", ""),
        id="Elastic",
    ),
    pytest.param(
        '<div class="alert gl-alert-info gl-alert gl-my-5" role="alert"><div class="gl-alert-body">Mind the gap.</div></div>',
        ("note", ""),
        id="GitLab",
    ),
    pytest.param('<div class="alert is-helpful"><p>Mind the gap.</p></div>', ("note", ""), id="Angular"),
    pytest.param(_INTERCOM, ("note", ""), id="Intercom"),
    pytest.param('<section class="callout-yellow"><p>Mind the gap.</p></section>', ("note", ""), id="Help Scout"),
    pytest.param(
        '<section class="warningBox"><div class="title">Warning</div><div class="content"><p>Mind the gap.</p></div>'
        "</section>",
        ("warning", ""),
        id="Document360",
    ),
    pytest.param('<div class="fd-callout fd-callout--note"><p>Mind the gap.</p></div>', ("note", ""), id="Freshdesk"),
    pytest.param(
        '<div class="ak-editor-panel" data-panel-type="info"><div class="ak-editor-panel__icon"></div><div '
        'class="ak-editor-panel__content"><p>Mind the gap.</p></div></div>',
        ("note", ""),
        id="Atlassian",
    ),
    pytest.param(_MATERIAL_UI, ("warning", "Look down"), id="Material UI"),
    pytest.param(_ANT, ("warning", ""), id="Ant Design"),
    pytest.param(
        '<div class="rt-CalloutRoot rt-r-size-1"><p class="rt-CalloutText">Mind the gap.</p></div>',
        ("note", ""),
        id="Radix",
    ),
    pytest.param(
        '<div class="uk-alert uk-alert-danger" uk-alert><p>Mind the gap.</p></div>', ("caution", ""), id="UIkit"
    ),
    pytest.param(
        '<p class="caution"><strong>Caution:</strong> Mind the gap.</p>', ("caution", ""), id="Google, a paragraph"
    ),
    pytest.param(
        '<div class="archwiki-template-box archwiki-template-box-tip"><strong>Tip</strong> Mind the gap.</div>',
        ("tip", ""),
        id="ArchWiki",
    ),
    pytest.param(_REACT, ("warning", "Pitfall"), id="React"),
    pytest.param(_AWS.replace("<h6>Note", "<h6>Important"), ("important", ""), id="AWS, by its title"),
    pytest.param(
        '<div class="alert is-primary"><p class="alert-title"><span class="docon" aria-hidden="true"></span> Tip</p>'
        "<p>Mind the gap.</p></div>",
        ("tip", ""),
        id="Microsoft Learn, by its title",
    ),
    pytest.param(
        '<div class="hint rounded-md px-4 bg-warning-subtle"><div class="flex"><svg></svg></div><div><p>Mind the gap.</p></div>'
        "</div>",
        ("warning", ""),
        id="GitBook, by its colour",
    ),
    pytest.param(
        '<div class="callout callout--warning"><p class="callout__title">Look down</p><p>Mind the gap.</p></div>',
        ("warning", "Look down"),
        id="a title that is named as its box is",
    ),
    pytest.param(
        '<div class="note warn"><span class="fa fa-check-circle"></span><div><p>Mind the gap.</p></div></div>',
        ("warning", ""),
        id="Qiita",
    ),
    pytest.param(
        '<div class="note alert"><div><p>Mind the gap.</p></div></div>',
        ("caution", ""),
        id="Qiita, of the highest kind",
    ),
    pytest.param(
        '<div class="flex my-4 rounded-xl border" style="--callout-color:var(--color-fd-warning)"><svg></svg><div class="flex-1">'
        "<p>Mind the gap.</p></div></div>",
        ("warning", ""),
        id="Fumadocs",
    ),
    pytest.param(_DOTDASH, ("note", "Look down"), id="Dotdash Meredith"),
    pytest.param(_SHORTCODES, ("note", "Look down"), id="Shortcodes Ultimate"),
    pytest.param(
        '<div class="box-tip"><p class="box-legend"><span>Tip</span></p><p>Mind the gap.</p></div>',
        ("tip", ""),
        id="LibreTexts",
    ),
    pytest.param(f'<div style="{_STYLED}"><strong>Note:</strong> Mind the gap.</div>', ("note", ""), id="by its style"),
    pytest.param(f'<p style="{_STYLED}">Mind the gap.</p>', ("note", ""), id="a paragraph by its style"),
    pytest.param('<blockquote class="prompt-warning"><p>Mind the gap.</p></blockquote>', ("warning", ""), id="Chirpy"),
    pytest.param('<p class="notice--danger">Mind the gap.</p>', ("caution", ""), id="Minimal Mistakes"),
    pytest.param(
        '<aside class="prompt" data-type="tip" data-title=""><p>Mind the gap.</p></aside>', ("tip", ""), id="Writerside"
    ),
    pytest.param('<div class="rmdtip"><p>Mind the gap.</p></div>', ("tip", ""), id="bookdown"),
    pytest.param('<blockquote class="is-info"><p>Mind the gap.</p></blockquote>', ("note", ""), id="Wiki.js"),
    pytest.param(
        '<div class="hint-container warning"><p class="hint-container-title">Look down</p><p>Mind the gap.</p></div>',
        ("warning", "Look down"),
        id="VuePress 2",
    ),
    pytest.param(
        '<article class="message is-danger"><div class="message-header"><p>Look down</p></div><div '
        'class="message-body">Mind the gap.</div></article>',
        ("caution", "Look down"),
        id="Bulma",
    ),
    pytest.param(_AWS, ("note", ""), id="AWS"),
    pytest.param(_FORGEJO, ("tip", ""), id="Gitea and Forgejo"),
    pytest.param('<div class="note warning"><p>Mind the gap.</p></div>', ("warning", ""), id="Hexo, NexT"),
    pytest.param(_DOXYGEN, ("warning", ""), id="Doxygen"),
    pytest.param(_RESPEC, ("note", ""), id="ReSpec"),
    pytest.param(_HASHNODE, ("note", ""), id="Hashnode"),
    pytest.param(_NEXTRA, ("warning", ""), id="Nextra, by its sign"),
    pytest.param(
        '<blockquote class="note"><p><strong class="note">Note</strong>: <p class="para">Mind the gap.</p></p>'
        "</blockquote>",
        ("note", ""),
        id="PHP, a note",
    ),
    pytest.param(
        '<div class="caution"><strong class="caution">Caution</strong><p class="para">Mind the gap.</p></div>',
        ("caution", ""),
        id="PHP, a caution",
    ),
    pytest.param(
        '<div class="markdown-alert markdown-alert-warning" dir="auto"><p class="markdown-alert-title" dir="auto">'
        '<svg class="octicon octicon-alert"></svg>Warning</p><p dir="auto">Mind the gap.</p></div>',
        ("warning", ""),
        id="GitHub",
    ),
    pytest.param(
        '<div data-callout-metadata="" data-callout="tip" class="callout"><div class="callout-title"><div '
        'class="callout-icon"><svg></svg></div><div class="callout-title-inner">Look down</div></div>'
        '<div class="callout-content"><p>Mind the gap.</p></div></div>',
        ("tip", "Look down"),
        id="Obsidian",
    ),
    pytest.param(
        '<div class="theme-admonition theme-admonition-danger admonition_xJq3 alert alert--danger">'
        '<div class="admonitionHeading_Gvgb"><span class="admonitionIcon_Rf37"><svg></svg></span>danger</div>'
        '<div class="admonitionContent_BuS1"><p>Mind the gap.</p></div></div>',
        ("caution", "danger"),
        id="Docusaurus 3",
    ),
    pytest.param(
        '<div class="admonition admonition-note alert alert--secondary"><div class="admonition-heading"><h5>'
        '<span class="admonition-icon"><svg></svg></span>note</h5></div><div class="admonition-content">'
        "<p>Mind the gap.</p></div></div>",
        ("note", ""),
        id="Docusaurus 2",
    ),
    pytest.param(
        '<div class="admonition warning"><p class="admonition-title">Look down</p><p>Mind the gap.</p></div>',
        ("warning", "Look down"),
        id="MkDocs and Sphinx",
    ),
    pytest.param(
        '<details class="note" open><summary>Look down</summary><p>Mind the gap.</p></details>',
        ("note", "Look down"),
        id="MkDocs, to be opened",
    ),
    pytest.param(
        '<div class="custom-block tip"><p class="custom-block-title">TIP</p><p>Mind the gap.</p></div>',
        ("tip", ""),
        id="VitePress",
    ),
    pytest.param(
        '<aside aria-label="Caution" class="starlight-aside starlight-aside--caution"><p '
        'class="starlight-aside__title" aria-hidden="true"><svg></svg>Caution</p>'
        '<div class="starlight-aside__content"><p>Mind the gap.</p></div></aside>',
        ("caution", ""),
        id="Starlight",
    ),
    pytest.param(_ASCII_DOC, ("warning", ""), id="AsciiDoc"),
    pytest.param(
        _ASCII_DOC.replace('<div class="title">Warning</div>', '<i class="fa icon-warning" title="Warning"></i>'),
        ("warning", ""),
        id="AsciiDoc with icons",
    ),
    pytest.param(_QUARTO, ("tip", "Look down"), id="Quarto"),
    pytest.param(
        '<div class="alert alert-warning" role="alert"><h4 class="alert-heading">Look down</h4>Mind the gap.</div>',
        ("warning", "Look down"),
        id="Bootstrap, Docsy",
    ),
    pytest.param('<div class="alert alert-info">Mind the gap.</div>', ("note", ""), id="Bootstrap without a title"),
    pytest.param(_CONFLUENCE, ("warning", "Look down"), id="Confluence"),
    pytest.param('<blockquote class="book-hint danger"><p>Mind the gap.</p></blockquote>', ("caution", ""), id="Hugo"),
    pytest.param(
        '<div class="box notices cstyle tip"><div class="box-label">Look down</div><div class="box-content">'
        "<p>Mind the gap.</p></div></div>",
        ("tip", "Look down"),
        id="Hugo Relearn",
    ),
    pytest.param('<div class="hint hint--warning"><p>Mind the gap.</p></div>', ("warning", ""), id="GitBook"),
    pytest.param(_NOTION, ("note", "!"), id="Notion"),
    pytest.param(
        '<div class="kg-card kg-callout-card kg-callout-card-blue"><div class="kg-callout-emoji">!</div>'
        '<div class="kg-callout-text">Mind the gap.</div></div>',
        ("note", "!"),
        id="Ghost",
    ),
    pytest.param('<div class="notecard note"><p>Mind the gap.</p></div>', ("note", ""), id="MDN"),
    pytest.param('<div class="IMPORTANT"><p>Mind the gap.</p></div>', ("important", ""), id="Microsoft Learn"),
    pytest.param('<div class="govuk-inset-text">Mind the gap.</div>', ("note", ""), id="GOV.UK"),
    pytest.param(
        '<div class="usa-alert usa-alert--warning"><div class="usa-alert__body"><h4 class="usa-alert__heading">Look down</h4>'
        '<p class="usa-alert__text">Mind the gap.</p></div></div>',
        ("warning", "Look down"),
        id="USWDS",
    ),
    pytest.param('<div class="noteimportant">Mind the gap.</div>', ("important", ""), id="DokuWiki, note"),
    pytest.param(
        '<div class="wrap_box wrap_round wrap_tip plugin_wrap"><p>Mind the gap.</p></div>',
        ("tip", ""),
        id="DokuWiki, wrap",
    ),
    pytest.param('<div class="box warningmessage">Mind the gap.</div>', ("warning", ""), id="XWiki"),
    pytest.param(_DOC_BOOK, ("warning", ""), id="DocBook, a table"),
    pytest.param(
        '<div class="note warning note_warning"><span class="note__title">Warning:</span> Mind the gap.</div>',
        ("warning", ""),
        id="DITA",
    ),
    pytest.param(
        '<div class="sidebarblock"><div class="content"><div class="title">Look down</div><div class="paragraph">'
        "<p>Mind the gap.</p></div></div></div>",
        ("note", "Look down"),
        id="AsciiDoc, a sidebar",
    ),
    pytest.param(_MYST, ("tip", "Look down"), id="MyST"),
    pytest.param('<aside class="key-point">Mind the gap.</aside>', ("note", ""), id="Google, a key point"),
    pytest.param('<p class="callout warning">Mind the gap.</p>', ("warning", ""), id="BookStack"),
    pytest.param('<blockquote class="gdoc-hint danger">Mind the gap.</blockquote>', ("caution", ""), id="Geekdoc"),
    pytest.param(
        '<blockquote class="callout callout_warn"><p>Mind the gap.</p></blockquote>', ("warning", ""), id="ReadMe"
    ),
    pytest.param(
        '<blockquote class="callout callout_warn" theme="🚧"><h3 class="callout-heading"><span class="callout-icon">🚧'
        "</span>Look down</h3><p>Mind the gap.</p></blockquote>",
        ("warning", "Look down"),
        id="ReadMe, a title beside a sign",
    ),
    pytest.param(
        '<div class="flex my-4" style="--callout-color:var(--color-fd-warning)"><div><p class="font-medium my-0!">Look down'
        "</p><div><p>Mind the gap.</p></div></div></div>",
        ("warning", "Look down"),
        id="Fumadocs, a title",
    ),
    pytest.param(
        '<aside class="topic"><p class="topic-title">Look down</p><p>Mind the gap.</p></aside>',
        ("note", "Look down"),
        id="Sphinx, a topic",
    ),
    pytest.param(
        '<div class="ghd-alert ghd-alert-accent"><p class="ghd-alert-title"><svg></svg>Important</p><p>Mind the gap.</p>'
        "</div>",
        ("important", ""),
        id="GitHub's documentation",
    ),
]


@pytest.mark.parametrize(("html", "expected"), CALLOUTS)
def test_callouts_of_tools(
    markdown: Render, html_output: Render, tei_output: Render, text: Render, html: str, expected: tuple[str, str]
) -> None:
    kind, title = expected
    page = f"<p>Above.</p>{html}<p>Below.</p>"
    first = f"> [!{kind.upper()}] {title}".rstrip()
    assert markdown(page) == f"Above.\n\n{first}\n> Mind the gap.\n\nBelow.\n"
    assert f'<aside title="{kind}">' in html_output(page)
    assert f'<note type="callout" subtype="{kind}">' in tei_output(page)
    assert text(page).startswith("Above.\n\n")
    assert text(page).endswith("Mind the gap.\n\nBelow.\n")
    assert title.strip("*") in text(page)


@pytest.mark.parametrize(("html", "_"), CALLOUTS)
def test_a_parser_reads_what_was_written(clean: Clean, html: str, _: tuple[str, str]) -> None:
    labelled = clean(f"<p>Above.</p>{html}<ul><li>Below.</ul>").labelled
    document = build_document(labelled, dehusk.OutputOptions())
    assert structure_of_markdown(dehusk.OUTPUTS["markdown"].render(labelled)) == structure_of_document(document)


@pytest.mark.parametrize(
    "html",
    [
        "<div class=note>a</div>",
        "<div class=alert>a</div>",
        "<div class='alert alert-dismissible'>a</div>",
        "<p class='callout'>a</p>",
        "<span class='alert alert-info'>a</span>",
        "<div class='callouts'>a</div>",
        "<div class='callout-text'>a</div>",
        "<p class=note>Note that a</p>",
        "<div class=infobox>a</div>",
        "<div style='border-left:1px solid #ccc;background:#eee;padding:4px'>a</div>",
        "<div style='border-left:4px solid red'>a</div>",
        "<details><summary>a</summary></details>",
    ],
)
def test_other_names_are_no_callouts(markdown: Render, html: str) -> None:
    assert "[!" not in markdown(html)


def test_what_is_in_a_callout_keeps_its_structure(markdown: Render) -> None:
    html = (
        "<div class='admonition tip'><p class=admonition-title>Two <b>ways</b></p><ul><li>a<li>b</ul>"
        "<div class='admonition danger'><pre>c</pre></div></div>"
    )
    assert markdown(html) == (
        "> [!TIP] Two **ways**\n>\n> - a\n> - b\n>\n> > [!CAUTION]\n> >\n> > ```\n> > c\n> > ```\n"
    )


def test_quotations_that_are_written_as_callouts_are_callouts(markdown: Render, html_output: Render) -> None:
    html = "<blockquote><p>[!tip] b<br>a</p></blockquote>"
    assert markdown(html) == "> [!TIP] b\n> a\n"
    assert '<aside title="tip">' in html_output(html)
    assert markdown("<blockquote><p>[!else]<br>a</blockquote>") == "> \\[!else\\]\\\n> a\n"
    assert markdown("<p>[!NOTE]<br>a</p>") == "\\[!NOTE\\]\\\na\n"


_TEXT = "".join(f"<p>{sentence * 3}</p>" for sentence in ("The tide is out and the boats lie on their sides. ",) * 4)


def test_callouts_and_posts_within_kept_text_are_kept() -> None:
    for part in (
        '<div class="alert alert-warning"><strong>Warning!</strong> Check twice.</div>',
        '<div class="theme-admonition theme-admonition-tip"><div class="admonitionHeading_x">tip</div>Check '
        "twice.</div>",
        '<blockquote class="twitter-tweet"><p>Check twice.</p>\N{EM DASH} N (@n) <a href=https://x.com/n>May '
        "1</a></blockquote>",
        "<details><summary>How to check</summary><p>Check twice.</p></details>",
        "<aside class=note role=note><p>Check twice.</p></aside>",
    ):
        cleaned = dehusk.clean(f"<title>Tides</title><article><h1>Tides</h1>{_TEXT}{part}{_TEXT}</article>")
        assert "Check twice." in cleaned.text


def test_messages_of_zenn(markdown: Render) -> None:
    """Their sign, which is text on a line of its own, goes."""
    inside = '<span class="msg-symbol">!</span><div class="msg-content"><p>Mind the gap.</p></div>'
    assert markdown(f'<aside class="msg message">{inside}</aside>') == "> [!NOTE]\n> Mind the gap.\n"
    assert markdown(f'<aside class="msg alert">{inside}</aside>') == "> [!CAUTION]\n> Mind the gap.\n"


def test_a_class_alone_makes_no_callout(markdown: Render) -> None:
    assert markdown('<div class="note"><p>Notes of a journey.</p></div>') == "Notes of a journey.\n"


def test_warnings_of_rustdoc(markdown: Render) -> None:
    html = '<p>a</p><div class="warning">\nMind the <code>gap</code>.\n</div>'
    assert markdown(html) == "a\n\n> [!WARNING]\n> Mind the `gap`.\n"
    assert "[!" not in markdown('<div class="warning hidden-form-error">Mind the gap.</div>')


_LONG = "Mind the gap between the train and the edge of the platform, and stand behind the yellow line."


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        pytest.param(
            "<div class=hg_callout style=background-color:#fff><p>{0}</p></div>", "note", id="a word in a name"
        ),
        pytest.param("<div class=Callout_root__x1><p>{0}</p></div>", "note", id="CSS modules"),
        pytest.param("<div class=my-callout--warning><p>{0}</p></div>", "warning", id="with its kind"),
        pytest.param("<div class=callout-wrapper><div class=x-callout>{0}</div></div>", "note", id="named twice"),
        pytest.param("<div class='tips pro-tip'>{0}</div>", "tip", id="a tip"),
        pytest.param("<p class='has-background has-red-background-color'>{0}</p>", "note", id="WordPress"),
        pytest.param("<div class='border-l-4 border-red-400 bg-red-50 p-4'>{0}</div>", "note", id="Tailwind"),
        pytest.param(
            "<div style='border: 1px solid #ccc; padding: 16px; background: #f9f9f9'>{0}</div>", "note", id="a frame"
        ),
    ],
)
def test_boxes_that_sites_name_themselves(markdown: Render, html: str, kind: str) -> None:
    expected = f"Above.\n\n> [!{kind.upper()}]\n> {_LONG}\n\nBelow.\n"
    assert markdown(f"<p>Above.</p>{html.format(_LONG)}<p>Below.</p>") == expected


@pytest.mark.parametrize(
    "html",
    [
        "<div class=callout-text>{0}</div>",
        "<div class=no-callout>{0}</div>",
        "<div class=my-callout><h2>More</h2>{0}</div>",
        "<div class=my-callout><a href=/1>1</a><a href=/2>2</a><a href=/3>3</a><a href=/4>4</a><a href=/5>5</a>{0}</div>",
        "<p class=has-background><a href=/1>{0}</a></p>",
        "<p class=has-background>{0}</p>" * 6,
        "<div class='border-l-4 bg-white p-4'>{0}</div>",
        "<div style='border:1px solid;padding:16px;background:#eee'>{0}</div>" * 2,
    ],
)
def test_what_is_no_box(markdown: Render, html: str) -> None:
    assert "[!" not in markdown(f"<p>Above.</p>{html.format(_LONG)}<p>Below.</p>")


def test_what_folds_in_docusaurus_is_no_callout(markdown: Render) -> None:
    html = (
        '<details class="details_lb9f alert alert--info"><summary>Is it safe?</summary><div><p>Yes.</p></div></details>'
    )
    assert markdown(f"<p>Above.</p>{html}") == "Above.\n\n**Is it safe?**\n\nYes.\n"


def test_what_titles_say_to_screen_readers_goes(markdown: Render) -> None:
    html = _QUARTO.replace("Look down", '<span class="screen-reader-only">Tip</span>Look down')
    assert markdown(f"<p>Above.</p>{html}") == "Above.\n\n> [!TIP] Look down\n> Mind the gap.\n"


def test_boxes_with_the_width_of_their_frame(markdown: Render) -> None:
    """As beehiiv writes them."""
    style = "background-color:#F7F7F7;border-color:#000;border-style:solid;border-width:1px;margin:10px;padding:15px;"
    said = "A box with a frame and a colour behind it, which says what readers should know."
    assert f"> {said}\n" in markdown(f"<p>Above.</p><div style='{style}'><p>{said}</p></div><p>Below.</p>")


def test_the_whole_of_a_callout_is_no_title(markdown: Render) -> None:
    html = (
        "<div class=callout><div class=my-callout__title>Mind the gap between the train and the platform.</div></div>"
    )
    assert markdown(f"<p>Above.</p>{html}").endswith("> [!NOTE]\n> Mind the gap between the train and the platform.\n")


def test_paragraphs_of_just_the_docs(markdown: Render) -> None:
    text = "Mind the gap between the train and the platform."
    assert markdown(f'<p>a</p><p class="warning">{text}</p>') == f"a\n\n> [!WARNING]\n> {text}\n"
    assert markdown(f'<p>a</p><p class="warning small">{text}</p>') == f"a\n\n{text}\n"


def test_boxes_that_begin_with_a_labelled_drawing(markdown: Render) -> None:
    text = "Mind the gap between the train and the platform."
    html = '<p>a</p><div class="my-4 rounded-2xl"><div><svg aria-label="Tip"></svg></div><div>{}</div></div>'
    assert markdown(html.format(text)) == f"a\n\n> [!TIP]\n> {text}\n"
    assert markdown(html.replace("Tip", "Twig").format(text)) == f"a\n\n{text}\n"
    assert markdown(f'<p>{text} <svg aria-label="Tip"></svg> b</p>') == f"{text} b\n"


def test_notes_of_w3schools_and_of_digital_ocean(markdown: Render) -> None:
    for html in (
        '<div class="w3-panel w3-note"><p><b>Note:</b> Mind the gap.</p></div>',
        '<span class="note"><p><strong>Note:</strong> Mind the gap.</p></span>',
    ):
        assert markdown(f"<p>a</p>{html}") == "a\n\n> [!NOTE]\n> Mind the gap.\n"


def test_small_notes_by_their_name_alone(markdown: Render) -> None:
    text = "Mind the gap between the train and the platform."
    sign = '<div class="noteicon"><img src="/helpimg/note.svg" alt="Note Icon"></div>'
    assert markdown(f'<p>a</p><div class="note">{sign}<p>{text}</p></div>') == f"a\n\n> [!NOTE]\n> {text}\n"
    links = "".join(f'<a href="/{number}">{text}</a>' for number in range(6))
    assert "[!" not in markdown(f'<p>a</p><div class="note">{links}</div>')
    assert "[!" not in markdown(f'<p>a</p><div class="note wide"><p>{text}</p></div>')
