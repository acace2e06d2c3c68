//! Pull quotes: a sentence that a page shows large beside its text, from this text or from elsewhere.
#![forbid(unsafe_code)]

use super::steps::count;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{number_of, set};

const QUOTE: i32 = number_of("blockquote");
/// Classes of pull quotes.
pub const PULL_QUOTES: [&str; 6] =
    ["pullquote", "pull-quote", "pull_quote", "wp-block-pullquote", "pullquote-container", "element-pullquote"];

/// The pull quotes of a page.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PullQuotes {
    /// Rows of their elements, ascending.
    pub rows: Vec<usize>,
    /// Those of them that are not marked up as quotations, ascending.
    pub unmarked: Vec<usize>,
}

impl PullQuotes {
    /// Those of a page among the rows with such a class, outermost first.
    pub fn of(page: &PageView, named: &[usize]) -> Self {
        let mut quotes = PullQuotes::default();
        let mut end = 0;
        for &row in named.iter().filter(|&&row| page.is_in(row, set::BLOCK)) {
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
