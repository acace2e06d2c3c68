//! The input of a rule, and its verdicts.
#![forbid(unsafe_code)]

use crate::blocks::page_blocks::Blocks;
use crate::blocks::page_view::PageView;
use crate::columns::Page;
use crate::document::structures::Structures;
use crate::failure::{filled, Failure};

/// Verdict on a block: keep it whatever its score.
pub const KEEP: i8 = 1;
/// Verdict on a block: drop it.
pub const DROP: i8 = -1;

/// Characters that must be left of a page for a rule to drop the rest: two or three sentences, the shortest text published
/// as an article. `dehusk.deciding.verdicts` has the same.
pub const FEWEST_CHARACTERS: i64 = 200;

/// The blocks of a page, which of them are kept so far, and what is known of them. One entry per block.
#[derive(Clone, Copy)]
pub struct Situation<'a> {
    /// The page.
    pub page: &'a PageView<'a>,
    /// All columns of it, scripts among them.
    pub columns: &'a Page,
    /// Its address; empty if it is unknown.
    pub address: &'a str,
    /// Its code, formulas and callouts.
    pub structures: &'a Structures,
    /// Its blocks.
    pub blocks: &'a Blocks,
    /// What each block is to a reader, by markup or by a model.
    pub kinds: &'a [u8],
    /// Whether it is kept so far.
    pub keep: &'a [bool],
    /// Its score.
    pub scores: &'a [f32],
    /// The score from which a block is kept.
    pub threshold: f64,
    /// The probability that it is a reader's comment.
    pub comments: &'a [f32],
    /// Whether the page is surely a forum.
    pub is_forum: bool,
    /// The row of the area of code that it is in, or -1; empty if the page has no code.
    pub code_areas: &'a [i32],
    /// 1 if it is nothing but a formula; empty if the page has none.
    pub formulas: &'a [u8],
}

impl Situation<'_> {
    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.keep.len()
    }

    /// Whether there are no blocks.
    pub fn is_empty(&self) -> bool {
        self.keep.is_empty()
    }

    /// Whether a block is shown by browsers.
    pub fn is_shown(&self, index: usize) -> bool {
        self.blocks.segments.hidden[index] == 0
    }

    /// Characters of a block.
    pub fn length(&self, index: usize) -> i64 {
        i64::from(self.blocks.segments.length[index])
    }

    /// Number of characters kept in blocks that are wanted.
    pub fn kept_characters(&self, wanted: impl Fn(usize) -> bool) -> i64 {
        (0..self.len()).filter(|&index| self.keep[index] && wanted(index)).map(|index| self.length(index)).sum()
    }

    /// What a rule returns that has a verdict on no block: not even a list of them, since most rules have none.
    pub fn no_verdicts(&self) -> Result<Vec<i8>, Failure> {
        Ok(Vec::new())
    }

    /// One entry for each block, none of which has a verdict yet.
    pub fn open_verdicts(&self) -> Result<Vec<i8>, Failure> {
        filled(self.len(), |_| 0)
    }

    /// The verdict to drop the kept blocks that are found. Each block is asked about once, from the first on.
    pub fn drop_kept(&self, mut is_found: impl FnMut(usize) -> bool) -> Result<Vec<i8>, Failure> {
        let mut is_dropped = |index: usize| self.keep[index] && is_found(index);
        let first = match (0..self.len()).find(|&index| is_dropped(index)) {
            Some(first) => first,
            None => return self.no_verdicts(),
        };
        let mut verdicts = self.open_verdicts()?;
        verdicts[first] = DROP;
        for index in (first + 1..self.len()).filter(|&index| is_dropped(index)) {
            verdicts[index] = DROP;
        }
        Ok(verdicts)
    }
}

/// For tests: look at the situation of a page of which all blocks are kept, or none.
#[cfg(test)]
pub fn with_situation<Found>(html: &str, keep: bool, look: impl Fn(&Situation) -> Found) -> Found {
    let page = crate::html::read(html, &crate::columns::Limits::default());
    let blocks = crate::blocks::page_blocks::find_blocks(&page.view()).unwrap();
    let (keep, numbers) = (vec![keep; blocks.segments.len()], vec![0.5; blocks.segments.len()]);
    look(&Situation {
        page: &page.view(),
        columns: &page,
        address: "",
        structures: &Structures::of(&page),
        blocks: &blocks,
        kinds: &blocks.kinds.kind,
        keep: &keep,
        scores: &numbers,
        threshold: 0.5,
        comments: &numbers,
        is_forum: false,
        code_areas: &[],
        formulas: &[],
    })
}
