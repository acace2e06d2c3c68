//! Style signatures: hashes of the tags and class names from BODY down to an element.
#![forbid(unsafe_code)]

use super::stable_hash::{combine, key_of};
use super::style_keys::ClassKeys;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::number_of;

const BODY: i32 = number_of("body");
/// What is hashed for BODY. Site models store signatures: this text must stay the same.
const LOOK_OF_BODY: &[u8] = b"the look of body";

/// One entry per row: the style signature of elements in BODY that are needed, and with each those above it; 0 elsewhere.
pub fn signatures(page: &PageView, is_needed: impl Fn(usize) -> bool) -> Vec<u64> {
    let (mut keys, of_body) = (ClassKeys::default(), key_of(LOOK_OF_BODY));
    let top = page.rows_of(BODY).map(|row| page.depth[row]).min();
    let mut found = vec![0; page.len()];
    let mut body_end = 0;
    for row in 0..page.len() {
        if page.tag[row] == BODY {
            body_end = body_end.max(page.subtree_end[row] as usize);
        }
        if row >= body_end || !is_needed(row) {
            continue;
        }
        let above = if page.parent[row] < 0 { 0 } else { found[page.parent[row] as usize] };
        found[row] = if Some(page.depth[row]) == top { of_body } else { combine(above, keys.of(page, row)) };
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;
    use crate::keys::style_keys::class_keys;

    #[test]
    fn signatures_go_down_from_body() {
        let page = read("<title>t</title><body><p class=a>x<b>y", &Limits::default());
        let view = page.view();
        let (found, keys) = (signatures(&view, |row| !view.is_text(row)), class_keys(&view));
        let row = |name: &str| (0..page.len()).find(|&row| view.tag_name(view.tag[row]) == name).unwrap();
        let of_body = key_of(LOOK_OF_BODY);
        assert_eq!(found[row("body")], of_body);
        assert_eq!(found[row("p")], combine(of_body, keys[row("p")]));
        assert_eq!(found[row("b")], combine(found[row("p")], keys[row("b")]));
        assert_eq!((found[row("title")], found[row("#text")]), (0, 0));
    }
}
