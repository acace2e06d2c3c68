//! Metadata that crosses the interface, as columns.
#![forbid(unsafe_code)]

use crate::columns::Page;
use crate::exchange::{refused, Column, Failure, Outcome};
use crate::metadata::bylines::bylines;
use crate::metadata::date_document::date_document;
use crate::metadata::elements::Elements;
use crate::metadata::head::{declared_links, headings, metas, titles};
use crate::metadata::language_sample::language_sample;
use crate::metadata::microdata::microdata;
use crate::metadata::shown_dates::{named_dates, times, written_dates};
use crate::metadata::shown_labels::{licences, subtitle, tags, trail};
use crate::metadata::text_lists::TextList;

/// What is collected, by number; `dehusk.metadata.page_candidates` has the same.
const CANDIDATES: u32 = 0;
const LANGUAGE_SAMPLE: u32 = 1;
const DATE_DOCUMENT: u32 = 2;

/// Collect what a page says of itself.
pub fn metadata_of_page(page: &Page, what: u32) -> Result<Outcome, Failure> {
    match what {
        CANDIDATES => candidates_of_page(page),
        LANGUAGE_SAMPLE => Ok(written(language_sample(&page.view()))),
        DATE_DOCUMENT => Ok(written(date_document(&page.view()))),
        other => Err(refused(format!("no metadata has the number {}", other))),
    }
}

/// Candidates for each field. `dehusk.metadata.page_candidates` has the same columns.
fn candidates_of_page(page: &Page) -> Result<Outcome, Failure> {
    let view = &page.view();
    let elements = &Elements::of(view);
    let (items, authors) = (microdata(view, elements), bylines(view, elements));
    let columns = vec![
        listed(titles(view)),
        listed(headings(view)),
        listed(metas(view, elements)),
        listed(declared_links(view, elements)),
        listed(items.types),
        listed(items.properties),
        Column::I32(items.owner),
        Column::I32(items.item),
        listed(authors.related),
        Column::I32(authors.related_row),
        listed(authors.linked),
        Column::I32(authors.linked_row),
        listed(authors.named),
        Column::I32(authors.named_row),
        listed(authors.written),
        listed(times(view, elements)),
        listed(named_dates(view, elements)),
        listed(written_dates(view, elements)),
        listed(subtitle(view, elements)),
        listed(tags(view, elements)),
        listed(trail(view, elements)),
        listed(licences(view, elements)),
    ];
    Ok(Outcome { columns, ..Outcome::default() })
}

/// Texts as a column.
fn listed(texts: TextList) -> Column {
    Column::U8(texts.joined.into_bytes())
}

/// One text as the only column, UTF-8.
fn written(text: String) -> Outcome {
    Outcome { columns: vec![Column::U8(text.into_bytes())], ..Outcome::default() }
}
