//! Documents for tests, of html whose visible blocks are all kept.
#![forbid(unsafe_code)]

use super::building::build;
use super::html::html as to_html;
use super::markdown::markdown;
use super::page_facts::PageFacts;
use super::plain_text::plain_text;
use super::source::{show, Source};
use super::structures::Structures;
use super::tei::tei;
use super::tree::Document;
use super::xml::xml;
use crate::blocks::page_blocks::find_blocks;
use crate::columns::Limits;
use crate::html::read;

/// Everything but locales.
pub const EVERYTHING: u32 = show::LOCALES - 1;

/// What is made of the document of some html. Addresses stay relative.
pub fn with_document<T>(html: &str, shown: u32, use_it: impl FnOnce(Document) -> T) -> T {
    let page = read(html, &Limits::default());
    let view = page.view();
    let blocks = find_blocks(&view).unwrap();
    let keep: Vec<u8> = blocks.segments.hidden.iter().map(|&is_hidden| 1 - is_hidden).collect();
    let source = Source {
        page: &view,
        blocks: &blocks,
        structures: &Structures::of(&page),
        keep: &keep,
        comments: &vec![0; keep.len()],
        read_kind: &[],
        own_address: "#",
        base: "",
        shown,
    };
    use_it(build(&source).unwrap())
}

/// Html as plain text.
pub fn text_of(html: &str) -> String {
    let shown = EVERYTHING & !show::LINKS & !show::IMAGES | show::PLAIN;
    with_document(html, shown, |document| plain_text(&document, "- ", "\t"))
}

/// Html as html, XML and TEI, with everything there is.
pub fn markup_of(html: &str) -> [String; 3] {
    let facts = PageFacts::default();
    let written = |form: &dyn Fn(Document) -> String| with_document(html, EVERYTHING | show::LOCALES, form);
    [written(&to_html), written(&|document| xml(document, &facts)), written(&|document| tei(document, &facts))]
}

/// Html as Markdown, with links and images.
pub fn markdown_of(html: &str) -> String {
    with_document(html, EVERYTHING, markdown)
}
