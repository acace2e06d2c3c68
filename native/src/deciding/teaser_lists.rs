//! What may be teasers: a linked headline with a text soon after it, several times with the same DOM paths.
#![forbid(unsafe_code)]

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::Hash;

use super::situations::Situation;
use crate::blocks::paths::paths_of_rows;
use crate::blocks::segmentation::Segments;
use crate::features::numbering::Hashing;

/// Teasers that a list needs.
pub const FEWEST: usize = 3;
/// Lists to examine.
const MOST: usize = 20;
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

/// A possible teaser: two blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Teaser {
    /// Its headline.
    pub headline: usize,
    /// Its text.
    pub text: usize,
}

/// Lists of teasers with the same paths, the text of some of them kept; the longest lists.
pub fn teaser_lists(situation: &Situation) -> Vec<Vec<Teaser>> {
    let (page, owner) = (situation.page, &situation.blocks.segments.owner);
    let mut teasers = headlines_with_texts(&situation.blocks.segments);
    // Only with equal tags and depths can paths be equal, and comparing paths takes longer.
    let shape_of = |teaser: &Teaser| {
        let [above, below] = [teaser.headline, teaser.text].map(|block| owner[block] as usize);
        [page.tag[above], page.depth[above], page.tag[below], page.depth[below]]
    };
    let shapes = numbers_of_lists(situation, &teasers, |place| shape_of(&teasers[place]));
    let mut shapes = shapes.into_iter();
    teasers.retain(|_| shapes.next().flatten().is_some());
    if teasers.is_empty() {
        return Vec::new();
    }
    let paths = paths_of_rows(page, teasers.iter().flat_map(|teaser| [owner[teaser.headline], owner[teaser.text]]));
    let numbers = numbers_of_lists(situation, &teasers, |place| (paths[2 * place], paths[2 * place + 1]));
    let mut lists = vec![Vec::new(); numbers.iter().flatten().max().map_or(0, |last| last + 1)];
    for (number, teaser) in numbers.into_iter().zip(teasers).filter_map(|(number, teaser)| Some((number?, teaser))) {
        lists[number].push(teaser);
    }
    lists.retain(|list| !list.is_empty());
    lists.sort_by_key(|list| Reverse(list.len()));
    lists.truncate(MOST);
    lists
}

/// The number of the list of each teaser, in the order of the page: those with the same key, the text of some of them kept.
/// None if they are too few or none is kept. The key is that of a place among the teasers.
fn numbers_of_lists<Key: Eq + Hash>(
    situation: &Situation,
    teasers: &[Teaser],
    key_of: impl Fn(usize) -> Key,
) -> Vec<Option<usize>> {
    if teasers.len() < FEWEST {
        return vec![None; teasers.len()];
    }
    let mut numbers: HashMap<Key, usize, Hashing> = HashMap::with_capacity_and_hasher(teasers.len(), Hashing::new());
    // By list: how many teasers it has, and how many of their texts are kept.
    let mut sizes: Vec<(usize, usize)> = Vec::with_capacity(teasers.len());
    let mut number_of = |(place, teaser): (usize, &Teaser)| {
        let next = numbers.len();
        let number = *numbers.entry(key_of(place)).or_insert(next);
        sizes.resize(numbers.len(), (0, 0));
        sizes[number].0 += 1;
        sizes[number].1 += usize::from(situation.keep[teaser.text]);
        number
    };
    let all: Vec<usize> = teasers.iter().enumerate().map(&mut number_of).collect();
    all.into_iter()
        .map(|number| Some(number).filter(|&number| sizes[number].0 >= FEWEST && sizes[number].1 > 0))
        .collect()
}

/// Each headline with the closest text between it and the next headline.
fn headlines_with_texts(segments: &Segments) -> Vec<Teaser> {
    let mut teasers = Vec::new();
    let mut last = None;
    for index in (0..segments.len()).filter(|&index| segments.hidden[index] == 0) {
        let (share, length) = (segments.link_share(index), segments.length[index]);
        if share >= LINKED && length >= SHORTEST_HEADLINE {
            last = Some(index);
        } else if share <= UNLINKED && length >= SHORTEST_TEXT {
            // Further text below the same headline is not of the teaser.
            let near = last.take().filter(|&headline| index - headline <= REACH);
            teasers.extend(near.map(|headline| Teaser { headline, text: index }));
        }
    }
    teasers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deciding::situations::with_situation;

    const TEASER: &str = "<li><h3><a href=/a>Some headline</a></h3><div>A line of text about it.</div></li>";

    fn lists_of(html: &str, keep: bool) -> Vec<Vec<(usize, usize)>> {
        let pairs = |list: Vec<Teaser>| list.iter().map(|teaser| (teaser.headline, teaser.text)).collect();
        with_situation(html, keep, |situation| teaser_lists(situation).into_iter().map(pairs).collect())
    }

    #[test]
    fn three_with_the_same_paths_are_a_list() {
        let other = "<p><a href=/b>Another headline</a></p><p>Another line of text.</p>";
        let html = format!("{}{}", other, TEASER.repeat(3));
        assert_eq!(lists_of(&html, true), [[(2, 3), (4, 5), (6, 7)]]);
        assert!(lists_of(&html, false).is_empty());
        assert!(lists_of(&TEASER.repeat(2), true).is_empty());
        let in_class = TEASER.replace("<li>", "<li class=x>");
        assert!(lists_of(&format!("{}{}", TEASER, in_class.repeat(2)), true).is_empty());
    }

    #[test]
    fn the_longest_list_is_the_first() {
        let other = "<p><a href=/b>Another headline</a></p><p>Another line of text.</p>";
        let lists = lists_of(&format!("{}{}", other.repeat(3), TEASER.repeat(4)), true);
        assert_eq!(lists.iter().map(Vec::len).collect::<Vec<_>>(), [4, 3]);
    }

    #[test]
    fn the_closest_text_counts_if_it_is_near() {
        let more = TEASER.replace("</li>", "<div>A second line of text.</div></li>");
        assert_eq!(lists_of(&more.repeat(3), true), [[(0, 1), (3, 4), (6, 7)]]);
        let far = TEASER.replace("<div>", "<p>by me</p><p>today</p><p>at noon</p><div>");
        assert!(lists_of(&far.repeat(3), true).is_empty());
        let hidden = TEASER.replace("<div>", "<div hidden>");
        assert!(lists_of(&hidden.repeat(3), true).is_empty());
    }
}
