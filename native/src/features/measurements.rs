//! All that features are made of, measured once for all of them.
#![forbid(unsafe_code)]

use super::surroundings::{find_surroundings, Surroundings};
use super::text_counts::{count_texts, PageTexts};
use crate::blocks::kinds::Kinds;
use crate::blocks::page_view::PageView;
use crate::blocks::segmentation::Segments;
use crate::blocks::tags::set;

/// Words of a block that reads like a text rather than a label.
const LONG: u32 = 12;
/// Share of link text that running text seldom exceeds.
const FEW_LINKS: f32 = 0.34;

/// A page with everything that was measured of its m blocks.
pub struct Measurements<'a> {
    /// The page.
    pub page: &'a PageView<'a>,
    /// Its blocks.
    pub segments: &'a Segments,
    /// What each block is.
    pub kinds: &'a Kinds,
    /// What the texts are made of.
    pub texts: PageTexts,
    /// The parts of the page around each block.
    pub around: Surroundings,
    /// m entries: the share of characters that are link text.
    pub link_share: Vec<f32>,
    /// m entries: words of blocks that read like text; 0 for all others.
    pub long: Vec<u32>,
    /// m entries: how many links begin inside each block, or around the whole of it.
    pub links: Vec<u32>,
    /// Words of all blocks.
    pub words: u32,
    /// Words of all blocks that read like text.
    pub long_words: u32,
}

impl<'a> Measurements<'a> {
    /// Look at the texts and the tree once.
    pub fn new(page: &'a PageView<'a>, segments: &'a Segments, kinds: &'a Kinds) -> Self {
        let texts = count_texts(page, segments, kinds);
        let lengths = segments.link_length.iter().zip(&segments.length);
        let link_share: Vec<f32> =
            lengths.map(|(&linked, &length)| (f64::from(linked) / f64::from(length.max(1))) as f32).collect();
        let long_of = |index: usize| {
            let words = texts.blocks[index].words;
            let is_long = words >= LONG && link_share[index] <= FEW_LINKS && segments.hidden[index] == 0;
            if is_long {
                words
            } else {
                0
            }
        };
        let long: Vec<u32> = (0..segments.len()).map(long_of).collect();
        Measurements {
            page,
            segments,
            kinds,
            around: find_surroundings(page, segments),
            links: count_links(page, segments),
            words: texts.blocks.iter().map(|block| block.words).sum(),
            long_words: long.iter().sum(),
            texts,
            link_share,
            long,
        }
    }
}

/// m entries: how many links begin inside each block, or around the whole of it.
fn count_links(page: &PageView, segments: &Segments) -> Vec<u32> {
    let mut before = Vec::with_capacity(page.len() + 1);
    let mut links = 0u32;
    before.push(links);
    for &flags in page.flags {
        links += u32::from(flags & set::LINK != 0);
        before.push(links);
    }
    let rows = segments.first_row.iter().zip(&segments.last_row);
    rows.map(|(&first, &last)| {
        let around = page.is_in(page.parent[first as usize].max(0) as usize, set::LINK);
        before[last as usize + 1] - before[first as usize] + u32::from(around)
    })
    .collect()
}
