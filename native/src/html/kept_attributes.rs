//! The attributes of a page while it is read: those that it keeps, and their values.
//!
//! A page has most of its classes and styles many times. Equal ones share a number, as far as they are remembered, so that
//! whoever finds out something about a value need not do so again.

#![forbid(unsafe_code)]

use super::attributes::{AttributeCode, CLASS, STYLE};
use std::ops::Range;

/// Values that are remembered while a page is read: enough for nine in ten of those that a page repeats.
const REMEMBERED: usize = 256;
/// The number of no value.
const NONE: u32 = u32::MAX;

/// An attribute that the page keeps, and which of the values it has.
#[derive(Clone, Copy)]
pub struct KeptAttribute {
    /// Which one it is.
    pub code: AttributeCode,
    /// The number of its value.
    pub value: u32,
}

/// The kept attributes of all tags.
pub struct KeptAttributes {
    /// In the order of the tags; an element has a range of them.
    pub list: Vec<KeptAttribute>,
    /// The values, one after the other.
    pub values: String,
    /// Where each value ends.
    pub value_ends: Vec<i64>,
    /// The numbers of classes and styles, each in its slot: others with the same slot take theirs.
    remembered: Box<[u32; REMEMBERED]>,
}

impl KeptAttributes {
    /// None, with room for those of a page of so many bytes.
    pub fn for_page(size: usize) -> Self {
        Self {
            // Typical pages have a fifth of their bytes in values, and few more than half.
            list: Vec::with_capacity(size / 64),
            values: String::with_capacity(size / 2),
            value_ends: Vec::with_capacity(size / 64),
            remembered: Box::new([NONE; REMEMBERED]),
        }
    }

    /// Where those that are added next begin.
    #[inline]
    pub fn end(&self) -> u32 {
        self.list.len() as u32
    }

    /// Keep an attribute whose value has just been added to `values`.
    #[inline]
    pub fn keep(&mut self, code: AttributeCode) {
        let value = if matches!(code, CLASS | STYLE) { self.number_repeated() } else { self.number_new() };
        self.list.push(KeptAttribute { code, value });
    }

    /// A number for the value that has just been added.
    #[inline]
    fn number_new(&mut self) -> u32 {
        let number = self.value_ends.len() as u32;
        self.value_ends.push(self.values.len() as i64);
        number
    }

    /// The same, or that of an equal value, which then serves for both.
    #[inline(never)]
    fn number_repeated(&mut self) -> u32 {
        let start = self.value_ends.last().map_or(0, |&end| end as usize);
        let value = &self.values.as_bytes()[start..];
        let slot = slot_of(value) % REMEMBERED;
        let number = self.remembered[slot];
        // Values may have been forgotten.
        if (number as usize) < self.value_ends.len() && self.value(number) == value {
            self.values.truncate(start);
            return number;
        }
        self.remembered[slot] = self.number_new();
        self.remembered[slot]
    }

    /// Whether an attribute is among the last ones, from some on.
    #[inline(never)]
    pub fn has_since(&self, first: u32, code: AttributeCode) -> bool {
        self.list[first as usize..].iter().any(|attribute| attribute.code == code)
    }

    /// Forget the last ones, from some on, and the values that were added with them, again from some on.
    pub fn truncate(&mut self, length: u32, values: usize) {
        self.list.truncate(length as usize);
        self.value_ends.truncate(values);
        self.values.truncate(self.value_ends.last().map_or(0, |&end| end as usize));
    }

    /// Those in a range.
    #[inline]
    pub fn within(&self, range: (u32, u32)) -> &[KeptAttribute] {
        &self.list[range.0 as usize..range.1 as usize]
    }

    /// The bytes of the value of one attribute in a range.
    pub fn value_of(&self, range: (u32, u32), code: AttributeCode) -> Option<&[u8]> {
        let attribute = self.within(range).iter().find(|attribute| attribute.code == code)?;
        Some(self.value(attribute.value))
    }

    /// The bytes of one of the values.
    #[inline]
    pub fn value(&self, number: u32) -> &[u8] {
        &self.values.as_bytes()[self.place_of_value(number)]
    }

    /// Where one of the values begins and ends in `values`.
    #[inline]
    pub fn place_of_value(&self, number: u32) -> Range<usize> {
        let start = number.checked_sub(1).map_or(0, |before| self.value_ends[before as usize]);
        start as usize..self.value_ends[number as usize] as usize
    }

    /// Add copies of those in a range, and of those in another one that are none of them; nothing if there are none of these.
    pub fn add_united(&mut self, own: (u32, u32), given: (u32, u32)) -> Option<(u32, u32)> {
        let is_missing = |one: &KeptAttribute| self.within(own).iter().all(|kept| kept.code != one.code);
        let missing: Vec<KeptAttribute> = self.within(given).iter().copied().filter(is_missing).collect();
        if missing.is_empty() {
            return None;
        }
        let start = self.end();
        self.list.extend_from_within(own.0 as usize..own.1 as usize);
        self.list.extend(missing);
        Some((start, self.end()))
    }
}

/// A number of a value, by its length, both ends and its middle: enough to tell the classes of one page apart.
#[inline]
pub fn slot_of(value: &[u8]) -> usize {
    match value {
        [first, .., last] => {
            let middle = value[value.len() / 2];
            value.len() + 3 * usize::from(*first) + 5 * usize::from(middle) + 9 * usize::from(*last)
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use crate::columns::Limits;
    use crate::html::read;

    #[test]
    fn those_of_a_tag_that_never_ends_are_forgotten() {
        for unfinished in ["<p class=b", "<p class=b id='c", "<p class=b title", "</p id=b"] {
            let page = read(&format!("<p id=a>x{unfinished}"), &Limits::default());
            assert_eq!((page.values.as_str(), page.value_end.as_slice()), ("a", &[1_i64][..]), "{unfinished}");
            assert_eq!((page.attribute_name.len(), page.attribute_value.len()), (1, 1), "{unfinished}");
        }
    }

    #[test]
    fn end_tags_keep_none_and_of_equal_names_the_first_counts() {
        let page = read("<p id=a ID=b class='c' id=d>x</p id=e>", &Limits::default());
        assert_eq!((page.values.as_str(), page.value_end), ("ac", vec![1, 2]));
    }

    #[test]
    fn equal_classes_and_styles_share_a_value() {
        let page = read("<p class='a b' style=c id=e><i class='a b' id=e style=c><b class='a c'>", &Limits::default());
        assert_eq!((page.values.as_str(), page.value_end.as_slice()), ("a bceea c", &[3, 4, 5, 6, 9][..]));
        assert_eq!(page.attribute_value, [0, 1, 2, 0, 3, 1, 4]);
    }

    #[test]
    fn values_are_what_was_written_however_many_there_are() {
        // More than are remembered, many with the same slot, and each of them twice.
        let value = |index: usize| {
            let number = index / 2;
            format!("{}{}{}", number % 7, "x".repeat(number % 5), number % 300)
        };
        let html: String = (0..2000).map(|index| format!("<p class='{}'>", value(index))).collect();
        let page = read(&html, &Limits::default());
        let view = page.view();
        let classes: Vec<&str> = (0..2000).map(|index| view.value_of(index)).collect();
        assert_eq!(classes, (0..2000).map(value).collect::<Vec<_>>());
        assert_eq!(page.value_end.len(), 1000);
    }

    #[test]
    fn values_of_a_tag_that_never_ends_may_be_those_of_others() {
        let page = read("<p class=a id=b>x<p class=a id=c style=a", &Limits::default());
        assert_eq!((page.values.as_str(), page.value_end.as_slice()), ("ab", &[1, 2][..]));
        assert_eq!(page.attribute_value, [0, 1]);
    }
}
