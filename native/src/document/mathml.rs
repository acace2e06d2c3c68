//! Presentation MathML -> LaTeX, for formulas of which a page gives nothing else.
//!
//! Every element of the standard that shows something has its command. What is unknown shows its content.
#![forbid(unsafe_code)]

use super::mathml_signs::{append_character, append_token, is_between, is_function};
use super::steps::count;
use super::texts::folded;
use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::html::attributes::code_of;

const CLOSE: u8 = code_of("close");
const LINE_THICKNESS: u8 = code_of("linethickness");
const MATH_VARIANT: u8 = code_of("mathvariant");
const NOTATION: u8 = code_of("notation");
const OPEN: u8 = code_of("open");
const SEPARATORS: u8 = code_of("separators");
const WIDTH: u8 = code_of("width");

/// Elements inside each other that are converted; deeper ones are shown as text.
const DEEPEST: usize = 60;
/// Opening and closing signs of matrices, and the environments that have them.
const MATRICES: [(&str, &str, &str); 6] = [
    ("(", ")", "pmatrix"),
    ("[", "]", "bmatrix"),
    ("|", "|", "vmatrix"),
    ("‖", "‖", "Vmatrix"),
    ("∥", "∥", "Vmatrix"),
    ("{", "}", "Bmatrix"),
];
/// Signs that enclose something and grow with it.
pub const OPENING: [&str; 9] = ["(", "[", "{", "|", "‖", "⟨", "⌈", "⌊", "∥"];
const CLOSING: [&str; 9] = [")", "]", "}", "|", "‖", "⟩", "⌉", "⌋", "∥"];
/// Values of `mathvariant`, and the commands that set them.
const VARIANTS: [(&str, &str); 11] = [
    ("bold", "\\mathbf"),
    ("bold-italic", "\\boldsymbol"),
    ("double-struck", "\\mathbb"),
    ("script", "\\mathcal"),
    ("bold-script", "\\mathcal"),
    ("fraktur", "\\mathfrak"),
    ("bold-fraktur", "\\mathfrak"),
    ("sans-serif", "\\mathsf"),
    ("bold-sans-serif", "\\mathsf"),
    ("monospace", "\\mathtt"),
    ("normal", "\\mathrm"),
];
/// Values of `notation`, and the commands that draw them.
const ENCLOSURES: [(&str, &str); 6] = [
    ("box", "\\boxed"),
    ("roundedbox", "\\boxed"),
    ("radical", "\\sqrt"),
    ("updiagonalstrike", "\\cancel"),
    ("downdiagonalstrike", "\\bcancel"),
    ("top", "\\overline"),
];

/// A `<math>` element as LaTeX; empty if it shows nothing.
pub fn latex_of(page: &PageView, math: usize) -> String {
    let mut converter = Converter { page, output: String::new(), depth: 0 };
    converter.children(math);
    strip(&converter.output).to_string()
}

/// The elements directly inside another.
pub(super) fn elements_inside(page: &PageView, row: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut child = row + 1;
    while child < page.subtree_end[row] as usize {
        count(1);
        if !page.is_text(child) {
            found.push(child);
        }
        child = page.subtree_end[child] as usize;
    }
    found
}

/// Writes LaTeX.
pub struct Converter<'a> {
    page: &'a PageView<'a>,
    pub(super) output: String,
    depth: usize,
}

impl<'a> Converter<'a> {
    /// The elements directly inside another.
    pub(super) fn inside(&self, row: usize) -> Vec<usize> {
        elements_inside(self.page, row)
    }

    /// The name of an element.
    pub(super) fn name(&self, row: usize) -> &'a str {
        self.page.tag_name(self.page.tag[row])
    }

    /// The text of an element.
    pub(super) fn text(&self, row: usize) -> String {
        folded(self.page.text_within(row))
    }

    /// The sign that an element is, if it is a single one.
    pub(super) fn sign(&self, row: usize) -> Option<String> {
        match self.name(row) {
            "mo" => Some(self.text(row)),
            "mrow" | "mstyle" | "mpadded" => match self.inside(row).as_slice() {
                [only] => self.sign(*only),
                _ => None,
            },
            _ => None,
        }
    }

    /// All elements inside another, one after the other, or its text if there are none.
    pub(super) fn children(&mut self, row: usize) {
        let children = self.inside(row);
        if children.is_empty() {
            let text = self.text(row);
            return self.characters(&text);
        }
        self.run(&children);
    }

    /// Characters, each as LaTeX.
    pub(super) fn characters(&mut self, text: &str) {
        text.chars().for_each(|character| append_character(&mut self.output, character));
    }

    /// Elements side by side; enclosed matrices and binomials have commands of their own.
    pub(super) fn run(&mut self, rows: &[usize]) {
        let mut place = 0;
        while place < rows.len() {
            place += self.enclosed(&rows[place..], place == 0);
        }
    }

    /// Writes the first of some elements, with those that a sign encloses; returns how many.
    pub(super) fn enclosed(&mut self, rows: &[usize], are_all: bool) -> usize {
        let open = match (self.name(rows[0]), rows.get(1)) {
            ("mo", Some(_)) => self.text(rows[0]),
            _ => {
                self.element(rows[0]);
                return 1;
            }
        };
        let close = rows.get(2).and_then(|&row| self.sign(row)).unwrap_or_default();
        let is_table = self.table_in(rows[1]);
        if let (Some(table), Some(&(_, _, environment))) =
            (is_table, MATRICES.iter().find(|&&(begin, end, _)| begin == open && end == close))
        {
            self.matrix(table, environment);
            return 3;
        }
        if let (Some(table), "{", true) = (is_table, open.as_str(), close.is_empty() || rows.len() == 2) {
            self.matrix(table, "cases");
            let is_empty_sign = rows.get(2).is_some_and(|&row| self.name(row) == "mo" && self.text(row).is_empty());
            return if is_empty_sign { 3 } else { 2 };
        }
        if open == "(" && close == ")" && self.is_barless(rows[1]) {
            self.command("\\binom", &self.inside(rows[1]));
            return 3;
        }
        let last = rows.len() - 1;
        let is_fenced = are_all && OPENING.contains(&open.as_str()) && self.closes(rows[last]) && last > 1;
        if is_fenced && rows[1..last].iter().any(|&row| self.is_tall(row)) && !self.has_signs(&rows[1..last]) {
            self.fence("\\left", &open);
            self.run(&rows[1..last]);
            let sign = self.sign(rows[last]).unwrap_or_default();
            self.fence("\\right", &sign);
            return rows.len();
        }
        self.element(rows[0]);
        1
    }

    /// Whether an element is a closing sign.
    pub(super) fn closes(&self, row: usize) -> bool {
        self.sign(row).is_some_and(|sign| CLOSING.contains(&sign.as_str()))
    }

    /// Whether some of the elements enclose others themselves.
    pub(super) fn has_signs(&self, rows: &[usize]) -> bool {
        let encloses = |sign: &str| OPENING.contains(&sign) || CLOSING.contains(&sign);
        rows.iter().any(|&row| self.name(row) == "mo" && encloses(&self.text(row)))
    }

    /// Whether an element is higher than a line.
    pub(super) fn is_tall(&self, row: usize) -> bool {
        let is_tall = |row: usize| matches!(self.name(row), "mfrac" | "mtable" | "munderover" | "munder" | "mroot");
        is_tall(row) || (self.name(row) == "mrow" && self.inside(row).into_iter().any(is_tall))
    }

    /// A sign that grows with what it encloses; a dot stands for none.
    pub(super) fn fence(&mut self, command: &str, sign: &str) {
        append_token(&mut self.output, command);
        if sign.is_empty() {
            self.output.push('.');
        }
        self.characters(sign);
    }

    /// The table that an element is, or has as its only child.
    pub(super) fn table_in(&self, row: usize) -> Option<usize> {
        match (self.name(row), self.inside(row).as_slice()) {
            ("mtable", _) => Some(row),
            ("mrow" | "mstyle" | "mpadded", [only]) if self.name(*only) == "mtable" => Some(*only),
            _ => None,
        }
    }

    /// Whether an element is a fraction without a bar.
    pub(super) fn is_barless(&self, row: usize) -> bool {
        let thickness = self.page.value(row, LINE_THICKNESS).unwrap_or("");
        self.name(row) == "mfrac" && strip(thickness).trim_end_matches(char::is_alphabetic) == "0"
    }

    /// Any element.
    pub(super) fn element(&mut self, row: usize) {
        count(1);
        if self.depth >= DEEPEST {
            let text = self.text(row);
            return self.characters(&text);
        }
        self.depth += 1;
        let children = self.inside(row);
        match self.name(row) {
            "mi" => self.identifier(row),
            "mo" => self.operator(row),
            "mn" => self.varied(row),
            "mtext" | "ms" => self.words(row),
            "mspace" => self.space(row),
            "mfrac" if self.is_barless(row) => self.barless(&children),
            "mfrac" => self.command("\\frac", &children),
            "msqrt" => self.grouped("\\sqrt", &children),
            "mroot" => self.root(&children),
            "msub" => self.scripts(&children, &["_"]),
            "msup" => self.scripts(&children, &["^"]),
            "msubsup" => self.scripts(&children, &["_", "^"]),
            "munder" => self.limits(&children, &["_"]),
            "mover" => self.limits(&children, &["^"]),
            "munderover" => self.limits(&children, &["_", "^"]),
            "mmultiscripts" => self.many_scripts(&children),
            "mtable" => {
                let environment = if self.depth == 1 { "aligned" } else { "matrix" };
                self.matrix(row, environment);
            }
            "mfenced" => self.fenced(row, &children),
            "menclose" => self.enclosure(row, &children),
            "mphantom" => self.grouped("\\phantom", &children),
            "semantics" | "maction" => children.first().into_iter().for_each(|&first| self.element(first)),
            "annotation" | "annotation-xml" | "mprescripts" | "none" => (),
            _ => self.transparent(row),
        }
        self.depth -= 1;
    }

    /// An element that only groups others.
    pub(super) fn transparent(&mut self, row: usize) {
        self.depth -= usize::from(self.name(row) == "mstyle");
        self.children(row);
        self.depth += usize::from(self.name(row) == "mstyle");
    }

    /// A variable or the name of a function.
    pub(super) fn identifier(&mut self, row: usize) {
        let text = self.text(row);
        let is_word = text.chars().count() > 1 && text.chars().all(|letter| letter.is_ascii_alphabetic());
        if is_word && is_function(&text) {
            append_token(&mut self.output, &format!("\\{text}"));
        } else if is_word && self.page.value(row, MATH_VARIANT).is_none() {
            append_token(&mut self.output, &format!("\\operatorname{{{text}}}"));
        } else {
            self.varied(row);
        }
    }

    /// A text in the style that `mathvariant` asks for.
    pub(super) fn varied(&mut self, row: usize) {
        let text = self.text(row);
        let variant = strip(self.page.value(row, MATH_VARIANT).unwrap_or(""));
        let is_plain = variant == "normal" && !text.contains(|letter: char| letter.is_ascii_alphabetic());
        match VARIANTS.iter().find(|&&(name, _)| name == variant && !is_plain) {
            Some((_, command)) => {
                append_token(&mut self.output, command);
                self.output.push('{');
                self.characters(&text);
                self.output.push('}');
            }
            None => self.characters(&text),
        }
    }

    /// An operator; those between two terms stand apart from them.
    pub(super) fn operator(&mut self, row: usize) {
        let text = self.text(row);
        let is_infix = text.chars().count() == 1
            && text.chars().all(is_between)
            && !self.output.is_empty()
            && !self.output.ends_with(['(', '[', '{', ',', '&', '^', '_', ' '].as_slice());
        let is_word = text.len() > 1 && text.chars().all(|letter| letter.is_ascii_alphabetic());
        if is_infix {
            self.output.push(' ');
            self.characters(&text);
            self.output.push(' ');
        } else if is_word {
            let command = if is_function(&text) { format!("\\{text}") } else { format!("\\operatorname{{{text}}}") };
            append_token(&mut self.output, &command);
        } else {
            self.characters(&text);
        }
    }

    /// Words of a language.
    pub(super) fn words(&mut self, row: usize) {
        let written = self.page.text_within(row).replace('\u{a0}', " ");
        let text = folded(&written);
        if text.is_empty() {
            return append_token(&mut self.output, if written.is_empty() { "" } else { "\\ " });
        }
        let edge = |is_there: bool| if is_there { " " } else { "" };
        let (before, after) = (edge(written.starts_with(' ')), edge(written.ends_with(' ')));
        let safe: String = text.chars().filter(|sign| !matches!(sign, '{' | '}' | '\\' | '$')).collect();
        append_token(&mut self.output, &format!("\\text{{{before}{safe}{after}}}"));
    }

    /// Space of some width.
    pub(super) fn space(&mut self, row: usize) {
        let width = strip(self.page.value(row, WIDTH).unwrap_or(""));
        let ems: f32 = width.trim_end_matches("em").parse().unwrap_or(0.0);
        let command = match ems {
            wide if wide >= 2.0 => "\\qquad ",
            wide if wide >= 1.0 => "\\quad ",
            narrow if narrow > 0.0 => "\\,",
            _ => "",
        };
        append_token(&mut self.output, command);
    }

    /// A command with an argument for each element.
    pub(super) fn command(&mut self, command: &str, arguments: &[usize]) {
        append_token(&mut self.output, command);
        arguments.iter().for_each(|&argument| self.group(&[argument]));
    }

    /// A command with all elements as its argument.
    pub(super) fn grouped(&mut self, command: &str, rows: &[usize]) {
        append_token(&mut self.output, command);
        self.group(rows);
    }

    /// Elements between braces.
    pub(super) fn group(&mut self, rows: &[usize]) {
        self.output.push('{');
        self.run(rows);
        while self.output.ends_with(' ') && !self.output.ends_with("\\ ") {
            self.output.pop();
        }
        self.output.push('}');
    }

    /// A fraction without a bar.
    pub(super) fn barless(&mut self, children: &[usize]) {
        self.output.push('{');
        for (number, &child) in children.iter().enumerate() {
            if number > 0 {
                self.output.push_str(" \\atop ");
            }
            self.element(child);
        }
        self.output.push('}');
    }

    /// Elements between signs, and with signs between them, that attributes give.
    pub(super) fn fenced(&mut self, row: usize, children: &[usize]) {
        let value = |name: u8, usual: &str| folded(self.page.value(row, name).unwrap_or(usual));
        let (open, close, separators) = (value(OPEN, "("), value(CLOSE, ")"), value(SEPARATORS, ","));
        let separators: Vec<char> = separators.chars().filter(|sign| *sign != ' ').collect();
        self.fence("\\left", &open);
        for (number, &child) in children.iter().enumerate() {
            let separator = separators.get((number.max(1) - 1).min(separators.len().max(1) - 1));
            if let (true, Some(&separator)) = (number > 0, separator) {
                append_character(&mut self.output, separator);
            }
            self.element(child);
        }
        self.fence("\\right", &close);
    }

    /// Elements with lines around or through them.
    pub(super) fn enclosure(&mut self, row: usize, children: &[usize]) {
        let notation = self.page.value(row, NOTATION).unwrap_or("");
        match ENCLOSURES.iter().find(|(name, _)| notation.split(' ').any(|given| given == *name)) {
            Some((_, command)) => self.grouped(command, children),
            None => self.run(children),
        }
    }
}
