# ruff: noqa: E501 - markup as tools write it
"""Formulas as the tools of the web write them: LaTeX, once, in its place."""

from __future__ import annotations

from html import escape

import pytest
import turbohtml
from keep_visible import Render, clean_visible
from lxml import etree

from dehusk import OutputOptions

LATEX = r"\frac{a}{b}+x_i"
TEI = "{http://www.tei-c.org/ns/1.0}"
MROW = "<mrow><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>+</mo><msub><mi>x</mi><mi>i</mi></msub></mrow>"
SEMANTICS = f'<semantics>{MROW}<annotation encoding="application/x-tex">{LATEX}</annotation></semantics>'
MATH = f'<math xmlns="http://www.w3.org/1998/Math/MathML">{SEMANTICS}</math>'
GLYPHS = '<span class="base"><span class="mord">a</span><span class="vlist">b</span></span>+xi'
KATEX = f'<span class="katex"><span class="katex-mathml">{MATH}</span><span class="katex-html" aria-hidden="true">{GLYPHS}</span></span>'
DRAWN = f'<span class="MathJax" id="MathJax-Element-1-Frame" tabindex="0"><nobr aria-hidden="true">{GLYPHS}</nobr><span class="MJX_Assistive_MathML" role="presentation"><math>{MROW}</math></span></span>'
DRAWN_PLAINLY = f'<span class="MathJax" id="MathJax-Element-1-Frame">{GLYPHS}</span>'
PREVIEW = '<span class="MathJax_Preview" style="color: inherit;"></span>'
CODED = "%5Cfrac%7Ba%7D%7Bb%7D%2Bx_i"

INLINE = {
    "Distill": f"<d-math>{LATEX}</d-math>",
    "MathJax 2, on a server": f'<span class="mjpage"><span class="mjx-chtml"><span class="mjx-math" aria-label="{LATEX}"><span class="mjx-mrow" aria-hidden="true">{GLYPHS}</span></span></span></span>',
    "GitLab, around code": f'<span data-math-style="inline" class="js-render-math code math"><code>{LATEX}</code></span>',
    "remark-math": f'<code class="language-math math-inline">{LATEX}</code>',
    "Doxygen": f'<img class="formulaInl" alt="${LATEX}$" src="form_0.png"/>',
    "an image of a formula": f'<img class="formula" alt="{LATEX}" src="f1.png">',
    "KaTeX": KATEX,
    "KaTeX, hidden MathML": KATEX.replace('"katex-mathml"', '"katex-mathml" style="display:none"'),
    "MathJax 2": f'{PREVIEW}{DRAWN}<script type="math/tex" id="MathJax-Element-1">{LATEX}</script>',
    "MathJax 2, without MathML": f'{PREVIEW}{DRAWN_PLAINLY}<script type="math/tex">{LATEX}</script>',
    "MathJax 2, SVG": f'{PREVIEW}<span class="MathJax_SVG"><svg><text>ab</text></svg></span><script type="math/tex">{LATEX}</script>',
    "MathJax 2, not drawn": f'<script type="math/tex">{LATEX}</script>',
    "MathJax 2, drawn before": f'<span class="MathJax_Preview">[math]</span><script type="math/tex">{LATEX}</script>',
    "Temml": f'<math class="tml-display" style="display:inline math;">{SEMANTICS}</math>'.replace("tml-display", "tml"),
    "LaTeXML": f'<math id="S1.m1" class="ltx_Math" alttext="{LATEX}" display="inline">{SEMANTICS}</math>',
    "Wikipedia": f'<span class="mwe-math-element"><span class="mwe-math-mathml-inline mwe-math-mathml-a11y" style="display: none;">{MATH}</span>'
    f'<img src="/math/1" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="{{\\displaystyle {LATEX}}}"></span>',
    "WordPress": f'<img src="https://s0.wp.com/latex.php?latex={CODED}&amp;bg=ffffff" alt="{LATEX}" class="latex">',
    "WordPress, alt missing": f'<img src="https://s0.wp.com/latex.php?latex={CODED}&amp;bg=ffffff">',
    "CodeCogs": f'<img src="https://latex.codecogs.com/svg.latex?%5Cinline%20{CODED}" title="formula">',
    "Zhihu": f'<span class="ztext-math" data-eeimg="1" data-tex="{LATEX}">{KATEX}</span>',
    "data-math": f'<span data-math="{LATEX}">{GLYPHS}</span>',
    "data-expr": f'<span class="x" data-expr="{LATEX}"></span>',
    "data-katex": f'<span class="x" data-katex="{LATEX}"></span>',
    "data-equation": f'<span class="x" data-equation="{LATEX}"></span>',
    "data-latex, empty": f'<span class="formula" data-latex="{LATEX}"></span>',
    "Substack": '<span class="latex-inline" data-attrs="{&quot;persistentExpression&quot;:&quot;\\\\frac{a}{b}+x_i&quot;,&quot;id&quot;:&quot;A&quot;}"></span>',
    "JATS": f'<tex-math id="M1">\\documentclass{{minimal}} \\begin{{document}}${LATEX}$\\end{{document}}</tex-math>',
    "GitLab": f'<code class="code math js-render-math" data-math-style="inline">{LATEX}</code>',
    "GitHub": f'<math-renderer class="js-inline-math" style="display: inline">${LATEX}$</math-renderer>',
    "Pandoc": f'<span class="math inline">\\({LATEX}\\)</span>',
    "MkDocs": f'<span class="arithmatex">\\({LATEX}\\)</span>',
    "CSDN": '<span class="katex--inline"><span class="katex"><span class="katex-mathml">\n    \n     \n      a\n      \n      b\n     \n'
    f'     \n     {LATEX}\n    \n   </span><span class="katex-html">{GLYPHS}</span></span></span>',
    "Kramdown": f'<script type="math/tex">% <![CDATA[\n{LATEX} %]]></script>',
    "Zenn": f'<embed-katex><eq class="zenn-katex">{LATEX}</eq></embed-katex>',
    "Zenn, drawn": f"<embed-katex>{KATEX}</embed-katex>",
    "MathLive": f"<math-field read-only>{LATEX}</math-field>",
    "WP-KaTeX": f'<span class="wp-katex-eq" data-display="false">{LATEX}</span>',
    "lwarp": f'<img class="inlinemath" src="d-images/lateximage-1.svg" alt="\\({LATEX}\\)">',
    "LaTeX2HTML": f'<img src="img1.png" alt="$\\displaystyle {LATEX}$">',
    "Moodle": f'<img class="texrender" alt="{LATEX}" src="/filter/tex/pix.php/ab.gif">',
    "MathWorld": f'<img src="/images/equations/Tea/Inline1.svg" class="inlineformula" alt="{LATEX}" width="30" height="20">',
    "Cambridge": '<span class="inline-formula"><span class="alternatives"><img class="inline-graphic" src="a.png"><span '
    f'class="mathjax-tex-wrapper"><span class="tex mathjax-tex-math">${LATEX}$</span></span></span></span>',
    "MathJax 4, SVG": f'<mjx-container class="MathJax" jax="SVG"><svg><g data-mml-node="math" data-latex="{LATEX}"><g '
    'data-mml-node="mi" data-latex="x"><path data-c="1D465"></path></g></g></svg></mjx-container>',
    "Codeforces": f"$$${LATEX}$$$",
    "Pressbooks": f"[latex]{LATEX}[/latex]",
    "dollars": f"${LATEX}$",
    "round brackets": f"\\({LATEX}\\)",
}
DISPLAYED = {
    "GitLab, a fence": f'<pre data-math-style="display" class="code highlight language-math"><code>{LATEX}</code></pre>',
    "Distill": f"<d-article><d-math block>{LATEX}</d-math></d-article>",
    "GitLab": f'<pre data-math-style="display" class="js-render-math code math"><code>{LATEX}</code></pre>',
    "remark-math": f'<pre><code class="language-math math-display">{LATEX}</code></pre>',
    "Doxygen": f'<p class="formulaDsp"><img class="formulaDsp" alt="\\[ {LATEX} \\]" src="form_1.png"/></p>',
    "KaTeX": f'<span class="katex-display">{KATEX}</span>',
    "MathJax 2": f'{PREVIEW}<div class="MathJax_Display" style="text-align: center;">{DRAWN}</div><script type="math/tex; mode=display">{LATEX}</script>',
    "MathJax 2, not drawn": f'<script type="math/tex; mode=display">{LATEX}</script>',
    "Temml": f'<math display="block" class="tml-display" style="display:block math;">{SEMANTICS}</math>',
    "LaTeXML": f'<table class="ltx_equation"><tr><td></td><td><math alttext="{LATEX}" display="block">{MROW}</math></td><td>(1)</td></tr></table>',
    "Wikipedia": f'<div class="mwe-math-element mwe-math-element-block"><div class="mwe-math-mathml-display" style="display: none;">{MATH}</div>'
    f'<img src="/math/1" class="mwe-math-fallback-image-display" aria-hidden="true" alt="{LATEX}"></div>',
    "Substack": '<div class="latex-rendered" data-attrs="{&quot;persistentExpression&quot;:&quot;\\\\frac{a}{b}+x_i&quot;}"></div>',
    "Sphinx": f'<div class="math notranslate nohighlight">\\[{LATEX}\\]</div>',
    "Pandoc": f'<p><span class="math display">\\[{LATEX}\\]</span></p>',
    "Zenn": f'<section class="zenn-katex"><eqn><embed-katex display-mode="1">{LATEX}</embed-katex></eqn></section>',
    "IEEE": f'<disp-formula><tex-math notation="LaTeX">\\begin{{equation*}}{LATEX}\\end{{equation*}}</tex-math></disp-formula>',
    "ACM": f'<div class="display-equation"><span class="tex">\\begin{{equation}}{LATEX}\\end{{equation}}</span></div>',
    "Zhihu": f'<p><img src="https://www.zhihu.com/equation?tex={CODED}" alt="{LATEX}" eeimg="1"></p>',
    "a fence": f'<pre><code class="language-math">{LATEX}</code></pre>',
    "Codeforces": f"<p>$$$$$${LATEX}$$$$$$</p>",
    "dollars": f"<p>$${LATEX}$$</p>",
    "dollars on lines of their own": f"<p>$$<br>{LATEX}<br>$$</p>",
    "environment": f"<p>\\begin{{equation}}{LATEX}\\end{{equation}}</p>",
}
CONVERTED = {
    "MathML": f"<math>{MROW}</math>",
    "MathJax 3": f'<mjx-container class="MathJax" jax="CHTML" tabindex="0"><mjx-math aria-hidden="true"><mjx-mi><mjx-c></mjx-c></mjx-mi></mjx-math><mjx-assistive-mml unselectable="on" display="inline"><math>{MROW}</math></mjx-assistive-mml></mjx-container>',
    "MathJax 3, SVG": f'<mjx-container class="MathJax" jax="SVG"><svg><title>x</title></svg><mjx-assistive-mml><math>{MROW}</math></mjx-assistive-mml></mjx-container>',
    "MathJax 2, data-mathml": f'<span class="MathJax" data-mathml="{escape(f"<math>{MROW}</math>")}">{GLYPHS}</span>',
}


def shown(markup: str, images: bool) -> tuple[str, str, list[str], str]:
    """Markdown, text of the html, formulas of the TEI document, plain text."""
    page = clean_visible(markup)
    options = OutputOptions(images=images)
    html = turbohtml.parse(page.render("html", options)).select_one("body")
    tei = etree.fromstring(page.render("tei", options).encode()).iter(f"{TEI}formula")
    return page.render("markdown", options), html.text if html else "", [one.text for one in tei], page.render("text")


@pytest.mark.parametrize("images", [False, True])
@pytest.mark.parametrize("markup", INLINE.values(), ids=INLINE)
def test_a_formula_in_a_sentence(markup: str, images: bool) -> None:
    markdown, html, tei, text = shown(f"<p>If {markup} holds.</p><p>Next.</p>", images)
    assert markdown == f"If ${LATEX}$ holds.\n\nNext.\n"
    assert html.split("\n")[1] == f"If \\({LATEX}\\) holds."
    assert tei == [LATEX]
    assert text == f"If ${LATEX}$ holds.\n\nNext.\n"


@pytest.mark.parametrize("images", [False, True])
@pytest.mark.parametrize("markup", [*DISPLAYED.values(), CONVERTED["MathML"].replace("<math", "<math display=block")])
def test_a_formula_between_paragraphs(markup: str, images: bool) -> None:
    markdown, html, tei, _ = shown(f"<p>We see</p>{markup}<p>at once.</p>", images)
    found = markdown.replace("\\frac{a}{b} + x_{i}", LATEX).replace("\n\n(1)", "")
    assert found == f"We see\n\n$${LATEX}$$\n\nat once.\n"
    assert len(tei) == 1
    assert html.count("\\[") == 1


@pytest.mark.parametrize("markup", CONVERTED.values(), ids=CONVERTED)
def test_mathml_is_converted(markup: str) -> None:
    assert shown(f"<p>If {markup} holds.</p>", False)[0] == "If $\\frac{a}{b} + x_{i}$ holds.\n"


def test_mathml_of_math_type_is_converted() -> None:
    written = "«math xmlns=¨http://www.w3.org/1998/Math/MathML¨»«msup»«mi»x«/mi»«mn»2«/mn»«/msup»«/math»"
    html = f"<p>a <img class=Wirisformula src=data:, alt='x squared' data-mathml='{written}' role=math> b</p>"
    assert clean_visible(html).render("markdown") == "a $x^{2}$ b\n"


@pytest.mark.parametrize("markup", [INLINE["KaTeX"], INLINE["MathJax 2"], INLINE["dollars"], CONVERTED["MathJax 3"]])
def test_formulas_in_cells_and_items(markup: str) -> None:
    html = f"<table><tr><th>a<th>b<tr><td>{markup}<td>c</table><ul><li>{markup}</ul>"
    found = clean_visible(html).render("markdown").replace("\\frac{a}{b} + x_{i}", LATEX)
    assert found == f"| a | b |\n| --- | --- |\n| ${LATEX}$ | c |\n\n- ${LATEX}$\n"


@pytest.mark.parametrize(
    ("mathml", "latex"),
    [
        ("<mi>x</mi><mo>=</mo><mn>1</mn>", "x = 1"),
        ("<mi>α</mi><mi>x</mi>", r"\alpha x"),
        ("<mi>sin</mi><mo>&#8289;</mo><mi>x</mi>", r"\sin x"),
        ("<mi>rank</mi><mi>A</mi>", r"\operatorname{rank}A"),
        ("<msup><mi>x</mi><mn>2</mn></msup>", "x^{2}"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_{i}^{2}"),
        ("<msup><mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow><mn>2</mn></msup>", "(x)^{2}"),
        ("<msup><mrow><mi>x</mi><mi>y</mi></mrow><mn>2</mn></msup>", "{xy}^{2}"),
        ("<msup><mi>f</mi><mo>′</mo></msup>", "f'"),
        ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", r"\sqrt{x + 1}"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", r"\sqrt[3]{x}"),
        ("<mfrac><mi>a</mi><mi>b</mi></mfrac>", r"\frac{a}{b}"),
        ("<mo>(</mo><mfrac linethickness='0'><mi>n</mi><mi>k</mi></mfrac><mo>)</mo>", r"\binom{n}{k}"),
        ("<mfrac linethickness='0px'><mi>n</mi><mi>k</mi></mfrac>", r"{n \atop k}"),
        (
            "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>",
            r"\sum_{i = 1}^{n}i",
        ),
        ("<munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mi>∞</mi></mrow></munder>", r"\lim_{x \to \infty}"),
        ("<mover><mi>x</mi><mo>^</mo></mover>", r"\hat{x}"),
        ("<mover><mi>v</mi><mo>→</mo></mover>", r"\vec{v}"),
        ("<mover><mrow><mi>A</mi><mi>B</mi></mrow><mo>¯</mo></mover>", r"\overline{AB}"),
        ("<mover><mo>=</mo><mtext>def</mtext></mover>", r"\overset{\text{def}}{=}"),
        ("<munder><mi>x</mi><mo>_</mo></munder>", r"\underline{x}"),
        ("<munder><mi>A</mi><mi>b</mi></munder>", r"\underset{b}{A}"),
        ("<mi mathvariant='bold'>v</mi>", r"\mathbf{v}"),
        ("<mi mathvariant='normal'>d</mi><mi>x</mi>", r"\mathrm{d}x"),
        ("<mi mathvariant='normal'>∞</mi>", r"\infty"),
        ("<mi>ℝ</mi><mi>𝒜</mi><mi>𝔭</mi>", r"\mathbb{R}\mathcal{A}\mathfrak{p}"),
        ("<mi>x</mi><mtext>&nbsp;if&nbsp;</mtext><mi>y</mi>", r"x\text{ if }y"),
        ("<mi>a</mi><mspace width='1em'/><mi>b</mi>", r"a\quad b"),
        ("<mo>{</mo><mi>x</mi><mo>}</mo>", r"\{x\}"),
        ("<mrow><mo>(</mo><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>)</mo></mrow>", r"\left(\frac{a}{b}\right)"),
        ("<mfenced><mi>x</mi><mi>y</mi></mfenced>", r"\left(x,y\right)"),
        ("<mfenced open='|' close='|'><mi>x</mi></mfenced>", r"\left|x\right|"),
        (
            "<mrow><mo>[</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable><mo>]</mo></mrow>",
            r"\begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix}",
        ),
        (
            "<mrow><mo>{</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mi>x</mi></mtd></mtr></mtable></mrow>",
            r"\begin{cases} 1 & x \end{cases}",
        ),
        (
            "<mtable><mtr><mtd><mi>x</mi></mtd><mtd><mo>=</mo><mn>1</mn></mtd></mtr></mtable>",
            r"\begin{aligned} x & =1 \end{aligned}",
        ),
        (
            "<mmultiscripts><mi>X</mi><mi>a</mi><mi>b</mi><mprescripts/><mi>c</mi><none/></mmultiscripts>",
            "{}_{c}X_{a}^{b}",
        ),
        ("<menclose notation='box'><mi>x</mi></menclose>", r"\boxed{x}"),
        ("<menclose notation='circle'><mi>x</mi></menclose>", "x"),
        ("<mphantom><mi>x</mi></mphantom>", r"\phantom{x}"),
        ("<semantics><mi>x</mi><annotation-xml><ci>y</ci></annotation-xml></semantics>", "x"),
        ("<mstyle displaystyle='true'><mi>x</mi></mstyle>", "x"),
        ("<mo>∫</mo><mi>f</mi><mi>d</mi><mi>x</mi>", r"\int fdx"),
        ("<mi>a</mi><mo>≤</mo><mi>b</mi><mo>∈</mo><mi>C</mi>", r"a \leq b \in C"),
        ("<mo>-</mo><mn>1</mn>", "-1"),
        ("<mn>50</mn><mo>%</mo>", r"50\%"),
        ("<unknown><mi>x</mi></unknown>", "x"),
    ],
)
def test_mathml_as_latex(mathml: str, latex: str) -> None:
    page = clean_visible(f"<p>a <math>{mathml}</math> b</p>")
    (formula,) = etree.fromstring(page.render("tei").encode()).iter(f"{TEI}formula")
    assert formula.text == latex


@pytest.mark.parametrize(
    "text", ["It costs $5 or $10.", "Set $HOME and $PATH.", "Write \\[1\\] here.", "A $ and a \\ here."]
)
def test_what_is_no_formula_is_text(text: str) -> None:
    page = clean_visible(f"<p>{text}</p>")
    assert page.render("text") == f"{text}\n"
    assert not list(etree.fromstring(page.render("tei").encode()).iter(f"{TEI}formula"))


def test_code_has_no_formulas() -> None:
    page = clean_visible("<p>Write <code>$x^2$</code> or <code>\\(x\\)</code>.</p><pre>$x^2$</pre>")
    assert page.render("markdown") == "Write `$x^2$` or `\\(x\\)`.\n\n```\n$x^2$\n```\n"


def test_hidden_formulas_stay_hidden() -> None:
    page = clean_visible(f"<p>a</p><div hidden>{KATEX}</div><p>b</p>")
    assert page.render("text") == "a\n\nb\n"


def test_parts_of_an_equation_that_a_table_sets_are_one_formula() -> None:
    cell = '<td class="ltx_td ltx_eqn_cell"><math class="ltx_Math" alttext="\\displaystyle{}" display="inline"><mi>y</mi></math></td>'
    row = '<tr class="ltx_equation ltx_eqn_row"><td class="ltx_eqn_cell"></td>{}<td class="ltx_eqn_eqno">(1)</td></tr>'
    rows = "".join(row.format(cell.format(left) + cell.format(right)) for left, right in (("y", "=z+1"), (" w", "=z")))
    html = f'<p>We see</p><table class="ltx_equationgroup ltx_eqn_align ltx_eqn_table"><tbody>{rows}</tbody></table>'
    found = clean_visible(html).render("markdown")
    assert found == "We see\n\n$$y =z+1$$\n\n(1)\n\n$$w =z$$\n\n(1)\n"


def test_formulas_that_wikis_indent(markdown: Render) -> None:
    assert markdown(f"<p>So<dl><dd>\\({LATEX}\\)</dd></dl><p>holds.") == f"So\n\n${LATEX}$\n\nholds.\n"
    fallback = f'<img class="mwe-math-fallback-image-inline" src="/math/1" alt="{LATEX}">'
    shown = f'<span class="mwe-math-element"><span class="mwe-math-mathml-inline" style="display: none;">{MATH}</span>{fallback}</span>'
    assert markdown(f"<p>So<dl><dd>{shown}</dd></dl><p>holds.") == f"So\n\n$${LATEX}$$\n\nholds.\n"


def test_names_of_environments_keep_their_stars(markdown: Render) -> None:
    assert markdown(r"<p>\begin{align*} x*y &= z \end{align*}</p>") == "$$\\begin{align*} x* y &= z \\end{align*}$$\n"


def test_no_blank_between_a_formula_in_a_box_and_a_comma() -> None:
    drawn = f'<span class="katex" style="display:inline-block"><math><semantics><annotation encoding="application/x-tex">{LATEX}</annotation></semantics></math></span>'
    written = f'<math-renderer class="js-inline-math" style="display: inline-block">${LATEX}$</math-renderer>'
    for formula in (drawn, written):
        assert f"If ${LATEX}$, then" in clean_visible(f"<p>If {formula}, then (or {formula}).</p>").render("markdown")
