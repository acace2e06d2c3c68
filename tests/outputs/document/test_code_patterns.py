# ruff: noqa: E501 - markup as tools write it
"""Code as the tools of the web write it: every line and its indentation, the language, and nothing else."""

from __future__ import annotations

import re
from html import escape

import pytest
import turbohtml
from keep_visible import Render, clean_visible
from lxml import etree
from markdown_it import MarkdownIt

CODE = 'def f(x):\n    if x < 1:\n        return "a"\n\n    return x\n# end'
"""With indentation, a blank line, and characters that are markup elsewhere."""
LINES = CODE.split("\n")
NUMBERS = range(1, len(LINES) + 1)
PARSER = MarkdownIt("commonmark").enable("table")
TEI = "{http://www.tei-c.org/ns/1.0}"


def coloured(text: str) -> str:
    """A text with the spans of a highlighter."""
    return re.sub(r"\b(def|if|return)\b", r'<span class="k">\1</span>', escape(text, quote=False))


def each(template: str, end: str = "") -> str:
    """A template for every line: `#` is its number, `@` its code."""
    written = (template.replace("#", str(number)).replace("@", coloured(LINES[number - 1])) for number in NUMBERS)
    return end.join(written)


ALL = coloured(CODE)
COUNTED = "\n".join(map(str, NUMBERS))
WITH_BLANKS = each('<div class="line number# index# alt2">@</div>').replace("    ", "&nbsp;&nbsp;&nbsp;&nbsp;")

PATTERNS = {
    "GitBook": '<div class="group/codeblock grid"><div class="flex"><div class="px-1">f.py</div></div><button>Copy</button><pre '
    'class="relative"><code class="grid [count-reset:line]">'
    + each('<span class="highlight-line grid"><span class="highlight-line-content">@</span></span>')
    + "</code></pre></div>",
    "PyPI": f'<pre lang="python">{ALL}\n</pre>',
    "an export of Notion": f'<pre class="code code-wrap"><code class="language-Python">{ALL}</code></pre>',
    "Distill": f'<d-code block language="python">\n{ALL}\n</d-code>',
    "DocC": f'<div class="code-listing" data-syntax="python"><pre><code>{ALL}</code></pre></div>',
    "ExDoc": f'<pre><code class="makeup python" translate="no">{ALL}</code></pre>',
    "Gatsby": '<div class="gatsby-highlight" data-language="python"><pre class="language-python"><code>'
    + each('<span class="gatsby-highlight-code-line">@</span>')
    + "</code></pre></div>",
    "TypeDoc": f'<pre><code class="python">{ALL}\n</code><button type="button">Copy</button></pre>',
    "Confluence": '<div class="code panel pdl"><div class="codeContent panelContent pdl"><pre class="syntaxhighlighter-pre" '
    f'data-syntaxhighlighter-params="brush: python; gutter: false" data-theme="Confluence">{ALL}</pre></div></div>',
    "Mintlify": f'<div class="code-block" language="python"><pre class="shiki" language="python"><code language="python">{ALL}\n'
    "</code></pre></div>",
    "devsite": f'<devsite-code><pre class="devsite-click-to-copy" syntax="python"><code>{ALL}</code></pre></devsite-code>',
    "nbconvert": f'<div class="highlight hl-ipython3"><pre><span></span>{ALL}\n</pre></div>',
    "the name of a file above": f'<div class="code-block"><div class="code-title">src/f.py</div><pre><code>{ALL}</code></pre></div>',
    "twoslash, with its language": f'<pre class="shiki twoslash"><div class="language-id">python</div><div class="code-container"><code>'
    f"{each('<div class=line>@</div>')}</code></div></pre>",
    "twoslash, with what appears over it": '<pre class="shiki twoslash"><code class="language-python">'
    + ALL.replace(
        "x", '<span class="twoslash-hover">x<span class="twoslash-popup-container"><code>x: int</code></span></span>'
    )
    + "</code></pre>",
    "Doxygen": f'<div class="language-python"><div class="fragment">{each("<div class=line>@</div>")}</div></div>',
    "Monaco, as it is read aloud": '<div class="monaco-editor" data-mode-id="python"><div class="view-lines monaco-mouse-cursor-text" '
    f'role="presentation" aria-hidden="true">{each("<div class=view-line><span>@</span></div>")}</div></div>',
    "plain": f'<pre><code class="language-python">{ALL}\n</code></pre>',
    "Pygments, table": '<div class="highlight-python notranslate"><table class="highlighttable"><tr>'
    f'<td class="linenos"><div class="linenodiv"><pre><span class="normal">{COUNTED}</span></pre></div></td>'
    f'<td class="code"><div class="highlight"><pre><span></span>{ALL}\n</pre></div></td></tr></table></div>',
    "Pygments, inline": '<div class="highlight-python"><div class="highlight"><pre>'
    f"{each('<span class=linenos># </span>@', chr(10))}\n</pre></div></div>",
    "Rouge": '<div class="language-python highlighter-rouge"><div class="highlight"><pre class="highlight"><code>'
    '<table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">'
    f'{COUNTED}\n</pre></td><td class="rouge-code"><pre>{ALL}\n</pre></td></tr></tbody></table></code></pre></div></div>',
    "GitHub": '<div class="highlight"><table class="highlight tab-size js-file-line-container" data-lang="python"><tbody>'
    + each(
        '<tr>\n<td id="L#" class="blob-num js-line-number" data-line-number="#"></td>\n'
        '<td id="LC#" class="blob-code blob-code-inner js-file-line">@</td>\n</tr>\n'
    )
    + "</tbody></table></div>",
    "GitHub, in running text": '<div class="highlight highlight-source-python notranslate" dir="auto">'
    f'<pre>{ALL}</pre><div class="zeroclipboard-container"><clipboard-copy aria-label="Copy" role="button">'
    "<svg></svg></clipboard-copy></div></div>",
    "Chroma, table": '<div class="highlight"><div class="chroma"><table class="lntable"><tr><td class="lntd">'
    f'<pre tabindex="0" class="chroma"><code>{each("<span class=lnt>#" + chr(10) + "</span>")}</code></pre></td>'
    '<td class="lntd"><pre tabindex="0" class="chroma"><code class="language-python" data-lang="python">'
    + each('<span class="line"><span class="cl">@\n</span></span>')
    + "</code></pre></td></tr></table></div></div>",
    "Chroma, inline": '<div class="highlight"><pre tabindex="0" class="chroma"><code class="language-python">'
    + each('<span class="line"><span class="ln">#</span><span class="cl">@\n</span></span>')
    + "</code></pre></div>",
    "Shiki": '<pre class="shiki github-dark" tabindex="0"><code class="language-python">'
    f"{each('<span class=line>@</span>', chr(10))}</code></pre>",
    "Shiki, without line ends": '<div class="language-python"><pre class="shiki"><code>'
    f"{each('<span class=line>@</span>')}</code></pre></div>",
    "rehype-pretty-code": '<figure data-rehype-pretty-code-figure=""><pre data-language="python" tabindex="0">'
    f'<code data-language="python" style="display: grid;">{each("<span data-line>@</span>", chr(10))}</code></pre></figure>',
    "react-syntax-highlighter": '<pre style="display:block"><code class="language-python" style="white-space:pre">'
    + each(
        '<span class="linenumber react-syntax-highlighter-line-number" style="display:inline-block">#</span>'
        "<span>@\n</span>"
    )
    + "</code></pre>",
    "react-syntax-highlighter, lines wrapped": '<pre><code class="language-python">'
    f"{each('<span style=display:block><span class=linenumber>#</span>@' + chr(10) + '</span>')}</code></pre>",
    "react-syntax-highlighter, numbers apart": '<pre><code style="float:left">'
    f"{each('<span class=react-syntax-highlighter-line-number>#' + chr(10) + '</span>')}</code>"
    f'<code class="language-python">{ALL}</code></pre>',
    "Prism": '<div class="code-toolbar"><pre class="line-numbers language-python"><code class="language-python">'
    f'{ALL}<span aria-hidden="true" class="line-numbers-rows">{"<span></span>" * len(LINES)}</span></code></pre>'
    '<div class="toolbar"><div class="toolbar-item"><span>Python</span></div><div class="toolbar-item">'
    '<button class="copy-to-clipboard-button"><span>Copy</span></button></div></div></div>',
    "highlight.js with line numbers": '<pre><code class="hljs python"><table class="hljs-ln"><tbody>'
    + each(
        '<tr><td class="hljs-ln-line hljs-ln-numbers" data-line-number="#"><div class="hljs-ln-n"></div></td>'
        '<td class="hljs-ln-line hljs-ln-code" data-line-number="#">@</td></tr>'
    )
    + "</tbody></table></code></pre>",
    "highlight.js with a list": '<pre><code class="language-python hljs"><ol class="hljs-ln">'
    + each(
        '<li><div class="hljs-ln-numbers"><div class="hljs-ln-line hljs-ln-n" data-line-number="#"></div></div>'
        '<div class="hljs-ln-code"><div class="hljs-ln-line">@</div></div></li>'
    )
    + "</ol></code></pre>",
    "google-code-prettify": '<pre class="prettyprint linenums lang-python prettyprinted"><ol class="linenums">'
    f"{each('<li class=L#><span class=pln>@</span></li>')}</ol></pre>",
    "Docusaurus": '<div class="language-python codeBlockContainer_Ckt0 theme-code-block"><div class="codeBlockTitle_Ktv7">'
    'src/f.py</div><div class="codeBlockContent_biex"><pre tabindex="0" class="prism-code language-python codeBlock_bY9V">'
    f'<code class="codeBlockLines_e6Vv">{each("<span class=token-line style=color:#393A34>@<br></span>")}</code></pre>'
    '<div class="buttonGroup__atx"><button type="button" aria-label="Copy code to clipboard">Copy</button></div></div></div>',
    "Hexo": '<figure class="highlight python"><table><tr><td class="gutter"><pre>'
    f'{each("<span class=line>#</span><br>")}</pre></td><td class="code"><pre>{each("<span class=line>@</span><br>")}'
    "</pre></td></tr></table></figure>",
    "Eleventy": f'<pre class="language-python"><code>{each("<span class=highlight-line>@</span>", "<br>")}</code></pre>',
    "SyntaxHighlighter": '<div id="highlighter_1" class="syntaxhighlighter python"><div class="toolbar"><span>'
    '<a href="#" class="toolbar_item command_help help">?</a></span></div><table border="0"><tbody><tr><td class="gutter">'
    + each('<div class="line number# index# alt2">#</div>')
    + f'</td><td class="code"><div class="container">{WITH_BLANKS}</div></td></tr></tbody></table></div>',
    "SyntaxHighlighter 1": '<div class="dp-highlighter"><div class="bar"><div class="tools"></div></div>'
    '<ol start="1" class="dp-py lang-python">'
    f"{each('<li class=alt><span>@</span></li>').replace('    ', '&nbsp;' * 4)}</ol></div>",
    "Crayon": '<div id="crayon-1" class="crayon-syntax lang-python"><div class="crayon-toolbar"><span class="crayon-title">'
    f'f.py</span></div><div class="crayon-plain-wrap"><textarea class="crayon-plain">{escape(CODE)}</textarea></div>'
    '<div class="crayon-main"><table class="crayon-table"><tr class="crayon-row"><td class="crayon-nums">'
    f'<div class="crayon-nums-content">{each("<div class=crayon-num>#</div>")}</div></td><td class="crayon-code">'
    '<div class="crayon-pre">'
    f"{each('<div class=crayon-line>@</div>').replace('    ', '&nbsp;' * 4)}</div></td></tr></table></div></div>",
    "Enlighter": '<div class="enlighter-default enlighter-v-standard lang-python"><div class="enlighter-toolbar-top">'
    '<div class="enlighter-btn">Copy</div></div><div class="enlighter-code"><div class="enlighter">'
    f"{each('<div class=enlighter-l#><div><span>@</span></div></div>').replace('    ', '&nbsp;' * 4)}</div></div></div>",
    "GeSHi": f'<div class="geshi lang-python"><ol>{each("<li class=li1><div class=de1>@</div></li>")}</ol></div>'.replace(
        "    ", "&nbsp;" * 4
    ),
    "WP-Syntax": '<div class="wp_syntax"><table><tr><td class="line_numbers"><pre>'
    f'{COUNTED}\n</pre></td><td class="code"><pre class="lang-python">{ALL}\n</pre></td></tr></table></div>',
    "table without classes": f'<table><tr><td><pre>{COUNTED}</pre></td><td><pre class="lang-python">{ALL}</pre></td></tr></table>',
    "CodeMirror 5": '<div class="CodeMirror cm-s-default lang-python"><div><textarea></textarea></div>'
    '<div class="CodeMirror-scroll"><div class="CodeMirror-measure"><pre>xxxxxxxxxx</pre></div><div class="CodeMirror-code">'
    + each(
        '<div style="position: relative;"><div class="CodeMirror-gutter-wrapper"><div class="CodeMirror-linenumber '
        'CodeMirror-gutter-elt">#</div></div><pre class=" CodeMirror-line "><span role="presentation">@</span></pre></div>'
    )
    + "</div></div></div>",
    "CodeMirror 6": '<div class="cm-editor"><div class="cm-scroller"><div class="cm-gutters" aria-hidden="true">'
    f'<div class="cm-gutter cm-lineNumbers">{each("<div class=cm-gutterElement>#</div>")}</div></div>'
    f'<div class="cm-content" role="textbox" data-language="python">{each("<div class=cm-line>@</div>")}</div></div></div>',
    "Monaco": '<div class="monaco-editor" data-lang="python"><div class="margin"><div class="margin-view-overlays">'
    f'{each("<div><div class=line-numbers>#</div></div>")}</div></div><div class="view-lines">'
    f"{each('<div class=view-line><span>@</span></div>').replace(' ' * 4, '&nbsp;' * 4)}</div></div>",
    "Monaco, lines out of order": '<div class="monaco-editor" data-mode-id="python"><div class="view-lines">'
    + "".join(
        f'<div style="top:{19 * place}px;height:19px;" class="view-line"><span>{coloured(LINES[place])}</span></div>'
        for place in (3, 1, 0, 2, 5, 4)
    )
    + "</div></div>",
    "GitHub, a file": '<div data-lang="python"><textarea id="read-only-cursor-text-area" aria-label="file content" '
    f'class="react-blob-textarea">{escape(CODE)}</textarea><div class="react-code-file-contents" aria-hidden="true">'
    '<div class="react-line-numbers"><div class="react-line-number">1</div></div><div class="react-code-lines">'
    '<div class="react-code-line-contents"><div class="react-file-line">def f(x):</div></div></div></div></div>',
    "GitHub, lines of a file": '<div data-lang="python"><div class="react-code-file-contents"><div '
    f'class="react-line-numbers">{each("<div class=react-line-number>#</div>")}</div><div class="react-code-lines">'
    f"{each('<div class=react-code-line-contents><div><div class=react-file-line>@</div></div></div>')}</div></div></div>",
    "Hexo, name of a file": '<figure class="highlight python"><figcaption><span>f.py</span></figcaption><table><tr><td '
    f'class="gutter"><pre>{each("<span class=line>#</span><br>")}</pre></td><td class="code"><pre>'
    f"{each('<span class=line>@</span><br>').replace('1:', '<span class=number>1</span>:')}</pre></td></tr></table></figure>",
    "GitHub, a gist": '<div class="blob-wrapper data type-python"><table class="highlight js-file-line-container">'
    + each('<tr><td class="blob-num" data-line-number="#"></td><td class="blob-code blob-code-inner">@</td></tr>')
    + "</table></div>",
    "a chat, without <pre>": '<div class="codeWrapper"><button>Copy</button><div data-testid="code-language-indicator">python'
    f'</div><div class="pr-lg"><span style="display:flex"><code style="white-space:pre"><span>{ALL}</span></code></span></div></div>',
    "GitHub, a difference": '<div class="type-python"><table class="diff-table tab-size">'
    + each(
        '<tr><td class="blob-num" data-line-number="#"></td><td class="blob-num blob-num-addition" data-line-number="#"></td>'
        '<td class="blob-code"><span class="blob-code-inner blob-code-marker" data-code-marker="+">@</span></td></tr>'
    )
    + "</table></div>",
    "Ace": '<div class="ace_editor" data-lang="python"><div class="ace_gutter">'
    f'{each("<div class=ace_gutter-cell>#</div>")}</div><div class="ace_scroller"><div class="ace_layer ace_text-layer">'
    f"{each('<div class=ace_line>@</div>')}</div></div></div>",
    "flex rows": '<pre class="language-python"><code>'
    f"{each('<div class=flex><span class=select-none>#</span><span>@</span></div>')}</code></pre>",
    "a chat": '<pre><div class="rounded"><div class="flex items-center">python</div><div class="sticky"><button>Copy code'
    f'</button></div><div class="overflow-y-auto"><code class="hljs">{ALL}\n</code></div></div></pre>',
    "a header": '<div class="code-block"><div class="code-header"><span class="lang">Python</span><button>Copy</button></div>'
    f"<pre>{ALL}</pre></div>",
    "a file name": f'<div class="snippet"><div class="filename">src/f.py</div><pre class="lang-python">{ALL}</pre></div>',
    "Forem": f'<div class="highlight js-code-highlight"><pre class="highlight python"><code>{ALL}\n</code></pre>'
    '<div class="highlight__panel js-actions-panel"><div class="highlight__panel-action"><span>Enter fullscreen mode</span>'
    "</div><div><span>Exit fullscreen mode</span></div></div></div>",
    "line breaks": f'<pre class="lang-python">{each("@", "<br>")}</pre>',
    "line breaks, and line ends": f'<p><code class="lang-python">{each("@", "<br>" + chr(10))}</code></p>'.replace(
        "    ", "&nbsp;" * 4
    ),
    "a division a line": f'<pre class="lang-python">{each("<div>@</div>")}</pre>',
    "a <code> a line": f'<pre class="lang-python">{each("<code>@</code>")}</pre>',
    "a <code> a line, and line ends": f'<pre class="lang-python">{each("<code>@</code>", chr(10))}</pre>',
    "lines by their looks": '<pre class="lang-python"><code>'
    f"{each('<span class=Code_x1><b>@</b></span>')}</code></pre>",
    "Org mode": f'<div class="org-src-container"><pre class="src src-python">{ALL}\n</pre></div>',
    "Pandoc": '<div class="sourceCode" id="cb1"><pre class="sourceCode python"><code class="sourceCode python">'
    + each('<span id="cb1-#"><a href="#cb1-#" aria-hidden="true" tabindex="-1"></a>@</span>', "\n")
    + "</code></pre></div>",
    "MediaWiki": '<div class="mw-highlight mw-highlight-lang-python mw-content-ltr" dir="ltr"><pre>'
    + each('<span id="L-#"><a href="#L-#"><span class="linenos" data-line="#"></span></a>@</span>', "\n")
    + "\n</pre></div>",
    "Jupyter": f'<div class="jp-InputArea-editor"><div class="CodeMirror cm-s-jupyter"><div class="highlight hl-python">'
    f"<pre><span></span>{ALL}\n</pre></div></div></div>",
    "Enlighter, raw": f'<pre class="EnlighterJSRAW" data-enlighter-language="python">{ALL}</pre>',
    "classes of a plugin": f'<pre class="brush: python; gutter: true">{ALL}</pre>',
}


@pytest.mark.parametrize("markup", PATTERNS.values(), ids=PATTERNS)
def test_code_is_whole_and_nothing_else(markup: str) -> None:
    page = clean_visible(f"<p>Before it.</p>{markup}<p>After it.</p>")
    assert page.render("text") == f"Before it.\n\n{CODE}\n\nAfter it.\n"
    before, fence, after = (token for token in PARSER.parse(page.render("markdown")) if token.content)
    assert (before.content, after.content) == ("Before it.", "After it.")
    assert (fence.info, fence.content) == ("python", f"{CODE}\n")
    (element,) = turbohtml.parse(page.render("html")).select("pre > code")
    assert (element.attrs["class"], element.text) == (["language-python"], CODE)
    (coded,) = etree.fromstring(page.render("tei").encode()).iter(f"{TEI}code")
    assert (coded.get("lang"), coded.text) == ("python", CODE)


@pytest.mark.parametrize(
    ("markup", "code"),
    [
        ("<pre><span class='gp'>$ </span>ls\n<span class='gp'>$ </span>cd</pre>", "$ ls\n$ cd"),
        ("<pre><span style='user-select: none'>&gt;&gt;&gt; </span>f()</pre>", ">>> f()"),
        ("<pre><span class=gd>-old</span>\n<span class=gi>+new</span></pre>", "-old\n+new"),
        ("<pre class='line-numbers'>1\n2</pre>", "1\n2"),
        ("<pre>10 PRINT\n20 GOTO 10</pre>", "10 PRINT\n20 GOTO 10"),
        ("<pre><code>a</code> and <code>b</code></pre>", "a and b"),
        ("<pre><b>Usage:</b> <code>a</code></pre>", "Usage: a"),
        ("<pre><code><span class=a>x</span><span class=b>y</span><span class=a>z</span></code></pre>", "xyz"),
    ],
)
def test_what_is_code_stays(markup: str, code: str) -> None:
    assert clean_visible(f"<p>a</p>{markup}<p>b</p>").render("text") == f"a\n\n{code}\n\nb\n"


@pytest.mark.parametrize("output", ["text", "markdown", "html", "tei"])
def test_lines_that_mdbook_hides_are_no_code(output: str) -> None:
    listing = '<span class="boring">fn main() {\n</span>let a = 1;\n    b(a);\n<span class="boring">}</span>'
    page = clean_visible(f'<p>x</p><pre><code class="language-rust hide-boring">{listing}</code></pre><p>y</p>')
    assert "fn main" not in page.render(output)
    assert "}" not in page.render("text")
    assert page.render("markdown") == "x\n\n```rust\nlet a = 1;\n    b(a);\n```\n\ny\n"


def test_words_beside_code_stay() -> None:
    html = "<p>Python</p><h2>Copy</h2><pre>x</pre><p>Run it.</p><p>main.rs</p>"
    assert clean_visible(html).render("text") == "Python\n\nCopy\n\nx\n\nRun it.\n\nmain.rs\n"


def test_dropped_lines_stay_dropped() -> None:
    page = clean_visible("<pre><div>a</div><div>b</div><div>c</div></pre>", drop="b")
    assert page.render("text").split() == ["a", "c"]


def test_code_in_items_and_cells() -> None:
    listing = "<pre><code><div>a</div><div>  b</div></code></pre>"
    html = f"<ul><li>x {listing}</ul><table><tr><th>c<th>d<tr><td>{listing}<td>e</table>"
    expected = "- x\n\n  ```\n  a\n    b\n  ```\n\n| c | d |\n| --- | --- |\n| `a`<br>`  b` | e |\n"
    assert clean_visible(html).render("markdown") == expected


def test_commands_of_the_wiki_of_gentoo(markdown: Render) -> None:
    prompt = '<code style="user-select: none">root <span>#</span></code>'
    lines = f"<div>{prompt}<code>emerge -a b</code></div><div>{prompt}<code>c</code></div>"
    html = (
        f'<p>a</p><div class="cmd-box">{lines}<span class="mw-collapsible"><pre>Usage:\n  d</pre></span></div><p>e</p>'
    )
    assert "a\n\n```\nroot # emerge -a b\nroot # c\n```\n\n```\nUsage:\n  d\n```\n\ne" in markdown(html)


@pytest.mark.parametrize("language", ["en", "de-CH", "x-klingon"])
def test_the_language_of_words_is_none_of_code(markdown: Render, language: str) -> None:
    assert markdown(f"<p>a</p><pre lang={language}>b\nc</pre>") == "a\n\n```\nb\nc\n```\n"


def test_diagrams_are_code(markdown: Render, text: Render) -> None:
    html = "<p>Above.</p><div class=mermaid>\ngraph LR\n  A--&gt;B\n</div><p>Below.</p>"
    assert markdown(html) == "Above.\n\n```mermaid\ngraph LR\n  A-->B\n```\n\nBelow.\n"
    drawn = "<p>Above.</p><div class=mermaid data-processed=true><div>graph LR</div><p>A</p></div>"
    assert "```" not in markdown(drawn)
    assert "graph LR A-->B" in text(html)


def test_signatures_of_doxygen_are_code(markdown: Render) -> None:
    html = (
        '<p>Above.</p><div class="memproto"><table class="memname"><tr><td class="memname">bool boil </td><td>(</td><td '
        'class="paramtype">int&#160;</td><td class="paramname"><em>t</em></td><td>)</td></tr></table></div><p>Below.</p>'
    )
    assert markdown(html) == "Above.\n\n```\nbool boil (int t)\n```\n\nBelow.\n"


def test_the_name_of_a_file_is_no_listing_of_its_own(markdown: Render) -> None:
    """As Quarto writes it."""
    html = (
        '<p>Above.</p><div class="code-with-filename"><div class="code-with-filename-file"><pre><strong>f.py</strong></pre></div>'
        "<div><pre><code>x = 1</code></pre></div></div>"
    )
    assert markdown(html) == "Above.\n\n```python\nx = 1\n```\n"


def test_a_poem_is_no_code() -> None:
    page = clean_visible('<pre class="wp-block-verse">Rain on the leaves,\nand none on me.</pre>')
    assert page.render("markdown") == "Rain on the leaves,\\\nand none on me.\n"


def test_listings_in_the_posts_of_phpbb(markdown: Render) -> None:
    label = "<tr><td><span class=genmed><b>Code:</b></span></td></tr>"
    html = f"<p>a</p><table>{label}<tr><td class=code>b = 1;<br />\n&nbsp; c = *2*;</td></tr></table><p>d</p>"
    assert "```\nb = 1;\n  c = *2*;\n```" in markdown(html)


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(
            '<div class="codeheader">Code:</div><code class="bbc_code">b = 1;<br />&nbsp; c;</code>', id="SMF"
        ),
        pytest.param('<div class="w3-code notranslate jsHigh">b = 1;<br>&nbsp; c;</div>', id="W3Schools"),
        pytest.param(
            '<div class="ql-code-block-container"><div class="ql-code-block">b = 1;</div><div '
            'class="ql-code-block">&nbsp; c;</div></div>',
            id="Quill",
        ),
    ],
)
def test_listings_without_preformatted_text(markdown: Render, html: str) -> None:
    assert "\nb = 1;\n  c;\n```" in markdown(f"<p>a</p>{html}<p>d</p>")


def test_listings_of_w3schools_name_their_language(markdown: Render) -> None:
    assert "```python\nb = 1\n```" in markdown('<p>a</p><div class="w3-code notranslate pythonHigh">b = 1<br></div>')


def test_numbers_that_only_their_order_tells(markdown: Render) -> None:
    lines = [f'<span style="color: #008080;">{number}</span> <b>{text}</b>' for number, text in enumerate("abc", 1)]
    picture = '<a href="javascript:void(0);" title="复制代码"><img src="/copycode.gif" alt="复制代码"></a>'
    html = f'<div class="cnblogs_code"><div>{picture}</div><pre>{chr(10).join(lines)}</pre><div>{picture}</div></div>'
    assert markdown(f"<p>x</p>{html}<p>y</p>") == "x\n\n```\na\nb\nc\n```\n\ny\n"


def test_the_blank_after_a_number_is_no_indentation(markdown: Render) -> None:
    html = '<pre><span class="hl-gutter ">1</span> a:\n<span class="hl-gutter ">2</span>     b</pre>'
    assert markdown(html) == "```\na:\n    b\n```\n"


def test_blanks_that_give_a_line_its_height(markdown: Render) -> None:
    for blank in (" ", "&nbsp;"):
        html = f'<pre><code><span class="line">a</span>\n<span class="line">{blank}</span>\n<span class="line">b</span>'
        assert markdown(html) == "```\na\n\nb\n```\n"


def test_paragraphs_in_the_code_of_medium(markdown: Render) -> None:
    html = '<pre class="a"><span id="x1" class="b">├── c</span><span id="x2" class="b d">│   ├── e<br>f</span></pre>'
    assert markdown(html) == "```\n├── c\n│   ├── e\nf\n```\n"


def test_an_editor_in_a_pre(markdown: Render) -> None:
    lines = "".join(f'<pre class="CodeMirror-line"><span>{text}</span></pre>' for text in ("a", "\u200b", "    b"))
    measure = '<div class="CodeMirror-measure"><pre><span>xxxxxxxxxx</span></pre></div>'
    html = f'<div class="CodeMirror">{measure}<div class="CodeMirror-code">{lines}</div></div>'
    assert markdown(f'<pre class="md-fences" lang="python">{html}</pre>') == "```python\na\n\n    b\n```\n"


def test_the_bar_of_a_theme_of_hexo(markdown: Render) -> None:
    bar = '<div class="highlight-tools"><i class="expand"></i><div class="code-lang">python</div></div>'
    table = "<table><tr><td class=gutter><pre>1<br>2</pre></td><td class=code><pre>a<br>b</pre></td></tr></table>"
    html = f'<figure class="highlight python">{bar}{table}</figure>'
    assert markdown(html) == "```python\na\nb\n```\n"


def test_a_class_that_begins_as_one_of_languages(markdown: Render) -> None:
    html = '<div class="highlight highlight--with-header"><pre><code>a</code></pre></div>'
    assert markdown(html) == "```\na\n```\n"


def test_listings_of_writerside(markdown: Render) -> None:
    html = '<p>x</p><div class="code-block" data-lang="kotlin">\nfun a() {\n    b()\n}\n</div><p>y</p>'
    assert markdown(html) == "x\n\n```kotlin\nfun a() {\n    b()\n}\n```\n\ny\n"
    wrapper = '<div class="code-block" data-lang="kotlin"><p>a</p></div>'
    assert markdown(wrapper) == "a\n"


def test_an_example_of_go(markdown: Render) -> None:
    html = (
        '<p>x</p><textarea class="Documentation-exampleCode code">package main\n\nfunc main() {\n\ta()\n}\n</textarea>'
    )
    assert markdown(html) == "x\n\n```\npackage main\n\nfunc main() {\n\ta()\n}\n```\n"


def test_words_for_listeners_above_a_terminal(markdown: Render) -> None:
    header = '<figcaption class="header"><span class="title"></span><span class="sr-only">Terminal window</span></figcaption>'
    listing = '<pre data-language="sh"><code><div class="ec-line"><div class="code">a</div></div></code></pre>'
    html = (
        f'<ol><li><p>x</p><div class="expressive-code"><figure class="frame">{header}{listing}</figure></div></li></ol>'
    )
    assert markdown(html) == "1. x\n\n   ```sh\n   a\n   ```\n"


def test_listings_of_latexml(markdown: Render) -> None:
    number = '<span class="ltx_tag ltx_tag_listingline"><span class="ltx_text" style="font-size:50%;">{}</span></span>'
    first = f'<div class="ltx_listingline">{number.format(1)}<span class="ltx_text ltx_lst_keyword">for</span><span class="ltx_text ltx_lst_space"> </span>t:</div>'
    second = (
        f'<div class="ltx_listingline">{number.format(2)}<span class="ltx_text ltx_lst_space">    </span>mix(t)</div>'
    )
    data = '<div class="ltx_listing_data"><a download="" href="data:text/plain;base64,Zm9y">\u2b07</a></div>'
    listing = f'<div class="ltx_listing ltx_lstlisting">{data}{first}{second}</div>'
    assert markdown(f"<p>a</p>{listing}") == "a\n\n```\nfor t:\n    mix(t)\n```\n"


def test_a_table_in_preformatted_text_is_no_code(markdown: Render) -> None:
    """As Claude's answers have it."""
    table = "<table><thead><tr><th>Leaf</th><th>Minutes</th></tr></thead><tbody><tr><td>Green</td><td>3</td></tr></tbody></table>"
    expected = "| Leaf | Minutes |\n| --- | --- |\n| Green | 3 |"
    assert markdown(f"<p>a</p><pre class=font-styrene>{table}</pre><p>b</p>") == f"a\n\n{expected}\n\nb\n"
