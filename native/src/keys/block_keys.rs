//! Keys of blocks: their texts, and the style signatures of their elements.
#![forbid(unsafe_code)]

use super::signatures::signatures;
use super::stable_hash::key_of;
use crate::blocks::page_view::PageView;
use crate::blocks::segmentation::{Segments, Texts};

/// One key per text, equal for texts that are equal but for case. Site models store them.
pub fn text_keys(texts: &Texts) -> Vec<u64> {
    let mut lower = String::new();
    (0..texts.start.len().saturating_sub(1)).map(|index| key_of(lower_case(texts.get(index), &mut lower))).collect()
}

/// The lower case of a text, written into a buffer that is used again.
fn lower_case<'a>(text: &str, buffer: &'a mut String) -> &'a [u8] {
    buffer.clear();
    if text.is_ascii() {
        buffer.push_str(text);
        buffer.make_ascii_lowercase();
    } else {
        buffer.push_str(&text.to_lowercase());
    }
    buffer.as_bytes()
}

/// One entry per block: the style signature of its element; 0 outside BODY.
pub fn signatures_of_blocks(page: &PageView, segments: &Segments) -> Vec<u64> {
    let mut is_needed = vec![false; page.len()];
    for &owner in &segments.owner {
        let mut row = owner;
        while row >= 0 && !is_needed[row as usize] {
            is_needed[row as usize] = true;
            row = page.parent[row as usize];
        }
    }
    let found = signatures(page, |row| is_needed[row]);
    segments.owner.iter().map(|&row| if row < 0 { 0 } else { found[row as usize] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::page_blocks::find_blocks;
    use crate::columns::Limits;
    use crate::html::read;

    #[test]
    fn texts_are_compared_without_case() {
        let page = read("<p>Tea<p>tEA<p>ÄΣ<p>äς<p>coffee", &Limits::default());
        let keys = text_keys(&find_blocks(&page.view()).unwrap().segments.texts);
        assert_eq!(keys[0], key_of(b"tea"));
        assert_eq!(keys[0], keys[1]);
        assert_eq!(keys[2], key_of("äς".as_bytes()));
        assert_eq!(keys[2], keys[3]);
        assert_ne!(keys[3], keys[4]);
        assert!(text_keys(&Texts::default()).is_empty());
    }

    #[test]
    fn signatures_are_those_of_the_elements() {
        let page = read("<title>t</title><div class=a><p>x<p>y</div><ul><li>z", &Limits::default());
        let blocks = find_blocks(&page.view()).unwrap();
        let of_rows = signatures(&page.view(), |_| true);
        let of_blocks = signatures_of_blocks(&page.view(), &blocks.segments);
        let wanted: Vec<u64> = blocks.segments.owner.iter().map(|&row| of_rows[row as usize]).collect();
        assert_eq!(of_blocks, wanted);
        assert_eq!((of_blocks[0], of_blocks[1]), (0, of_blocks[2]));
    }
}
