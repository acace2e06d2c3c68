//! Items of lists that are tasks: the boxes before them.
#![forbid(unsafe_code)]

use super::code_parts::{has_class, has_part_of_class};
use super::texts::strip_start;
use super::tree::{mark, Document, Marks, Span, SpanKind};
use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of};
use crate::html::attributes::code_of;

const CHECKED: u8 = code_of("checked");
const STATE: u8 = code_of("aria-checked");
const TYPE: u8 = code_of("type");
const BUTTON: i32 = number_of("button");
const DIVISION: i32 = number_of("div");
const SPAN: i32 = number_of("span");
const ITALIC: i32 = number_of("i");
const INPUT: i32 = number_of("input");
const ITEM: i32 = number_of("li");
/// Elements between an item and its box: a paragraph, a label, a division or two.
const MOST_BETWEEN: usize = 4;
/// What a box is in text.
const OPEN_BOX: &str = "[ ] ";
/// What the box of a finished task is in text.
const TICKED_BOX: &str = "[x] ";

/// Classes of lists and boxes that are no form: the lists of Confluence, whose finished items have a class of their own, the
/// boxes that Notion and Discourse draw, and the lists of AsciiDoc, whose boxes are letters of a font.
pub const DRAWN: [&str; 5] =
    [LIST_OF_CONFLUENCE, BOXES_OF_NOTION[0], BOXES_OF_NOTION[1], LIST_OF_ASCII_DOC, BOX_OF_DISCOURSE];
const LIST_OF_CONFLUENCE: &str = "inline-task-list";
const DONE_IN_CONFLUENCE: &str = "checked";
const BOXES_OF_NOTION: [&str; 2] = ["checkbox-off", "checkbox-on"];
const LIST_OF_ASCII_DOC: &str = "checklist";
const BOX_OF_DISCOURSE: &str = "chcklst-box";
const BOXES_OF_ASCII_DOC: [&str; 4] = ["fa-square-o", "fa-check-square-o", "fa-square", "fa-check-square"];
/// What is in the classes of boxes and items that are tasks; others with a name of their own are part of a form, or for cooks
/// to tick off what they have.
const PARTS_OF_TASKS: [&str; 2] = ["task", "todo"];
/// Boxes that Org writes as code, and what they are in text.
const WRITTEN: [(&str, &str); 3] = [("[X]", TICKED_BOX), ("[ ]", OPEN_BOX), ("[-]", OPEN_BOX)];
/// Boxes at the start of an item's text: those of Markdown that its tool does not know, and characters that look like boxes.
const WRITTEN_IN_TEXT: [(&str, &str); 6] = [
    ("[ ] ", OPEN_BOX),
    ("[x] ", TICKED_BOX),
    ("[X] ", TICKED_BOX),
    ("☐", OPEN_BOX),
    ("❏", OPEN_BOX),
    ("☑", TICKED_BOX),
];
/// What recipes say to screen readers before each ingredient, for its box (WP Recipe Maker): no task.
const BOX_OF_INGREDIENT: char = '▢';
/// Role of boxes that are drawn by a script.
const ROLE: &str = "checkbox";

/// Rows of the boxes of tasks that the page shows, in order. Few pages have drawn ones.
pub fn find_tasks(page: &PageView, has_drawn: bool) -> Vec<usize> {
    if has_drawn {
        return (0..page.len()).filter(|&row| is_task(page, row)).collect();
    }
    let others = page.rows_of(INPUT).chain(page.rows_of(BUTTON));
    let mut found: Vec<usize> = others.filter(|&row| is_task(page, row)).collect();
    found.sort_unstable();
    found
}

/// Whether a row is the box of a task, or the item of a list of tasks.
fn is_task(page: &PageView, row: usize) -> bool {
    match page.tag[row] {
        INPUT => is_box(page, row),
        ITALIC => has_class(page, row, &BOXES_OF_ASCII_DOC) && is_in_item(page, row),
        ITEM => page.parent[row] >= 0 && has_class(page, page.parent[row] as usize, &[LIST_OF_CONFLUENCE]),
        DIVISION => is_in_item(page, row) && has_class(page, row, &BOXES_OF_NOTION),
        SPAN => is_in_item(page, row) && has_class(page, row, &[BOX_OF_DISCOURSE]),
        BUTTON => is_in_item(page, row) && page.value(row, attribute::ROLE).is_some_and(|role| strip(role) == ROLE),
        _ => false,
    }
}

/// Whether an `<input>` is the box of a task.
fn is_box(page: &PageView, row: usize) -> bool {
    let is_box = page.value(row, TYPE).is_some_and(|value| strip(value).eq_ignore_ascii_case("checkbox"));
    let mut around = page.ancestors(row).take(MOST_BETWEEN);
    let item = if is_box && page.hidden[row] == 0 { around.find(|&row| page.tag[row] == ITEM) } else { None };
    let is_task = |row: usize| has_part_of_class(page, row, &PARTS_OF_TASKS);
    item.is_some_and(|item| page.attribute(row, attribute::ID).is_none() || is_task(row) || is_task(item))
}

/// Whether an element is directly in an item, or in an element directly in one.
fn is_in_item(page: &PageView, row: usize) -> bool {
    let parent = |row: usize| page.parent[row].max(0) as usize;
    page.tag[parent(row)] == ITEM || page.tag[parent(parent(row))] == ITEM
}

/// The box of a task as text.
pub fn box_of(page: &PageView, row: usize) -> &'static str {
    let is_done = page.attribute(row, CHECKED).is_some()
        || page.value(row, STATE).is_some_and(|state| strip(state) == "true")
        || has_class(
            page,
            row,
            &[DONE_IN_CONFLUENCE, BOXES_OF_NOTION[1], BOXES_OF_ASCII_DOC[1], BOXES_OF_ASCII_DOC[3]],
        );
    if is_done {
        TICKED_BOX
    } else {
        OPEN_BOX
    }
}

/// Makes the text that the spans of an item begin with, from one of them on, the box of a task if it is one.
pub fn make_written_box(document: &mut Document, start: usize) {
    let first = match document.spans.get(start) {
        Some(first) if first.kind == SpanKind::Text && first.marks.has(mark::CODE) => first.text,
        Some(first) if first.kind == SpanKind::Text => return take_box_off(document, start, *first),
        _ => return,
    };
    let written = document.text_of(first).replace('\u{a0}', " ");
    if let Some((_, shown)) = WRITTEN.iter().find(|(box_of_org, _)| written == *box_of_org) {
        let text = document.add_text(shown);
        let span = &mut document.spans[start];
        *span = Span { text, marks: Marks::default(), kind: SpanKind::Task, address: 0 };
        if let Some(next) =
            document.spans.get(start + 1).filter(|next| next.kind == SpanKind::Text).map(|next| next.text)
        {
            let rest = strip_start(&document.text[next.range()]).len();
            document.spans[start + 1].text.start = next.end - rest;
        }
    }
}

/// Takes a box off the start of a text.
fn take_box_off(document: &mut Document, start: usize, first: Span) {
    if let Some(rest) = document.text_of(first.text).strip_prefix(BOX_OF_INGREDIENT) {
        let rest = strip_start(rest).len();
        document.spans[start].text.start = first.text.end - rest;
        return;
    }
    let text = document.text_of(first.text);
    let found = WRITTEN_IN_TEXT.iter().find_map(|&(written, shown)| Some((text.strip_prefix(written)?, shown)));
    if let Some((rest, shown)) = found {
        let rest = strip_start(rest).len();
        let text = document.add_text(shown);
        document.spans[start].text.start = first.text.end - rest;
        document.spans.insert(start, Span { text, marks: Marks::default(), kind: SpanKind::Task, address: 0 });
    }
}
