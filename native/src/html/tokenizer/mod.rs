//! The tokenizer: html as start tags, end tags, texts, comments and doctypes.
//!
//! Tokens are places in the source; nothing is copied until somebody asks for the characters. Every search starts where
//! the last one ended, so the time is linear in the page. The states of the standard's tokenizer
//! (<https://html.spec.whatwg.org/multipage/parsing.html#tokenization>) are the functions of these files:
//! text here, tags in `markup`, comments, doctypes and CDATA in `declarations`, scripts and the like in `raw_text`,
//! `&amp;` in `character_references`, and line ends and NUL in `characters`.

#![forbid(unsafe_code)]
// Constants and fields here say what they are by their names.
#![allow(missing_docs)]

mod character_references;
mod characters;
mod declarations;
mod markup;
mod named_references;
mod raw_text;

use super::bytes::{find_any, is_ordinary};
use super::names::Name;
pub use characters::Characters;

/// A stretch of the source: start and end in bytes.
pub type Span = std::ops::Range<usize>;

/// What comes next in the page. The attributes of a tag and the parts of a doctype are kept by the tokenizer.
#[derive(Debug, PartialEq, Eq)]
pub enum Token {
    StartTag { name: Span, self_closing: bool },
    EndTag { name: Span },
    Text { span: Span, kind: TextKind },
    Comment(Span),
    Doctype,
    EndOfFile,
}

/// How the characters of a text are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// With character references; NUL is left to the tree builder.
    Data,
    /// Of `<title>` and `<textarea>`: with character references.
    EscapableRaw,
    /// Of `<script>`, `<style>` and the like: as it stands.
    Raw,
    /// Of a CDATA section: as it stands; NUL is left to the tree builder.
    Cdata,
}

/// What the tree builder says is in the element it has just opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    Data,
    EscapableRawText,
    RawText,
    Script,
    PlainText,
    Cdata,
}

/// One attribute of a tag: its name, and its value without quotes.
#[derive(Debug, Clone)]
pub struct Attribute {
    pub name: Span,
    pub value: Span,
    /// Whether there is no `&` in the value.
    is_plain: bool,
}

/// The parts of a doctype.
#[derive(Debug, Clone, Default)]
pub struct Doctype {
    pub name: Option<Span>,
    pub public_identifier: Option<Span>,
    pub system_identifier: Option<Span>,
    pub force_quirks: bool,
}

/// Reads tokens from a page.
pub struct Tokenizer<'source> {
    source: &'source [u8],
    position: usize,
    content: Content,
    /// The name that ends raw text.
    closing_name: Vec<u8>,
    attributes: Vec<Attribute>,
    doctype: Doctype,
    characters: Vec<u8>,
    /// Whether the page has neither carriage returns nor NUL: then only `&` is not what it looks like.
    is_ordinary: bool,
    /// Whether there is no `&` in the last text up to a tag.
    is_plain_text: bool,
}

impl<'source> Tokenizer<'source> {
    pub fn new(source: &'source [u8]) -> Self {
        Self::of(source, is_ordinary(source))
    }

    /// Of a page of which it is known whether it has carriage returns or NUL.
    pub(super) fn of(source: &'source [u8], is_ordinary: bool) -> Self {
        Self {
            source,
            position: 0,
            content: Content::Data,
            closing_name: Vec::new(),
            attributes: Vec::new(),
            doctype: Doctype::default(),
            characters: Vec::new(),
            is_ordinary,
            is_plain_text: false,
        }
    }

    /// Read what follows as the content of an element of this name.
    pub fn switch_to(&mut self, content: Content, name: &[u8]) {
        self.content = content;
        self.closing_name.clear();
        self.closing_name.extend_from_slice(name);
    }

    /// The bytes of a stretch.
    #[inline]
    pub fn written(&self, span: &Span) -> &'source [u8] {
        &self.source[span.clone()]
    }

    /// The name of a tag or an attribute at a place.
    #[inline]
    pub fn name(&self, span: &Span) -> Name<'source> {
        Name::at(self.source, span)
    }

    /// The attributes of the last tag, duplicates included.
    #[inline]
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// The last doctype.
    pub fn doctype(&self) -> &Doctype {
        &self.doctype
    }

    /// The next token. CDATA sections exist only in foreign content.
    #[inline]
    pub fn next(&mut self, is_in_foreign_content: impl Fn() -> bool) -> Token {
        loop {
            if self.position >= self.source.len() {
                return Token::EndOfFile;
            }
            let token = match self.content {
                Content::Data if self.starts_markup(self.position) => self.markup(&is_in_foreign_content),
                Content::Data => Some(self.text()),
                Content::Cdata => self.cdata(),
                _ => self.raw_text(),
            };
            if let Some(token) = token {
                return token;
            }
        }
    }

    /// Text up to the next tag, comment or declaration.
    fn text(&mut self) -> Token {
        let start = self.position;
        let mut end = find_any(self.source, start, [b'<', b'&', b'&']);
        self.is_plain_text = true;
        while end < self.source.len() && !self.starts_markup(end) {
            self.is_plain_text &= self.source[end] != b'&';
            let other = if self.is_plain_text { b'&' } else { b'<' };
            end = find_any(self.source, end + 1, [b'<', other, other]);
        }
        self.position = end;
        Token::Text { span: start..end, kind: TextKind::Data }
    }

    /// Whether something other than text starts here: "tag open state" and "end tag open state".
    #[inline]
    fn starts_markup(&self, at: usize) -> bool {
        self.source[at] == b'<'
            && match self.source.get(at + 1) {
                Some(b'/') => at + 2 < self.source.len(),
                Some(b'!' | b'?') => true,
                Some(byte) => byte.is_ascii_alphabetic(),
                None => false,
            }
    }

    /// What starts with `<`; nothing for `</>` and tags that never end.
    #[inline]
    fn markup(&mut self, is_in_foreign_content: &impl Fn() -> bool) -> Option<Token> {
        let at = self.position;
        match self.source[at + 1] {
            b'!' => Some(self.declaration(is_in_foreign_content())?),
            b'?' => Some(self.bogus_comment(at + 1)),
            b'/' => match self.source[at + 2] {
                b'>' => {
                    self.position = at + 3;
                    None
                }
                byte if byte.is_ascii_alphabetic() => {
                    let (name, _) = self.tag(at + 2)?;
                    Some(Token::EndTag { name })
                }
                _ => Some(self.bogus_comment(at + 2)),
            },
            _ => {
                let (name, self_closing) = self.tag(at + 1)?;
                Some(Token::StartTag { name, self_closing })
            }
        }
    }
}
