//! The title of a card, which is a link around several blocks: its heading, or what its class names so.
#![forbid(unsafe_code)]

use super::steps::count;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of, set};

const DIVISION: i32 = number_of("div");
const PARAGRAPH: i32 = number_of("p");
/// Parts of the classes of titles: Ghost, Notion, embedded cards, news.
const TITLES: [&str; 4] = ["title", "headline", "Title", "Headline"];
/// Rows of a title among which a heading in it is.
const MOST_ROWS: usize = 24;
/// Parts of the classes of what is around a title, or below it.
const OTHERS: [&str; 8] = ["subtitle", "Subtitle", "subTitle", "wrap", "Wrap", "container", "Container", "titles"];

/// Whether an element is around a heading.
fn holds_heading(page: &PageView, row: usize) -> bool {
    let end = (page.subtree_end[row] as usize).min(row + MOST_ROWS);
    count(end - row);
    (row..end).any(|inner| page.is_in(inner, set::HEADING))
}

/// Whether an element is the title of the card that it is in.
pub fn is_title_of_card(page: &PageView, row: usize) -> bool {
    page.is_in(row, set::HEADING)
        || (matches!(page.tag[row], DIVISION | PARAGRAPH)
            && page.value(row, attribute::CLASS).is_some_and(|classes| {
                count(classes.len());
                TITLES.iter().any(|part| classes.contains(part)) && !OTHERS.iter().any(|part| classes.contains(part))
            })
            && !holds_heading(page, row))
}
