//! Lists of other posts, and boxes to subscribe, that a page builder sets amid the text: known by their classes.
//!
//! Where the page exists to list posts, such a list is its content. So most of what is kept must stand outside of them.
#![forbid(unsafe_code)]

use super::situations::{Situation, DROP, FEWEST_CHARACTERS};
use crate::document::class_signs::MODULES;
use crate::document::code_parts::has_class;
use crate::failure::Failure;

/// How many times as much must be kept outside as in them.
const TIMES_AS_MUCH: i64 = 3;

/// Drop what is in such a module; no verdicts if there is none.
pub fn in_modules(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let page = situation.page;
    let is_module = |row: &usize| has_class(page, *row, &MODULES);
    let modules: Vec<usize> = situation.structures.possible_cards.iter().copied().filter(is_module).collect();
    if modules.is_empty() {
        return situation.no_verdicts();
    }
    let mut verdicts = situation.open_verdicts()?;
    let mut characters = 0;
    for row in modules {
        for index in situation.blocks.segments.beginning_in(page, row) {
            if situation.keep[index] && verdicts[index] == 0 {
                verdicts[index] = DROP;
                characters += situation.length(index);
            }
        }
    }
    let outside = situation.kept_characters(|index| verdicts[index] == 0);
    if characters == 0 || outside < FEWEST_CHARACTERS.max(TIMES_AS_MUCH * characters) {
        return situation.no_verdicts();
    }
    Ok(verdicts)
}
