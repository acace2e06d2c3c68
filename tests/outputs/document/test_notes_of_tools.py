# ruff: noqa: E501 - markup as tools write it
"""Footnotes and side notes, in markup as the web's tools write it."""

from __future__ import annotations

import pytest
from keep_visible import Render

_RETURN = "\N{LEFTWARDS ARROW WITH HOOK}"
_TEXT = "One[^1] two[^2].\n\n[^1]: First note.\n\n[^2]: Second note.\n"

NOTES = [
    pytest.param(
        '<p>One<sup><a href="#B1" class="usa-link" aria-describedby="B1">1</a></sup> two<sup><a href="#B2" '
        'class="usa-link" aria-describedby="B2">2</a></sup>.</p><section class="ref-list"><ul class="ref-list font-sm">'
        '<li id="B1"><span class="label">1.</span><cite>First note.</cite></li><li id="B2"><span class="label">2.'
        "</span><cite>Second note.</cite></li></ul></section>",
        id="PubMed Central",
    ),
    pytest.param(
        '<p>One<sup id="fnref:1"><a class="footnote-ref" href="#fn:1" role="doc-noteref">1</a></sup> two<sup '
        'id="fnref:2">'
        '<a class="footnote-ref" href="#fn:2" role="doc-noteref">2</a></sup>.</p><div class="footnotes" '
        'role="doc-endnotes">'
        '<hr><ol><li id="fn:1" role="doc-endnote"><p>First note.&#160;<a class="footnote-backref" href="#fnref:1" '
        f'title="Jump back">{_RETURN}</a></p></li><li id="fn:2"><p>Second note. <a class="footnote-backref" '
        f'href="#fnref:2">[return]</a></p></li></ol></div>',
        id="Hugo, Python-Markdown",
    ),
    pytest.param(
        '<p>One<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a> two<a href="#fn2" '
        'class="footnote-ref" id="fnref2" role="doc-noteref"><sup>2</sup></a>.</p><section id="footnotes" '
        'class="footnotes '
        'footnotes-end-of-document" role="doc-endnotes"><hr /><ol><li id="fn1"><p>First note.<a href="#fnref1" '
        f'class="footnote-back" role="doc-backlink">{_RETURN}\ufe0e</a></p></li><li id="fn2"><p>Second note.<a '
        f'href="#fnref2" class="footnote-back" role="doc-backlink">{_RETURN}\ufe0e</a></p></li></ol></section>',
        id="Pandoc",
    ),
    pytest.param(
        '<p>One<sup><a href="#fn-1" id="user-content-fnref-1" data-footnote-ref="" '
        'aria-describedby="footnote-label">1</a>'
        '</sup> two<sup><a href="#user-content-fn-2" id="user-content-fnref-2" data-footnote-ref="">2</a></sup>.</p>'
        '<section data-footnotes="" class="footnotes"><ol><li id="user-content-fn-1"><p>First note. <a '
        f'href="#user-content-fnref-1" data-footnote-backref="" aria-label="Back to reference 1">{_RETURN}</a></p></li>'
        f'<li id="user-content-fn-2"><p>Second note. <a href="#user-content-fnref-2" '
        f'data-footnote-backref="">{_RETURN}</a> '
        f'<a href="#user-content-fnref-2-2" data-footnote-backref="">{_RETURN}<sup>2</sup></a></p></li></ol></section>',
        id="GitHub",
    ),
    pytest.param(
        '<p>One<sup id="cite_ref-1" class="reference"><a href="#cite_note-1"><span class="cite-bracket">[</span>1<span '
        'class="cite-bracket">]</span></a></sup> two<sup id="cite_ref-2" class="reference"><a '
        'href="#cite_note-2">[2]</a>'
        '</sup>.</p><ol class="references"><li id="cite_note-1"><span class="mw-cite-backlink"><b><a '
        'href="#cite_ref-1">^'
        '</a></b></span> <span class="reference-text">First note.</span></li><li id="cite_note-2"><span '
        'class="mw-cite-backlink">^ <a href="#cite_ref-2"><sup><i><b>a</b></i></sup></a> <a href="#cite_ref-2-1"><sup>'
        '<i><b>b</b></i></sup></a></span> <span class="reference-text">Second note.</span></li></ol>',
        id="Wikipedia",
    ),
    pytest.param(
        "<p>One<a href='#_ftn1' name='_ftnref1' title=''><span class=MsoFootnoteReference>[1]</span></a> two<a "
        "href='#_ftn2' name='_ftnref2'>[2]</a>.</p><div><hr><div id=ftn1><p class=MsoFootnoteText><a href='#_ftnref1' "
        "name='_ftn1' title=''>[1]</a> First note.</p></div><div id=ftn2><p class=MsoFootnoteText><a href='#_ftnref2' "
        "name='_ftn2'>[2]</a> Second note.</p></div></div>",
        id="Word",
    ),
    pytest.param(
        '<p>One<a class="footnote-anchor" data-component-name="FootnoteAnchorToDOM" id="footnote-anchor-1" '
        'href="#footnote-1" target="_self">1</a> two<a class="footnote-anchor" id="footnote-anchor-2" '
        'href="#footnote-2" '
        'target="_self">2</a>.</p><div class="footnote" data-component-name="FootnoteToDOM"><a id="footnote-1" '
        'href="#footnote-anchor-1" class="footnote-number" contenteditable="false" target="_self">1</a><div '
        'class="footnote-content"><p>First note.</p></div></div><div class="footnote"><a id="footnote-2" '
        'href="#footnote-anchor-2" class="footnote-number">2</a><div class="footnote-content"><p>Second '
        "note.</p></div></div>",
        id="Substack",
    ),
    pytest.param(
        '<p>One<span id="easy-footnote-1-7" class="easy-footnote-margin-adjust"></span><span class="easy-footnote"><a '
        'href="https://elsewhere.example/p/#easy-footnote-bottom-1-7" title="First '
        'note."><sup>1</sup></a></span> two<span '
        'id="easy-footnote-2-7"></span><span class="easy-footnote"><a href="https://elsewhere.example/p/#easy-footnote-'
        'bottom-2-7"><sup>2</sup></a></span>.</p><ol class="easy-footnotes-wrapper"><li '
        'class="easy-footnote-single"><span '
        'id="easy-footnote-bottom-1-7" class="easy-footnote-margin-adjust"></span>First note.<a '
        'class="easy-footnote-to-top" '
        f'href="https://elsewhere.example/p/#easy-footnote-1-7">{_RETURN}</a></li><li><span '
        f'id="easy-footnote-bottom-2-7">'
        "</span>Second note.</li></ol>",
        id="Easy Footnotes",
    ),
    pytest.param(
        '<p>One<sup class="modern-footnotes-footnote" data-mfn="1"><a href="javascript:void(0)" '
        'role="button">1</a></sup>'
        '<span class="modern-footnotes-footnote__note" data-mfn="1">First note.</span> two<sup data-mfn="2"><a '
        'href="javascript:void(0)">2</a></sup><span class="modern-footnotes-footnote__note">Second note.</span>.</p>',
        id="Modern Footnotes",
    ),
    pytest.param(
        '<p>One<label for="sn-1" class="margin-toggle sidenote-number"></label><input type="checkbox" id="sn-1" '
        'class="margin-toggle"/><span class="sidenote">First note.</span> two<label for="mn-2" class="margin-toggle">'
        '&#8853;</label><input type="checkbox" id="mn-2" class="margin-toggle"/><span class="marginnote">Second note.'
        "</span>.</p>",
        id="Tufte CSS",
    ),
    pytest.param(
        '<p>One<a class="footnote-reference brackets" href="#id3" id="id1">1</a> two<a class="footnote-reference" '
        'href="#id4" id="id2">[2]</a>.</p><aside class="footnote brackets" id="id3" role="doc-footnote"><span '
        'class="label">'
        '<span class="fn-bracket">[</span><a role="doc-backlink" href="#id1">1</a><span '
        'class="fn-bracket">]</span></span>'
        '<p>First note.</p></aside><table class="docutils footnote" id="id4"><colgroup><col class="label" '
        "/><col /></colgroup>"
        '<tbody><tr><td class="label"><a class="fn-backref" href="#id2">[2]</a></td><td>Second '
        "note.</td></tr></tbody></table>",
        id="docutils",
    ),
    pytest.param(
        '<p>One<sup class="footnote">[<a id="_footnoteref_1" class="footnote" href="#_footnotedef_1">1</a>]</sup> two<sup '
        'class="footnote">[<a id="_footnoteref_2" class="footnote" href="#_footnotedef_2">2</a>]</sup>.</p><div '
        'id="footnotes"><hr><div class="footnote" id="_footnotedef_1"><a href="#_footnoteref_1">1</a>. First note.</div>'
        '<div class="footnote" id="_footnotedef_2"><a href="#_footnoteref_2">2</a>. Second note.</div></div>',
        id="AsciiDoctor",
    ),
    pytest.param(
        "<p>One<a href=#n1><sup>1</sup></a> two<a href=#n2><sup>2</sup></a>.</p><p><a name=n1></a>1. First note.<br>"
        "<a name=n2></a>2. Second note.</p>",
        id="notes separated by line breaks",
    ),
    pytest.param(
        "<p>One<sup><a href=#n1>1</a></sup> two<sup><a href=#n2>2</a></sup>.</p><div><sup id=n1>1</sup> First note."
        "<br><br><sup id=n2>2</sup> Second note.</div>",
        id="notes separated by empty lines",
    ),
    pytest.param(
        "<p>One<sup><a href=#n1>1</a></sup> two<sup><a href=#n2>2</a></sup>.</p><dl><dt id=n1>[1]</dt><dd>First "
        "note.</dd>"
        "<dt id=n2>[2]</dt><dd>Second note.</dd></dl>",
        id="definition list",
    ),
    pytest.param(
        "<p>One<sup><a href=#n1>1</a></sup> two<sup><a href=#n2>2</a></sup>.</p><table><tr><td><a "
        "name=n1></a>1.</td><td>"
        "First note.</td></tr><tr><td><a name=n2></a>2.</td><td>Second note.</td></tr></table>",
        id="table",
    ),
]


@pytest.mark.parametrize("html", NOTES)
def test_notes_of_tools(markdown: Render, html_output: Render, tei_output: Render, html: str) -> None:
    assert markdown(html) == _TEXT
    assert html_output(html).count('<li id="note-') == 2
    assert tei_output(html).count("<note ") == 2


#: A reference, a note, and what is around the notes.
MORE_TOOLS = {
    "Hatena": (
        '<span class="footnote"><a href="#f-{i}" id="fn-{i}" name="fn-{i}">*{i}</a></span>',
        '<p class="footnote"><a href="#fn-{i}" id="f-{i}" class="footnote-number">*{i}</a><span class="footnote-delimiter">:</span>'
        '<span class="footnote-text">{n}</span></p>',
        '<div class="footnote">{}</div>',
    ),
    "Footnotes Made Easy": (
        '<sup><a href="#footnote_{i}_1" id="identifier_{i}_1" class="footnote-link">{i}</a></sup>',
        '<li id="footnote_{i}_1" class="footnote">{n}<span class="footnote-back-link-wrapper"> [<a href="#identifier_{i}_1" '
        'class="footnote-link footnote-back-link">\N{LEFTWARDS ARROW WITH HOOK}</a>]</span></li>',
        '<ol class="footnotes">{}</ol>',
    ),
    "footnotes, a plugin of WordPress": (
        '<span class="footnote_referrer"><a role="button" tabindex="0"><sup id="footnote_plugin_tooltip_7_1_{i}" '
        'class="footnote_plugin_tooltip_text">[{i}]</sup></a><span id="footnote_plugin_tooltip_text_7_1_{i}" '
        'class="footnote_tooltip">{n}</span></span>',
        '<tr><th scope="row" id="footnote_plugin_reference_7_1_{i}" class="footnote_plugin_index"><a role="button" '
        'class="footnote_plugin_link"><span class="footnote_index_arrow">&#8593;</span>{i}</a></th><td '
        'class="footnote_plugin_text">{n}</td></tr>',
        '<table class="footnotes_table footnote-reference-container"><tbody>{}</tbody></table>',
    ),
    "DocBook": (
        '<sup>[<a href="#ftn.id{i}" name="id{i}">{i}</a>]</sup>',
        '<div class="footnote"><p><sup>[<a href="#id{i}" name="ftn.id{i}">{i}</a>] </sup>{n}</p></div>',
        '<div class="footnotes"><hr>{}</div>',
    ),
    "Texinfo": (
        '<a class="footnote" id="DOCF{i}" href="#FOOT{i}"><sup>{i}</sup></a>',
        '<h5 class="footnote-body-heading"><a id="FOOT{i}" href="#DOCF{i}">({i})</a></h5><p>{n}</p>',
        '<div class="footnotes-segment"><hr>{}</div>',
    ),
    "legislation.gov.uk": (
        '<a class="LegFootnoteRef" href="#f{i}" id="fr{i}">({i})</a>',
        '<div class="LegFootnote" id="f{i}"><h3 class="LegFootnoteNo"><a href="#fr{i}">({i})</a></h3><p>{n}</p></div>',
        '<div class="LegFootnotes">{}</div>',
    ),
    "GOV.UK": (
        '<sup id="fnref:{i}"><a href="#fn:{i}" class="govuk-link" rel="footnote">[footnote {i}]</a></sup>',
        '<li id="fn:{i}" role="doc-endnote"><p>{n} <a href="#fnref:{i}" role="doc-backlink">\N{LEFTWARDS ARROW WITH HOOK}</a></p></li>',
        '<div class="footnotes" role="doc-endnotes"><ol>{}</ol></div>',
    ),
    "Canada.ca": (
        '<sup id="fn{i}-rf"><a class="fn-lnk" href="#fn{i}"><span class="wb-inv">Footnote </span>{i}</a></sup>',
        '<dt>Footnote {i}</dt><dd id="fn{i}"><p>{n}</p><p class="fn-rtn"><a href="#fn{i}-rf"><span class="wb-inv">Return to '
        'footnote </span>{i}<span class="wb-inv"> referrer</span></a></p></dd>',
        '<aside class="wb-fnote" role="note"><dl>{}</dl></aside>',
    ),
    "words that lead back": (
        '<sup><a href="#note{i}" id="fnr{i}">{i}</a></sup>',
        '<p id="note{i}"><sup>{i}</sup> {n} <a href="#fnr{i}">Return to text</a></p>',
        "<div>{}</div>",
    ),
    "a named target": (
        '<a href="#footnote-{i}" class="x">{i}</a>',
        '<li id="footnote-{i}"><span class="footnote__number">{i}</span><span>{n}</span></li>',
        "<ul>{}</ul>",
    ),
    "PLOS": (
        '<sup><a href="#B{i}" class="ref-tip">{i}</a></sup>',
        '<li id="ref{i}"><span class="order">{i}.</span><a name="B{i}" id="B{i}" class="link-target"></a>{n}</li>',
        '<ol class="references">{}</ol>',
    ),
    "ScienceDirect, without the place that references lead to": (
        '<sup><a href="#bib{i}" name="bbib{i}"><span>{i}</span></a></sup>',
        '<li><span class="label"><a href="#bbib{i}" id="ref-id-bib{i}">[{i}]</a></span><span class="reference">{n}</span></li>',
        '<ol class="references">{}</ol>',
    ),
    "MediaWiki, a group in Chinese": (
        '<sup class="reference"><a href="#cite_note-{i}">[註 {i}]</a></sup>',
        '<li id="cite_note-{i}"><span class="mw-cite-backlink"><a href="#cite_ref-{i}">^</a></span> <span>{n}</span></li>',
        '<ol class="references">{}</ol>',
    ),
    "numbers without links, a list that is named": (
        "<sup>{i}</sup>",
        "<li>{n}</li>",
        '<section class="footnotes"><ol>{}</ol></section>',
    ),
}


@pytest.mark.parametrize(("reference", "note", "around"), MORE_TOOLS.values(), ids=MORE_TOOLS)
def test_notes_of_more_tools(markdown: Render, reference: str, note: str, around: str) -> None:
    texts = ["First note.", "Second note."]
    first, second = (reference.replace("{i}", str(i + 1)).replace("{n}", texts[i]) for i in range(2))
    notes = "".join(note.replace("{i}", str(i + 1)).replace("{n}", texts[i]) for i in range(2))
    assert markdown(f"<p>One{first} two{second}.</p>{around.replace('{}', notes)}") == _TEXT


UNLINKED = {
    "items of asides": "<p>One<sup>1</sup> two<sup>2</sup>.</p><aside><ol><li>First note.</ol></aside><aside><ol "
    "start=2><li>Second note.</ol></aside>",
    "paragraphs": "<p>One<sup>1</sup> two<sup>2</sup>.</p><hr><p><sup>1</sup> First note.</p><p><sup>2</sup>Second note.</p>",
    "asides": "<p>One<sup>1</sup> two<sup>[2]</sup>.</p><aside class=footnote><sup>1</sup> First note.</aside><aside><p>"
    "<sup>2</sup> Second note.</p></aside>",
}


@pytest.mark.parametrize("html", UNLINKED.values(), ids=UNLINKED)
def test_notes_without_links(markdown: Render, html: str) -> None:
    assert markdown(html) == _TEXT


@pytest.mark.parametrize(
    "html",
    [
        "<p>An area of 10 m<sup>2</sup>.</p><p><sup>2</sup> or not</p>",
        "<p>About 10<sup>6</sup>.</p><aside><ol start=6><li>a</ol></aside>",
        "<p>The 1<sup>st</sup>.</p><p><sup>st</sup> a</p>",
        "<p><sup>1</sup> First.</p><p>See<sup>1</sup></p>",
    ],
)
def test_what_is_no_note(markdown: Render, html: str) -> None:
    assert "[^" not in markdown(html)


AMID = {
    "LaTeXML": '<span id="footnote1" class="ltx_note ltx_role_footnote"><sup class="ltx_note_mark">3</sup><span '
    'class="ltx_note_outer"><span class="ltx_note_content"><sup class="ltx_note_mark">3</sup><span class="ltx_tag '
    'ltx_tag_note">3</span>A note.</span></span></span>',
    "Distill": "<d-footnote>A note.</d-footnote>",
    "a number in a link": '<span class="sidenote-ref"><a href="#sn3">3</a></span><span id="sn3" class="sidenote"><span '
    'class="sidenote-number">3</span> A note.</span>',
}


@pytest.mark.parametrize("note", AMID.values(), ids=AMID)
def test_notes_amid_the_text(markdown: Render, note: str) -> None:
    found = markdown(f"<p>One{note} two.</p>").replace("[^3]", "[^1]")
    assert found == "One[^1] two.\n\n[^1]: A note.\n"


BY_HAND = {
    "stars": "<p>One* two**.</p><p>* First note.</p><p>** Second note.</p>",
    "lines": "<p>One<sup>1</sup> two<sup>2</sup>.</p><p><sup>1</sup> First note.<br><sup>2</sup> Second note.</p>",
    "brackets": "<p>One<sup>[1]</sup> two<sup>[2]</sup>.</p><p>[1] First note.</p><p>[2] Second note.</p>",
    "a list": "<p>One<sup>1</sup> two<sup>2</sup>.</p><h2>References</h2><ol><li>First note.<li>Second note.</ol>",
}


@pytest.mark.parametrize("html", BY_HAND.values(), ids=BY_HAND)
def test_notes_that_are_written_by_hand(
    markdown: Render, html_output: Render, tei_output: Render, text: Render, html: str
) -> None:
    assert markdown(html) == _TEXT
    assert html_output(html).count('<li id="note-') == 2
    assert tei_output(html).count("<note ") == 2
    assert "First note." in text(html)


def test_numbers_with_the_brackets_outside_of_the_link(markdown: Render) -> None:
    html = "<p>One [<a href=#B1>1</a>,<a href=#B2>2</a>].</p><ol><li id=B1>First note.<li id=B2>Second note.</ol>"
    assert markdown(html) == "One \\[[^1],[^2]\\].\n\n[^1]: First note.\n\n[^2]: Second note.\n"


def test_a_sign_that_links_to_a_note(markdown: Render) -> None:
    html = "<p>One<a href=#n>*</a> and <a href=#h>#</a>.</p><p id=n>* A note.</p><h2 id=h>H</h2>"
    assert markdown(html).startswith("One[^1] and [#]")


def test_a_term_and_a_note_that_link_to_each_other(markdown: Render) -> None:
    back = "<a href=#src-credit><span>return to reference</span></a>"
    note = f"<ul><li><article id=ref-credit>{back}<strong>credit</strong> - The name. <ul><li>More</ul></article></ul>"
    html = f"<p>You must give <a href=#ref-credit id=src-credit>credit</a>, and more.</p><h2>Notes</h2>{note}"
    expected = "You must give credit[^1], and more.\n\n## Notes\n\n[^1]: **credit** - The name.\n\n    - More\n"
    assert markdown(html) == expected


def test_questions_and_answers_are_no_notes(markdown: Render) -> None:
    html = "<ul><li><a id=q href=#a>What is tea?</a></ul><div id=a><p>Leaves. <a href=#q>back</a></p></div>"
    assert "[^" not in markdown(html)


def test_a_heading_for_screen_readers_above_notes_goes(markdown: Render) -> None:
    heading = '<h2 id="footnote-label" class="sr-only">Footnotes</h2>'
    html = f'<p>One<sup><a href="#n">1</a></sup>.</p>{heading}<ol><li id="n">A note.</ol>'
    assert markdown(html) == "One[^1].\n\n[^1]: A note.\n"
    assert "## Footnotes" in markdown(html.replace("sr-only", "title"))


_ENTRY = "Box, George. 1976. <em>Science</em>."
CITED = {
    "Pandoc, Quarto": (
        '<p>So <span class="citation" data-cites="box76">(<a href="#ref-box76" role="doc-biblioref">Box 1976</a>)</span>.</p>'
        '<div id="refs" class="references csl-bib-body" role="list"><div id="ref-box76" class="csl-entry" '
        f'role="listitem">{_ENTRY}</div></div>',
        "(Box 1976[^1])",
    ),
    "Pandoc, a year": (
        '<p>So <span class="citation">Box (<a href="#ref-box76">1976</a>)</span>.</p><div class="references"><div '
        f'id="ref-box76">{_ENTRY}</div></div>',
        "Box (1976[^1])",
    ),
    "LaTeXML": (
        '<p>So <cite class="ltx_cite ltx_citemacro_cite">[<a class="ltx_ref" href="#bib.bib1" title="">1</a>]</cite>.</p><ul '
        'class="ltx_biblist"><li class="ltx_bibitem" id="bib.bib1"><span class="ltx_tag ltx_tag_bibitem">[1]</span><span '
        f'class="ltx_bibblock">{_ENTRY}</span></li></ul>',
        "\\[[^1]\\]",
    ),
    "docutils": (
        '<p>So <a class="citation-reference" href="#box76" id="cr-1" role="doc-biblioref">[Box76]</a>.</p><div role="list" '
        'class="citation-list"><div class="citation" id="box76" role="doc-biblioentry"><span class="label">[<a '
        f'role="doc-backlink" href="#cr-1">Box76</a>]</span><p>{_ENTRY}</p></div></div>',
        "\\[Box76\\][^1]",
    ),
}


@pytest.mark.parametrize(("html", "cited"), CITED.values(), ids=CITED)
def test_citations_are_notes(markdown: Render, html: str, cited: str) -> None:
    assert markdown(html) == f"So {cited}.\n\n[^1]: Box, George. 1976. *Science*.\n"


def test_a_link_to_a_bibliography_is_no_citation(markdown: Render) -> None:
    html = '<p>See <a href="#refs">References</a>.</p><div class="references" id="refs"><h2>References</h2><p>A book.</p></div>'
    assert "[^" not in markdown(html)


def test_the_mark_within_a_side_note_goes(markdown: Render) -> None:
    html = "<p>One<label for=s><sup>1</sup></label><input type=checkbox id=s><span class=sidenote><sup>1</sup>A note.</span></p>"
    assert markdown(html) == "One[^1]\n\n[^1]: A note.\n"


def test_numbers_that_lead_to_the_whole_list(markdown: Render) -> None:
    items = "<li>A book.</li> <li>A letter.</li>"
    text = "<p>One<sup><a href=#sources>1</a></sup>, two<sup><a href=#sources>2</a></sup>.</p>"
    expected = "One[^1], two[^2].\n\n## Sources\n\n[^1]: A book.\n\n[^2]: A letter.\n"
    assert markdown(f"{text}<section><h2 id=sources>Sources</h2><ol>{items}</ol></section>") == expected
    assert markdown(f"{text}<section id=sources><h2>Sources</h2><ol>{items}</ol></section>") == expected
    assert "[^" not in markdown(f"{text}<h2 id=sources>Sources</h2><ul>{items}</ul>")


def test_the_mark_of_a_note_without_a_blank_behind_it(markdown: Render) -> None:
    """As Zhihu writes it."""
    text = '<p>One<sup id="ref_1_0"><a href="#ref_1">[1]</a></sup>.</p>'
    notes = '<ol class="ReferenceList"><li id="ref_1"><span>^</span><span>First note.</span></li></ol>'
    assert markdown(text + notes) == "One[^1].\n\n[^1]: First note.\n"
