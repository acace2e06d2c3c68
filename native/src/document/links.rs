//! Link targets and addresses of images, and how much of them a document may hold.
#![forbid(unsafe_code)]

use super::steps::count;
use super::tree::{Span, SpanKind};
use crate::blocks::page_view::StringList;
use std::collections::HashMap;

/// Bytes of link targets in any document: enough for a list of a thousand linked blocks.
const FREE_BYTES: usize = 100_000;
/// A teaser inside a link has a picture, a headline, a line or two, an author and a date.
const TIMES_REPEATED: usize = 8;

/// Absolute, safe addresses of values of attributes, which Python resolves: it is the one place that decides on them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Addresses<'a> {
    /// Numbers of values, in order.
    pub value: &'a [i32],
    /// What each stands for; empty if following it could do harm.
    pub resolved: StringList<'a>,
}

impl<'a> Addresses<'a> {
    /// The address that a value stands for; empty for none.
    pub fn get(&self, value: i32) -> &'a str {
        self.value.binary_search(&value).map_or("", |index| self.resolved.get(index))
    }
}

/// The distinct addresses of a document, by number, and a budget for link targets.
///
/// A link around blocks, lines or images is written at each of them, so one long address could grow to any number of
/// megabytes. Links may be repeated a few times on average; beyond that their text is written without the link.
pub struct Links<'a> {
    /// The first is empty.
    pub distinct: Vec<&'a str>,
    numbers: HashMap<&'a str, u32>,
    /// By number: whether the page has such a link. Equal ones count once, as parsers reopen misnested links.
    is_counted: Vec<bool>,
    left: usize,
}

impl Default for Links<'_> {
    /// No address yet.
    fn default() -> Self {
        Links { distinct: vec![""], numbers: HashMap::new(), is_counted: vec![true], left: FREE_BYTES }
    }
}

impl<'a> Links<'a> {
    /// The number of an address; 0 for none.
    pub fn number_of(&mut self, address: &'a str) -> u32 {
        if address.is_empty() {
            return 0;
        }
        let next = self.distinct.len() as u32;
        let number = *self.numbers.entry(address).or_insert(next);
        if number == next {
            self.distinct.push(address);
            self.is_counted.push(false);
        }
        number
    }

    /// The number of a link target; raises the budget by what it may be repeated.
    pub fn add(&mut self, address: &'a str) -> u32 {
        let number = self.number_of(address);
        if !std::mem::replace(&mut self.is_counted[number as usize], true) {
            self.left += TIMES_REPEATED * address.len();
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
