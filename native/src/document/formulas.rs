//! Formulas as LaTeX, where a page provides it: in MathML, MathJax scripts, and the alternative text of images.
//!
//! MathML without LaTeX stays plain text.
#![forbid(unsafe_code)]

use super::source::Source;
use super::texts::{folded, without_controls};
use crate::blocks::characters::{is_space, is_word, strip};
use crate::blocks::page_view::{entry, PageView};
use crate::blocks::tags::{attribute, number_of, TAGS};
use crate::html::attributes::code_of;
use std::collections::BTreeMap;

const ALT: u8 = code_of("alt");
const ALTERNATIVE_TEXT: u8 = code_of("alttext");
const DISPLAY: u8 = code_of("display");
const ENCODING: u8 = code_of("encoding");
const TYPE: u8 = code_of("type");
const MATH: i32 = number_of("math");
const IMAGE: i32 = number_of("img");
const SCRIPT: i32 = number_of("script");
const ANNOTATION: &str = "annotation";
/// How the type of a script begins that holds a formula.
const MATH_SCRIPT: &str = "math/tex";

/// Classes of images of formulas, with LaTeX as alternative text.
const CLASSES_OF_IMAGES: [&str; 5] = ["tex", "latex", "math", "ee_img", "math-tex"];
/// How such a class of MediaWiki begins.
const CLASS_OF_FALLBACKS: &str = "mwe-math-fallback-image-";
/// What is in LaTeX and hardly in other text.
const SIGNS_OF_LATEX: [char; 4] = ['\\', '^', '_', '{'];
const DELIMITERS: [(&str, &str); 5] =
    [("$$", "$$"), ("$", "$"), (r"\[", r"\]"), (r"\(", r"\)"), (r"{\displaystyle ", "}")];

/// A formula that has LaTeX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// On one line, without delimiters.
    pub latex: String,
    /// Whether it has a line of its own.
    pub is_displayed: bool,
    /// Whether it is an image or a script, which contain no text of the page.
    pub is_textless: bool,
}

/// The formulas of a page by the row of their element.
pub type Formulas = BTreeMap<usize, Formula>;

/// All formulas of a page that have LaTeX. Later sources take the place of earlier ones.
pub fn find_formulas(source: &Source) -> Formulas {
    let mut formulas = Formulas::new();
    find_elements(source.page, &mut formulas);
    find_images(source.page, &mut formulas);
    find_scripts(source, &mut formulas);
    formulas
}

/// Notes a formula, unless it is empty.
fn add(page: &PageView, formulas: &mut Formulas, row: usize, text: &str, is_textless: bool) {
    let latex = without_controls(bare_latex(&folded(text)));
    if !latex.is_empty() {
        formulas.insert(row, Formula { latex, is_displayed: is_displayed(page, row), is_textless });
    }
}

/// `<math>` elements: the attribute that LaTeXML writes, or their annotation.
fn find_elements(page: &PageView, formulas: &mut Formulas) {
    if !page.tag.contains(&MATH) {
        return;
    }
    for index in page.attributes_named(ALTERNATIVE_TEXT) {
        let row = page.row_of_attribute(index);
        if page.tag[row] == MATH {
            add(page, formulas, row, page.value_of(index), false);
        }
    }
    let place = match (0..page.other_tags.len()).find(|&place| page.other_tags.get(place) == ANNOTATION) {
        Some(place) => (TAGS.len() + place) as i32,
        None => return,
    };
    let closest = page.closest(|row| page.tag[row] == MATH);
    for index in page.attributes_named(ENCODING) {
        let row = page.row_of_attribute(index);
        let owner = entry(&closest, row as i32);
        if page.tag[row] == place && owner >= 0 && page.value_of(index).to_ascii_lowercase().contains("tex") {
            add(page, formulas, owner as usize, page.text_within(row), false);
        }
    }
}

/// Images of formulas.
fn find_images(page: &PageView, formulas: &mut Formulas) {
    for index in page.attributes_named(ALT) {
        let value = page.value_of(index);
        // The cheapest check first.
        if !value.contains(SIGNS_OF_LATEX) {
            continue;
        }
        let row = page.row_of_attribute(index);
        // The image itself may be hidden from screen readers, which read the MathML beside it.
        let is_shown = page.tag[row] == IMAGE && page.hidden[page.parent[row].max(0) as usize] == 0;
        if is_shown && page.value(row, attribute::CLASS).map_or(false, is_of_a_formula) {
            add(page, formulas, row, value, true);
        }
    }
}

/// Scripts for MathJax.
fn find_scripts(source: &Source, formulas: &mut Formulas) {
    for (index, &row) in source.embedded_row.iter().enumerate() {
        let row = row as usize;
        let of_type = source.page.value(row, TYPE).unwrap_or("");
        let is_math = of_type.get(..MATH_SCRIPT.len()).map_or(false, |start| start.eq_ignore_ascii_case(MATH_SCRIPT));
        if source.page.tag[row] == SCRIPT && is_math {
            add(source.page, formulas, row, source.embedded.get(index), true);
        }
    }
}

/// Whether a class attribute is that of an image of a formula.
fn is_of_a_formula(classes: &str) -> bool {
    classes
        .split(is_space)
        .any(|class| CLASSES_OF_IMAGES.iter().any(|known| class.eq_ignore_ascii_case(known)) || is_fallback(class))
}

/// Whether a class is MediaWiki's for images instead of MathML.
fn is_fallback(class: &str) -> bool {
    let length = CLASS_OF_FALLBACKS.len();
    class.get(..length).map_or(false, |start| start.eq_ignore_ascii_case(CLASS_OF_FALLBACKS))
        && class.len() > length
        && class[length..].chars().all(is_word)
}

/// Whether an element says that its formula has a line of its own.
fn is_displayed(page: &PageView, row: usize) -> bool {
    let says = |name: u8, test: &dyn Fn(&str) -> bool| page.value(row, name).map_or(false, test);
    says(DISPLAY, &|value| strip(value).eq_ignore_ascii_case("block"))
        || says(TYPE, &|value| value.to_ascii_lowercase().contains("mode=display"))
        || says(attribute::CLASS, &|value| value.contains("image-display") || value.contains("image-block"))
}

/// LaTeX without delimiters.
fn bare_latex(folded: &str) -> &str {
    let mut latex = folded;
    for (begin, end) in DELIMITERS {
        let inside = latex.strip_prefix(begin).and_then(|rest| rest.strip_suffix(end));
        latex = inside.map_or(latex, strip);
    }
    latex
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_that_it_is_a_formula_goes() {
        let cases = [
            ("$x$", "x"),
            ("$$ x $$", "x"),
            (r"\(x\)", "x"),
            (r"\[ x \]", "x"),
            (r"{\displaystyle x}", "x"),
            ("$", "$"),
            ("", ""),
        ];
        for (text, latex) in cases {
            assert_eq!(bare_latex(text), latex, "{text}");
        }
    }

    #[test]
    fn classes_of_images_of_formulas() {
        for class in ["latex", "a TEX", "math-tex b", "mwe-math-fallback-image-inline x"] {
            assert!(is_of_a_formula(class), "{class}");
        }
        for class in ["", "latexed", "mwe-math-fallback-image-", "mwe-math-fallback-image-a-b"] {
            assert!(!is_of_a_formula(class), "{class}");
        }
    }
}
