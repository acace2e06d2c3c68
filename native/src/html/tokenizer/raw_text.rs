//! Text in which only an end tag means anything: scripts, style sheets, titles and text areas, plain text.

#![forbid(unsafe_code)]

use super::{Content, TextKind, Token, Tokenizer};
use crate::html::bytes::{find_any, is_of, ENDS_TAG_NAME};

/// The states of a script around comments, which may hide its end tag.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escaped {
    No,
    /// After `<!--`.
    Once,
    /// After `<!-- <script`: the next end tag only leads back.
    Twice,
}

impl Tokenizer<'_> {
    /// The text up to the end tag of the element, if there is any. The end tag is read as data.
    pub(super) fn raw_text(&mut self) -> Option<Token> {
        let start = self.position;
        let end = match self.content {
            Content::PlainText => self.source.len(),
            Content::Script => self.end_of_script(start),
            _ => self.end_of_raw_text(start),
        };
        let kind = match self.content {
            Content::EscapableRawText => TextKind::EscapableRaw,
            _ => TextKind::Raw,
        };
        self.position = end;
        self.content = Content::Data;
        (start < end).then_some(Token::Text { span: start..end, kind })
    }

    fn end_of_raw_text(&self, start: usize) -> usize {
        let mut at = start;
        loop {
            at = find_any(self.source, at, [b'<'; 3]);
            if at >= self.source.len() || self.is_end_tag(at) {
                return at;
            }
            at += 1;
        }
    }

    /// Whether the end tag of the element starts here: "appropriate end tag token".
    fn is_end_tag(&self, at: usize) -> bool {
        let name = &self.closing_name;
        self.source.get(at + 1) == Some(&b'/') && !name.is_empty() && self.has_name(at + 2, name)
    }

    fn has_name(&self, start: usize, name: &[u8]) -> bool {
        let end = start + name.len();
        let ends = matches!(self.source.get(end), Some(&byte) if is_of(byte, ENDS_TAG_NAME));
        ends && self.source[start..end].eq_ignore_ascii_case(name)
    }

    /// "Script data state" and the states of escaped scripts.
    fn end_of_script(&self, start: usize) -> usize {
        let mut at = start;
        let mut escaped = Escaped::No;
        loop {
            let wanted = if escaped == Escaped::No { b'<' } else { b'>' };
            at = find_any(self.source, at, [b'<', wanted, wanted]);
            if at >= self.source.len() {
                return at;
            }
            if self.source[at] == b'>' {
                if self.source[start..at].ends_with(b"--") {
                    escaped = Escaped::No;
                }
            } else if escaped != Escaped::Twice && self.is_end_tag(at) {
                return at;
            } else {
                escaped = self.escaped_after(at, escaped);
            }
            at += 1;
        }
    }

    /// The state after a `<` that does not end the script.
    fn escaped_after(&self, at: usize, escaped: Escaped) -> Escaped {
        match escaped {
            Escaped::No if self.source[at..].starts_with(b"<!--") => Escaped::Once,
            Escaped::Once if self.has_name(at + 1, b"script") => Escaped::Twice,
            Escaped::Twice if self.source.get(at + 1) == Some(&b'/') && self.has_name(at + 2, b"script") => {
                Escaped::Once
            }
            _ => escaped,
        }
    }
}
