//! Tags and their attributes: "tag name state" to "self-closing start tag state".

#![forbid(unsafe_code)]

use super::{Attribute, Span, Tokenizer};
use crate::html::bytes::{
    find, find_any, find_class, find_name_end, skip_class, ENDS_ATTRIBUTE_NAME, ENDS_TAG_NAME, ENDS_UNQUOTED_VALUE,
    SPACE, SPACE_OR_SLASH,
};

impl Tokenizer<'_> {
    /// Read a tag from its name on: the name, and whether it closes itself. Nothing if the page ends first.
    #[inline]
    pub(super) fn tag(&mut self, start: usize) -> Option<(Span, bool)> {
        self.attributes.clear();
        let name = start..find_name_end(self.source, start, ENDS_TAG_NAME);
        let mut at = name.end;
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
                    return Some((name, at > from && self.source[at - 1] == b'/'));
                }
                Some(_) => at = self.attribute(at),
            }
        }
    }

    /// Read an attribute; the place after it.
    #[inline]
    fn attribute(&mut self, start: usize) -> usize {
        // An equals sign at the start belongs to the name.
        let name = start..find_name_end(self.source, start + 1, ENDS_ATTRIBUTE_NAME);
        let equals = skip_class(self.source, name.end, SPACE);
        let (value, end, is_plain) = match self.source.get(equals) {
            Some(b'=') => self.value(skip_class(self.source, equals + 1, SPACE)),
            _ => (name.end..name.end, name.end, true),
        };
        self.attributes.push(Attribute { name, value, is_plain });
        end
    }

    /// The value that starts here, the place after it, and whether it is plain: "before attribute value state".
    #[inline]
    fn value(&self, at: usize) -> (Span, usize, bool) {
        match self.source.get(at) {
            Some(&quote @ (b'"' | b'\'')) => {
                let mut end = find_any(self.source, at + 1, [quote, b'&', b'&']);
                let is_plain = self.source.get(end) != Some(&b'&');
                if !is_plain {
                    end = find(self.source, end, quote);
                }
                (at + 1..end, self.source.len().min(end + 1), is_plain)
            }
            Some(b'>') | None => (at..at, at, true),
            Some(_) => {
                let end = find_class(self.source, at, ENDS_UNQUOTED_VALUE);
                (at..end, end, false)
            }
        }
    }
}
