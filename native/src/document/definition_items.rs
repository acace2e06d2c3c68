//! Definition lists as lists of terms, each with a nested list of its descriptions, for formats that have none.
#![forbid(unsafe_code)]

use super::tree::{Definition, Document, Item, List, Marks, Node, Part, Span, SpanKind};

const FIRST_NUMBER: i32 = 1;

/// Turns all definition lists of a document into lists.
pub fn turn_definitions_into_items(document: &mut Document) {
    let mut children = std::mem::take(&mut document.children);
    turn_all(document, &mut children);
    document.children = children;
    let mut notes = std::mem::take(&mut document.notes);
    notes.iter_mut().for_each(|note| turn_all(document, &mut note.children));
    document.notes = notes;
}

/// Turns the definition lists among some nodes, and in them.
fn turn_all(document: &mut Document, nodes: &mut [Node]) {
    nodes.iter_mut().for_each(|node| turn(document, node));
}

/// Turns a node, if it is a definition list, and those in it.
fn turn(document: &mut Document, node: &mut Node) {
    match node {
        Node::Heading { .. } | Node::Paragraph { .. } | Node::Code { .. } => (),
        Node::Quote(children) | Node::Comments(children) => turn_all(document, children),
        Node::Callout { title, children, .. } => {
            turn_all(document, title);
            turn_all(document, children);
        }
        Node::List(list) => list.items.iter_mut().for_each(|item| turn_all(document, &mut item.children)),
        Node::Table(table) => {
            turn_all(document, &mut table.caption);
            table.rows.iter_mut().flatten().for_each(|cell| turn_all(document, &mut cell.children));
        }
        Node::Figure { children, caption } => {
            turn_all(document, children);
            turn_all(document, caption);
        }
        Node::Definitions(definitions) => {
            let mut items = Vec::new();
            for mut definition in std::mem::take(definitions) {
                let parts = definition.terms.iter_mut().chain(&mut definition.descriptions);
                parts.for_each(|part| turn_all(document, part));
                add_items(document, definition, &mut items);
            }
            *node = Node::List(List { items, is_ordered: false });
        }
    }
}

/// Adds an item for the terms, with a list of their descriptions; descriptions without a term are items themselves.
fn add_items(document: &mut Document, definition: Definition, items: &mut Vec<Item>) {
    let described = definition.descriptions.into_iter().map(|children| Item { children, number: FIRST_NUMBER });
    if definition.terms.is_empty() {
        items.extend(described);
        return;
    }
    let mut children = joined(document, definition.terms);
    let mut below: Vec<Item> = described.collect();
    match below.as_mut_slice() {
        [] => (),
        // The only description is a list itself: no item around it.
        [only] if matches!(only.children[..], [Node::List(_)]) => children.append(&mut only.children),
        _ => children.push(Node::List(List { items: below, is_ordered: false })),
    }
    items.push(Item { children, number: FIRST_NUMBER });
}

/// Joins terms into one paragraph if each is one; otherwise they follow each other.
fn joined(document: &mut Document, terms: Vec<Vec<Node>>) -> Vec<Node> {
    let paragraphs: Option<Vec<Part>> = terms.iter().map(|term| paragraph_of(term)).collect();
    let paragraphs = match paragraphs {
        Some(paragraphs) if paragraphs.len() > 1 => paragraphs,
        _ => return terms.into_iter().flatten().collect(),
    };
    let start = document.spans.len();
    for (number, spans) in paragraphs.into_iter().enumerate() {
        if number > 0 {
            let text = document.add_text("\n");
            let span = Span { text, marks: Marks::default(), kind: SpanKind::LineBreak, address: 0 };
            document.spans.push(span);
        }
        document.spans.extend_from_within(spans.range());
    }
    vec![Node::Paragraph { spans: Part { start, end: document.spans.len() }, locale: 0 }]
}

/// The spans of a term that is one paragraph.
fn paragraph_of(term: &[Node]) -> Option<Part> {
    match term {
        [Node::Paragraph { spans, .. }] => Some(*spans),
        _ => None,
    }
}
