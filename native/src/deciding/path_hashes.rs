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

/// Hashes of the DOM paths of a page: equal for equal paths, and hardly ever for others. A step is a tag and its first class.
///
/// Each is made when it is asked for, and kept: rules compare few of them.
pub struct PathHashes<'a> {
    page: &'a PageView<'a>,
    /// By row; 0 if it was not asked for.
    known: Vec<u64>,
}

impl<'a> PathHashes<'a> {
    /// Of a page; none is made yet.
    pub fn new(page: &'a PageView<'a>) -> Self {
        PathHashes { page, known: vec![0; page.len()] }
    }

    /// The hash of the path of a row.
    pub fn of(&mut self, row: i32) -> u64 {
        let (mut unknown, mut row) = (Vec::new(), usize::try_from(row).ok());
        while let Some(above) = row.filter(|&row| self.known[row] == 0) {
            unknown.push(above);
            row = usize::try_from(self.page.parent[above]).ok();
        }
        let mut hash = row.map_or(0, |row| self.known[row]);
        for row in unknown.into_iter().rev() {
            hash = self.with_step(hash, row) | 1;
            self.known[row] = hash;
        }
        hash
    }

    /// The hash of a path that has the step of a row below it.
    fn with_step(&self, above: u64, row: usize) -> u64 {
        let classes = first_characters(self.page.value(row, attribute::CLASS).unwrap_or(""), LONGEST_STEP);
        let first_class = classes.split(is_space).find(|class| !class.is_empty()).unwrap_or("");
        let step = u64::from(self.page.tag[row] as u32);
        first_class.bytes().map(u64::from).fold(mixed(above, step), mixed)
    }
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
        let view = page.view();
        let mut hashes = PathHashes::new(&view);
        let texts = (0..page.len()).rev().filter(|&row| page.tag[row] == 0);
        let mut of: Vec<u64> = texts.map(|row| hashes.of(row as i32)).collect();
        of.reverse();
        assert_eq!(of[0], of[1]);
        assert!(of[1] != of[2] && of[1] != of[3] && of[2] != of[3]);
    }
}
