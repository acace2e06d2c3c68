//! What elements say of the formulas in them: where these begin and end, and whether they have lines of their own.
#![forbid(unsafe_code)]

use super::code_parts::{has_class, has_part_of_class};
use super::mathml::latex_of;
use super::steps::count;
use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{number_of, set};
use crate::columns::Limits;
use crate::html::attributes::code_of;
use crate::html::read;

const TYPE: u8 = code_of("type");
const MATH: i32 = number_of("math");
/// Elements between a formula and the outermost of those that a tool puts around it.
pub const MOST_AROUND: usize = 6;
/// What stands before LaTeX in an attribute of newsletters.
const EXPRESSION: &str = "\"persistentExpression\":\"";
/// Classes of elements that tools put around a formula.
const AROUND: [&str; 29] = [
    "katex-mathml",
    "katex--inline",
    "katex--display",
    "katex",
    "katex-display",
    "katex-block",
    "mjx_assistive_mathml",
    "mathjax",
    "mathjax_display",
    "mathjax_svg",
    "mathjax_svg_display",
    "mathjax_chtml",
    "mathjax_mathml",
    "mathjax_preview",
    "mjx-chtml",
    "mjx-full-width",
    "mjxc-display",
    "mwe-math-mathml-inline",
    "mwe-math-mathml-display",
    "mwe-math-mathml-a11y",
    "mwe-math-element",
    "ztext-math",
    "latex-rendered",
    "tml-display",
    "temml",
    "math-inline",
    "math-block",
    "mjpage",
    "mjpage__block",
];
/// What is part of the classes of formulas with a line of their own.
#[rustfmt::skip]
const PARTS_OF_DISPLAYED: [&str; 10] = [
    "display", "image-block", "element-block", "math-block", "latex-rendered", "formuladsp", "mjpage__block", "mathjax-block",
    "latexcenter", "numberedequation",
];
/// How the environments are named that have a line of their own.
const DISPLAYED: [&str; 6] = ["equation", "align", "gather", "multline", "eqnarray", "displaymath"];
/// Rows of a paragraph with nothing but a formula, at most.
const LARGEST_BLOCK: usize = 24;
const IMAGE: i32 = number_of("img");
const PREFORMATTED: i32 = number_of("pre");
const DISPLAY: u8 = code_of("display");
const STYLE_OF_MATH: u8 = code_of("data-math-style");
const DIVISION: i32 = number_of("div");

/// Whether a `<math>` has variables, numbers or operators, and no blocks of text, which only broken pages put there.
pub fn is_convertible(page: &PageView, math: usize) -> bool {
    let inside = math + 1..page.subtree_end[math] as usize;
    count(inside.len());
    let name = |row: usize| page.tag_name(page.tag[row]);
    inside.clone().any(|row| matches!(name(row), "mi" | "mn" | "mo"))
        && !inside.into_iter().any(|row| page.is_in(row, set::BLOCK))
}

/// Row of the outermost element that a tool puts around a formula; its own if there is none.
pub fn outermost(page: &PageView, row: usize) -> usize {
    let is_around = |&row: &usize| page.tag_name(page.tag[row]).starts_with("mjx-") || has_class(page, row, &AROUND);
    page.ancestors(row).take(MOST_AROUND).take_while(is_around).last().unwrap_or(row)
}

/// Whether an element is part of a formula that MathJax has drawn, below its top.
pub fn has_part_of_formula_around(page: &PageView, row: usize) -> bool {
    let name = |row: usize| page.tag_name(page.tag[row]);
    let is_part = |row: usize| name(row).starts_with("mjx-") && !matches!(name(row), "mjx-container" | "mjx-math");
    is_part(row) || page.ancestors(row).next().is_some_and(|row| is_part(row) || name(row) == "mjx-math")
}

/// How many shown texts and how many images there are before each row, and in all: what is in an element is asked of many
/// formulas in it.
pub struct Shown {
    texts: Vec<u32>,
    images: Vec<u32>,
}

impl Shown {
    /// Those of a page.
    pub fn on(page: &PageView) -> Self {
        count(page.len());
        let is_text = |row: usize| page.text_length[row] > 0 && page.hidden[row] == 0;
        let is_image = |row: usize| page.tag[row] == IMAGE;
        Shown { texts: running_counts(page.len(), is_text), images: running_counts(page.len(), is_image) }
    }

    /// Whether the page shows text of an element.
    pub fn has_text(&self, page: &PageView, row: usize) -> bool {
        self.texts[page.subtree_end[row] as usize] > self.texts[row]
    }

    /// How many images are in an element.
    fn images_in(&self, page: &PageView, row: usize) -> u32 {
        self.images[page.subtree_end[row] as usize] - self.images[row]
    }
}

/// How many rows are counted before each row, and in all.
fn running_counts(rows: usize, is_counted: impl Fn(usize) -> bool) -> Vec<u32> {
    let mut counted = 0;
    let counts = (0..rows).map(|row| {
        counted += u32::from(is_counted(row));
        counted
    });
    std::iter::once(0).chain(counts).collect()
}

/// Whether an element says that its formula has a line of its own.
pub fn is_displayed(page: &PageView, row: usize) -> bool {
    let says = |name: u8, test: &dyn Fn(&str) -> bool| page.value(row, name).is_some_and(test);
    let is_block =
        |value: &str| ["block", "true", "display"].iter().any(|word| strip(value).eq_ignore_ascii_case(word));
    says(DISPLAY, &is_block)
        || says(STYLE_OF_MATH, &is_block)
        || says(TYPE, &|value| value.to_ascii_lowercase().contains("mode=display"))
        || has_part_of_class(page, row, &PARTS_OF_DISPLAYED)
        || (page.tag[row] == DIVISION && has_class(page, row, &["math"]))
        || (has_class(page, row, &["language-math"]) && page.tag[page.parent[row].max(0) as usize] == PREFORMATTED)
}

/// Whether LaTeX stands between delimiters of formulas with a line of their own.
pub fn has_display_delimiters(text: &str) -> bool {
    let text = strip(text);
    text.starts_with("$$")
        || text.starts_with(r"\[")
        || text.starts_with(r"\begin{document} $$")
        || text.strip_prefix(r"\begin{").is_some_and(|rest| DISPLAYED.iter().any(|name| rest.starts_with(name)))
}

/// Whether a formula is all that a description shows, as wikis indent formulas, or an image of one all of a paragraph or
/// another part of the page.
pub fn is_all_of_block(page: &PageView, shown: &Shown, row: usize, is_image: bool) -> bool {
    let block = page.ancestors(row).take(MOST_AROUND).find(|&row| page.is_in(row, set::BLOCK)).unwrap_or(0);
    let may_be_whole = match page.tag_name(page.tag[block]) {
        "dd" => true,
        "p" | "div" | "center" | "figure" => is_image,
        _ => false,
    };
    let end = page.subtree_end[block] as usize;
    may_be_whole
        && end - block <= LARGEST_BLOCK.max(page.subtree_end[row] as usize - row + MOST_AROUND)
        && strip(page.text_within(block)).len() == strip(page.text_within(row)).len()
        && shown.images_in(page, block) == shown.images_in(page, row)
}

/// The LaTeX of MathML that is written in an attribute.
pub fn latex_of_markup(markup: &str) -> String {
    // MathType writes its markup with other signs, which need not be escaped.
    let is_of_math_type = markup.starts_with('«');
    let written =
        if is_of_math_type { markup.replace('«', "<").replace('»', ">").replace('¨', "\"") } else { String::new() };
    let page = read(if is_of_math_type { &written } else { markup }, &Limits::default());
    let view = page.view();
    let math = (0..view.len()).find(|&row| view.tag[row] == MATH);
    math.map_or(String::new(), |row| latex_of(&view, row))
}

/// The LaTeX in an attribute of newsletters: a JSON string.
pub fn expression_in(value: &str) -> Option<String> {
    let (_, rest) = value.split_once(EXPRESSION)?;
    let (mut latex, mut characters) = (String::new(), rest.chars());
    loop {
        match characters.next()? {
            '"' => return Some(latex),
            '\\' => latex.push(match characters.next()? {
                'n' | 't' | 'r' => ' ',
                other => other,
            }),
            other => latex.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_in_attributes() {
        let value = r#"{"persistentExpression":"\\alpha \"x\"","id":"A"}"#;
        assert_eq!(expression_in(value).as_deref(), Some(r#"\alpha "x""#));
        assert_eq!(expression_in("{\"persistentExpression\":\"x"), None);
        assert_eq!(expression_in("{}"), None);
    }
}
