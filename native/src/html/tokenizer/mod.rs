//! The tokenizer: html as start tags, end tags, texts, comments and doctypes.
//!
//! Tokens are places in the source; but for the attributes that pages keep, nothing is copied until somebody asks for the
//! characters. Every search starts where the last one ended, so the time is linear in the page. The states of the standard's
//! tokenizer (<https://html.spec.whatwg.org/multipage/parsing.html#tokenization>) are the functions of these files:
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

use super::attributes::AttributeCode;
use super::bytes::{find_any, is_of, with_line_feeds, ByteKinds, LETTER, STARTS_MARKUP};
use super::kept_attributes::KeptAttributes;
use super::tags::Tag;
use crate::stopping::may_stop;
pub use characters::Characters;
use std::borrow::Cow;

/// A stretch of the source: start and end in bytes.
pub type Span = std::ops::Range<usize>;

/// What comes next in the page. The tokenizer has the parts of a doctype.
#[derive(Debug, PartialEq, Eq)]
pub enum Token {
    /// With the code of its name, if that is a fixed one, and the range of the attributes that the page keeps.
    StartTag {
        name: Span,
        code: Option<Tag>,
        attributes: (u32, u32),
        self_closing: bool,
    },
    EndTag {
        name: Span,
        code: Option<Tag>,
    },
    Text {
        span: Span,
        kind: TextKind,
    },
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
    /// What a page keeps it as, if it does.
    pub code: Option<AttributeCode>,
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

/// A page whose line ends are line feeds.
pub struct Source<'html> {
    pub text: Cow<'html, str>,
    /// Whether NUL is not in it.
    is_ordinary: bool,
}

impl<'html> Source<'html> {
    /// The same page, copied only if it has carriage returns.
    pub fn of(html: &'html str, kinds: ByteKinds) -> Self {
        let text = if kinds.has_carriage_return { with_line_feeds(html) } else { Cow::Borrowed(html) };
        Self { text, is_ordinary: !kinds.has_nul }
    }
}

/// Reads tokens from a page.
pub struct Tokenizer<'source> {
    text: &'source str,
    /// Its bytes.
    source: &'source [u8],
    position: usize,
    content: Content,
    /// The name that ends raw text.
    closing_name: Vec<u8>,
    doctype: Doctype,
    characters: String,
    /// Whether the page has neither carriage returns nor NUL: then only `&` is not what it looks like.
    is_ordinary: bool,
    /// Whether there is no `&` in the last text up to a tag.
    is_plain_text: bool,
}

impl<'source> Tokenizer<'source> {
    pub fn new(source: &'source str) -> Self {
        Self::of(source, ByteKinds::of(source.as_bytes()).are_ordinary())
    }

    /// Of a page whose line ends are line feeds.
    pub(super) fn of_source(source: &'source Source) -> Self {
        Self::of(&source.text, source.is_ordinary)
    }

    fn of(text: &'source str, is_ordinary: bool) -> Self {
        Self {
            text,
            source: text.as_bytes(),
            position: 0,
            content: Content::Data,
            closing_name: Vec::new(),
            doctype: Doctype::default(),
            characters: String::new(),
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

    /// What is written in a stretch.
    #[inline]
    pub fn written(&self, span: &Span) -> &'source str {
        &self.text[span.clone()]
    }

    /// The last doctype.
    pub fn doctype(&self) -> &Doctype {
        &self.doctype
    }

    /// The next token. CDATA sections exist only in foreign content.
    #[inline]
    pub fn next(&mut self, kept: &mut KeptAttributes, is_in_foreign_content: impl Fn() -> bool) -> Token {
        loop {
            may_stop();
            if self.position >= self.source.len() {
                return Token::EndOfFile;
            }
            let token = match self.content {
                Content::Data if self.starts_markup(self.position) => self.markup(kept, &is_in_foreign_content),
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
                Some(&byte) => is_of(byte, STARTS_MARKUP),
                None => false,
            }
    }

    /// What starts with `<`; nothing for `</>` and tags that never end.
    #[inline]
    fn markup(&mut self, kept: &mut KeptAttributes, is_in_foreign_content: &impl Fn() -> bool) -> Option<Token> {
        let at = self.position;
        match self.source[at + 1] {
            byte if is_of(byte, LETTER) => self.start_tag(at + 1, kept),
            b'/' => match self.source[at + 2] {
                byte if is_of(byte, LETTER) => self.end_tag(at + 2),
                b'>' => {
                    self.position = at + 3;
                    None
                }
                _ => Some(self.bogus_comment(at + 2)),
            },
            b'!' => Some(self.declaration(is_in_foreign_content())?),
            _ => Some(self.bogus_comment(at + 1)),
        }
    }
}
