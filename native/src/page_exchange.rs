//! Pages and blocks that cross the interface: kept here, with their columns lent to Python when it asks for one.
#![forbid(unsafe_code)]

use std::str::from_utf8;

use crate::blocks::character_offsets::character_offsets;
use crate::blocks::page_blocks::{find_blocks, Blocks};
use crate::columns::{Limits, Page};
use crate::decoding_exchange::{Source, Text};
use crate::exchange::{fits, refused, Arguments, Column, Failure, Outcome, Values};
use crate::features::network_inputs::{page_inputs, PageInputs};
use crate::html::read_surveyed;

/// Read a page. Arrays, if there is an article to insert: its paragraphs (UTF-8), and where each ends in bytes. Number: how
/// its text was found; 0 for a page that Python has to decode first, and of which there is only a survey.
pub fn read_page(source: &Source, mut article: Option<Arguments>, limits: &Limits) -> Result<Outcome, Failure> {
    let (html, kinds, reading) = match source.text()? {
        Text::Found { html, kinds, reading } => (html, kinds, reading),
        Text::Surveyed(survey) => return Ok(*survey),
    };
    let paragraphs = article.as_mut().map(paragraphs).transpose()?;
    let page = read_surveyed(html, kinds, limits, paragraphs.as_deref());
    Ok(Outcome { page: Some(page), numbers: [reading, 0.0, 0.0, 0.0], ..Outcome::default() })
}

/// The paragraphs of an article.
fn paragraphs<'a>(arguments: &mut Arguments<'a>) -> Result<Vec<&'a str>, Failure> {
    let (joined, end) = (arguments.text("paragraphs")?, arguments.i64s("paragraph_end")?);
    let start = std::iter::once(0).chain(end.iter().copied());
    let cut = |(start, end): (i64, &i64)| joined.get(start as usize..*end as usize);
    let found: Option<Vec<&str>> = start.zip(end).map(cut).collect();
    found.ok_or_else(|| refused("paragraph_end is out of bounds".to_string()))
}

/// A page made of its columns again, in the order of `column_of_page`: one that was sent to another process.
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
    Ok(Outcome { page: Some(page), ..Outcome::default() })
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

/// A column of a page by its number; `dehusk.page.page_columns` has the same numbers.
pub fn column_of_page(page: &Page, number: usize) -> Option<Values<'_>> {
    Some(match number {
        0 => Values::U8(page.text.as_bytes()),
        1 => Values::I32(&page.tag),
        2 => Values::U16(&page.flags),
        3 => Values::I32(&page.parent),
        4 => Values::I32(&page.subtree_end),
        5 => Values::I32(&page.depth),
        6 => Values::I64(&page.text_start),
        7 => Values::I32(&page.text_length),
        8 => Values::U8(&page.hidden),
        9 => Values::I32(&page.attribute_start),
        10 => Values::U8(&page.attribute_name),
        11 => Values::I32(&page.attribute_value),
        12 => Values::U8(page.values.as_bytes()),
        13 => Values::I64(&page.value_end),
        14 => Values::U8(page.other_tags.as_bytes()),
        15 => Values::I64(&page.other_tag_end),
        16 => Values::I32(&page.embedded_row),
        17 => Values::U8(page.embedded_text.as_bytes()),
        18 => Values::I64(&page.embedded_end),
        _ => return None,
    })
}

/// Where the text of each row begins and ends, in characters.
pub fn offsets_of_page(page: &Page) -> Result<Outcome, Failure> {
    let (starts, ends) = character_offsets(page);
    Ok(Outcome { columns: vec![Column::I64(starts), Column::I64(ends)], ..Outcome::default() })
}

/// The blocks of a page.
pub fn blocks_of_page(page: &Page) -> Result<Outcome, Failure> {
    let blocks = find_blocks(&page.view()).map_err(|_| Failure::OutOfMemory)?;
    Ok(Outcome { blocks: Some(blocks), ..Outcome::default() })
}

/// A column of blocks by its number; `dehusk.blocks.block_columns` has the same numbers.
pub fn column_of_blocks(blocks: &Blocks, number: usize) -> Option<Values<'_>> {
    let Blocks { segments, table, kinds } = blocks;
    Some(match number {
        // Each followed by a NUL, which no page contains.
        0 => Values::U8(segments.texts.joined.as_bytes()),
        1 => Values::I32(&segments.first_row),
        2 => Values::I32(&segments.last_row),
        3 => Values::I32(&segments.owner),
        4 => Values::U8(&segments.hidden),
        5 => Values::I32(&segments.length),
        6 => Values::I32(&segments.link_length),
        7 => Values::U8(&kinds.kind),
        8 => Values::I32(&kinds.kind_row),
        9 => Values::I32(&kinds.level),
        10 => Values::I32(&table.cell),
        11 => Values::I32(&table.table),
        12 => Values::I32(&table.row),
        13 => Values::I32(&table.column),
        _ => return None,
    })
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

impl<'a> Arguments<'a> {
    /// The next array, which is UTF-8.
    pub fn text(&mut self, name: &str) -> Result<&'a str, Failure> {
        from_utf8(self.u8s(name)?).map_err(|_| refused(format!("{} is not UTF-8", name)))
    }
}
