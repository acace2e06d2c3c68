//! Document -> plain text: one paragraph per block, list items and table rows on separate lines.
#![forbid(unsafe_code)]

use super::plain_spans::plain_spans;
use super::steps::count;
use super::texts::append_folded;
use super::tree::{Definition, Document, Item, Node, Part, Table};

/// The whole document; ends with a newline unless it is empty.
pub fn plain_text(document: &Document, bullet: &str, cell_separator: &str) -> String {
    let indent = bullet.chars().count();
    let output = String::with_capacity(document.text.len() + document.text.len() / 8);
    let mut writer = Writer { document, bullet, cell_separator, indent, indents: String::new(), output };
    let mut before = Before::Nothing;
    for node in &document.children {
        writer.add_part(&mut before, is_list(node), false, |writer| writer.write_node(node));
    }
    for note in &document.notes {
        writer.add_part(&mut before, false, false, |writer| {
            writer.write_note(note.label, &note.children);
        });
    }
    if !writer.output.is_empty() {
        writer.output.push('\n');
    }
    writer.output
}

/// What was written last among nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    List,
    Other,
}

/// Whether a node is a list.
fn is_list(node: &Node) -> bool {
    matches!(node, Node::List(_) | Node::Definitions(_))
}

/// Writes nodes one after the other.
struct Writer<'a> {
    document: &'a Document<'a>,
    bullet: &'a str,
    cell_separator: &'a str,
    /// Characters of the bullet: how far the lines of an item are indented.
    indent: usize,
    /// The blanks after each line end.
    indents: String,
    output: String,
}

impl<'a> Writer<'a> {
    /// Nodes, with an empty line between them, but only a line end between lists and inside an item.
    fn write_nodes(&mut self, nodes: impl Iterator<Item = &'a Node>, is_in_item: bool) {
        let mut before = Before::Nothing;
        for node in nodes {
            self.add_part(&mut before, is_list(node), is_in_item, |writer| writer.write_node(node));
        }
    }

    /// Writes something after what was written before; nothing, not even a line end, if it is empty.
    fn add_part(&mut self, before: &mut Before, is_list: bool, is_in_item: bool, write: impl FnOnce(&mut Self)) {
        count(1);
        let end = self.output.len();
        if *before != Before::Nothing {
            self.end_line();
            if !(is_in_item || (is_list && *before == Before::List)) {
                self.end_line();
            }
        }
        let begin = self.output.len();
        write(self);
        if self.output.len() == begin {
            self.output.truncate(end);
        } else {
            *before = if is_list { Before::List } else { Before::Other };
        }
    }

    /// A line end, and the indent of the next line.
    fn end_line(&mut self) {
        self.output.push('\n');
        self.output.push_str(&self.indents);
    }

    /// A text, its lines indented.
    fn write_lines(&mut self, text: &str) {
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                self.end_line();
            }
            self.output.push_str(line);
        }
    }

    /// Any node.
    fn write_node(&mut self, node: &'a Node) {
        match node {
            Node::Heading { spans, .. } | Node::Paragraph { spans, .. } => self.write_spans(*spans),
            Node::Code { text, .. } => self.write_lines(self.document.text_of(*text)),
            Node::List(list) => self.write_items(list.items.iter().map(ItemOf::List)),
            Node::Definitions(definitions) => self.write_items(definitions.iter().map(ItemOf::Definitions)),
            Node::Table(table) => self.write_table(table),
            Node::Quote(children) | Node::Comments(children) => self.write_nodes(children.iter(), false),
            Node::Figure { children, caption } => self.write_nodes(children.iter().chain(caption), false),
            Node::Callout { title, children, .. } => self.write_nodes(title.iter().chain(children), false),
        }
    }

    /// A footnote, after its label.
    fn write_note(&mut self, label: Part, children: &'a [Node]) {
        self.output.push('[');
        self.output.push_str(self.document.text_of(label));
        self.output.push_str("] ");
        self.write_nodes(children.iter(), false);
    }

    /// Running text.
    fn write_spans(&mut self, spans: Part) {
        plain_spans(self.document, self.document.spans_of(spans), &self.indents, &mut self.output);
    }

    /// Items, each on lines of its own.
    fn write_items(&mut self, items: impl Iterator<Item = ItemOf<'a>>) {
        let mut before = Before::Nothing;
        for item in items {
            self.add_part(&mut before, true, true, |writer| writer.write_item(item));
        }
    }

    /// An item after its bullet; nothing if it is empty.
    fn write_item(&mut self, item: ItemOf<'a>) {
        let begin = self.output.len();
        self.write_lines(self.bullet);
        let start = self.output.len();
        let outer = self.indents.len();
        self.indents.extend(std::iter::repeat_n(' ', self.indent));
        match item {
            ItemOf::List(item) => self.write_nodes(item.children.iter(), true),
            ItemOf::Definitions(definition) => {
                self.write_nodes(definition.parts().flatten(), true);
            }
        }
        self.indents.truncate(outer);
        if self.output.len() == start {
            self.output.truncate(begin);
        }
    }

    /// A caption, and rows of cells by column, without empty cells at their ends.
    fn write_table(&mut self, table: &'a Table) {
        let mut before = Before::Nothing;
        self.add_part(&mut before, false, false, |writer| writer.write_nodes(table.caption.iter(), false));
        self.add_part(&mut before, false, false, |writer| writer.write_rows(table));
    }

    /// The rows of a table.
    fn write_rows(&mut self, table: &'a Table) {
        let mut text = String::new();
        for (number, row) in table.rows.iter().enumerate() {
            if number > 0 {
                self.end_line();
            }
            let mut column = 0;
            for cell in row {
                self.read_cell(&cell.children, &mut text);
                if text.is_empty() {
                    continue;
                }
                for _ in column..cell.column {
                    self.write_lines(self.cell_separator);
                }
                column = cell.column;
                self.output.push_str(&text);
            }
        }
    }

    /// The content of a cell on one line. It is written at the end of the output first, which takes no memory, and taken off.
    fn read_cell(&mut self, children: &'a [Node], text: &mut String) {
        text.clear();
        let begin = self.output.len();
        let indents = std::mem::take(&mut self.indents);
        self.write_nodes(children.iter(), false);
        self.indents = indents;
        let written = &self.output[begin..];
        count(written.len());
        append_folded(text, written);
        self.output.truncate(begin);
    }
}

/// What makes up an item.
#[derive(Clone, Copy)]
enum ItemOf<'a> {
    /// An item of a list.
    List(&'a Item),
    /// Terms and descriptions.
    Definitions(&'a Definition),
}
