//! Footnotes: short links to a part of the same page, and the parts they link to.
//!
//! A link is a footnote reference if it is declared as one (`role=doc-noteref`), superscript, or in brackets, and its text
//! looks like one. Its target is a note if it is a small, kept part of the page, is no heading, and starts after the
//! reference; this excludes the targets of back links. Back links from a note to its reference are not shown, nor is the
//! mark at the start of a note: its label replaces it.
#![forbid(unsafe_code)]

use super::footnote_marks::{mark_of, text_of};
use super::groups::groups;
use super::source::Source;
use super::steps::count;
use crate::blocks::characters::property_of;
use crate::blocks::kinds::kind;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of, set};
use crate::html::attributes::code_of;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

const HREF: u8 = code_of("href");
const LINK: i32 = number_of("a");
/// Characters of a link back to the reference: an arrow, or a number.
const LONGEST_BACK_LINK: usize = 8;
/// Blocks of one note. A link to more is a link to a section.
const MOST_BLOCKS: usize = 12;

/// A footnote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundNote {
    /// What references show, different for each note.
    pub label: String,
    /// The page's own mark, without brackets.
    pub mark: String,
    /// Its blocks, in order.
    pub blocks: Vec<usize>,
}

/// The footnotes of a page; rows are those of `<a>` elements.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// In the order of the references.
    pub found: Vec<FoundNote>,
    /// Row of a reference -> number of its note.
    pub references: HashMap<usize, usize>,
    /// Rows of links from notes to references.
    pub back_links: Vec<usize>,
}

/// A link within the page.
struct Link<'a> {
    row: usize,
    /// The id it points to.
    target: Cow<'a, str>,
}

/// The footnotes among the kept blocks.
pub fn find_notes(source: &Source) -> Notes {
    let first = source.kept().next().map(|block| source.rows(block).0);
    let last = source.kept().map(|block| source.rows(block).1).max();
    let (first, last) = match (first, last) {
        (Some(first), Some(last)) => (source.page.parent[first].max(0) as usize, last),
        _ => return Notes::default(),
    };
    let links = links_within(source, first, last);
    let marks: Vec<(usize, String)> =
        links.iter().enumerate().filter_map(|(number, link)| Some((number, mark_of(source.page, link.row)?))).collect();
    if marks.is_empty() {
        return Notes::default();
    }
    Finder::new(source, &links).notes(&marks)
}

/// Resolves references to notes.
struct Finder<'a> {
    source: &'a Source<'a>,
    links: &'a [Link<'a>],
    rows_of_ids: HashMap<&'a str, usize>,
    /// Blocks by their first row: the hidden text of a block follows its visible text, but may begin before it.
    order: Vec<usize>,
}

impl<'a> Finder<'a> {
    /// Notes that some links lead to.
    fn new(source: &'a Source<'a>, links: &'a [Link<'a>]) -> Self {
        let mut order: Vec<usize> = (0..source.blocks.segments.len()).collect();
        order.sort_by_key(|&block| source.rows(block).0);
        Finder { source, links, rows_of_ids: rows_of_ids(source.page), order }
    }

    /// The notes of references: numbers of links, and their marks.
    fn notes(&self, marks: &[(usize, String)]) -> Notes {
        let mut notes = Notes::default();
        let mut note_of_part: HashMap<i32, usize> = HashMap::new();
        let mut taken: HashSet<usize> = HashSet::new();
        let mut labels = Labels::new(marks.iter().map(|(_, mark)| label_like(mark)));
        let closest_block = self.source.page.closest(|row| self.source.page.is_in(row, set::BLOCK));
        for (number, mark) in marks {
            let link = &self.links[*number];
            let part = self.rows_of_ids.get(&*link.target).map_or(-1, |&row| closest_block[row]);
            let note = match note_of_part.get(&part) {
                Some(&note) => note,
                None => {
                    let blocks = self.blocks_of(part, link.row);
                    if blocks.is_empty() || blocks.iter().any(|block| taken.contains(block)) {
                        continue;
                    }
                    taken.extend(&blocks);
                    note_of_part.insert(part, notes.found.len());
                    notes.found.push(FoundNote { label: labels.label_for(mark), mark: mark.clone(), blocks });
                    notes.found.len() - 1
                }
            };
            notes.references.insert(link.row, note);
        }
        let parts: Vec<i32> = note_of_part.into_keys().collect();
        notes.back_links = self.back_links(&notes.references, &parts);
        notes
    }

    /// The kept blocks of a part of the page, if it can be a note.
    fn blocks_of(&self, part: i32, mark: usize) -> Vec<usize> {
        if part <= mark as i32 {
            return Vec::new();
        }
        count(MOST_BLOCKS);
        let place = |row: i32| self.order.partition_point(|&block| (self.source.rows(block).0 as i32) < row);
        let inside = place(part)..place(self.source.page.subtree_end[part as usize]);
        if inside.len() > MOST_BLOCKS {
            return Vec::new();
        }
        let mut found: Vec<usize> =
            self.order[inside].iter().copied().filter(|&block| self.source.is_kept(block)).collect();
        found.sort_unstable();
        if found.iter().any(|&block| self.source.kind(block) == kind::HEADING) {
            return Vec::new();
        }
        found
    }

    /// Links in notes that point to an element in, at or around a reference.
    fn back_links(&self, references: &HashMap<usize, usize>, parts: &[i32]) -> Vec<usize> {
        if references.is_empty() {
            return Vec::new();
        }
        let page = self.source.page;
        let mut is_part = vec![false; page.len()];
        for &part in parts {
            is_part[part as usize] = true;
        }
        let closest_part = page.closest(|row| is_part[row]);
        let closest_mark = page.closest(|row| references.contains_key(&row));
        let mut marks: Vec<usize> = references.keys().copied().collect();
        marks.sort_unstable();
        let holds_mark = |row: usize| {
            let first = marks.partition_point(|&mark| mark < row);
            marks.get(first).map_or(false, |&mark| (mark as i32) < page.subtree_end[row])
        };
        let leads_back = |link: &&Link| {
            closest_part[link.row] >= 0
                && !references.contains_key(&link.row)
                && self.rows_of_ids.get(&*link.target).map_or(false, |&aim| closest_mark[aim] >= 0 || holds_mark(aim))
                && text_of(page, link.row).chars().count() <= LONGEST_BACK_LINK
        };
        self.links.iter().filter(leads_back).map(|link| link.row).collect()
    }
}

/// Links within the page among the rows from `first` to `last`.
fn links_within<'a>(source: &Source<'a>, first: usize, last: usize) -> Vec<Link<'a>> {
    let page = source.page;
    let attributes = page.attribute_start[first] as usize..page.attribute_start[last + 1] as usize;
    let mut links = Vec::new();
    for index in attributes.filter(|&index| page.attribute_name[index] == HREF) {
        let value = page.value_of(index);
        if value.starts_with('#') || (!source.own_address.is_empty() && value.starts_with(source.own_address)) {
            let row = page.row_of_attribute(index);
            if page.tag[row] == LINK {
                let target = value.split_once('#').map_or("", |(_, target)| target);
                links.push(Link { row, target: unquoted(target) });
            }
        }
    }
    links
}

/// Id, or name of an anchor, -> row of the first element that has it.
fn rows_of_ids<'a>(page: &PageView<'a>) -> HashMap<&'a str, usize> {
    let mut found = HashMap::new();
    for index in page.attributes_named(attribute::ID) {
        found.entry(page.value_of(index)).or_insert_with(|| page.row_of_attribute(index));
    }
    for index in page.attributes_named(attribute::NAME) {
        let row = page.row_of_attribute(index);
        if page.tag[row] == LINK {
            found.entry(page.value_of(index)).or_insert(row);
        }
    }
    found
}

/// Hands out labels, each once.
struct Labels {
    used: HashSet<String>,
    /// Labels that marks ask for: numbers leave these out.
    wanted: HashSet<String>,
    number: usize,
}

impl Labels {
    /// Before the first label.
    fn new(wanted: impl Iterator<Item = String>) -> Self {
        Labels { used: HashSet::new(), wanted: wanted.collect(), number: 0 }
    }

    /// The mark as a label, or the next number if it cannot be one, or is already used.
    fn label_for(&mut self, mark: &str) -> String {
        let mut label = label_like(mark);
        if label.is_empty() || self.used.contains(&label) {
            label = self.next_number();
        }
        self.used.insert(label.clone());
        label
    }

    /// The next number that no mark asks for.
    fn next_number(&mut self) -> String {
        loop {
            self.number += 1;
            let label = self.number.to_string();
            if !self.wanted.contains(&label) {
                return label;
            }
        }
    }
}

/// A mark as a label: its letters and digits; empty for stars and daggers.
fn label_like(mark: &str) -> String {
    mark.chars().filter(|&character| property_of(character).is_alphanumeric).collect()
}

/// A text with its percent-encoded bytes decoded: those of each run of ASCII by themselves, as Python's `unquote` does.
pub fn unquoted(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut decoded = String::with_capacity(text.len());
    for run in groups(text.as_bytes(), u8::is_ascii).map(|(_, run)| run) {
        decoded.push_str(&String::from_utf8_lossy(&unquoted_bytes(run)));
    }
    Cow::Owned(decoded)
}

/// Bytes with `%41` as `A`; a percent sign before anything else stays.
fn unquoted_bytes(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut place = 0;
    while place < text.len() {
        let digit = |offset: usize| text.get(place + offset).and_then(|&byte| (byte as char).to_digit(16));
        match (text[place], digit(1), digit(2)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((16 * high + low) as u8);
                place += 3;
            }
            (byte, _, _) => {
                bytes.push(byte);
                place += 1;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_encoded_bytes() {
        assert_eq!(unquoted("a%20b%C3%A9%"), "a bé%");
        assert_eq!(unquoted("%zz%4"), "%zz%4");
        assert_eq!(unquoted("é%C3漢%A9"), "é\u{fffd}漢\u{fffd}");
        assert_eq!(unquoted("%e2%82x%ff"), "\u{fffd}x\u{fffd}");
    }

    #[test]
    fn labels_are_unique() {
        let mut labels = Labels::new(["1", "", "1", "b"].iter().map(|mark| mark.to_string()));
        let given: Vec<String> = ["1", "*", "1", "b"].iter().map(|mark| labels.label_for(mark)).collect();
        assert_eq!(given, ["1", "2", "3", "b"]);
    }
}
