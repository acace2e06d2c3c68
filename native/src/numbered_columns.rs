//! The columns of pages and blocks by the numbers that Python asks for them with.
#![forbid(unsafe_code)]

use crate::arrays::Values;
use crate::blocks::page_blocks::Blocks;
use crate::columns::Page;

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
