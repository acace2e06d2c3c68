//! Document -> HTML: semantic elements only, with no scripts, no embedded content except images, and no styles.
//!
//! All elements pass common sanitisers. Attributes are few: addresses, spans of cells, alternative texts, numbers of items,
//! the language of code (a class), language and direction of texts, and the ids of footnotes.
#![forbid(unsafe_code)]

use super::callouts::CalloutKind;
use super::markup::{number_if, span_of_cell, Attribute, Markup, MarkupWriter};
use super::markup_inline::{append_nested, Mark};
use super::tree::{mark, Cell, Definition, Document, List, Locale, Node, Note, Part, Span, SpanKind, Table};
use super::written_lists::make_lists;

/// Following a link from a cleaned page does not reveal where it was.
const LINK: &str = "noopener noreferrer";
const HEADINGS: [&str; 6] = ["h1", "h2", "h3", "h4", "h5", "h6"];

/// A whole document; the body is empty if there is no content.
pub fn html(mut document: Document) -> String {
    make_lists(&mut document);
    let mut writer = Writer { document: &document, markup: Markup::for_document(&document) };
    writer.markup.add("<!doctype html>\n");
    writer.markup.begin("html", &locale_attributes(&document.locale));
    writer.markup.add("\n<head><meta charset=\"utf-8\">");
    writer.markup.element("title", &[], document.title);
    writer.markup.add("</head>\n<body>\n");
    writer.write_nodes(&document.children);
    writer.write_notes();
    writer.markup.add("\n</body>\n</html>\n");
    writer.markup.finished()
}

/// Writes the body.
struct Writer<'a> {
    document: &'a Document<'a>,
    markup: Markup,
}

/// Language and direction.
fn locale_attributes<'l>(locale: &Locale<'l>) -> [Attribute<'l>; 2] {
    [("lang", locale.language), ("dir", locale.direction)]
}

/// The element of a mark that is neither a link nor a reading.
fn element_of(mark: Mark) -> &'static str {
    match mark {
        Mark::Link => "a",
        Mark::Ruby => "ruby",
        Mark::Reading => "rt",
        Mark::Strong => "strong",
        Mark::Emphasis => "em",
        Mark::Deleted => "del",
        Mark::Quoted => "q",
        Mark::Subscript => "sub",
        Mark::Superscript => "sup",
        Mark::Code => "code",
    }
}

impl<'a> Writer<'a> {
    /// The footnotes below the content.
    fn write_notes(&mut self) {
        let notes = &self.document.notes;
        if notes.is_empty() {
            return;
        }
        self.markup.add("\n");
        self.write_lines("footer", &[], |writer| {
            writer.write_line(|writer| {
                writer.write_lines("ul", &[], |writer| {
                    notes.iter().for_each(|note| writer.write_line(|writer| writer.write_note(note)));
                });
            });
        });
    }

    /// A footnote, with its label before the first text.
    fn write_note(&mut self, note: &'a Note) {
        let label = self.document.text_of(note.label);
        self.markup.begin("li", &[("id", &format!("note-{label}"))]);
        let (first, rest) = match note.children.split_first() {
            Some((Node::Paragraph { spans, locale }, rest)) => (Some((*spans, self.document.locales[*locale])), rest),
            _ => (None, &note.children[..]),
        };
        let (spans, locale) = first.unwrap_or_default();
        let is_alone = !rest.iter().any(|node| matches!(node, Node::Paragraph { .. })) && locale == Locale::default();
        if !is_alone {
            self.markup.begin("p", &locale_attributes(&locale));
        }
        self.markup.add("[");
        self.markup.text(label);
        self.markup.add("] ");
        self.write_spans(spans);
        if !is_alone {
            self.markup.end("p");
        }
        for node in rest {
            self.markup.add("\n");
            self.write_node(node);
        }
        self.markup.end("li");
    }

    /// An image.
    fn write_image(&mut self, address: &str, alternative: &str) {
        self.markup.add("<img");
        self.markup.attribute("src", address);
        self.markup.attribute("alt", alternative);
        self.markup.add(">");
    }

    /// A reference to a footnote.
    fn write_reference(&mut self, label: &str) {
        self.markup.add("<sup>");
        self.markup.begin("a", &[("href", &format!("#note-{label}")), ("rel", LINK)]);
        self.markup.add("[");
        self.markup.text(label);
        self.markup.add("]</a></sup>");
    }

    /// An element with what an item or a cell has in it.
    fn write_short<'n>(&mut self, name: &str, attributes: &[Attribute<'n>], nodes: &'a [Node]) {
        self.markup.begin(name, attributes);
        self.write_within(nodes.iter());
        self.markup.end(name);
    }

    /// The texts of headings and paragraphs in one bold line, whatever of it the page sets in bold.
    fn write_title(&mut self, nodes: &[Node]) {
        self.markup.add("<p><strong>");
        let texts = nodes.iter().filter_map(|node| match node {
            Node::Heading { spans, .. } | Node::Paragraph { spans, .. } => Some(*spans),
            _ => None,
        });
        for (number, spans) in texts.enumerate() {
            if number > 0 {
                self.markup.add(" ");
            }
            let spans: Vec<Span> = self.document.spans_of(spans).iter().map(not_strong).collect();
            append_nested(self, &spans);
        }
        self.markup.add("</strong></p>");
    }

    /// The rows of the head or of the body of a table.
    fn write_rows(&mut self, name: &str, rows: &'a [Vec<Cell>]) {
        if rows.is_empty() {
            return;
        }
        self.write_lines(name, &[], |writer| {
            for row in rows {
                writer.markup.add("<tr>");
                row.iter().for_each(|cell| writer.write_cell(cell));
                writer.markup.add("</tr>\n");
            }
        });
    }

    fn write_cell(&mut self, cell: &'a Cell) {
        let (columns, rows) = (span_of_cell(cell.columns), span_of_cell(cell.rows));
        let name = if cell.is_header { "th" } else { "td" };
        self.write_short(name, &[("colspan", &columns), ("rowspan", &rows)], &cell.children);
    }
}

/// A span that is not bold.
fn not_strong(span: &Span) -> Span {
    let mut span = *span;
    span.marks.flags &= !mark::STRONG;
    span
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
        // The delimiters that MathJax and KaTeX look for.
        let (before, after) = match span.kind {
            SpanKind::Text | SpanKind::Task => ("", ""),
            SpanKind::LineBreak => return self.markup.add("<br>"),
            SpanKind::Image => return self.write_image(&self.document.addresses[span.address as usize], text),
            SpanKind::Formula => ("\\(", "\\)"),
            SpanKind::DisplayFormula => ("\\[", "\\]"),
            SpanKind::Note => return self.write_reference(text),
        };
        self.markup.add(before);
        self.markup.text(text);
        self.markup.add(after);
    }

    fn begin_mark(&mut self, mark: Mark, address: &str) {
        match mark {
            Mark::Link => self.markup.begin("a", &[("href", address), ("rel", LINK)]),
            Mark::Reading => self.markup.add("<rp>(</rp><rt>"),
            other => self.markup.begin(element_of(other), &[]),
        }
    }

    fn end_mark(&mut self, mark: Mark) {
        self.markup.end(element_of(mark));
        if mark == Mark::Reading {
            self.markup.add("<rp>)</rp>");
        }
    }

    fn write_heading(&mut self, level: i32, spans: Part, locale: &Locale) {
        self.write_text_element(HEADINGS[level.clamp(1, 6) as usize - 1], &locale_attributes(locale), spans);
    }

    fn write_paragraph(&mut self, spans: Part, locale: &Locale) {
        self.write_text_element("p", &locale_attributes(locale), spans);
    }

    fn write_code(&mut self, code: &str, language: &str) {
        let name = if language.is_empty() { String::new() } else { format!("language-{language}") };
        self.markup.add("<pre>");
        self.markup.begin("code", &[("class", &name)]);
        if code.starts_with('\n') {
            // Parsers drop a newline right after the tag.
            self.markup.add("\n");
        }
        self.markup.text(code);
        self.markup.add("</code></pre>");
    }

    fn write_quote(&mut self, children: &'a [Node]) {
        self.write_parent("blockquote", &[], children);
    }

    fn write_callout(&mut self, kind: CalloutKind, title: &'a [Node], children: &'a [Node]) {
        self.write_lines("aside", &[("title", kind.word())], |writer| {
            if !title.is_empty() {
                writer.write_line(|writer| writer.write_title(title));
            }
            writer.write_line(|writer| writer.write_nodes(children));
        });
    }

    fn write_list(&mut self, list: &'a List) {
        let first = list.items.first().map_or(1, |item| item.number);
        let name = if list.is_ordered { "ol" } else { "ul" };
        let start = number_if(list.is_ordered && first != 1, first);
        self.write_lines(name, &[("start", &start)], |writer| {
            let mut expected = i64::from(first);
            for item in &list.items {
                let value = number_if(list.is_ordered && i64::from(item.number) != expected, item.number);
                writer.write_line(|writer| writer.write_short("li", &[("value", &value)], &item.children));
                expected = i64::from(item.number) + 1;
            }
        });
    }

    fn write_definitions(&mut self, definitions: &'a [Definition]) {
        self.write_lines("dl", &[], |writer| {
            for definition in definitions {
                for term in &definition.terms {
                    writer.write_line(|writer| writer.write_short("dt", &[], term));
                }
                for description in &definition.descriptions {
                    writer.write_line(|writer| writer.write_short("dd", &[], description));
                }
            }
        });
    }

    fn write_table(&mut self, table: &'a Table) {
        let (head, body) = table.rows.split_at(table.header_rows.min(table.rows.len()));
        self.write_lines("table", &[], |writer| {
            if !table.caption.is_empty() {
                writer.write_line(|writer| writer.write_short("caption", &[], &table.caption));
            }
            writer.write_line(|writer| writer.write_rows("thead", head));
            writer.write_line(|writer| writer.write_rows("tbody", body));
        });
    }

    fn write_figure(&mut self, children: &'a [Node], caption: &'a [Node]) {
        self.write_lines("figure", &[], |writer| {
            writer.write_line(|writer| writer.write_in_figure(children));
            if !caption.is_empty() {
                writer.write_line(|writer| writer.write_short("figcaption", &[], caption));
            }
        });
    }

    fn write_comments(&mut self, children: &'a [Node]) {
        self.write_parent("aside", &[], children);
    }
}
