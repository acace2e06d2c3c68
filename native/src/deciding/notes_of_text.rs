//! The rule on footnotes: they stay with the text that refers to them.
#![forbid(unsafe_code)]

use super::situations::{Situation, KEEP};
use crate::document::footnotes::find_notes;
use crate::document::source::{show, Source};
use crate::failure::{filled, Failure};

/// Blocks before a row that may go on to it: hidden text is a block of its own.
const NEIGHBOURS: usize = 3;

/// Keep the shown blocks of notes that kept text refers to: the network takes some for lists of links.
pub fn notes_of_text(situation: &Situation) -> Result<Vec<i8>, Failure> {
    let everything = filled(situation.len(), |index| u8::from(situation.is_shown(index)))?;
    let source = Source {
        page: situation.page,
        blocks: situation.blocks,
        structures: situation.structures,
        keep: &everything,
        comments: &[],
        read_kind: situation.kinds,
        own_address: "",
        base: "",
        shown: show::FOOTNOTES,
    };
    let notes = find_notes(&source);
    if notes.found.is_empty() {
        return situation.no_verdicts();
    }
    let mut verdicts = situation.open_verdicts()?;
    let segments = &situation.blocks.segments;
    let mut is_wanted = vec![false; notes.found.len()];
    for (&row, &note) in &notes.references {
        is_wanted[note] |= is_in_kept_text(situation, row);
    }
    for (note, _) in notes.found.iter().zip(is_wanted).filter(|(_, is_wanted)| *is_wanted) {
        let is_of_links = |&block: &usize| segments.link_length[block] >= segments.length[block];
        let blocks = note.blocks();
        // Links of journals to catalogues, below the entry of a bibliography.
        let has_text = !blocks.iter().all(is_of_links);
        for block in blocks.into_iter().filter(|block| !(situation.keep[*block] || has_text && is_of_links(block))) {
            verdicts[block] = KEEP;
        }
    }
    Ok(verdicts)
}

/// Whether a row is in the text of a kept block.
fn is_in_kept_text(situation: &Situation, row: usize) -> bool {
    let segments = &situation.blocks.segments;
    // The text of a link begins after its row, and that of a block may begin with the link.
    let end = situation.page.subtree_end[row] as i64;
    let place = segments.first_row.partition_point(|&first| i64::from(first) < end);
    (place.saturating_sub(NEIGHBOURS)..place)
        .any(|block| situation.keep[block] && segments.last_row[block] as usize >= row)
}
