//! Lists of sources whose numbers stand in brackets, in whichever markup: a table with a column of `[1]`, `[2]`, terms and
//! descriptions, or items that begin so. What they number are notes if the text refers to it.
#![forbid(unsafe_code)]

use super::tree::{Definition, Document, Item, Node, SpanKind, Table};
use crate::blocks::characters::strip;

/// Entries of a list of sources, at least.
const FEWEST_ENTRIES: usize = 2;
/// Digits of the number of an entry.
const MOST_DIGITS: usize = 3;

/// The numbers of the entries of a node; nothing if it is no such list. One that is missing is known by those around it.
pub fn numbers_of(document: &Document, node: &Node) -> Vec<u32> {
    let written: Option<Vec<Option<u32>>> = match node {
        Node::Table(table) if table.width == 2 && table.caption.is_empty() => {
            table.rows.iter().map(|row| number_of_row(document, row)).collect()
        }
        Node::Definitions(definitions) => definitions.iter().map(|one| number_of_term(document, one)).collect(),
        Node::List(list) => list.items.iter().map(|item| number_of_item(document, item)).collect(),
        _ => None,
    };
    let written = written.unwrap_or_default();
    let is_known = written.iter().flatten().count() * 2 > written.len();
    let is_next = |(place, number): (usize, &Option<u32>)| number.is_none_or(|number| number as usize == place + 1);
    if written.len() < FEWEST_ENTRIES || !is_known || !written.iter().enumerate().all(is_next) {
        return Vec::new();
    }
    (1..).take(written.len()).collect()
}

/// Takes an entry out of such a list; what is left of it is empty.
pub fn take_entry(document: &mut Document, node: &mut Node, place: usize) -> Vec<Node> {
    match node {
        Node::Table(table) => {
            table.rows[place].last_mut().map_or(Vec::new(), |cell| std::mem::take(&mut cell.children))
        }
        Node::Definitions(definitions) => {
            std::mem::take(&mut definitions[place].descriptions).into_iter().flatten().collect()
        }
        Node::List(list) => {
            let mut children = std::mem::take(&mut list.items[place].children);
            leave_out_number(document, &mut children);
            children
        }
        _ => Vec::new(),
    }
}

/// Leaves out the entries of a list that were taken; whether any is left.
pub fn leave_others(node: &mut Node) -> bool {
    match node {
        Node::Table(Table { rows, .. }) => {
            rows.retain(|row| row.last().is_some_and(|cell| !cell.children.is_empty()));
            !rows.is_empty()
        }
        Node::Definitions(definitions) => {
            definitions.retain(|one| !one.descriptions.is_empty());
            !definitions.is_empty()
        }
        Node::List(list) => {
            list.items.retain(|item| !item.children.is_empty());
            !list.items.is_empty()
        }
        _ => true,
    }
}

/// The number in the first cell of a row with a text behind it; none if that is empty.
fn number_of_row(document: &Document, row: &[super::tree::Cell]) -> Option<Option<u32>> {
    match row {
        [number, text] if !text.children.is_empty() && number.columns == 1 && text.rows == 1 => {
            if number.children.is_empty() {
                return Some(None);
            }
            number_alone(document, &number.children).map(Some)
        }
        [text] if !text.children.is_empty() && text.column == 1 => Some(None),
        _ => None,
    }
}

/// The number that is the only term of a definition.
fn number_of_term(document: &Document, definition: &Definition) -> Option<Option<u32>> {
    match definition.terms.as_slice() {
        [term] if !definition.descriptions.is_empty() => number_alone(document, term).map(Some),
        _ => None,
    }
}

/// The number that an item begins with.
fn number_of_item(document: &Document, item: &Item) -> Option<Option<u32>> {
    let (number, length) = begun(first_text(document, &item.children)?)?;
    let is_all = length == first_text(document, &item.children)?.len() && item.children.len() == 1;
    (!is_all).then_some(Some(number))
}

/// The number in brackets that is all of some nodes.
fn number_alone(document: &Document, nodes: &[Node]) -> Option<u32> {
    match nodes {
        [Node::Paragraph { spans, .. }] if spans.range().len() == 1 => {
            let text = strip(first_text(document, nodes)?);
            begun(text).filter(|&(_, length)| length == text.len()).map(|(number, _)| number)
        }
        _ => None,
    }
}

/// The text that some nodes begin with.
fn first_text<'a>(document: &'a Document, nodes: &[Node]) -> Option<&'a str> {
    match nodes.first()? {
        Node::Paragraph { spans, .. } => {
            let span = document.spans_of(*spans).first().filter(|span| span.kind == SpanKind::Text)?;
            Some(document.text_of(span.text))
        }
        _ => None,
    }
}

/// The number in brackets that a text begins with, and the bytes up to what is behind it.
fn begun(text: &str) -> Option<(u32, usize)> {
    let inside = text.strip_prefix('[')?;
    let digits = inside.bytes().take(MOST_DIGITS).take_while(u8::is_ascii_digit).count();
    let number = inside[..digits].parse().ok()?;
    let rest = inside[digits..].strip_prefix(']')?;
    Some((number, text.len() - rest.trim_start().len()))
}

/// Leaves out the number that some nodes begin with.
fn leave_out_number(document: &mut Document, nodes: &mut [Node]) {
    let length = first_text(document, nodes).and_then(begun).map_or(0, |(_, length)| length);
    if let (Some(Node::Paragraph { spans, .. }), 1..) = (nodes.first_mut(), length) {
        let start = document.spans.len();
        document.spans.extend_from_within(spans.range());
        document.spans[start].text.start += length;
        let is_left = !document.spans[start].text.is_empty();
        (spans.start, spans.end) = (start + usize::from(!is_left), document.spans.len());
    }
}
