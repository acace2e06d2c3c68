//! What a block shows before its first text and after its last one: formulas without text, and boxes of tasks.
#![forbid(unsafe_code)]

use super::formulas::Formulas;
use super::images::VisibleBlocks;
use super::source::Source;
use super::tasks::find_tasks;
use crate::blocks::page_view::entry;
use crate::blocks::tags::{number_of, set};
use std::collections::HashMap;

const ITEM: i32 = number_of("li");

/// Block -> rows at its start or end.
pub type Edges = HashMap<usize, Vec<usize>>;

/// What stands at the start or end of blocks, and the rows of formulas without text that are in no block.
pub fn find_edges(source: &Source, formulas: &Formulas) -> (Edges, Vec<usize>) {
    let (mut edges, mut apart) = (Edges::new(), Vec::new());
    let textless: Vec<usize> =
        formulas.iter().filter(|(_, formula)| formula.is_textless).map(|(&row, _)| row).collect();
    let tasks = find_tasks(source.page);
    if textless.is_empty() && tasks.is_empty() {
        return (edges, apart);
    }
    let visible = VisibleBlocks::new(source);
    place_formulas(source, &visible, &textless, &mut edges, &mut apart);
    place_tasks(source, &visible, &tasks, &mut edges);
    (edges, apart)
}

/// Finds the blocks that formulas without text belong to, and formulas that stand apart.
fn place_formulas(source: &Source, visible: &VisibleBlocks, rows: &[usize], edges: &mut Edges, apart: &mut Vec<usize>) {
    let page = source.page;
    let closest_block = page.closest(|row| page.is_in(row, set::BLOCK));
    for &row in rows.iter().filter(|&&row| !visible.contain(row)) {
        let owner = entry(&closest_block, page.parent[row]);
        let (before, behind) = visible.around(row);
        match before.into_iter().chain(behind).find(|&block| source.owner(block) == owner) {
            Some(block) => edges.entry(block).or_default().push(row),
            None => apart.push(row),
        }
    }
}

/// Finds the blocks that begin after the box of a task, in the same item.
fn place_tasks(source: &Source, visible: &VisibleBlocks, rows: &[usize], edges: &mut Edges) {
    let page = source.page;
    let closest_item = page.closest(|row| page.tag[row] == ITEM);
    for &row in rows {
        let is_in_item = |block: &usize| entry(&closest_item, source.owner(*block)) == closest_item[row];
        if let Some(block) = visible.around(row).1.filter(is_in_item) {
            edges.entry(block).or_default().push(row);
        }
    }
}
