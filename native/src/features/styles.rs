//! Numbers for elements that look or are named alike: equal tags and equal values of some attributes.
#![forbid(unsafe_code)]

use super::numbering::{Hashing, Numbering};
use crate::blocks::page_view::PageView;
use crate::blocks::segmentation::Segments;
use crate::blocks::tags::{attribute, TAGS};

const NOT_NUMBERED: u32 = u32::MAX;
/// Values of attributes for each different one that names an element, on most pages.
const VALUES_A_NUMBER: usize = 4;
/// Different ones for which there is room from the beginning, at most.
const MOST_ROOM: usize = 1024;

/// The elements of a page as sequences: a tag, then values of attributes. Equal sequences have equal numbers.
///
/// Sequences form a tree of which tags are the roots, so a pair of numbers identifies each: that of the sequence
/// without its last value, and that of the value.
pub struct Styles<'a> {
    page: &'a PageView<'a>,
    hashing: Hashing,
    values: Numbering<&'a str>,
    /// One entry per value of the page, of which several may be equal.
    number_of_value: Vec<u32>,
    sequences: Numbering<(u32, u32)>,
    /// Tags there may be: numbers of longer sequences follow.
    tags: u32,
}

impl<'a> Styles<'a> {
    /// No element is numbered yet.
    pub fn new(page: &'a PageView<'a>, hashing: Hashing) -> Self {
        let room = (page.values.len() / VALUES_A_NUMBER).min(MOST_ROOM);
        Styles {
            page,
            hashing,
            values: Numbering::with_room_for(room),
            number_of_value: vec![NOT_NUMBERED; page.values.len()],
            sequences: Numbering::with_room_for(room),
            tags: (TAGS.len() + page.other_tags.len()) as u32,
        }
    }

    /// How many numbers there will be about, those of all tags included.
    pub fn expected(&self) -> usize {
        self.tags as usize + self.sequences.room()
    }

    /// How many numbers there are so far, those of all tags included.
    pub fn numbers(&self) -> usize {
        self.tags as usize + self.sequences.len()
    }

    /// The number of a tag followed by the values of some attributes.
    pub fn number_of(&mut self, tag: i32, attributes: impl Iterator<Item = usize>) -> u32 {
        attributes.fold(tag as u32, |before, attribute| {
            let pair = (before, self.number_of_value(attribute));
            self.tags + self.sequences.number_of(pair, self.hashing.of_pair(pair))
        })
    }

    /// The number of the value of an attribute.
    fn number_of_value(&mut self, attribute: usize) -> u32 {
        let place = self.page.attribute_value[attribute] as usize;
        if self.number_of_value[place] == NOT_NUMBERED {
            let value = self.page.values.get(place);
            self.number_of_value[place] = self.values.number_of(value, self.hashing.of_text(value));
        }
        self.number_of_value[place]
    }

    /// The number of the tag and the class of a row.
    fn number_with_class(&mut self, row: usize) -> u32 {
        let page = self.page;
        let class = page.attributes(row).rev().find(|&index| page.attribute_name[index] == attribute::CLASS);
        self.number_of(page.tag[row], class.into_iter())
    }

    /// One entry per block: blocks whose elements, and the elements around these, have the same tags and classes get
    /// the same number.
    pub fn looks(&mut self, segments: &Segments) -> Vec<u32> {
        let mut looks = Numbering::with_room_for(segments.len() / 4);
        let mut previous = (-1, 0);
        // Siblings follow each other: their parent is looked up once.
        let mut of_parent = (usize::MAX, 0);
        let mut numbers = Vec::with_capacity(segments.len());
        for &owner in &segments.owner {
            if owner != previous.0 {
                let row = owner.max(0) as usize;
                let parent = self.page.parent[row].max(0) as usize;
                let own = self.number_with_class(row);
                if parent != of_parent.0 {
                    of_parent = (parent, self.number_with_class(parent));
                }
                let pair = (own, of_parent.1);
                previous = (owner, looks.number_of(pair, self.hashing.of_pair(pair)));
            }
            numbers.push(previous.1);
        }
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::segmentation::segment;
    use crate::blocks::written_pages::WrittenPage;

    #[test]
    fn blocks_look_alike_if_tags_and_classes_agree() {
        let page = WrittenPage::new(
            "<div><p class=x>1</p><p class=x>2</p><p>3</p><p class=>4</p></div>\
             <ul><p class=x>5</p></ul><div><p>6</p></div>",
        );
        let view = page.view();
        let looks = Styles::new(&view, Hashing::new()).looks(&segment(&view));
        assert_eq!(looks, [0, 0, 1, 2, 3, 1]);
    }
}
