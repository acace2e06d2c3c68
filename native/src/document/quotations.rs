//! Quotations: those that must enclose other marks, and those that only indent what is in them.
#![forbid(unsafe_code)]

use super::groups::groups;
use super::posts::is_text_of_post;
use super::tree::{mark, Marks, Node, Span};
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of};

const DIVISION: i32 = number_of("div");
const ITEM: i32 = number_of("li");
const DESCRIPTION: i32 = number_of("dd");
/// Rows between a quotation and the element in it: white space.
const MOST_BLANKS: usize = 2;

/// Whether a `<blockquote>` quotes nobody: documentation tools and old pages indent listings, lists and tables with it,
/// docutils whatever is indented below the first line of an item, and forums write their posts in one.
pub fn only_indents(page: &PageView, row: usize, children: &[Node]) -> bool {
    let is_no_prose = |node: &Node| {
        matches!(node, Node::Code { .. } | Node::List(_) | Node::Definitions(_) | Node::Table(_) | Node::Callout { .. })
    };
    (!children.is_empty() && children.iter().all(is_no_prose))
        || is_indented_by_docutils(page, row)
        || is_text_of_post(page, row)
}

/// Whether a quotation is written as docutils does, a bare `<div>` around all of it, in an item or a description.
fn is_indented_by_docutils(page: &PageView, row: usize) -> bool {
    let is_in_item =
        usize::try_from(page.parent[row]).is_ok_and(|parent| matches!(page.tag[parent], ITEM | DESCRIPTION));
    let end = page.subtree_end[row] as usize;
    let first = (row + 1..end).take(MOST_BLANKS).find(|&inner| page.tag[inner] != 0);
    let holds_all = |inner: usize| end - page.subtree_end[inner] as usize <= 1;
    let is_bare = |inner: usize| page.tag[inner] == DIVISION && page.value(inner, attribute::CLASS).is_none();
    is_in_item && first.is_some_and(|inner| is_bare(inner) && holds_all(inner))
}

/// Adjacent spans.
pub struct Run {
    /// Whether they are a quotation, which encloses their marks: they are no longer marked as quoted.
    pub is_outer: bool,
    /// The spans.
    pub spans: Vec<Span>,
}

/// Splits spans into runs, if there is a quotation that contains text both with and without the given mark.
///
/// Such a quotation must enclose the mark: otherwise a quotation around a link would become three, before, inside and
/// after the link. Ruby text is left as it is.
pub fn outer_quotations(spans: &[Span], mark_of: impl Fn(&Marks) -> u32) -> Option<Vec<Run>> {
    let is_quoted = |span: &Span| span.marks.has(mark::QUOTED);
    let is_outer = |run: &[Span]| {
        let differs = |span: &Span| mark_of(&span.marks) != mark_of(&run[0].marks);
        is_quoted(&run[0]) && run.iter().any(differs) && !run.iter().any(|span| span.marks.ruby != 0)
    };
    if !groups(spans, is_quoted).any(|(_, run)| is_outer(run)) {
        return None;
    }
    let mut runs: Vec<Run> = Vec::new();
    for (_, run) in groups(spans, is_quoted) {
        if is_outer(run) {
            runs.push(Run { is_outer: true, spans: run.iter().map(unquoted).collect() });
            continue;
        }
        match runs.last_mut() {
            Some(last) if !last.is_outer => last.spans.extend_from_slice(run),
            _ => runs.push(Run { is_outer: false, spans: run.to_vec() }),
        }
    }
    Some(runs)
}

/// A span that is not marked as quoted.
fn unquoted(span: &Span) -> Span {
    Span { marks: Marks { flags: span.marks.flags & !mark::QUOTED, ..span.marks }, ..*span }
}
