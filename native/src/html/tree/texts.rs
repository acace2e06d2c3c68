//! Characters: where texts go in each insertion mode.

#![forbid(unsafe_code)]

use super::builder::{Builder, Mode};
use crate::html::bytes::{is_space, leading_space};
use crate::html::tags::*;
use crate::html::tokenizer::{Characters, Span};

/// Elements in which text is fostered: a table shows it before itself.
const TABLE_CONTEXT: &[Tag] = &[TABLE, TBODY, TEMPLATE, TFOOT, THEAD, TR];

impl Builder<'_> {
    #[inline]
    pub fn text(&mut self, characters: Characters) {
        match characters {
            Characters::InSource(span) => self.text_in_source(span),
            Characters::Decoded { text, has_nul } => self.decoded_text(text, has_nul),
        }
    }

    /// A text that stands in the source as it is.
    #[inline(always)]
    fn text_in_source(&mut self, mut span: Span) {
        if std::mem::take(&mut self.skips_line_feed) {
            span.start += usize::from(self.document.written(&span).starts_with('\n'));
        }
        match self.mode {
            _ if self.is_foreign_text() => self.foreign_text(self.document.written(&span), false),
            Mode::InBody | Mode::InCell => self.body_text_in_source(span),
            Mode::Text => self.raw_text(span),
            _ => self.text_in_mode(self.document.written(&span), false),
        }
    }

    /// Any other text.
    #[inline(never)]
    fn decoded_text(&mut self, mut text: &str, has_nul: bool) {
        if std::mem::take(&mut self.skips_line_feed) && text.starts_with('\n') {
            text = &text[1..];
        }
        match self.mode {
            _ if self.is_foreign_text() => self.foreign_text(text, has_nul),
            Mode::Text => self.insert_text(text),
            _ => self.text_in_mode(text, has_nul),
        }
    }

    fn text_in_mode(&mut self, mut text: &str, has_nul: bool) {
        while !text.is_empty() {
            let space = leading_space(text.as_bytes());
            match self.mode {
                Mode::Initial | Mode::BeforeHtml | Mode::BeforeHead => text = &text[space..],
                Mode::InHead | Mode::InHeadNoscript | Mode::AfterHead => {
                    self.insert_text(&text[..space]);
                    text = &text[space..];
                }
                Mode::InColumnGroup => {
                    if !self.open.current_is(COLGROUP) {
                        return self.insert_spaces_of(text);
                    }
                    self.insert_text(&text[..space]);
                    text = &text[space..];
                }
                Mode::Text => return self.insert_text(text),
                Mode::InBody | Mode::InCaption | Mode::InCell | Mode::InTemplate => {
                    return self.body_text_without_nul(text, has_nul);
                }
                Mode::InTable | Mode::InTableBody | Mode::InRow => return self.table_text(text, has_nul),
                Mode::AfterBody | Mode::AfterAfterBody => {
                    // White space goes to the body without leaving the mode.
                    if space == text.len() {
                        return self.body_text(text);
                    }
                }
                Mode::InFrameset | Mode::AfterFrameset | Mode::AfterAfterFrameset => {
                    return self.insert_spaces_of(text);
                }
            }
            if !text.is_empty() {
                self.leave_mode_for_text();
            }
        }
    }

    /// Text that is no white space ends a mode: imply the tags that are missing.
    fn leave_mode_for_text(&mut self) {
        if self.leave_mode_before_body() {
            return;
        }
        match self.mode {
            Mode::InColumnGroup => self.leave_column_group(),
            _ => self.mode = Mode::InBody,
        }
    }

    /// Text by the rules of the body.
    #[inline(never)]
    pub fn body_text(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.reconstruct_formatting();
        self.insert_text(text);
        self.frameset_ok &= is_blank(text);
    }

    /// The same for a text that stands in the source.
    #[inline(always)]
    fn body_text_in_source(&mut self, span: Span) {
        if span.is_empty() {
            return;
        }
        self.reconstruct_formatting();
        self.frameset_ok = self.frameset_ok && is_blank(self.document.written(&span));
        let place = self.place();
        self.document.add_text_in_source(place, span);
    }

    fn body_text_without_nul(&mut self, text: &str, has_nul: bool) {
        if !has_nul {
            return self.body_text(text);
        }
        let mut without_nul = std::mem::take(&mut self.without_nul);
        without_nul.clear();
        without_nul.extend(text.split('\0'));
        self.body_text(&without_nul);
        self.without_nul = without_nul;
    }

    /// Text in a table: collected first, since white space stays in the table only if there is nothing else.
    fn table_text(&mut self, text: &str, has_nul: bool) {
        if matches!(self.open.current(), Some(element) if element.is_one_of(TABLE_CONTEXT)) {
            if !has_nul {
                return self.pending_table_text.push_str(text);
            }
            return self.pending_table_text.extend(text.split('\0'));
        }
        self.foster_parenting = true;
        self.body_text_without_nul(text, has_nul);
        self.foster_parenting = false;
    }

    /// "In table text" insertion mode: anything else.
    pub fn flush_table_text(&mut self) {
        let text = std::mem::take(&mut self.pending_table_text);
        if is_blank(&text) {
            self.insert_text(&text);
        } else {
            self.foster_parenting = true;
            self.body_text(&text);
            self.foster_parenting = false;
        }
        self.pending_table_text = text;
        self.pending_table_text.clear();
    }

    /// Insert the white space of a text and drop the rest.
    fn insert_spaces_of(&mut self, text: &str) {
        let spaces: String =
            text.chars().filter(|&character| character.is_ascii() && is_space(character as u8)).collect();
        self.insert_text(&spaces);
    }

    /// Insert text where nodes go. Not a part of every rule for text: one copy of it is enough.
    #[inline(never)]
    pub fn insert_text(&mut self, text: &str) {
        if !text.is_empty() {
            let place = self.place();
            self.document.add_text(place, text);
        }
    }

    /// Insert the text of a script, a style sheet and the like.
    #[inline(never)]
    fn raw_text(&mut self, span: Span) {
        if !span.is_empty() {
            let place = self.place();
            self.document.add_text_in_source(place, span);
        }
    }
}

/// Whether a text is white space.
fn is_blank(text: &str) -> bool {
    leading_space(text.as_bytes()) == text.len()
}
