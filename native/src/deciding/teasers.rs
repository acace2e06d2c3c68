//! What may be teasers: a linked headline with a text soon after it, several times in elements of the same tags and depths.
//!
//! `dehusk.deciding.other_articles` looks closer: at whole paths, at the targets of the links, and at what is kept.
#![forbid(unsafe_code)]

use std::collections::HashMap;

use super::type_clues::first_characters;
use crate::blocks::characters::is_space;
use crate::blocks::page_view::PageView;
use crate::blocks::segmentation::Segments;
use crate::blocks::tags::attribute;

/// Teasers that a list needs.
const FEWEST: usize = 3;
/// Share of link text of a headline; some also have a time or a name.
const LINKED: f32 = 0.7;
/// Share of link text of a text, at most.
const UNLINKED: f32 = 0.3;
/// Characters; in Chinese, a whole sentence.
const SHORTEST_HEADLINE: i32 = 8;
/// Characters of a text.
const SHORTEST_TEXT: i32 = 20;
/// Blocks from a headline to its text: an author and a date may be between them.
const REACH: usize = 3;

/// Characters of a class in a path, as in `dehusk.blocks.paths`.
const LONGEST_STEP: usize = 40;

/// Possible teasers, in document order. One entry for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Teasers {
    /// Blocks of the headlines.
    pub headline: Vec<i32>,
    /// Blocks of the texts.
    pub text: Vec<i32>,
    /// Numbers of tags and depths of both; only with equal ones can paths be equal.
    pub shape: Vec<i32>,
}

/// The share of a block's characters that are link text.
pub fn link_share(segments: &Segments, index: usize) -> f32 {
    (f64::from(segments.link_length[index]) / f64::from(segments.length[index].max(1))) as f32
}

/// The possible teasers of a page whose shape occurs often enough for a list.
pub fn possible_teasers(page: &PageView, segments: &Segments) -> Teasers {
    let pairs = headlines_with_texts(segments);
    let mut numbers: HashMap<[i32; 4], usize> = HashMap::new();
    let mut counts = Vec::new();
    let mut shapes = Vec::with_capacity(pairs.len());
    for &(headline, text) in &pairs {
        let (above, below) = (segments.owner[headline] as usize, segments.owner[text] as usize);
        let shape = [page.tag[above], page.depth[above], page.tag[below], page.depth[below]];
        let number = *numbers.entry(shape).or_insert(counts.len());
        if number == counts.len() {
            counts.push(0);
        }
        counts[number] += 1;
        shapes.push(number);
    }
    let mut teasers = Teasers::default();
    for (&(headline, text), &number) in pairs.iter().zip(&shapes).filter(|(_, &number)| counts[number] >= FEWEST) {
        teasers.headline.push(headline as i32);
        teasers.text.push(text as i32);
        teasers.shape.push(number as i32);
    }
    teasers
}

/// Whether enough teasers for a list have the same paths, and the text of one of them is kept.
pub fn has_lists_of_teasers(page: &PageView, segments: &Segments, keep: &[bool]) -> bool {
    let teasers = possible_teasers(page, segments);
    if !teasers.text.iter().any(|&text| keep[text as usize]) {
        return false;
    }
    let paths = path_hashes(page);
    let path = |block: i32| paths[segments.owner[block as usize] as usize];
    let mut lists: HashMap<[u64; 2], (usize, bool)> = HashMap::new();
    for (&headline, &text) in teasers.headline.iter().zip(&teasers.text) {
        let (count, is_kept) = lists.entry([path(headline), path(text)]).or_default();
        *count += 1;
        *is_kept |= keep[text as usize];
    }
    lists.values().any(|&(count, is_kept)| is_kept && count >= FEWEST)
}

/// By row: equal for equal DOM paths, and hardly ever for others. A step is a tag and its first class.
fn path_hashes(page: &PageView) -> Vec<u64> {
    let mut hashes: Vec<u64> = Vec::with_capacity(page.len());
    for row in 0..page.len() {
        let above = usize::try_from(page.parent[row]).map_or(0, |parent| hashes[parent]);
        let classes = first_characters(page.value(row, attribute::CLASS).unwrap_or(""), LONGEST_STEP);
        let first_class = classes.split(is_space).find(|class| !class.is_empty()).unwrap_or("");
        let step = u64::from(page.tag[row] as u32);
        hashes.push(first_class.bytes().map(u64::from).fold(mixed(above, step), mixed));
    }
    hashes
}

/// A hash that takes one more number into account (FNV).
fn mixed(hash: u64, number: u64) -> u64 {
    (hash ^ number).wrapping_mul(0x0100_0000_01b3)
}

/// Each headline with the closest text between it and the next headline.
fn headlines_with_texts(segments: &Segments) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut last = None;
    for index in (0..segments.len()).filter(|&index| segments.hidden[index] == 0) {
        let (share, length) = (link_share(segments, index), segments.length[index]);
        if share >= LINKED && length >= SHORTEST_HEADLINE {
            last = Some(index);
        } else if share <= UNLINKED && length >= SHORTEST_TEXT {
            // Further text below the same headline is not of the teaser.
            pairs.extend(last.take().filter(|&headline| index - headline <= REACH).map(|headline| (headline, index)));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::page_blocks::find_blocks;
    use crate::columns::Limits;
    use crate::html::read;

    const TEASER: &str = "<li><h3><a href=/a>Some headline</a></h3><div>A line of text about it.</div></li>";

    fn teasers_of(html: &str) -> Teasers {
        let page = read(html, &Limits::default());
        possible_teasers(&page.view(), &find_blocks(&page.view()).unwrap().segments)
    }

    #[test]
    fn three_of_a_shape_are_found() {
        let other = "<p><a href=/b>Another headline</a></p><p>Another line of text.</p>";
        let found = teasers_of(&format!("{}{}", other, TEASER.repeat(3)));
        assert_eq!((found.headline, found.text), (vec![2, 4, 6], vec![3, 5, 7]));
        assert_eq!(found.shape, [1; 3]);
        assert_eq!(teasers_of(&TEASER.repeat(2)), Teasers::default());
    }

    #[test]
    fn the_closest_text_counts_if_it_is_near() {
        let more = TEASER.replace("</li>", "<div>A second line of text.</div></li>");
        assert_eq!(teasers_of(&more.repeat(3)).text, [1, 4, 7]);
        let far = TEASER.replace("<div>", "<p>by me</p><p>today</p><p>at noon</p><div>");
        assert_eq!(teasers_of(&far.repeat(3)), Teasers::default());
        let hidden = TEASER.replace("<div>", "<div hidden>");
        assert_eq!(teasers_of(&hidden.repeat(3)), Teasers::default());
    }
}
