//! The inputs of the network for a page.
#![forbid(unsafe_code)]

use std::collections::TryReserveError;

use super::block_features::{DenseFeatures, DenseRows, FEATURES};
use super::element_tokens::{element_tokens, ElementTokens};
use super::measurements::Measurements;
use super::numbering::{Hashing, Numbering};
use super::styles::Styles;
use crate::blocks::memory::ask_for;
use crate::blocks::page_blocks::Blocks;
use crate::blocks::page_view::PageView;
use crate::blocks::segmentation::Segments;
use crate::stopping::may_stop;

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
}

/// Bytes that what is found takes for each block, at most: 100 for levels and parts, the rest for counts.
const BYTES_A_BLOCK: usize = 400;
/// Bytes that it takes for each row of the page: 10 columns of 4 bytes, of which not all are there at once.
const BYTES_A_ROW: usize = 40;

/// All that the inputs of a page are made of. Dense features are made of it block by block.
pub struct Found<'a> {
    /// What was measured of texts and tree.
    pub measured: Measurements<'a>,
    /// Names of the elements above the blocks.
    pub elements: ElementTokens,
    /// One entry per block: equal for blocks that look alike.
    looks: Vec<u32>,
    /// One entry per block: equal for blocks of the same text.
    same_text: Vec<u32>,
}

impl<'a> Found<'a> {
    /// Look at a page; an error if there is not enough memory for it.
    pub fn new(page: &'a PageView<'a>, blocks: &'a Blocks) -> Result<Self, TryReserveError> {
        let segments = &blocks.segments;
        ask_for(BYTES_A_BLOCK * segments.len() + BYTES_A_ROW * page.len())?;
        let hashing = Hashing::new();
        let mut styles = Styles::new(page, hashing);
        Ok(Found {
            measured: Measurements::new(page, segments, &blocks.kinds),
            looks: styles.looks(segments),
            same_text: same_texts(segments, hashing),
            elements: element_tokens(page, segments, &mut styles),
        })
    }

    /// The dense features of the blocks, the first one next.
    pub fn dense(&self) -> DenseFeatures<'_> {
        DenseFeatures::new(&self.measured, &self.looks, &self.same_text)
    }

    /// Where the blocks stand. Everything else is given back.
    pub fn into_places(self) -> Places {
        let Measurements { page, around, .. } = self.measured;
        let (part_first, part_last) = around.blocks_of_all(page);
        Places { levels: self.elements.levels, part_first, part_last }
    }
}

/// Where blocks stand: what is needed of a page after its dense features and tokens were read.
pub struct Places {
    /// m x `LEVELS`: the elements above each block.
    pub levels: Vec<i32>,
    /// m x `PARTS`: the first block of each part of the page around a block.
    pub part_first: Vec<i32>,
    /// m x `PARTS`: one past the last block of each part.
    pub part_last: Vec<i32>,
}

/// The inputs for a page; an error if there is not enough memory for them.
pub fn page_inputs(page: &PageView, blocks: &Blocks) -> Result<PageInputs, TryReserveError> {
    let found = Found::new(page, blocks)?;
    let mut dense = Vec::new();
    dense.try_reserve_exact(FEATURES * blocks.segments.len())?;
    dense.resize(FEATURES * blocks.segments.len(), 0.0);
    let (mut features, mut of_block) = (found.dense(), [0.0; FEATURES]);
    for (index, row) in dense.chunks_exact_mut(FEATURES).enumerate() {
        may_stop();
        features.write(index, &mut of_block);
        row.copy_from_slice(&of_block);
    }
    let Measurements { texts, around, .. } = found.measured;
    let (part_first, part_last) = around.blocks_of_all(page);
    Ok(PageInputs {
        dense,
        elements: found.elements,
        word_tokens: texts.word_tokens,
        word_start: texts.word_start,
        part_first,
        part_last,
    })
}

/// One entry per block: blocks with the same text get the same number.
fn same_texts(segments: &Segments, hashing: Hashing) -> Vec<u32> {
    let mut numbering = Numbering::with_room_for(segments.len());
    let texts = (0..segments.len()).map(|index| segments.texts.get(index));
    texts.map(|text| numbering.number_of(text, hashing.of_text(text))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::block_features::IN_COMMON;
    use super::super::surroundings::PARTS;
    use super::*;
    use crate::blocks::page_blocks::find_blocks;
    use crate::blocks::written_pages::{random_markup, WrittenPage};

    fn inputs_of(view: &PageView) -> PageInputs {
        page_inputs(view, &find_blocks(view).unwrap()).unwrap()
    }

    fn inputs(markup: &str) -> PageInputs {
        let page = WrittenPage::new(markup);
        inputs_of(&page.view())
    }

    /// The features of a block whose position is known: those of the text from 0, of the title from 22, and so on.
    fn features(inputs: &PageInputs, block: usize) -> &[f32] {
        &inputs.dense[block * FEATURES..(block + 1) * FEATURES]
    }

    #[test]
    fn a_page_without_text_has_no_inputs() {
        let empty = inputs("<div></div>");
        assert!(empty.dense.is_empty() && empty.word_tokens.is_empty() && empty.part_first.is_empty());
        assert_eq!(empty.word_start, [0]);
        assert!(inputs_of(&PageView::default()).dense.is_empty());
    }

    #[test]
    fn features_are_finite_and_bounded() {
        for seed in 0..500 {
            let inputs = inputs(&random_markup(seed));
            assert!(inputs.dense.iter().all(|value| value.abs() <= 4.0));
            let blocks = inputs.part_first.len() / PARTS;
            assert_eq!(inputs.dense.len(), blocks * FEATURES);
            assert_eq!(inputs.word_start.len(), blocks + 1);
        }
    }

    #[test]
    fn what_changed_is_written_whole() {
        for seed in 0..200 {
            let page = WrittenPage::new(&random_markup(seed));
            let (view, blocks) = (page.view(), find_blocks(&page.view()).unwrap());
            let found = Found::new(&view, &blocks).unwrap();
            let mut features = found.dense();
            for index in 0..blocks.segments.len() {
                // The row of the block before is not there: what is not written stays no number.
                let mut row = [f32::NAN; FEATURES];
                let changes = features.write(index, &mut row);
                let unchanged = IN_COMMON.iter().zip(changes).filter(|(_, is_changed)| !is_changed);
                for &(begin, end) in unchanged.flat_map(|(columns, _)| columns.iter()) {
                    row[begin..end].fill(0.0);
                }
                assert!(row.iter().all(|value| value.is_finite()), "seed {}, block {}", seed, index);
            }
        }
    }

    #[test]
    fn words_of_the_title_are_found_in_blocks() {
        let page = inputs("<title>Hard water</title><h1>Hard water, soft tea</h1><p>Tea with water and milk</p>");
        let paragraph = features(&page, 2);
        let expected = [1.0 / 5.0, 1.0 / 2.0, 2.0 / 5.0, 2.0 / 4.0];
        for (value, wanted) in paragraph[22..26].iter().zip(expected) {
            assert!((value - wanted).abs() < 1e-6, "{:?}", &paragraph[22..26]);
        }
    }

    #[test]
    fn descriptions_are_sought_too() {
        let page = inputs("<meta name=_Description content=soft_water><p>water</p>");
        assert_eq!(features(&page, 0)[26..28], [1.0, 0.5]);
    }

    #[test]
    fn blocks_of_one_text_know_of_each_other() {
        let page = inputs("<p>more</p><p>less</p><p>more</p>");
        let same_text = 22 + 6 + 14 + 22 + 8;
        let counted: Vec<bool> = (0..3).map(|block| features(&page, block)[same_text] > 0.0).collect();
        assert_eq!(counted, [true, false, true]);
    }
}
