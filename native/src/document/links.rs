//! Link targets and addresses of images, and how much of them a document may hold.
#![forbid(unsafe_code)]

use super::steps::count;
use super::tree::{Span, SpanKind};
use crate::addresses::safety::safe_address;
use crate::blocks::characters::strip;
use std::collections::HashMap;
use std::rc::Rc;

/// Bytes of link targets in any document: enough for a list of a thousand linked blocks.
const FREE_BYTES: usize = 100_000;
/// A teaser inside a link has a picture, a headline, a line or two, an author and a date.
const TIMES_REPEATED: usize = 8;

/// The distinct addresses of a document, by number, and a budget for link targets.
///
/// A link around blocks, lines or images is written at each of them, so one long address could grow to any number of
/// megabytes. Links may be repeated a few times on average; beyond that their text is written without the link.
pub struct Links<'a> {
    base: &'a str,
    /// Absolute and safe; the first is empty.
    pub distinct: Vec<Rc<str>>,
    numbers: HashMap<Rc<str>, u32>,
    /// Number of an attribute's value -> number of the address in it. Elements that the parser reopened share values.
    resolved: HashMap<i32, u32>,
    /// By number: whether the page has such a link. Equal ones count once, as parsers reopen misnested links.
    is_counted: Vec<bool>,
    left: usize,
}

impl<'a> Links<'a> {
    /// No address yet; relative ones start from a base.
    pub fn new(base: &'a str) -> Self {
        Links {
            base,
            distinct: vec!["".into()],
            numbers: HashMap::new(),
            resolved: HashMap::new(),
            is_counted: vec![true],
            left: FREE_BYTES,
        }
    }

    /// The number of an address, given the value it is written in; 0 if it is not safe.
    pub fn number_of(&mut self, value: i32, written: &str) -> u32 {
        if let Some(&number) = self.resolved.get(&value) {
            return number;
        }
        let number = self.number_of_written(written);
        self.resolved.insert(value, number);
        number
    }

    /// The number of an address as it is written; 0 if it is not safe.
    pub fn number_of_written(&mut self, written: &str) -> u32 {
        let written = strip(written);
        let address = if written.is_empty() { String::new() } else { safe_address(written, self.base) };
        self.number_of_resolved(address)
    }

    /// The number of an absolute address.
    fn number_of_resolved(&mut self, address: String) -> u32 {
        if address.is_empty() {
            return 0;
        }
        let address: Rc<str> = address.into();
        let next = self.distinct.len() as u32;
        let number = *self.numbers.entry(Rc::clone(&address)).or_insert(next);
        if number == next {
            self.distinct.push(address);
            self.is_counted.push(false);
        }
        number
    }

    /// The number of a link target; raises the budget by what it may be repeated.
    pub fn add(&mut self, value: i32, written: &str) -> u32 {
        let number = self.number_of(value, written);
        self.counted(number)
    }

    /// A link target; raises the budget by what it may be repeated.
    pub fn counted(&mut self, number: u32) -> u32 {
        if !std::mem::replace(&mut self.is_counted[number as usize], true) {
            self.left += TIMES_REPEATED * self.distinct[number as usize].len();
        }
        number
    }

    /// The link, if it is within the budget, which it spends; else 0.
    pub fn taken(&mut self, link: u32) -> u32 {
        match self.left.checked_sub(self.distinct[link as usize].len()) {
            Some(left) => {
                self.left = left;
                link
            }
            None => 0,
        }
    }

    /// Drops links of spans that exceed the budget. Adjacent spans share a link; images have asked before.
    pub fn bound(&mut self, spans: &mut [Span]) {
        count(spans.len());
        let (mut before, mut has_room) = (0, true);
        for span in spans {
            let link = span.marks.link;
            let is_image = span.kind == SpanKind::Image;
            if link != 0 && link != before && !is_image {
                has_room = self.taken(link) != 0;
            }
            if !has_room && !is_image {
                span.marks.link = 0;
            }
            before = link;
        }
    }
}
