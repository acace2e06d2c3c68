//! Pages and blocks that cross the interface: kept here, with their columns lent to Python when it asks for one.
#![forbid(unsafe_code)]

use crate::arrays::{fits, Arguments, Column};
use crate::blocks::character_offsets::character_offsets;
use crate::blocks::page_blocks::{find_blocks, Blocks};
use crate::columns::{Limits, Page};
use crate::decoding_exchange::{Source, Text};
use crate::failure::{refused, Failure};
use crate::features::network_inputs::{page_inputs, PageInputs};
use crate::html::read_surveyed;
use crate::outcome::Outcome;
use std::sync::Arc;

/// Read a page. Arrays, if there is an article to insert: its paragraphs (UTF-8), and where each ends in bytes. Numbers: how
/// its text was found, 0 for a page that Python has to have decoded first, which is not read; the last one is that of
/// `bytes_of`.
pub fn read_page(source: &Source, mut article: Option<Arguments>, limits: &Limits) -> Result<Outcome, Failure> {
    let Some(Text { html, kinds, reading }) = source.text()? else { return Ok(Outcome::default()) };
    let paragraphs = article.as_mut().map(|article| article.texts("paragraphs")).transpose()?;
    let page = read_surveyed(html, kinds, limits, paragraphs.as_deref());
    Ok(Outcome { numbers: [reading, 0.0, 0.0, bytes_of(&page)], page: Some(page), ..Outcome::default() })
}

/// Bytes that the source of a page has, or about so many: how long calls on it may take depends on that.
fn bytes_of(page: &Page) -> f64 {
    (page.text.len() + page.values.len() + page.embedded_text.len() + BYTES_OF_A_TAG * page.len()) as f64
}

/// Bytes of a tag without attributes, and of its end.
const BYTES_OF_A_TAG: usize = 8;

/// A page made of its columns again, in the order of `numbered_columns::column_of_page`: one that was sent to another process.
pub fn page_of_columns(arguments: &mut Arguments) -> Result<Outcome, Failure> {
    let page = Page {
        text: arguments.text("text")?.to_string(),
        tag: arguments.i32s("tag")?.to_vec(),
        flags: arguments.u16s("flags")?.to_vec(),
        parent: arguments.i32s("parent")?.to_vec(),
        subtree_end: arguments.i32s("subtree_end")?.to_vec(),
        depth: arguments.i32s("depth")?.to_vec(),
        text_start: arguments.i64s("text_start")?.to_vec(),
        text_length: arguments.i32s("text_length")?.to_vec(),
        hidden: arguments.u8s("hidden")?.to_vec(),
        attribute_start: arguments.i32s("attribute_start")?.to_vec(),
        attribute_name: arguments.u8s("attribute_name")?.to_vec(),
        attribute_value: arguments.i32s("attribute_value")?.to_vec(),
        values: arguments.text("values")?.to_string(),
        value_end: arguments.i64s("value_end")?.to_vec(),
        other_tags: arguments.text("other_tags")?.to_string(),
        other_tag_end: arguments.i64s("other_tag_end")?.to_vec(),
        embedded_row: arguments.i32s("embedded_row")?.to_vec(),
        embedded_text: arguments.text("embedded_text")?.to_string(),
        embedded_end: arguments.i64s("embedded_end")?.to_vec(),
    };
    check_rows(&page)?;
    Ok(Outcome { numbers: [0.0, 0.0, 0.0, bytes_of(&page)], page: Some(page), ..Outcome::default() })
}

/// Refuse columns of different lengths, and rows that are no tree: walking up it would not end.
fn check_rows(page: &Page) -> Result<(), Failure> {
    let size = page.len();
    for (name, length) in [
        ("flags", page.flags.len()),
        ("parent", page.parent.len()),
        ("subtree_end", page.subtree_end.len()),
        ("depth", page.depth.len()),
        ("text_start", page.text_start.len()),
        ("text_length", page.text_length.len()),
        ("hidden", page.hidden.len()),
    ] {
        fits(name, length, size)?;
    }
    let is_above = |(row, &parent): (usize, &i32)| parent >= -1 && i64::from(parent) < row as i64;
    let is_within = |(row, &end): (usize, &i32)| end as usize > row && end as usize <= size;
    if page.parent.iter().enumerate().all(is_above) && page.subtree_end.iter().enumerate().all(is_within) {
        return Ok(());
    }
    Err(refused("rows are no tree".to_string()))
}

/// Where the text of each row begins and ends, in characters.
pub fn offsets_of_page(page: &Page) -> Result<Outcome, Failure> {
    let (starts, ends) = character_offsets(page);
    Ok(Outcome { columns: vec![Column::I64(starts), Column::I64(ends)], ..Outcome::default() })
}

/// The blocks of a page.
pub fn blocks_of_page(page: &Page) -> Result<Outcome, Failure> {
    let blocks = find_blocks(&page.view()).map_err(|_| Failure::OutOfMemory)?;
    Ok(Outcome { blocks: Some(Arc::new(blocks)), ..Outcome::default() })
}

/// What the network reads of a page. Columns: those of `PageInputs`.
pub fn inputs_of_page(page: &Page, blocks: &Blocks) -> Result<Outcome, Failure> {
    let inputs = page_inputs(&page.view(), blocks).map_err(|_| Failure::OutOfMemory)?;
    Ok(Outcome { columns: of_inputs(inputs), ..Outcome::default() })
}

/// The columns of `PageInputs`.
fn of_inputs(inputs: PageInputs) -> Vec<Column> {
    vec![
        Column::F32(inputs.dense),
        Column::U16(inputs.elements.tokens),
        Column::I64(inputs.elements.start),
        Column::I32(inputs.elements.levels),
        Column::U16(inputs.word_tokens),
        Column::I64(inputs.word_start),
        Column::I32(inputs.part_first),
        Column::I32(inputs.part_last),
    ]
}
