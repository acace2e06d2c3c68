//! What encloses a block: list items, quotes, figures and callouts.
#![forbid(unsafe_code)]

use super::callouts::Callouts;
use super::code_parts::has_class;
use super::posts::{is_part_of_listing, is_part_of_page, is_post, is_section};
use super::pull_quotes::PullQuotes;
use super::steps::count;
use super::structures::Structures;
use super::tabs::is_item_of_tab;
use super::tree::Part;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, by_tag, look_up, number_of, set, TAGS};
use std::collections::HashMap;

/// Containers kept around a block. Deeper ones would only indent: hostile pages nest hundreds.
pub const MOST_CONTAINERS: usize = 16;

/// Classes of the definition lists that galleries of WordPress write for each picture, and phpBB for each attached file.
const GALLERIES: [&str; 2] = ["gallery-item", "file"];
const DEFINITIONS: i32 = number_of("dl");
const DESCRIPTION: i32 = number_of("dd");
/// Rows from a list to its first element: white space may be between them.
const MOST_ROWS: usize = 4;
const ITEM: i32 = number_of("li");
#[rustfmt::skip]
const CONTAINERS: [u32; TAGS.len() + 1] = by_tag([
    ("li", 1), ("dt", 1), ("dd", 1), ("blockquote", 1), ("figure", 1),
]);
/// Of a row whose containers were not looked for yet.
const UNKNOWN: u32 = 0;
/// The line of rows that nothing encloses.
const OUTSIDE: u32 = 1;

/// Finds the containers of rows, the row itself included, at most `MOST_CONTAINERS`.
///
/// Visits each element once, and only ancestors of the rows looked up.
pub struct Containers<'a> {
    page: &'a PageView<'a>,
    item_before: HashMap<usize, usize>,
    /// The callouts of the page.
    pub callouts: &'a Callouts,
    /// Pull quotes.
    pub pull_quotes: &'a PullQuotes,
    /// Labels of tabs without roles, with their panels.
    tabs: &'a [(usize, usize)],
    /// Whether lists that hold parts of a page are lists all the same: plain text has them as they are.
    is_plain: bool,
    /// By row: which of the lines encloses it.
    found: Vec<u32>,
    /// Lines of containers, each a part of `rows`; the first is empty.
    lines: Vec<Part>,
    rows: Vec<usize>,
    /// Used again for each line of ancestors.
    path: Vec<usize>,
}

impl<'a> Containers<'a> {
    /// Nothing is looked for yet.
    pub fn new(page: &'a PageView<'a>, structures: &'a Structures, is_plain: bool) -> Self {
        Containers {
            page,
            item_before: items_before_stray_lists(page),
            callouts: &structures.callouts,
            pull_quotes: &structures.pull_quotes,
            tabs: &structures.tabs,
            is_plain,
            found: vec![UNKNOWN; page.len()],
            lines: vec![Part::default(); OUTSIDE as usize + 1],
            rows: Vec::new(),
            path: Vec::new(),
        }
    }

    /// The containers of a row, outermost first: a part of the rows that `rows` gives.
    pub fn of(&mut self, row: i32) -> Part {
        let mut path = std::mem::take(&mut self.path);
        let mut line = OUTSIDE;
        let mut above = usize::try_from(row).ok();
        while let Some(row) = above {
            if self.found[row] != UNKNOWN {
                line = self.found[row];
                break;
            }
            path.push(row);
            above = self.item_before.get(&row).copied().or_else(|| usize::try_from(self.page.parent[row]).ok());
        }
        count(path.len() + 1);
        for &row in path.iter().rev() {
            line = self.further(line, row);
            self.found[row] = line;
        }
        path.clear();
        self.path = path;
        self.lines[line as usize]
    }

    /// Whether a row is the term or the description of a definition list that is a callout, a picture of a gallery, or an
    /// attached file.
    fn is_of_callout(&self, row: usize) -> bool {
        let list = self.page.parent[row].max(0) as usize;
        self.page.tag[list] == DEFINITIONS
            && (self.callouts.kinds.contains_key(&list) || has_class(self.page, list, &GALLERIES))
    }

    /// The line of containers inside one more element.
    fn further(&mut self, line: u32, row: usize) -> u32 {
        let outer = self.lines[line as usize].range();
        let is_callout = self.callouts.kinds.contains_key(&row) || self.callouts.titles.contains(&row);
        let is_of_list = || {
            let is_other_item =
                || is_item_of_tab(self.page, row, self.tabs) || is_post(self.page, row) || is_section(self.page, row);
            let is_part = || !self.is_plain && (is_part_of_page(self.page, row) || is_part_of_listing(self.page, row));
            let is_indented = || !self.is_plain && only_indents(self.page, row);
            self.is_of_callout(row) || (self.page.tag[row] == ITEM && is_other_item()) || is_part() || is_indented()
        };
        let is_named = look_up(&CONTAINERS, self.page.tag[row]) != 0 && !is_of_list();
        let is_container = is_callout || is_named || self.pull_quotes.is_unmarked(row);
        if !is_container || outer.len() >= MOST_CONTAINERS {
            return line;
        }
        let start = self.rows.len();
        self.rows.extend_from_within(outer);
        self.rows.push(row);
        self.lines.push(Part { start, end: self.rows.len() });
        self.lines.len() as u32 - 1
    }

    /// The rows of some containers.
    pub fn rows(&self, containers: Part) -> &[usize] {
        &self.rows[containers.range()]
    }
}

/// Whether an element is a description in a list that begins with one: wikis indent lines so, formulas among them.
fn only_indents(page: &PageView, row: usize) -> bool {
    let list = page.parent[row].max(0) as usize;
    let is_description = |row: usize| page.tag[row] == DESCRIPTION;
    let first = (list + 1..page.len()).take(MOST_ROWS).find(|&row| !page.is_text(row));
    is_description(row)
        && page.tag[list] == DEFINITIONS
        && page.attribute(list, attribute::CLASS).is_none()
        && first.is_some_and(is_description)
}

/// Row of each list directly inside a list -> the item before it, as browsers show it as part of that item.
fn items_before_stray_lists(page: &PageView) -> HashMap<usize, usize> {
    let mut found = HashMap::new();
    let is_list = |row: i32| row >= 0 && page.is_in(row as usize, set::LIST);
    let is_stray = |row: usize| page.is_in(row, set::LIST) && is_list(page.parent[row]);
    if !page.rows_in(set::LIST).any(is_stray) {
        return found;
    }
    let mut last_item = HashMap::new();
    for row in 0..page.len() {
        if page.tag[row] == ITEM {
            last_item.insert(page.parent[row], row);
        } else if is_stray(row) {
            if let Some(&item) = last_item.get(&page.parent[row]) {
                found.insert(row, item);
            }
        }
    }
    found
}
