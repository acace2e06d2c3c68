//! Every further stretch of a page takes as many steps as the one before: hostile markup that makes other tree builders quadratic.
//!
//! Steps are nodes and list entries that the builder looks at or moves, so the figures are the same on every machine.

#![forbid(unsafe_code)]

mod support;

use dehusk_native::columns::Limits;
use dehusk_native::html::read_counting_steps;
use support::random_pages::{page, Random};

/// Repetitions of a part: so many that what is bounded by the depth of the stack, 512, has reached its bound.
const REPEATED: usize = 1_000;

/// How many times as many steps the third stretch of a page may take as the second. Quadratic time would take 1.67 times
/// as many.
const MOST_GROWTH: f64 = 1.1;

/// (start, repeated part): markup that leaves much open, or searches what is.
const HOSTILE: &[(&str, &str)] = &[
    ("", "<a><div>"),
    ("", "<div>"),
    ("", "<b>"),
    ("", "<b><p>"),
    ("", "<b><i><p>"),
    ("", "<p><b>x</p>"),
    ("", "<font size=1><p>"),
    ("", "<nobr><div>"),
    ("", "<a><p></a>"),
    ("", "<b><div></b>"),
    ("", "<form><div></form>"),
    ("", "<table>"),
    ("", "<table><td>"),
    ("", "<table><b>x"),
    ("<table>", "x<tr><td>y"),
    ("<table>", "<b>x"),
    ("<table>", "<object><b><tr>"),
    ("<table>", "<object><tr>"),
    ("", "<template>"),
    ("", "<template><tr><td>"),
    ("<template>", "<tr><td>x</td>"),
    ("", "<select><option>"),
    ("", "<ul><li>"),
    ("", "<dl><dt><dd>"),
    ("", "<button>"),
    ("", "<svg>"),
    ("", "<svg><desc>"),
    ("", "<math><mi>"),
    ("", "<ruby><rt>"),
    ("", "<object>"),
    ("", "<applet><b>"),
    ("", "<h1>"),
    ("", "<x-y>"),
    ("", "</p>"),
    ("", "</br>"),
    ("", "<frameset>"),
    ("<frameset>", "<frame>"),
    ("<body>", "<body class=x id=y>"),
    ("<b>", "<p class=x>x</b>"),
    ("<p>", "<img alt=x>"),
];

/// End tags that search the stack without finding what they close.
const STRAY: &[&str] =
    &["</b>", "</x-y>", "</p>", "</li>", "</td>", "</h1>", "</a>", "</select>", "</form>", "</title>"];

/// What is open while stray end tags come.
const DEEP: &[&str] =
    &["<div>", "<b>", "<i><div>", "<svg>", "<svg><g>", "<math><mi>", "<table><td>", "<x-y>", "<li>", "<a><b>"];

/// Tags that nest, or that others close.
const NESTING: &[&str] = &[
    "p",
    "div",
    "b",
    "a",
    "nobr",
    "font",
    "table",
    "tr",
    "td",
    "caption",
    "select",
    "option",
    "li",
    "dd",
    "h1",
    "form",
    "button",
    "template",
    "svg",
    "math",
    "foreignObject",
    "mi",
    "object",
    "frameset",
    "ruby",
    "rt",
    "x-y",
];

fn steps(html: &str) -> f64 {
    read_counting_steps(html, &Limits::default()).1 as f64
}

/// Three pages, each a stretch longer than the one before: the stretches take as many steps.
fn assert_linear(name: &str, page: impl Fn(usize) -> String) {
    let [first, second, third] = [1, 2, 3].map(|stretches| steps(&page(stretches * REPEATED)));
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
fn stray_end_tags_take_linear_time() {
    for deep in DEEP {
        for stray in STRAY {
            assert_linear(&format!("{deep} {stray}"), |times| deep.repeat(times) + &stray.repeat(times));
        }
    }
}

#[test]
fn every_pair_of_nesting_tags_takes_linear_time() {
    for first in NESTING {
        for second in NESTING {
            for part in [format!("<{first}><{second}>x"), format!("<{first}><{second}></{first}>")] {
                assert_linear(&part, |times| part.repeat(times));
            }
        }
    }
}

#[test]
fn random_markup_repeated_takes_linear_time() {
    for seed in 0..300 {
        let part = page(&mut Random::new(seed + 77), 12);
        assert_linear(&part, |times| part.repeat(times));
    }
}

#[test]
fn a_tag_takes_few_steps() {
    // The bound on open elements is what makes everything linear; this is what it costs at worst.
    let html = "<div>".repeat(600) + "<b>" + &"<p></b><b>".repeat(10_000);
    assert!(steps(&html) < 2_000.0 * 10_000.0);
}

#[test]
fn attributes_take_linear_time() {
    // Names are not compared with one another: the time of this test says so, as the steps do not count attributes.
    let html = format!("<p {}>x<b {}>y", "class=a id=b x-c=d ".repeat(200_000), "class=a x-c=d ".repeat(200_000));
    assert_eq!(read_counting_steps(&html, &Limits::default()).0.attribute_name.len(), 3);
}

#[test]
fn unclosed_formatting_does_not_multiply() {
    let limits = Limits::default();
    let html = (0..400).map(|number| format!("<font size={number}>")).collect::<String>() + &"<p>x".repeat(8_000);
    let page = read_counting_steps(&html, &limits).0;
    assert!(page.len() < 30_000, "{} rows", page.len());
    assert_eq!(page.text.len(), 8_000);
}
