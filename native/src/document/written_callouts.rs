//! Callouts that say in their text what they are: quotations that begin with `[!NOTE]`, which GitHub or Obsidian would
//! have rendered, and callouts whose text begins with a bold **Note:**.
#![forbid(unsafe_code)]

use super::callouts::{kind_named, CalloutKind};
use super::tree::{mark, Document, Marks, Node, Part, Span, SpanKind};
use crate::blocks::characters::is_space;

const BEGIN: &str = "[!";
const END: char = ']';
/// Bytes of the longest name of a kind.
const LONGEST_KIND: usize = 16;

/// Makes callouts of such quotations, at any depth, and titles of the words that callouts begin with.
pub fn make_callouts(document: &mut Document, has_callouts: bool) {
    if !has_callouts && !document.text.contains(BEGIN) {
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
        Node::Callout { kind, title, children } => {
            children.iter_mut().for_each(|child| convert(document, child));
            if title.is_empty() {
                title.extend(title_amid_text(document, *kind, children));
            }
        }
        Node::Comments(children) => children.iter_mut().for_each(|child| convert(document, child)),
        Node::List(list) => {
            list.items.iter_mut().flat_map(|item| &mut item.children).for_each(|child| convert(document, child));
        }
        _ => (),
    }
}

/// Takes the name of its kind off the start of a callout, if it is bold or stands alone.
fn title_amid_text(document: &mut Document, kind: CalloutKind, children: &mut Vec<Node>) -> Option<Node> {
    let (spans, locale) = match children.first()? {
        Node::Paragraph { spans, locale } => (*spans, *locale),
        _ => return None,
    };
    let first = *document.spans.get(spans.start).filter(|span| span.kind == SpanKind::Text && !spans.is_empty())?;
    let word = document.text_of(first.text).trim_end_matches([':', ' '].as_slice());
    let is_alone = spans.range().len() == 1;
    let is_bold = first.marks.has(mark::STRONG);
    if !(is_alone || is_bold) || kind_named(word) != Some(kind) {
        return label_at_start(document, kind, spans.start).map(|spans| Node::Paragraph { spans, locale });
    }
    let end = first.text.start + word.len();
    document.spans[spans.start] = Span { text: Part { end, ..first.text }, marks: Marks::default(), ..first };
    let mut start = spans.start + 1;
    if let Some(next) = document.spans[..spans.end].get(start).copied().filter(|next| next.kind == SpanKind::Text) {
        let rest = document.text_of(next.text).trim_start_matches([':', ' '].as_slice());
        let length = rest.len();
        document.spans[start].text.start = next.text.end - length;
        start += usize::from(length == 0);
    }
    if start < spans.end {
        children[0] = Node::Paragraph { spans: Part { start, end: spans.end }, locale };
    } else {
        children.remove(0);
    }
    Some(Node::Paragraph { spans: Part { start: spans.start, end: spans.start + 1 }, locale })
}

/// Takes the name of a kind and a colon off the start of a text, as its title.
fn label_at_start(document: &mut Document, kind: CalloutKind, number: usize) -> Option<Part> {
    let span = document.spans[number];
    let (word, rest) = document.text_of(span.text).split_once(": ")?;
    let (length, rest) = (word.len(), rest.trim_start_matches(' ').len());
    if length > LONGEST_KIND || rest == 0 || kind_named(word) != Some(kind) {
        return None;
    }
    document.spans[number].text.start = span.text.end - rest;
    let text = Part { start: span.text.start, end: span.text.start + length };
    document.spans.push(Span { text, marks: Marks::default(), ..span });
    Some(Part { start: document.spans.len() - 1, end: document.spans.len() })
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
    fn the_word_that_a_callout_begins_with_is_its_title() {
        let cases = [
            ("<p><strong>Warning:</strong> a</p>", "> [!WARNING]\n> a\n"),
            ("<p><b>Warning</b>: <i>a</i></p><p>b</p>", "> [!WARNING]\n> *a*\n>\n> b\n"),
            ("<b>Warning</b><p>a</p>", "> [!WARNING]\n> a\n"),
            ("<p><b>Note</b> a</p>", "> [!WARNING]\n> **Note** a\n"),
            ("<p>Warning signs</p>", "> [!WARNING]\n> Warning signs\n"),
            ("<span class=notetitle>Warning:</span> a", "> [!WARNING]\n> a\n"),
            ("<p>Note: a</p>", "> [!WARNING]\n> Note: a\n"),
        ];
        for (inside, expected) in cases {
            assert_eq!(markdown_of(&format!("<div class='notecard warning'>{inside}</div>")), expected, "{inside}");
        }
    }

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
