//! Lists that a page writes by hand: paragraphs, or lines of one, that begin with a bullet or with numbers in order.
//!
//! Plain text has them as they are: its lists have no numbers, which are part of the text here.
#![forbid(unsafe_code)]

use super::steps::count;
use super::tree::{mark, Document, Item, List, Node, Part, SpanKind};
use crate::blocks::characters::is_space;

/// Bullets.
const BULLETS: [char; 7] = ['•', '●', '▪', '■', '‣', '◦', '⁃'];
/// Signs that are bullets before a blank, in several lines of one paragraph. Paragraphs that begin with a dash are what
/// somebody says.
const DASHES: [char; 5] = ['-', '–', '*', '·', '✓'];
/// Items of such a list, at least.
const FEWEST_DASHES: usize = 3;
/// Items of a list with bullets, at least.
const FEWEST_BULLETS: usize = 2;
/// Items of a numbered list, at least: two paragraphs may be numbered as parts of a page.
const FEWEST_NUMBERS: usize = 3;
/// Digits of the number of an item.
const MOST_DIGITS: usize = 2;

/// What an item begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    Bullet(char),
    Dash(char),
    Number(i32),
}

impl Tag {
    /// Whether the item with another tag may follow.
    fn goes_on_with(self, next: Tag) -> bool {
        match (self, next) {
            (Tag::Bullet(one), Tag::Bullet(other)) | (Tag::Dash(one), Tag::Dash(other)) => one == other,
            (Tag::Number(one), Tag::Number(other)) => other == one + 1,
            _ => false,
        }
    }

    /// Whether so many items, of which it begins the first, are a list.
    fn begins_list(self, items: usize) -> bool {
        match self {
            Tag::Bullet(_) => items >= FEWEST_BULLETS,
            Tag::Dash(_) => items >= FEWEST_DASHES,
            Tag::Number(first) => first == 1 && items >= FEWEST_NUMBERS,
        }
    }
}

/// Makes lists of such paragraphs, at any depth.
pub fn make_lists(document: &mut Document) {
    let children = std::mem::take(&mut document.children);
    document.children = with_lists(document, children);
}

/// Nodes with the lists among them.
fn with_lists(document: &mut Document, mut nodes: Vec<Node>) -> Vec<Node> {
    count(nodes.len() + 1);
    nodes.iter_mut().for_each(|node| convert_inside(document, node));
    if !nodes.iter().any(|node| begins_item(document, node) || has_lines(document, node)) {
        return nodes;
    }
    let mut made = Vec::with_capacity(nodes.len());
    let mut rest = nodes.into_iter().peekable();
    while let Some(node) = rest.next() {
        let (spans, locale) = match node {
            Node::Paragraph { spans, locale } => (spans, locale),
            other => {
                made.push(other);
                continue;
            }
        };
        // Dashes are bullets in lines only.
        if matches!(tag_of(document, spans), None | Some(Tag::Dash(_))) {
            add_lines(document, spans, locale, &mut made);
            continue;
        }
        let mut run = vec![(spans, locale)];
        let mut last = tag_of(document, spans);
        while let Some(Node::Paragraph { spans, locale }) = rest.peek() {
            let next = tag_of(document, *spans);
            if !last.zip(next).is_some_and(|(last, next)| last.goes_on_with(next)) {
                break;
            }
            run.push((*spans, *locale));
            last = next;
            rest.next();
        }
        add_run(document, run, &mut made);
    }
    made
}

/// Converts what is in a node.
fn convert_inside(document: &mut Document, node: &mut Node) {
    match node {
        Node::Quote(children) | Node::Comments(children) | Node::Callout { children, .. } => {
            *children = with_lists(document, std::mem::take(children));
        }
        Node::List(list) => {
            for item in &mut list.items {
                item.children = with_lists(document, std::mem::take(&mut item.children));
            }
        }
        _ => (),
    }
}

/// Whether a node is a paragraph that begins with a tag.
fn begins_item(document: &Document, node: &Node) -> bool {
    matches!(node, Node::Paragraph { spans, .. } if tag_of(document, *spans).is_some())
}

/// Whether a node is a paragraph with a line after the first that begins with a tag.
fn has_lines(document: &Document, node: &Node) -> bool {
    let spans = match node {
        Node::Paragraph { spans, .. } => *spans,
        _ => return false,
    };
    count(spans.range().len());
    let is_break = |&span: &usize| document.spans[span].kind == SpanKind::LineBreak;
    spans.range().filter(is_break).any(|span| tag_of(document, Part { start: span + 1, ..spans }).is_some())
}

/// What some spans begin with, if more follows.
fn tag_of(document: &Document, spans: Part) -> Option<Tag> {
    let first = document.spans.get(spans.start).filter(|first| !spans.is_empty() && first.kind == SpanKind::Text)?;
    let text = document.text_of(first.text);
    let mut characters = text.chars();
    let sign = characters.next()?;
    if BULLETS.contains(&sign) {
        let has_more = spans.range().len() > 1 || !characters.as_str().trim().is_empty();
        return has_more.then_some(Tag::Bullet(sign));
    }
    if DASHES.contains(&sign) {
        let rest = characters.as_str();
        let has_more = spans.range().len() > 1 || !rest.trim().is_empty();
        return (rest.starts_with(is_space) && has_more).then_some(Tag::Dash(sign));
    }
    // A bold line with a number is a heading.
    let digits = text.len() - text.trim_start_matches(|character: char| character.is_ascii_digit()).len();
    let mut after = text[digits..].chars();
    let is_tag = (1..=MOST_DIGITS).contains(&digits)
        && matches!(after.next(), Some('.' | ')'))
        && after.next().is_some_and(is_space)
        && !first.marks.has(mark::STRONG);
    text[..digits].parse().ok().filter(|_| is_tag).map(Tag::Number)
}

/// Adds paragraphs that begin with tags in order, as a list if they are enough.
fn add_run(document: &mut Document, run: Vec<(Part, usize)>, made: &mut Vec<Node>) {
    let first = tag_of(document, run[0].0);
    if run.len() == 1 {
        add_lines(document, run[0].0, run[0].1, made);
    } else if first.is_some_and(|first| first.begins_list(run.len())) {
        made.push(list_of(document, run));
    } else {
        made.extend(run.into_iter().map(|(spans, locale)| Node::Paragraph { spans, locale }));
    }
}

/// Adds a paragraph; of the lines at its end that begin with tags, a list.
fn add_lines(document: &mut Document, spans: Part, locale: usize, made: &mut Vec<Node>) {
    count(spans.range().len());
    let mut lines = Vec::new();
    let mut start = spans.start;
    for span in spans.range().filter(|&span| document.spans[span].kind == SpanKind::LineBreak) {
        lines.push(Part { start, end: span });
        start = span + 1;
    }
    lines.push(Part { start, end: spans.end });
    let tags: Vec<Option<Tag>> = lines.iter().map(|&line| tag_of(document, line)).collect();
    let goes_on = |pair: &[Option<Tag>]| pair[0].zip(pair[1]).is_some_and(|(one, next)| one.goes_on_with(next));
    let first = tags.windows(2).rposition(|pair| !goes_on(pair)).map_or(0, |before| before + 1);
    if !tags[first].is_some_and(|tag| tag.begins_list(lines.len() - first)) {
        made.push(Node::Paragraph { spans, locale });
        return;
    }
    if first > 0 {
        made.push(Node::Paragraph { spans: Part { start: spans.start, end: lines[first - 1].end }, locale });
    }
    made.push(list_of(document, lines[first..].iter().map(|&line| (line, locale)).collect()));
}

/// The list of some texts that begin with tags.
fn list_of(document: &mut Document, texts: Vec<(Part, usize)>) -> Node {
    let is_ordered = matches!(tag_of(document, texts[0].0), Some(Tag::Number(_)));
    let mut items = Vec::with_capacity(texts.len());
    for (number, (spans, locale)) in (1..).zip(texts) {
        let spans = without_tag(document, spans);
        items.push(Item { children: vec![Node::Paragraph { spans, locale }], number });
    }
    Node::List(List { items, is_ordered })
}

/// Takes the tag off the start of a text, and the blanks after it.
fn without_tag(document: &mut Document, spans: Part) -> Part {
    let first = document.spans[spans.start].text;
    let text = document.text_of(first);
    let is_of_tag =
        |character: char| BULLETS.contains(&character) || DASHES.contains(&character) || character.is_ascii_digit();
    let tag = text.trim_start_matches(is_of_tag).trim_start_matches(['.', ')'].as_slice());
    let length = tag.trim_start_matches(is_space).len();
    document.spans[spans.start].text.start = first.end - length;
    if length > 0 || spans.range().len() == 1 {
        return spans;
    }
    let next = document.spans[spans.start + 1];
    if next.kind == SpanKind::Text {
        let rest = document.text_of(next.text).trim_start_matches(is_space).len();
        document.spans[spans.start + 1].text.start = next.text.end - rest;
    }
    Part { start: spans.start + 1, ..spans }
}

#[cfg(test)]
mod tests {
    use super::super::read_documents::markdown_of;

    #[test]
    fn lists_that_are_written_by_hand() {
        let cases = [
            ("<p>a:</p><p>• b</p><p>•c</p><p>d</p>", "a:\n\n- b\n- c\n\nd\n"),
            ("<p>a:<br>• b<br>• <b>c</b> d</p>", "a:\n\n- b\n- **c** d\n"),
            ("<p>• <b>b</b></p><p>• <i>c</i></p>", "- **b**\n- *c*\n"),
            ("<p>1. a</p><p>2. b</p><p>3. c</p>", "1. a\n2. b\n3. c\n"),
            ("<p>x<br>1) a<br>2) b<br>3) c</p>", "x\n\n1. a\n2. b\n3. c\n"),
            ("<p>x<br>- a<br>- <b>b</b> c<br>- d</p>", "x\n\n- a\n- **b** c\n- d\n"),
            ("<p>* a<br>* b<br>* c</p>", "- a\n- b\n- c\n"),
            ("<blockquote><p>• a</p><p>• b</p></blockquote>", "> - a\n> - b\n"),
        ];
        for (html, expected) in cases {
            assert_eq!(markdown_of(html), expected, "{html}");
        }
    }

    #[test]
    fn other_paragraphs_stay() {
        let cases = [
            ("<p>• a</p><p>b</p>", "• a\n\nb\n"),
            ("<p>1. a</p><p>2. b</p>", "1\\. a\n\n2\\. b\n"),
            ("<p>2. a</p><p>3. b</p><p>4. c</p>", "2\\. a\n\n3\\. b\n\n4\\. c\n"),
            ("<p><b>1. a</b></p><p><b>2. b</b></p><p><b>3. c</b></p>", "**1. a**\n\n**2. b**\n\n**3. c**\n"),
            ("<p>• a<br>• b<br>c</p>", "• a\\\n• b\\\nc\n"),
            ("<p>•</p><p>•</p>", "•\n\n•\n"),
            ("<p>– a</p><p>– b</p><p>– c</p>", "– a\n\n– b\n\n– c\n"),
            ("<p>x<br>- a<br>- b</p>", "x\\\n\\- a\\\n\\- b\n"),
            ("<p>-a<br>-b<br>-c</p>", "-a\\\n-b\\\n-c\n"),
        ];
        for (html, expected) in cases {
            assert_eq!(markdown_of(html), expected, "{html}");
        }
    }
}
