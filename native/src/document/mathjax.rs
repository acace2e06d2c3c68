//! Formulas that MathJax 3 or 4 has drawn, without the MathML for screen readers: as MathML again.
//!
//! As elements (CHTML), the classes of `<mjx-c>` are code points and the elements around them have the names of MathML,
//! with further ones for layout. As a drawing (SVG), `data-mml-node` has the names and `data-c` the code points.
#![forbid(unsafe_code)]

use super::mathml::elements_inside;
use super::steps::count;
use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::attribute;
use crate::html::attributes::{code_of, STYLE};
use std::fmt::Write;

/// What an element of a drawing stands for.
pub const NODE: u8 = code_of("data-mml-node");
const CODE_POINT: u8 = code_of("data-c");
const VARIANT: u8 = code_of("data-mjx-variant");
const DISPLAY: u8 = code_of("display");
/// The element around each formula.
pub const CONTAINER: &str = "mjx-container";
const PREFIX: &str = "mjx-";
/// How the class of a character begins; its code point follows.
const CLASS_OF_CHARACTER: &str = "mjx-c";
/// Class of letters in script, which have the code points of plain ones.
const CLASS_OF_SCRIPT: &str = "TEX-C";
const SCRIPT_VARIANT: &str = "calligraphic";
/// Elements inside elements, at most: deeper ones are left out.
const DEEPEST: usize = 60;
/// Elements that only set others in their places.
const LAYOUT: [&str; 11] =
    ["row", "box", "frac", "dbox", "dtable", "sqrt", "table", "itable", "block", "math", "bevelled"];
/// Elements that hold characters.
const TOKENS: [&str; 5] = ["mi", "mo", "mn", "mtext", "ms"];
/// Parts of high signs, by the first and the last of each, and the sign itself.
const PARTS_OF_SIGNS: [(u32, u32, char); 9] = [
    (0x239B, 0x239D, '('),
    (0x239E, 0x23A0, ')'),
    (0x23A1, 0x23A3, '['),
    (0x23A4, 0x23A6, ']'),
    (0x23A7, 0x23A9, '{'),
    (0x23AB, 0x23AD, '}'),
    (0x23B7, 0x23B7, '√'),
    (0x23D0, 0x23D0, '|'),
    (0x2223, 0x2223, '|'),
];

/// The MathML of a drawn formula; without characters if there are none to read.
pub fn mathml_of(page: &PageView, container: usize) -> String {
    let is_displayed = page.value(container, DISPLAY).is_some_and(|value| strip(value) == "true");
    let mut drawing = Drawing { page, output: "<math>".to_string(), is_displayed, depth: 0 };
    drawing.nodes_in(container);
    drawing.output.push_str("</math>");
    drawing.output
}

/// Writes MathML.
struct Drawing<'a> {
    page: &'a PageView<'a>,
    output: String,
    is_displayed: bool,
    depth: usize,
}

impl<'a> Drawing<'a> {
    /// The name of an element: that of MathML, or of a part of the layout; empty for others.
    fn name(&self, row: usize) -> &'a str {
        let name = self.page.tag_name(self.page.tag[row]);
        name.strip_prefix(PREFIX).or_else(|| self.page.value(row, NODE)).unwrap_or("")
    }

    /// Whether an element is part of a drawing.
    fn is_drawn(&self, row: usize) -> bool {
        !self.page.tag_name(self.page.tag[row]).starts_with(PREFIX)
    }

    /// The elements of MathML inside another, through those for layout.
    fn nodes(&self, row: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut waiting: Vec<usize> = elements_inside(self.page, row);
        waiting.reverse();
        while let Some(row) = waiting.pop() {
            let name = self.name(row);
            if name.is_empty() || LAYOUT.contains(&name) {
                waiting.extend(elements_inside(self.page, row).into_iter().rev());
            } else {
                found.push(row);
            }
        }
        found
    }

    /// The element with a name inside another, through those for layout.
    fn part(&self, row: usize, wanted: &str) -> Option<usize> {
        let mut waiting: Vec<usize> = elements_inside(self.page, row);
        waiting.reverse();
        while let Some(row) = waiting.pop() {
            let name = self.name(row);
            if name == wanted {
                return Some(row);
            }
            // What has limits on both sides holds what has one below.
            if LAYOUT.contains(&name) || name == "munder" {
                waiting.extend(elements_inside(self.page, row).into_iter().rev());
            }
        }
        None
    }

    /// Writes what is inside an element.
    fn nodes_in(&mut self, row: usize) {
        let nodes = self.nodes(row);
        self.write_all(&nodes);
    }

    /// Writes elements, one after the other.
    fn write_all(&mut self, rows: &[usize]) {
        rows.iter().for_each(|&row| self.write(row));
    }

    /// Writes elements as one.
    fn group(&mut self, rows: &[usize]) {
        self.output.push_str("<mrow>");
        self.write_all(rows);
        self.output.push_str("</mrow>");
    }

    /// Writes an element with some arguments.
    fn element(&mut self, name: &str, arguments: &[Vec<usize>]) {
        let _ = write!(self.output, "<{name}>");
        arguments.iter().for_each(|rows| self.group(rows));
        let _ = write!(self.output, "</{}>", name.split(' ').next().unwrap_or(name));
    }

    /// Writes any element.
    fn write(&mut self, row: usize) {
        count(1);
        if self.depth >= DEEPEST {
            return;
        }
        self.depth += 1;
        match self.name(row) {
            name if TOKENS.contains(&name) => self.token(name, row),
            "mfrac" => self.fraction(row),
            "msqrt" | "mroot" => self.root(row),
            name @ ("msub" | "msup" | "munder" | "mover" | "msubsup" | "munderover") => self.scripts(name, row),
            "mtable" => self.table(row),
            "mspace" => self.space(row),
            "mphantom" => {
                let nodes = self.nodes(row);
                self.element("mphantom", &[nodes]);
            }
            "labels" | "assistive-mml" | "surd" | "nstrut" | "dstrut" | "tstrut" | "line" | "spacer" | "speech" => (),
            _ => {
                let nodes = self.nodes(row);
                self.group(&nodes);
            }
        }
        self.depth -= 1;
    }

    /// A fraction; without a line it is one of a binomial, for example.
    fn fraction(&mut self, row: usize) {
        let (parts, has_line) = if self.is_drawn(row) {
            let is_line = |&child: &usize| self.page.tag_name(self.page.tag[child]) == "rect";
            (
                self.nodes(row).into_iter().map(|node| vec![node]).collect(),
                elements_inside(self.page, row).iter().any(is_line),
            )
        } else {
            let nodes_of = |name: &str| self.part(row, name).map_or(Vec::new(), |part| self.nodes(part));
            (vec![nodes_of("num"), nodes_of("den")], self.part(row, "line").is_some())
        };
        self.element(if has_line { "mfrac" } else { "mfrac linethickness=\"0\"" }, &parts);
    }

    /// A root, with an index or without.
    fn root(&mut self, row: usize) {
        let (base, index) = if self.is_drawn(row) {
            let (groups, others): (Vec<usize>, Vec<usize>) =
                elements_inside(self.page, row).into_iter().partition(|&child| self.name(child).is_empty());
            // The last one is the sign.
            let index = others.split_last().map_or(Vec::new(), |(_, before)| before.to_vec());
            (groups.first().map_or(Vec::new(), |&group| self.nodes(group)), index)
        } else {
            let layout = self.part(row, "sqrt").unwrap_or(row);
            let nodes_of = |name: &str| self.part(layout, name).map_or(Vec::new(), |part| self.nodes(part));
            (nodes_of("box"), nodes_of("root"))
        };
        if index.is_empty() {
            self.element("msqrt", &[base]);
        } else {
            self.element("mroot", &[base, index]);
        }
    }

    /// Something with others below and above it, or below and above its end.
    fn scripts(&mut self, name: &str, row: usize) {
        let mut parts = if self.is_drawn(row) { self.drawn_scripts(name, row) } else { self.set_scripts(row) };
        parts.truncate(if matches!(name, "msubsup" | "munderover") { 3 } else { 2 });
        self.element(name, &parts);
    }

    /// The base and the scripts of a drawing: limits are drawn from below, scripts from above.
    fn drawn_scripts(&self, name: &str, row: usize) -> Vec<Vec<usize>> {
        let mut parts: Vec<Vec<usize>> = self.nodes(row).into_iter().map(|node| vec![node]).collect();
        if parts.len() > 2 && (name == "msubsup" || !self.is_displayed) {
            parts.swap(1, 2);
        }
        parts
    }

    /// The base and the scripts among elements.
    fn set_scripts(&self, row: usize) -> Vec<Vec<usize>> {
        let script = elements_inside(self.page, row).into_iter().find(|&child| self.name(child) == "script");
        if let Some(script) = script {
            let base = self.nodes(row).into_iter().filter(|&node| node != script).take(1).collect();
            let scripts = self.nodes(script).into_iter().filter(|&node| self.name(node) != "spacer");
            // Of two, the one above comes first.
            return std::iter::once(base).chain(scripts.map(|node| vec![node]).rev()).collect();
        }
        let names = ["base", "under", "over"];
        names.iter().filter_map(|name| self.part(row, name)).map(|part| self.nodes(part)).collect()
    }

    /// The rows and cells of a table.
    fn table(&mut self, row: usize) {
        self.output.push_str("<mtable>");
        for line in self.nodes(row) {
            if !matches!(self.name(line), "mtr" | "mlabeledtr") {
                continue;
            }
            self.output.push_str("<mtr>");
            for cell in self.nodes(line) {
                if self.name(cell) == "mtd" {
                    self.output.push_str("<mtd>");
                    self.nodes_in(cell);
                    self.output.push_str("</mtd>");
                }
            }
            self.output.push_str("</mtr>");
        }
        self.output.push_str("</mtable>");
    }

    /// Space between others.
    fn space(&mut self, row: usize) {
        let style = self.page.value(row, STYLE).unwrap_or("");
        let width = style.split_once("width:").map_or("", |(_, rest)| strip(rest.split(';').next().unwrap_or("")));
        if width.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.') && !width.is_empty() {
            let _ = write!(self.output, "<mspace width=\"{width}\"></mspace>");
        }
    }

    /// Characters.
    fn token(&mut self, name: &str, row: usize) {
        let (text, is_script) = self.characters(row);
        let is_letter = text.len() == 1 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
        // Variables in italics have code points of their own.
        let variant = match (name, is_script, is_letter) {
            ("mi" | "mn", true, _) => " mathvariant=\"script\"",
            ("mi", _, true) => " mathvariant=\"normal\"",
            _ => "",
        };
        let _ = write!(self.output, "<{name}{variant}>");
        for character in text.chars() {
            match character {
                '<' => self.output.push_str("&lt;"),
                '&' => self.output.push_str("&amp;"),
                other => self.output.push(other),
            }
        }
        let _ = write!(self.output, "</{name}>");
    }

    /// The characters inside an element, and whether they are letters in script.
    fn characters(&self, token: usize) -> (String, bool) {
        let (page, mut text) = (self.page, String::new());
        let mut is_script = page.value(token, VARIANT).is_some_and(|variant| variant.contains(SCRIPT_VARIANT));
        let mut row = token + 1;
        while row < page.subtree_end[token] as usize {
            count(1);
            if let Some((character, of_class)) = self.character(row) {
                is_script |= of_class;
                row = page.subtree_end[row] as usize;
                match sign_of_part(character) {
                    Some(sign) => return (sign.to_string(), false),
                    None => text.push(character),
                }
            } else {
                if page.is_text(row) {
                    text.push_str(strip(page.text_between(row, row)));
                }
                row += 1;
            }
        }
        (text, is_script)
    }

    /// The character that an element draws, and whether it is in script.
    fn character(&self, row: usize) -> Option<(char, bool)> {
        if let Some(code) = self.page.value(row, CODE_POINT) {
            return Some((character_of(code)?, false));
        }
        let name = self.name(row);
        if name != "c" && !name.starts_with("stretchy") {
            return None;
        }
        let classes = self.page.value(row, attribute::CLASS)?;
        let code = classes.split_ascii_whitespace().find_map(|class| class.strip_prefix(CLASS_OF_CHARACTER))?;
        Some((character_of(code)?, classes.split_ascii_whitespace().any(|class| class == CLASS_OF_SCRIPT)))
    }
}

/// The character of a code point in hexadecimal digits.
fn character_of(digits: &str) -> Option<char> {
    u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
}

/// The sign that a character is a part of.
fn sign_of_part(character: char) -> Option<char> {
    let is_part = |&&(first, last, _): &&(u32, u32, char)| (first..=last).contains(&(character as u32));
    PARTS_OF_SIGNS.iter().find(is_part).map(|&(_, _, sign)| sign)
}
