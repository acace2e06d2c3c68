//! Tags and their attributes: "tag name state" to "self-closing start tag state".

#![forbid(unsafe_code)]

use super::{Attribute, Span, Token, Tokenizer};
use crate::html::attributes::read_attribute_name;
use crate::html::bytes::{
    find, find_any, find_class, is_of, skip_class, ENDS_UNQUOTED_VALUE, LETTER, SPACE, SPACE_OR_SLASH,
};
use crate::html::kept_attributes::KeptAttributes;
use crate::html::names::read_tag_name;

impl Tokenizer<'_> {
    /// Read a start tag from its name on. Nothing if the page ends first.
    #[inline(always)]
    pub(super) fn start_tag(&mut self, start: usize, kept: &mut KeptAttributes) -> Option<Token> {
        let (end, code) = read_tag_name(self.source, start);
        let first = kept.end();
        let self_closing = if self.source.get(end) == Some(&b'>') {
            self.position = end + 1;
            false
        } else {
            self.keep_attributes(end, kept)?
        };
        Some(Token::StartTag { name: start..end, code, attributes: (first, kept.end()), self_closing })
    }

    /// Read an end tag from its name on. Nothing if the page ends first.
    #[inline(always)]
    pub(super) fn end_tag(&mut self, start: usize) -> Option<Token> {
        let (end, code) = read_tag_name(self.source, start);
        if self.source.get(end) == Some(&b'>') {
            self.position = end + 1;
        } else {
            self.skip_attributes(end)?;
        }
        Some(Token::EndTag { name: start..end, code })
    }

    /// Read the attributes of a tag and its end, and keep those that pages keep; whether the tag closes itself. Of equal names
    /// the first counts.
    #[inline(never)]
    fn keep_attributes(&mut self, start: usize, kept: &mut KeptAttributes) -> Option<bool> {
        let (before, values_before) = (kept.end(), kept.value_ends.len());
        // A bit for every fourth name: few tags have two of them, or the same name twice.
        let mut seen = 0_u64;
        let keep = |attribute: Attribute| {
            let code = match attribute.code {
                Some(code) => code,
                None => return,
            };
            let mark = 1 << (code % 64);
            if seen & mark != 0 && kept.has_since(before, code) {
                return;
            }
            seen |= mark;
            self.add_value(&attribute, &mut kept.values);
            kept.keep(code);
        };
        let end = self.read_attributes(start, keep);
        if end.is_none() {
            kept.truncate(before, values_before);
        }
        self.go_on_after(end)
    }

    /// The same without keeping any.
    #[inline(never)]
    fn skip_attributes(&mut self, start: usize) -> Option<bool> {
        let end = self.read_attributes(start, |_| ());
        self.go_on_after(end)
    }

    /// Go on where a tag ends, or the page in it.
    fn go_on_after(&mut self, end: Option<(usize, bool)>) -> Option<bool> {
        self.position = end.map_or(self.source.len(), |(place, _)| place);
        end.map(|(_, closes_itself)| closes_itself)
    }

    /// The attributes that are written from a place on, where the name of a tag ends, duplicates included: read once more,
    /// since few tags need those that no page keeps.
    pub fn attributes_from(&self, start: usize) -> Vec<Attribute> {
        let mut attributes = Vec::new();
        self.read_attributes(start, |attribute| attributes.push(attribute));
        attributes
    }

    /// Read the attributes of a tag and its end: the place after it, and whether it closes itself.
    #[inline(always)]
    fn read_attributes(&self, mut at: usize, mut visit: impl FnMut(Attribute)) -> Option<(usize, bool)> {
        loop {
            let from = at;
            // Nearly always one space, and a letter.
            at += usize::from(*self.source.get(at)? == b' ');
            if !is_of(*self.source.get(at)?, LETTER) {
                at = skip_class(self.source, at, SPACE_OR_SLASH);
                if *self.source.get(at)? == b'>' {
                    return Some((at + 1, at > from && self.source[at - 1] == b'/'));
                }
            }
            let (attribute, end) = self.attribute(at);
            visit(attribute);
            at = end;
        }
    }

    /// The attribute that starts here, and the place after it.
    #[inline(always)]
    fn attribute(&self, start: usize) -> (Attribute, usize) {
        // An equals sign at the start belongs to the name.
        let (name_end, code) = read_attribute_name(self.source, start);
        let (value, end, is_plain) = match self.source.get(name_end..name_end + 2) {
            Some(b"=\"") => self.quoted_value(name_end + 2, b'"'),
            _ => {
                // Taken apart and put together, so that the common case need not go through memory.
                let (value, end, is_plain) = self.other_value(name_end);
                (value.start..value.end, end, is_plain)
            }
        };
        (Attribute { name: start..name_end, code, value, is_plain }, end)
    }

    /// The value in quotes that starts here, the place after it, and whether there is no `&` in it.
    #[inline(always)]
    fn quoted_value(&self, start: usize, quote: u8) -> (Span, usize, bool) {
        let mut end = find_any(self.source, start, [quote, b'&', b'&']);
        let is_plain = self.source.get(end) != Some(&b'&');
        if !is_plain {
            end = self.end_of_value(end, quote);
        }
        (start..end, self.source.len().min(end + 1), is_plain)
    }

    /// Where a value with references ends.
    #[inline(never)]
    fn end_of_value(&self, from: usize, quote: u8) -> usize {
        find(self.source, from, quote)
    }

    /// The same for any other value, given where the name ends: "after attribute name state" and "before attribute value
    /// state". Empty if there is none.
    #[inline(never)]
    fn other_value(&self, name_end: usize) -> (Span, usize, bool) {
        let equals = skip_class(self.source, name_end, SPACE);
        if self.source.get(equals) != Some(&b'=') {
            return (name_end..name_end, name_end, true);
        }
        let at = skip_class(self.source, equals + 1, SPACE);
        match self.source.get(at) {
            Some(&quote @ (b'"' | b'\'')) => self.quoted_value(at + 1, quote),
            Some(b'>') | None => (at..at, at, true),
            Some(_) => {
                let end = find_class(self.source, at, ENDS_UNQUOTED_VALUE);
                (at..end, end, false)
            }
        }
    }
}
