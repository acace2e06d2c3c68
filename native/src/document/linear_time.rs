//! Every further stretch of a page takes as many steps as the one before, whatever the page repeats or nests.
#![forbid(unsafe_code)]

use super::document_columns::document_columns;
use super::read_documents::{markdown_of, markup_of, text_of, with_document, EVERYTHING};
use super::source::show;
use super::steps::steps_of;

/// Repetitions of a part: so many that what is bounded by the depth of pages, 512, has reached its bound.
const REPEATED: usize = 700;
/// How many times as many steps the third stretch of a page may take as the second. Quadratic time would take 1.67 times
/// as many.
const MOST_GROWTH: f64 = 1.1;

/// (start, repeated part).
#[rustfmt::skip]
const HOSTILE: &[(&str, &str)] = &[
    ("", "<a href=/x>y</a> "), ("", "<p><a href=/x>y</a>"), ("<a href=/x>", "<div>y</div>"), ("<a href=/x>", "y<br>"),
    ("", "<ul><li>x"), ("<ul>", "<li>x"), ("<ul>", "<ul><li>x</ul>"), ("", "<ul><ul>x"), ("<ol>", "<li value=7>x</li>"),
    ("", "<blockquote>x"), ("", "<blockquote><ul><li>x"), ("<dl>", "<dt>a<dd>b"), ("", "<dl><dt>a<dd>b"),
    ("<dl>", "<dt>a"), ("<dl>", "<div><dt>a<dd>b</div>"), ("", "<li>x"), ("<blockquote>", "<li>x</li>y"),
    ("<table>", "<tr><td>x<td>y"), ("<table><tr>", "<td>x"), ("<table>", "<tr><td rowspan=9999>x<td colspan=999>y"),
    ("<table>", "<tr><td rowspan=0 colspan=1000>x<td>y"), ("<table><tr><th>a<th>b", "<tr><td><ul><li>x<li>y</ul><td>z"),
    ("", "<table><caption>c</caption><tr><td>1<td>2<tr><td>3<td>4</table>"), ("", "<table><tr><td>x"),
    ("", "<b>x<i>y"), ("<p>", "<b>x</b><i>y</i>"), ("<p>", "<b><i>x</i></b>*"), ("<p>", "<code>`</code>"),
    ("<p>", "<code>x</code>"), ("<p>", "<q>a <a href=/x>b</a></q> "), ("<p><q>", "a <a href=/x>b</a> "), ("<p>", "!<a href=/x>b</a>"),
    ("<p>", "<ruby>a<rt>b</rt></ruby>"), ("<p>", "<sup>2</sup>x"), ("<p>", "x<br>"), ("<p>", "_&"),
    ("<p>", "<i hidden>x</i>y"), ("", "<p><i hidden>x</i>y"), ("<p>x", "<b> </b>y"), ("<p>x", "<br> <b> </b>y"),
    ("<p id=n>", "<sup><a href=#n>1</a></sup>"), ("", "<p><sup><a href=#n>1</a></sup><p id=n>x"),
    ("<p>", "<sup><a href=#n>*</a></sup>"), ("<p><sup><a href=#n>1</a></sup></p>", "<p id=n>x <a href=#n>y</a>"),
    ("<p>x</p>", "<img src=/i alt='x^2' class=tex><p>x</p>"), ("<p>x", "<img src=/i alt='x^2' class=tex>"),
    ("<p>", "<script type=math/tex>x_1</script> y "), ("<p>", "<math alttext='x^2'><mi>x</mi></math>"),
    ("<p>", "<math><mfrac><mi>x</mi><mi>y</mi></mfrac></math> "), ("<p><math>", "<mo>(</mo><mfrac><mi>x</mi>"), ("<p><math>", "<mi>x</mi><mo>(</mo>"),
    ("<p><math>", "<mrow><mi>x</mi>"), ("<p><math>", "<munder><mi>x</mi>"), ("<p><math>", "<msup>x"), ("<p><math>", "<mtable><mtr><mtd>x"),
    ("<p>", "<span class=katex>x"), ("<p>", "<span class=katex><math><mi>x</mi></math></span> "), ("<p>", "$x^2$ "), ("<p>", "$x^2 "),
    ("<p>", "&#92;(x "), ("<p>", "&#92;[x "), ("<p>", "$$x "), ("<p>", "&#92;begin{align}x "), ("<p>", "<span class=MathJax>x</span>"),
    ("<p>", "<span class=MathJax>x</span><script type=math/tex>x</script>"), ("<p>", "<span data-math='x^2'>x"), ("<p>", "<mjx-container>x"),
    ("<p>x", "<img src=/i alt=y>z"), ("<p>x</p>", "<img src=/i><p>x</p>"), ("", "<figure><img src=/i>x"),
    ("", "<figure><img src=/i><figcaption>x</figcaption></figure>"), ("<pre class=lang-c>", "x\n"),
    ("", "<pre class=lang-c>x\n\n</pre>"), ("<pre>", "<p>x"), ("", "<h2>x #</h2>"), ("<p>", "x&#92;"), ("", "<p lang=de>x"),
    ("", "<div class='admonition tip'><p class=title>x</p>y"), ("", "<div class=callout>x</div>"), ("<div class=callout>", "<b class=title>x</b>"),
    ("<p>x</p>", "<img src=data:,><noscript><img src=/i></noscript><p>x</p>"), ("<p>x</p><picture>", "<source srcset=/i><img src=/j>"),
    ("<p>x</p>", "<img srcset='/i 1w, /j 2w'><p>x</p>"), ("", "<p>x</p><iframe title=t src=https://a.example/></iframe>"),
    ("<p>x</p>", "<figure><img src=/i>"), ("<h2>", "<a href=#a>#</a>"), ("", "<h2>x<a href=#a>#</a></h2>"), ("", "<h2>x</h2><h5>y</h5>"),
    ("<p>", "x<span class=sidenote>y</span>"), ("<p><span class=sidenote>", "x<span class=sidenote>y</span>"),
    ("<p><a href=#n><sup>1</sup></a><p>", "<a name=n></a>x<br>"), ("", "<p><a href=#n><sup>1</sup></a><li><p id=n>x<a href=#>↩</a>"),
    ("<pre>", "<div>x</div>"), ("<pre>x", "<i> </i>\n"), ("<div class=cm-editor>x", "<i> </i>\n"), ("<pre><code>", "<span class=x><b>y</b></span>"), ("<pre>", "<code>x</code>"),
    ("<table class=highlighttable>", "<tr><td class=lineno>1<td>x"), ("<table>", "<tr><td><pre>1\n2</pre><td><pre>x</pre>"),
    ("<div class=CodeMirror>", "<div class=gutter>1</div><pre>x</pre>"), ("", "<div class=code><button>Copy</button><pre>x</pre></div>"),
    ("", "<code class=language-c>x<br>"), ("", "<div class=lineno>1"), ("<pre>", "<div class=lineno>1"), ("<p><code>", "x<br>\n"),
    ("", "<div lang=de><p>x"), ("<p>", "[x](y)"), ("", "<section><article>x"), ("", "<textarea>a  b\n</textarea>"),
    ("<p>x</p><div class=gallery>", "<a href=/i.jpg><img src=/i></a>"), ("<h1>x</h1>", "<div class='gallery hero'><img src=/i>"),
    ("<p>One* two.</p><p>* A note.</p><p>x", "["), ("<p>One* two.</p><p>* A note.</p><p>x", "²"), ("<p>1² 2.</p><p>² A note.</p><p>x", "<sup>2,2</sup>"),
    ("<p>One* two.</p>", "<p>* A note."), ("<p>One* two.</p><p>x", "<br>* A note."), ("<div role=grid>", "<div role=row><div role=cell>x</div><div role=cell>y</div></div>"),
    ("", "<div role=row><div role=cell>x"), ("", "<div class='pro-tip quote'>x"), ("", "<p class=has-background>x"), ("<p>", "<img class=emoji alt=x src=/i>"),
    ("<p hidden>x</p><header class=hero>", "<a href=/i.jpg><img src=/i></a>"), ("", "<div class=icon>x<img src=/i></div>"),
];

/// Everything that is made of a page.
fn make_all(html: &str) {
    text_of(html);
    markdown_of(html);
    markup_of(html);
    with_document(html, EVERYTHING | show::LOCALES, |document| drop(document_columns(&document)));
}

/// Three pages, each a stretch longer than the one before: the stretches take as many steps.
fn assert_linear(name: &str, page: impl Fn(usize) -> String) {
    let steps = |stretches: usize| steps_of(|| make_all(&page(stretches * REPEATED))) as f64;
    let [first, second, third] = [1, 2, 3].map(steps);
    assert!(third > REPEATED as f64, "{name}: only {third} steps were counted");
    let most = MOST_GROWTH * (second - first) + REPEATED as f64;
    assert!(third - second <= most, "{name}: {first}, {second}, {third} steps");
}

#[test]
fn repeated_markup_takes_linear_time() {
    for (start, part) in HOSTILE {
        assert_linear(&format!("{start}{part}"), |times| format!("{start}{}", part.repeat(times)));
    }
}

#[test]
fn output_stays_in_step_with_the_page() {
    let address = "a".repeat(60_000);
    let html = format!("<a href=/{address}>{}</a>", "<p>x</p>".repeat(3_000));
    // Written at each of the paragraphs it would be 180 megabytes.
    assert!(markdown_of(&html).len() < 20 * html.len());
    for (start, part) in HOSTILE {
        let html = format!("{start}{}", part.repeat(2_000));
        let longest = 60 * html.len();
        assert!(text_of(&html).len() < longest && markdown_of(&html).len() < longest, "{start}{part}");
        assert!(markup_of(&html).iter().all(|written| written.len() < longest), "{start}{part}");
    }
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let work = || {
        for tag in
            ["ul><li", "blockquote", "figure", "dl><dd", "table><tr><td", "b", "q", "div", "ruby><rt", "a href=/x"]
        {
            make_all(&(format!("<{tag}>x").repeat(2_000) + "y"));
        }
    };
    // A quarter of what threads usually have.
    std::thread::Builder::new().stack_size(512 << 10).spawn(work).unwrap().join().unwrap();
}
