"""Markup that repeats: a hundred constructs that the code treats specially, each as often as one likes.

The benchmark of growth, the fuzzer and the tests share them. In a unit, `@` stands for the number of the repetition, and `~`
for a text of its own; what a unit leaves open nests.
"""

from __future__ import annotations

from typing import NamedTuple

KEPT = "This sentence is long enough to nominate the sub-tree that it stands in, so that it is rendered. "
"""A page that begins with it is kept, and the outputs have work to do."""
TEXT = "Text @ of edition % says what no other text says"


class Repeated(NamedTuple):
    """Markup of any size: all repetitions of the first unit, then all of the second, and so on."""

    units: tuple[str, ...]
    start: str = ""
    between: str = ""
    """Stands between the last repetition of a unit and the first of the next one."""

    def page(self, repetitions: int, edition: int = 0) -> str:
        """A page with so many repetitions; another edition has other texts."""
        text = TEXT.replace("%", str(edition))
        parts = ("".join(fragment(unit, number, text) for number in range(repetitions)) for unit in self.units)
        return page_of(self.start + self.between.join(parts))

    def site(self, repetitions: int) -> list[str]:
        """Pages of one site, each a little longer than the one before, with texts that no site of another length has:
        nothing that was remembered of another one helps with it."""
        return [self.page(repetitions + more, edition=repetitions) for more in range(3)]

    def repetitions(self, size: int) -> int:
        """How many repetitions make a page of about so many bytes."""
        return max(4, size // sum(len(fragment(unit, 1_000)) for unit in self.units))


def page_of(body: str) -> str:
    """A page with a text that is kept before the body."""
    return f"<!doctype html><title>Growth</title><article><h1>Growth</h1><p>{KEPT * 3}</p>{body}"


def fragment(unit: str, number: int, text: str = TEXT) -> str:
    """One repetition of a unit."""
    return unit.replace("~", text).replace("@", str(number))


def _repeat(*units: str, start: str = "", between: str = "") -> Repeated:
    return Repeated(units, start, between)


_BLOCKS = {
    "paragraphs": _repeat("<p>~</p>"),
    "paragraphs of one text": _repeat("<p>One text.</p>"),
    "paragraphs deep down": _repeat("<p>~</p>", start="<div>" * 300),
    "headings": _repeat("<h2>~</h2><p>~</p>"),
    "headings ever deeper": _repeat("<h2>~</h2><h3>~</h3><h4>~</h4><h6>~</h6>"),
    "headings with anchors": _repeat("<h2 id=h@>~<a class=headerlink href=#h@>¶</a></h2><p>~</p>"),
    "headings without texts": _repeat("<h2>~</h2>"),
    "headings to edit": _repeat("<h2>~<span class=mw-editsection>[<a href=/e@>edit</a>]</span></h2><p>~"),
    "anchors in a heading": _repeat("<a class=headerlink href=#h@>link</a>", start="<h2>Heading "),
    "headings by role": _repeat("<div role=heading aria-level=@>~</div>"),
    "title repeated": _repeat("<h1>Growth</h1><h2>Growth</h2>"),
    "site names": _repeat("<h1 class=site-title>Growth</h1><h1>~</h1>"),
    "headings for listeners": _repeat("<h1 class=sr-only>~</h1>"),
    "headings below a menu": _repeat("<li><a href=/m@>~</a>", "<h2>~</h2>", between=f"<p>{KEPT}</p>"),
    "standfirsts": _repeat("<h2>~</h2><h3 class=subtitle>~</h3><p>~</p>"),
    "nested divs": _repeat("<div>~"),
    "nested sections": _repeat("<section><h2>~</h2><p>~</p>"),
    "articles": _repeat("<article><h2><a href=/a@>~</a></h2><p>~</p></article>"),
    "nested articles": _repeat("<article><h2>~</h2><p>~</p>"),
    "line breaks": _repeat("~<br>"),
    "paragraphs by line breaks": _repeat("~<br><br>"),
    "rules": _repeat("<hr><p>~</p>"),
    "languages": _repeat("<p lang=de>~</p><p dir=rtl>~</p>"),
    "nested languages": _repeat("<div lang=de><p>~<div lang=fr><p>~"),
    "hidden and shown": _repeat("<p>~<i hidden>~</i>~</p>"),
    "hidden parts": _repeat("<div hidden id=p@>~</div><button aria-controls=p@>~</button>"),
    "hidden parts of a menu": _repeat("<div class=accordion><h3>~</h3><div style=display:none>~</div></div>"),
    "folding": _repeat("<details><summary>~</summary><p>~</p></details>"),
    "nested folding": _repeat("<details><summary>~</summary><p>~</p>"),
    "one class on all blocks": _repeat("<div class='a b c d e f g h i j k l m n o p q r s t u v w x y z'>~</div>"),
    "a class on each block": _repeat("<div class='post-@ item_@ x@'>~</div>"),
    "ids": _repeat("<p id=p@>~</p><a href=#p@>~</a>"),
    "duplicate ids": _repeat("<p id=one>~</p><a href=#one>~</a>"),
    "custom elements": _repeat("<x-@>~</x-@>"),
}
_INLINE = {
    "formatting": _repeat("<b>x</b> <i>y</i> <u>z</u> <code>c</code> <s>s</s> ", start="<p>"),
    "formatting opened again": _repeat("<b><i><u><p></b>x</i></p>"),
    "formatting left open": _repeat("<b id=i@>x"),
    "formatting across paragraphs": _repeat("<p><b>~<i>~</b>~"),
    "formatting of blanks": _repeat("<b> </b>x<i> </i>", start="<p>"),
    "formatting of long texts": _repeat("word ", "<b>x</b>", start="<p>", between="<b>x</b>"),
    "nested formatting": _repeat("<b><i><s>~"),
    "links": _repeat("<a href=/x@>~</a> "),
    "links left open": _repeat("<a href=x><p>~"),
    "links around blocks": _repeat("<a href=/x@><div>~</div><p>~</p></a>"),
    "one link around blocks": _repeat("<p>~</p>", start="<a href=/x>"),
    "links to parts": _repeat("<p><a href=#s@>~</a></p>", "<h2 id=s@>~</h2><p>~</p>"),
    "links with titles": _repeat("<p><a href=/x@ title='~'>~</a>"),
    "quotations in lines": _repeat("<q>~ <q>~</q></q> ", start="<p>"),
    "nested quotations in lines": _repeat("<q>~"),
    "readings": _repeat("<ruby>x<rt>y</rt></ruby>", start="<p>"),
    "raised and lowered": _repeat("x<sup>@</sup> y<sub>@</sub> ", start="<p>"),
    "powers": _repeat("<sup>2</sup>x", start="<p>"),
    "markup characters": _repeat("*_[](`#|~", start="<p>"),
    "backticks": _repeat("<code>```@``</code>", start="<p>"),
    "one long line of rules": _repeat("- ", start="<p>x<br>"),
    "entities": _repeat("&amp;lt;&nbsp;&#x200b;", start="<p>"),
    "abbreviations and marks": _repeat("<abbr title='~'>x</abbr><mark>y</mark><kbd>z</kbd> ", start="<p>"),
    "times and authors": _repeat(
        "<p><time datetime=2024-05-0@>3 May 2024</time> <a rel=author href=/x@>Ada Lovelace</a>"
    ),
    "deleted and inserted": _repeat("<p><del>~</del><ins>~</ins>"),
    "long words": _repeat("x", start="<p>"),
    "long attributes": _repeat("x", start="<p title="),
    "long blanks": _repeat("&nbsp; \n", start="<p>x"),
}
_LISTS = {
    "list items": _repeat("<li>~", start="<ul>"),
    "lists": _repeat("<ul><li>~<li>~</ul><p>~</p>"),
    "numbered lists": _repeat("<li value=@>~", start="<ol>"),
    "nested lists": _repeat("<ul><li>~"),
    "lists beside items": _repeat("<ul><li>~</li>"),
    "lists in items": _repeat("<li>~<ol><li>~<li>~</ol>", start="<ul>"),
    "items without lists": _repeat("<li>~</li>"),
    "paragraphs in items": _repeat("<p>~</p>", start="<ul><li>"),
    "tasks": _repeat("<li><input type=checkbox checked> ~", start="<ul class=task-list>"),
    "drawn lists": _repeat("<div class=feature-list><div class=list-item>~</div><div class=list-item>~</div></div>"),
    "items drawn": _repeat("<div class=feature-item>~</div>", start="<div class=features>"),
    "written lists": _repeat("<p>• ~</p>"),
    "written numbers": _repeat("<p>@. ~</p>"),
    "written lines": _repeat("- ~<br>", start="<p>"),
    "lists of Word": _repeat("<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'>·  ~</p>"),
    "steps": _repeat("<li><div>@</div><p>~</p>", start="<ol>"),
    "definitions": _repeat("<dt>~<dd>~", start="<dl>"),
    "definition lists": _repeat("<dl><dt>~<dd>~</dl>"),
    "nested definitions": _repeat("<dl><dt>~<dd>~"),
    "grouped definitions": _repeat("<div><dt>~<dt>~<dd>~</div>", start="<dl>"),
    "threads": _repeat(
        "<li class=comment id=c@><div class=author>Ada</div><p>~</p><a href=#c@>Reply</a>", start="<ol class=thread>"
    ),
    "nested threads": _repeat("<ul class=children><li class=comment id=c@><p>~</p>"),
    "directories": _repeat("<dir><li>~</dir><menu><li>~</menu>"),
}
_TABLES = {
    "table rows": _repeat("<tr><td>~<td>~", start="<table><tr><th>One<th>Two"),
    "table cells": _repeat("<td>@", start="<table><tr>"),
    "tables": _repeat("<table><caption>~</caption><tr><th>a<th>b<tr><td>~<td>~</table>"),
    "nested tables": _repeat("<table><tr><td>~"),
    "tables in cells": _repeat("<tr><td>~<td><table><tr><td>1<td>2<tr><td>3<td>4</table>", start="<table>"),
    "spans of cells": _repeat("<tr><td rowspan=3 colspan=2>~<td rowspan=0>~", start="<table>"),
    "wide spans": _repeat("<tr><td rowspan=9999 colspan=999>x<td>y", start="<table>"),
    "lists in cells": _repeat("<tr><td><ul><li>~<li>~</ul><td>~", start="<table><tr><th>a<th>b"),
    "paragraphs in a cell": _repeat("<p>~</p>", start="<table><tr><td>a<td>b<tr><td>c<td>"),
    "text outside cells": _repeat("x<b>y</b>", start="<table>"),
    "layout tables": _repeat("<table role=presentation><tr><td><p>~</p></table>"),
    "bodies of tables": _repeat("<thead><tr><th>~<tbody><tr><td>~<tfoot><tr><td>~", start="<table>"),
    "grids": _repeat("<div role=row><div role=cell>~</div><div role=cell>~</div></div>", start="<div role=grid>"),
    "drawn rows": _repeat("<div class=table-row><div class=table-cell>~</div><div class=table-cell>~</div></div>"),
    "labels and values": _repeat("<div><span class=label>~</span><span class=value>@</span></div>"),
}
_SET_APART = {
    "callouts": _repeat("<div class='note warning'><p class=title>Note</p><p>~</p></div>"),
    "admonitions": _repeat("<div class='admonition tip'><p class=admonition-title>Tip</p><p>~</p></div>"),
    "nested callouts": _repeat("<div class=callout><b class=title>Note</b><p>~"),
    "titles in one callout": _repeat("<p class=title>Note @</p>", start="<div class='note warning'>"),
    "callouts of details": _repeat("<details class=note open><summary>~</summary><p>~</p></details>"),
    "callouts of alerts": _repeat(
        "<div class='alert alert-info' role=alert><h4 class=alert-heading>~</h4><p>~</p></div>"
    ),
    "callouts of quotes": _repeat("<blockquote class='book-hint warning'><p>~</p></blockquote>"),
    "callouts in definitions": _repeat("<dl class='section note'><dt>Note</dt><dd>~</dd></dl>"),
    "callouts written": _repeat("<blockquote><p>[!NOTE]<br>~</p></blockquote>"),
    "callouts with icons": _repeat(
        "<figure class=callout style=display:flex><div><span class=icon>💡</span></div><div>~</div></figure>"
    ),
    "asides": _repeat("<aside class=note role=note><p>~</p></aside>"),
    "named boxes": _repeat("<div class=key-takeaways><h3>~</h3><p>~</p></div>"),
    "boxes of styles": _repeat("<div style='border-left:4px solid red;background:#eee;padding:1em'>~</div>"),
    "boxes of Tailwind": _repeat("<div class='border-l-4 bg-blue-100 p-4'>~</div>"),
    "coloured paragraphs": _repeat("<p class=has-background>~</p>"),
    "quotes": _repeat("<blockquote><p>~</p><cite>~</cite></blockquote>"),
    "nested quotes": _repeat("<blockquote>~"),
    "quotes in posts": _repeat("<div class=quotetitle>Ada wrote:</div><div class=quotecontent>~</div><p>~"),
    "pull quotes": _repeat("<p>~</p><aside class=pull-quote><p>~</p></aside>"),
    "topics": _repeat("<aside class=sidebar><p class=sidebar-title>~</p><p>~</p></aside>"),
    "posts embedded": _repeat(
        "<blockquote class=twitter-tweet><p>~</p>&mdash; Ada <a href=https://twitter.com/a/status/@>3 May</a></blockquote>"
    ),
    "cards": _repeat("<div class=link-card><a href=https://b.example/@><div class=title>~</div><p>~</p></a></div>"),
    "cards of other pages": _repeat("<div class=card><a href=/p@><img src=/i@.jpg><h3>~</h3></a><p>~</p></div>"),
    "bookmark cards": _repeat(
        "<figure class=kg-bookmark-card><a href=https://b.example/@><div class=kg-bookmark-title>~</div><div class=kg-bookmark-description>~</div></a></figure>"
    ),
    "teasers": _repeat("<div class=teaser><h3><a href=/p@>~</a></h3><p>~</p></div>"),
    "modules of posts": _repeat("<div class=yarpp-related><a href=/p@>~</a></div><p>~"),
    "tabs": _repeat(
        "<ul role=tablist><li role=tab aria-controls=t@>~<li role=tab>~</ul><div role=tabpanel id=t@><p>~</p></div><div role=tabpanel><p>~</p></div>"
    ),
    "labels of tabs": _repeat(
        "<li role=tab aria-controls=t@>~</li>", "<div role=tabpanel id=t@>~</div>", start="<ul role=tablist>"
    ),
    "panes of tabs": _repeat(
        "<ul class='nav nav-tabs'><li><a href=#pane@>~</a></ul><div class=tab-content><div class=tab-pane id=pane@>~</div></div>"
    ),
    "turns of a conversation": _repeat("<div class=user-message-bubble-color>~</div><div class=answer><p>~</p></div>"),
    "products": _repeat(
        "<div class=product><a href=/p@><img src=/i@.jpg alt='~'></a><span class=price>$@.00</span><button>Add to basket</button></div>"
    ),
    "reviews": _repeat("<div class=review><b>Ada</b> <span>3 May 2024</span><p>~</p></div>"),
    "comments": _repeat(
        "<div class=comment id=comment-@><cite>Ada</cite><p>~</p></div>", start="<h3>12 Comments</h3><div id=comments>"
    ),
    "further articles": _repeat("<article id=post-@><h1>~</h1><p>~ ~ ~</p></article>"),
    "menus": _repeat("<nav><ul><li><a href=/m@>~</a></ul></nav><p>~"),
    "footers": _repeat("<footer>© @</footer><header>~</header>"),
    "forms": _repeat("<form><label for=f@>~</label><input id=f@ name=f@><textarea>~</textarea></form>"),
    "options": _repeat("<option value=@>~", start="<form><select>"),
    "buttons": _repeat("<button>~</button><p>~"),
    "dialogs": _repeat("<dialog open>~</dialog><div role=dialog aria-modal=true>~</div>"),
}
_NOTES = {
    "footnotes": _repeat("<p>~<sup><a href=#n@ id=r@>@</a></sup></p>", "<p id=n@>@ ~ <a href=#r@>↩</a></p>"),
    "footnotes in a list": _repeat(
        "<p>~<a class=footnote-ref href=#fn@ id=fnref@><sup>@</sup></a></p>",
        "<li id=fn@><p>~<a class=footnote-back href=#fnref@>↩</a></p>",
    ),
    "footnotes of one id": _repeat("<p>~<sup><a href=#n>1</a></sup></p>", "<p id=n>~</p>"),
    "marks of one footnote": _repeat("x<sup><a href=#n>1</a></sup> ", start="<p id=n>1 ~</p><p>"),
    "footnotes of stars": _repeat("<p>~<sup><a href=#n@>*</a></sup></p>", "<p id=n@>* ~</p>"),
    "footnotes beside paragraphs": _repeat("<p>~<sup><a href=#n@>1</a></sup></p><p id=n@>1 ~</p>"),
    "links back to one mark": _repeat(
        "<li id=n@>~<a href=#r>↩</a>", start="<p>x<sup><a id=r href=#n1>1</a></sup></p><ol>"
    ),
    "notes amid the text": _repeat("~<span class=sidenote>~</span> ", start="<p>"),
    "nested notes amid the text": _repeat("~<span class=sidenote>~"),
    "notes of Distill": _repeat("<p>~<d-footnote>~</d-footnote></p>"),
    "notes of a plugin": _repeat(
        "<p>~<sup class=footnote_plugin_tooltip_text id=f_tooltip_@>[@]</sup></p>", "<p id=f_reference_@>~</p>"
    ),
    "notes without links": _repeat("<p>~<sup>@</sup></p>", "<p><sup>@</sup> ~</p>"),
    "blanks before raised numbers": _repeat(" " * 60, "<sup>1</sup> ", start="<p>"),
    "notes written": _repeat("<p>~*</p><p>* ~</p>"),
    "notes written below": _repeat("<p>~*</p>", "<p>* ~</p>"),
    "notes in brackets": _repeat("<p>~ word[@] and more.</p>", "<p>[@] ~</p>"),
    "notes of numbers": _repeat("<p>~ word² and more.</p>", "<p>² ~</p>"),
    "notes of a wiki": _repeat(
        "<p>~<sup class=reference id=cite_ref-@><a href=#cite_note-@>[@]</a></sup></p>",
        "<li id=cite_note-@><span class=mw-cite-backlink><a href=#cite_ref-@>^</a></span> ~",
    ),
    "sources": _repeat("<p>~ <a href=#ref-@>[@]</a></p>", "<div id=ref-@ class=csl-entry>[@] ~</div>"),
    "sources in a table": _repeat("<p>~ [@]</p>", "<table><tr><td>[@]<td>~</table>"),
    "numbered entries": _repeat("<p>~ [@]</p>", "<li>[@] ~"),
}
_CODE = {
    "code": _repeat("<pre>  <b>~</b>\n  x</pre>"),
    "lines of code": _repeat("  <b>~</b>\n", start="<pre><code class=language-c>"),
    "empty lines of code": _repeat("\n\n x", start="<pre>"),
    "code with numbers": _repeat("<span class=lineno>@</span> ~\n", start="<pre><code>"),
    "code in tables": _repeat(
        "<table class=highlighttable><tr><td class=linenos><pre>1\n2</pre><td class=code><pre>~\n~</pre></table>"
    ),
    "numbers beside code": _repeat("<tr><td>x", "<tr><td><pre>1</pre>", start="<table class=highlighttable>"),
    "rows of code": _repeat(
        "<tr><td class=blob-num data-line-number=@><td class=blob-code>~", start="<table class=highlight>"
    ),
    "frames of code": _repeat(
        "<div class=code-block><div class=code-header><span class=lang>Python</span><button>Copy</button></div><pre>~</pre></div>"
    ),
    "editors": _repeat("<div class=CodeMirror><div class=gutter>1</div><pre>~</pre></div>"),
    "lines of an editor": _repeat(
        "<div class=view-line style='top:@px'><span>~</span></div>",
        start="<div class=monaco-editor><div class=view-lines>",
    ),
    "code in lines": _repeat("<code>x@</code> ", start="<p>"),
    "code by line breaks": _repeat("x<br>\n", start="<p><code>"),
    "nested code": _repeat("<pre><code>~"),
    "listings": _repeat(
        "<div class=listingblock><div class=title>~</div><div class=content><pre>~ <b>(1)</b></pre></div></div>"
    ),
    "keyboard input": _repeat("<p><kbd>~</kbd><samp>~</samp><tt>~</tt>"),
}
_FORMULAS = {
    "formulas in scripts": _repeat("x<script type=math/tex>a_@</script> y ", start="<p>"),
    "formulas of MathML": _repeat("<p>~ <math><mfrac><mi>x</mi><mn>@</mn></mfrac></math>"),
    "nested MathML": _repeat("<mrow><mi>x</mi>", start="<p><math>"),
    "rows of MathML": _repeat("<mo>(</mo><mfrac><mi>x</mi><mi>y</mi></mfrac>", start="<p><math>"),
    "tables of MathML": _repeat("<mtr><mtd>x<mtd>y</mtr>", start="<p><math><mtable>"),
    "long MathML": _repeat("<mi>x</mi><mo>+</mo>", start="<p><math>"),
    "scripts of MathML": _repeat("<msup><mi>x</mi>", start="<p><math>"),
    "formulas in a formula": _repeat("<math alttext='x^2'></math>", start="<p>x<span class=katex>"),
    "formulas in a description": _repeat("<math alttext='x^2'></math>", start="<dl><dd><span class=katex>"),
    "formulas of KaTeX": _repeat(
        "<p>~ <span class=katex><span class=katex-mathml><math><mi>x</mi><annotation encoding=application/x-tex>x_@</annotation></math></span><span class=katex-html>x</span></span>"
    ),
    "formulas of MathJax": _repeat("<span class=MathJax>x</span><script type=math/tex>x_@</script> ", start="<p>"),
    "formulas in dollars": _repeat("<p>~ $x_@^2$ and $$y_@$$"),
    "formulas left open": _repeat("&#92;(x $ &#92;[y $$ ", start="<p>"),
    "formulas in images": _repeat("<p>~ <img class=latex src=/l@ alt='x_@^2'>"),
    "formulas in attributes": _repeat("<p>~ <span data-math='x_@'>x</span>"),
    "formulas alone": _repeat("<p>~</p><script type='math/tex; mode=display'>a_@</script>"),
}
_PICTURES = {
    "images": _repeat("<p>~</p><img src=/i@.jpg alt='~'>"),
    "one image": _repeat("<p>~</p><img src=/i.jpg alt=x>"),
    "many classes around images": _repeat(
        "some-class ", "<img src=/i@.jpg alt=y><p>~</p>", start="<div class='", between="'>"
    ),
    "images in lines": _repeat("x<img src=/i@.png alt=y>z ", start="<p>"),
    "figures": _repeat("<figure><img src=/i@.jpg><figcaption>~</figcaption></figure>"),
    "nested figures": _repeat("<figure><img src=/i@.jpg><figcaption>~</figcaption>"),
    "images in figures": _repeat("<img src=/i@.jpg>", start="<figure>"),
    "srcset": _repeat("<p>~</p><img srcset='/a@ 1w, /b@ 2w, /c@ 3w' src=/d@>"),
    "one long srcset": _repeat("/a@ @w, ", start="<p>x</p><img src=/i srcset='"),
    "pictures": _repeat("<p>~</p><picture><source srcset=/a@.webp media='(max-width:9px)'><img src=/b@.jpg></picture>"),
    "sources of a picture": _repeat("<source srcset=/a@>", start="<p>x</p><picture>"),
    "lazy images": _repeat("<p>~</p><img src=data:, data-src=/i@.jpg><noscript><img src=/i@.jpg></noscript>"),
    "galleries": _repeat("<div class=gallery><a href=/i@.jpg><img src=/t@.jpg></a></div>"),
    "images in one gallery": _repeat("<a href=/i@.jpg><img src=/t@.jpg></a>", start="<div class=gallery>"),
    "lead images": _repeat("<h1>~</h1><header class=hero><img class=featured src=/i@.jpg></header>"),
    "emoji": _repeat("<img class=emoji alt=😀 src=/e.png>", start="<p>"),
    "background images": _repeat("<div style='background-image:url(/i@.jpg)'></div><p>~</p>"),
    "vector images": _repeat("<p>~</p><svg><title>~</title><desc>~</desc><path d=M0></svg>"),
    "videos": _repeat("<p>~</p><iframe title='~' src=https://www.youtube.com/embed/v@></iframe>"),
    "sounds": _repeat(
        "<p>~</p><audio controls src=/a@.mp3>~</audio><video poster=/p@.jpg><source src=/v@.mp4></video>"
    ),
    "objects": _repeat("<object data=/o@>~<embed src=/e@></object>"),
    "image maps": _repeat("<area href=/a@ alt='~'>", start="<p>x</p><map>"),
}
_ABOUT_THE_PAGE = {
    "JSON-LD": _repeat(
        '<script type=application/ld+json>{"@type":"Article","headline":"~","author":{"name":"Ada"}}</script>'
    ),
    "one JSON-LD": _repeat('{"@type":"Article","articleBody":"~"},', start="<script type=application/ld+json>["),
    "nested JSON-LD": _repeat('{"@graph":[', start="<script type=application/ld+json>"),
    "texts of JSON-LD": _repeat("~. ", start='<script type=application/ld+json>{"@type":"Article","articleBody":"'),
    "scripts": _repeat("<script>var x@ = {a: '~'};</script>"),
    "style sheets": _repeat("<style>.a@ {color: red}</style><p class=a@>~</p>"),
    "rules of a style sheet": _repeat(".a@ > b, #c@:hover {display: none !important; color: red}\n", start="<style>"),
    "hidden by style sheets": _repeat("<style>.h@ {display:none}</style><p class=h@>~</p>"),
    "declarations of a style": _repeat("color:red;x@:y;", start="<p style='"),
    "styles": _repeat("<p style='color:#@;display:block;visibility:visible'>~</p>"),
    "meta elements": _repeat("<meta property=og:image content=/i@.jpg><meta name=author content='Ada @'>"),
    "link elements": _repeat("<link rel=alternate hreflang=de href=/de@><link rel=canonical href=/c@>"),
    "microdata": _repeat(
        "<div itemscope itemtype=https://schema.org/Article><b itemprop=headline>~</b><i itemprop=author>Ada</i></div>"
    ),
    "nested microdata": _repeat(
        "<div itemprop=author itemscope itemtype=https://schema.org/Person><b itemprop=name>~</b>"
    ),
    "bylines": _repeat("<p class=byline>By Ada Lovelace @</p><p>~"),
    "dates": _repeat("<p class=date>Published on 3 May 2024</p><time>2024-05-03</time><p>~"),
    "breadcrumbs": _repeat("<nav class=breadcrumb><a href=/b@>~</a></nav><p>~"),
    "tags": _repeat("<a rel=tag href=/t@>~</a> ", start="<p class=tags>"),
    "HTML comments": _repeat("<!-- ~ --><p>~"),
    "templates": _repeat("<template><p>~</p></template><noscript><p>~</p></noscript>"),
    "base addresses": _repeat("<base href=/b@/><a href=x>~</a>"),
    "attributes": _repeat(" a@='~'", start="<p"),
    "frames": _repeat("<frame src=/f@>", start="<frameset>"),
    "charsets": _repeat("<meta charset=utf-8><p>~"),
}

REPEATED: dict[str, Repeated] = {
    **_BLOCKS,
    **_INLINE,
    **_LISTS,
    **_TABLES,
    **_SET_APART,
    **_NOTES,
    **_CODE,
    **_FORMULAS,
    **_PICTURES,
    **_ABOUT_THE_PAGE,
}
