//! Areas of code: what a reader sees as one listing, whatever elements its tool writes for lines and line numbers.
//!
//! An area is a `<pre>`, a table that sets line numbers beside one, an editor or the output of a highlighting plugin, or
//! a `<code>` with lines of its own. Areas do not contain each other.
#![forbid(unsafe_code)]

use super::characters::{is_space, strip};
use super::page_view::PageView;
use super::segmentation::Segments;
use super::tags::{attribute, number_of, set, TAGS};
use crate::html::attributes::STYLE;

const CODE: i32 = number_of("code");
const FIGURE: i32 = number_of("figure");
const TABLE: i32 = number_of("table");
const TEXT: i32 = number_of("#text");
/// Element of Distill's articles for code.
pub const CODE_OF_DISTILL: &str = "d-code";
/// Classes of formulas that are written as code: `math` fences of GitLab, Forgejo and remark-math.
const CLASSES_OF_FORMULAS: [&str; 2] = ["js-render-math", "language-math"];
/// Class of poems that WordPress writes.
const CLASS_OF_POEMS: &str = "wp-block-verse";
const TEXTAREA: i32 = number_of("textarea");
/// Rows from a table to the `<pre>` with its line numbers: `<tbody>`, `<tr>`, `<td>`, `<div>`, and white space.
const REACH_OF_NUMBERS: usize = 12;

const HEADER_CELL: i32 = number_of("th");
/// Rows from a `<pre>` to the table that it frames: white space may be before it.
const REACH_OF_TABLE: usize = 2;

/// Classes of elements that are an area as a whole: of tables with line numbers, then of editors and plugins.
pub const CLASSES: [&str; 27] = [
    "highlighttable",
    "codehilitetable",
    "rouge-table",
    "lntable",
    "hljs-ln",
    "js-file-line-container",
    "diff-table",
    "react-code-file-contents",
    "react-code-lines",
    "react-blob-textarea",
    "documentation-examplecode",
    "codemirror",
    "cm-editor",
    "monaco-editor",
    "ace_editor",
    "syntaxhighlighter",
    "crayon-syntax",
    "urvanov-syntax-highlighter-syntax",
    "enlighter-default",
    "dp-highlighter",
    "codecolorer-container",
    "wp_syntax",
    "geshi",
    "mw-geshi",
    "geshifilter",
    "ltx_lstlisting",
    FRAGMENT,
];
/// Class of the code that Doxygen writes, if it has lines: slides have fragments, too.
const FRAGMENT: &str = "fragment";
const LINE_OF_FRAGMENT: &str = "line";
/// Class of figures that are an area: static site generators in JavaScript put a table of line numbers and code into one.
pub const CLASS_OF_FIGURES: &str = "highlight";
/// How class names begin that name a language.
const LANGUAGE_CLASSES: [&str; 3] = ["language-", "lang-", "hljs"];

/// The areas of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeAreas {
    /// Rows of their elements, ascending.
    pub rows: Vec<usize>,
}

impl CodeAreas {
    /// Those of a page, in document order. Rows that may be areas by their class are given, in order.
    pub fn find(page: &PageView, named: &[usize]) -> Self {
        let (mut areas, mut end) = (CodeAreas::default(), 0);
        let has_code = page.has_tag(CODE);
        let breaks = if has_code { line_breaks_before(page) } else { Vec::new() };
        let mut add = |row: usize, is_named: bool| {
            if row >= end && is_area(page, row, is_named, &breaks) {
                areas.rows.push(row);
                end = page.subtree_end[row] as usize;
            }
        };
        // Without any of these elements, nothing but a class makes an area; most pages have none.
        if !has_code && page.sets() & set::PREFORMATTED == 0 && !has_element_of_distill(page) {
            named.iter().for_each(|&row| add(row, true));
            return areas;
        }
        let mut named = named.iter().copied().peekable();
        for row in (0..page.len()).filter(|&row| !page.is_text(row)) {
            let mut is_named = false;
            while named.next_if(|&each| each <= row).is_some() {
                is_named = true;
            }
            if is_named || may_be_area(page, row) {
                add(row, is_named);
            }
        }
        areas
    }

    /// Row of the area that a row is in.
    pub fn around(&self, page: &PageView, row: usize) -> Option<usize> {
        let place = self.rows.partition_point(|&area| area <= row).checked_sub(1)?;
        Some(self.rows[place]).filter(|&area| row < page.subtree_end[area] as usize)
    }

    /// m entries: row of the area that a block is in, or -1. Empty if there are no areas.
    pub fn of_blocks(&self, page: &PageView, segments: &Segments) -> Vec<i32> {
        if self.rows.is_empty() {
            return Vec::new();
        }
        let of_row = |&row: &i32| self.around(page, row as usize).map_or(-1, |area| area as i32);
        segments.first_row.iter().map(of_row).collect()
    }
}

/// Whether there may be code of Distill's articles.
fn has_element_of_distill(page: &PageView) -> bool {
    (0..page.other_tags.len()).any(|place| page.other_tags.get(place) == CODE_OF_DISTILL)
}

/// n + 1 entries: how many line breaks and block-level elements there are before each row.
fn line_breaks_before(page: &PageView) -> Vec<u32> {
    let mut before = Vec::with_capacity(page.len() + 1);
    let mut number = 0;
    for row in 0..page.len() {
        before.push(number);
        number += u32::from(page.is_in(row, set::BLOCK | set::LINE_BREAK));
    }
    before.push(number);
    before
}

/// Whether an element may be an area, whatever its class.
fn may_be_area(page: &PageView, row: usize) -> bool {
    let tag = page.tag[row];
    page.is_in(row, set::PREFORMATTED) || matches!(tag, CODE | TABLE) || tag as usize >= TAGS.len()
}

/// Whether an element is an area.
fn is_area(page: &PageView, row: usize, is_named: bool, breaks: &[u32]) -> bool {
    match page.tag[row] {
        TEXT => false,
        // GitHub puts all of a file into one, and only the lines on the screen beside it; Go's documentation its examples.
        TEXTAREA => is_named && has_class_of_areas(page, row),
        CODE => has_lines(page, row, breaks),
        _ if page.is_in(row, set::PREFORMATTED) => !is_no_listing(page, row),
        tag if tag as usize >= TAGS.len() && page.tag_name(tag) == CODE_OF_DISTILL => {
            strip(page.text_within(row)).contains('\n')
        }
        tag => (is_named && has_class_of_areas(page, row)) || (tag == TABLE && begins_with_numbers(page, row)),
    }
}

/// Whether a `<pre>` or the `<code>` that it begins with says that it is a formula or a poem.
pub fn is_no_listing(page: &PageView, row: usize) -> bool {
    let has_one_of = |row: usize, names: &[&str]| {
        let classes = page.value(row, attribute::CLASS).unwrap_or("");
        classes.split(is_space).any(|class| names.contains(&class))
    };
    let is_code = page.tag.get(row + 1) == Some(&CODE);
    has_one_of(row, &CLASSES_OF_FORMULAS)
        || has_one_of(row, &[CLASS_OF_POEMS])
        || is_around_table(page, row)
        || (is_code && has_one_of(row + 1, &CLASSES_OF_FORMULAS))
}

/// Whether a `<pre>` is the frame of a table of data, as answers of language models have it: nothing but a table that has
/// headers.
fn is_around_table(page: &PageView, row: usize) -> bool {
    let end = page.subtree_end[row] as usize;
    let table = match (row + 1..end).take(REACH_OF_TABLE).find(|&inner| !page.is_text(inner)) {
        Some(table) if page.tag[table] == TABLE && page.subtree_end[table] as usize == end => table,
        _ => return false,
    };
    (table..end).take(REACH_OF_NUMBERS).any(|inner| page.tag[inner] == HEADER_CELL)
}

/// Whether a class says that the whole element is code.
fn has_class_of_areas(page: &PageView, row: usize) -> bool {
    let classes = match page.value(row, attribute::CLASS) {
        Some(classes) => classes,
        None => return false,
    };
    let is_listing = |class: &str| page.tag[row] == FIGURE && class == CLASS_OF_FIGURES;
    let is_known = |class: &str| CLASSES.iter().any(|known| class.eq_ignore_ascii_case(known));
    let is_shown = |class: &str| class != FRAGMENT || is_line_of_doxygen(page, row + 1);
    classes.split(is_space).any(|class| (is_known(class) && is_shown(class)) || is_listing(class))
}

/// Whether an element is a line of the code that Doxygen writes.
pub fn is_line_of_doxygen(page: &PageView, row: usize) -> bool {
    let is_of = |row: usize, name: &str| page.value(row, attribute::CLASS).is_some_and(|class| strip(class) == name);
    let around = page.parent.get(row).copied().unwrap_or(-1);
    row < page.len() && around >= 0 && is_of(row, LINE_OF_FRAGMENT) && is_of(around as usize, FRAGMENT)
}

/// Whether the first text of a table is a `<pre>` with nothing but numbers: those of the lines beside it.
fn begins_with_numbers(page: &PageView, table: usize) -> bool {
    let end = (page.subtree_end[table] as usize).min(table + REACH_OF_NUMBERS);
    let first = (table..end).find(|&row| page.is_in(row, set::PREFORMATTED));
    first.is_some_and(|row| {
        let text = strip(page.text_within(row));
        text.contains(is_space) && text.chars().all(|character| character.is_ascii_digit() || is_space(character))
    })
}

/// Whether a `<code>` outside `<pre>` has lines: it says so, or breaks them and is all there is in its block.
fn has_lines(page: &PageView, row: usize, breaks: &[u32]) -> bool {
    let end = page.subtree_end[row] as usize;
    let is_broken = breaks[end] > breaks[row];
    let names_language = |class: &str| LANGUAGE_CLASSES.iter().any(|start| class.starts_with(start));
    let classes = page.value(row, attribute::CLASS).unwrap_or("");
    let is_preformatted = || page.value(row, STYLE).is_some_and(keeps_white_space);
    if classes.split(is_space).any(names_language) || is_preformatted() {
        return is_broken || strip(page.text_within(row)).contains('\n');
    }
    is_broken && is_alone(page, row)
}

/// Whether a style keeps line ends as they are written.
pub fn keeps_white_space(style: &str) -> bool {
    let value = style.split_once("white-space").map(|(_, rest)| rest.trim_start_matches([' ', ':'].as_slice()));
    value.is_some_and(|value| value.starts_with("pre") || value.starts_with("break-spaces"))
}

/// Whether an element has all the text of the closest block-level element around it.
fn is_alone(page: &PageView, row: usize) -> bool {
    let mut outer = page.parent[row];
    while outer >= 0 && !page.is_in(outer as usize, set::BLOCK) {
        outer = page.parent[outer as usize];
    }
    outer >= 0 && strip(page.text_within(outer as usize)).len() == strip(page.text_within(row)).len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    fn areas(html: &str) -> Vec<String> {
        let page = read(html, &Limits::default());
        let view = page.view();
        let name = |&row: &usize| view.tag_name(view.tag[row]).to_string();
        let every_row: Vec<usize> = (0..view.len()).collect();
        CodeAreas::find(&view, &every_row).rows.iter().map(name).collect()
    }

    #[test]
    fn what_is_an_area() {
        assert_eq!(areas("<pre>a</pre><xmp>b</xmp><textarea>c</textarea>"), ["pre", "xmp"]);
        assert_eq!(areas("<pre><pre>a</pre></pre>"), ["pre"]);
        assert_eq!(areas("<div class='CodeMirror x'><pre>a</pre><pre>b</pre></div>"), ["div"]);
        assert_eq!(areas("<table><tr><td><pre>1\n2</pre><td><pre>a\nb</pre></table>"), ["table"]);
        assert_eq!(areas("<table><tr><td><pre>x\n2</pre><td><pre>a\nb</pre></table>"), ["pre", "pre"]);
        assert_eq!(areas("<figure class=highlight><pre>a</pre></figure>"), ["figure"]);
        assert_eq!(areas("<pre><code class='language-math display'>x^2</code></pre>"), [""; 0]);
        assert_eq!(areas("<pre><table><tr><th>a</th></tr><tr><td>b</td></tr></table></pre>"), [""; 0]);
        assert_eq!(areas("<pre><table><tr><td>1</td><td>b</td></tr></table></pre>"), ["pre"]);
    }

    #[test]
    fn code_with_lines_is_an_area() {
        assert_eq!(areas("<p><code>a<br>b</code></p>"), ["code"]);
        assert_eq!(areas("<p>See <code>a<br>b</code></p><p><code>a</code></p>"), [""; 0]);
        assert_eq!(areas("<p>See <code class=language-c>a\nb</code></p>"), ["code"]);
        assert_eq!(areas("<p>See <code style='white-space: pre-wrap'>a\nb</code></p>"), ["code"]);
        assert_eq!(areas("<p>See <code class=language-c>a b\n</code></p>"), [""; 0]);
        assert_eq!(areas("<d-code>a\nb</d-code><d-code>a</d-code>"), ["d-code"]);
    }
}
