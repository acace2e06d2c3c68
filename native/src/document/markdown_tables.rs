//! Tables in Markdown: a line for each row, with everything in a cell on that line.
#![forbid(unsafe_code)]

use super::markdown_inline::{append_code_span, append_inline};
use super::steps::count;
use super::tree::{Alignment, Cell, Document, Node, Table};
use crate::blocks::characters::strip;

const LINE_BREAK: &str = "<br>";

/// Hands over the lines of a table, one after the other.
pub fn table_lines(document: &Document, table: &Table, mut add: impl FnMut(&str)) {
    let mut line = String::new();
    let mut content = String::new();
    let mut rule = "|".to_string();
    (0..table.width).for_each(|column| rule.push_str(rule_of(table.alignments.get(column).copied())));
    let has_headers = table.rows.iter().flatten().any(|cell| cell.is_header);
    // If its headers are elsewhere, it gets an empty header row.
    let needs_header = table.header_rows == 0 && has_headers;
    if needs_header {
        write_row(document, &[], table.width, &mut line, &mut content);
        add(&line);
        add(&rule);
    }
    let is_ragged = table.is_ragged();
    for (number, row) in table.rows.iter().enumerate() {
        // Parsers ignore cells beyond the number in the first row.
        let width = if number == 0 || !is_ragged { table.width } else { 0 };
        write_row(document, row, width, &mut line, &mut content);
        add(&line);
        if number == 0 && !needs_header {
            add(&rule);
        }
    }
}

/// The part of the rule below the header that says how a column is aligned.
fn rule_of(alignment: Option<Alignment>) -> &'static str {
    match alignment {
        Some(Alignment::Left) => " :--- |",
        Some(Alignment::Center) => " :---: |",
        Some(Alignment::Right) => " ---: |",
        _ => " --- |",
    }
}

/// Writes a row, padded to a width.
fn write_row(document: &Document, row: &[Cell], width: usize, line: &mut String, content: &mut String) {
    line.clear();
    line.push_str("| ");
    let length = row.last().map_or(0, |cell| cell.column + 1).max(width).max(1);
    let mut cells = row.iter().peekable();
    count(length);
    for column in 0..length {
        if column > 0 {
            line.push_str(" | ");
        }
        if let Some(cell) = cells.peek().filter(|cell| cell.column == column) {
            content.clear();
            write_cell(document, &cell.children, LINE_BREAK, &mut true, content);
            append_cell(line, content);
            cells.next();
        }
    }
    line.push_str(" |");
}

/// Appends the content of a cell, with bars escaped.
fn append_cell(line: &mut String, content: &str) {
    for (number, part) in content.split('|').enumerate() {
        line.push_str(if number > 0 { "\\|" } else { "" });
        line.push_str(part);
    }
}

/// Writes the content of a cell, which must fit on one line, in parts with a separator between them.
fn write_cell(document: &Document, nodes: &[Node], separator: &str, is_first: &mut bool, output: &mut String) {
    for node in nodes {
        match node {
            Node::Heading { spans, .. } | Node::Paragraph { spans, .. } => {
                separate(separator, is_first, output);
                append_inline(document, document.spans_of(*spans), LINE_BREAK, output);
            }
            Node::Code { text, .. } => {
                for line in document.text_of(*text).split('\n').filter(|line| !strip(line).is_empty()) {
                    separate(separator, is_first, output);
                    append_code_span(output, line);
                }
            }
            Node::List(list) => {
                for item in &list.items {
                    separate(separator, is_first, output);
                    output.push_str("- ");
                    write_cell(document, &item.children, " ", &mut true, output);
                }
            }
            Node::Quote(children) | Node::Comments(children) => {
                write_cell(document, children, separator, is_first, output);
            }
            Node::Callout { title, children, .. } => {
                write_cell(document, title, separator, is_first, output);
                write_cell(document, children, separator, is_first, output);
            }
            Node::Figure { children, caption } => {
                write_cell(document, children, separator, is_first, output);
                write_cell(document, caption, separator, is_first, output);
            }
            // Data tables are not nested, and definition lists are lists by now.
            Node::Table(_) | Node::Definitions(_) => (),
        }
    }
}

/// Writes a separator, unless this is the first part.
fn separate(separator: &str, is_first: &mut bool, output: &mut String) {
    if !std::mem::replace(is_first, false) {
        output.push_str(separator);
    }
}
