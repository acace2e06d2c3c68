//! Lists whose items show their own number in a part of its own, as recipes and instructions draw their steps:
//! `<li><div>1</div><p>Boil the water.`. The number becomes that of the item.
#![forbid(unsafe_code)]

use super::steps::count;
use super::tree::{Document, Item, List, Node, SpanKind};
use crate::blocks::characters::strip;

/// Items of such a list, at least.
const FEWEST: usize = 2;
/// Bytes of a number with the word before it.
const LONGEST: usize = 16;
/// Words before the number of a step.
const WORDS: [&str; 8] = ["step", "schritt", "paso", "étape", "passo", "stap", "steg", "krok"];

/// Makes numbered lists of such lists, at any depth.
pub fn number_items(document: &mut Document) {
    let mut children = std::mem::take(&mut document.children);
    children.iter_mut().for_each(|node| convert(document, node));
    document.children = children;
}

/// Converts a node, or those in it.
fn convert(document: &Document, node: &mut Node) {
    match node {
        Node::Quote(children) | Node::Comments(children) | Node::Callout { children, .. } => {
            children.iter_mut().for_each(|child| convert(document, child));
        }
        Node::List(list) => {
            list.items.iter_mut().flat_map(|item| &mut item.children).for_each(|child| convert(document, child));
            if shows_numbers(document, list) {
                take_numbers(list);
            }
        }
        _ => (),
    }
}

/// Whether each item of a list begins with its number, counted from 1, and says something below it.
fn shows_numbers(document: &Document, list: &List) -> bool {
    count(list.items.len());
    let is_numbered = |(place, item): (usize, &Item)| {
        item.children.len() > 1 && item.children.first().and_then(|first| number_of(document, first)) == Some(place + 1)
    };
    list.items.len() >= FEWEST && list.items.iter().enumerate().all(is_numbered)
}

/// The number that is all of a paragraph.
fn number_of(document: &Document, node: &Node) -> Option<usize> {
    let spans = match node {
        Node::Paragraph { spans, .. } => document.spans_of(*spans),
        _ => return None,
    };
    let text = match spans {
        [span] if span.kind == SpanKind::Text && span.marks.link == 0 => strip(document.text_of(span.text)),
        _ => return None,
    };
    if text.len() > LONGEST {
        return None;
    }
    let lower = text.to_lowercase();
    let number = WORDS.iter().find_map(|word| lower.strip_prefix(word)).unwrap_or(&lower);
    let digits = strip(number).trim_end_matches(['.', ')', ':'].as_slice());
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

/// Makes the numbers that items begin with their own.
fn take_numbers(list: &mut List) {
    list.is_ordered = true;
    for (item, number) in list.items.iter_mut().zip(1..) {
        item.children.remove(0);
        item.number = number;
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_documents::markdown_of;

    #[test]
    fn numbers_of_their_own() {
        let cases = [
            ("<ul><li><div>1</div><div>Boil.</div><li><div>2</div><div>Pour.</div></ul>", "1. Boil.\n2. Pour.\n"),
            ("<ol><li><p>1.</p><p>Boil.</p><li><p>2.</p><p>Pour.</p></ol>", "1. Boil.\n2. Pour.\n"),
            ("<ul><li><b>Step 1</b><p>Boil.</p><li><b>Step 2:</b><p>Pour.</p></ul>", "1. Boil.\n2. Pour.\n"),
        ];
        for (html, expected) in cases {
            assert_eq!(markdown_of(html), expected, "{html}");
        }
    }

    #[test]
    fn other_numbers_stay() {
        for html in [
            "<ul><li><p>2</p><p>Boil.</p><li><p>3</p><p>Pour.</p></ul>",
            "<ul><li><p>1</p><li><p>2</p></ul>",
            "<ul><li><p>1</p><p>Boil.</p></ul>",
            "<ul><li><p><a href=/a>1</a></p><p>Boil.</p><li><p>2</p><p>Pour.</p></ul>",
        ] {
            assert!(markdown_of(html).starts_with("- "), "{html}");
        }
    }
}
