//! The characters of texts and attribute values: references decoded, line ends made line feeds.

#![forbid(unsafe_code)]

use super::character_references::{decode_reference, Context};
use super::{Attribute, Span, TextKind, Tokenizer};
use crate::html::bytes::{append_part, find, find_any};

/// The characters of a text.
pub enum Characters<'text> {
    /// They stand in the source as they are.
    InSource(Span),
    Decoded {
        text: &'text str,
        /// Whether NUL is among them: html content drops it, foreign content replaces it.
        has_nul: bool,
    },
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
        if kind == TextKind::Data && self.is_ordinary && self.is_plain_text {
            return Characters::InSource(span.clone());
        }
        self.decode_text(span, kind)
    }

    /// The same for a text that may not be what it looks like.
    #[inline(never)]
    fn decode_text(&mut self, span: &Span, kind: TextKind) -> Characters<'_> {
        let written = self.written(span);
        let (context, nul) = match kind {
            TextKind::Data => (Some(Context::Text), Nul::Kept),
            TextKind::EscapableRaw => (Some(Context::Text), Nul::Replaced),
            TextKind::Raw => (None, Nul::Replaced),
            TextKind::Cdata => (None, Nul::Kept),
        };
        if self.next_changed(written, 0, context) >= written.len() {
            return Characters::InSource(span.clone());
        }
        let mut characters = std::mem::take(&mut self.characters);
        characters.clear();
        let has_nul = self.decode(written, context, nul, &mut characters);
        self.characters = characters;
        Characters::Decoded { text: &self.characters, has_nul }
    }

    /// Append the characters of an attribute's value.
    #[inline(always)]
    pub fn add_value(&self, attribute: &Attribute, characters: &mut String) {
        if self.is_ordinary && attribute.is_plain {
            append_part(characters, self.text, attribute.value.clone());
        } else {
            self.decode_value(attribute, characters);
        }
    }

    /// The same for a value that may not be what it looks like.
    #[inline(never)]
    fn decode_value(&self, attribute: &Attribute, characters: &mut String) {
        self.decode(self.written(&attribute.value), Some(Context::Attribute), Nul::Replaced, characters);
    }

    /// The characters of a comment or of a part of a doctype.
    pub fn comment_characters(&self, span: &Span) -> String {
        let mut characters = String::new();
        self.decode(self.written(span), None, Nul::Replaced, &mut characters);
        characters
    }

    /// The next place with a character that is not what it looks like.
    #[inline]
    fn next_changed(&self, written: &str, from: usize, context: Option<Context>) -> usize {
        let written = written.as_bytes();
        match (self.is_ordinary, context) {
            (true, None) => written.len(),
            (true, Some(_)) => find(written, from, b'&'),
            (false, None) => find_any(written, from, [b'\r', 0, 0]),
            (false, Some(_)) => find_any(written, from, [b'&', b'\r', 0]),
        }
    }

    /// Append the characters of what is written; whether NUL is among them.
    fn decode(&self, written: &str, context: Option<Context>, nul: Nul, characters: &mut String) -> bool {
        let bytes = written.as_bytes();
        let mut has_nul = false;
        let mut at = 0;
        loop {
            let changed = self.next_changed(written, at, context);
            characters.push_str(&written[at..changed]);
            if changed >= written.len() {
                return has_nul;
            }
            at = changed + 1;
            match (bytes[changed], context) {
                (b'&', Some(context)) => at = changed + decode_reference(&bytes[changed..], context, characters),
                (b'\r', _) => {
                    characters.push('\n');
                    at += usize::from(bytes.get(at) == Some(&b'\n'));
                }
                _ if nul == Nul::Kept => {
                    has_nul = true;
                    characters.push('\0');
                }
                _ => characters.push(char::REPLACEMENT_CHARACTER),
            }
        }
    }
}
