//! Tags and their attributes: "tag name state" to "self-closing start tag state".

#![forbid(unsafe_code)]

use super::{Attribute, Span, Tokenizer};
use crate::html::bytes::{find, is_space};

impl Tokenizer<'_> {
    /// Read a tag from its name on: the name, and whether it closes itself. Nothing if the page ends first.
    #[inline]
    pub(super) fn tag(&mut self, start: usize) -> Option<(Span, bool)> {
        self.attributes.clear();
        let name = start..self.end_of_name(start, is_end_of_tag_name);
        let mut at = name.end;
        loop {
            let from = at;
            at = self.before_attribute(at);
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

    /// Skip white space and slashes: "before attribute name state".
    #[inline]
    fn before_attribute(&self, mut at: usize) -> usize {
        while at < self.source.len() && (is_space(self.source[at]) || self.source[at] == b'/') {
            at += 1;
        }
        at
    }

    #[inline]
    fn end_of_name(&self, mut at: usize, is_end: fn(u8) -> bool) -> usize {
        while at < self.source.len() && !is_end(self.source[at]) {
            at += 1;
        }
        at
    }

    #[inline]
    fn skip_space(&self, mut at: usize) -> usize {
        while at < self.source.len() && is_space(self.source[at]) {
            at += 1;
        }
        at
    }

    /// Read an attribute; the place after it.
    #[inline]
    fn attribute(&mut self, start: usize) -> usize {
        // An equals sign at the start belongs to the name.
        let name = start..self.end_of_name(start + 1, is_end_of_attribute_name);
        let equals = self.skip_space(name.end);
        let (value, end) = match self.source.get(equals) {
            Some(b'=') => self.value(self.skip_space(equals + 1)),
            _ => (name.end..name.end, name.end),
        };
        self.attributes.push(Attribute { name, value });
        end
    }

    /// The value that starts here, and the place after it: "before attribute value state".
    #[inline]
    fn value(&self, at: usize) -> (Span, usize) {
        match self.source.get(at) {
            Some(&quote @ (b'"' | b'\'')) => {
                let end = find(self.source, at + 1, quote);
                (at + 1..end, self.source.len().min(end + 1))
            }
            Some(b'>') | None => (at..at, at),
            Some(_) => {
                let end = self.end_of_name(at, |byte| is_space(byte) || byte == b'>');
                (at..end, end)
            }
        }
    }
}

fn is_end_of_tag_name(byte: u8) -> bool {
    is_space(byte) || byte == b'/' || byte == b'>'
}

fn is_end_of_attribute_name(byte: u8) -> bool {
    is_end_of_tag_name(byte) || byte == b'='
}
