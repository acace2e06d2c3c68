//! Hashed tokens: the names of the elements around a block.
//!
//! Blocks share most of their ancestors, and many elements have the same names: tokens belong to elements, elements
//! with the same names are one, and each block says which of them stand above it.
#![forbid(unsafe_code)]

use super::checksum::crc32;
use super::name_words::{read_part, NameWords};
use super::styles::Styles;
use super::text_counts::TABLE_BITS;
use crate::blocks::page_view::{entry, PageView};
use crate::blocks::segmentation::Segments;
use crate::blocks::tags::attribute;

/// Elements per block: the closest one, then the block-level one and its ancestors.
pub const LEVELS: usize = 9;

/// Names of one element that are read.
const MOST_NAMES: usize = 8;
const NAMING: [u8; 5] = [attribute::CLASS, attribute::ID, attribute::ROLE, attribute::ITEMPROP, attribute::REL];

/// Tokens of elements above m blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ElementTokens {
    /// Names of elements, one element after the other.
    pub tokens: Vec<u16>,
    /// Elements + 1 entries: where each element's tokens begin. The last element has none.
    pub start: Vec<i64>,
    /// m x LEVELS: the elements above each block; the last element where there are no more.
    pub levels: Vec<i32>,
}

/// The tokens of the elements above every block of a page.
pub fn element_tokens<'a>(page: &'a PageView<'a>, segments: &Segments, styles: &mut Styles<'a>) -> ElementTokens {
    let mut naming = Naming::new(page, styles);
    let mut levels = Vec::with_capacity(LEVELS * segments.len());
    let (mut of_block, mut previous) = ([NONE; LEVELS], None);
    for (&first, &owner) in segments.first_row.iter().zip(&segments.owner) {
        if previous != Some(owner) {
            naming.number_upwards(owner, &mut of_block[1..]);
            previous = Some(owner);
        }
        // The closest element is often the block-level one: then it counts once.
        let closest = page.parent[first as usize];
        of_block[0] = if closest == owner { NONE } else { naming.number_of(closest) };
        levels.extend_from_slice(&of_block);
    }
    let mut found = naming.found;
    let nothing = found.start.len() as i32 - 1;
    found.start.push(found.tokens.len() as i64);
    levels.iter_mut().for_each(|level| *level = if *level == NONE { nothing } else { *level });
    ElementTokens { levels, ..found }
}

/// The number of no element.
const NONE: i32 = -1;

/// Elements being numbered, and their tokens.
struct Naming<'a, 'b> {
    page: &'a PageView<'a>,
    styles: &'b mut Styles<'a>,
    /// One entry per row of the page, and one per style: the number of the element, once it is known.
    number_of_row: Vec<i32>,
    number_of_style: Vec<i32>,
    /// The words of one element, in lower case, and where each ends.
    words: String,
    ends: Vec<usize>,
    found: ElementTokens,
}

impl<'a, 'b> Naming<'a, 'b> {
    fn new(page: &'a PageView<'a>, styles: &'b mut Styles<'a>) -> Self {
        Naming {
            page,
            styles,
            number_of_row: vec![NONE; page.len()],
            number_of_style: Vec::new(),
            words: String::new(),
            ends: Vec::new(),
            found: ElementTokens { start: vec![0], ..ElementTokens::default() },
        }
    }

    /// Sets the numbers of an element and of those above it.
    fn number_upwards(&mut self, row: i32, numbers: &mut [i32]) {
        let mut row = row;
        for number in numbers {
            *number = self.number_of(row);
            row = entry(self.page.parent, row);
        }
    }

    /// The number of the element of a row; that of none for no row.
    #[inline]
    fn number_of(&mut self, row: i32) -> i32 {
        match self.number_of_row.get(row as usize) {
            Some(&NONE) => self.number_new(row as usize),
            Some(&number) => number,
            None => NONE,
        }
    }

    /// The number of the element of a row that was not asked for before.
    fn number_new(&mut self, row: usize) -> i32 {
        let style = self.styles.number_of(self.page.tag[row], naming_attributes(self.page, row)) as usize;
        if style >= self.number_of_style.len() {
            self.number_of_style.resize(self.styles.numbers(), NONE);
        }
        if self.number_of_style[style] == NONE {
            self.number_of_style[style] = self.found.start.len() as i32 - 1;
            self.add_tokens(row);
        }
        self.number_of_row[row] = self.number_of_style[style];
        self.number_of_row[row]
    }

    /// Adds the tokens of an element: its tag and the words of its names, each once.
    fn add_tokens(&mut self, row: usize) {
        let page = self.page;
        self.found.tokens.push(token_of(&["<", read_part(page.tag_name(page.tag[row]))]));
        self.words.clear();
        self.ends.clear();
        let values = naming_attributes(page, row).map(|index| page.value_of(index));
        for word in values.flat_map(NameWords::new) {
            if self.ends.len() == MOST_NAMES {
                break;
            }
            self.add_word(word);
        }
        self.found.start.push(self.found.tokens.len() as i64);
    }

    /// Adds the token of a word, unless the element already has it.
    fn add_word(&mut self, word: &str) {
        let begin = self.words.len();
        if word.is_ascii() {
            self.words.push_str(word);
            self.words[begin..].make_ascii_lowercase();
        } else {
            self.words.push_str(&word.to_lowercase());
        }
        let (before, lower) = self.words.split_at(begin);
        let mut start = 0;
        let is_known = self.ends.iter().any(|&end| &before[std::mem::replace(&mut start, end)..end] == lower);
        if is_known {
            self.words.truncate(begin);
        } else {
            self.found.tokens.push(token_of(&[lower]));
            self.ends.push(self.words.len());
        }
    }
}

/// The attributes of a row that name the element.
fn naming_attributes<'a>(page: &'a PageView<'a>, row: usize) -> impl Iterator<Item = usize> + 'a {
    page.attributes(row).filter(move |&index| NAMING.contains(&page.attribute_name[index]))
}

/// The number of a word in the network's table.
fn token_of(parts: &[&str]) -> u16 {
    (crc32(parts) & ((1 << TABLE_BITS) - 1)) as u16
}

#[cfg(test)]
mod tests {
    use super::super::numbering::Hashing;
    use super::*;
    use crate::blocks::segmentation::segment;
    use crate::blocks::written_pages::WrittenPage;

    fn tokens(markup: &str) -> ElementTokens {
        let page = WrittenPage::new(markup);
        let view = page.view();
        element_tokens(&view, &segment(&view), &mut Styles::new(&view, Hashing::new()))
    }

    #[test]
    fn the_closest_element_then_the_block_level_ones() {
        let found = tokens("<div><p>one</p><p>two <b>three</b></p><p><b>four</b></p></div>");
        // p, div, html, b and none
        assert_eq!(found.start, [0, 1, 2, 3, 4, 4]);
        assert_eq!(found.levels[..LEVELS], [4, 0, 1, 2, 4, 4, 4, 4, 4]);
        assert_eq!(found.levels[2 * LEVELS..], [3, 0, 1, 2, 4, 4, 4, 4, 4]);
        assert_eq!(found.tokens[0], token_of(&["<p"]));
    }

    #[test]
    fn elements_with_the_same_names_are_one() {
        let found = tokens("<p class=a_bc>x</p><p id=a_bc>x</p><p class=bc>x</p><p>x</p><p role=>x</p>");
        let owners: Vec<i32> = found.levels.chunks(LEVELS).map(|levels| levels[1]).collect();
        assert_eq!(owners, [0, 0, 2, 3, 4]);
    }

    #[test]
    fn words_of_names_count_once_and_eight_at_most() {
        let found = tokens("<p class=postBody_post id=BODY>x</p>");
        assert_eq!(found.tokens[..3], [token_of(&["<p"]), token_of(&["post"]), token_of(&["body"])]);
        let many = tokens("<my-tag class=aa_bb_cc_dd_ee_ff_gg_hh_ii>x</my-tag>");
        assert_eq!(many.tokens.len(), 2 + MOST_NAMES);
        assert_eq!(many.tokens[1], token_of(&["<my-tag"]));
    }
}
