//! Which rows of a kind an element has inside. They are looked for once a page, since elements that nest would be gone through
//! once for each of the elements around them.
#![forbid(unsafe_code)]

use std::ops::Range;

use crate::blocks::page_view::PageView;

/// All rows of a kind, in order.
pub struct RowsInside(Vec<usize>);

impl RowsInside {
    pub fn of_tag(page: &PageView, tag: i32) -> RowsInside {
        RowsInside(page.rows_of(tag).collect())
    }

    pub fn that(page: &PageView, is_sought: impl Fn(usize) -> bool) -> RowsInside {
        RowsInside((0..page.tag.len()).filter(|&row| is_sought(row)).collect())
    }

    /// Those in a part of the page.
    pub fn within(&self, rows: Range<usize>) -> &[usize] {
        let place = |row: usize| self.0.partition_point(|&sought| sought < row);
        &self.0[place(rows.start)..place(rows.end)]
    }

    /// Whether there are any in a part of the page.
    pub fn any_within(&self, rows: Range<usize>) -> bool {
        !self.within(rows).is_empty()
    }
}
