//! Tags and their attributes: "tag name state" to "self-closing start tag state".

#![forbid(unsafe_code)]

use super::{Attribute, Span, Tokenizer};
use crate::html::bytes::{
    find, find_any, find_class, find_name_end, skip_class, ENDS_ATTRIBUTE_NAME, ENDS_TAG_NAME, ENDS_UNQUOTED_VALUE,
    SPACE, SPACE_OR_SLASH,
};

impl Tokenizer<'_> {
    /// Read a tag from its name on: the name, and whether it closes itself. Nothing if the page ends first.
    #[inline(always)]
    pub(super) fn tag(&mut self, start: usize) -> Option<(Span, bool)> {
        self.attributes.clear();
        let end = find_name_end(self.source, start, ENDS_TAG_NAME);
        if self.source.get(end) == Some(&b'>') {
            self.position = end + 1;
            return Some((start..end, false));
        }
        Some((start..end, self.attributes_from(end)?))
    }

    /// Read the attributes of a tag and its end; whether it closes itself.
    #[inline(never)]
    fn attributes_from(&mut self, mut at: usize) -> Option<bool> {
        loop {
            let from = at;
            at = skip_class(self.source, at, SPACE_OR_SLASH);
            match self.source.get(at) {
                None => {
                    self.position = at;
                    return None;
                }
                Some(b'>') => {
                    self.position = at + 1;
                    return Some(at > from && self.source[at - 1] == b'/');
                }
                Some(_) => at = self.attribute(at),
            }
        }
    }

    /// Read an attribute; the place after it.
    #[inline(always)]
    fn attribute(&mut self, start: usize) -> usize {
        // An equals sign at the start belongs to the name.
        let name = start..find_name_end(self.source, start + 1, ENDS_ATTRIBUTE_NAME);
        let mut equals = name.end;
        if self.source.get(equals) != Some(&b'=') {
            equals = skip_class(self.source, equals, SPACE);
        }
        let (value, end, is_plain) = match self.source.get(equals) {
            Some(b'=') => self.value(equals + 1),
            _ => (name.end..name.end, name.end, true),
        };
        self.attributes.push(Attribute { name, value, is_plain });
        end
    }

    /// The value that starts here, the place after it, and whether it is plain: "before attribute value state".
    #[inline(always)]
    fn value(&self, at: usize) -> (Span, usize, bool) {
        match self.source.get(at) {
            Some(&quote @ (b'"' | b'\'')) => self.quoted_value(at + 1, quote),
            _ => self.other_value(skip_class(self.source, at, SPACE)),
        }
    }

    #[inline(always)]
    fn quoted_value(&self, start: usize, quote: u8) -> (Span, usize, bool) {
        let mut end = find_any(self.source, start, [quote, b'&', b'&']);
        let is_plain = self.source.get(end) != Some(&b'&');
        if !is_plain {
            end = find(self.source, end, quote);
        }
        (start..end, self.source.len().min(end + 1), is_plain)
    }

    /// A value without quotes, or behind white space.
    #[inline(never)]
    fn other_value(&self, at: usize) -> (Span, usize, bool) {
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
