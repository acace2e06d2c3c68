//! Documents that cross the interface: as text of some form, or as columns.
#![forbid(unsafe_code)]

use crate::blocks::page_blocks::find_blocks;
use crate::blocks::page_view::StringList;
use crate::document::building::build;
use crate::document::document_columns::{document_columns, DocumentColumns};
use crate::document::markdown::markdown;
use crate::document::plain_text::plain_text;
use crate::document::source::Source;
use crate::exchange::{fits, refused, Arguments, Column, Failure, Outcome};
use crate::page_exchange::with_page;

// The numbers of the forms; `dehusk.outputs.document.document_calls` has the same.
const TEXT: u32 = 0;
const COLUMNS: u32 = 1;
const MARKDOWN: u32 = 2;

/// A document of the kept blocks of a page, in some form. `shown` has bits of `document::source::show`.
///
/// Arrays: keep, comments, read_kind (empty for none), embedded_row, embedded texts (UTF-8), embedded_end, the page's own
/// address, the base of relative ones, bullet, cell separator, and those of a page. Columns: the text (UTF-8), or those of `DocumentColumns`.
pub fn document_of_page(arguments: &mut Arguments, form: u32, shown: u32) -> Result<Outcome, Failure> {
    let keep = arguments.u8s("keep")?;
    let comments = arguments.u8s("comments")?;
    let read_kind = arguments.u8s("read_kind")?;
    let embedded_row = arguments.i32s("embedded_row")?;
    let embedded = StringList { text: arguments.text("embedded")?, end: arguments.i64s("embedded_end")? };
    let own_address = arguments.text("own_address")?;
    let base = arguments.text("base")?;
    let bullet = arguments.text("bullet")?;
    let cell_separator = arguments.text("cell_separator")?;
    with_page(arguments, |page| {
        let blocks = find_blocks(page)?;
        let size = blocks.segments.len();
        fits("keep", keep.len(), size)?;
        fits("comments", comments.len(), size)?;
        fits("read_kind", read_kind.len(), if read_kind.is_empty() { 0 } else { size })?;
        fits("embedded_row", embedded_row.len(), embedded.len())?;
        let source = Source {
            page,
            blocks: &blocks,
            embedded_row,
            embedded,
            keep,
            comments,
            read_kind,
            own_address,
            base,
            shown,
        };
        let document = build(&source)?;
        match form {
            TEXT => Ok(vec![Column::U8(plain_text(&document, bullet, cell_separator).into_bytes())]),
            MARKDOWN => Ok(vec![Column::U8(markdown(document).into_bytes())]),
            COLUMNS => Ok(of_document(document_columns(&document))),
            other => Err(refused(format!("no form has the number {}", other))),
        }
    })
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
