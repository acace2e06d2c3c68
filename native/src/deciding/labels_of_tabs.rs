//! The rule on the labels of tabs: they stay with what their panels show.
#![forbid(unsafe_code)]

use super::situations::{Situation, KEEP};
use crate::blocks::kinds::kind;
use crate::document::code_parts::has_class;
use crate::document::tabs::tabs_with_panels;
use crate::failure::Failure;

/// Blocks of a panel that are looked at: one of the first is kept, or the panel is not.
const BEGINNING: usize = 4;
/// Classes of the bars of labels above listings of the same code in several languages: VitePress, Material for MkDocs.
const BARS: [&str; 2] = ["tabs", "tabbed-labels"];

/// Keep the labels of panels that are kept and do not begin with a heading.
pub fn labels_of_tabs(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let mut verdicts = situation.open_verdicts()?;
    let blocks_in = |row: usize| situation.blocks.segments.beginning_in(situation.page, row).take(BEGINNING);
    for (tab, panel) in tabs_with_panels(situation.page) {
        let mut beginning = blocks_in(panel).filter(|&index| situation.keep[index]);
        if beginning.next().is_some_and(|first| situation.kinds[first] != kind::HEADING) {
            blocks_in(tab).for_each(|index| verdicts[index] = KEEP);
        }
    }
    for index in bars_above_code(situation) {
        verdicts[index] = KEEP;
    }
    Ok(verdicts)
}

/// Dropped bars of labels directly above kept code.
fn bars_above_code(situation: &Situation) -> Vec<usize> {
    let is_bar = |index: usize| {
        let owner = situation.blocks.segments.owner[index].max(0) as usize;
        situation.kinds[index] == kind::FORM && has_class(situation.page, owner, &BARS)
    };
    let is_kept_code =
        |index: usize| situation.keep[index] && situation.code_areas.get(index).is_some_and(|&area| area >= 0);
    // The name of the language may be between them.
    let is_above = |&index: &usize| is_bar(index) && (index + 1..situation.len()).take(BEGINNING / 2).any(is_kept_code);
    if situation.code_areas.is_empty() {
        return Vec::new();
    }
    (0..situation.len()).filter(|&index| situation.is_shown(index)).filter(is_above).collect()
}
