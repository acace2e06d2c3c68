//! Spans as plain text, with the quotation marks and parentheses a browser adds.
#![forbid(unsafe_code)]

use super::groups::groups;
use super::tree::{mark, Document, Span, SpanKind};
use crate::blocks::characters::{is_digit, property_of};

/// Appends spans; after each line break comes an indent.
pub fn plain_spans(document: &Document, spans: &[Span], indent: &str, output: &mut String) {
    if let [Span { kind: SpanKind::Text, text, .. }] = spans {
        if spans[0].marks.flags == 0 {
            return output.push_str(document.text_of(*text));
        }
    }
    let mut writer = Writer { document, indent, output, last: None };
    let ruby_read = |span: &Span| if span.marks.has(mark::READING) { span.marks.ruby } else { 0 };
    for (ruby, group) in groups(spans, ruby_read) {
        writer.open(ruby != 0, '(');
        for (is_quoted, quoted) in groups(group, |span| span.marks.has(mark::QUOTED)) {
            writer.open(is_quoted, '“');
            quoted.iter().for_each(|span| writer.write(span));
            writer.close(is_quoted, '”');
        }
        writer.close(ruby != 0, ')');
    }
}

/// Writes the spans of one block.
struct Writer<'a> {
    document: &'a Document<'a>,
    indent: &'a str,
    output: &'a mut String,
    /// The last character, opening signs aside.
    last: Option<char>,
}

impl Writer<'_> {
    /// An opening sign, if there is one.
    fn open(&mut self, is_there: bool, sign: char) {
        if is_there {
            self.output.push(sign);
        }
    }

    /// A closing sign, if there is one.
    fn close(&mut self, is_there: bool, sign: char) {
        if is_there {
            self.output.push(sign);
            self.last = Some(sign);
        }
    }

    /// A span.
    fn write(&mut self, span: &Span) {
        let text = self.document.text_of(span.text);
        match span.kind {
            SpanKind::Formula | SpanKind::DisplayFormula => self.enclosed('$', text, '$'),
            SpanKind::Note => self.enclosed('[', text, ']'),
            SpanKind::Image => (),
            SpanKind::LineBreak => {
                self.output.push('\n');
                self.output.push_str(self.indent);
                self.last = Some('\n');
            }
            SpanKind::Text | SpanKind::Task => {
                // 10<sup>6</sup> is not 106.
                if span.marks.has(mark::SUPERSCRIPT) && self.last.is_some_and(may_have_power) && is_power(text) {
                    self.output.push('^');
                }
                self.output.push_str(text);
                self.last = text.chars().next_back().or(self.last);
            }
        }
    }

    /// A text between signs.
    fn enclosed(&mut self, begin: char, text: &str, end: char) {
        self.output.push(begin);
        self.output.push_str(text);
        self.output.push(end);
        self.last = Some(end);
    }
}

/// Whether what is raised after a character may be a power.
fn may_have_power(character: char) -> bool {
    character == ')' || property_of(character).is_alphanumeric
}

/// Whether a text can be a power: a whole number, `n` or `k`.
fn is_power(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-', '\u{2212}']).unwrap_or(text);
    matches!(text, "n" | "k") || (!digits.is_empty() && digits.chars().all(is_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers() {
        for power in ["2", "-10", "+3", "−1", "n", "k", "٣"] {
            assert!(is_power(power), "{power}");
        }
        for other in ["", "-", "st", "x", "2a", "--2", "-n"] {
            assert!(!is_power(other), "{other}");
        }
    }
}
