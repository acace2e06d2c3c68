//! Features that compare a block with its page: its position, blocks like it, the centre of the text, and the page.
#![forbid(unsafe_code)]

use super::feature_numbers::{flag, log, natural_logarithm, share, Logarithms};
use super::measurements::Measurements;
use super::surroundings::PARTS;
use crate::blocks::kinds::kind;

/// Parts around a block whose votes are features.
pub const VOTES: usize = 3;
/// Half words that a word of a long block votes for the closest part around it, and for the one around that.
const WEIGHTS: [u32; 2] = [2, 1];
/// Logarithms of sizes of pages are divided by this.
const PAGE_LOG_SCALE: f32 = 5.0;

/// Features that all blocks of a page have in common.
pub const PAGE_FEATURES: usize = 10;

/// Where blocks stand in the reading order. Blocks are asked for one after the other.
pub struct Positions<'a> {
    measured: &'a Measurements<'a>,
    /// The first heading of level 1 that is shown.
    top: Option<usize>,
    words_before: u32,
    long_before: u32,
    /// The last heading so far, counted from 1; the beginning of the page counts as a heading.
    last_heading: usize,
}

impl<'a> Positions<'a> {
    /// Before the first block.
    pub fn new(measured: &'a Measurements<'a>) -> Self {
        let mut positions = Positions { measured, top: None, words_before: 0, long_before: 0, last_heading: 0 };
        positions.top =
            (0..measured.segments.len()).find(|&index| positions.is_heading(index) && measured.kinds.level[index] == 1);
        positions
    }

    /// Whether a block is a heading that is shown.
    fn is_heading(&self, index: usize) -> bool {
        self.measured.kinds.kind[index] == kind::HEADING && self.measured.segments.hidden[index] == 0
    }

    /// The features of the next block.
    #[inline(always)]
    pub fn features(&mut self, index: usize, logarithms: &Logarithms) -> [f32; 8] {
        let measured = self.measured;
        if self.is_heading(index) {
            self.last_heading = index + 1;
        }
        let size = measured.segments.len();
        let features = [
            share(index as f32, size as f32),
            logarithms.of(index),
            logarithms.of(size - 1 - index),
            share(self.words_before as f32, measured.words as f32),
            share(self.long_before as f32, measured.long_words as f32),
            flag(self.top.is_some_and(|top| index >= top)),
            logarithms.of_way(self.top.unwrap_or(0), index),
            logarithms.of(index + 1 - self.last_heading),
        ];
        self.words_before += measured.texts.blocks[index].words;
        self.long_before += measured.long[index];
        features
    }
}

/// Blocks that look alike, summed up.
#[derive(Clone, Copy, Default)]
struct Look {
    blocks: u32,
    words: u32,
    long: u32,
    link_length: u32,
    length: u32,
}

impl Look {
    /// Its features, on a page of so many words.
    fn features(&self, words_of_page: u32) -> [f32; 5] {
        let (blocks, words) = (self.blocks as f32, self.words as f32);
        [
            log(blocks),
            log(words / blocks),
            share(self.link_length as f32, self.length as f32),
            share(words, words_of_page as f32),
            share(self.long as f32, words),
        ]
    }
}

/// Blocks with the same text, and blocks of the same style: tag and class of the element and its parent agree.
pub struct Repetitions<'a> {
    number_of_look: &'a [u32],
    /// The features of each look.
    looks: Vec<[f32; 5]>,
    number_of_text: &'a [u32],
    /// How many blocks have each text.
    texts: Vec<u32>,
}

impl<'a> Repetitions<'a> {
    /// Sum up all blocks.
    pub fn new(measured: &'a Measurements<'a>, number_of_look: &'a [u32], number_of_text: &'a [u32]) -> Self {
        let segments = measured.segments;
        let numbers = |column: &[u32]| column.iter().max().map_or(0, |&most| most as usize + 1);
        let mut looks = vec![Look::default(); numbers(number_of_look)];
        let mut texts = vec![0; numbers(number_of_text)];
        for index in 0..segments.len() {
            let look = &mut looks[number_of_look[index] as usize];
            look.blocks += 1;
            look.words += measured.texts.blocks[index].words;
            look.long += measured.long[index];
            look.link_length += segments.link_length[index] as u32;
            look.length += segments.length[index] as u32;
            texts[number_of_text[index] as usize] += 1;
        }
        let looks = looks.iter().map(|look| look.features(measured.words)).collect();
        Repetitions { number_of_look, looks, number_of_text, texts }
    }

    /// The features of a block.
    #[inline(always)]
    pub fn features(&self, index: usize, logarithms: &Logarithms) -> [f32; 6] {
        let [blocks, words, links, share_of_words, long] = self.looks[self.number_of_look[index] as usize];
        let same_text = logarithms.of(self.texts[self.number_of_text[index] as usize] as usize - 1);
        [same_text, blocks, words, links, share_of_words, long]
    }
}

/// Where most of the text stands: long blocks vote for the parts around them.
pub struct Centre<'a> {
    measured: &'a Measurements<'a>,
    /// One entry per row of the page, in half words.
    votes: Vec<u32>,
    most: u32,
    /// The rows of the part with most votes, and its first and last block.
    rows: std::ops::Range<i32>,
    first: usize,
    last: usize,
}

impl<'a> Centre<'a> {
    /// Count the votes; of equals, the first part has most.
    pub fn new(measured: &'a Measurements<'a>) -> Self {
        let (page, first_row) = (measured.page, &measured.segments.first_row);
        let mut votes = vec![0; page.len()];
        for (rows, &long) in measured.around.row.chunks_exact(PARTS).zip(&measured.long) {
            for (&row, weight) in rows.iter().zip(WEIGHTS) {
                votes[row as usize] += weight * long;
            }
        }
        let most = votes.iter().copied().max().unwrap_or(0);
        let centre = votes.iter().position(|&some| some == most).unwrap_or(0);
        let rows = centre as i32..page.subtree_end.get(centre).copied().unwrap_or(0);
        let first = first_row.iter().position(|row| rows.contains(row)).unwrap_or(0);
        let last = first_row.iter().rposition(|row| rows.contains(row)).unwrap_or(0);
        Centre { measured, votes, most, rows, first, last }
    }

    /// How many votes the closest parts around a block have.
    pub fn votes(&self, index: usize) -> [f32; VOTES] {
        let most = self.most as f32 / 2.0;
        let mut votes = [0.0; VOTES];
        for (vote, &row) in votes.iter_mut().zip(&self.measured.around.row[index * PARTS..]) {
            *vote = share(self.votes[row as usize] as f32 / 2.0, most);
        }
        votes
    }

    /// Whether a block is in the centre, and how far before and after it.
    #[inline(always)]
    pub fn features(&self, index: usize, logarithms: &Logarithms) -> [f32; 3] {
        let is_inside = self.rows.contains(&self.measured.segments.first_row[index]);
        [
            flag(is_inside && self.most > 0),
            logarithms.of(self.first.saturating_sub(index)),
            logarithms.of(index.saturating_sub(self.last)),
        ]
    }
}

/// Features that all blocks of a page have in common.
pub fn page_features(measured: &Measurements) -> [f32; PAGE_FEATURES] {
    let (segments, texts) = (measured.segments, &measured.texts.blocks);
    let mut of_kind = [0u32; kind::NUMBER];
    let (mut hidden, mut longest) = (0, 0);
    for (index, block) in texts.iter().enumerate() {
        of_kind[usize::from(measured.kinds.kind[index])] += block.words;
        hidden += if segments.hidden[index] != 0 { block.words } else { 0 };
        longest = longest.max(block.words);
    }
    let sum = |column: &[i32]| column.iter().map(|&number| f64::from(number)).sum::<f64>() as f32;
    let of_words = |number: u32| share(number as f32, measured.words as f32);
    let page_log = |number: f32| natural_logarithm(1.0 + number) / PAGE_LOG_SCALE;
    [
        page_log(measured.words as f32),
        page_log(segments.len() as f32),
        share(sum(&segments.link_length), sum(&segments.length)),
        of_words(measured.long_words),
        page_log(longest as f32),
        of_words(of_kind[usize::from(kind::PARAGRAPH)]),
        of_words(of_kind[usize::from(kind::LIST_ITEM)]),
        of_words(of_kind[usize::from(kind::CELL)]),
        of_words(of_kind[usize::from(kind::CODE)]),
        of_words(hidden),
    ]
}
