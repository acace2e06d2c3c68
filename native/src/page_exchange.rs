//! Pages that cross the interface: read into columns, and lent again as columns.
#![forbid(unsafe_code)]

use std::str::from_utf8;

use crate::blocks::byte_offsets::byte_offsets;
use crate::blocks::page_blocks::{find_blocks, Blocks};
use crate::blocks::page_view::{PageView, StringList};
use crate::columns::{Limits, Page};
use crate::exchange::{fits, refused, Arguments, Column, Failure, Outcome};
use crate::features::network_inputs::{page_inputs, PageInputs};
use crate::html::{read, read_with_article};

/// Read a page. Columns: those of `Page`, in its order, with strings as UTF-8 and the offsets of their ends.
///
/// Arrays: the html (UTF-8), paragraphs to insert as an article (UTF-8), and where each of these ends in bytes.
pub fn read_page(arguments: &mut Arguments, limits: &Limits) -> Result<Outcome, Failure> {
    let html = arguments.text("html")?;
    let paragraphs = StringList { text: arguments.text("paragraphs")?, end: arguments.i64s("paragraph_end")? };
    let page = if paragraphs.is_empty() {
        read(html, limits)
    } else {
        let paragraphs: Vec<&str> = (0..paragraphs.len()).map(|index| paragraphs.get(index)).collect();
        read_with_article(html, limits, &paragraphs)
    };
    Ok(Outcome { columns: of_page(page), ..Outcome::default() })
}

/// The blocks of a page. Columns: texts, each followed by a NUL, then those of `Blocks`, kinds and table positions.
pub fn blocks_of_page(arguments: &mut Arguments) -> Result<Outcome, Failure> {
    with_page(arguments, |page| Ok(of_blocks(find_blocks(page)?)))
}

/// What the network reads of a page. Columns: those of `PageInputs`.
pub fn inputs_of_page(arguments: &mut Arguments) -> Result<Outcome, Failure> {
    with_page(arguments, |page| Ok(of_inputs(page_inputs(page, &find_blocks(page)?)?)))
}

/// The columns of something found on a page that Python lends.
///
/// Arrays: tag, flags, parent, subtree_end, depth, text (UTF-8), text_start (characters), text_length, hidden,
/// attribute_start, attribute_name, attribute_value (numbers of values), values (UTF-8), value_end (bytes), other tags
/// (UTF-8), other_tag_end (bytes).
pub fn with_page(
    arguments: &mut Arguments,
    find: impl FnOnce(&PageView) -> Result<Vec<Column>, Failure>,
) -> Result<Outcome, Failure> {
    let tag = arguments.i32s("tag")?;
    let flags = arguments.u16s("flags")?;
    let parent = arguments.i32s("parent")?;
    let subtree_end = arguments.i32s("subtree_end")?;
    let depth = arguments.i32s("depth")?;
    let text = arguments.text("text")?;
    let text_start = byte_offsets(text, arguments.i64s("text_start")?);
    let text_length = arguments.i32s("text_length")?;
    let hidden = arguments.u8s("hidden")?;
    let attribute_start = arguments.i32s("attribute_start")?;
    let attribute_name = arguments.u8s("attribute_name")?;
    let attribute_value = arguments.i32s("attribute_value")?;
    let values = arguments.text("values")?;
    let value_end = arguments.i64s("value_end")?;
    let other_tags = arguments.text("other_tags")?;
    let other_tag_end = arguments.i64s("other_tag_end")?;
    for (name, length) in [("flags", flags.len()), ("parent", parent.len()), ("hidden", hidden.len())] {
        fits(name, length, tag.len())?;
    }
    let page = PageView {
        tag,
        flags,
        parent,
        subtree_end,
        depth,
        text,
        text_start: &text_start,
        text_length,
        hidden,
        attribute_start,
        attribute_name,
        attribute_value,
        values: StringList { text: values, end: value_end },
        other_tags: StringList { text: other_tags, end: other_tag_end },
    };
    Ok(Outcome { columns: find(&page)?, ..Outcome::default() })
}

/// The columns of a page.
fn of_page(page: Page) -> Vec<Column> {
    let mut other_tag_end = Vec::with_capacity(page.other_tags.len());
    let mut end = 0;
    for name in &page.other_tags {
        end += name.len() as i64;
        other_tag_end.push(end);
    }
    vec![
        Column::U8(page.text),
        Column::I32(page.tag),
        Column::U16(page.flags),
        Column::I32(page.parent),
        Column::I32(page.subtree_end),
        Column::I32(page.depth),
        Column::I64(page.text_start),
        Column::I64(page.text_end),
        Column::I32(page.text_length),
        Column::U8(page.hidden.into_iter().map(u8::from).collect()),
        Column::I32(page.attribute_start),
        Column::U8(page.attribute_name),
        Column::I32(page.attribute_value),
        Column::U8(page.values),
        Column::I64(page.value_end),
        Column::U8(page.other_tags.concat()),
        Column::I64(other_tag_end),
        Column::I32(page.embedded_row),
        Column::U8(page.embedded_text),
        Column::I64(page.embedded_end),
    ]
}

/// Texts, each followed by a NUL; then the columns of `Blocks`, kinds and table positions.
fn of_blocks(blocks: Blocks) -> Vec<Column> {
    let Blocks { segments, table, kinds } = blocks;
    vec![
        Column::U8(segments.texts.joined.into_bytes()),
        Column::I32(segments.first_row),
        Column::I32(segments.last_row),
        Column::I32(segments.owner),
        Column::U8(segments.hidden),
        Column::I32(segments.length),
        Column::I32(segments.link_length),
        Column::U8(kinds.kind),
        Column::I32(kinds.kind_row),
        Column::I32(kinds.level),
        Column::I32(table.cell),
        Column::I32(table.table),
        Column::I32(table.row),
        Column::I32(table.column),
    ]
}

/// The columns of `PageInputs`, and the signatures.
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
        Column::I64(inputs.signatures),
    ]
}

impl<'a> Arguments<'a> {
    /// The next array, which is UTF-8.
    pub fn text(&mut self, name: &str) -> Result<&'a str, Failure> {
        from_utf8(self.u8s(name)?).map_err(|_| refused(format!("{} is not UTF-8", name)))
    }
}
