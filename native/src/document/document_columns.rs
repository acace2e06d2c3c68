//! Document -> columns, of which Python makes nodes: entries in the order of the text, each before what is in it.
#![forbid(unsafe_code)]

use super::tree::{Definition, Document, Item, Node, Part, Table};

/// Kinds of entries, the numbers of `dehusk.outputs.document.document_building`.
mod kind {
    /// First and last span, level, locale.
    pub const HEADING: u8 = 0;
    /// First and last span, 0, locale.
    pub const PARAGRAPH: u8 = 1;
    /// Numbers of text and language.
    pub const CODE: u8 = 2;
    /// Nodes.
    pub const QUOTE: u8 = 3;
    /// Whether it is ordered; items.
    pub const LIST: u8 = 4;
    /// Its number; nodes.
    pub const ITEM: u8 = 5;
    /// Definitions.
    pub const DEFINITIONS: u8 = 6;
    /// How many terms; groups of nodes.
    pub const DEFINITION: u8 = 7;
    /// A term, a description or a row of a table.
    pub const GROUP: u8 = 8;
    /// How many nodes are its caption, width, header rows; nodes of the caption, then groups of cells.
    pub const TABLE: u8 = 9;
    /// Column, whether it is a header, columns and rows it spans; nodes.
    pub const CELL: u8 = 10;
    /// How many nodes are its content; these, then those of the caption.
    pub const FIGURE: u8 = 11;
    /// Nodes.
    pub const COMMENTS: u8 = 12;
    /// Number of its label; nodes.
    pub const NOTE: u8 = 13;
    /// Number of its kind, how many nodes are its title; these, then its content.
    pub const CALLOUT: u8 = 20;
}

/// Numbers that an entry has.
const VALUES: usize = 4;

/// The columns of a document.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct DocumentColumns {
    /// All texts, each followed by a NUL, which no text contains: first title, language and direction of the page, then
    /// the addresses.
    pub strings: String,
    /// Number of nodes, of notes, and of addresses.
    pub counts: Vec<i32>,
    /// One entry per locale: numbers of its language and of its direction.
    pub locales: Vec<i32>,
    /// One entry per entry: what it is.
    pub kind: Vec<u8>,
    /// How many entries are directly in it.
    pub children: Vec<i32>,
    /// Four numbers an entry; what they mean depends on its kind.
    pub values: Vec<i32>,
    /// One entry per span: its `SpanKind`.
    pub span_kind: Vec<u8>,
    /// Bits of `mark`.
    pub span_flags: Vec<u8>,
    /// Four numbers a span: of its text, of its link and address among the addresses, and its ruby annotation.
    pub span_values: Vec<i32>,
    written: usize,
}

/// The columns of a document.
pub fn document_columns(document: &Document) -> DocumentColumns {
    let mut columns = DocumentColumns::default();
    columns.strings.reserve(document.text.len() + document.spans.len());
    columns.add_text(document.title);
    columns.add_text(document.locale.language);
    columns.add_text(document.locale.direction);
    for address in &document.addresses {
        columns.add_text(address);
    }
    let counts = [document.children.len(), document.notes.len(), document.addresses.len()];
    columns.counts = counts.map(|count| count as i32).to_vec();
    for locale in &document.locales {
        let numbers = [columns.add_text(locale.language), columns.add_text(locale.direction)];
        columns.locales.extend(numbers);
    }
    for span in &document.spans {
        let text = columns.add_text(document.text_of(span.text));
        columns.span_kind.push(span.kind as u8);
        columns.span_flags.push(span.marks.flags);
        columns.span_values.extend([text, span.marks.link as i32, span.address as i32, span.marks.ruby]);
    }
    columns.add_nodes(document, &document.children);
    for note in &document.notes {
        let label = columns.add_text(document.text_of(note.label));
        columns.add_entry(kind::NOTE, note.children.len(), [label as usize, 0, 0, 0]);
        columns.add_nodes(document, &note.children);
    }
    columns
}

impl DocumentColumns {
    /// Adds a text; returns its number.
    fn add_text(&mut self, text: &str) -> i32 {
        self.strings.push_str(text);
        self.strings.push('\0');
        self.written += 1;
        self.written as i32 - 1
    }

    /// Adds an entry; what is in it must follow.
    fn add_entry(&mut self, kind: u8, children: usize, values: [usize; VALUES]) {
        self.kind.push(kind);
        self.children.push(children as i32);
        self.values.extend(values.map(|value| value as i32));
    }

    /// Adds nodes, one after the other.
    fn add_nodes(&mut self, document: &Document, nodes: &[Node]) {
        nodes.iter().for_each(|node| self.add_node(document, node));
    }

    /// Adds an entry with nodes in it.
    fn add_parent(&mut self, document: &Document, kind: u8, children: &[Node], values: [usize; VALUES]) {
        self.add_entry(kind, children.len(), values);
        self.add_nodes(document, children);
    }

    /// Adds a node and what is in it.
    fn add_node(&mut self, document: &Document, node: &Node) {
        match node {
            Node::Heading { level, spans, locale } => self.add_spans(kind::HEADING, *spans, *level as usize, *locale),
            Node::Paragraph { spans, locale } => self.add_spans(kind::PARAGRAPH, *spans, 0, *locale),
            Node::Code { text, language } => {
                let text = self.add_text(document.text_of(*text));
                let language = self.add_text(document.text_of(*language));
                self.add_entry(kind::CODE, 0, [text as usize, language as usize, 0, 0]);
            }
            Node::Quote(children) => self.add_parent(document, kind::QUOTE, children, [0; VALUES]),
            Node::Callout { kind: of_kind, title, children } => {
                let values = [*of_kind as usize, title.len(), 0, 0];
                self.add_entry(kind::CALLOUT, title.len() + children.len(), values);
                self.add_nodes(document, title);
                self.add_nodes(document, children);
            }
            Node::Comments(children) => self.add_parent(document, kind::COMMENTS, children, [0; VALUES]),
            Node::List(list) => {
                self.add_entry(kind::LIST, list.items.len(), [usize::from(list.is_ordered), 0, 0, 0]);
                list.items.iter().for_each(|item| self.add_item(document, item));
            }
            Node::Definitions(definitions) => {
                self.add_entry(kind::DEFINITIONS, definitions.len(), [0; VALUES]);
                definitions.iter().for_each(|definition| self.add_definition(document, definition));
            }
            Node::Table(table) => self.add_table(document, table),
            Node::Figure { children, caption } => {
                self.add_entry(kind::FIGURE, children.len() + caption.len(), [children.len(), 0, 0, 0]);
                self.add_nodes(document, children);
                self.add_nodes(document, caption);
            }
        }
    }

    /// Adds a heading or a paragraph.
    fn add_spans(&mut self, kind: u8, spans: Part, level: usize, locale: usize) {
        self.add_entry(kind, 0, [spans.start, spans.end, level, locale]);
    }

    /// Adds an item of a list.
    fn add_item(&mut self, document: &Document, item: &Item) {
        self.add_parent(document, kind::ITEM, &item.children, [item.number as usize, 0, 0, 0]);
    }

    /// Adds terms and descriptions.
    fn add_definition(&mut self, document: &Document, definition: &Definition) {
        let size = definition.terms.len() + definition.descriptions.len();
        self.add_entry(kind::DEFINITION, size, [definition.terms.len(), 0, 0, 0]);
        for part in definition.parts() {
            self.add_parent(document, kind::GROUP, part, [0; VALUES]);
        }
    }

    /// Adds a table.
    fn add_table(&mut self, document: &Document, table: &Table) {
        let size = table.caption.len() + table.rows.len();
        self.add_entry(kind::TABLE, size, [table.caption.len(), table.width, table.header_rows, 0]);
        self.add_nodes(document, &table.caption);
        for row in &table.rows {
            self.add_entry(kind::GROUP, row.len(), [0; VALUES]);
            for cell in row {
                let values = [cell.column, usize::from(cell.is_header), cell.columns, cell.rows];
                self.add_parent(document, kind::CELL, &cell.children, values);
            }
        }
    }
}
