//! The rule on footnotes: they stay with the text that refers to them.
#![forbid(unsafe_code)]

use super::situations::{Situation, KEEP};
use crate::blocks::characters::strip;
use crate::blocks::kinds::kind;
use crate::blocks::tags::number_of;
use crate::document::footnotes::{find_notes, FoundNote, Place};
use crate::document::source::{show, Source};
use crate::failure::{filled, Failure};
use std::collections::BTreeSet;

const ITEM: i32 = number_of("li");
/// Headings of bibliographies.
const HEADINGS: [&str; 8] = [
    "references",
    "bibliography",
    "works cited",
    "literature cited",
    "literature",
    "literatur",
    "literaturverzeichnis",
    "références",
];

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
    let cited = notes.found.iter().zip(&is_wanted).filter(|(_, &is_wanted)| is_wanted).map(|(note, _)| note);
    for index in bibliographies(situation, cited) {
        verdicts[index] = KEEP;
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

/// The blocks of the bibliographies that some notes are entries of, with their headings: a paper has all of its
/// references, also those that its text does not cite by a link.
fn bibliographies<'a>(situation: &Situation, cited: impl Iterator<Item = &'a FoundNote>) -> BTreeSet<usize> {
    let (page, segments) = (situation.page, &situation.blocks.segments);
    let part = |note: &FoundNote| match note.place {
        Place::Apart { part, .. } => Some(part).filter(|&part| page.tag[part] == ITEM),
        Place::Amid(_) => None,
    };
    let lists: BTreeSet<usize> =
        cited.filter_map(part).filter_map(|item| usize::try_from(page.parent[item]).ok()).collect();
    let mut found = BTreeSet::new();
    for list in lists {
        let (first, end) =
            (segments.first_row.partition_point(|&row| (row as usize) < list), page.subtree_end[list] as i64);
        let is_heading = |&index: &usize| {
            let text = strip(segments.texts.get(index));
            situation.kinds[index] == kind::HEADING
                && situation.is_shown(index)
                && HEADINGS.iter().any(|heading| text.eq_ignore_ascii_case(heading))
        };
        if let Some(heading) = first.checked_sub(1).filter(is_heading) {
            let is_of_links = |index: usize| segments.link_length[index] >= segments.length[index];
            let entries = (first..situation.len()).take_while(|&index| i64::from(segments.first_row[index]) < end);
            let entries = entries.filter(|&index| situation.is_shown(index) && !is_of_links(index));
            // The rule on headings may drop one whose entries are dropped so far.
            found.extend(std::iter::once(heading).chain(entries));
        }
    }
    found
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
