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
    /// m x PARTS: the first block of the part.
    pub first: Vec<i32>,
    /// m x PARTS: one past its last block.
    pub last: Vec<i32>,
    /// m entries: blocks that begin before each; its own number, except beside text that is half hidden.
    pub number: Vec<i32>,
}

/// The parts around every block of a page.
pub fn find_surroundings(page: &PageView, segments: &Segments) -> Surroundings {
    let before = blocks_before(page, segments);
    let outwards = steps_outwards(page, &before);
    let size = segments.len();
    let of_parts = || Vec::with_capacity(PARTS * size);
    let mut around =
        Surroundings { row: of_parts(), first: of_parts(), last: of_parts(), number: Vec::with_capacity(size) };
    for &first_row in &segments.first_row {
        around.number.push(before[first_row as usize]);
        let mut row = first_row as usize;
        for _ in 0..PARTS {
            row = outwards[row] as usize;
            around.row.push(row as i32);
            around.first.push(before[row]);
            around.last.push(before[page.subtree_end[row] as usize]);
        }
    }
    around
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

/// For each row, the part around it: the parent of the outermost element with the same blocks and no more.
fn steps_outwards(page: &PageView, before: &[i32]) -> Vec<i32> {
    let blocks_in = |row: usize| before[page.subtree_end[row] as usize] - before[row];
    let mut outwards = vec![0; page.len()];
    for row in 1..page.len() {
        let parent = page.parent[row].max(0) as usize;
        let is_outermost = blocks_in(row) != blocks_in(parent);
        outwards[row] = if is_outermost { parent as i32 } else { outwards[parent] };
    }
    outwards
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
                let places = index * PARTS..(index + 1) * PARTS;
                let found: Vec<_> =
                    places.map(|place| (around.row[place], around.first[place], around.last[place])).collect();
                assert_eq!(found, naive_parts(&view, &segments, first_row), "{markup}");
            }
        }
    }
}
