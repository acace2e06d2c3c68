//! Formulas as LaTeX: in MathML, scripts for MathJax, attributes, texts and images of formulas.
//!
//! A formula stands in for an element: the outermost of those that a tool puts around it, so that its twins for readers
//! and for screen readers become one. MathML without LaTeX is converted (`mathml`).
#![forbid(unsafe_code)]

use super::code_parts::has_class;
use super::formula_elements::{
    expression_in, has_display_delimiters, has_part_of_formula_around, is_all_of_block, is_convertible, is_displayed,
    latex_of_markup, outermost, Shown, MOST_AROUND,
};
use super::formula_images::{latex_of_image, SIGNS_OF_LATEX};
use super::mathjax::{mathml_of, CONTAINER, NODE};
use super::mathml::latex_of;
use super::steps::count;
use super::texts::{folded, without_controls};
use crate::blocks::characters::{is_space, strip};
use crate::blocks::page_view::{PageView, StringList};
use crate::blocks::tags::{attribute, by_tag, look_up, number_of, set, TAGS};
use crate::html::attributes::code_of;
use std::collections::BTreeMap;

const ALTERNATIVE_TEXT: u8 = code_of("alttext");
const DATA_ATTRIBUTES: u8 = code_of("data-attrs");
const DATA_FORMULA: u8 = code_of("data-formula");
const DATA_LATEX: u8 = code_of("data-latex");
const DATA_MATH: u8 = code_of("data-math");
const DATA_MATHML: u8 = code_of("data-mathml");
const DATA_TEX: u8 = code_of("data-tex");
const DATA_EXPRESSION: u8 = code_of("data-expr");
const DATA_KATEX: u8 = code_of("data-katex");
const DATA_EQUATION: u8 = code_of("data-equation");
const ENCODING: u8 = code_of("encoding");
const LABEL: u8 = code_of("aria-label");
const TYPE: u8 = code_of("type");
const MATH: i32 = number_of("math");
const IMAGE: i32 = number_of("img");
const SCRIPT: i32 = number_of("script");
const ANNOTATION: &str = "annotation";
/// Class of the table rows that LaTeXML sets equations in.
const ROW_OF_EQUATION: &str = "ltx_eqn_row";
/// What it writes before the parts of an equation.
const IN_DISPLAY: &str = "\\displaystyle";
/// Drawings of one formula before its script, at most: a preview, a rendering and a copy for screen readers are three.
const MOST_DRAWINGS: usize = 8;
/// How the type of a script begins that holds a formula.
const MATH_SCRIPT: &str = "math/tex";
/// Elements that hold LaTeX as text.
#[rustfmt::skip]
const ELEMENTS_OF_TEXT: [&str; 9] = [
    "tex-math", "la-tex", ELEMENT_OF_DISTILL, ELEMENT_OF_ZENN, "eq", "eqn", "math-field", "math-span", "ka-tex",
];
/// The one of Zenn's articles, which a script draws within itself: around or in an `<eq>`, or in an `<eqn>` of its own line.
const ELEMENT_OF_ZENN: &str = "embed-katex";
/// The one of Distill's articles: it has a line of its own unless it is in a paragraph, an item or the like.
const ELEMENT_OF_DISTILL: &str = "d-math";
const ARTICLE_OF_DISTILL: &str = "d-article";
/// Elements with running text.
#[rustfmt::skip]
const HOLDS_TEXT: [u32; TAGS.len() + 1] = by_tag([
    ("p", 1), ("li", 1), ("td", 1), ("th", 1), ("dt", 1), ("dd", 1), ("figcaption", 1), ("caption", 1),
    ("h1", 1), ("h2", 1), ("h3", 1), ("h4", 1), ("h5", 1), ("h6", 1),
]);
const CODE: i32 = number_of("code");
/// Bytes of LaTeX that an element has as its text, at most.
const LONGEST_TEXT: usize = 4_000;

/// Those of MathJax before the script with the LaTeX.
const BEFORE_SCRIPTS: [&str; 9] = [
    "mathjax_preview",
    "mathjax",
    "mathjax_display",
    "mathjax_svg",
    "mathjax_svg_display",
    "mathjax_chtml",
    "mathjax_mathml",
    "mjx-chtml",
    "mjxc-display",
];
/// Classes of elements whose text is LaTeX.
#[rustfmt::skip]
const CLASSES_OF_TEXT: [&str; 17] = [
    "math", "math-inline", "math-display", "math-block", "tex", "latex", "inline-math", CLASS_OF_GITLAB, CLASS_OF_FENCES,
    "tex-math", "katex-eq", "wp-katex-eq", "katex--inline", "katex--display", "katex-error", "mathjax-inline", "mathjax-block",
];
/// Class of journals around an image of a formula and the same formula as LaTeX.
const CLASS_OF_ALTERNATIVES: &str = "alternatives";
/// Class of formulas that MathJax 2 has drawn on a server, with LaTeX for screen readers.
const CLASS_OF_LABELLED: &str = "mjx-math";
/// Class of formulas around a `<code>` with the LaTeX.
const CLASS_OF_GITLAB: &str = "js-render-math";
/// Class of fences whose language is that of formulas.
const CLASS_OF_FENCES: &str = "language-math";
/// Class around the MathML of KaTeX. CSDN takes its elements out: their texts are left, each between blank lines, and after
/// them the LaTeX.
const CLASS_OF_MATHML: &str = "katex-mathml";
/// Values of attributes that are settings and no LaTeX.
const SETTINGS: [&str; 8] = ["true", "false", "1", "0", "inline", "display", "block", "on"];
const DELIMITERS: [(&str, &str); 11] = [
    // What Kramdown writes around LaTeX with signs that XML would escape.
    ("% <![CDATA[", "%]]>"),
    (r"\begin{document}", r"\end{document}"),
    ("$$", "$$"),
    ("$", "$"),
    (r"\[", r"\]"),
    (r"\(", r"\)"),
    (r"{\displaystyle ", "}"),
    (r"\begin{equation}", r"\end{equation}"),
    (r"\begin{equation*}", r"\end{equation*}"),
    (r"\begin{displaymath}", r"\end{displaymath}"),
    (r"\begin{math}", r"\end{math}"),
];

/// A formula that has LaTeX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// On one line, without delimiters; empty for a part of an equation that is shown with the first part.
    pub latex: String,
    /// Whether it has a line of its own.
    pub is_displayed: bool,
    /// Whether it contains no text that the page shows.
    pub is_textless: bool,
}

/// The formulas of a page by the row of their element.
pub type Formulas = BTreeMap<usize, Formula>;

/// Whether an attribute may tell of a formula, whatever its value.
pub fn is_attribute_of_formulas(name: u8) -> bool {
    matches!(
        name,
        ENCODING
            | ALTERNATIVE_TEXT
            | DATA_MATH
            | DATA_TEX
            | DATA_LATEX
            | DATA_FORMULA
            | DATA_MATHML
            | DATA_ATTRIBUTES
            | DATA_EXPRESSION
            | DATA_KATEX
            | DATA_EQUATION
    )
}

/// All formulas of a page. Attributes that may tell of one are given in order, each with its row. Scripts for MathJax are
/// among the texts that are embedded in the page, in some rows.
pub fn find_formulas(
    page: &PageView,
    telling: &[(usize, usize)],
    embedded_row: &[i32],
    embedded: StringList,
) -> Formulas {
    let (formulas, equations) = (Formulas::new(), BTreeMap::new());
    let mut finder = Finder { page, formulas, drawn: Vec::new(), equations, shown: None };
    telling.iter().for_each(|&(row, index)| finder.read_attribute(row, index));
    finder.read_elements_of_text();
    finder.convert_elements();
    finder.convert_drawings();
    finder.join_equations();
    for (index, &row) in embedded_row.iter().enumerate() {
        finder.read_script(row as usize, embedded.get(index));
    }
    finder.join_scripts();
    finder.formulas
}

/// What is after the last blank line of a text; nothing if there is none.
fn after_blank_line(text: &str) -> &str {
    let text = strip(text);
    let is_blank = |part: &str| part.matches('\n').count() > 1;
    let mut end = text.len();
    while let Some(place) = text[..end].rfind('\n') {
        let before = text[..place].trim_end();
        if is_blank(&text[before.len()..=place]) {
            return &text[place + 1..];
        }
        end = place;
    }
    ""
}

/// Looks for formulas.
struct Finder<'a> {
    page: &'a PageView<'a>,
    formulas: Formulas,
    /// Rows of what MathJax has drawn.
    drawn: Vec<usize>,
    /// Table rows of LaTeXML that are equations, and the rows of their parts.
    equations: BTreeMap<usize, Vec<usize>>,
    /// What the page shows, once there is a formula.
    shown: Option<Shown>,
}

impl Finder<'_> {
    /// Notes a formula for the outermost element around it, unless it is empty.
    fn add(&mut self, row: usize, text: &str) {
        let latex = without_controls(bare_latex(&folded(text)));
        if latex.is_empty() {
            return;
        }
        let page = self.page;
        let outermost = outermost(page, row);
        let shown = self.shown.get_or_insert_with(|| Shown::on(page));
        let is_displayed = [row, outermost].iter().any(|&row| is_displayed(page, row))
            || has_display_delimiters(text)
            || is_all_of_block(page, shown, outermost, page.tag[row] == IMAGE);
        // An image may be hidden from screen readers.
        let is_there = page.tag[outermost] == IMAGE || page.hidden[outermost] == 0;
        let is_textless = is_there && !shown.has_text(page, outermost);
        self.formulas.insert(outermost, Formula { latex, is_displayed, is_textless });
    }

    /// Notes what an attribute says of a formula.
    fn read_attribute(&mut self, row: usize, index: usize) {
        let value = self.page.value_of(index);
        match self.page.attribute_name[index] {
            attribute::CLASS => self.read_class(row),
            ENCODING => self.read_annotation(row, value),
            ALTERNATIVE_TEXT if self.page.tag[row] == MATH => {
                self.add(row, value);
                self.note_equation(row);
            }
            DATA_MATH | DATA_TEX | DATA_LATEX | DATA_FORMULA | DATA_EXPRESSION | DATA_KATEX | DATA_EQUATION => {
                self.read_data(row, index)
            }
            DATA_MATHML => self.add(row, &latex_of_markup(value)),
            DATA_ATTRIBUTES => {
                if let Some(latex) = expression_in(value) {
                    self.add(row, &latex);
                }
            }
            _ => (),
        }
    }

    /// LaTeX in an attribute made for it.
    fn read_data(&mut self, row: usize, index: usize) {
        let value = strip(self.page.value_of(index));
        let is_named = matches!(self.page.attribute_name[index], DATA_FORMULA | DATA_EXPRESSION | DATA_EQUATION);
        let is_formula = !is_named || value.contains(SIGNS_OF_LATEX);
        // Newer versions of MathJax note the LaTeX of each part of a formula.
        let is_part = has_part_of_formula_around(self.page, row);
        let drawn = match self.page.value(row, NODE) {
            None => Some(row),
            Some("math") => self.container_around(row),
            Some(_) => None,
        };
        if let (true, Some(row)) = (is_formula && !is_part && !SETTINGS.contains(&value), drawn) {
            self.add(row, value);
        }
    }

    /// Row of what MathJax has drawn an element in.
    fn container_around(&self, row: usize) -> Option<usize> {
        let page = self.page;
        page.ancestors(row).take(MOST_AROUND).find(|&row| page.tag_name(page.tag[row]) == CONTAINER)
    }

    /// The annotation of a `<math>`.
    fn read_annotation(&mut self, row: usize, encoding: &str) {
        let page = self.page;
        let is_latex = encoding.to_ascii_lowercase().contains("tex");
        if !is_latex || page.tag_name(page.tag[row]) != ANNOTATION {
            return;
        }
        if let Some(math) = page.ancestors(row).take(MOST_AROUND).find(|&row| page.tag[row] == MATH) {
            self.add(math, page.text_within(row));
        }
    }

    /// Elements whose class says that they are formulas.
    fn read_class(&mut self, row: usize) {
        let page = self.page;
        if page.tag[row] == IMAGE {
            return; // read with all images
        }
        if has_class(page, row, &[CLASS_OF_LABELLED]) {
            let label = page.value(row, LABEL).filter(|label| label.contains(SIGNS_OF_LATEX));
            self.add(row, label.unwrap_or(""));
        } else if has_class(page, row, &BEFORE_SCRIPTS) {
            self.drawn.push(row);
        } else if has_class(page, row, &CLASSES_OF_TEXT) {
            self.read_text(row);
        } else if has_class(page, row, &[CLASS_OF_MATHML]) && page.subtree_end[row] as usize == row + 2 {
            self.add(row, after_blank_line(page.text_within(row)));
        }
    }

    /// An element that has LaTeX as its only text.
    fn read_text(&mut self, row: usize) {
        let text = strip(self.page.text_within(row));
        let may_hold_code = has_class(self.page, row, &[CLASS_OF_GITLAB, CLASS_OF_FENCES]);
        let is_latex = text.len() <= LONGEST_TEXT && (may_hold_code || text.contains(SIGNS_OF_LATEX));
        let is_part = |inside: usize| self.page.is_text(inside) || (may_hold_code && self.page.tag[inside] == CODE);
        let is_bare = (row + 1..self.page.subtree_end[row] as usize).all(is_part);
        // Formulas between delimiters are found in the text, unless there is an image of the same.
        if is_latex && is_bare && bare_latex(text) == text {
            self.add(row, text);
        } else if is_latex && is_bare {
            let around = self.page.ancestors(row).take(MOST_AROUND);
            let alternatives = around.into_iter().find(|&row| has_class(self.page, row, &[CLASS_OF_ALTERNATIVES]));
            alternatives.into_iter().for_each(|row| self.add(row, text));
        }
    }

    /// Elements made for LaTeX, and images.
    fn read_elements_of_text(&mut self) {
        let page = self.page;
        let has_elements =
            (0..page.other_tags.len()).any(|place| ELEMENTS_OF_TEXT.contains(&page.other_tags.get(place)));
        if !has_elements {
            page.rows_of(IMAGE).for_each(|row| self.read_image(row));
            return;
        }
        for (row, &tag) in page.tag.iter().enumerate() {
            if tag == IMAGE {
                self.read_image(row);
            } else if ELEMENTS_OF_TEXT.contains(&page.tag_name(tag)) && !self.is_drawn(row) {
                self.add(row, page.text_within(row));
                self.set_apart(row);
            }
        }
    }

    /// Whether an element made for LaTeX holds a formula that is known already, as a script has drawn it, or is in one.
    fn is_drawn(&self, row: usize) -> bool {
        let end = self.page.subtree_end[row] as usize;
        let parent = self.page.parent[row].max(0) as usize;
        self.formulas.range(row..end).next().is_some() || self.formulas.contains_key(&parent)
    }

    /// Gives a formula of Distill a line of its own if it is a part of the article like its paragraphs are.
    fn set_apart(&mut self, row: usize) {
        let page = self.page;
        let parent = page.parent[row].max(0) as usize;
        let holds_parts = page.is_in(parent, set::BLOCK) && look_up(&HOLDS_TEXT, page.tag[parent]) == 0;
        let is_part = holds_parts || page.tag_name(page.tag[parent]) == ARTICLE_OF_DISTILL;
        let name = page.tag_name(page.tag[row]);
        let is_equation = name == "eqn" || page.tag_name(page.tag[parent]) == "eqn";
        if let Some(formula) = self.formulas.get_mut(&row) {
            formula.is_displayed |= is_equation || (is_part && name == ELEMENT_OF_DISTILL);
        }
    }

    /// An image, which may be hidden from screen readers that read the MathML beside it.
    fn read_image(&mut self, row: usize) {
        let is_shown = self.page.hidden[self.page.parent[row].max(0) as usize] == 0;
        if let Some(latex) = is_shown.then(|| latex_of_image(self.page, row)).flatten() {
            self.add(row, &latex);
        }
    }

    /// `<math>` elements without LaTeX.
    fn convert_elements(&mut self) {
        let page = self.page;
        if !page.has_tag(MATH) {
            return;
        }
        let mut end = 0;
        for row in page.rows_of(MATH) {
            let is_known = self.formulas.contains_key(&outermost(page, row));
            // A formula inside another is part of it.
            if row >= end && !is_known && is_convertible(page, row) {
                self.add(row, &latex_of(page, row));
            }
            end = end.max(page.subtree_end[row] as usize);
        }
    }

    /// What MathJax has drawn without saying what it is.
    fn convert_drawings(&mut self) {
        let page = self.page;
        if !(0..page.other_tags.len()).any(|place| page.other_tags.get(place) == CONTAINER) {
            return;
        }
        let containers = (0..page.len()).filter(|&row| page.tag_name(page.tag[row]) == CONTAINER);
        for row in containers {
            let end = page.subtree_end[row] as usize;
            if self.formulas.range(row..end).next().is_none() {
                self.add(row, &latex_of_markup(&mathml_of(page, row)));
            }
        }
    }

    /// Notes that a formula is a part of an equation that a table sets.
    fn note_equation(&mut self, row: usize) {
        let page = self.page;
        let is_equation = |row: &usize| page.is_in(*row, set::TABLE_ROW) && has_class(page, *row, &[ROW_OF_EQUATION]);
        if let Some(equation) = page.ancestors(row).take(MOST_AROUND).find(is_equation) {
            self.equations.entry(equation).or_default().push(row);
        }
    }

    /// Makes the parts of each equation one formula, in the place of the first.
    fn join_equations(&mut self) {
        for parts in std::mem::take(&mut self.equations).into_values() {
            let latex =
                |row: &usize| self.formulas.get(row).map(|formula| formula.latex.trim_start_matches(IN_DISPLAY));
            let joined: String = parts.iter().filter_map(latex).collect::<Vec<_>>().join(" ");
            for (number, row) in parts.iter().enumerate() {
                if let Some(formula) = self.formulas.get_mut(row) {
                    // The others show nothing.
                    formula.latex = if number == 0 { strip(&joined).to_string() } else { String::new() };
                    formula.is_displayed = true;
                }
            }
        }
    }

    /// A script for MathJax.
    fn read_script(&mut self, row: usize, text: &str) {
        let of_type = self.page.value(row, TYPE).unwrap_or("");
        let is_math = of_type.get(..MATH_SCRIPT.len()).is_some_and(|start| start.eq_ignore_ascii_case(MATH_SCRIPT));
        if self.page.tag[row] == SCRIPT && is_math {
            self.add(row, text);
        }
    }

    /// Puts formulas of scripts where MathJax has drawn them.
    fn join_scripts(&mut self) {
        let page = self.page;
        let scripts = self.scripts_behind();
        if scripts.is_empty() {
            return;
        }
        let shown = self.shown.get_or_insert_with(|| Shown::on(page));
        let (drawn, textless): (Vec<_>, Vec<_>) = scripts.into_iter().partition(|&(row, _)| shown.has_text(page, row));
        for &(row, script) in &drawn {
            if let Some(formula) = self.formulas.get(&script).cloned() {
                self.formulas.insert(row, Formula { is_textless: false, ..formula });
            }
        }
        // Their twins are the scripts.
        textless.iter().for_each(|(row, _)| drop(self.formulas.remove(row)));
        drawn.iter().for_each(|(_, script)| drop(self.formulas.remove(script)));
    }

    /// Rows of what MathJax has drawn, each with the row of the script with its LaTeX, which comes right behind, or behind
    /// other drawings of the same formula.
    fn scripts_behind(&self) -> Vec<(usize, usize)> {
        let page = self.page;
        let mut scripts: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for &row in self.drawn.iter().rev() {
            count(1);
            let mut next = page.subtree_end[row] as usize;
            while next < page.len() && page.is_text(next) && page.text_length[next] == 0 {
                next += 1;
            }
            let is_script = next < page.len() && page.tag[next] == SCRIPT && self.formulas.contains_key(&next);
            let behind = || scripts.get(&next).filter(|&&(_, between)| between < MOST_DRAWINGS);
            let script =
                if is_script { Some((next, 1)) } else { behind().map(|&(script, between)| (script, between + 1)) };
            if let Some(script) = script {
                scripts.insert(row, script);
            }
        }
        scripts.into_iter().map(|(row, (script, _))| (row, script)).collect()
    }
}

/// LaTeX without delimiters.
fn bare_latex(folded: &str) -> &str {
    let mut latex = folded;
    for (begin, end) in DELIMITERS {
        let inside = latex.split_once(begin).filter(|(before, _)| before.is_empty() || begin.contains("document"));
        let inside = inside.and_then(|(_, rest)| rest.strip_suffix(end));
        latex = inside.map_or(latex, |inside| inside.trim_matches(is_space));
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
            ("% <![CDATA[ x %]]>", "x"),
            (r"$$\begin{equation*} x \end{equation*}$$", "x"),
            (r"\usepackage{a} \begin{document} $$ x $$ \end{document}", "x"),
            ("$", "$"),
            ("", ""),
        ];
        for (text, latex) in cases {
            assert_eq!(bare_latex(text), latex, "{text}");
        }
    }
}
