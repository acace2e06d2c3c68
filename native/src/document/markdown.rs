//! Document -> Markdown (CommonMark with tables): headings, nested lists, tables, fenced code, quotes, emphasis, links,
//! images.
//!
//! What CommonMark lacks follows common extensions: footnotes as `[^1]`, formulas between dollars, definition lists as
//! nested lists, subscripts and the like as HTML elements.
#![forbid(unsafe_code)]

use super::callouts::CalloutKind;
use super::definition_items::turn_definitions_into_items;
use super::markdown_escaping::{closing_hashes, guarded_at, longest_ticks};
use super::markdown_inline::append_inline;
use super::markdown_lines::Lines;
use super::markdown_tables::table_lines;
use super::tree::{Document, Item, List, Marks, Node, Note, Part, Span, SpanKind};
use super::written_lists::make_lists;
use crate::blocks::characters::is_space;

const HARD_BREAK: &str = "\\\n";
const RULE: &str = "---";
/// Ticks of a fence at least.
const SHORTEST_FENCE: usize = 3;
/// How far the lines of a footnote are indented after the first.
const INDENT_OF_NOTES: usize = 4;
/// Stands for the first paragraph of a note that has none.
const NO_PARAGRAPH: &str = "&nbsp; &nbsp;";
const ENTITY_OF_BLANK: &str = " &nbsp;";

/// The whole document; ends with a newline unless it is empty.
pub fn markdown(mut document: Document) -> String {
    make_lists(&mut document);
    turn_definitions_into_items(&mut document);
    let lines = Lines::with_capacity(document.text.len() + document.text.len() / 4);
    let mut writer = Writer { document: &document, lines, buffer: String::new() };
    writer.write_nodes(&document.children, false);
    document.notes.iter().for_each(|note| writer.write_note(note));
    writer.lines.finished()
}

/// A title as it stands above a document, which may begin with comments.
pub fn title_above(title: &str, begins_with_comments: bool) -> String {
    let mut document = Document::default();
    let text = document.add_text(title);
    document.spans.push(Span { text, marks: Marks::default(), kind: SpanKind::Text, address: 0 });
    document.children.push(Node::Heading { level: 1, spans: Part { start: 0, end: 1 }, locale: 0 });
    markdown(document) + if begins_with_comments { "\n---\n\n" } else { "\n" }
}

/// Whether a document begins with comments.
pub fn begins_with_comments(document: &Document) -> bool {
    document.children.first().is_some_and(is_comments)
}

/// What stands before a node among its siblings.
#[derive(Clone, Copy, Default)]
struct Siblings<'a> {
    before: Option<&'a Node>,
    /// Whether the list before uses the other marker.
    is_other_list: bool,
}

/// Writes nodes one after the other.
struct Writer<'a> {
    document: &'a Document<'a>,
    lines: Lines,
    /// Used again for each paragraph.
    buffer: String,
}

impl<'a> Writer<'a> {
    /// Consecutive nodes, with empty lines between them where needed.
    fn write_nodes(&mut self, nodes: impl IntoIterator<Item = &'a Node>, is_in_item: bool) {
        let mut siblings = Siblings::default();
        nodes.into_iter().for_each(|node| self.write_next(&mut siblings, node, is_in_item));
    }

    /// A node after its siblings.
    fn write_next(&mut self, siblings: &mut Siblings<'a>, node: &'a Node, is_in_item: bool) {
        // A list right after another of its kind uses the other marker, or both would be read as one.
        siblings.is_other_list = !siblings.is_other_list && is_same_kind_of_list(siblings.before, node);
        if let Some(before) = siblings.before {
            if !(is_in_item && is_tight(before, node)) {
                self.lines.add("");
            }
            if is_comments(before) != is_comments(node) {
                self.lines.add(RULE);
                self.lines.add("");
            }
        }
        match node {
            Node::List(list) => self.write_list(list, siblings.is_other_list),
            other => self.write_node(other),
        }
        siblings.before = Some(node);
    }

    /// Any node but a list.
    fn write_node(&mut self, node: &'a Node) {
        match node {
            Node::Heading { level, spans, .. } => self.write_heading(*level as usize, *spans),
            Node::Paragraph { spans, .. } => self.write_paragraph(*spans),
            Node::Code { text, language } => self.write_code(*text, *language),
            Node::Quote(children) => {
                self.lines.open_quote();
                self.write_nodes(children, false);
                self.lines.close();
            }
            Node::Callout { kind, title, children } => self.write_callout(*kind, title, children),
            Node::Figure { children, caption } => self.write_nodes(children.iter().chain(caption), false),
            Node::Comments(children) => self.write_nodes(children, false),
            Node::Table(table) => {
                if !table.caption.is_empty() {
                    self.write_nodes(&table.caption, false);
                    self.lines.add("");
                }
                table_lines(self.document, table, |line| self.lines.add(line));
            }
            // Lists have markers, which depend on their siblings; definition lists are lists by now.
            Node::List(_) | Node::Definitions(_) => (),
        }
    }

    /// A quote that begins with its kind and its title, unless that says no more than the kind.
    fn write_callout(&mut self, kind: CalloutKind, title: &'a [Node], children: &'a [Node]) {
        let mut first = format!("[!{}]", kind.name());
        for node in title {
            if let Node::Paragraph { spans, .. } | Node::Heading { spans, .. } = node {
                let text = self.inline(*spans, " ");
                if !text.trim_matches(['*', ':'].as_slice()).eq_ignore_ascii_case(kind.name()) {
                    first.push(' ');
                    first.push_str(without_bold(&text));
                }
                self.buffer = text;
            }
        }
        self.lines.open_quote();
        self.lines.add(&first);
        if !matches!(children.first(), None | Some(Node::Paragraph { .. })) {
            self.lines.add("");
        }
        self.write_nodes(children, false);
        self.lines.close();
    }

    /// Spans as inline Markdown, in the buffer.
    fn inline(&mut self, spans: Part, line_break: &str) -> String {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        append_inline(self.document, self.document.spans_of(spans), line_break, &mut buffer);
        buffer
    }

    /// A heading on one line.
    fn write_heading(&mut self, level: usize, spans: Part) {
        let mut heading = self.inline(spans, " ");
        if let Some(place) = closing_hashes(&heading) {
            heading.insert(place, '\\');
        }
        heading.insert_str(0, &format!("{} ", "#".repeat(level)));
        self.lines.add(&heading);
        self.buffer = heading;
    }

    /// A paragraph, a line for each of its lines.
    fn write_paragraph(&mut self, spans: Part) {
        let text = self.inline(spans, HARD_BREAK);
        text.split('\n').for_each(|line| self.add_guarded(line));
        self.buffer = text;
    }

    /// A line of text, escaped if it would start another kind of block.
    fn add_guarded(&mut self, line: &str) {
        match guarded_at(line) {
            Some(place) => self.lines.add(&guarded(line, place)),
            None => self.lines.add(line),
        }
    }

    /// Code between fences.
    fn write_code(&mut self, text: Part, language: Part) {
        let code = self.document.text_of(text);
        let fence = "`".repeat(SHORTEST_FENCE.max(longest_ticks(code) + 1));
        self.lines.add(&format!("{fence}{}", self.document.text_of(language)));
        code.split('\n').for_each(|line| self.lines.add(line));
        self.lines.add(&fence);
    }

    /// A list; `is_other` if it uses the other marker.
    fn write_list(&mut self, list: &'a List, is_other: bool) {
        for item in &list.items {
            self.lines.open_item(marker(item, list.is_ordered, is_other));
            self.write_nodes(&item.children, true);
            self.lines.close();
        }
    }

    /// A footnote, after an empty line.
    fn write_note(&mut self, note: &'a Note) {
        if self.lines.has_lines() {
            self.lines.add("");
        }
        let label = self.document.text_of(note.label);
        let mut siblings = Siblings::default();
        let mut rest = note.children.iter();
        let text = match note.children.first() {
            Some(Node::Paragraph { spans, .. }) => {
                siblings.before = rest.next();
                self.inline(*spans, HARD_BREAK)
            }
            _ => format!("{NO_PARAGRAPH}\n"),
        };
        let mut lines = text.split('\n');
        let first = lines.next().unwrap_or("");
        let first = guarded_at(first).map_or_else(|| first.to_string(), |place| guarded(first, place));
        self.lines.add(&format!("[^{label}]: {}", unlike_a_definition(&first)));
        self.lines.open_indented(INDENT_OF_NOTES);
        lines.for_each(|line| self.add_guarded(line));
        rest.for_each(|node| self.write_next(&mut siblings, node, false));
        self.lines.close();
    }
}

/// A line with a backslash at some place.
fn guarded(line: &str, place: usize) -> String {
    format!("{}\\{}", &line[..place], &line[place..])
}

/// The first line of a note. One word, alone or before quotes, would be read as a link definition and not be shown.
fn unlike_a_definition(line: &str) -> String {
    let word = &line[..line.find(is_space).unwrap_or(line.len())];
    let rest = line[word.len()..].trim_start_matches(is_space);
    let is_like = !word.is_empty() && (rest.is_empty() || rest.starts_with(['"', '\'', '(']));
    if is_like {
        format!("{word}{ENTITY_OF_BLANK}{rest}")
    } else {
        line.to_string()
    }
}

/// Whether two siblings are lists that would be read as one.
fn is_same_kind_of_list(before: Option<&Node>, node: &Node) -> bool {
    matches!((before, node), (Some(Node::List(before)), Node::List(list)) if before.is_ordered == list.is_ordered)
}

/// Whether no empty line is needed: a nested list may follow its item's text directly if it starts with 1.
fn is_tight(before: &Node, node: &Node) -> bool {
    match (before, node) {
        (Node::Paragraph { .. }, Node::List(list)) => {
            !list.is_ordered || list.items.first().is_some_and(|item| item.number == 1)
        }
        _ => false,
    }
}

/// Whether a node is readers' comments.
fn is_comments(node: &Node) -> bool {
    matches!(node, Node::Comments(_))
}

/// What stands before an item.
fn marker(item: &Item, is_ordered: bool, is_other: bool) -> String {
    match (is_ordered, is_other) {
        (false, false) => "- ".to_string(),
        (false, true) => "* ".to_string(),
        (true, false) => format!("{}. ", item.number),
        (true, true) => format!("{}) ", item.number),
    }
}

/// A title without the marks that make all of it bold, which it is anyway: the label of what folds, for example.
fn without_bold(title: &str) -> &str {
    let inside = title.strip_prefix("**").and_then(|rest| rest.strip_suffix("**"));
    inside.filter(|inside| !inside.contains('*') && !inside.ends_with('\\')).unwrap_or(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_of_one_word_is_no_definition() {
        let cases =
            [("Steel", "Steel &nbsp;"), ("a \"b\"", "a &nbsp;\"b\""), ("a b", "a b"), ("", ""), ("a ", "a &nbsp;")];
        for (line, expected) in cases {
            assert_eq!(unlike_a_definition(line), expected);
        }
    }
}
