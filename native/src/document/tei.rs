//! Document -> TEI P5: content in the text, metadata in the header.
//!
//! Headings open divisions, nested by level. Footnotes are in the back matter, comments in a separate division. Uses TEI's
//! modules for the header, the core, the text structure, figures and tables, and code.
#![forbid(unsafe_code)]

use super::callouts::CalloutKind;
use super::markup::{number_if, span_of_cell, Markup, MarkupWriter};
use super::markup_inline::Mark;
use super::page_facts::PageFacts;
use super::ruby_as_text::write_ruby_as_text;
use super::tei_divisions::write_divisions;
use super::tei_header::write_header;
use super::texts::folded;
use super::tree::{Cell, Definition, Document, List, Locale, Marks, Node, Part, Span, SpanKind, Table};
use super::written_lists::make_lists;
use super::xml::DECLARATION;
use crate::blocks::characters::is_word;

const NAMESPACE: &str = "http://www.tei-c.org/ns/1.0";

/// A whole TEI document.
pub fn tei(mut document: Document, facts: &PageFacts) -> String {
    make_lists(&mut document);
    write_ruby_as_text(&mut document);
    let mut writer = TeiWriter { document: &document, markup: Markup::for_document(&document) };
    writer.markup.add(DECLARATION);
    writer.write_lines("TEI", &[("xmlns", NAMESPACE)], |writer| {
        write_header(&mut writer.markup, facts, document.title);
        writer.markup.add("\n");
        let language = language_of(&document.locale);
        writer.write_line(|writer| {
            writer.write_lines("text", &[("xml:lang", &language)], |writer| {
                writer.write_line(|writer| writer.write_lines("body", &[], write_divisions));
                writer.write_line(TeiWriter::write_back);
            });
        });
    });
    writer.markup.add("\n");
    writer.markup.finished()
}

/// The language of a text as XML has it.
pub fn language_of(locale: &Locale) -> String {
    locale.language.replace('_', "-")
}

/// Writes the text.
pub struct TeiWriter<'a> {
    document: &'a Document<'a>,
    markup: Markup,
}

/// The element of a mark, and how it is rendered where one element stands for several marks.
fn element_of(mark: Mark) -> (&'static str, &'static str) {
    match mark {
        Mark::Link => ("ref", ""),
        Mark::Ruby => ("ruby", ""),
        Mark::Reading => ("rt", ""),
        Mark::Strong => ("hi", "bold"),
        Mark::Emphasis => ("hi", "italic"),
        Mark::Deleted => ("del", ""),
        Mark::Quoted => ("q", ""),
        Mark::Subscript => ("hi", "sub"),
        Mark::Superscript => ("hi", "sup"),
        Mark::Code => ("code", ""),
    }
}

impl<'a> TeiWriter<'a> {
    /// The footnotes behind the text.
    fn write_back(&mut self) {
        let notes = &self.document.notes;
        if notes.is_empty() {
            return;
        }
        self.markup.begin("back", &[]);
        self.write_lines("div", &[("type", "notes")], |writer| {
            for note in notes {
                let label = writer.document.text_of(note.label);
                writer.markup.begin("note", &[("xml:id", &format!("note-{label}")), ("n", label)]);
                writer.write_within(note.children.iter());
                writer.markup.add("</note>\n");
            }
        });
        self.markup.end("back");
    }

    /// The texts of nodes with line breaks between them, where TEI allows no paragraphs.
    fn write_running(&mut self, nodes: impl Iterator<Item = &'a Node>) {
        let mut is_first = true;
        nodes.for_each(|node| self.write_texts(node, &mut is_first));
    }

    /// The texts of a node.
    fn write_texts(&mut self, node: &'a Node, is_first: &mut bool) {
        match node {
            Node::Heading { spans, .. } | Node::Paragraph { spans, .. } => {
                self.write_break(is_first);
                self.write_spans(*spans);
            }
            Node::Code { text, .. } => {
                self.write_break(is_first);
                self.markup.text(&folded(self.document.text_of(*text)));
            }
            other => other.inner_nodes().for_each(|inner| self.write_texts(inner, is_first)),
        }
    }

    /// A line break before all but the first.
    fn write_break(&mut self, is_first: &mut bool) {
        if !std::mem::replace(is_first, false) {
            self.markup.empty("lb", &[]);
        }
    }

    /// A head, if there is anything in it.
    fn write_head(&mut self, nodes: &'a [Node]) {
        if !nodes.is_empty() {
            self.markup.begin("head", &[]);
            self.write_running(nodes.iter());
            self.markup.add("</head>\n");
        }
    }

    fn write_definition(&mut self, definition: &'a Definition) {
        self.markup.begin("label", &[]);
        self.write_running(definition.terms.iter().flatten());
        self.markup.add("</label><item>");
        self.write_within(definition.descriptions.iter().flatten());
        self.markup.add("</item>\n");
    }

    fn write_row(&mut self, row: &'a [Cell], is_label: bool) {
        self.markup.begin("row", &[("role", if is_label { "label" } else { "" })]);
        if row.is_empty() {
            self.markup.element("cell", &[], "");
        }
        for cell in row {
            let (columns, rows) = (span_of_cell(cell.columns), span_of_cell(cell.rows));
            let role = if cell.is_header { "label" } else { "" };
            self.markup.begin("cell", &[("role", role), ("cols", &columns), ("rows", &rows)]);
            self.write_within(cell.children.iter());
            self.markup.end("cell");
        }
        self.markup.add("</row>\n");
    }
}

impl<'a> MarkupWriter<'a> for TeiWriter<'a> {
    fn document(&self) -> &'a Document<'a> {
        self.document
    }

    fn markup(&mut self) -> &mut Markup {
        &mut self.markup
    }

    fn write_leaf(&mut self, span: &Span) {
        let text = self.document.text_of(span.text);
        match span.kind {
            SpanKind::Text | SpanKind::Task => self.markup.text(text),
            SpanKind::LineBreak => self.markup.empty("lb", &[]),
            SpanKind::Image => {
                self.markup.begin("graphic", &[("url", &self.document.addresses[span.address as usize])]);
                if !text.is_empty() {
                    self.markup.element("desc", &[], text);
                }
                self.markup.end("graphic");
            }
            SpanKind::Formula | SpanKind::DisplayFormula => {
                self.markup.element("formula", &[("notation", "TeX")], text);
            }
            SpanKind::Note => {
                let target = format!("#note-{text}");
                self.markup.element("ref", &[("type", "note"), ("target", &target)], &format!("[{text}]"));
            }
        }
    }

    fn begin_mark(&mut self, mark: Mark, address: &str) {
        let (name, rendition) = element_of(mark);
        self.markup.begin(name, &[("target", address), ("rend", rendition)]);
    }

    fn end_mark(&mut self, mark: Mark) {
        self.markup.end(element_of(mark).0);
    }

    /// A heading inside an item, a cell or a quote, where TEI allows no division.
    fn write_heading(&mut self, level: i32, spans: Part, locale: &Locale) {
        let (level, language) = (level.to_string(), language_of(locale));
        self.write_text_element("ab", &[("type", "heading"), ("n", &level), ("xml:lang", &language)], spans);
    }

    fn write_paragraph(&mut self, spans: Part, locale: &Locale) {
        self.write_text_element("p", &[("xml:lang", &language_of(locale))], spans);
    }

    fn write_code(&mut self, code: &str, language: &str) {
        let is_of_name = |character| is_word(character) || matches!(character, '+' | '#' | '.' | '-');
        let name = if language.chars().all(is_of_name) { language } else { "" };
        self.markup.begin("ab", &[("type", "code"), ("xml:space", "preserve")]);
        self.markup.element("code", &[("lang", name)], code);
        self.markup.end("ab");
    }

    fn write_quote(&mut self, children: &'a [Node]) {
        self.write_parent("quote", &[], children);
    }

    fn write_callout(&mut self, kind: CalloutKind, title: &'a [Node], children: &'a [Node]) {
        self.write_lines("note", &[("type", "callout"), ("subtype", kind.word())], |writer| {
            if !title.is_empty() {
                writer.markup.add("<p><hi rend=\"bold\">");
                writer.write_running(title.iter());
                writer.markup.add("</hi></p>\n");
            }
            writer.write_line(|writer| writer.write_nodes(children));
        });
    }

    fn write_list(&mut self, list: &'a List) {
        let rendition = if list.is_ordered { "numbered" } else { "bulleted" };
        self.write_lines("list", &[("rend", rendition)], |writer| {
            for item in &list.items {
                writer.markup.begin("item", &[("n", &number_if(list.is_ordered, item.number))]);
                writer.write_within(item.children.iter());
                writer.markup.add("</item>\n");
            }
        });
    }

    fn write_definitions(&mut self, definitions: &'a [Definition]) {
        self.write_lines("list", &[("type", "gloss")], |writer| {
            definitions.iter().for_each(|definition| writer.write_definition(definition));
        });
    }

    fn write_table(&mut self, table: &'a Table) {
        self.write_lines("table", &[], |writer| {
            writer.write_head(&table.caption);
            for (number, row) in table.rows.iter().enumerate() {
                writer.write_row(row, number < table.header_rows);
            }
        });
    }

    fn write_figure(&mut self, children: &'a [Node], caption: &'a [Node]) {
        self.write_lines("figure", &[], |writer| {
            writer.write_head(caption);
            writer.write_line(|writer| writer.write_in_figure(children));
        });
    }

    fn write_comments(&mut self, children: &'a [Node]) {
        self.write_nodes(children);
    }

    /// TEI allows no links in a figure, nor other marks.
    fn goes_without_paragraph(&self, spans: &[Span]) -> bool {
        spans.iter().all(|span| span.kind == SpanKind::Image && span.marks == Marks::default())
    }
}
