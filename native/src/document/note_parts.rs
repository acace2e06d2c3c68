//! The parts of a page that references point to: an item, a paragraph, or one of several notes in the same element.
#![forbid(unsafe_code)]

use super::footnote_marks::{bare_mark, text_of};
use super::steps::count;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{number_of, set};

const TERM: i32 = number_of("dt");
const DESCRIPTION: i32 = number_of("dd");
const PARAGRAPH: i32 = number_of("p");
const ITEM: i32 = number_of("li");
/// Rows from a term to its description: white space may be between them.
const MOST_ROWS: usize = 8;

/// The rows of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoteRange {
    /// Row of the element around it.
    pub part: usize,
    /// Its first row: that of the element, unless this holds several notes.
    pub start: usize,
    /// One past its last row.
    pub end: usize,
}

/// The elements that references point to.
pub struct NoteParts<'a> {
    page: &'a PageView<'a>,
    closest_block: Vec<i32>,
    /// Rows that references point to, in order, each once.
    aims: Vec<usize>,
}

impl<'a> NoteParts<'a> {
    /// Those of some rows.
    pub fn new(page: &'a PageView<'a>, mut aims: Vec<usize>) -> Self {
        aims.sort_unstable();
        aims.dedup();
        NoteParts { page, closest_block: page.closest(|row| page.is_in(row, set::BLOCK)), aims }
    }

    /// The rows of the note that a reference points to; several in the same element end where the next one begins.
    pub fn range(&self, aim: usize) -> Option<NoteRange> {
        let part = self.part(aim)?;
        let end = self.end(part);
        let place = self.aims.partition_point(|&other| other < aim);
        let is_first = place == 0 || self.aims[place - 1] < part;
        let next = self.aims.get(place + 1).copied().filter(|&next| next < end);
        // The rows of a table are notes by themselves, and so are items.
        let is_alone = is_first && next.is_none();
        let start = if is_first { part } else { aim };
        Some(NoteRange { part, start, end: if is_alone { end } else { next.unwrap_or(end) } })
    }

    /// Row of the element that holds a note.
    fn part(&self, aim: usize) -> Option<usize> {
        let page = self.page;
        let block = usize::try_from(self.closest_block[aim]).ok()?;
        let parent = usize::try_from(page.parent[block]).ok();
        match parent {
            // The anchor is in the cell with the number.
            Some(row) if page.is_in(block, set::CELL) && page.is_in(row, set::TABLE_ROW) => Some(row),
            // The anchor is in the first paragraph of an item.
            Some(item) if page.tag[block] == PARAGRAPH && page.tag[item] == ITEM && self.begins(item, block) => {
                Some(item)
            }
            // The term before the description shows the mark.
            Some(list) if page.tag[block] == DESCRIPTION => Some(self.mark_before(list, block).unwrap_or(block)),
            _ => Some(block),
        }
    }

    /// The term directly before a description, if it shows a mark.
    fn mark_before(&self, list: usize, description: usize) -> Option<usize> {
        let page = self.page;
        let before = (list + 1..description).rev().take(MOST_ROWS);
        let term = before.into_iter().find(|&row| page.tag[row] == TERM && page.parent[row] as usize == list)?;
        let ends_there = self.page.subtree_end[term] as usize + MOST_ROWS > description;
        (ends_there && bare_mark(&text_of(page, term)).is_some()).then_some(term)
    }

    /// Whether an element begins with another one.
    fn begins(&self, outer: usize, inner: usize) -> bool {
        inner - outer <= MOST_ROWS && self.page.text_length[outer..inner].iter().all(|&length| length == 0)
    }

    /// One past the last row of the paragraphs below a heading that shows a mark.
    fn end_below(&self, heading: usize) -> usize {
        let page = self.page;
        let start = page.subtree_end[heading] as usize;
        let last = usize::try_from(page.parent[heading]).map_or(page.len(), |parent| page.subtree_end[parent] as usize);
        let next = |&row: &usize| Some((page.subtree_end[row] as usize).max(row + 1)).filter(|&row| row < last);
        let siblings = std::iter::successors(Some(start).filter(|&row| row < last), next).take(MOST_ROWS);
        let paragraphs = siblings.take_while(|&row| page.tag[row] == 0 || page.tag[row] == PARAGRAPH);
        count(MOST_ROWS);
        paragraphs.last().map_or(start, |row| page.subtree_end[row] as usize)
    }

    /// One past the last row of a part; that of a term includes its description.
    fn end(&self, part: usize) -> usize {
        let page = self.page;
        let end = page.subtree_end[part] as usize;
        if page.is_in(part, set::HEADING) && bare_mark(&text_of(page, part)).is_some() {
            return self.end_below(part);
        }
        if page.tag[part] != TERM {
            return end;
        }
        description_of(page, part).map_or(end, |row| page.subtree_end[row] as usize)
    }
}

/// Row of the description directly after a term.
pub fn description_of(page: &PageView, term: usize) -> Option<usize> {
    count(MOST_ROWS);
    let end = page.subtree_end[term] as usize;
    let after = end..(end + MOST_ROWS).min(page.len());
    after.into_iter().find(|&row| page.tag[row] != 0).filter(|&row| page.tag[row] == DESCRIPTION)
}
