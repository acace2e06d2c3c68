//! The parts of an area of code: its lines, and what is no code, line numbers and buttons for example.
//!
//! One obvious place for the patterns of tools: the tables of class names below.
#![forbid(unsafe_code)]

use super::steps::count;
use crate::blocks::characters::{is_space, strip};
use crate::blocks::code_areas::is_line_of_doxygen;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, by_tag, look_up, number_of, set, TAGS};
use crate::html::attributes::{code_of, STYLE};

const CODE: i32 = number_of("code");
const TABLE: i32 = number_of("table");
const SPAN: i32 = number_of("span");
const DATA_LANG: u8 = code_of("data-lang");
/// Bytes of the text of a button or a header, at most: anything longer is code.
const LONGEST_CONTROL: usize = 80;
/// Rows from a `<pre>` to the editor in it: white space may be between them.
const REACH_OF_EDITOR: usize = 3;
/// Texts in a listing of Writerside, at most: comments may be between them.
const MOST_TEXTS: usize = 8;
/// Children of an element, at least, that can be its lines by looking alike.
const FEWEST_LINES: usize = 3;

/// Controls, drawings, names of files, and copies of the code for scripts.
#[rustfmt::skip]
const NEVER_CODE: [u32; TAGS.len() + 1] = by_tag([
    ("button", 1), ("textarea", 1), ("select", 1), ("svg", 1), ("input", 1), ("figcaption", 1),
]);
/// Block-level elements that are no lines: parts of a table, whose lines are its rows.
#[rustfmt::skip]
const NO_LINES: [u32; TAGS.len() + 1] = by_tag([
    ("td", 1), ("th", 1), ("thead", 1), ("tbody", 1), ("tfoot", 1), ("col", 1), ("colgroup", 1), ("caption", 1),
]);

/// Classes of elements that hold line numbers.
const NUMBERS: [&str; 19] = [
    "ltx_tag_listingline",
    "ln",
    "lnt",
    "lntd",
    "gl",
    "gutter",
    "gutters",
    "blob-num",
    "hljs-ln-numbers",
    "hljs-ln-n",
    "crayon-nums",
    "crayon-num",
    "urvanov-syntax-highlighter-nums",
    "nums",
    "margin",
    "margin-view-overlays",
    "select-none",
    "noselect",
    "unselectable",
];
/// Classes of line numbers, but also of numbers amid the code.
const MAYBE_NUMBERS: [&str; 2] = ["number", "numbers"];
/// What is part of other such classes: `react-syntax-highlighter-line-number`, `CodeMirror-gutter-wrapper`.
const PARTS_OF_NUMBERS: [&str; 10] =
    ["lineno", "line-no", "line_no", "linenum", "line-num", "line_num", "linenr", "line-nr", "gutter", "rownum"];
/// What is part of classes of controls.
const PARTS_OF_CONTROLS: [&str; 7] =
    ["copy", "clipboard", "toolbar", "tooltip", "code-header", "highlight-tools", "ltx_listing_data"];
/// Classes of inline elements that are lines; any other with a `display` of its own is one, too.
const LINES: [&str; 15] = [
    "line",
    "token-line",
    "view-line",
    "cm-line",
    "codemirror-line",
    "ace_line",
    "code-line",
    "codeline",
    "code__line",
    "crayon-line",
    "urvanov-syntax-highlighter-line",
    "hljs-ln-line",
    "highlight-line",
    "react-code-line",
    "gatsby-highlight-code-line",
];
/// Class of the parts of a line that Prism colours.
const TOKEN: &str = "token";
/// What is part of the classes of what appears over the code on demand: types, by twoslash.
const PARTS_OF_POPUPS: [&str; 1] = ["twoslash-popup"];
/// Class of the boxes with commands in the wiki of Gentoo: a `<code>` with the prompt and one with the command on each line,
/// and a `<pre>` with what is printed, which is an area of its own.
pub const COMMANDS: &str = "cmd-box";
/// Class of what a script draws from its text: Mermaid.
pub const DIAGRAM: &str = "mermaid";
/// Class of the listings of Writerside, which name their language and have no elements inside.
pub const OF_WRITERSIDE: &str = "code-block";
/// Class of the tables in which Doxygen sets the signature of a function, a parameter in each row.
pub const SIGNATURE: &str = "memname";
/// Class of lines that mdBook hides until a reader asks for them: what a listing needs to compile.
const HIDDEN_LINES: &str = "boring";
/// Classes of areas, and of the element in them that holds the code alone.
const CORES: [(&str, &str); 7] = [
    ("codemirror", "codemirror-code"),
    ("cm-editor", "cm-content"),
    ("monaco-editor", "view-lines"),
    ("ace_editor", "ace_text-layer"),
    ("crayon-syntax", "crayon-main"),
    ("urvanov-syntax-highlighter-syntax", "urvanov-syntax-highlighter-main"),
    ("enlighter-default", "enlighter"),
];
/// Classes of elements whose white space is shown as it is written, whatever their tag.
#[rustfmt::skip]
const EXACT: [&str; 8] = [
    "cm-line", "view-line", "ace_line", "blob-code", "react-code-line", "react-file-line", "react-blob-textarea", DIAGRAM,
];

/// Whether an element has one of some classes, in any case.
pub fn has_class(page: &PageView, row: usize, wanted: &[&str]) -> bool {
    let is_wanted = |class: &[u8]| wanted.iter().any(|known| class.eq_ignore_ascii_case(known.as_bytes()));
    page.value(row, attribute::CLASS).is_some_and(|classes| {
        // Hardly any class has other letters, and bytes take a third of the time of characters.
        if classes.is_ascii() {
            classes.as_bytes().split(|&byte| is_space(char::from(byte))).any(is_wanted)
        } else {
            classes.split(is_space).any(|class| is_wanted(class.as_bytes()))
        }
    })
}

/// Whether the classes of an element contain one of some texts, in any case.
pub fn has_part_of_class(page: &PageView, row: usize, wanted: &[&str]) -> bool {
    let classes = page.value(row, attribute::CLASS).unwrap_or("");
    !classes.is_empty() && {
        count(classes.len());
        let classes = classes.to_ascii_lowercase();
        wanted.iter().any(|part| classes.contains(part))
    }
}

/// Whether an element inside an area is no code that is shown: line numbers, a button, a bar, hidden lines.
pub fn is_no_code(page: &PageView, row: usize, begins_line: bool) -> bool {
    look_up(&NEVER_CODE, page.tag[row]) != 0
        || is_of_numbers(page, row, begins_line)
        || is_control(page, row)
        || has_part_of_class(page, row, &PARTS_OF_POPUPS)
        || has_class(page, row, &[HIDDEN_LINES])
}

/// Whether an element that is no code holds the number of the line that it stands in.
pub fn has_number(page: &PageView, row: usize) -> bool {
    let text = page.text_within(row);
    let is_inline = !page.is_in(row, set::BLOCK | set::CELL | set::PREFORMATTED);
    is_inline && text.len() <= LONGEST_CONTROL && text.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether an element holds line numbers, or would if a style sheet did not count them.
fn is_of_numbers(page: &PageView, row: usize, begins_line: bool) -> bool {
    let is_unselectable = || page.value(row, STYLE).is_some_and(|style| style.contains("user-select"));
    let says_so = || {
        has_class(page, row, &NUMBERS)
            || (begins_line && has_class(page, row, &MAYBE_NUMBERS))
            || has_part_of_class(page, row, &PARTS_OF_NUMBERS)
            || is_unselectable()
    };
    let text = page.text_within(row);
    text.chars().next().is_none_or(is_like_number) && says_so() && {
        count(text.len());
        text.chars().all(is_like_number)
    }
}

/// Whether a character occurs in columns of line numbers.
fn is_like_number(character: char) -> bool {
    character.is_ascii_digit() || is_space(character) || matches!(character, '.' | ':' | '|' | '\u{200b}')
}

/// The first `<pre>` of an area of code that is a table, before the one with the code, if it has nothing but numbers.
pub fn first_numbers(page: &PageView, area: usize) -> Option<usize> {
    let inside = if page.tag[area] == TABLE { area..page.subtree_end[area] as usize } else { 0..0 };
    let first = inside.into_iter().find(|&row| page.is_in(row, set::PREFORMATTED))?;
    page.text_within(first).chars().all(is_like_number).then_some(first)
}

/// Whether an element is a button or a bar of buttons.
fn is_control(page: &PageView, row: usize) -> bool {
    let is_button = || page.value(row, attribute::ROLE).is_some_and(|role| strip(role) == "button");
    let text = page.text_within(row);
    text.len() <= LONGEST_CONTROL && (is_button() || has_part_of_class(page, row, &PARTS_OF_CONTROLS))
}

/// Whether an element of an area is a command, or the prompt before it: a style sheet keeps them apart.
pub fn is_apart(page: &PageView, area: usize, row: usize) -> bool {
    page.tag[row] == CODE && has_class(page, area, &[COMMANDS])
}

/// Whether an element inside an area is a line, or several.
pub fn is_line(page: &PageView, row: usize) -> bool {
    if page.is_in(row, set::BLOCK) {
        return look_up(&NO_LINES, page.tag[row]) == 0;
    }
    // Prism has tokens for what stands in a line behind the sign of a difference.
    (has_class(page, row, &LINES) && !has_class(page, row, &[TOKEN])) || page.value(row, STYLE).is_some_and(makes_box)
}

/// Whether a style gives an element lines of its own.
fn makes_box(style: &str) -> bool {
    let value = style.split_once("display").map(|(_, rest)| rest.trim_start_matches([' ', ':'].as_slice()));
    let boxes = ["block", "flex", "grid", "table-row"];
    value.is_some_and(|value| boxes.iter().any(|shown| value.starts_with(shown)))
}

/// Whether an element is a listing of Writerside: the documentation of JetBrains and Kotlin.
pub fn is_of_writerside(page: &PageView, row: usize) -> bool {
    let inside = row + 1..page.subtree_end[row] as usize;
    page.attribute(row, DATA_LANG).is_some()
        && has_class(page, row, &[OF_WRITERSIDE])
        && inside.len() <= MOST_TEXTS
        && inside.into_iter().all(|inner| page.is_text(inner))
}

/// Whether white space inside an element is shown as it is written.
pub fn is_exact(page: &PageView, row: usize) -> bool {
    page.is_in(row, set::PREFORMATTED) || has_class(page, row, &EXACT) || is_line_of_doxygen(page, row)
}

/// Whether the children of an element are its lines though nothing says so: they look alike, and nothing is between them.
pub fn has_lines_as_children(page: &PageView, row: usize) -> bool {
    let (mut number, mut with_children, mut breaks) = (0, 0, false);
    let end = page.subtree_end[row] as usize;
    let mut child = row + 1;
    let is_preformatted = page.is_in(row, set::PREFORMATTED);
    if is_preformatted && has_named_spans(page, row) {
        return true;
    }
    let class = |row: usize| page.value(row, attribute::CLASS);
    while child < end {
        count(1);
        if page.is_text(child) {
            let text = page.text_between(child, child);
            if !is_preformatted || !strip(text).is_empty() {
                return false;
            }
            breaks |= text.contains('\n');
        } else if page.tag[child] != page.tag[row + 1] && !page.is_text(row + 1) || class(child) != class(row + 1) {
            return false;
        } else {
            number += 1;
            let inside = child + 1;
            with_children += usize::from(inside < page.subtree_end[child] as usize && !page.is_text(inside));
        }
        child = page.subtree_end[child] as usize;
    }
    if is_preformatted {
        // `<pre>` with a `<code>` for each line.
        return number > 1 && !breaks && page.tag.get(row + 1) == Some(&CODE);
    }
    number >= FEWEST_LINES && 2 * with_children >= number && !page.text_within(row).contains(['\n', '\x0B'].as_slice())
}

/// Whether a `<pre>` has nothing but several `<span>`s with an id each: the paragraphs of Medium, which are lines there.
fn has_named_spans(page: &PageView, row: usize) -> bool {
    let end = page.subtree_end[row] as usize;
    let (mut child, mut number) = (row + 1, 0);
    while child < end {
        count(1);
        if page.tag[child] != SPAN || page.attribute(child, attribute::ID).is_none() {
            return false;
        }
        number += 1;
        child = page.subtree_end[child] as usize;
    }
    number > 1
}

/// Row of the element inside an area that holds the code alone; the area itself if none does.
pub fn core_of(page: &PageView, area: usize) -> usize {
    if let Some(core) = core_of_editor(page, area) {
        return core;
    }
    if page.is_in(area, set::PREFORMATTED) {
        // Typora puts an editor into each `<pre>`.
        let in_it = (area + 1..(area + REACH_OF_EDITOR).min(page.subtree_end[area] as usize))
            .find(|&row| !page.is_text(row))
            .and_then(|row| core_of_editor(page, row));
        return in_it.or_else(|| only_code(page, area)).unwrap_or(area);
    }
    area
}

/// Row of the element inside an editor or the output of a plugin that holds the code alone; the element itself if none does.
fn core_of_editor(page: &PageView, row: usize) -> Option<usize> {
    let (_, core) = CORES.iter().find(|(outer, _)| has_class(page, row, &[outer]))?;
    let inside = row + 1..page.subtree_end[row] as usize;
    count(inside.len());
    Some(inside.into_iter().find(|&inner| has_class(page, inner, &[core])).unwrap_or(row))
}

/// The one `<code>` in a `<pre>`, if everything around it is in block-level elements or buttons: a header.
fn only_code(page: &PageView, area: usize) -> Option<usize> {
    let end = page.subtree_end[area] as usize;
    let mut found = None;
    let mut row = area + 1;
    while row < end {
        count(1);
        if page.tag[row] == CODE {
            if found.replace(row).is_some() {
                return None;
            }
            row = page.subtree_end[row] as usize;
            continue;
        }
        let is_bare = page.text_length[row] > 0 && {
            let parent = page.parent[row] as usize;
            parent == area || !(page.is_in(parent, set::BLOCK) || is_inside_block(page, parent, area))
        };
        if is_bare {
            return None;
        }
        row += 1;
    }
    let code = found?;
    let around = strip(page.text_within(area)).len() - strip(page.text_within(code)).len();
    (around <= LONGEST_CONTROL).then_some(code)
}

/// Whether an element is in a block-level element below some other.
fn is_inside_block(page: &PageView, row: usize, top: usize) -> bool {
    let mut outer = page.parent[row];
    while outer > top as i32 {
        count(1);
        if page.is_in(outer as usize, set::BLOCK) {
            return true;
        }
        outer = page.parent[outer as usize];
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_that_make_boxes() {
        for style in ["display:block", "color: red; display : flex;", "display:grid"] {
            assert!(makes_box(style), "{style}");
        }
        for style in ["", "display:inline-block", "display:inline", "color:block"] {
            assert!(!makes_box(style), "{style}");
        }
    }
}
