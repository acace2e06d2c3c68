//! Where blocks stand in the tree: the parts of the page around each, from the closest outwards.
//!
//! A wrapper that holds no other block than its child says nothing new, so the steps outwards skip it: the first part
//! around a list item is its list, the second what holds the list and its heading, however many elements lie between
//! them. Parts are slices of the page, so sums over them are differences of prefix sums.
#![forbid(unsafe_code)]

use crate::blocks::page_view::PageView;
use crate::blocks::segmentation::Segments;

/// Steps outwards that are looked at. On a news page the third is about the article, the fifth about the page.
pub const PARTS: usize = 5;

/// The parts around m blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// m x PARTS: the element that holds the part; the outermost is repeated.
    pub row: Vec<i32>,
    /// m entries: blocks that begin before each; its own number, except beside text that is half hidden.
    pub number: Vec<i32>,
    /// One entry per row of the page and one more: how many blocks begin before it.
    before: Vec<i32>,
}

impl Surroundings {
    /// The first block of the part that an element holds, and one past its last block.
    #[inline]
    pub fn blocks_of(&self, page: &PageView, row: i32) -> (i32, i32) {
        (self.before[row as usize], self.before[page.subtree_end[row as usize] as usize])
    }

    /// m x PARTS each: the first block of every part, and one past its last block.
    pub fn blocks_of_all(&self, page: &PageView) -> (Vec<i32>, Vec<i32>) {
        self.row.iter().map(|&row| self.blocks_of(page, row)).unzip()
    }
}

/// The parts around every block of a page.
pub fn find_surroundings(page: &PageView, segments: &Segments) -> Surroundings {
    let before = blocks_before(page, segments);
    let size = segments.len();
    let (mut rows, mut number) = (Vec::with_capacity(PARTS * size), Vec::with_capacity(size));
    let mut outwards = Outwards { page, before: &before, parts: vec![UNKNOWN; page.len()] };
    for &first_row in &segments.first_row {
        number.push(before[first_row as usize]);
        let mut row = first_row;
        for _ in 0..PARTS {
            row = outwards.from(row);
            rows.push(row);
        }
    }
    Surroundings { row: rows, number, before }
}

/// One entry per row of the page and one more: how many blocks begin before it.
fn blocks_before(page: &PageView, segments: &Segments) -> Vec<i32> {
    let mut before = vec![0; page.len() + 1];
    for &row in &segments.first_row {
        before[row as usize + 1] += 1;
    }
    let mut sum = 0;
    for count in &mut before {
        sum += *count;
        *count = sum;
    }
    before
}

/// The part around a row that is not known yet.
const UNKNOWN: i32 = -1;

/// The parts around rows, found where they are asked for: most rows hold no block.
struct Outwards<'a> {
    page: &'a PageView<'a>,
    /// One entry per row and one more: how many blocks begin before it.
    before: &'a [i32],
    /// One entry per row.
    parts: Vec<i32>,
}

impl Outwards<'_> {
    /// The part around a row: the parent of the outermost element with the same blocks and no more.
    #[inline]
    fn from(&mut self, row: i32) -> i32 {
        let row = row as usize;
        if self.parts[row] == UNKNOWN {
            self.parts[row] = self.find(row);
        }
        self.parts[row]
    }

    /// The same, by walking up.
    fn find(&self, row: usize) -> i32 {
        let blocks_in = |row: usize| self.before[self.page.subtree_end[row] as usize] - self.before[row];
        let (mut row, blocks) = (row, blocks_in(row));
        while row > 0 {
            row = self.page.parent[row].max(0) as usize;
            if blocks_in(row) != blocks {
                break;
            }
        }
        row as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::segmentation::segment;
    use crate::blocks::written_pages::{random_markup, WrittenPage};

    /// The parts around a block, found by walking up from it.
    fn naive_parts(page: &PageView, segments: &Segments, first_row: i32) -> Vec<(i32, i32, i32)> {
        let before = |row: i32| segments.first_row.iter().filter(|&&first| first < row).count() as i32;
        let blocks_in = |row: i32| before(page.subtree_end[row as usize]) - before(row);
        let mut row = first_row;
        let mut parts = Vec::new();
        for _ in 0..PARTS {
            while row > 0 && blocks_in(page.parent[row as usize]) == blocks_in(row) {
                row = page.parent[row as usize];
            }
            row = page.parent[row as usize].max(0);
            parts.push((row, before(row), before(page.subtree_end[row as usize])));
        }
        parts
    }

    #[test]
    fn finds_parts_like_the_naive_twin() {
        for seed in 0..1000 {
            let markup = random_markup(seed);
            let page = WrittenPage::new(&markup);
            let (view, segments) = (page.view(), segment(&page.view()));
            let around = find_surroundings(&view, &segments);
            for (index, &first_row) in segments.first_row.iter().enumerate() {
                let rows = &around.row[index * PARTS..(index + 1) * PARTS];
                let with_blocks = |&row: &i32| {
                    let (first, last) = around.blocks_of(&view, row);
                    (row, first, last)
                };
                let found: Vec<_> = rows.iter().map(with_blocks).collect();
                assert_eq!(found, naive_parts(&view, &segments, first_row), "{markup}");
            }
        }
    }
}
