//! What deciding asks about a page, as columns.
#![forbid(unsafe_code)]

use crate::blocks::page_blocks::Blocks;
use crate::columns::Page;
use crate::deciding::announcing_lines::announcing_lines;
use crate::deciding::parts_apart::parts_apart;
use crate::deciding::signs::signs;
use crate::deciding::teasers::possible_teasers;
use crate::deciding::type_clues::type_clues;
use crate::exchange::{Column, Failure, Outcome};

/// Clues to the type of a page. Columns: OpenGraph types and schema.org types, each followed by a NUL.
pub fn clues_of_page(page: &Page) -> Result<Outcome, Failure> {
    let clues = type_clues(page);
    let columns = vec![Column::U8(clues.open_graph.into_bytes()), Column::U8(clues.schema.into_bytes())];
    Ok(Outcome { columns, ..Outcome::default() })
}

/// Signs of what rules are about. Columns: one entry per sign, 1 if the page has it; blocks that announce comments; possible
/// teasers (three columns); by block, the part set apart that it is in. Each of these three has a sign, the last ones.
pub fn signs_of_page(page: &Page, blocks: &Blocks) -> Result<Outcome, Failure> {
    let (view, lines) = (page.view(), announcing_lines(blocks));
    let (mut signs, teasers) = (signs(&view, blocks), possible_teasers(&view, &blocks.segments));
    signs.push(u8::from(!lines.is_empty()));
    signs.push(u8::from(!teasers.text.is_empty()));
    let apart = parts_apart(&view, blocks);
    signs.push(u8::from(!apart.is_empty()));
    let of_teasers = [teasers.headline, teasers.text, teasers.shape].into_iter().map(Column::I32);
    let columns = [Column::U8(signs), Column::I32(lines)].into_iter().chain(of_teasers);
    let columns = columns.chain([Column::I32(apart)]).collect();
    Ok(Outcome { columns, ..Outcome::default() })
}
