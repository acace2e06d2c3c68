//! Footnotes without links: a raised number in the text, and a note below that begins with the same raised number, or is the
//! item of that number in an `<aside>`.
//!
//! Looked for on pages that have no footnotes with links. A raised number may be an exponent, so a note must match it.
#![forbid(unsafe_code)]

use super::code_parts::has_class;
use super::footnote_marks::{bare_mark, text_of};
use super::footnotes::{Finder, FoundNote, Notes, Place};
use super::lists::ItemNumbers;
use super::note_parts::NoteRange;
use super::source::Source;
use super::steps::count;
use super::written_notes::ends_in_unit;
use crate::blocks::characters::{is_space, strip};
use crate::blocks::page_view::{entry, PageView};
use crate::blocks::tags::{number_of, set};
use std::collections::HashMap;

const RAISED: i32 = number_of("sup");
const LINK: i32 = number_of("a");
const ASIDE: i32 = number_of("aside");
const LINE_BREAK: i32 = number_of("br");
const ITEM: i32 = number_of("li");
const ORDERED: i32 = number_of("ol");
/// Classes of parts with notes.
const NOTES: [&str; 4] = ["footnotes", "endnotes", "footnote-list", "footnotes-list"];
/// Letters of a unit before a raised number that makes it a power: `m`, `km`.
const LONGEST_UNIT: usize = 2;
/// Notes of a page without links, at most: anything more is something else.
const MOST_NOTES: usize = 400;

/// A raised mark.
struct Mark {
    row: usize,
    text: String,
    /// Whether nothing is before it in its block-level element.
    begins_block: bool,
}

/// An element that is a note.
struct NotePart {
    row: usize,
    mark: String,
    /// Whether it is in an `<aside>`, which may stand before the text that refers to it.
    is_aside: bool,
}

/// The footnotes among the kept blocks that are not linked.
pub fn find_unlinked_notes(source: &Source) -> Notes {
    let page = source.page;
    let mut notes = Notes::default();
    if !page.has_tag(RAISED) {
        return notes;
    }
    let closest_block = page.closest(|row| page.is_in(row, set::BLOCK));
    let marks = raised_marks(page, &closest_block);
    if marks.iter().all(|mark| mark.begins_block) {
        return notes;
    }
    let parts = parts_of_notes(page, &marks, &closest_block);
    if parts.is_empty() {
        return notes;
    }
    let finder = Finder::new(source, &[]);
    let mut numbers: HashMap<usize, usize> = HashMap::new();
    for mark in marks.iter().filter(|mark| !mark.begins_block) {
        let named = || parts.iter().filter(|part| part.mark == mark.text);
        let behind = named().find(|part| part.row > mark.row);
        let part = match behind.or_else(|| named().rfind(|part| part.is_aside)) {
            Some(part) => part.row,
            None => continue,
        };
        let number = match numbers.get(&part) {
            Some(&number) => number,
            None => {
                let range = NoteRange { part, start: part, end: page.subtree_end[part] as usize };
                let pieces = finder.pieces(&range);
                if pieces.is_empty() || notes.found.iter().any(|note| note.label == mark.text) {
                    continue;
                }
                let place = Place::Apart { part, pieces, mark: None };
                notes.found.push(FoundNote { label: mark.text.clone(), mark: mark.text.clone(), place });
                numbers.insert(part, notes.found.len() - 1);
                notes.found.len() - 1
            }
        };
        notes.references.insert(mark.row, number);
    }
    notes
}

/// The raised numbers of a page that can be marks.
fn raised_marks(page: &PageView, closest_block: &[i32]) -> Vec<Mark> {
    let mut found = Vec::new();
    let mut starts: HashMap<usize, usize> = HashMap::new();
    let mut start_of = |block: usize| {
        let text = &page.text[page.text_start[block] as usize..];
        *starts.entry(block).or_insert_with(|| page.text.len() - text.trim_start_matches(is_space).len())
    };
    for row in page.rows_of(RAISED).filter(|&row| page.hidden[row] == 0) {
        let text = text_of(page, row);
        let number = bare_mark(&text).filter(|mark| mark.bytes().all(|byte| byte.is_ascii_digit()));
        let parent = page.parent[row].max(0) as usize;
        let is_linked = page.tag[parent] == LINK || page.tag[row..page.subtree_end[row] as usize].contains(&LINK);
        if let (Some(number), false) = (number, is_linked) {
            let block = closest_block[row].max(0) as usize;
            let before = &page.text[page.text_start[block] as usize..page.text_start[row] as usize];
            count(LONGEST_UNIT);
            let begins_block = start_of(block) >= page.text_start[row] as usize;
            if begins_block || !ends_in_unit(before) {
                found.push(Mark { row, text: number.to_string(), begins_block });
            }
        }
    }
    found.truncate(MOST_NOTES);
    found
}

/// The elements that are notes, in order: blocks that begin with a mark, and items in an `<aside>`.
fn parts_of_notes(page: &PageView, marks: &[Mark], closest_block: &[i32]) -> Vec<NotePart> {
    let mut found: Vec<NotePart> = Vec::new();
    for mark in marks.iter().filter(|mark| mark.begins_block) {
        let block = closest_block[mark.row].max(0) as usize;
        let has_more = strip(page.text_within(block)).len() > mark.text.len() + LONGEST_UNIT;
        // Several notes in one paragraph, each on a line of its own, are told apart by their text.
        let end = page.subtree_end[block] as usize;
        let begins_line =
            |other: &Mark| page.tag[other.row - 1] == LINE_BREAK || page.tag[other.row.max(2) - 2] == LINE_BREAK;
        let is_alone = !marks.iter().any(|other| (mark.row + 1..end).contains(&other.row) && begins_line(other));
        count(marks.len());
        if has_more && is_alone && !page.is_in(block, set::CELL) && !page.is_in(block, set::HEADING) {
            found.push(NotePart { row: block, mark: mark.text.clone(), is_aside: false });
        }
    }
    let is_part = |row: usize| page.tag[row] == ASIDE || (page.tag[row] != 0 && has_class(page, row, &NOTES));
    if (0..page.len()).any(is_part) {
        let closest_aside = page.closest(is_part);
        let mut numbers = ItemNumbers::default();
        let is_item = |&row: &usize| page.tag[row] == ITEM && entry(&closest_aside, row as i32) >= 0;
        for row in (0..page.len()).filter(is_item) {
            let parent = page.parent[row].max(0) as usize;
            if page.tag[parent] == ORDERED && closest_aside[row] >= page.parent[parent] {
                found.push(NotePart { row, mark: numbers.get(page, row).to_string(), is_aside: true });
            }
        }
    }
    found.sort_by_key(|part| part.row);
    found
}
