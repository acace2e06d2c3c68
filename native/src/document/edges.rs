//! What a block shows before its first text and after its last one: formulas without text, images that stand for a
//! character, and boxes of tasks.
#![forbid(unsafe_code)]

use super::formulas::Formulas;
use super::image_signs::is_character;
use super::images::VisibleBlocks;
use super::source::{show, Source};
use super::tasks::find_tasks;
use crate::blocks::page_view::{entry, PageView};
use crate::blocks::tags::{number_of, set};
use std::collections::HashMap;

const IMAGE: i32 = number_of("img");
const ITEM: i32 = number_of("li");

/// Block -> rows at its start or end.
pub type Edges = HashMap<usize, Vec<usize>>;

/// What stands at the start or end of blocks, and the rows of formulas without text that are in no block.
pub fn find_edges(source: &Source, formulas: &Formulas) -> (Edges, Vec<usize>) {
    let (mut edges, mut apart) = (Edges::new(), Vec::new());
    let textless: Vec<usize> =
        formulas.iter().filter(|(_, formula)| formula.is_textless).map(|(&row, _)| row).collect();
    let tasks = find_tasks(source.page, source.structures.has_drawn_boxes);
    let characters = if source.shows(show::IMAGES) { characters_on(source.page) } else { Vec::new() };
    if textless.is_empty() && tasks.is_empty() && characters.is_empty() {
        return (edges, apart);
    }
    let visible = VisibleBlocks::new(source);
    place_inline(source, &visible, &textless, &mut edges, &mut apart);
    // One with no text around it stands by itself, like any image.
    place_inline(source, &visible, &characters, &mut edges, &mut Vec::new());
    place_tasks(source, &visible, &tasks, &mut edges);
    (edges, apart)
}

/// Rows of the images of a page that stand for a character.
fn characters_on(page: &PageView) -> Vec<usize> {
    let is_shown = |row: &usize| page.tag[*row] == IMAGE && page.hidden[*row] == 0;
    (0..page.len()).filter(is_shown).filter(|&row| is_character(page, row)).collect()
}

/// Finds the blocks that inline elements without text belong to, and those that stand apart.
fn place_inline(source: &Source, visible: &VisibleBlocks, rows: &[usize], edges: &mut Edges, apart: &mut Vec<usize>) {
    if rows.is_empty() {
        return;
    }
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
