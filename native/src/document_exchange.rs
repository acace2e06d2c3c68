//! Documents that cross the interface: as text of some form, or as columns.
#![forbid(unsafe_code)]

use crate::addresses::base_address::base_address;
use crate::arrays::{fits, Arguments, Column};
use crate::blocks::page_blocks::Blocks;
use crate::document::building::build;
use crate::document::document_columns::{document_columns, DocumentColumns};
use crate::document::headings::{letters_of_headings, repeat_title};
use crate::document::html::html;
use crate::document::markdown::{begins_with_comments, markdown, title_above};
use crate::document::page_facts::PageFacts;
use crate::document::plain_characters::is_settled;
use crate::document::plain_text::plain_text;
use crate::document::source::{show, Source};
use crate::document::tei::tei;
use crate::document::tree::Document;
use crate::document::written_lists::make_lists;
use crate::document::xml::xml;
use crate::failure::{refused, Failure};
use crate::outcome::Outcome;
use std::str::from_utf8;

// The numbers of the forms; `dehusk.outputs.document.document_calls` has the same.
const TEXT: u32 = 0;
const COLUMNS: u32 = 1;
const MARKDOWN: u32 = 2;
const HTML: u32 = 3;
const XML: u32 = 4;
const TEI: u32 = 5;

/// What becomes of a document, and what else is needed for it.
enum Form<'a> {
    Text { bullet: &'a str, cell_separator: &'a str },
    Columns,
    Markdown,
    Html,
    Xml(PageFacts<'a>),
    Tei(PageFacts<'a>),
}

impl<'a> Form<'a> {
    /// The form of a number, with the first arrays of a call.
    fn of(number: u32, arguments: &mut Arguments<'a>) -> Result<Self, Failure> {
        match number {
            TEXT => {
                let (bullet, cell_separator) = (arguments.text("bullet")?, arguments.text("cell_separator")?);
                Ok(Form::Text { bullet, cell_separator })
            }
            COLUMNS => Ok(Form::Columns),
            MARKDOWN => Ok(Form::Markdown),
            HTML => Ok(Form::Html),
            XML => Ok(Form::Xml(facts(arguments)?)),
            TEI => Ok(Form::Tei(facts(arguments)?)),
            other => Err(refused(format!("no form has the number {}", other))),
        }
    }

    /// A document in this form.
    fn written(&self, mut document: Document) -> Outcome {
        match self {
            Form::Text { bullet, cell_separator } => of_text(plain_text(&document, bullet, cell_separator), Vec::new()),
            Form::Markdown => of_markdown(document),
            Form::Html => of_markup(html(document)),
            Form::Xml(facts) => of_markup(xml(document, facts)),
            Form::Tei(facts) => of_markup(tei(document, facts)),
            Form::Columns => {
                make_lists(&mut document);
                Outcome { columns: of_document(document_columns(&document)), ..Outcome::default() }
            }
        }
    }
}

/// What is known of the page: the next two arrays.
fn facts<'a>(arguments: &mut Arguments<'a>) -> Result<PageFacts<'a>, Failure> {
    PageFacts::of(&arguments.texts("facts")?).ok_or_else(|| refused("some facts are missing".to_string()))
}

/// What a document is to be.
pub struct Wanted<'a> {
    form: u32,
    /// Bits of `document::source::show`.
    shown: u32,
    /// The address of the page.
    address: &'a str,
}

/// The blocks of a page, and what is kept of them.
struct Kept<'a> {
    blocks: &'a Blocks,
    keep: &'a [u8],
    comments: &'a [u8],
    /// Empty for none.
    read_kind: &'a [u8],
}

impl<'a> Kept<'a> {
    /// What was decided when the page was cleaned: `parts` are those of `cleaning_exchange`. Otherwise what the arguments
    /// say.
    fn of(blocks: &'a Outcome, arguments: &mut Arguments<'a>) -> Result<Self, Failure> {
        if let [blocks, _, decided] = &blocks.parts[..] {
            if let [Column::U8(keep), Column::U8(comments), ..] = &decided.columns[..] {
                return Ok(Kept { blocks: blocks.found_blocks()?, keep, comments, read_kind: &[] });
            }
        }
        let blocks = blocks.found_blocks()?;
        let (keep, comments) = (arguments.u8s("keep")?, arguments.u8s("comments")?);
        let (read_kind, size) = (arguments.u8s("read_kind")?, blocks.segments.len());
        fits("keep", keep.len(), size)?;
        fits("comments", comments.len(), size)?;
        fits("read_kind", read_kind.len(), if read_kind.is_empty() { 0 } else { size })?;
        Ok(Kept { blocks, keep, comments, read_kind })
    }
}

impl<'a> Wanted<'a> {
    /// A form and what is shown by their numbers.
    pub fn new(form: u32, shown: u32, address: &'a [u8]) -> Result<Self, Failure> {
        let address = from_utf8(address).map_err(|_| refused("the address is not UTF-8".to_string()))?;
        Ok(Wanted { form, shown, address })
    }

    /// A document of the kept blocks of a page, in some form.
    ///
    /// Arrays: for text, bullet and cell separator; for XML and TEI, the texts of `PageFacts` and where each ends; and
    /// unless the page was cleaned in one call, keep, comments and read_kind (empty for none). Columns: the text (UTF-8),
    /// or those of `DocumentColumns`; for Markdown also whether one of the first
    /// headings is the title of the page, or there is nothing to put a title above; and if not, what `title_of_markdown`
    /// takes. Number: 1 if the characters of the text are settled.
    pub fn document_of_page<'b>(
        &self,
        read: &Outcome,
        blocks: &'b Outcome,
        arguments: &mut Arguments<'b>,
    ) -> Result<Outcome, Failure> {
        let form = Form::of(self.form, arguments)?;
        let Kept { blocks, keep, comments, read_kind } = Kept::of(blocks, arguments)?;
        let (view, structures, shown) = (read.read_page()?.view(), &*read.structures()?, self.shown);
        let shows_addresses = shown & (show::LINKS | show::IMAGES) != 0;
        let base = &if shows_addresses { base_address(&view, self.address) } else { String::new() };
        let own_address = &self.own_address();
        let source = Source { page: &view, blocks, structures, keep, comments, read_kind, own_address, base, shown };
        Ok(form.written(build(&source)?))
    }

    /// How links within the page may begin, besides with `#` alone.
    fn own_address(&self) -> String {
        let (page, _) = self.address.split_once('#').unwrap_or((self.address, ""));
        format!("{}#", page)
    }
}

/// A text, and other columns.
fn of_text(text: String, others: Vec<Column>) -> Outcome {
    let is_settled = f64::from(u8::from(is_settled(&text)));
    let columns = std::iter::once(Column::U8(text.into_bytes())).chain(others).collect();
    Outcome { columns, numbers: [is_settled, 0.0, 0.0, 0.0], ..Outcome::default() }
}

/// Markup, whose characters stay as they are.
fn of_markup(markup: String) -> Outcome {
    Outcome { columns: vec![Column::U8(markup.into_bytes())], ..Outcome::default() }
}

/// Markdown, and what a title above it depends on.
fn of_markdown(document: Document) -> Outcome {
    let has_title = document.has_title || document.children.is_empty();
    let headings = if has_title { String::new() } else { letters_of_headings(&document) };
    let begins_with_comments = begins_with_comments(&document);
    let about_title = vec![
        Column::U8(vec![u8::from(has_title)]),
        Column::U8(headings.into_bytes()),
        Column::U8(vec![u8::from(begins_with_comments)]),
    ];
    of_text(markdown(document), about_title)
}

/// The title to put above Markdown, empty if one of its headings says the same. Arrays: the title; the letters of the
/// headings, and whether comments come first, as `Wanted::document_of_page` gives them.
pub fn title_of_markdown(arguments: &mut Arguments) -> Result<Vec<Column>, Failure> {
    let (title, headings) = (arguments.text("title")?, arguments.text("headings")?);
    let begins_with_comments = arguments.u8s("begins_with_comments")?.first().is_some_and(|&begins| begins != 0);
    let above = if repeat_title(headings, title) { String::new() } else { title_above(title, begins_with_comments) };
    Ok(vec![Column::U8(above.into_bytes())])
}

/// The columns of a document.
fn of_document(columns: DocumentColumns) -> Vec<Column> {
    vec![
        Column::U8(columns.strings.into_bytes()),
        Column::I32(columns.counts),
        Column::I32(columns.locales),
        Column::U8(columns.kind),
        Column::I32(columns.children),
        Column::I32(columns.values),
        Column::U8(columns.span_kind),
        Column::U8(columns.span_flags),
        Column::I32(columns.span_values),
    ]
}
