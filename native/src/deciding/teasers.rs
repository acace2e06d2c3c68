//! What may be teasers: a linked headline with a text soon after it, several times in elements of the same tags and depths.
//!
//! `dehusk.deciding.other_articles` looks closer: at the targets of the links, at the title, and at the elements around.
#![forbid(unsafe_code)]

use std::collections::HashMap;

use super::situations::Situation;
use crate::blocks::kinds::kind;
use crate::blocks::page_view::PageView;
use crate::blocks::paths::paths_of_rows;
use crate::blocks::segmentation::Segments;

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

/// Lists to examine, as in `dehusk.deciding.other_articles`. The same holds for the next two.
const MOST: usize = 20;
/// Characters kept between two teasers that still belong to their list.
const LONGEST_GAP: i64 = 250;
/// Share of the rest of the text that is above the list.
const ABOVE: f64 = 0.7;

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

/// Whether enough teasers for a list have the same paths, one of them is kept, and the rest of the text may be above them.
pub fn keeps_teasers(situation: &Situation) -> bool {
    let lists = kept_lists(situation);
    if lists.is_empty() {
        return false;
    }
    let mut covered = vec![false; situation.len()];
    lists.iter().for_each(|list| cover(situation, list, &mut covered));
    let rest = situation.kept_characters(|index| !covered[index]) as f64;
    let is_heading = |index: usize| situation.kinds[index] == kind::HEADING && situation.is_shown(index);
    let is_below = |first: usize| situation.kept_characters(|index| index < first) as f64 >= ABOVE * rest;
    lists.iter().map(|list| list[0].0).any(|first| (0..first).any(is_heading) && is_below(first))
}

/// Lists of teasers with the same paths, the text of some of them kept; the longest lists, in the order of the page.
fn kept_lists(situation: &Situation) -> Vec<Vec<(usize, usize)>> {
    let segments = &situation.blocks.segments;
    let teasers = possible_teasers(situation.page, segments);
    if !teasers.text.iter().any(|&text| situation.keep[text as usize]) {
        return Vec::new();
    }
    let owners = teasers.headline.iter().chain(&teasers.text).map(|&block| segments.owner[block as usize]);
    let paths = paths_of_rows(situation.page, owners);
    let (of_headlines, of_texts) = paths.split_at(teasers.headline.len());
    let mut numbers: HashMap<(i32, i32), usize> = HashMap::new();
    let mut lists: Vec<Vec<(usize, usize)>> = Vec::new();
    for (place, (&headline, &text)) in teasers.headline.iter().zip(&teasers.text).enumerate() {
        let number = *numbers.entry((of_headlines[place], of_texts[place])).or_insert(lists.len());
        if number == lists.len() {
            lists.push(Vec::new());
        }
        lists[number].push((headline as usize, text as usize));
    }
    lists.retain(|list| list.len() >= FEWEST && list.iter().any(|&(_, text)| situation.keep[text]));
    lists.sort_by_key(|list| std::cmp::Reverse(list.len()));
    lists.truncate(MOST);
    lists
}

/// Mark what a list covers: from each headline to its text, and on to the next headline if little is kept between them.
fn cover(situation: &Situation, list: &[(usize, usize)], covered: &mut [bool]) {
    for (place, &(headline, text)) in list.iter().enumerate() {
        let following = list.get(place + 1).map_or(text + 1, |next| next.0);
        let between = (text + 1..following).filter(|&index| situation.keep[index]);
        let is_near = between.map(|index| situation.length(index)).sum::<i64>() <= LONGEST_GAP;
        covered[headline..if is_near { following } else { text + 1 }].fill(true);
    }
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
