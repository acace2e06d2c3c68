//! Spans of one block, added from left to right; white space is folded as a browser shows it.
#![forbid(unsafe_code)]

use super::steps::count;
use super::texts::{strip_end, strip_start};
use super::tree::{Document, Marks, Part, Span, SpanKind};

/// Signs that have no blank before them.
const CLOSING: [char; 3] = [',', '.', ')'];

/// The last spans of a document: those of the block that is being read.
pub struct SpanList<'d, 'a> {
    document: &'d mut Document<'a>,
    start: usize,
}

impl<'d, 'a> SpanList<'d, 'a> {
    /// The spans of a document from one of them on.
    pub fn new(document: &'d mut Document<'a>, start: usize) -> Self {
        SpanList { document, start }
    }

    /// Adds text in which `line_end` stands for line breaks.
    pub fn add_lines(&mut self, text: &str, line_end: char, marks: Marks) {
        for (number, line) in text.split(line_end).enumerate() {
            if number > 0 {
                self.end_line();
                if self.last().is_some() {
                    self.add_line_break();
                }
            }
            self.add_text(line, marks);
        }
    }

    /// The span added last.
    fn last(&self) -> Option<&Span> {
        self.document.spans[self.start..].last()
    }

    /// Adds a line break.
    fn add_line_break(&mut self) {
        let text = self.document.add_text("\n");
        let span = Span { text, marks: Marks::default(), kind: SpanKind::LineBreak, address: 0 };
        self.document.spans.push(span);
    }

    /// Adds text, with blanks folded (also across spans) and none at the start of a line.
    fn add_text(&mut self, text: &str, marks: Marks) {
        count(text.len() + 1);
        let folded;
        let mut text = text;
        if has_two_blanks(text) {
            folded = with_blanks_folded(text);
            text = &folded;
        }
        if text.starts_with(CLOSING) {
            self.drop_blank_behind_formula();
        }
        let text = match self.last() {
            None => strip_start(text),
            Some(before) if matches!(before.kind, SpanKind::LineBreak | SpanKind::Task) => strip_start(text),
            Some(before) if before.kind == SpanKind::Text && self.document.text_of(before.text).ends_with(' ') => {
                text.strip_prefix(' ').unwrap_or(text)
            }
            Some(_) => text,
        };
        if !text.is_empty() {
            let text = self.document.add_text(text);
            self.document.spans.push(Span { text, marks, kind: SpanKind::Text, address: 0 });
        }
    }

    /// Takes off a blank behind a formula: the element of one may be a box of its own, which a blank sets apart from what
    /// follows.
    fn drop_blank_behind_formula(&mut self) {
        if let [.., formula, blank] = &self.document.spans[self.start..] {
            if formula.kind.is_formula() && blank.kind == SpanKind::Text && self.document.text_of(blank.text) == " " {
                self.document.spans.pop();
            }
        }
    }

    /// Adds an image, a footnote reference or a formula; skips a formula repeated as MathML and as an image.
    pub fn add_other(&mut self, span: Span) {
        let is_repeated = span.kind.is_formula()
            && self.last().is_some_and(|last| {
                last.kind.is_formula() && self.document.text_of(last.text) == self.document.text_of(span.text)
            });
        if !is_repeated {
            self.document.spans.push(span);
        }
    }

    /// Takes off blanks and line breaks at the end; returns which spans there are.
    pub fn ended(mut self) -> Part {
        self.end_line();
        if self.last().is_some_and(|last| last.kind == SpanKind::LineBreak) {
            self.document.spans.pop();
        }
        Part { start: self.start, end: self.document.spans.len() }
    }

    /// Takes blanks off the end of the line; drops the line break before it if it is empty.
    fn end_line(&mut self) {
        while let Some(&last) = self.last().filter(|last| last.kind == SpanKind::Text) {
            self.document.spans.pop();
            count(last.text.range().len());
            let length = strip_end(self.document.text_of(last.text)).len();
            if length > 0 {
                let text = Part { start: last.text.start, end: last.text.start + length };
                self.document.spans.push(Span { text, ..last });
                return;
            }
        }
        if self.last().is_some_and(|last| last.kind == SpanKind::LineBreak) {
            self.document.spans.pop();
        }
    }
}

/// Whether a text has two blanks side by side. All text that is written is asked, and hardly any has.
fn has_two_blanks(text: &str) -> bool {
    let bytes = text.as_bytes();
    let following = bytes.get(1..).unwrap_or(&[]);
    // Without branches, so that the compiler compares many bytes at once.
    bytes.iter().zip(following).fold(false, |found, (&one, &other)| found | ((one == b' ') & (other == b' ')))
}

/// A text with one blank in place of several.
fn with_blanks_folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in text.chars() {
        if character != ' ' || !folded.ends_with(' ') {
            folded.push(character);
        }
    }
    folded
}

impl Document<'_> {
    /// Adds to the text; returns which part it is.
    pub fn add_text(&mut self, text: &str) -> Part {
        let start = self.text.len();
        self.text.push_str(text);
        Part { start, end: self.text.len() }
    }
}
