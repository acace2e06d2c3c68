//! What starts with `<!` or is no tag after all: comments, doctypes, CDATA sections.

#![forbid(unsafe_code)]

use super::{Content, Doctype, Span, TextKind, Token, Tokenizer};
use crate::html::bytes::{find, find_class, skip_class, ENDS_UNQUOTED_VALUE, SPACE};

impl Tokenizer<'_> {
    /// "Markup declaration open state". Nothing for the start of a CDATA section: its text comes next.
    pub(super) fn declaration(&mut self, in_foreign_content: bool) -> Option<Token> {
        let at = self.position + 2;
        let rest = &self.source[at..];
        if rest.starts_with(b"--") {
            return Some(self.comment(at + 2));
        }
        if rest.len() >= 7 && rest[..7].eq_ignore_ascii_case(b"doctype") {
            self.read_doctype(at + 7);
            return Some(Token::Doctype);
        }
        if in_foreign_content && rest.starts_with(b"[CDATA[") {
            self.position = at + 7;
            self.content = Content::Cdata;
            return None;
        }
        Some(self.bogus_comment(at))
    }

    /// A comment that ends with the next `>`.
    pub(super) fn bogus_comment(&mut self, start: usize) -> Token {
        let end = find(self.source, start, b'>');
        self.position = self.source.len().min(end + 1);
        Token::Comment(start..end)
    }

    /// A comment, from after `<!--` on.
    fn comment(&mut self, start: usize) -> Token {
        let rest = &self.source[start..];
        for abrupt in [">", "->"] {
            if rest.starts_with(abrupt.as_bytes()) {
                self.position = start + abrupt.len();
                return Token::Comment(start..start);
            }
        }
        let mut at = start;
        loop {
            at = find(self.source, at, b'>');
            let read = &self.source[start..at];
            if at >= self.source.len() {
                self.position = at;
                return Token::Comment(start..start + without_unfinished_end(read));
            }
            for end in ["--", "--!"] {
                if read.ends_with(end.as_bytes()) {
                    self.position = at + 1;
                    return Token::Comment(start..at - end.len());
                }
            }
            at += 1;
        }
    }

    /// The text of a CDATA section, if it has any.
    pub(super) fn cdata(&mut self) -> Option<Token> {
        let start = self.position;
        let mut at = start;
        loop {
            at = find(self.source, at, b'>');
            if at >= self.source.len() || self.source[start..at].ends_with(b"]]") {
                break;
            }
            at += 1;
        }
        let end = if at < self.source.len() { at - 2 } else { at };
        self.position = self.source.len().min(at + 1);
        self.content = Content::Data;
        (start < end).then_some(Token::Text { span: start..end, kind: TextKind::Cdata })
    }

    /// A doctype, from after the word on.
    fn read_doctype(&mut self, start: usize) {
        let mut reader = DoctypeReader { source: self.source, at: start, doctype: Doctype::default() };
        let is_whole = reader.read();
        // What follows the identifiers is ignored, quotes and all.
        let end = find(self.source, reader.at, b'>');
        reader.doctype.force_quirks = !is_whole;
        self.position = self.source.len().min(end + 1);
        self.doctype = reader.doctype;
    }
}

/// How much of a comment that the page ends in belongs to it: not the start of `-->` or `--!>`.
fn without_unfinished_end(read: &[u8]) -> usize {
    let unfinished = ["--!", "--", "-"].iter().find(|end| read.ends_with(end.as_bytes()));
    read.len() - unfinished.map_or(0, |end| end.len())
}

/// "DOCTYPE state" to "bogus DOCTYPE state".
struct DoctypeReader<'source> {
    source: &'source [u8],
    at: usize,
    doctype: Doctype,
}

impl DoctypeReader<'_> {
    /// Read all parts; whether the doctype is what it should be.
    fn read(&mut self) -> bool {
        self.doctype.name = self.name();
        if self.doctype.name.is_none() || self.is_at_end() {
            return self.doctype.name.is_some();
        }
        if self.keyword(b"public") {
            return self.read_public_identifier();
        }
        self.keyword(b"system") && self.read_system_identifier()
    }

    fn read_public_identifier(&mut self) -> bool {
        let (identifier, is_whole) = self.identifier();
        self.doctype.public_identifier = identifier;
        is_whole && (self.is_at_end() || self.read_system_identifier())
    }

    fn read_system_identifier(&mut self) -> bool {
        let (identifier, is_whole) = self.identifier();
        self.doctype.system_identifier = identifier;
        self.skip_space();
        is_whole && self.at < self.source.len()
    }

    fn skip_space(&mut self) {
        self.at = skip_class(self.source, self.at, SPACE);
    }

    fn is_at_end(&mut self) -> bool {
        self.skip_space();
        matches!(self.source.get(self.at), Some(b'>'))
    }

    fn skip_space_to_quote(&mut self) -> bool {
        self.skip_space();
        matches!(self.source.get(self.at), Some(b'"' | b'\''))
    }

    fn name(&mut self) -> Option<Span> {
        self.skip_space();
        let start = self.at;
        self.at = find_class(self.source, self.at, ENDS_UNQUOTED_VALUE);
        (start < self.at).then_some(start..self.at)
    }

    fn keyword(&mut self, word: &[u8]) -> bool {
        let end = self.at + word.len();
        let found = self.source.get(self.at..end).is_some_and(|found| found.eq_ignore_ascii_case(word));
        if found {
            self.at = end;
        }
        found
    }

    /// An identifier in quotes, and whether it is whole: one that `>` or the end of the page cuts short is kept.
    fn identifier(&mut self) -> (Option<Span>, bool) {
        if !self.skip_space_to_quote() {
            return (None, false);
        }
        let quote = self.source[self.at];
        let start = self.at + 1;
        let length = self.source[start..].iter().position(|&byte| byte == quote || byte == b'>');
        let end = length.map_or(self.source.len(), |length| start + length);
        let is_whole = self.source.get(end) == Some(&quote);
        self.at = end + usize::from(is_whole);
        (Some(start..end), is_whole)
    }
}
