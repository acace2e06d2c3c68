//! The characters of texts and attribute values: references decoded, line ends made line feeds.

#![forbid(unsafe_code)]

use super::character_references::{decode_reference, Context};
use super::{Attribute, Span, TextKind, Tokenizer};
use crate::html::bytes::{find, find_any};

/// The characters of a text.
pub struct Characters<'text> {
    /// UTF-8.
    pub bytes: &'text [u8],
    /// Where they start in the source, if they stand there as they are.
    pub in_source: Option<usize>,
    /// Whether NUL is among them: html content drops it, foreign content replaces it.
    pub has_nul: bool,
}

/// What becomes of NUL.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nul {
    Kept,
    Replaced,
}

impl Tokenizer<'_> {
    /// The characters of a text token.
    #[inline]
    pub fn text_characters(&mut self, span: &Span, kind: TextKind) -> Characters<'_> {
        let written = &self.source[span.clone()];
        let as_written = Characters { bytes: written, in_source: Some(span.start), has_nul: false };
        if kind == TextKind::Data && self.is_ordinary && self.is_plain_text {
            return as_written;
        }
        let (context, nul) = match kind {
            TextKind::Data => (Some(Context::Text), Nul::Kept),
            TextKind::EscapableRaw => (Some(Context::Text), Nul::Replaced),
            TextKind::Raw => (None, Nul::Replaced),
            TextKind::Cdata => (None, Nul::Kept),
        };
        if self.next_changed(written, 0, context) >= written.len() {
            return as_written;
        }
        let mut characters = std::mem::take(&mut self.characters);
        characters.clear();
        let has_nul = self.decode(written, context, nul, &mut characters);
        self.characters = characters;
        Characters { bytes: &self.characters, in_source: None, has_nul }
    }

    /// Append the characters of an attribute's value.
    #[inline]
    pub fn add_value(&self, attribute: &Attribute, characters: &mut Vec<u8>) {
        let written = &self.source[attribute.value.clone()];
        if self.is_ordinary && attribute.is_plain {
            characters.extend_from_slice(written);
        } else {
            self.decode(written, Some(Context::Attribute), Nul::Replaced, characters);
        }
    }

    /// The characters of a comment or of a part of a doctype.
    pub fn comment_characters(&self, span: &Span) -> Vec<u8> {
        let mut characters = Vec::new();
        self.decode(&self.source[span.clone()], None, Nul::Replaced, &mut characters);
        characters
    }

    /// The next place with a character that is not what it looks like.
    #[inline]
    fn next_changed(&self, written: &[u8], from: usize, context: Option<Context>) -> usize {
        match (self.is_ordinary, context) {
            (true, None) => written.len(),
            (true, Some(_)) => find(written, from, b'&'),
            (false, None) => find_any(written, from, [b'\r', 0, 0]),
            (false, Some(_)) => find_any(written, from, [b'&', b'\r', 0]),
        }
    }

    /// Append the characters of what is written; whether NUL is among them.
    fn decode(&self, written: &[u8], context: Option<Context>, nul: Nul, characters: &mut Vec<u8>) -> bool {
        let mut has_nul = false;
        let mut at = 0;
        loop {
            let changed = self.next_changed(written, at, context);
            characters.extend_from_slice(&written[at..changed]);
            if changed >= written.len() {
                return has_nul;
            }
            at = changed + 1;
            match (written[changed], context) {
                (b'&', Some(context)) => at = changed + decode_reference(&written[changed..], context, characters),
                (b'\r', _) => {
                    characters.push(b'\n');
                    at += usize::from(written.get(at) == Some(&b'\n'));
                }
                _ if nul == Nul::Kept => {
                    has_nul = true;
                    characters.push(0);
                }
                _ => characters.extend_from_slice("\u{FFFD}".as_bytes()),
            }
        }
    }
}
