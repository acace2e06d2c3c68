//! The inputs of the network for a page.
#![forbid(unsafe_code)]

use super::block_features::dense_features;
use super::element_tokens::{element_tokens, ElementTokens};
use super::measurements::Measurements;
use super::numbering::{Hashing, Numbering};
use super::signatures::signatures_of;
use super::styles::Styles;
use crate::blocks::kinds::Kinds;
use crate::blocks::page_view::PageView;
use crate::blocks::segmentation::Segments;

/// The m blocks of a page as the network sees them.
#[derive(Clone, Debug, Default)]
pub struct PageInputs {
    /// m x `FEATURES`.
    pub dense: Vec<f32>,
    /// Names of the elements above the blocks.
    pub elements: ElementTokens,
    /// Words of blocks, one block after the other.
    pub word_tokens: Vec<u16>,
    /// m + 1 entries: where each block's words begin.
    pub word_start: Vec<i64>,
    /// m x `PARTS`: the first block of each part of the page around a block.
    pub part_first: Vec<i32>,
    /// m x `PARTS`: one past the last block of each part.
    pub part_last: Vec<i32>,
    /// m entries: equal for blocks with the same style signature.
    pub signatures: Vec<i64>,
}

/// The inputs for a page.
pub fn page_inputs(page: &PageView, segments: &Segments, kinds: &Kinds) -> PageInputs {
    let hashing = Hashing::new();
    let measured = Measurements::new(page, segments, kinds);
    let mut styles = Styles::new(page, hashing);
    let looks = styles.looks(segments);
    let dense = dense_features(&measured, &looks, &same_texts(segments, hashing));
    let elements = element_tokens(page, segments, &mut styles);
    PageInputs {
        dense,
        signatures: signatures_of(&elements.levels),
        elements,
        word_tokens: measured.texts.word_tokens,
        word_start: measured.texts.word_start,
        part_first: measured.around.first,
        part_last: measured.around.last,
    }
}

/// One entry per block: blocks with the same text get the same number.
fn same_texts(segments: &Segments, hashing: Hashing) -> Vec<u32> {
    let mut numbering = Numbering::with_room_for(segments.len());
    let texts = (0..segments.len()).map(|index| segments.texts.get(index));
    texts.map(|text| numbering.number_of(text, hashing.of_text(text))).collect()
}
