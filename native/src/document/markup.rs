//! Document -> elements and attributes, for formats that have them: HTML, XML, TEI.
//!
//! `MarkupWriter` walks through a document. The formats say how each node begins and ends, and write it to a `Markup`.
#![forbid(unsafe_code)]

use super::callouts::CalloutKind;
use super::markup_escaping::{append_escaped_markup, Place};
use super::markup_inline::{append_nested, Mark};
use super::steps::count;
use super::tree::{Definition, Document, List, Locale, Node, Part, Span, SpanKind, Table};

/// Name and value of an attribute; it is written if its value is not empty.
pub type Attribute<'v> = (&'static str, &'v str);

/// Markup being written.
#[derive(Default)]
pub struct Markup {
    output: String,
}

impl Markup {
    /// No markup, with room for that of a document.
    pub fn for_document(document: &Document) -> Self {
        Markup { output: String::with_capacity(document.text.len() + document.text.len() / 2) }
    }

    /// All that was written.
    pub fn finished(self) -> String {
        self.output
    }

    /// Bytes that were written.
    pub fn length(&self) -> usize {
        self.output.len()
    }

    /// Writes markup as it is.
    pub fn add(&mut self, markup: &str) {
        self.output.push_str(markup);
    }

    /// Writes a text, escaped.
    pub fn text(&mut self, text: &str) {
        append_escaped_markup(&mut self.output, text, Place::Content);
    }

    /// Writes a start tag.
    pub fn begin(&mut self, name: &str, attributes: &[Attribute]) {
        self.tag(name, attributes, ">");
    }

    /// Writes an element without content, as XML has it.
    pub fn empty(&mut self, name: &str, attributes: &[Attribute]) {
        self.tag(name, attributes, "/>");
    }

    /// Writes an end tag.
    pub fn end(&mut self, name: &str) {
        self.output.push_str("</");
        self.output.push_str(name);
        self.output.push('>');
    }

    /// Writes an element with nothing but text in it.
    pub fn element(&mut self, name: &str, attributes: &[Attribute], text: &str) {
        self.begin(name, attributes);
        self.text(text);
        self.end(name);
    }

    /// Writes an attribute inside a tag, even if its value is empty.
    pub fn attribute(&mut self, name: &str, value: &str) {
        self.output.push(' ');
        self.output.push_str(name);
        self.output.push_str("=\"");
        append_escaped_markup(&mut self.output, value, Place::Attribute);
        self.output.push('"');
    }

    fn tag(&mut self, name: &str, attributes: &[Attribute], end: &str) {
        self.output.push('<');
        self.output.push_str(name);
        for (name, value) in attributes.iter().filter(|(_, value)| !value.is_empty()) {
            self.attribute(name, value);
        }
        self.output.push_str(end);
    }
}

/// A number as the value of an attribute that is only written if something holds.
pub fn number_if(is_written: bool, number: impl ToString) -> String {
    if is_written {
        number.to_string()
    } else {
        String::new()
    }
}

/// How many rows or columns a cell spans, if it spans several.
pub fn span_of_cell(positions: usize) -> String {
    number_if(positions > 1, positions)
}

/// Writes documents in one format.
pub trait MarkupWriter<'a>: Sized {
    /// The document.
    fn document(&self) -> &'a Document<'a>;

    /// What is written to.
    fn markup(&mut self) -> &mut Markup;

    /// Writes a span without its marks.
    fn write_leaf(&mut self, span: &Span);

    /// Begins a mark; that of a link has an address.
    fn begin_mark(&mut self, mark: Mark, address: &str);

    /// Ends a mark.
    fn end_mark(&mut self, mark: Mark);

    /// Writes a heading.
    fn write_heading(&mut self, level: i32, spans: Part, locale: &Locale);

    /// Writes a paragraph.
    fn write_paragraph(&mut self, spans: Part, locale: &Locale);

    /// Writes preformatted text.
    fn write_code(&mut self, code: &str, language: &str);

    /// Writes a quotation.
    fn write_quote(&mut self, children: &'a [Node]);

    /// Writes a callout.
    fn write_callout(&mut self, kind: CalloutKind, title: &'a [Node], children: &'a [Node]);

    /// Writes a list.
    fn write_list(&mut self, list: &'a List);

    /// Writes a list of definitions.
    fn write_definitions(&mut self, definitions: &'a [Definition]);

    /// Writes a table.
    fn write_table(&mut self, table: &'a Table);

    /// Writes a figure.
    fn write_figure(&mut self, children: &'a [Node], caption: &'a [Node]);

    /// Writes readers' comments.
    fn write_comments(&mut self, children: &'a [Node]);

    /// Whether a paragraph in a figure is written without its element: one of nothing but images.
    fn goes_without_paragraph(&self, spans: &[Span]) -> bool {
        spans.iter().all(|span| span.kind == SpanKind::Image)
    }

    /// Writes nodes one after the other, each on lines of its own.
    fn write_nodes(&mut self, nodes: impl IntoIterator<Item = &'a Node>) {
        for (number, node) in nodes.into_iter().enumerate() {
            if number > 0 {
                self.markup().add("\n");
            }
            self.write_node(node);
        }
    }

    /// Writes a node.
    fn write_node(&mut self, node: &'a Node) {
        count(1);
        let document = self.document();
        match node {
            Node::Heading { level, spans, locale } => self.write_heading(*level, *spans, &document.locales[*locale]),
            Node::Paragraph { spans, locale } => self.write_paragraph(*spans, &document.locales[*locale]),
            Node::Code { text, language } => self.write_code(document.text_of(*text), document.text_of(*language)),
            Node::Quote(children) => self.write_quote(children),
            Node::Callout { kind, title, children } => self.write_callout(*kind, title, children),
            Node::List(list) => self.write_list(list),
            Node::Definitions(definitions) => self.write_definitions(definitions),
            Node::Table(table) => self.write_table(table),
            Node::Figure { children, caption } => self.write_figure(children, caption),
            Node::Comments(children) => self.write_comments(children),
        }
    }

    /// Writes the content of an item or a cell; a single paragraph goes without its element.
    fn write_within(&mut self, nodes: impl Iterator<Item = &'a Node> + Clone) {
        let mut rest = nodes.clone();
        let paragraphs = nodes.clone().filter(|node| matches!(node, Node::Paragraph { .. })).take(2).count();
        match rest.next() {
            Some(Node::Paragraph { spans, locale }) if paragraphs == 1 && self.document().has_page_locale(*locale) => {
                self.write_spans(*spans);
                for node in rest {
                    self.markup().add("\n");
                    self.write_node(node);
                }
            }
            _ => self.write_nodes(nodes),
        }
    }

    /// Writes the content of a figure; images go without a paragraph around them.
    fn write_in_figure(&mut self, nodes: &'a [Node]) {
        for (number, node) in nodes.iter().enumerate() {
            if number > 0 {
                self.markup().add("\n");
            }
            match node {
                Node::Paragraph { spans, .. } if self.goes_without_paragraph(self.document().spans_of(*spans)) => {
                    self.write_spans(*spans)
                }
                other => self.write_node(other),
            }
        }
    }

    /// Writes running text.
    fn write_spans(&mut self, spans: Part) {
        append_nested(self, self.document().spans_of(spans));
    }

    /// Writes an element with running text in it.
    fn write_text_element(&mut self, name: &str, attributes: &[Attribute], spans: Part) {
        self.markup().begin(name, attributes);
        self.write_spans(spans);
        self.markup().end(name);
    }

    /// Writes an element whose parts, one a call of `write_line`, stand on lines of their own.
    fn write_lines(&mut self, name: &str, attributes: &[Attribute], write_parts: impl FnOnce(&mut Self)) {
        self.markup().begin(name, attributes);
        self.markup().add("\n");
        let begin = self.markup().length();
        write_parts(self);
        if self.markup().length() == begin {
            self.markup().add("\n");
        }
        self.markup().end(name);
    }

    /// Writes a part and a line end, or nothing if the part is empty.
    fn write_line(&mut self, write_part: impl FnOnce(&mut Self)) {
        let begin = self.markup().length();
        write_part(self);
        if self.markup().length() > begin {
            self.markup().add("\n");
        }
    }

    /// Writes an element with nodes in it, on lines of their own.
    fn write_parent(&mut self, name: &str, attributes: &[Attribute], nodes: &'a [Node]) {
        self.write_lines(name, attributes, |writer| writer.write_line(|writer| writer.write_nodes(nodes)));
    }
}

impl Document<'_> {
    /// Whether a locale is that of the page.
    fn has_page_locale(&self, locale: usize) -> bool {
        self.locales[locale] == Locale::default()
    }
}
