//! Reads html into columns, in one pass and in linear time.
//!
//! `tokenizer` cuts the source into tags and texts, `tree` builds the tree that the html standard prescribes, `rows` writes
//! it as columns. Most pages need no tree at all, only its rows in the order in which they come; links between nodes serve
//! those that do (misnested formatting, text in tables), and are cheap.
//!
//! What every tag, text or row needs is `inline(always)`; what few need is `inline(never)`, which keeps the way of the others
//! short. Both were measured: inlining `Builder::process` alone saves 4 % of all instructions.

#![forbid(unsafe_code)]

pub mod attributes;
pub(crate) mod bytes;
mod displays;
pub mod kept_attributes;
pub mod names;
pub(crate) mod python_text;
mod rows;
mod scripts;
pub mod stored_text;
mod streamed_parts;
pub mod tag_sets;
pub mod tags;
pub mod tokenizer;
mod tree;

pub use bytes::{append_part, ascii_length, count_characters, has, has_any, ByteKinds};

use crate::columns::{Limits, Page};
use tokenizer::Source;
use tree::{build, Built, Document, Growth};

/// Bytes of the longest page: columns have 32 bits, and NUL makes three bytes of one.
pub const MOST_BYTES: usize = 1 << 30;

/// Read a page.
///
/// # Panics
/// If it has more than `MOST_BYTES`: callers refuse such pages long before.
pub fn read(html: &str, limits: &Limits) -> Page {
    read_surveyed(html, ByteKinds::of(html.as_bytes()), limits, None)
}

/// Read a page, with an `<article>` of these paragraphs at the start of its body.
///
/// # Panics
/// If it has more than `MOST_BYTES`.
pub fn read_with_article(html: &str, limits: &Limits, paragraphs: &[&str]) -> Page {
    read_surveyed(html, ByteKinds::of(html.as_bytes()), limits, Some(paragraphs))
}

/// Read a page whose kinds of bytes are known, with or without an article. They may be more than the page has.
///
/// # Panics
/// If it has more than `MOST_BYTES`.
pub fn read_surveyed(html: &str, kinds: ByteKinds, limits: &Limits, article: Option<&[&str]>) -> Page {
    assert_readable(html);
    let source = Source::of(html, kinds);
    let mut document = build_bounded(&source, limits).document;
    streamed_parts::put_in_place(&mut document);
    if let Some(paragraphs) = article {
        insert_article(&mut document, paragraphs);
    }
    rows::write(document, limits)
}

/// Read a page and count the steps it took besides reading the source once: nodes and list entries looked at or moved.
///
/// # Panics
/// If it has more than `MOST_BYTES`.
pub fn read_counting_steps(html: &str, limits: &Limits) -> (Page, u64) {
    assert_readable(html);
    let source = Source::of(html, ByteKinds::of(html.as_bytes()));
    let Built { mut document, steps, .. } = build_bounded(&source, limits);
    streamed_parts::put_in_place(&mut document);
    let nodes = document.nodes.len() as u64;
    (rows::write(document, limits), steps + nodes)
}

/// Panic if there are more than `MOST_BYTES`.
fn assert_readable(html: &str) {
    assert!(html.len() <= MOST_BYTES, "{} bytes are too many to read", html.len());
}

/// Build a tree that has at most a few times as many elements as tags, whatever the page leaves unclosed.
///
/// The cost of everything that follows grows with the elements: 35 KB of unclosed formatting can make 1.6 million.
fn build_bounded<'source>(source: &'source Source, limits: &Limits) -> Built<'source> {
    let built = build(source, Growth::Bounded { reopened: limits.nodes });
    if !built.has_multiplied {
        return built;
    }
    let ordinary = build(source, Growth::None);
    Built { steps: built.steps + ordinary.steps, ..ordinary }
}

/// How many tags a page can have: the `<` in it.
pub fn count_tags(html: &[u8]) -> usize {
    bytes::count_byte(html, b'<')
}

/// Insert an `<article>` at the start of the body, or of the page if it has none.
fn insert_article(document: &mut Document, paragraphs: &[&str]) {
    document.leave_order();
    let find = |tag| document.in_order().find(|&node| document.node(node).tag == tag);
    let body = find(tags::BODY).or_else(|| find(tags::HTML)).unwrap_or(tree::ROOT);
    let article = document.prepend_element(body, tags::ARTICLE);
    for text in paragraphs {
        let paragraph = document.append_element(article, tags::P);
        document.append_text(paragraph, text);
    }
}
