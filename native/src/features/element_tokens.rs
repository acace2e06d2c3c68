//! Hashed tokens: the names of the elements around a block.
//!
//! Blocks share most of their ancestors, and many elements have the same names: tokens belong to elements, elements
//! with the same names are one, and each block says which of them stand above it.
#![forbid(unsafe_code)]

use super::checksum::{crc32, crc32_of_lower};
use super::name_words::{read_part, NameWords};
use super::styles::Styles;
use super::text_counts::TABLE_BITS;
use crate::blocks::page_view::{entry, PageView};
use crate::blocks::segmentation::Segments;
use crate::blocks::tags::{attribute, TAGS};
use crate::stopping::may_stop;

/// Elements per block: the closest one, then the block-level one and its ancestors.
pub const LEVELS: usize = 9;

/// Names of one element that are read.
const MOST_NAMES: usize = 8;
/// Names of one element, its tag among them, on most pages.
const USUAL_NAMES: usize = 4;
const NAMING: [u8; 5] = [attribute::CLASS, attribute::ID, attribute::ROLE, attribute::ITEMPROP, attribute::REL];
/// By attribute: whether it names the element.
static NAMES: [bool; 256] = {
    let (mut names, mut number) = ([false; 256], 0);
    while number < NAMING.len() {
        names[NAMING[number] as usize] = true;
        number += 1;
    }
    names
};
/// The tokens of the tags in the table.
static TAG_TOKENS: [u16; TAGS.len()] = {
    let (mut tokens, mut tag) = ([0; TAGS.len()], 0);
    while tag < TAGS.len() {
        tokens[tag] = token_of_tag(TAGS[tag].as_bytes());
        tag += 1;
    }
    tokens
};

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
    let (mut of_block, mut rows) = ([NONE; LEVELS], [NOT_YET; LEVELS - 1]);
    for (&first, &owner) in segments.first_row.iter().zip(&segments.owner) {
        may_stop();
        naming.number_upwards(owner, &mut rows, &mut of_block[1..]);
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
/// Stands for a row before there is any; -1 is above the root.
const NOT_YET: i32 = -2;

/// Elements being numbered, and their tokens.
struct Naming<'a, 'b> {
    page: &'a PageView<'a>,
    styles: &'b mut Styles<'a>,
    /// One entry per row of the page, and one per style: the number of the element, once it is known.
    number_of_row: Vec<i32>,
    number_of_style: Vec<i32>,
    /// The words of one element, as they are written, with their checksums in lower case.
    words: Vec<(&'a str, u32)>,
    found: ElementTokens,
}

impl<'a, 'b> Naming<'a, 'b> {
    fn new(page: &'a PageView<'a>, styles: &'b mut Styles<'a>) -> Self {
        let expected = styles.expected();
        let mut start = Vec::with_capacity(expected + 1);
        start.push(0);
        Naming {
            page,
            styles,
            number_of_row: vec![NONE; page.len()],
            number_of_style: vec![NONE; expected],
            words: Vec::with_capacity(MOST_NAMES),
            found: ElementTokens { tokens: Vec::with_capacity(USUAL_NAMES * expected), start, levels: Vec::new() },
        }
    }

    /// Sets the rows and numbers of an element and of those above it, given those of the block before. Neighbours have most
    /// of what is above them in common, from the first common row on all of it.
    fn number_upwards(&mut self, row: i32, rows: &mut [i32], numbers: &mut [i32]) {
        let mut row = row;
        for (before, number) in rows.iter_mut().zip(numbers) {
            if *before == row {
                break;
            }
            *before = row;
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
            self.number_of_style.resize(2 * self.styles.numbers(), NONE);
        }
        if self.number_of_style[style] == NONE {
            self.number_of_style[style] = self.found.start.len() as i32 - 1;
            self.add_tokens(row);
        }
        self.number_of_row[row] = self.number_of_style[style];
        self.number_of_row[row]
    }

    /// Adds the tokens of an element: its tag and the words of its names, each once.
    #[inline(never)]
    fn add_tokens(&mut self, row: usize) {
        let page = self.page;
        self.found.tokens.push(match TAG_TOKENS.get(page.tag[row] as usize) {
            Some(&token) => token,
            None => token_of_tag(read_part(page.tag_name(page.tag[row])).as_bytes()),
        });
        self.add_words(row);
        self.found.start.push(self.found.tokens.len() as i64);
    }

    /// Adds the tokens of the words of an element's names.
    fn add_words(&mut self, row: usize) {
        let page = self.page;
        self.words.clear();
        for index in naming_attributes(page, row) {
            for word in NameWords::new(page.value_of(index)) {
                if self.words.len() == MOST_NAMES {
                    return;
                }
                self.add_word(word);
            }
        }
    }

    /// Adds the token of a word, unless the element already has it.
    fn add_word(&mut self, word: &'a str) {
        // Words have letters of ASCII alone, or none.
        let checksum = match word.as_bytes()[0].is_ascii() {
            true => crc32_of_lower(word.as_bytes()),
            false => crc32(0, word.to_lowercase().as_bytes()),
        };
        let is_same = |&(other, of_other): &(&str, u32)| of_other == checksum && are_same(other, word);
        if !self.words.iter().any(is_same) {
            self.found.tokens.push(token_of(checksum));
            self.words.push((word, checksum));
        }
    }
}

/// Whether two words are the same in lower case.
fn are_same(first: &str, second: &str) -> bool {
    // Most are written in the same way.
    first == second || first.eq_ignore_ascii_case(second) || first.to_lowercase() == second.to_lowercase()
}

/// The attributes of a row that name the element.
fn naming_attributes<'a>(page: &'a PageView<'a>, row: usize) -> impl Iterator<Item = usize> + 'a {
    page.attributes(row).filter(move |&index| NAMES[usize::from(page.attribute_name[index])])
}

/// The number in the network's table of a word with this checksum.
const fn token_of(checksum: u32) -> u16 {
    (checksum & ((1 << TABLE_BITS) - 1)) as u16
}

/// The number of a tag in the network's table.
const fn token_of_tag(name: &[u8]) -> u16 {
    token_of(crc32(crc32(0, b"<"), name))
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

    fn token(word: &str) -> u16 {
        token_of(crc32(0, word.as_bytes()))
    }

    #[test]
    fn the_closest_element_then_the_block_level_ones() {
        let found = tokens("<div><p>one</p><p>two <b>three</b></p><p><b>four</b></p></div>");
        // p, div, html, b and none
        assert_eq!(found.start, [0, 1, 2, 3, 4, 4]);
        assert_eq!(found.levels[..LEVELS], [4, 0, 1, 2, 4, 4, 4, 4, 4]);
        assert_eq!(found.levels[2 * LEVELS..], [3, 0, 1, 2, 4, 4, 4, 4, 4]);
        assert_eq!(found.tokens[0], token("<p"));
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
        assert_eq!(found.tokens[..3], [token("<p"), token("post"), token("body")]);
        // The sign of kelvins is a capital k.
        let capitals = tokens("<p class=ÄÖ_äö_äÖ_\u{212a}\u{212a}_kk>x</p>");
        assert_eq!(capitals.tokens[..3], [token("<p"), token("äö"), token("kk")]);
        assert_eq!(capitals.start[..2], [0, 3]);
        let many = tokens("<my-tag class=aa_bb_cc_dd_ee_ff_gg_hh_ii>x</my-tag>");
        assert_eq!(many.tokens.len(), 2 + MOST_NAMES);
        assert_eq!(many.tokens[1], token("<my-tag"));
    }
}
