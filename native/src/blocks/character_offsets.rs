//! Offsets in bytes of UTF-8 -> offsets in characters, as Python counts.
#![forbid(unsafe_code)]

use crate::columns::Page;
use crate::html::count_characters;

/// Where the text of each row's subtree begins and ends, in characters.
pub fn character_offsets(page: &Page) -> (Vec<i64>, Vec<i64>) {
    let starts = in_characters(&page.text, &page.text_start);
    let all = count_characters(page.text.as_bytes()) as i64;
    let ends = page.subtree_end.iter().map(|&end| starts.get(end as usize).copied().unwrap_or(all)).collect();
    (starts, ends)
}

/// Offsets in characters for offsets in bytes, none of which is less than the one before. In ASCII they are the same.
fn in_characters(text: &str, offsets: &[i64]) -> Vec<i64> {
    if text.is_ascii() {
        return offsets.to_vec();
    }
    let (mut before, mut characters) = (0, 0);
    let count = |&offset: &i64| {
        let place = offset as usize;
        characters += count_characters(&text.as_bytes()[before..place]) as i64;
        before = place;
        characters
    };
    offsets.iter().map(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_any_width() {
        let text = "aé漢😀b";
        let offsets = [0, 0, 1, 3, 10, 11, 11];
        let naive = offsets.map(|offset| text[..offset as usize].chars().count() as i64);
        assert_eq!(in_characters(text, &offsets), naive);
        assert_eq!(in_characters("abc", &[0, 3]), [0, 3]);
    }

    #[test]
    fn a_subtree_ends_where_the_next_row_begins() {
        let page =
            Page {
                text: "éa漢".to_string(), subtree_end: vec![3, 2, 3], text_start: vec![0, 0, 3], ..Page::default()
            };
        assert_eq!(character_offsets(&page), (vec![0, 0, 2], vec![3, 2, 3]));
    }
}
