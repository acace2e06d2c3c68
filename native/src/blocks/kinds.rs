//! What each block is to a reader: a heading, a paragraph, a list item, a table cell and so on.
#![forbid(unsafe_code)]

use super::page_view::{entry, PageView};
use super::segmentation::Segments;
use super::table_cells::TablePositions;
use super::tags::{attribute, by_tag, look_up, number_of, set, TAGS};

/// Kinds of blocks, the numbers of `dehusk.blocks.block_columns.Kind`.
pub mod kind {
    /// Nothing in particular.
    pub const OTHER: u8 = 0;
    /// The title of the page.
    pub const TITLE: u8 = 1;
    /// A heading.
    pub const HEADING: u8 = 2;
    /// A paragraph.
    pub const PARAGRAPH: u8 = 3;
    /// An item of a list.
    pub const LIST_ITEM: u8 = 4;
    /// A cell of a data table.
    pub const CELL: u8 = 5;
    /// Preformatted text.
    pub const CODE: u8 = 6;
    /// A quotation.
    pub const QUOTE: u8 = 7;
    /// The caption of a figure or a table.
    pub const CAPTION: u8 = 8;
    /// Part of a form.
    pub const FORM: u8 = 9;
    /// How many kinds there are.
    pub const NUMBER: usize = 10;
}

/// The kind of text inside an element, by tag; the closest element with a kind decides.
#[rustfmt::skip]
const KIND_OF_TAG: [u32; TAGS.len() + 1] = by_tag([
    ("title", kind::TITLE as u32),
    ("h1", kind::HEADING as u32), ("h2", kind::HEADING as u32), ("h3", kind::HEADING as u32),
    ("h4", kind::HEADING as u32), ("h5", kind::HEADING as u32), ("h6", kind::HEADING as u32),
    ("p", kind::PARAGRAPH as u32),
    ("li", kind::LIST_ITEM as u32), ("dt", kind::LIST_ITEM as u32), ("dd", kind::LIST_ITEM as u32),
    ("td", kind::CELL as u32), ("th", kind::CELL as u32),
    ("pre", kind::CODE as u32), ("listing", kind::CODE as u32), ("xmp", kind::CODE as u32),
    ("plaintext", kind::CODE as u32),
    ("blockquote", kind::QUOTE as u32),
    ("figcaption", kind::CAPTION as u32), ("caption", kind::CAPTION as u32),
    ("button", kind::FORM as u32), ("select", kind::FORM as u32), ("optgroup", kind::FORM as u32),
    ("option", kind::FORM as u32), ("textarea", kind::FORM as u32), ("legend", kind::FORM as u32),
    ("label", kind::FORM as u32), ("datalist", kind::FORM as u32),
]);

/// A `<p>` directly inside one of these is only its wrapping: `<li><p>text` is a list item.
#[rustfmt::skip]
const WRAPS_PARAGRAPHS: [u32; TAGS.len() + 1] = by_tag([
    ("li", 1), ("dt", 1), ("dd", 1), ("blockquote", 1), ("figcaption", 1), ("caption", 1),
]);

const PARAGRAPH: i32 = number_of("p");
const LABEL: i32 = number_of("label");
const ITEM: i32 = number_of("li");
/// What is in the classes of lists of tasks, or of their items.
const CLASS_OF_TASKS: &str = "task-list";
const BEFORE_FIRST_HEADING: i32 = number_of("h1") - 1;

/// The kinds of m blocks. One entry per block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    /// What the block is, one of `kind`.
    pub kind: Vec<u8>,
    /// Row of the element that determines the kind; -1 if none does.
    pub kind_row: Vec<i32>,
    /// 1-6 for headings, depth of nesting from 1 for list items, else 0.
    pub level: Vec<i32>,
}

/// The kinds of the blocks of a page.
pub fn find_kinds(page: &PageView, segments: &Segments, table: &TablePositions) -> Kinds {
    let mut closest = ClosestWithKind::new(page);
    let list_depth = list_depths(page);
    let size = segments.len();
    let mut kinds =
        Kinds { kind: Vec::with_capacity(size), kind_row: Vec::with_capacity(size), level: Vec::with_capacity(size) };
    for (index, &first) in segments.first_row.iter().enumerate() {
        let row = kind_row(page, &mut closest, page.parent[first as usize]);
        let own = if row < 0 { kind::OTHER } else { kind_of_tag(page.tag[row as usize]) };
        let found = kind_in_place(own, segments.hidden[index] != 0, table.cell[index] >= 0);
        kinds.kind.push(found);
        kinds.kind_row.push(row);
        kinds.level.push(match found {
            kind::HEADING => page.tag[row as usize] - BEFORE_FIRST_HEADING,
            kind::LIST_ITEM => list_depth[row as usize].max(1),
            _ => 0,
        });
    }
    kinds
}

/// The elements that have a kind, found as far as blocks ask for them.
struct ClosestWithKind<'a> {
    page: &'a PageView<'a>,
    /// One entry per row: the closest element with a kind at or above it, -1 for none, or `UNKNOWN`.
    closest: Vec<i32>,
}

/// No row was asked yet.
const UNKNOWN: i32 = -2;

impl<'a> ClosestWithKind<'a> {
    fn new(page: &'a PageView<'a>) -> Self {
        ClosestWithKind { page, closest: vec![UNKNOWN; page.len()] }
    }

    /// The closest element with a kind at or above a row; -1 where there is none. Every row is asked once.
    fn at(&mut self, row: i32) -> i32 {
        let mut known = row;
        while known >= 0 && self.closest[known as usize] == UNKNOWN && !self.has_kind(known as usize) {
            known = self.page.parent[known as usize];
        }
        let found = match entry(&self.closest, known) {
            UNKNOWN => known,
            found => found,
        };
        let mut below = row;
        while below != known {
            self.closest[below as usize] = found;
            below = self.page.parent[below as usize];
        }
        found
    }

    fn has_kind(&self, row: usize) -> bool {
        kind_of_tag(self.page.tag[row]) != kind::OTHER && !is_label_of_task(self.page, row)
    }
}

/// Whether a `<label>` is the text of a task: its item or its list says so.
fn is_label_of_task(page: &PageView, row: usize) -> bool {
    let says = |row: usize| page.value(row, attribute::CLASS).is_some_and(|class| class.contains(CLASS_OF_TASKS));
    page.tag[row] == LABEL && {
        let item = page.ancestors(row).take(2).find(|&row| page.tag[row] == ITEM);
        item.is_some_and(|item| says(item) || page.ancestors(item).next().is_some_and(says))
    }
}

/// The kind that an element gives the text inside it.
fn kind_of_tag(tag: i32) -> u8 {
    look_up(&KIND_OF_TAG, tag) as u8
}

/// The row that determines the kind of the text in an element.
fn kind_row(page: &PageView, closest: &mut ClosestWithKind, parent: i32) -> i32 {
    let row = closest.at(parent);
    if row >= 0 && page.tag[row as usize] == PARAGRAPH {
        let outer = closest.at(page.parent[row as usize]);
        if outer >= 0 && look_up(&WRAPS_PARAGRAPHS, page.tag[outer as usize]) != 0 {
            return outer;
        }
    }
    row
}

/// The kind of a block, given what its elements make of it.
fn kind_in_place(own: u8, is_hidden: bool, in_data_cell: bool) -> u8 {
    match own {
        kind::CELL | kind::OTHER | kind::PARAGRAPH if in_data_cell => kind::CELL,
        // The title of a drawing.
        kind::TITLE if is_hidden && in_data_cell => kind::CELL,
        kind::TITLE if is_hidden => kind::OTHER,
        kind::CELL => kind::OTHER,
        other => other,
    }
}

/// How many lists each row is in, itself included: written in stretches, from where a list begins or ends to the next.
fn list_depths(page: &PageView) -> Vec<i32> {
    let mut open: Vec<usize> = Vec::new();
    let mut depths = Vec::with_capacity(page.len());
    for (row, &flags) in page.flags.iter().enumerate() {
        if flags & set::LIST == 0 {
            continue;
        }
        end_lists(&mut open, &mut depths, row);
        depths.resize(row, open.len() as i32);
        open.push(page.subtree_end[row] as usize);
    }
    end_lists(&mut open, &mut depths, page.len());
    depths.resize(page.len(), 0);
    depths
}

/// Writes the depths up to the ends of the lists that end before a row.
fn end_lists(open: &mut Vec<usize>, depths: &mut Vec<i32>, row: usize) {
    while let Some(&end) = open.last().filter(|&&end| end <= row) {
        depths.resize(end, open.len() as i32);
        open.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::super::segmentation::segment;
    use super::super::table_cells::table_positions;
    use super::super::written_pages::{random_markup, WrittenPage};
    use super::*;

    fn kinds(markup: &str) -> Vec<(u8, i32)> {
        let page = WrittenPage::new(markup);
        let segments = segment(&page.view());
        let table = table_positions(&page.view(), &segments.owner);
        let found = find_kinds(&page.view(), &segments, &table);
        found.kind.into_iter().zip(found.level).collect()
    }

    #[test]
    fn the_closest_element_with_a_kind_decides() {
        assert_eq!(kinds("<div>x</div><p>x</p><h2>x</h2>"), [(0, 0), (3, 0), (2, 2)]);
        assert_eq!(kinds("<pre>x</pre><blockquote><div>x</div></blockquote>"), [(6, 0), (7, 0)]);
    }

    #[test]
    fn a_paragraph_may_be_the_wrapping_of_an_item() {
        assert_eq!(kinds("<ul><li><p>x</p><ul><li>y</li></ul></li></ul>"), [(4, 1), (4, 2)]);
        assert_eq!(kinds("<li>x</li>"), [(4, 1)]);
        assert_eq!(kinds("<ul class=task-list><li><label>x</label></li></ul><label>y</label>"), [(4, 1), (9, 0)]);
        assert_eq!(kinds("<blockquote><p>x</p></blockquote>"), [(7, 0)]);
    }

    #[test]
    fn only_cells_of_data_tables_are_cells() {
        assert_eq!(kinds("<table><tr><td>x</td></tr></table>"), [(0, 0)]);
        let data = "<table><tr><td>x</td><td><p>x</p></td></tr><tr><th><h3>x</h3></th></tr></table>";
        assert_eq!(kinds(data), [(5, 0), (5, 0), (2, 3)]);
    }

    #[test]
    fn the_title_of_a_drawing_is_no_title() {
        assert_eq!(kinds("<title>x</title><svg hidden><title>y</title></svg>"), [(1, 0), (0, 0)]);
    }

    #[test]
    fn depths_like_those_of_the_naive_twin() {
        for seed in 0..800 {
            let markup = random_markup(seed);
            let page = WrittenPage::new(&markup);
            let view = page.view();
            let is_around =
                |list: usize, row: usize| view.is_in(list, set::LIST) && (view.subtree_end[list] as usize) > row;
            let naive = |row: usize| (0..=row).filter(|&list| is_around(list, row)).count() as i32;
            assert_eq!(list_depths(&view), (0..view.len()).map(naive).collect::<Vec<_>>(), "{markup}");
        }
    }
}
