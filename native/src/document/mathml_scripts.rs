//! Scripts, limits and tables of MathML as LaTeX: what stands below and above something else.
#![forbid(unsafe_code)]

use super::mathml::{Converter, OPENING};
use super::mathml_signs::{accent, append_token, takes_limits};
use crate::blocks::characters::strip;

impl Converter<'_> {
    /// Something with others below or above its end.
    pub(super) fn scripts(&mut self, children: &[usize], signs: &[&str]) {
        if let Some(&base) = children.first() {
            self.base(base);
        }
        for (sign, &script) in signs.iter().zip(children.iter().skip(1)) {
            self.script(sign, script);
        }
    }

    /// What scripts belong to: between braces if it is more than one sign.
    pub(super) fn base(&mut self, row: usize) {
        let needs_braces = match self.name(row) {
            "mrow" | "mstyle" => self.inside(row).len() > 1 && !self.is_enclosed(row),
            "msub" | "msup" | "msubsup" | "mfrac" => true,
            _ => false,
        };
        if needs_braces {
            self.group(&[row]);
        } else {
            self.element(row);
        }
        if self.output.ends_with(' ') {
            self.output.pop();
        }
    }

    /// Whether an element is enclosed in signs.
    pub(super) fn is_enclosed(&self, row: usize) -> bool {
        let children = self.inside(row);
        let opens = |row: &usize| self.sign(*row).is_some_and(|sign| OPENING.contains(&sign.as_str()));
        children.first().is_some_and(opens) && children.last().is_some_and(|&row| self.closes(row))
    }

    /// One script; primes are written without a sign.
    pub(super) fn script(&mut self, sign: &str, row: usize) {
        let is_prime = |text: &str| !text.is_empty() && text.chars().all(|each| matches!(each, '′' | '″' | '‴' | '\''));
        let text = self.sign(row).unwrap_or_default();
        if sign == "^" && is_prime(&text) {
            return self.characters(&text);
        }
        if matches!(self.name(row), "none") || (self.inside(row).is_empty() && self.text(row).is_empty()) {
            return;
        }
        self.output.push_str(sign);
        self.group(&[row]);
    }

    /// Something with others below and above it.
    pub(super) fn limits(&mut self, children: &[usize], signs: &[&str]) {
        let base = match children.first() {
            Some(&base) => base,
            None => return,
        };
        let latex = self.latex(base);
        let over = children.get(1).and_then(|&row| self.sign(row)).unwrap_or_default();
        if takes_limits(strip(&latex)) || latex.starts_with("\\operatorname") || signs.len() > 1 {
            return self.scripts(children, signs);
        }
        let command = match (signs, over.as_str()) {
            (["^"], sign) => accent(sign).unwrap_or("\\overset"),
            (_, "_" | "¯" | "‾" | "−" | "̲") => "\\underline",
            (_, "⏟") => "\\underbrace",
            _ => "\\underset",
        };
        if command.ends_with("set") {
            append_token(&mut self.output, command);
            children.iter().skip(1).take(1).for_each(|&script| self.group(&[script]));
            self.group(&[base]);
        } else {
            self.grouped(command, &[base]);
        }
    }

    /// A single sign or name as LaTeX, for looking at; empty for anything else.
    pub(super) fn latex(&mut self, row: usize) -> String {
        let before = std::mem::take(&mut self.output);
        let only = match (self.name(row), self.inside(row).as_slice()) {
            ("mrow" | "mstyle", [only]) => *only,
            _ => row,
        };
        if matches!(self.name(only), "mo" | "mi") {
            self.element(only);
        }
        std::mem::replace(&mut self.output, before)
    }

    /// Scripts on both sides of something: pairs of those below and above, then those before it.
    pub(super) fn many_scripts(&mut self, children: &[usize]) {
        let split = children.iter().position(|&row| self.name(row) == "mprescripts").unwrap_or(children.len());
        let pairs = |converter: &mut Self, scripts: &[usize]| {
            for (number, &script) in scripts.iter().enumerate() {
                converter.script(if number % 2 == 0 { "_" } else { "^" }, script);
            }
        };
        if split + 1 < children.len() {
            self.output.push_str("{}");
            pairs(self, &children[split + 1..]);
        }
        children.first().into_iter().for_each(|&base| self.base(base));
        pairs(self, children.get(1..split).unwrap_or(&[]));
    }

    /// The rows and cells of a table in an environment.
    pub(super) fn matrix(&mut self, table: usize, environment: &str) {
        append_token(&mut self.output, &format!("\\begin{{{environment}}} "));
        for (number, line) in self.inside(table).into_iter().enumerate() {
            if number > 0 {
                self.output.push_str(" \\\\ ");
            }
            let is_labelled = usize::from(self.name(line) == "mlabeledtr");
            for (column, cell) in self.inside(line).into_iter().skip(is_labelled).enumerate() {
                if column > 0 {
                    self.output.push_str(" & ");
                }
                self.children(cell);
                while self.output.ends_with(' ') && !self.output.ends_with("\\ ") {
                    self.output.pop();
                }
            }
        }
        self.output.push_str(&format!(" \\end{{{environment}}}"));
    }

    /// A root with an index.
    pub(super) fn root(&mut self, children: &[usize]) {
        append_token(&mut self.output, "\\sqrt");
        if let Some(&index) = children.get(1) {
            self.output.push('[');
            self.element(index);
            self.output.push(']');
        }
        self.group(&children[..children.len().min(1)]);
    }
}
