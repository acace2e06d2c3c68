//! Quotations that begin with `[!NOTE]`: callouts of GitHub or Obsidian that were not rendered as such.
#![forbid(unsafe_code)]

use super::callouts::kind_named;
use super::tree::{Document, Node, Part, SpanKind};
use crate::blocks::characters::is_space;

const BEGIN: &str = "[!";
const END: char = ']';
/// Bytes of the longest name of a kind.
const LONGEST_KIND: usize = 16;

/// Makes callouts of such quotations, at any depth.
pub fn make_callouts(document: &mut Document) {
    if !document.text.contains(BEGIN) {
        return;
    }
    let mut children = std::mem::take(&mut document.children);
    children.iter_mut().for_each(|node| convert(document, node));
    document.children = children;
}

/// Converts a node, or those in it.
fn convert(document: &mut Document, node: &mut Node) {
    match node {
        Node::Quote(children) => {
            children.iter_mut().for_each(|child| convert(document, child));
            if let Some(callout) = callout_of(document, children) {
                *node = callout;
            }
        }
        Node::Comments(children) | Node::Callout { children, .. } => {
            children.iter_mut().for_each(|child| convert(document, child));
        }
        Node::List(list) => {
            list.items.iter_mut().flat_map(|item| &mut item.children).for_each(|child| convert(document, child));
        }
        _ => (),
    }
}

/// The callout that the nodes of a quotation are. The rest of the first line is its title if another line follows.
fn callout_of(document: &mut Document, children: &mut Vec<Node>) -> Option<Node> {
    let (spans, locale) = match children.first()? {
        Node::Paragraph { spans, locale } => (*spans, *locale),
        _ => return None,
    };
    let first = document.spans.get(spans.start).filter(|span| span.kind == SpanKind::Text)?;
    let text = &document.text[first.text.range()];
    let (word, rest) = text.strip_prefix(BEGIN)?.split_once(END).filter(|(word, _)| word.len() <= LONGEST_KIND)?;
    let kind = kind_named(word.split('|').next().unwrap_or(word))?;
    // What Obsidian folds has a sign behind its kind.
    let rest = rest.strip_prefix(['-', '+']).unwrap_or(rest).trim_start_matches(is_space);
    let is_empty = rest.is_empty();
    document.spans[spans.start].text.start = first.text.end - rest.len();
    let start = spans.start + usize::from(is_empty);
    let line_end = (start..spans.end).find(|&span| document.spans[span].kind == SpanKind::LineBreak);
    let paragraph = |start: usize, end: usize| Node::Paragraph { spans: Part { start, end }, locale };
    children.remove(0);
    let mut title = Vec::new();
    let body = match line_end {
        Some(end) if end > start => {
            title.push(paragraph(start, end));
            end + 1
        }
        Some(end) => end + 1,
        None => start,
    };
    if body < spans.end {
        children.insert(0, paragraph(body, spans.end));
    }
    Some(Node::Callout { kind, title, children: std::mem::take(children) })
}

#[cfg(test)]
mod tests {
    use super::super::read_documents::markdown_of;

    #[test]
    fn quotations_that_say_so_are_callouts() {
        let cases = [
            ("<p>[!NOTE]<br>a<p>b", "> [!NOTE]\n> a\n>\n> b\n"),
            ("<p>[!tip] a", "> [!TIP]\n> a\n"),
            ("<p>[!warning]- a<br>b", "> [!WARNING] a\n> b\n"),
            ("<p>[!NOTE]</p><p>a", "> [!NOTE]\n> a\n"),
            ("<p>[!no] a", "> \\[!no\\] a\n"),
            ("<p>a [!NOTE]", "> a \\[!NOTE\\]\n"),
        ];
        for (inside, expected) in cases {
            assert_eq!(markdown_of(&format!("<blockquote>{inside}</blockquote>")), expected, "{inside}");
        }
    }
}
