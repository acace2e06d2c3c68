//! DOM paths that can be compared at once.
#![forbid(unsafe_code)]

use super::type_clues::first_characters;
use crate::blocks::characters::is_space;
use crate::blocks::page_view::PageView;
use crate::blocks::tags::attribute;

/// Characters of the classes in a step, as in `dehusk.blocks.paths`.
const LONGEST_STEP: usize = 40;
/// The prime of FNV hashes.
const PRIME: u64 = 0x0100_0000_01b3;

/// By row: equal for equal DOM paths, and hardly ever for others. A step is a tag and its first class.
pub fn path_hashes(page: &PageView) -> Vec<u64> {
    let mut hashes: Vec<u64> = Vec::with_capacity(page.len());
    for row in 0..page.len() {
        let above = usize::try_from(page.parent[row]).map_or(0, |parent| hashes[parent]);
        let classes = first_characters(page.value(row, attribute::CLASS).unwrap_or(""), LONGEST_STEP);
        let first_class = classes.split(is_space).find(|class| !class.is_empty()).unwrap_or("");
        let step = u64::from(page.tag[row] as u32);
        hashes.push(first_class.bytes().map(u64::from).fold(mixed(above, step), mixed));
    }
    hashes
}

/// A hash that takes one more number into account.
fn mixed(hash: u64, number: u64) -> u64 {
    (hash ^ number).wrapping_mul(PRIME).rotate_left(17)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Limits;
    use crate::html::read;

    #[test]
    fn tags_and_first_classes_make_paths() {
        let page =
            read("<p class='a b'>1</p><p class=' a c'>2</p><p class=b>3</p><div><p class=a>4", &Limits::default());
        let hashes = path_hashes(&page.view());
        let of: Vec<u64> = (0..page.len()).filter(|&row| page.tag[row] == 0).map(|row| hashes[row]).collect();
        assert_eq!(of[0], of[1]);
        assert!(of[1] != of[2] && of[1] != of[3] && of[2] != of[3]);
    }
}
