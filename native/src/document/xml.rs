//! Document -> XML: content and metadata of a page, in dehusk's own small vocabulary.
//!
//! `docs/outputs.md` describes it, `src/dehusk/outputs/document.rng` is its schema (RELAX NG). Items, cells and the like hold
//! paragraphs, never bare text.
#![forbid(unsafe_code)]

use super::callouts::CalloutKind;
use super::markup::{number_if, span_of_cell, Attribute, Markup, MarkupWriter};
use super::markup_inline::Mark;
use super::page_facts::PageFacts;
use super::tree::{Cell, Definition, Document, List, Locale, Node, Part, Span, SpanKind, Table};
use super::written_lists::make_lists;

/// The first line of every XML document.
pub const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
/// The version of the vocabulary.
const VERSION: &str = "1";

/// A whole document, valid against the schema whatever the page contains.
pub fn xml(mut document: Document, facts: &PageFacts) -> String {
    make_lists(&mut document);
    let mut writer = Writer { document: &document, markup: Markup::for_document(&document) };
    let attributes = [
        ("version", VERSION),
        ("url", facts.url),
        ("name", facts.name),
        ("method", facts.method),
        ("confidence", facts.confidence),
    ];
    writer.markup.add(DECLARATION);
    writer.write_lines("document", &attributes, |writer| {
        writer.write_metadata(facts);
        let locale = locale_attributes(&document.locale);
        writer.write_line(|writer| writer.write_parent("body", &locale, &document.children));
        if !document.notes.is_empty() {
            writer.write_line(Writer::write_notes);
        }
    });
    writer.markup.add("\n");
    writer.markup.finished()
}

struct Writer<'a> {
    document: &'a Document<'a>,
    markup: Markup,
}

/// Language and direction.
fn locale_attributes<'l>(locale: &Locale<'l>) -> [Attribute<'l>; 2] {
    [("language", locale.language), ("direction", locale.direction)]
}

/// The element of a field of the metadata: of one value, if there may be several.
fn element_of_field(field: &str) -> &str {
    match field {
        "authors" => "author",
        "categories" => "category",
        "tags" => "tag",
        other => other,
    }
}

/// The element of a mark.
fn element_of(mark: Mark) -> &'static str {
    match mark {
        Mark::Link => "a",
        Mark::Ruby => "ruby",
        Mark::Reading => "reading",
        Mark::Strong => "b",
        Mark::Emphasis => "i",
        Mark::Deleted => "del",
        Mark::Quoted => "q",
        Mark::Subscript => "sub",
        Mark::Superscript => "sup",
        Mark::Code => "code",
    }
}

impl<'a> Writer<'a> {
    /// The metadata, a value a line.
    fn write_metadata(&mut self, facts: &PageFacts) {
        self.markup.add("<metadata>\n");
        for fact in &facts.metadata {
            self.markup.element(element_of_field(fact.field), &[("source", fact.source)], fact.value);
            self.markup.add("\n");
        }
        self.markup.add("</metadata>\n");
    }

    /// The footnotes.
    fn write_notes(&mut self) {
        let document = self.document;
        self.write_lines("notes", &[], |writer| {
            for note in &document.notes {
                let label = document.text_of(note.label);
                writer.write_line(|writer| writer.write_parent("note", &[("label", label)], &note.children));
            }
        });
    }

    /// An element with nodes in it on a line of its own, if there are any.
    fn write_part(&mut self, name: &str, nodes: &'a [Node]) {
        if !nodes.is_empty() {
            self.write_line(|writer| writer.write_parent(name, &[], nodes));
        }
    }

    fn write_cell(&mut self, cell: &'a Cell) {
        let (columns, rows) = (span_of_cell(cell.columns), span_of_cell(cell.rows));
        let role = if cell.is_header { "header" } else { "" };
        let attributes = [("role", role), ("columns", &*columns), ("rows", &*rows)];
        if cell.children.is_empty() {
            self.markup.element("cell", &attributes, "");
        } else {
            self.write_parent("cell", &attributes, &cell.children);
        }
    }
}

impl<'a> MarkupWriter<'a> for Writer<'a> {
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
            SpanKind::LineBreak => self.markup.empty("br", &[]),
            SpanKind::Image => {
                let address = &self.document.addresses[span.address as usize];
                self.markup.empty("image", &[("source", address), ("alternative", text)]);
            }
            SpanKind::Formula => self.markup.element("formula", &[], text),
            SpanKind::DisplayFormula => self.markup.element("formula", &[("display", "block")], text),
            SpanKind::Note => self.markup.empty("noteref", &[("label", text)]),
        }
    }

    fn begin_mark(&mut self, mark: Mark, address: &str) {
        self.markup.begin(element_of(mark), &[("href", address)]);
    }

    fn end_mark(&mut self, mark: Mark) {
        self.markup.end(element_of(mark));
    }

    fn write_heading(&mut self, level: i32, spans: Part, locale: &Locale) {
        let [language, direction] = locale_attributes(locale);
        self.write_text_element("heading", &[("level", &level.to_string()), language, direction], spans);
    }

    fn write_paragraph(&mut self, spans: Part, locale: &Locale) {
        self.write_text_element("p", &locale_attributes(locale), spans);
    }

    fn write_code(&mut self, code: &str, language: &str) {
        self.markup.element("codeblock", &[("language", language), ("xml:space", "preserve")], code);
    }

    fn write_quote(&mut self, children: &'a [Node]) {
        self.write_parent("quote", &[], children);
    }

    fn write_callout(&mut self, kind: CalloutKind, title: &'a [Node], children: &'a [Node]) {
        self.write_lines("callout", &[("kind", kind.word())], |writer| {
            writer.write_part("caption", title);
            writer.write_line(|writer| writer.write_nodes(children));
        });
    }

    fn write_list(&mut self, list: &'a List) {
        let kind = if list.is_ordered { "ordered" } else { "unordered" };
        self.write_lines("list", &[("type", kind)], |writer| {
            for item in &list.items {
                let number = number_if(list.is_ordered, item.number);
                writer.write_line(|writer| writer.write_parent("item", &[("number", &number)], &item.children));
            }
        });
    }

    fn write_definitions(&mut self, definitions: &'a [Definition]) {
        self.write_lines("definitions", &[], |writer| {
            for definition in definitions {
                writer.write_line(|writer| {
                    writer.write_lines("definition", &[], |writer| {
                        let terms = definition.terms.iter().map(|term| ("term", term));
                        let parts =
                            terms.chain(definition.descriptions.iter().map(|children| ("description", children)));
                        parts.for_each(|(name, nodes)| {
                            writer.write_line(|writer| writer.write_parent(name, &[], nodes))
                        });
                    });
                });
            }
        });
    }

    fn write_table(&mut self, table: &'a Table) {
        self.write_lines("table", &[], |writer| {
            writer.write_part("caption", &table.caption);
            for row in &table.rows {
                writer.write_line(|writer| {
                    writer.write_lines("row", &[], |writer| {
                        row.iter().for_each(|cell| writer.write_line(|writer| writer.write_cell(cell)));
                    });
                });
            }
        });
    }

    fn write_figure(&mut self, children: &'a [Node], caption: &'a [Node]) {
        self.write_lines("figure", &[], |writer| {
            writer.write_line(|writer| writer.write_nodes(children));
            writer.write_part("caption", caption);
        });
    }

    fn write_comments(&mut self, children: &'a [Node]) {
        self.write_parent("comments", &[], children);
    }
}
