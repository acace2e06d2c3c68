//! The rule on text inside form fields.
#![forbid(unsafe_code)]

use super::situations::{Situation, FEWEST_CHARACTERS};
use crate::blocks::kinds::kind;
use crate::blocks::tags::number_of;
use crate::failure::Failure;

const TEXTAREA: i32 = number_of("textarea");

/// Drop text inside form fields, unless little else is left: `<textarea>` may hold code to copy.
pub fn form_fields(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let rows = &situation.blocks.kinds.kind_row;
    let is_field = |index: usize| {
        situation.kinds[index] == kind::FORM
            && rows[index] >= 0
            && situation.page.tag[rows[index] as usize] == TEXTAREA
            && situation.code_areas.get(index).is_none_or(|&area| area < 0)
    };
    if !(0..situation.len()).any(is_field) || situation.kept_characters(|index| !is_field(index)) < FEWEST_CHARACTERS {
        return situation.no_verdicts();
    }
    situation.drop_kept(is_field)
}
