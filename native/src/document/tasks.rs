//! Items of lists that are tasks: the boxes before them.
#![forbid(unsafe_code)]

use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::number_of;
use crate::html::attributes::code_of;

const CHECKED: u8 = code_of("checked");
const TYPE: u8 = code_of("type");
const INPUT: i32 = number_of("input");
const ITEM: i32 = number_of("li");
/// Elements between an item and its box: a paragraph, a label, a division or two.
const MOST_BETWEEN: usize = 4;
/// What a box is in text.
const OPEN_BOX: &str = "[ ] ";
/// What the box of a finished task is in text.
const TICKED_BOX: &str = "[x] ";

/// Rows of the boxes of tasks that the page shows.
pub fn find_tasks(page: &PageView) -> Vec<usize> {
    (0..page.len()).filter(|&row| page.tag[row] == INPUT && is_task(page, row)).collect()
}

/// Whether an `<input>` is the box of a task.
fn is_task(page: &PageView, row: usize) -> bool {
    let is_box = page.value(row, TYPE).map_or(false, |value| strip(value).eq_ignore_ascii_case("checkbox"));
    let above = |row: usize| usize::try_from(page.parent[row]).ok();
    let mut around = std::iter::successors(above(row), |&row| above(row)).take(MOST_BETWEEN);
    is_box && page.hidden[row] == 0 && around.any(|row| page.tag[row] == ITEM)
}

/// The box of a task as text.
pub fn box_of(page: &PageView, row: usize) -> &'static str {
    if page.attribute(row, CHECKED).is_some() {
        TICKED_BOX
    } else {
        OPEN_BOX
    }
}
