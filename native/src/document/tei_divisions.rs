//! The text of a TEI document in divisions: comments apart, and each heading with what is below it.
#![forbid(unsafe_code)]

use super::groups::groups;
use super::markup::MarkupWriter;
use super::steps::count;
use super::tei::{language_of, TeiWriter};
use super::tree::Node;

/// Writes comments and what is not, each in divisions of its own: no text may follow a division within another.
pub fn write_divisions(writer: &mut TeiWriter) {
    let document = writer.document();
    for (are_comments, nodes) in groups(&document.children, |node| matches!(node, Node::Comments(_))) {
        let nodes: Vec<&Node> =
            if are_comments { nodes.iter().flat_map(Node::inner_nodes).collect() } else { nodes.iter().collect() };
        let kind = if are_comments { "comments" } else { "content" };
        writer.write_line(|writer| writer.write_lines("div", &[("type", kind)], |writer| write_parts(writer, &nodes)));
    }
    if document.children.is_empty() {
        writer.markup().add("<div type=\"content\"><p></p></div>\n");
    }
}

/// Writes what comes before the first heading, and a division for each heading of the highest level there is.
fn write_parts<'a>(writer: &mut TeiWriter<'a>, nodes: &[&'a Node]) {
    let first = nodes.iter().position(|node| level_of(node).is_some()).unwrap_or(nodes.len());
    writer.write_line(|writer| writer.write_nodes(nodes[..first].iter().copied()));
    let mut rest = &nodes[first..];
    while let Some(level) = rest.first().and_then(|node| level_of(node)) {
        let ends = |node: &&Node| level_of(node).is_some_and(|other| other <= level);
        let length = rest.iter().skip(1).position(ends).map_or(rest.len(), |after| after + 1);
        count(length);
        let (section, after) = rest.split_at(length);
        writer.write_line(|writer| write_section(writer, section, level));
        rest = after;
    }
}

/// The level of a heading.
fn level_of(node: &Node) -> Option<i32> {
    match node {
        Node::Heading { level, .. } => Some(*level),
        _ => None,
    }
}

/// Writes a division of a heading and what is below it.
fn write_section<'a>(writer: &mut TeiWriter<'a>, nodes: &[&'a Node], level: i32) {
    writer.write_lines("div", &[("n", &level.to_string())], |writer| {
        if let Node::Heading { spans, locale, .. } = nodes[0] {
            let language = language_of(&writer.document().locales[*locale]);
            writer.write_line(|writer| writer.write_text_element("head", &[("xml:lang", &language)], *spans));
        }
        if nodes.len() == 1 {
            writer.markup().add("<p></p>\n");
        }
        write_parts(writer, &nodes[1..]);
    });
}
