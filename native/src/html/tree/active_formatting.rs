//! The list of active formatting elements: `<b>`, `<i>` and the like, which are reopened where they were left open.

#![forbid(unsafe_code)]

use super::document::{NodeId, NONE};
use super::start_tag::StartTag;
use crate::html::names::tag_name;
use crate::html::tags::{is, Tag, PILES_UP};
use crate::html::tokenizer::{Source, Tokenizer};

/// Equal elements that may be in the list ("Noah's Ark clause").
const MOST_EQUAL: usize = 3;

/// A formatting element in the list, or a marker, beyond which it is not searched.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub node: NodeId,
    pub start: StartTag,
    /// Equal for elements of equal attributes; nothing until elements of its tag pile up, which few do.
    pub fingerprint: Option<u64>,
}

impl Entry {
    pub fn new(node: NodeId, start: StartTag) -> Self {
        Self { node, start, fingerprint: None }
    }

    fn marker() -> Self {
        Self::new(NONE, StartTag::bare(0))
    }

    pub fn is_marker(&self) -> bool {
        self.node == NONE
    }
}

/// The list. Searches end at the last marker. An element is listed only when it is opened, with all before it back to the
/// marker, so there are never more entries after the marker than elements may be open.
#[derive(Default)]
pub(super) struct ActiveFormatting {
    pub entries: Vec<Entry>,
}

impl ActiveFormatting {
    pub fn add_marker(&mut self) {
        self.entries.push(Entry::marker());
    }

    /// Forget everything back to the last marker, and the marker.
    pub fn clear_to_marker(&mut self) {
        while let Some(entry) = self.entries.pop() {
            if entry.is_marker() {
                return;
            }
        }
    }

    /// The entries after the last marker, the last first, with their positions.
    pub fn recent(&self) -> impl Iterator<Item = (usize, &Entry)> {
        self.entries.iter().enumerate().rev().take_while(|(_, entry)| !entry.is_marker())
    }

    /// Whether the last entry is a node of this tag.
    pub fn ends_with(&self, tag: Tag, node: NodeId) -> bool {
        matches!(self.entries.last(), Some(last) if last.node == node && last.start.tag == tag)
    }

    /// Forget the last entry.
    pub fn pop(&mut self) {
        self.entries.pop();
    }

    /// Where the last element of a tag is.
    pub fn find_tag(&self, tag: Tag) -> Option<usize> {
        self.recent().find(|(_, entry)| entry.start.tag == tag).map(|(index, _)| index)
    }

    /// Where a node is.
    pub fn find_node(&self, node: NodeId) -> Option<usize> {
        self.recent().find(|(_, entry)| entry.node == node).map(|(index, _)| index)
    }

    pub fn get(&self, index: usize) -> &Entry {
        &self.entries[index]
    }

    pub fn set_node(&mut self, index: usize, node: NodeId) {
        self.entries[index].node = node;
    }

    pub fn remove(&mut self, index: usize) {
        self.entries.remove(index);
    }

    pub fn insert(&mut self, index: usize, entry: Entry) {
        self.entries.insert(index, entry);
    }

    /// Add an element; of more than three equal ones the first is forgotten. Returns the entries looked at.
    pub fn add(&mut self, entry: Entry, source: &Source) -> usize {
        let (mut searched, mut of_its_tag) = (0, 0);
        for (_, other) in self.recent() {
            searched += 1;
            of_its_tag += usize::from(entry.start.tag == other.start.tag);
        }
        self.entries.push(entry);
        if of_its_tag < MOST_EQUAL {
            return searched;
        }
        self.forget_surplus(self.entries.len() - 1 - searched, source);
        2 * searched
    }

    /// Forget the first of more than three elements that are equal to the last one, given where the search ends.
    #[inline(never)]
    fn forget_surplus(&mut self, first: usize, source: &Source) {
        let last = self.entries.len() - 1;
        let tag = self.entries[last].start.tag;
        let of_its_tag = self.entries[first..].iter_mut().filter(|entry| entry.start.tag == tag);
        for entry in of_its_tag {
            entry.fingerprint.get_or_insert_with(|| fingerprint(&entry.start, source));
        }
        let is_equal = |one: &Entry| one.start.tag == tag && one.fingerprint == self.entries[last].fingerprint;
        let surplus = (first..last).rev().filter(|&index| is_equal(&self.entries[index])).nth(MOST_EQUAL - 1);
        if let Some(index) = surplus {
            self.entries.remove(index);
        }
    }

    /// Where the entries start that must be reopened: those after the last one that is open, or marker.
    pub fn first_closed(&self, is_open: impl Fn(NodeId) -> bool) -> usize {
        self.recent()
            .find(|(_, entry)| is_open(entry.node))
            .map_or_else(|| self.entries.len() - self.recent().count(), |(index, _)| index + 1)
    }
}

/// A number that is equal for tags of equal attributes, in whatever order they are written. Those of `<a>` and `<nobr>`,
/// which close the one before, do not count.
fn fingerprint(start: &StartTag, source: &Source) -> u64 {
    if start.attributes_start == 0 || !is(start.tag, PILES_UP) {
        return 0;
    }
    let tokenizer = Tokenizer::of_source(source);
    let attributes = tokenizer.attributes_from(start.attributes_start as usize);
    if attributes.is_empty() {
        return 0;
    }
    let mut characters = String::new();
    let mut values: Vec<(u64, u64)> = Vec::with_capacity(attributes.len());
    for attribute in &attributes {
        tag_name(tokenizer.written(&attribute.name), &mut characters);
        let name = hash(0, characters.as_bytes());
        characters.clear();
        tokenizer.add_value(attribute, &mut characters);
        values.push((name, hash(name, characters.as_bytes())));
    }
    // Of equal names the first counts: the sort is stable.
    values.sort_by_key(|(name, _)| *name);
    values.dedup_by_key(|(name, _)| *name);
    // Never that of a tag without attributes.
    values.iter().fold(0, |sum: u64, (_, value)| sum.wrapping_add(*value)) | 1
}

/// FNV-1a.
fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let start = 0xCBF2_9CE4_8422_2325 ^ seed;
    bytes.iter().fold(start, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}
