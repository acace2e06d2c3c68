//! The base of the relative addresses of a page.
#![forbid(unsafe_code)]

use super::joining::joined;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::{attribute, number_of};
use crate::deciding::type_clues::canonical_address;

const BASE: i32 = number_of("base");
/// Characters of a base, which is repeated in every link; longer ones work in no browser's address bar.
const LONGEST_BASE: usize = 2000;

/// The page's `<base href>`, resolved against its address. A page from a file has none; its canonical one serves as well.
pub fn base_address(page: &PageView, address: &str) -> String {
    let own = if address.is_empty() { canonical_address(page) } else { address };
    let bases = page.rows_of(BASE);
    let mut written = bases.filter_map(|row| page.value(row, attribute::HREF));
    let first = written.find(|written| written.chars().count() <= LONGEST_BASE);
    first.map_or_else(|| own.to_owned(), |written| joined(own, written))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    #[test]
    fn the_first_base_that_is_not_too_long_counts() {
        let long = format!("<base href=/{}>", "a".repeat(LONGEST_BASE));
        for (html, address, expected) in [
            ("<p>a", "http://a.example/b/c", "http://a.example/b/c"),
            ("<base href=/d/><base href=/e/>", "http://a.example/b/c", "http://a.example/d/"),
            ("<link rel=canonical href=http://c.example/f><base href=g>", "", "http://c.example/g"),
            ("<base target=_top>", "", ""),
            (&long, "http://a.example/", "http://a.example/"),
        ] {
            assert_eq!(base_address(&read(html, &Limits::default()).view(), address), expected, "{html}");
        }
    }
}
