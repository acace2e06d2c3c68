//! Blocks that are nothing but a formula.
#![forbid(unsafe_code)]

use super::formulas::Formulas;
use crate::blocks::characters::strip;
use crate::blocks::page_view::PageView;
use crate::blocks::segmentation::Segments;

/// How texts begin and end that are a formula with a line of its own.
const DELIMITERS: [(&str, &str); 3] = [("$$", "$$"), (r"\[", r"\]"), (r"\begin{", "}")];

/// m entries, 1 for blocks whose text is all in formulas; none if there is no such block.
pub fn formula_blocks(page: &PageView, segments: &Segments, formulas: &Formulas) -> Vec<u8> {
    let mut ends = formulas.keys().map(|&row| (row, page.subtree_end[row] as usize)).peekable();
    let mut end = 0;
    let mut found = Vec::with_capacity(segments.len());
    for block in 0..segments.len() {
        let (first, last) = (segments.first_row[block] as usize, segments.last_row[block] as usize);
        let mut with_text = (first..=last).filter(|&row| page.text_length[row] > 0);
        // Most pages have no formulas: one row with text is enough to know.
        let mut is_formula = !formulas.is_empty() || with_text.next().is_none();
        for row in with_text.take_while(|_| !formulas.is_empty()) {
            while let Some((_, further)) = ends.next_if(|&(begin, _)| begin <= row) {
                end = end.max(further);
            }
            is_formula &= row < end;
        }
        // Most texts begin with a letter.
        let may_be = !segments.texts.first_byte(block).is_ascii_alphabetic();
        found.push(u8::from(is_formula || (may_be && is_between_delimiters(segments.texts.get(block)))));
    }
    if found.contains(&1) {
        found
    } else {
        Vec::new()
    }
}

/// Whether a text is a formula with a line of its own.
fn is_between_delimiters(text: &str) -> bool {
    let text = strip(text);
    DELIMITERS.iter().any(|(begin, end)| text.len() > begin.len() + 1 && text.starts_with(begin) && text.ends_with(end))
}
