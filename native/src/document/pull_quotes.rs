//! Pull quotes: a sentence that a page shows large beside its text, from this text or from elsewhere; and what posts of
//! forums quote from others without marking it up.
#![forbid(unsafe_code)]

use super::code_parts::has_class;
use super::steps::count;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{number_of, set};

const QUOTE: i32 = number_of("blockquote");
const CELL: i32 = number_of("td");
/// Classes of pull quotes.
pub const PULL_QUOTES: [&str; 6] =
    ["pullquote", "pull-quote", "pull_quote", "wp-block-pullquote", "pullquote-container", "element-pullquote"];

/// Classes of what a post quotes: phpBB 2, its modifications, Invision, vBulletin 4. The first one means so only on a cell.
pub const QUOTES_IN_POSTS: [&str; 4] = ["quote", "quotecontent", "quotemain", "bbcode_quote"];

/// Whether a row with a class of these is what a post quotes.
pub fn is_quote_in_post(page: &PageView, row: usize) -> bool {
    let is_cell = page.tag[row] == CELL;
    has_class(page, row, if is_cell { &QUOTES_IN_POSTS } else { &QUOTES_IN_POSTS[1..] })
}

/// The pull quotes of a page.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PullQuotes {
    /// Rows of their elements, ascending.
    pub rows: Vec<usize>,
    /// Those of them that are not marked up as quotations, and what posts quote, ascending.
    pub unmarked: Vec<usize>,
}

impl PullQuotes {
    /// Those of a page among the rows with such a class, outermost first.
    pub fn of(page: &PageView, named: &[usize]) -> Self {
        let mut quotes = PullQuotes::default();
        let mut end = 0;
        for &row in named.iter().filter(|&&row| page.is_in(row, set::BLOCK) || page.tag[row] == CELL) {
            // What posts quote is nested, and never dropped because the text has it.
            if is_quote_in_post(page, row) {
                quotes.unmarked.push(row);
                continue;
            }
            if row < end {
                continue;
            }
            end = page.subtree_end[row] as usize;
            count(end - row);
            quotes.rows.push(row);
            let is_marked =
                page.tag[row..end].contains(&QUOTE) || page.ancestors(row).any(|row| page.tag[row] == QUOTE);
            quotes.unmarked.extend((!is_marked).then_some(row));
        }
        quotes
    }

    /// Whether an element is one that nothing else marks as a quotation.
    pub fn is_unmarked(&self, row: usize) -> bool {
        self.unmarked.binary_search(&row).is_ok()
    }

    /// Row of the one that a row is in.
    pub fn around(&self, page: &PageView, row: usize) -> Option<usize> {
        let place = self.rows.partition_point(|&quote| quote <= row).checked_sub(1)?;
        Some(self.rows[place]).filter(|&quote| row < page.subtree_end[quote] as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::document::class_signs::ClassSigns;
    use crate::html::read;

    #[test]
    fn marked_up_as_quotations_or_not() {
        let html = "<aside class=pullquote><p class=pull-quote>a</p></aside><span class=pullquote>b</span>\
            <figure class=wp-block-pullquote><blockquote>c</blockquote></figure><p class=pullquotes>d</p>";
        let page = read(html, &Limits::default());
        let view = page.view();
        let found = PullQuotes::of(&view, &ClassSigns::of(&view).quotes);
        let names =
            |rows: &[usize]| rows.iter().map(|&row| view.tag_name(view.tag[row]).to_string()).collect::<Vec<_>>();
        assert_eq!(
            (names(&found.rows), names(&found.unmarked)),
            (vec!["aside".into(), "figure".into()], vec!["aside".into()])
        );
        assert_eq!(found.around(&view, found.rows[0] + 2), Some(found.rows[0]));
        assert_eq!(found.around(&view, view.len() - 1), None);
    }
}
