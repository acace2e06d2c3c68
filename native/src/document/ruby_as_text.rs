//! Ruby annotations as text, for TEI: it requires one base with its readings, HTML allows any number of both.
#![forbid(unsafe_code)]

use super::tree::{mark, Document};

/// Turns ruby annotations into text, with readings in parentheses.
pub fn write_ruby_as_text(document: &mut Document) {
    for place in 0..document.spans.len() {
        let mut span = document.spans[place];
        if span.marks.ruby == 0 {
            continue;
        }
        if span.marks.has(mark::READING) {
            let text = format!("({})", document.text_of(span.text));
            span.text = document.add_text(&text);
        }
        span.marks.ruby = 0;
        span.marks.flags &= !mark::READING;
        document.spans[place] = span;
    }
}
