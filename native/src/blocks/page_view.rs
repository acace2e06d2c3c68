//! A page as the reader left it: borrowed columns, one entry per row unless said otherwise.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::characters::beginning;
use super::tags::{attribute, TAGS};
use crate::stopping::may_stop;

/// Numbers of a column that are compared at once while one is looked for.
const STRETCH: usize = 32;
/// Characters of the classes of an element that are read: the longest of 20,000 pages have 7,800.
const LONGEST_CLASSES: usize = 8_192;

/// Strings one after the other in one buffer.
#[derive(Clone, Copy, Debug, Default)]
pub struct StringList<'a> {
    /// All of them.
    pub text: &'a str,
    /// One entry per string: where it ends, in bytes.
    pub end: &'a [i64],
}

impl<'a> StringList<'a> {
    /// One of the strings.
    pub fn get(&self, index: usize) -> &'a str {
        let begin = if index == 0 { 0 } else { self.end[index - 1] };
        &self.text[begin as usize..self.end[index] as usize]
    }

    /// The bytes of one of them: to look at these takes a third of the time where none of them is told as a character.
    #[inline]
    pub fn bytes(&self, index: usize) -> &'a [u8] {
        let begin = if index == 0 { 0 } else { self.end[index - 1] };
        &self.text.as_bytes()[begin as usize..self.end[index] as usize]
    }

    /// The number of strings.
    pub fn len(&self) -> usize {
        self.end.len()
    }

    /// Whether there are no strings.
    pub fn is_empty(&self) -> bool {
        self.end.is_empty()
    }
}

/// The n rows of a page: an element or a text each, in document order. A subtree is a slice of rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageView<'a> {
    /// Position in `TAGS`, 0 for text; from `TAGS.len()` up, position in `other_tags`.
    pub tag: &'a [i32],
    /// The sets of tags that the tag belongs to, `tags::set`.
    pub flags: &'a [u16],
    /// Row of the parent, always an earlier one; -1 for the root.
    pub parent: &'a [i32],
    /// One past the last row of the subtree.
    pub subtree_end: &'a [i32],
    /// Number of ancestors.
    pub depth: &'a [i32],
    /// All character data, without NUL. A `<br>` contains a vertical tab.
    pub text: &'a str,
    /// Where the text of the subtree begins, in bytes: that of a text row ends where that of the next row begins.
    pub text_start: &'a [i64],
    /// Characters of a text without the white space around it; 0 for elements.
    pub text_length: &'a [i32],
    /// Not 0 if a browser does not show the row.
    pub hidden: &'a [u8],
    /// n + 1 entries: where the attributes of each row begin.
    pub attribute_start: &'a [i32],
    /// One entry per attribute: which one it is.
    pub attribute_name: &'a [u8],
    /// One entry per attribute: which of the values it has.
    pub attribute_value: &'a [i32],
    /// Values of attributes.
    pub values: StringList<'a>,
    /// Names of tags outside the table.
    pub other_tags: StringList<'a>,
}

impl<'a> PageView<'a> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.tag.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.tag.is_empty()
    }

    /// Whether a row is a text.
    pub fn is_text(&self, row: usize) -> bool {
        self.tag[row] == 0
    }

    /// Whether the tag of a row is in a set.
    pub fn is_in(&self, row: usize, set: u16) -> bool {
        self.flags[row] & set != 0
    }

    /// The text from one text row to another, as it was written.
    pub fn text_between(&self, first: usize, last: usize) -> &'a str {
        &self.text[self.text_start[first] as usize..self.text_end(last)]
    }

    /// Where the text of a text row ends, in bytes.
    pub fn text_end(&self, row: usize) -> usize {
        self.text_start.get(row + 1).map_or(self.text.len(), |&start| start as usize)
    }

    /// The attributes of a row.
    pub fn attributes(&self, row: usize) -> Range<usize> {
        self.attribute_start[row] as usize..self.attribute_start[row + 1] as usize
    }

    /// The row that has an attribute.
    pub fn row_of_attribute(&self, attribute: usize) -> usize {
        self.attribute_start.partition_point(|&start| start as usize <= attribute) - 1
    }

    /// The text of a whole subtree, as it was written.
    pub fn text_within(&self, row: usize) -> &'a str {
        let end = self.text_start.get(self.subtree_end[row] as usize).map_or(self.text.len(), |&start| start as usize);
        &self.text[self.text_start[row] as usize..end]
    }

    /// An element and all rows inside.
    pub fn rows_within(&self, row: usize) -> std::ops::Range<usize> {
        row..self.subtree_end[row] as usize
    }

    /// An attribute of a row, the last one if there are several.
    pub fn attribute(&self, row: usize, name: u8) -> Option<usize> {
        self.attributes(row).rev().find(|&index| self.attribute_name[index] == name)
    }

    /// The value of an attribute of a row, the last one if there are several. Of many classes only the first: they are read
    /// again for what is inside.
    pub fn value(&self, row: usize, name: u8) -> Option<&'a str> {
        let value = self.value_of(self.attribute(row, name)?);
        Some(if name == attribute::CLASS { beginning(value, LONGEST_CLASSES) } else { value })
    }

    /// The value of an attribute.
    pub fn value_of(&self, attribute: usize) -> &'a str {
        self.values.get(self.attribute_value[attribute] as usize)
    }

    /// The bytes of the value of an attribute.
    #[inline]
    pub fn bytes_of(&self, attribute: usize) -> &'a [u8] {
        self.values.bytes(self.attribute_value[attribute] as usize)
    }

    /// All attributes of a name, in document order.
    pub fn attributes_named(&self, name: u8) -> impl Iterator<Item = usize> + 'a {
        let names = self.attribute_name;
        std::iter::successors(find(names, 0, name), move |&index| find(names, index + 1, name))
    }

    /// All elements of a tag, in document order.
    pub fn rows_of(&self, tag: i32) -> impl Iterator<Item = usize> + 'a {
        let tags = self.tag;
        std::iter::successors(find(tags, 0, tag), move |&row| find(tags, row + 1, tag))
    }

    /// All elements whose tags are in a set, in document order.
    pub fn rows_in(&self, set: u16) -> impl Iterator<Item = usize> + 'a {
        let flags = self.flags;
        let find_from = move |from: usize| find_by(flags, from, |flags| flags & set != 0);
        std::iter::successors(find_from(0), move |&row| find_from(row + 1))
    }

    /// Whether there is an element of a tag.
    pub fn has_tag(&self, tag: i32) -> bool {
        find(self.tag, 0, tag).is_some()
    }

    /// The sets of tags that have an element on the page.
    pub fn sets(&self) -> u16 {
        self.flags.iter().fold(0, |sets, flags| sets | flags)
    }

    /// The name of a tag.
    pub fn tag_name(&self, tag: i32) -> &'a str {
        match TAGS.get(tag as usize) {
            Some(name) => name,
            None => self.other_tags.get(tag as usize - TAGS.len()),
        }
    }

    /// The elements around a row, closest first.
    pub fn ancestors(&self, row: usize) -> impl Iterator<Item = usize> + 'a {
        let parent = self.parent;
        let above = move |row: usize| usize::try_from(parent[row]).ok();
        std::iter::successors(above(row), move |&row| above(row))
    }

    /// For each row, the closest row at or above it that is wanted; -1 where there is none.
    pub fn closest(&self, wanted: impl Fn(usize) -> bool) -> Vec<i32> {
        may_stop();
        let mut closest = vec![-1; self.parent.len()];
        for (row, &parent) in self.parent.iter().enumerate() {
            closest[row] = if wanted(row) { row as i32 } else { entry(&closest, parent) };
        }
        closest
    }

    /// For each row, whether it or a row above it is wanted.
    pub fn enclosed(&self, wanted: impl Fn(usize) -> bool) -> Vec<bool> {
        may_stop();
        let mut enclosed = vec![false; self.len()];
        for row in 0..self.len() {
            enclosed[row] = wanted(row) || (self.parent[row] >= 0 && enclosed[self.parent[row] as usize]);
        }
        enclosed
    }
}

/// The first place from one on that holds a number.
#[inline]
fn find<Number: Copy + PartialEq>(column: &[Number], from: usize, wanted: Number) -> Option<usize> {
    find_by(column, from, |number| number == wanted)
}

/// The first place from one on that holds a number that is wanted.
#[inline]
fn find_by<Number: Copy>(column: &[Number], from: usize, is_wanted: impl Fn(Number) -> bool) -> Option<usize> {
    // Nothing is asked amid a stretch, so that the compiler compares several numbers at once.
    let is_among = |stretch: &[Number]| stretch.iter().fold(false, |found, &number| found | is_wanted(number));
    let mut start = from;
    while let Some(stretch) = column.get(start..start + STRETCH) {
        if is_among(stretch) {
            break;
        }
        start += STRETCH;
    }
    column.get(start..)?.iter().position(|&number| is_wanted(number)).map(|place| start + place)
}

/// The entry of a row in a column of rows; -1 for no row.
pub fn entry(column: &[i32], row: i32) -> i32 {
    if row < 0 {
        -1
    } else {
        column[row as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_any_stretch() {
        for size in 0..3 * STRETCH {
            let column: Vec<u8> = (0..size).map(|place| (place % 40) as u8).collect();
            for from in 0..=size {
                let naive = (from..size).find(|&place| column[place] == 7);
                assert_eq!(find(&column, from, 7), naive, "{size} {from}");
            }
        }
    }

    #[test]
    fn attributes_of_a_name_in_order() {
        let names = [3, 1, 3, 2, 3].repeat(20);
        let page = PageView { attribute_name: &names, ..PageView::default() };
        let naive: Vec<usize> = (0..names.len()).filter(|&index| names[index] == 3).collect();
        assert_eq!(page.attributes_named(3).collect::<Vec<_>>(), naive);
        assert_eq!(page.attributes_named(9).next(), None);
    }
}
