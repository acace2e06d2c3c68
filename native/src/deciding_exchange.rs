//! What deciding asks about a page, as columns.
#![forbid(unsafe_code)]

use crate::blocks::code_areas::CodeAreas;
use crate::blocks::page_blocks::Blocks;
use crate::columns::Page;
use crate::deciding::announcing_lines::announcing_lines;
use crate::deciding::signs::signs;
use crate::deciding::teasers::possible_teasers;
use crate::deciding::type_clues::type_clues;
use crate::document::formula_blocks::formula_blocks;
use crate::document::formulas::find_formulas;
use crate::exchange::{Column, Failure, Outcome};

/// Clues to the type of a page. Columns: OpenGraph types and schema.org types, each followed by a NUL.
pub fn clues_of_page(page: &Page) -> Result<Outcome, Failure> {
    let clues = type_clues(page);
    let columns = vec![Column::U8(clues.open_graph.into_bytes()), Column::U8(clues.schema.into_bytes())];
    Ok(Outcome { columns, ..Outcome::default() })
}

/// Signs of what rules are about. Columns: one entry per sign, 1 if the page has it; blocks that announce comments; possible
/// teasers; row of the area of code that each block is in, none if there is no code; 1
/// for blocks that are formulas, none if there are none. Announcements, teasers and formulas are the last signs.
pub fn signs_of_page(page: &Page, blocks: &Blocks) -> Result<Outcome, Failure> {
    let (view, lines) = (page.view(), announcing_lines(blocks));
    let code = CodeAreas::find(&view).of_blocks(&view, &blocks.segments);
    let (mut signs, teasers) = (signs(&view, blocks, !code.is_empty()), possible_teasers(&view, &blocks.segments));
    signs.push(u8::from(!lines.is_empty()));
    signs.push(u8::from(!teasers.text.is_empty()));
    let formulas = find_formulas(&view, &page.embedded_row, page.embedded());
    let formulas = formula_blocks(&view, &blocks.segments, &formulas);
    signs.push(u8::from(!formulas.is_empty()));
    let of_teasers = [teasers.headline, teasers.text, teasers.shape].into_iter().map(Column::I32);
    let first = [Column::U8(signs), Column::I32(lines)].into_iter();
    let columns = first.chain(of_teasers).chain([Column::I32(code), Column::U8(formulas)]).collect();
    Ok(Outcome { columns, ..Outcome::default() })
}
