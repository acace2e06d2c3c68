//! Images: their addresses, and which of them belong to the kept content.
//!
//! An image inside the text of a kept block belongs to it. An image between blocks belongs if the blocks before and after
//! it are kept (the edge of the page counts as dropped, which excludes logos and trackers), or if it is in a figure whose
//! caption is kept.
#![forbid(unsafe_code)]

use super::source::Source;
use crate::blocks::characters::strip;
use crate::blocks::kinds::kind;
use crate::blocks::page_view::{entry, PageView};
use crate::blocks::tags::number_of;
use crate::html::attributes::code_of;
use std::collections::HashMap;

const IMAGE: i32 = number_of("img");
const FIGURE: i32 = number_of("figure");

/// Attributes with the address of an image; pages that load lazily keep it in one of their own.
const ADDRESSES: [u8; 4] = [code_of("src"), code_of("data-src"), code_of("data-original"), code_of("data-lazy-src")];
/// Attributes with several addresses of an image.
const LISTS_OF_ADDRESSES: [u8; 2] = [code_of("srcset"), code_of("data-srcset")];

/// Numbers of values, and the addresses of an image in them as they are written: the first that is safe to load counts.
pub fn image_addresses<'a>(page: &PageView<'a>, row: usize) -> impl Iterator<Item = (i32, &'a str)> {
    // Any size will do, so the first of a list counts. Addresses in such a list contain no blanks.
    let first = |list: &'a str| {
        let entry = strip(list.split(',').next().unwrap_or(""));
        entry.split(' ').next().unwrap_or("")
    };
    let value = |name: u8| page.attribute(row, name).map(|index| (page.attribute_value[index], page.value_of(index)));
    let values = ADDRESSES.map(value);
    let lists = LISTS_OF_ADDRESSES.map(|name| value(name).map(|(number, list)| (number, first(list))));
    values.into_iter().chain(lists).flatten()
}

/// Rows of the images that are not hidden.
pub fn visible_images<'a>(page: &'a PageView) -> impl Iterator<Item = usize> + 'a {
    (0..page.len()).filter(move |&row| page.tag[row] == IMAGE && page.hidden[row] == 0)
}

/// The blocks that a browser shows, and where they begin.
pub struct VisibleBlocks<'a> {
    source: &'a Source<'a>,
    blocks: Vec<usize>,
}

impl<'a> VisibleBlocks<'a> {
    /// Those of a page.
    pub fn new(source: &'a Source<'a>) -> Self {
        let blocks = (0..source.blocks.segments.len()).filter(|&block| !source.is_hidden(block)).collect();
        VisibleBlocks { source, blocks }
    }

    /// The blocks that begin before a row and at or after it, closest first.
    pub fn around(&self, row: usize) -> (Option<usize>, Option<usize>) {
        let place = self.blocks.partition_point(|&block| self.source.rows(block).0 < row);
        let before = place.checked_sub(1).map(|place| self.blocks[place]);
        (before, self.blocks.get(place).copied())
    }

    /// Whether a row is within the text of a block.
    pub fn contain(&self, row: usize) -> bool {
        self.around(row).0.map_or(false, |before| row < self.source.rows(before).1)
    }
}

/// Rows of images and formulas without text that are next to a block.
#[derive(Debug, Default)]
pub struct Beside {
    before: HashMap<usize, Vec<usize>>,
    after: HashMap<usize, Vec<usize>>,
}

impl Beside {
    /// Those of some rows, in order, that belong to the content: next to which block they stand.
    pub fn new(source: &Source, visible: &VisibleBlocks, rows: &[usize]) -> Self {
        let mut beside = Beside::default();
        if rows.is_empty() {
            return beside;
        }
        let closest_figure = source.page.closest(|row| source.page.tag[row] == FIGURE);
        let captions = captions_of_figures(source, &closest_figure);
        for &row in rows.iter().filter(|&&row| !visible.contain(row)) {
            let figure = closest_figure[row];
            if let Some(&caption) = captions.get(&figure) {
                let is_before = row < source.rows(caption).0;
                let side = if is_before { &mut beside.before } else { &mut beside.after };
                side.entry(caption).or_default().push(row);
            } else if let (Some(before), Some(behind)) = visible.around(row) {
                if source.is_kept(before) && source.is_kept(behind) {
                    beside.before.entry(behind).or_default().push(row);
                }
            }
        }
        beside
    }

    /// Rows directly before a block.
    pub fn before(&self, block: usize) -> &[usize] {
        self.before.get(&block).map_or(&[], Vec::as_slice)
    }

    /// Rows after the caption of a figure.
    pub fn after(&self, block: usize) -> &[usize] {
        self.after.get(&block).map_or(&[], Vec::as_slice)
    }
}

/// Row of a figure -> the first block of its caption, if that is kept.
fn captions_of_figures(source: &Source, closest_figure: &[i32]) -> HashMap<i32, usize> {
    let mut captions = HashMap::new();
    for block in source.kept().filter(|&block| source.kind(block) == kind::CAPTION) {
        let figure = entry(closest_figure, source.owner(block));
        if figure >= 0 {
            captions.entry(figure).or_insert(block);
        }
    }
    captions
}
