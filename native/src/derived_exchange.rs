//! What is derived from a page when somebody asks for it: candidates for metadata, and keys.
#![forbid(unsafe_code)]

use crate::arrays::Column;
use crate::columns::Page;
use crate::failure::{refused, Failure};
use crate::html::stored_text::kept_scripts;
use crate::keys::style_keys::{class_keys, class_names, style_keys};
use crate::metadata::bylines::bylines;
use crate::metadata::date_document::date_document;
use crate::metadata::elements::Elements;
use crate::metadata::head::{declared_language, declared_links, headings, metas, titles};
use crate::metadata::language_sample::language_sample;
use crate::metadata::microdata::microdata;
use crate::metadata::shown_dates::shown_dates;
use crate::metadata::shown_labels::{licences, subtitle, tags, trail};
use crate::metadata::text_lists::TextList;
use crate::outcome::Outcome;

// What is derived, by number; `dehusk.metadata.page_candidates`, `dehusk.page.json_ld` and
// `dehusk.page.page_columns` have the same.
const CANDIDATES: u32 = 0;
const LANGUAGE_SAMPLE: u32 = 1;
const DATE_DOCUMENT: u32 = 2;
const STYLE_KEYS: u32 = 3;
const CLASS_KEYS: u32 = 4;
const CLASS_NAMES: u32 = 5;
const TITLES: u32 = 6;
const SCRIPTS: u32 = 7;

/// Derive something from a page.
pub fn derived_from_page(page: &Page, what: u32) -> Result<Outcome, Failure> {
    match what {
        CANDIDATES => candidates_of_page(page),
        LANGUAGE_SAMPLE => Ok(written(language_sample(&page.view()))),
        DATE_DOCUMENT => Ok(written(date_document(&page.view()))),
        STYLE_KEYS => Ok(keyed(style_keys(&page.view()))),
        CLASS_KEYS => Ok(keyed(class_keys(&page.view()))),
        CLASS_NAMES => Ok(written(class_names(&page.view()).joined)),
        TITLES => Ok(titles_of_page(page)),
        SCRIPTS => Ok(written(scripts_of_page(page).joined)),
        other => Err(refused(format!("nothing to derive has the number {}", other))),
    }
}

/// Candidates for each field. `dehusk.metadata.page_candidates` has the same columns.
fn candidates_of_page(page: &Page) -> Result<Outcome, Failure> {
    let view = &page.view();
    let elements = &Elements::of(view);
    let (items, authors) = (microdata(view, elements), bylines(view, elements));
    let [headings, names] = headings(view);
    let lists = [
        titles(view),
        headings,
        names,
        metas(view, elements),
        declared_links(view, elements),
        items.types,
        items.properties,
        authors.related,
        authors.linked,
        authors.named,
        authors.written,
        shown_dates(view, elements),
        subtitle(view, elements),
        tags(view, elements),
        trail(view, elements),
        licences(view, elements),
        TextList::of(declared_language(view)),
        scripts_of_page(page),
    ];
    let rows = [items.owner, items.item, authors.related_row, authors.linked_row, authors.named_row];
    Ok(Outcome { columns: listed(&lists).into_iter().chain(rows.map(Column::I32)).collect(), ..Outcome::default() })
}

/// Candidates for the title alone: the first three lists of all candidates.
fn titles_of_page(page: &Page) -> Outcome {
    let view = &page.view();
    let [headings, names] = headings(view);
    Outcome { columns: listed(&[titles(view), headings, names]).into(), ..Outcome::default() }
}

/// The texts of scripts that the page keeps.
fn scripts_of_page(page: &Page) -> TextList {
    let mut scripts = TextList::default();
    kept_scripts(page).for_each(|script| scripts.push(script));
    scripts
}

/// Lists of texts as two columns: after how many texts each list ends, and all of them. Together Python gets them in less
/// time: it decodes and splits them once.
fn listed(lists: &[TextList]) -> [Column; 2] {
    let joined: String = lists.iter().map(|list| &*list.joined).collect();
    let mut end = 0;
    let ends = lists.iter().map(|list| {
        end += list.len() as i64;
        end
    });
    [Column::I64(ends.collect()), Column::U8(joined.into_bytes())]
}

/// One text as the only column, UTF-8.
fn written(text: String) -> Outcome {
    Outcome { columns: vec![Column::U8(text.into_bytes())], ..Outcome::default() }
}

/// Keys as the only column. Python sees their bits as unsigned numbers again.
fn keyed(keys: Vec<u64>) -> Outcome {
    let column = Column::I64(keys.into_iter().map(|key| key as i64).collect());
    Outcome { columns: vec![column], ..Outcome::default() }
}
